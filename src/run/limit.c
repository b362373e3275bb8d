// SPDX-License-Identifier: MIT
// Limits: how many calls, tokens, cost and time a run may take. Counts what the host tells it; what the run has saved by
// then stays, so that a run with other limits goes on from there.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "run.h"

#define DIGEST 16u

weft_status weft_limit_read(weft_run *run, weft_cursor *cursor) {
    if (run->phase != WEFT_PHASE_NEW || run->limits != NULL) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_limits *limits = weft_arena_zeroed(&run->lasting, 1, sizeof(*limits));
    if (limits == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i <= WEFT_LIMIT_REPEATED; i++) {
        uint64_t bits = weft_cursor_u64(cursor);
        memcpy(&limits->most[i], &bits, sizeof(bits));
    }
    WEFT_TRY(cursor->status);
    weft_map_init(&limits->calls, run->memory, run->chance);
    run->limits = limits;
    double ms = limits->most[WEFT_LIMIT_DEADLINE];
    if (ms < INFINITY) {
        weft_policy_await_deadline(run, ms);
    }
    return WEFT_OK;
}

void weft_limit_fini(weft_run *run) {
    if (run->limits != NULL) {
        weft_map_fini(&run->limits->calls);
    }
}

static int is_used_up(const weft_limits *limits, uint32_t kind) { return limits->used[kind] >= limits->most[kind]; }

// One more of calls that are all the same.
static int repeat(weft_run *run, const void *call, uint32_t length) {
    weft_limits *limits = run->limits;
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

int weft_limit_spend(weft_run *run, uint32_t kind, uint32_t amount, const void *call, uint32_t length) {
    weft_limits *limits = run->limits;
    if (limits == NULL || kind > WEFT_LIMIT_REPEATED) {
        return 0;
    }
    // What a model's answer takes is known when it is there: the next one is refused.
    for (uint32_t i = WEFT_LIMIT_TOKENS; kind == WEFT_LIMIT_MODEL_CALLS && i <= WEFT_LIMIT_COST; i++) {
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
    return 0;
}

weft_status weft_limit_stop(weft_run *run) {
    for (uint32_t i = 0; i < run->tasks.count; i++) {
        weft_task *task = &run->tasks.items[i];
        if (task->status <= WEFT_TASK_EXPIRED) {
            WEFT_TRY(weft_ledger_release_task(run, task));
            task->status = WEFT_TASK_CANCELLED;
            task->saved = 1;
        }
    }
    weft_block_open(run, WEFT_COMMAND_CANCEL, 0);
    weft_block_close(run);
    run->apply_failure = WEFT_ERR_LIMIT;
    int at_end = run->durability == WEFT_DURABILITY_EXIT;
    return at_end ? weft_record_exit(run, WEFT_NEXT_FAIL) : weft_record_writes(run, WEFT_NEXT_FAIL);
}
