// SPDX-License-Identifier: MIT
// Implements ledger.h: INTENT is in the log before a call begins. A call that was not settled (by
// its task's outcome, or released when its run gave up in good order) was in flight when the
// process died: whether it took effect is unknown.
#include <string.h>

#include "log/writer.h"
#include "run/host/block.h"
#include "run/host/ids_and_namespaces.h"
#include "run/record/format.h"
#include "run/record/record.h"
#include "run/state/run.h"
#include "run/state/tools.h"
#include "run/task/approval.h"
#include "run/task/ledger.h"

// Verdict of an INTENT: the call was found in flight, and an approval is requested. The call does
// not begin with this record.
#define DOUBT 1u

static const weft_log_text all_calls = {(const uint8_t *)"", 0};

// ---- writing

// Makes the key of a call. Its digest is the checkpoint's id, so that a call of an older checkpoint
// is another call.
static weft_status key_of(weft_run *run, const weft_task *task, weft_log_text call,
                          weft_log_ledger_key *key) {
    *key = (weft_log_ledger_key){.ns = run->identity.ns, .call = call};
    memcpy(key->digest, run->state->id, WEFT_LOG_ID_BYTES);
    return weft_ids_key(run, task, &key->task);
}

// Writes an INTENT, or the RESULT that settles all calls of a task.
static weft_status put(weft_run *run, weft_log_kind kind, const weft_task *task, weft_log_text call,
                       uint8_t verdict) {
    weft_log_ledger record = {.verdict = verdict, .payload = {.word = WEFT_WORD_ABSENT}};
    weft_log_writer writer;
    WEFT_TRY(key_of(run, task, call, &record.key));
    uint32_t mark = weft_record_begin(run, &writer);
    weft_log_put_ledger(&writer, &record);
    WEFT_TRY(weft_log_writer_end(&writer));
    return weft_log_frame_end(&run->recording.frames, mark, kind, &run->thread->chain);
}

static weft_intent *find(weft_run *run, const weft_log_task_key *task, weft_log_text call) {
    for (uint32_t i = 0; i < run->tools.intent_count; i++) {
        if (weft_ids_same_key(&run->tools.intents[i].task, task) &&
            weft_log_same_text(run->tools.intents[i].call, call)) {
            return &run->tools.intents[i];
        }
    }
    return NULL;
}

// Drops answers that cannot be for a new request about a call in flight: answers from before the
// crash were about the lost attempt, and a plain answer that a past run stored is older than this
// request.
static void ask_again(weft_run *run, weft_task *task, int in_flight) {
    if (in_flight) {
        while (task->resume_count > task->asked) {
            weft_values_release(run->values, task->resumes[--task->resume_count]);
        }
        task->known = task->known < task->asked ? task->known : task->asked;
        task->took_null_resume = task->took_mapped_resume = 1;
    }
    task->took_null_resume |= run->resume.plain_is_stored;
}

// Takes a task's call out of the calls in flight, since this run handles it. *in_flight: whether it
// was one.
static weft_status take_up(weft_run *run, const weft_task *task, weft_log_text call,
                           int *in_flight) {
    weft_log_task_key key;
    WEFT_TRY(weft_ids_key(run, task, &key));
    weft_intent *intent = find(run, &key, call);
    *in_flight = intent != NULL && intent->in_flight;
    if (intent != NULL) {
        intent->in_flight = 0;
    }
    return WEFT_OK;
}

weft_status weft_ledger_carry(weft_run *run) {
    for (uint32_t i = 0; i < run->tools.intent_count; i++) {
        weft_intent *intent = &run->tools.intents[i];
        for (uint32_t n = 0; n < run->step.tasks.count && intent->in_flight; n++) {
            weft_log_task_key key;
            WEFT_TRY(weft_ids_key(run, &run->step.tasks.items[n], &key));
            if (run->step.tasks.items[n].status == WEFT_TASK_INTERRUPTED &&
                weft_ids_same_key(&key, &intent->task)) {
                intent->in_flight = 0;
                WEFT_TRY(put(run, WEFT_LOG_INTENT, &run->step.tasks.items[n], intent->call, 0));
            }
        }
    }
    return WEFT_OK;
}

// For a call in a task's subgraph, only saves the checkpoint, by which the call is found.
weft_status weft_ledger_intend(weft_run *run, const weft_beginning *begins) {
    weft_task *task = weft_run_task(run, begins->task, begins->attempt, WEFT_TASK_RUNNING);
    int doubts = (begins->flags & WEFT_INTENT_DOUBT) != 0;
    int is_inside = (begins->flags & WEFT_INTENT_INSIDE) != 0;
    if (task != NULL && run->tools.intent_count > 0 && !is_inside) {
        int in_flight;
        WEFT_TRY(take_up(run, task, begins->call, &in_flight));
        if (doubts) {
            ask_again(run, task, in_flight);
        }
    }
    if (task != NULL && weft_run_keeps_calls(run) && !is_inside) {
        WEFT_TRY(put(run, WEFT_LOG_INTENT, task, begins->call, doubts ? DOUBT : 0));
        task->intends = 1;
        task->approved |= (begins->flags & WEFT_INTENT_APPROVED) != 0;
    }
    weft_block_open(run, WEFT_COMMAND_INTENDED, 0);
    weft_block_close(run);
    return WEFT_OK;
}

weft_status weft_ledger_begun(weft_run *run) {
    for (uint32_t i = 0; i < run->tools.beginning_count; i++) {
        WEFT_TRY(weft_ledger_intend(run, &run->tools.beginnings[i]));
    }
    run->tools.beginning_count = 0;
    return WEFT_OK;
}

weft_status weft_ledger_release_task(weft_run *run, const weft_task *task) {
    // If a finished task cannot be saved, its result is unknown later, so its calls stay in flight.
    // So do approved calls that still run: an approval is for one run.
    int is_open =
        task->status == WEFT_TASK_DONE || (task->approved && task->status == WEFT_TASK_RUNNING);
    int is_given_up = task->intends && !task->saved && !is_open;
    return is_given_up ? put(run, WEFT_LOG_RESULT, task, all_calls, 0) : WEFT_OK;
}

weft_status weft_ledger_ended(weft_run *run, const weft_task *task, int *ended) {
    weft_log_task_key key;
    WEFT_TRY(weft_ids_key(run, task, &key));
    for (uint32_t i = 0; i < run->tools.intent_count; i++) {
        *ended |=
            run->tools.intents[i].ended && weft_ids_same_key(&run->tools.intents[i].task, &key);
    }
    return WEFT_OK;
}

int weft_ledger_holds(const weft_run *run) {
    for (uint32_t i = 0; i < run->step.tasks.count && run->state->saved; i++) {
        if (run->step.tasks.items[i].intends) {
            return 1;
        }
    }
    return 0;
}

weft_status weft_ledger_release(weft_run *run) {
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        WEFT_TRY(weft_ledger_release_task(run, &run->step.tasks.items[i]));
    }
    return WEFT_OK;
}

// ---- reading: the index has validated each record

static weft_status add(weft_run *run, const weft_log_ledger_key *key, uint8_t verdict) {
    weft_intent *intent = find(run, &key->task, key->call);
    if (intent == NULL) {
        if (!weft_memory_reserve(run->memory, &run->tools.intents, sizeof(*run->tools.intents),
                                 &run->tools.intent_capacity, run->tools.intent_count + 1)) {
            return WEFT_ERR_NO_MEMORY;
        }
        intent = &run->tools.intents[run->tools.intent_count];
        *intent = (weft_intent){.task = key->task};
        WEFT_TRY(weft_lasting_text(run, key->call, &intent->call));
        WEFT_TRY(weft_lasting_text(run, key->task.node, &intent->task.node));
        WEFT_TRY(weft_lasting_text(run, key->task.trigger, &intent->task.trigger));
        run->tools.intent_count++;
    }
    intent->asked |= verdict & DOUBT;
    intent->moved = verdict == DOUBT ? intent->moved : verdict >> 1;
    intent->in_flight = 1;
    intent->ended = 0;
    return WEFT_OK;
}

// Settles a task's calls. Their approval requests are among the task's answers and stay.
static void settle(weft_run *run, const weft_log_task_key *task, int ended) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->tools.intent_count; i++) {
        weft_intent intent = run->tools.intents[i];
        if (weft_ids_same_key(&intent.task, task)) {
            intent.in_flight = 0;
            intent.ended = (uint8_t)ended;
        }
        if (intent.in_flight || intent.asked || intent.ended) {
            run->tools.intents[kept++] = intent;
        }
    }
    run->tools.intent_count = kept;
}

// Returns whether a call belongs to the checkpoint; old records without a checkpoint may.
static int hangs_on(const weft_log_ledger_key *key, const uint8_t *checkpoint) {
    static const uint8_t none[WEFT_LOG_ID_BYTES];
    return memcmp(key->digest, checkpoint, WEFT_LOG_ID_BYTES) == 0 ||
           memcmp(key->digest, none, sizeof(none)) == 0;
}

static weft_status read_call(weft_run *run, uint32_t record, weft_log_kind kind,
                             const uint8_t *checkpoint) {
    weft_log_reader reader;
    weft_log_ledger ledger;
    weft_log_index_read(&run->source.index, record, &reader);
    weft_log_get_ledger(&reader, &ledger);
    if (!weft_log_same_text(ledger.key.ns, run->identity.ns) ||
        !hangs_on(&ledger.key, checkpoint)) {
        return WEFT_OK;
    }
    if (kind == WEFT_LOG_DECISION) {
        return weft_approval_restore(run, &ledger, weft_log_index_seq(&run->source.index, record));
    }
    if (kind == WEFT_LOG_INTENT) {
        return add(run, &ledger.key, ledger.verdict & (DOUBT | WEFT_LOG_INTENT_MOVED));
    }
    settle(run, &ledger.key.task, 0);
    return WEFT_OK;
}

static void read_writes(weft_run *run, uint32_t record, const uint8_t *checkpoint) {
    weft_log_reader reader;
    weft_log_text ns;
    const uint8_t *id;
    weft_log_task task;
    weft_log_write write;
    weft_log_index_read(&run->source.index, record, &reader);
    weft_log_get_writes(&reader, &ns, &id);
    if (!weft_log_same_text(ns, run->identity.ns) ||
        memcmp(id, checkpoint, WEFT_LOG_ID_BYTES) != 0) {
        return;
    }
    for (uint32_t tasks = weft_log_get_tasks(&reader); tasks > 0; tasks--) {
        weft_log_get_task(&reader, &task);
        settle(run, &task.key, task.outcome == WEFT_RECORD_DONE);
        for (uint32_t i = 0; i < task.count; i++) {
            weft_log_get_write(&reader, &write);
        }
    }
}

weft_status weft_ledger_restore(weft_run *run, uint32_t entry) {
    const weft_log_entry *from = &run->source.index.entries[entry];
    run->recording.bound = weft_log_index_seq(&run->source.index, from->record);
    const weft_log_entry *entries = run->source.index.entries;
    uint32_t child = from->first_child;
    for (uint32_t i = from->record + 1; i < run->source.index.record_count; i++) {
        uint8_t kind = run->source.index.records[i].kind;
        // A later checkpoint means that the step ended, and so did its calls.
        for (; child != WEFT_LOG_NONE && entries[child].record <= i;
             child = entries[child].next_sibling) {
            for (uint32_t n = 0;
                 n < run->tools.intent_count && entries[child].source == WEFT_SOURCE_LOOP; n++) {
                run->tools.intents[n].in_flight = 0;
            }
        }
        if (kind >= WEFT_LOG_INTENT && kind <= WEFT_LOG_DECISION) {
            WEFT_TRY(read_call(run, i, (weft_log_kind)kind, from->id));
        } else if (kind == WEFT_LOG_WRITES) {
            read_writes(run, i, from->id);
        }
    }
    return WEFT_OK;
}

static int is_unknown(const weft_intent *intent, const weft_log_task_key *key) {
    return weft_ids_same_key(&intent->task, key) && (intent->in_flight || intent->asked);
}

weft_status weft_ledger_emit_unknown(weft_run *run, uint32_t index) {
    weft_log_task_key key;
    uint32_t count = 0, moved = 0;
    WEFT_TRY(weft_ids_key(run, &run->step.tasks.items[index], &key));
    for (uint32_t i = 0; i < run->tools.intent_count; i++) {
        if (is_unknown(&run->tools.intents[i], &key)) {
            count++;
            moved |= run->tools.intents[i].moved;
        }
    }
    if (count == 0) {
        return WEFT_OK;
    }
    weft_block_open(run, WEFT_COMMAND_UNKNOWN, moved);
    weft_block_word(run, index);
    weft_block_word(run, count);
    for (uint32_t i = 0; i < run->tools.intent_count; i++) {
        if (is_unknown(&run->tools.intents[i], &key)) {
            weft_block_text(run, run->tools.intents[i].call.bytes,
                            run->tools.intents[i].call.length);
        }
    }
    weft_block_close(run);
    return WEFT_OK;
}
