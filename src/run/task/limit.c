// SPDX-License-Identifier: MIT
// Implements limit.h: counts what the host reports. What the run saved before it reached a limit
// stays, including the counts, so that the next run continues from there, with the same or other
// limits.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/record/format.h"
#include "run/record/record.h"
#include "run/state/run.h"
#include "run/state/tools.h"
#include "run/task/ledger.h"
#include "run/task/limit.h"
#include "run/task/policy.h"

#define DIGEST 16u
#define TICKS_A_MS 10000u
#define MOST_COUNTED 9007199254740991.0 // more than Weft ever writes to a log
#define MARK_LENGTH (sizeof(mark) - 1)

// Name of a write without a task that saves the counts with a checkpoint: numbers by WEFT_LIMIT_*,
// then calls (two numbers each) and how often.
static const char mark[] = "weft:limits:";

static weft_status make(weft_run *run) {
    weft_limits *limits = weft_arena_zeroed(&run->lasting, 1, sizeof(*limits));
    if (limits == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i <= WEFT_LIMIT_REPEATED; i++) {
        limits->most[i] = INFINITY;
    }
    limits->since = run->tick;
    weft_map_init(&limits->calls, run->memory, run->step.chance);
    run->tools.limits = limits;
    return WEFT_OK;
}

// Starts the deadline's timer; without time left nothing begins.
static void await_deadline(weft_run *run, double ms) {
    if (ms <= 0) {
        run->step.late = 1;
    } else if (ms < INFINITY) {
        weft_policy_await_deadline(run, ms);
    }
}

weft_status weft_limit_read(weft_run *run, weft_cursor *cursor) {
    if (run->tools.limits != NULL) {
        return WEFT_ERR_BAD_EVENT;
    }
    WEFT_TRY(make(run));
    for (uint32_t i = 0; i <= WEFT_LIMIT_REPEATED; i++) {
        uint64_t bits = weft_cursor_u64(cursor);
        memcpy(&run->tools.limits->most[i], &bits, sizeof(bits));
    }
    WEFT_TRY(cursor->status);
    await_deadline(run, run->tools.limits->most[WEFT_LIMIT_DEADLINE]);
    return WEFT_OK;
}

void weft_limit_fini(weft_run *run) {
    if (run->tools.limits != NULL) {
        weft_map_fini(&run->tools.limits->calls);
    }
}

static int is_used_up(const weft_limits *limits, uint32_t kind) {
    return limits->used[kind] >= limits->most[kind];
}

// Counts one more equal call.
static int repeat(weft_run *run, const void *call, uint32_t length) {
    weft_limits *limits = run->tools.limits;
    uint32_t count = 0;
    uint8_t *key = weft_arena_alloc(&run->lasting, DIGEST);
    if (key == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_hash_xxh3_128(call, length, key);
    weft_map_get(&limits->calls, key, DIGEST, &count);
    if (count >= limits->most[WEFT_LIMIT_REPEATED]) {
        return 1 + WEFT_LIMIT_REPEATED;
    }
    return weft_map_set(&limits->calls, key, DIGEST, count + 1);
}

int weft_limit_spend(weft_run *run, uint32_t kind, uint32_t amount, const void *call,
                     uint32_t length) {
    weft_limits *limits = run->tools.limits;
    if (limits == NULL || kind > WEFT_LIMIT_REPEATED) {
        return 0;
    }
    // A model call's cost is known after its answer: the next call is refused.
    for (uint32_t i = WEFT_LIMIT_TOKENS; kind == WEFT_LIMIT_MODEL_CALLS && i <= WEFT_LIMIT_COST;
         i++) {
        if (is_used_up(limits, i)) {
            return 1 + (int)i;
        }
    }
    int counts = kind == WEFT_LIMIT_MODEL_CALLS || kind == WEFT_LIMIT_TOOL_CALLS;
    if (counts && is_used_up(limits, kind)) {
        return 1 + (int)kind;
    }
    if (kind == WEFT_LIMIT_TOOL_CALLS && limits->most[WEFT_LIMIT_REPEATED] < INFINITY) {
        int refused = repeat(run, call, length);
        if (refused != 0) {
            return refused;
        }
    }
    limits->used[kind] += amount;
    limits->changed = 1;
    return 0;
}

// ---- from run to run

int weft_limit_goes_on(const weft_run *run) {
    uint32_t input = WEFT_START_COMMAND_INPUT | WEFT_START_NULL_INPUT;
    return run->options.kind == WEFT_RUN_UPDATE || run->resume.is_given || run->identity.resumes ||
           (run->options.flags & input) != 0;
}

static uint64_t read_number(weft_log_text *text) {
    uint64_t number = 0;
    uint32_t at = 0;
    while (at < text->length && text->bytes[at] != ',') {
        number = number * 10 + (text->bytes[at++] & 15u);
    }
    at += at < text->length; // the comma
    text->bytes += at;
    text->length -= at;
    return number;
}

// Reads counts. They only grow: of several for one checkpoint the highest is used.
static weft_status read_counts(weft_run *run, weft_log_text text) {
    WEFT_TRY(run->tools.limits == NULL ? make(run) : WEFT_OK);
    weft_limits *limits = run->tools.limits;
    for (uint32_t i = 0; i < WEFT_LIMIT_REPEATED; i++) {
        double used = (double)read_number(&text);
        limits->used[i] = used > limits->used[i] ? used : limits->used[i];
    }
    while (text.length > 0) {
        uint32_t count = 0;
        uint64_t *key = weft_arena_zeroed(&run->lasting, 1, DIGEST);
        if (key == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        key[0] = read_number(&text);
        key[1] = read_number(&text);
        uint64_t times = read_number(&text);
        weft_map_get(&limits->calls, key, DIGEST, &count);
        if (times > count) {
            WEFT_TRY(weft_map_set(&limits->calls, key, DIGEST,
                                  times < UINT32_MAX ? (uint32_t)times : UINT32_MAX));
        }
    }
    return WEFT_OK;
}

weft_status weft_limit_restore(weft_run *run, uint32_t entry) {
    weft_log_pending reader;
    weft_log_task task;
    weft_log_write write;
    weft_log_pending_init(&reader, &run->source.index, entry);
    while (weft_log_pending_task(&reader, &task) && reader.child == WEFT_LOG_NONE) {
        while (task.key.kind == WEFT_LOG_TASK_STORED && weft_log_pending_write(&reader, &write)) {
            if (write.channel.length > MARK_LENGTH &&
                memcmp(write.channel.bytes, mark, MARK_LENGTH) == 0) {
                weft_log_text counts = {write.channel.bytes + MARK_LENGTH,
                                        write.channel.length - (uint32_t)MARK_LENGTH};
                WEFT_TRY(read_counts(run, counts));
            }
        }
    }
    WEFT_TRY(reader.status);
    double used = run->tools.limits == NULL ? 0 : run->tools.limits->used[WEFT_LIMIT_DEADLINE];
    if (used > 0) {
        await_deadline(run, run->tools.limits->most[WEFT_LIMIT_DEADLINE] - used);
    }
    return WEFT_OK;
}

static void put_number(weft_buffer *text, uint64_t number) {
    uint8_t digits[WEFT_BLOCK_DIGITS];
    weft_log_text said = weft_block_digits(number, digits);
    weft_buffer_append(text, said.bytes, said.length);
    weft_buffer_u8(text, ',');
}

static void put_counts(const weft_run *run, weft_buffer *text) {
    const weft_limits *limits = run->tools.limits;
    uint64_t ms = run->tick > limits->since ? (run->tick - limits->since) / TICKS_A_MS : 0;
    weft_buffer_append(text, mark, MARK_LENGTH);
    for (uint32_t i = 0; i < WEFT_LIMIT_REPEATED; i++) {
        put_number(text,
                   (uint64_t)(limits->used[i] < MOST_COUNTED ? limits->used[i] : MOST_COUNTED) +
                       (i == WEFT_LIMIT_DEADLINE ? ms : 0));
    }
    for (uint32_t i = 0; i < limits->calls.capacity; i++) {
        const weft_map_entry *call = &limits->calls.entries[i];
        uint64_t key[2];
        if (call->state == 1) {
            memcpy(key, call->key, sizeof(key));
            put_number(text, key[0]);
            put_number(text, key[1]);
            put_number(text, call->value);
        }
    }
}

weft_status weft_limit_record(weft_run *run, int always) {
    weft_limits *limits = run->tools.limits;
    if (limits == NULL || run->thread == NULL) {
        return WEFT_OK;
    }
    int changed = limits->changed ||
                  (limits->most[WEFT_LIMIT_DEADLINE] < INFINITY && limits->recorded != run->tick);
    if (!always && !changed) {
        return WEFT_OK;
    }
    weft_log_writer writer;
    weft_log_task task = {
        .key = {.kind = WEFT_LOG_TASK_STORED}, .outcome = WEFT_RECORD_DONE, .count = 1};
    weft_buffer text;
    weft_buffer_init(&text, run->memory);
    put_counts(run, &text);
    weft_log_write write = {.special = WEFT_LOG_WRITE_OTHER, .channel = {text.bytes, text.length}};
    write.value = (weft_log_value){.form = WEFT_LOG_IMMEDIATE, .word = WEFT_WORD_NULL};
    uint32_t frame = weft_record_begin(run, &writer);
    if (text.status == WEFT_OK) {
        weft_hash_xxh3_128(
            text.bytes, text.length,
            task.key.id); // each count has its own task: savers keep the first write of a task
        weft_log_put_writes(&writer, run->identity.ns, run->state->id);
        weft_log_put_count(&writer, 1);
        weft_log_put_task(&writer, &task);
        weft_log_put_write(&writer, &write);
    }
    weft_status status = text.status == WEFT_OK ? weft_log_writer_end(&writer) : text.status;
    weft_buffer_fini(&text);
    WEFT_TRY(status);
    limits->changed = 0;
    limits->recorded = run->tick;
    run->thread->counts = 1;
    return weft_log_frame_end(&run->recording.frames, frame, WEFT_LOG_WRITES, &run->thread->chain);
}

weft_status weft_limit_stop(weft_run *run) {
    WEFT_TRY(run->thread != NULL && run->state->saved ? weft_limit_record(run, 0) : WEFT_OK);
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        weft_task *task = &run->step.tasks.items[i];
        if (task->status <= WEFT_TASK_EXPIRED) {
            WEFT_TRY(weft_ledger_release_task(run, task));
            task->status = WEFT_TASK_CANCELLED;
            task->saved = 1;
        }
    }
    weft_block_open(run, WEFT_COMMAND_CANCEL, 0);
    weft_block_close(run);
    run->applying.failure = WEFT_ERR_LIMIT;
    return WEFT_OK;
}
