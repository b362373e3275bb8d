// SPDX-License-Identifier: MIT
// Implements record.h: writes a checkpoint with the writes that led to it, or pending writes alone.
// The same walk first collects the values without a text (ENCODE), then writes the bytes.
#include <string.h>

#include "base/hash.h"
#include "log/writer.h"
#include "run/host/batch.h"
#include "run/host/ids_and_namespaces.h"
#include "run/record/format.h"
#include "run/record/record.h"
#include "run/record/recorder.h"
#include "run/state/phase.h"
#include "run/state/run.h"

// ---- writes of tasks

static void put_one_write(recorder *rec, weft_log_write *write, weft_word word, weft_word before) {
    write->value = weft_record_value(rec, word);
    int is_item = ((uint32_t)write->index & WEFT_RECORD_LIST) != 0;
    weft_record_rebase(rec, before, &write->value, is_item ? WEFT_RECORD_ITEM : WEFT_RECORD_OTHER);
    if (!rec->collecting) {
        weft_record_placed(rec, word, weft_log_put_write(&rec->writer, write));
    }
}

static int has_snapshot(const recorder *rec, const weft_list *list) {
    return list->snapshot != NULL || rec->run->recording.snapshot != NULL;
}

// Counts the messages of a written list, from number `at` on, that are one write of the record.
static uint32_t many_of(recorder *rec, const weft_list *list, const weft_write *write, uint32_t at,
                        weft_log_value *many) {
    size_t stride = sizeof(weft_message) / sizeof(weft_word);
    return has_snapshot(rec, list) ? weft_record_many(rec, list, &write->messages[at].word, stride,
                                                      write->count - at, many)
                                   : 1;
}

static void put_plain(recorder *rec, const weft_write *write, uint32_t position) {
    weft_run *run = rec->run;
    uint32_t flags =
        (write->overwrite ? WEFT_RECORD_OVERWRITE : 0) | (write->lone ? WEFT_RECORD_LONE : 0);
    weft_log_write out = {.channel = run->graph->channels[write->channel].name};
    out.index = (int32_t)((position << WEFT_RECORD_SHIFT) | flags);
    if (write->form == WEFT_WRITE_SEND) {
        out.is_send = 1;
        out.send = weft_record_send(rec, write->node, write->word, write->timeout);
        if (!rec->collecting) {
            weft_record_placed(rec, write->word, weft_log_put_write(&rec->writer, &out));
        }
        return;
    }
    if (write->form == WEFT_WRITE_NAME) {
        // The task's key names the source, but an update's task has only an id.
        uint32_t source =
            run->graph->joins[run->graph->channels[write->channel].join].sources[write->node];
        put_one_write(rec, &out,
                      run->options.kind == WEFT_RUN_UPDATE ? source << 3 | WEFT_WORD_TAG_NODE
                                                           : WEFT_WORD_NULL,
                      WEFT_WORD_ABSENT);
        return;
    }
    if (write->form != WEFT_WRITE_LIST) {
        int replaces = run->graph->channels[write->channel].rule.kind != WEFT_CHANNEL_BINOP;
        weft_word before =
            replaces ? weft_channel_held(&run->state->channels[write->channel]) : WEFT_WORD_ABSENT;
        put_one_write(rec, &out, write->word, before);
        return;
    }
    out.index |= (int32_t)WEFT_RECORD_LIST;
    if (write->count == 0) {
        put_one_write(rec, &out, WEFT_WORD_ABSENT, WEFT_WORD_ABSENT);
    }
    const weft_list *list = run->state->channels[write->channel].list;
    rec->snapshot_item = 0;
    for (uint32_t i = 0, count; i < write->count; i += count) {
        count = many_of(rec, list, write, i, &out.value);
        if (count == 1) {
            put_one_write(rec, &out, write->messages[i].word,
                          weft_record_message(list, &write->messages[i]));
        } else if (!rec->collecting) {
            weft_log_put_write(&rec->writer, &out);
        }
    }
}

static void put_special(recorder *rec, weft_log_special special, weft_log_text channel,
                        weft_word word) {
    weft_log_write out = {.special = special, .channel = channel};
    put_one_write(rec, &out, word, WEFT_WORD_ABSENT);
}

static int is_untracked(const weft_run *run, const weft_write *write) {
    return run->graph->channels[write->channel].rule.kind == WEFT_CHANNEL_UNTRACKED;
}

static int has_returned(const weft_task *task) {
    return task->kind == WEFT_TASK_CALL && task->status == WEFT_TASK_DONE;
}

// Counts the writes to save. Writes of an interrupted task are streamed, not saved: it will write
// them again.
static uint32_t lasting_writes(const weft_task *task) {
    return task->status == WEFT_TASK_INTERRUPTED ? 0 : task->write_count;
}

static uint32_t count_writes(recorder *rec, const weft_task *task) {
    const weft_run *run = rec->run;
    weft_log_value many;
    uint32_t count = task->interrupt_count + task->resume_count +
                     (task->error != WEFT_WORD_ABSENT) + task->handled;
    count += (uint32_t)has_returned(task);
    for (uint32_t i = 0; i < lasting_writes(task); i++) {
        const weft_write *write = &task->writes[i];
        if (write->form == WEFT_WRITE_LIST && write->count > 1) {
            const weft_list *list = run->state->channels[write->channel].list;
            rec->snapshot_item = 0;
            for (uint32_t at = 0; at < write->count; at += many_of(rec, list, write, at, &many)) {
                count++;
            }
        } else {
            count += !is_untracked(run, write);
        }
    }
    return count;
}

static uint8_t outcome_of(const weft_task *task) {
    if (task->status == WEFT_TASK_INTERRUPTED) {
        return WEFT_RECORD_INTERRUPTED;
    }
    return task->status == WEFT_TASK_FAILED || task->status == WEFT_TASK_CANCELLED
               ? WEFT_RECORD_FAILED
               : WEFT_RECORD_DONE;
}

// Writes interrupts. An interrupt's id is the task's own (of its first interrupt), another one (of
// a later interrupt, or from a subgraph), or there is none.
static void put_interrupts(recorder *rec, const weft_task *task) {
    static const uint8_t no_id[16];
    uint8_t own[16] = {0};
    char hex[32];
    for (uint32_t i = 0; i < task->interrupt_count; i++) {
        const weft_interrupt *interrupt = &task->interrupts[i];
        weft_status status = weft_ids_interrupt(rec->run, task, 0, own);
        rec->status = rec->status == WEFT_OK ? status : rec->status;
        weft_log_text name = {(const uint8_t *)"-", 1};
        // The id of a call's interrupt cannot be computed from its task.
        if (memcmp(interrupt->id, own, 16) == 0 && task->kind != WEFT_TASK_CALL) {
            name.length = 0;
        } else if (memcmp(interrupt->id, no_id, 16) != 0) {
            weft_hash_hex(interrupt->id, 16, hex);
            name = (weft_log_text){(const uint8_t *)hex, 32};
        }
        put_special(rec, WEFT_LOG_WRITE_INTERRUPT, name, interrupt->word);
    }
}

static void put_task(recorder *rec, weft_task *task) {
    weft_run *run = rec->run;
    weft_log_task head = {.outcome = outcome_of(task),
                          .count = rec->collecting ? 0 : count_writes(rec, task)};
    weft_status status = weft_ids_key(run, task, &head.key);
    rec->status = rec->status == WEFT_OK ? status : rec->status;
    if (!rec->collecting) {
        weft_log_put_task(&rec->writer, &head);
        task->saved = 1;
    }
    for (uint32_t i = 0; i < lasting_writes(task); i++) {
        if (!is_untracked(run, &task->writes[i])) {
            put_plain(rec, &task->writes[i], i);
        }
    }
    weft_log_text none = {NULL, 0};
    for (uint32_t i = 0; i < task->resume_count; i++) {
        put_special(rec, WEFT_LOG_WRITE_RESUME, none, task->resumes[i]);
    }
    if (has_returned(task)) {
        put_special(rec, WEFT_LOG_WRITE_RETURN, none, task->argument);
    }
    put_interrupts(rec, task);
    if (task->error != WEFT_WORD_ABSENT) {
        put_special(rec, WEFT_LOG_WRITE_ERROR, none, task->error);
    }
    if (task->handled) {
        put_special(rec, WEFT_LOG_WRITE_ERROR_SOURCE, none, (task->node << 3) | WEFT_WORD_TAG_NODE);
    }
}

static int to_save(const weft_task *task) {
    return !task->saved && task->status > WEFT_TASK_EXPIRED;
}

// Returns the next task to save, from number `from` on; UINT32_MAX when there is none. Each task is
// saved when it ends, so only the noted range is searched.
static uint32_t next_to_save(const weft_run *run, uint32_t from) {
    uint32_t end =
        run->step.end_ended < run->step.tasks.count ? run->step.end_ended : run->step.tasks.count;
    from = from < run->step.first_ended ? run->step.first_ended : from;
    while (from < end && !to_save(&run->step.tasks.items[from])) {
        from++;
    }
    return from < end ? from : UINT32_MAX;
}

static void put_tasks(recorder *rec, int with_input) {
    weft_run *run = rec->run;
    uint32_t count = with_input && run->step.input.count > 0 ? 1 : 0;
    for (uint32_t i = 0; (i = next_to_save(run, i)) != UINT32_MAX; i++) {
        count++;
    }
    if (!rec->collecting) {
        weft_log_put_count(&rec->writer, count);
    }
    if (with_input && run->step.input.count > 0) {
        put_task(rec, &run->step.input.items[0]);
    }
    for (uint32_t i = 0; (i = next_to_save(run, i)) != UINT32_MAX; i++) {
        put_task(rec, &run->step.tasks.items[i]);
    }
    if (!rec->collecting) {
        run->step.first_ended = UINT32_MAX;
        run->step.end_ended = 0;
    }
}

// ---- changes of channels

// Counts the steps of a list, from number `at` on, that are one operation of the record.
static uint32_t put_many(recorder *rec, const weft_list *list, uint32_t at, int put) {
    return has_snapshot(rec, list) && !list->steps[at].same
               ? weft_record_put_many(rec, list, at, put)
               : 1;
}

static uint32_t count_list_steps(recorder *rec, const weft_list *list) {
    uint32_t operations = 0;
    rec->snapshot_item = 0;
    for (uint32_t i = 0; i < list->step_count && !rec->collecting; i += put_many(rec, list, i, 0)) {
        operations += !list->steps[i].same;
    }
    return operations;
}

static void put_list_steps(recorder *rec, const weft_list *list) {
    static const weft_log_op_kind kinds[] = {WEFT_LOG_APPEND, WEFT_LOG_REPLACE, WEFT_LOG_REMOVE,
                                             WEFT_LOG_CLEAR};
    rec->snapshot_item = 0;
    for (uint32_t i = 0; i < list->step_count; i++) {
        const weft_list_step *step = &list->steps[i];
        weft_log_op op = {.kind = kinds[step->kind], .index = step->index};
        uint32_t many = put_many(rec, list, i, !rec->collecting);
        if (step->same || many > 1) {
            i += many - 1;
            continue;
        }
        int holds = step->kind == WEFT_LIST_APPEND || step->kind == WEFT_LIST_REPLACE;
        if (holds) {
            op.value = weft_record_value(rec, step->word);
        }
        if (rec->collecting) {
            continue;
        }
        uint32_t before = rec->writer.values;
        weft_record_rebase(rec, step->before, &op.value, WEFT_RECORD_ITEM);
        weft_log_put_op(&rec->writer, &op);
        if (holds && op.value.form == WEFT_LOG_INLINE && rec->writer.values > before) {
            weft_record_placed(rec, step->word, before);
        }
    }
}

static void put_sends(recorder *rec, const weft_channel *channel) {
    for (uint32_t i = 0; i < channel->send_count; i++) {
        const weft_send *pending = &channel->sends[i];
        weft_log_send send = weft_record_send(rec, pending->node, pending->word, pending->timeout);
        uint32_t args = WEFT_LOG_NONE;
        if (!rec->collecting) {
            weft_log_put_send(&rec->writer, &send, &args, NULL);
            weft_record_placed(rec, pending->word, args);
        }
    }
}

static void put_names(recorder *rec, const weft_channel *channel, uint32_t number) {
    const weft_graph *graph = rec->run->graph;
    const weft_join *join = &graph->joins[graph->channels[number].join];
    for (uint32_t i = 0; i < join->source_count; i++) {
        if (channel->seen[i] && !rec->collecting) {
            weft_log_put_name(&rec->writer, graph->nodes[join->sources[i]].name);
        }
    }
}

static void put_change(recorder *rec, uint32_t number) {
    weft_run *run = rec->run;
    const weft_channel *channel = &run->state->channels[number];
    weft_channel_kind kind = run->graph->channels[number].rule.kind;
    int defers =
        kind == WEFT_CHANNEL_LAST_AFTER_FINISH || kind == WEFT_CHANNEL_BARRIER_AFTER_FINISH;
    weft_log_change change = {.channel = run->graph->channels[number].name,
                              .version = channel->version,
                              .form = WEFT_LOG_SET,
                              .mark = (uint8_t)((channel->finished ? WEFT_RECORD_FINISHED : 0u) |
                                                (defers ? WEFT_RECORD_DEFERS : 0u))};
    if (channel->list != NULL) {
        change.form = WEFT_LOG_LIST;
        change.count = count_list_steps(rec, channel->list);
    } else if (channel->seen != NULL) {
        change.form = WEFT_LOG_NAMES_SET;
        change.count = channel->seen_count;
    } else if (number == run->graph->tasks_channel) {
        change.form = WEFT_LOG_SENDS;
        change.count = channel->send_count;
    } else if (channel->value == WEFT_WORD_ABSENT) {
        change.form = WEFT_LOG_UNSET;
    }
    if (!rec->collecting) {
        weft_log_put_change(&rec->writer, &change);
    }
    switch (change.form) {
    case WEFT_LOG_LIST:
        put_list_steps(rec, channel->list);
        break;
    case WEFT_LOG_NAMES_SET:
        put_names(rec, channel, number);
        break;
    case WEFT_LOG_SENDS:
        put_sends(rec, channel);
        break;
    case WEFT_LOG_SET: {
        weft_log_value value = weft_record_value(rec, channel->value);
        int is_input = run->recording.source == WEFT_SOURCE_INPUT;
        weft_record_rebase(rec, weft_channel_held(channel), &value,
                           is_input ? WEFT_RECORD_SENT : WEFT_RECORD_OTHER);
        if (!rec->collecting) {
            weft_record_placed(rec, channel->value, weft_log_put_value(&rec->writer, &value));
        }
        break;
    }
    default:
        break;
    }
}

static int is_saved_kind(const weft_run *run, uint32_t channel) {
    return run->graph->channels[channel].rule.kind != WEFT_CHANNEL_UNTRACKED;
}

static void put_changes(recorder *rec) {
    const weft_state *state = rec->run->state;
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->touched_count; i++) {
        count += (uint32_t)is_saved_kind(rec->run, state->touched[i]);
    }
    if (!rec->collecting) {
        weft_log_put_count(&rec->writer, count);
    }
    for (uint32_t i = 0; i < state->touched_count; i++) {
        if (is_saved_kind(rec->run, state->touched[i])) {
            put_change(rec, state->touched[i]);
        }
    }
}

static void put_seen(recorder *rec) {
    const weft_state *state = rec->run->state;
    const weft_graph *graph = rec->run->graph;
    if (rec->collecting) {
        return;
    }
    weft_log_put_count(&rec->writer, state->seen_note_count + (state->interrupt_noted ? 1 : 0));
    for (uint32_t i = 0; i < state->seen_note_count; i++) {
        weft_seen_note note = state->seen_notes[i];
        const weft_node *node = &graph->nodes[note.node];
        weft_log_seen seen = {.node = node->name,
                              .channel = graph->channels[node->triggers[note.trigger]].name,
                              .version = state->seen[node->first_seen + note.trigger]};
        weft_log_put_seen(&rec->writer, &seen);
    }
    if (state->interrupt_noted) {
        static const char name[] = "__interrupt__";
        weft_log_seen seen = {.node = {(const uint8_t *)name, sizeof(name) - 1},
                              .version = state->interrupt_seen};
        weft_log_put_seen(&rec->writer, &seen);
    }
}

// ---- records

static void put_checkpoint(recorder *rec, uint32_t parts) {
    weft_run *run = rec->run;
    const weft_state *state = run->state;
    if (!rec->collecting) {
        weft_log_checkpoint head = {.ns = run->identity.ns,
                                    .step = state->step,
                                    .source = (weft_log_source)run->recording.source,
                                    .has_parent = state->has_parent};
        memcpy(head.id, state->id, 16);
        memcpy(head.parent, state->parent, 16);
        weft_log_put_checkpoint(&rec->writer, &head, run->identity.ancestor_count);
        for (uint32_t i = 0; i < run->identity.ancestor_count; i++) {
            weft_log_put_parent(&rec->writer, run->identity.ancestors[i].ns,
                                run->identity.ancestors[i].id);
        }
    }
    // The tasks come last in the record but were written first: changes with the same value refer
    // to the place written first, which is here.
    put_changes(rec);
    put_seen(rec);
    if ((parts & WEFT_RECORD_EMBEDDED) != 0) {
        put_tasks(rec, 1);
    } else if (!rec->collecting) {
        weft_log_put_count(&rec->writer, 0);
    }
}

static void put_writes(recorder *rec) {
    if (!rec->collecting) {
        weft_log_put_writes(&rec->writer, rec->run->identity.ns, rec->run->state->id);
    }
    put_tasks(rec, rec->run->resume.saves);
}

weft_status weft_record_collect(weft_run *run, uint32_t parts) {
    run->recording.parts = parts;
    run->recording.wanted_count = 0;
    if (run->values->bare == 0) {
        return WEFT_OK;
    }
    recorder rec = {.run = run, .collecting = 1};
    if ((run->recording.parts & WEFT_RECORD_STATE) != 0) {
        put_checkpoint(&rec, run->recording.parts);
    }
    if ((run->recording.parts & WEFT_RECORD_WRITES) != 0) {
        put_writes(&rec);
    }
    return rec.status;
}

weft_status weft_record_put(weft_run *run, weft_log_kind kind) {
    recorder rec = {.run = run};
    uint32_t mark = weft_record_begin(run, &rec.writer);
    if (kind == WEFT_LOG_CHECKPOINT) {
        put_checkpoint(&rec, run->recording.parts);
    } else {
        put_writes(&rec);
    }
    if (rec.latest != WEFT_WORD_ABSENT) {
        weft_values_retain(run->values, rec.latest);
        weft_values_release(run->values, run->recording.last_text);
        run->recording.last_text = rec.latest;
    }
    if (rec.writer.patched) {
        weft_log_frame_patched(&run->recording.frames, mark, rec.writer.patched);
    }
    weft_record_note_sent(&rec, mark);
    WEFT_TRY(rec.status);
    WEFT_TRY(weft_log_writer_end(&rec.writer));
    return weft_log_frame_end(&run->recording.frames, mark, kind, &run->thread->chain);
}

weft_status weft_record_take_texts(weft_run *run, weft_cursor *cursor) {
    int asked = run->waits == WEFT_WAIT_ENCODED;
    uint32_t count = weft_cursor_count(cursor, 2);
    if (asked && count != run->recording.wanted_count) {
        return WEFT_ERR_BAD_EVENT;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length;
        weft_word word = weft_cursor_word(cursor);
        const uint8_t *text = weft_cursor_text(cursor, &length);
        if (cursor->status != WEFT_OK || (asked && word != run->recording.wanted[i])) {
            return WEFT_ERR_BAD_EVENT;
        }
        WEFT_TRY(weft_values_set_text(run->values, word, text, length));
        if (run->recording.longest < length) {
            run->recording.longest = length;
            run->recording.longest_word = word;
        }
    }
    return cursor->status;
}

int weft_record_is_due(const weft_run *run) {
    return run->resume.saves || next_to_save(run, 0) != UINT32_MAX;
}
