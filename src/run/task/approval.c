// SPDX-License-Identifier: MIT
// Implements approval.h: a request records the digest of what a person is shown, under its own id;
// the first decision about it counts, once, and only for that digest. Both are DECISION records; a
// request has no verdict.
#include <string.h>

#include "base/hash.h"
#include "log/writer.h"
#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/host/ids_and_namespaces.h"
#include "run/record/record.h"
#include "run/state/run.h"
#include "run/state/tools.h"
#include "run/task/approval.h"

#define TICKS_A_MS 10000u
// Beside the place in a request's record: the request is `apart`.
#define APART (1u << 26)

static weft_status put(weft_run *run, const weft_request *request, uint8_t verdict,
                       weft_log_value payload) {
    weft_log_ledger record = {
        .key = {.ns = run->identity.ns, .task = request->task, .call = request->call},
        .has_approval = 1,
        .bound = run->recording.bound,
        .moment = verdict == 0 || request->lapsed ? request->expires : 0,
        .verdict = verdict,
        .payload = payload};
    memcpy(record.key.digest, run->state->id, WEFT_LOG_ID_BYTES);
    memcpy(record.approval, request->id, sizeof(record.approval));
    memcpy(record.shown, request->shown, sizeof(record.shown));
    weft_log_writer writer;
    uint32_t mark = weft_record_begin(run, &writer);
    weft_log_put_ledger(&writer, &record);
    WEFT_TRY(weft_log_writer_end(&writer));
    if (writer.patched) {
        weft_log_frame_patched(&run->recording.frames, mark, writer.patched);
    }
    return weft_log_frame_end(&run->recording.frames, mark, WEFT_LOG_DECISION, &run->thread->chain);
}

weft_status weft_approval_flush(weft_run *run) {
    for (uint32_t i = 0; i < run->tools.request_count; i++) {
        weft_request *request = &run->tools.requests[i];
        if (!request->written) {
            request->written = 1;
            uint32_t place = request->place | (request->apart ? APART : 0u);
            WEFT_TRY(put(run, request, 0,
                         (weft_log_value){.form = WEFT_LOG_IMMEDIATE, .word = place << 3 | 1u}));
        }
    }
    return WEFT_OK;
}

static int shows_same(const weft_request *request, const weft_request *wanted) {
    return memcmp(request->shown, wanted->shown, WEFT_LOG_DIGEST_BYTES) == 0;
}

enum { BY_PLACE = 1, BY_CALL = 2, BY_DIGEST = 4, BY_TASK = 8, IF_DECIDED = 16 };

// Finds the newest request that is like the wanted one, or NULL.
static weft_request *find(const weft_run *run, const weft_request *wanted, uint32_t how) {
    for (uint32_t i = run->tools.request_count; i > 0; i--) {
        weft_request *one = &run->tools.requests[i - 1];
        if (((how & BY_PLACE) == 0 || one->place == wanted->place) &&
            ((how & BY_CALL) == 0 || weft_log_same_text(one->call, wanted->call)) &&
            ((how & BY_DIGEST) == 0 || shows_same(one, wanted)) &&
            ((how & IF_DECIDED) == 0 || one->decided) &&
            ((how & BY_TASK) == 0 || weft_ids_same_key(&one->task, &wanted->task))) {
            return one;
        }
    }
    return NULL;
}

// Returns whether the request's moment has passed. What was decided about one call of a question
// holds for the others, which have one moment, until that call is asked about again.
static int has_expired(const weft_run *run, const weft_request *request) {
    const weft_request *one = find(run, request, BY_PLACE | BY_DIGEST | BY_TASK | IF_DECIDED);
    return one != NULL && one->expires == request->expires &&
                   (one->lapsed || one == find(run, one, BY_PLACE | BY_CALL | BY_TASK))
               ? one->lapsed
               : run->tick / TICKS_A_MS > request->expires - 1u; // 0 is never
}

// Returns whether two requests belong to one interrupt: they are adjacent in the log, or both made
// in this run.
static int is_beside(const weft_request *last, const weft_request *wanted) {
    return last->seq == 0 ? wanted->seq == 0 : wanted->seq == last->seq + 1;
}

// Returns whether this is the first approval request for the call: no other part of the same work
// and no earlier interrupt of the task requested one.
static int is_first(const weft_run *run, const weft_request *wanted) {
    const weft_request *last = NULL;
    for (uint32_t i = 0; i < run->tools.request_count; i++) {
        const weft_request *request = &run->tools.requests[i];
        if (weft_log_same_text(request->call, wanted->call)) {
            return shows_same(request, wanted);
        }
        last = weft_ids_same_key(&request->task, &wanted->task) ? request : last;
    }
    return last == NULL || (last->first && is_beside(last, wanted));
}

static weft_status add(weft_run *run, weft_request request) {
    request.first = (uint8_t)is_first(run, &request);
    if (!weft_memory_reserve(run->memory, &run->tools.requests, sizeof(*run->tools.requests),
                             &run->tools.request_capacity, run->tools.request_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(weft_lasting_text(run, request.call, &request.call));
    WEFT_TRY(weft_lasting_text(run, request.task.node, &request.task.node));
    WEFT_TRY(weft_lasting_text(run, request.task.trigger, &request.task.trigger));
    run->tools.requests[run->tools.request_count++] = request;
    return WEFT_OK;
}

// Makes a request id from the run's seed and the end of the log: unique even if a host repeats
// seeds.
static void draw(weft_run *run, uint8_t id[WEFT_LOG_ID_BYTES]) {
    static const char domain[] = "weft.approval.1";
    const uint64_t place[2] = {run->thread->chain.last.seq,
                               (uint64_t)run->thread->chain.last.crc << 32 | run->tools.drawn++};
    uint8_t digest[32], number[sizeof(place)];
    weft_hash_sha256_state hash;
    for (uint32_t i = 0; i < sizeof(number); i++) {
        number[i] = (uint8_t)(place[i / 8] >> (8 * (i % 8)));
    }
    weft_hash_sha256_init(&hash);
    weft_hash_sha256_update(&hash, domain, sizeof(domain));
    weft_hash_sha256_update(&hash, run->options.seed, sizeof(run->options.seed));
    weft_hash_sha256_update(&hash, number, sizeof(number));
    weft_hash_sha256_final(&hash, digest);
    memcpy(id, digest, WEFT_LOG_ID_BYTES);
}

// Reads the subject of the event; its place is that of the task's last interrupt.
static weft_status read(weft_run *run, const weft_task *task, weft_log_text call,
                        weft_cursor *cursor, weft_request *wanted) {
    *wanted = (weft_request){.call = call, .place = task == NULL ? 0 : task->asked - 1u};
    const uint8_t *shown = weft_cursor_bytes(cursor, WEFT_LOG_DIGEST_BYTES);
    WEFT_TRY(cursor->status);
    memcpy(wanted->shown, shown, WEFT_LOG_DIGEST_BYTES);
    return task == NULL ? WEFT_OK : weft_ids_key(run, task, &wanted->task);
}

// Gives the id of the task's last interrupt. The first request for a call has the usual id of an
// interrupt, as in LangGraph; any other has its request's id.
weft_status weft_approval_question(weft_run *run, const weft_task *task,
                                   uint8_t id[WEFT_LOG_ID_BYTES]) {
    weft_log_task_key key;
    WEFT_TRY(weft_ids_interrupt(run, task, task->asked - 1u, id));
    if (run->tools.request_count == 0) {
        return WEFT_OK;
    }
    WEFT_TRY(weft_ids_key(run, task, &key));
    for (uint32_t i = run->tools.request_count; i > 0; i--) {
        const weft_request *request = &run->tools.requests[i - 1];
        if (request->place + 1 == task->asked && !request->first && !request->decided &&
            weft_ids_same_key(&request->task, &key)) {
            memcpy(id, request->id, WEFT_LOG_ID_BYTES);
            break;
        }
    }
    return WEFT_OK;
}

weft_status weft_approval_ask(weft_run *run, weft_task *task, weft_log_text call,
                              weft_cursor *cursor, uint32_t flags) {
    weft_request wanted;
    int is_timed = (flags & WEFT_INTENT_TIMED) != 0;
    WEFT_TRY(read(run, task, call, cursor, &wanted));
    wanted.apart = (flags & WEFT_INTENT_APART) != 0;
    uint32_t how = is_timed ? weft_cursor_word(cursor) : 0;
    wanted.expires = is_timed ? weft_cursor_u64(cursor) : 0;
    if ((how & WEFT_TIMED_AFTER) != 0) {
        wanted.expires += run->tick / TICKS_A_MS;
    }
    WEFT_TRY(cursor->status);
    const weft_request *request = NULL;
    if (task != NULL && task->asked > 0 && run->thread != NULL &&
        run->options.kind == WEFT_RUN_INVOKE) {
        request = find(run, &wanted, BY_PLACE | BY_CALL | BY_TASK);
        int is_other = request == NULL || request->decided || !shows_same(request, &wanted);
        if (is_other && (how & WEFT_TIMED_LOOK) != 0) {
            request = NULL;
        } else if (is_other || (!is_timed && has_expired(run, request))) {
            // An answer that cannot be used, or a crash, gives no more time. A host that lets
            // nothing expire asks anew.
            const weft_request *last = find(run, &wanted, BY_CALL | BY_DIGEST | BY_TASK);
            if (is_timed && last != NULL && last->expires != 0 &&
                !(last->decided && task->repeats)) {
                wanted.expires = last->expires;
            }
            draw(run, wanted.id);
            WEFT_TRY(add(run, wanted));
            request = &run->tools.requests[run->tools.request_count - 1];
        }
        if (weft_run_keeps_calls(run)) {
            WEFT_TRY(weft_approval_flush(run));
        }
    }
    uint8_t question[WEFT_LOG_ID_BYTES];
    weft_block_open(run, WEFT_COMMAND_INTENDED, WEFT_INTENT_ASKS);
    if (request != NULL) {
        weft_block_id(run, request->id);
        WEFT_TRY(weft_approval_question(run, task, question));
        weft_block_id(run, question);
        weft_block_u64(run, request->expires);
        weft_block_word(run, (uint32_t)has_expired(run, request));
    }
    weft_block_close(run);
    return WEFT_OK;
}

// Returns whether an answer with this id may be for the request; an answer without an id may.
static int names(const weft_request *request, const uint8_t *id) {
    static const uint8_t none[WEFT_LOG_ID_BYTES];
    return memcmp(id, none, sizeof(none)) == 0 || memcmp(id, request->id, sizeof(request->id)) == 0;
}

// Returns whether the answer was meant for this request. A plain answer, sent twice or late, must
// not decide a request that nobody had seen: it can only decide the task's first one. `named`: the
// answer contains the digest.
static int is_meant(const weft_run *run, const weft_task *task, const weft_request *request,
                    const uint8_t *id, int named) {
    int is_by_id =
        task->took_mapped_resume && !run->resume.map_is_plain && request->place >= task->known;
    return request->first || request->decided || named || is_by_id ||
           memcmp(id, request->id, sizeof(request->id)) == 0;
}

// Returns whether the answer decides: it exists and came after the request. It decides once: not
// for a task that had ended, and a new answer does not change an earlier run's decision.
static int counts(const weft_task *task, const weft_request *request) {
    if (request->place >= task->resume_count) {
        return 0;
    }
    int is_new = request->place >= task->known;
    int is_given = is_new && task->answered == 0;
    if (request->seq == 0 || (is_new && !is_given && request->seq > task->answered)) {
        return 0;
    }
    return request->decided != 1 || (!is_given && !task->repeats);
}

// Drops the answer, so that the interrupt is open again.
static void drop_answer(weft_run *run, weft_task *task) {
    task->asked--;
    task->known = task->known < task->asked ? task->known : task->asked;
    while (task->resume_count > task->asked) {
        weft_values_release(run->values, task->resumes[--task->resume_count]);
    }
}

// Gives the task the host's answer, in place of one that came too late.
static weft_status answer_for_host(weft_run *run, weft_task *task, weft_log_text answer) {
    weft_word word;
    drop_answer(run, task);
    task->asked++;
    WEFT_TRY(weft_values_new(run->values, answer.bytes, answer.length, &word));
    weft_status status = weft_task_resume(task, run->values, word);
    weft_values_release(run->values, word);
    return status;
}

// Reports whether this digest was decided in this thread: 0, else 1.
static weft_status answer_found(weft_run *run, const weft_request *wanted) {
    uint32_t found = find(run, wanted, BY_CALL | BY_DIGEST | IF_DECIDED) == NULL;
    weft_block_open(run, WEFT_COMMAND_INTENDED, WEFT_INTENT_DECIDED);
    weft_block_word(run, found);
    weft_block_close(run);
    return WEFT_OK;
}

weft_status weft_approval_decide(weft_run *run, weft_task *task, weft_log_text call,
                                 weft_cursor *cursor) {
    weft_request wanted, *request = NULL;
    weft_log_value answer = {.form = WEFT_LOG_INLINE};
    uint32_t kind = weft_cursor_word(cursor);
    WEFT_TRY(read(run, task, call, cursor, &wanted));
    const uint8_t *named = weft_cursor_bytes(cursor, WEFT_LOG_ID_BYTES);
    answer.bytes = weft_cursor_text(cursor, &answer.length);
    int is_check = (kind & WEFT_DECIDED_CHECK) != 0;
    int lapses = (kind & WEFT_DECIDED_EXPIRED) != 0;
    weft_log_text given = {NULL, 0};
    if (lapses && !is_check) {
        given.bytes = weft_cursor_text(cursor, &given.length);
    }
    WEFT_TRY(cursor->status);
    if ((kind & WEFT_DECIDED_FIND) != 0) {
        return answer_found(run, &wanted);
    }
    int is_asked = task != NULL && task->asked > 0;
    if (is_asked && weft_run_keeps_calls(run)) {
        request = find(run, &wanted, BY_PLACE | BY_CALL | BY_TASK);
    }
    int counted = request != NULL && names(request, named) && shows_same(request, &wanted) &&
                  has_expired(run, request) == lapses;
    if (counted && lapses && !is_check && !request->decided) {
        request->lapsed = 1;
        WEFT_TRY(answer_for_host(run, task, given));
    } else {
        counted = counted && counts(task, request) && (!lapses || request->decided);
    }
    int is_good = counted && is_meant(run, task, request, named, (kind & WEFT_DECIDED_NAMED) != 0);
    if (is_good && !request->decided && !is_check) {
        request->decided = 2;
        WEFT_TRY(put(run, request, (uint8_t)kind, answer));
    } else if (!is_good && is_asked) {
        drop_answer(run, task);
    }
    weft_block_open(run, WEFT_COMMAND_INTENDED, WEFT_INTENT_DECIDED);
    weft_block_word(run, is_good ? 0 : counted ? 2 : 1);
    weft_block_close(run);
    return WEFT_OK;
}

void weft_approval_emit_asked(weft_run *run) {
    int is_new = run->tools.told_count > run->tools.request_count;
    uint32_t from = is_new ? 0 : run->tools.told_count, count = 0;
    for (uint32_t i = from; i < run->tools.request_count; i++) {
        count += !run->tools.requests[i].apart;
    }
    run->tools.told_count = run->tools.request_count;
    weft_block_open(run, WEFT_COMMAND_ASKED, is_new ? WEFT_ASKED_STEP : 0u);
    weft_block_word(run, count);
    for (uint32_t i = from; i < run->tools.request_count; i++) {
        const weft_request *request = &run->tools.requests[i];
        if (!request->apart) {
            weft_block_text(run, request->call.bytes, request->call.length);
            weft_block_word(run, request->task.kind != WEFT_LOG_TASK_STORED);
        }
    }
    weft_block_close(run);
}

weft_status weft_approval_restore(weft_run *run, const weft_log_ledger *ledger, uint64_t seq) {
    weft_request request = {
        .task = ledger->key.task, .call = ledger->key.call, .seq = seq, .written = 1};
    if (ledger->verdict == 0) {
        request.place = ledger->payload.word >> 3 & (APART - 1u);
        request.apart = (ledger->payload.word >> 3 & APART) != 0;
        memcpy(request.id, ledger->approval, sizeof(request.id));
        memcpy(request.shown, ledger->shown, sizeof(request.shown));
        request.expires = ledger->moment;
        return add(run, request);
    }
    for (uint32_t i = 0; i < run->tools.request_count; i++) {
        if (memcmp(run->tools.requests[i].id, ledger->approval, WEFT_LOG_ID_BYTES) == 0) {
            run->tools.requests[i].decided = 1;
            run->tools.requests[i].lapsed = ledger->moment != 0;
        }
    }
    return WEFT_OK;
}
