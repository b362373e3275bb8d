// SPDX-License-Identifier: MIT
// Implements run.h: reads the events of a batch, drives the phases, returns a block of commands.
#include "run/machine/run.h"
#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/machine/apply.h"
#include "run/machine/drive.h"
#include "run/machine/save.h"
#include "run/machine/start.h"
#include "run/record/record.h"
#include "run/restore/restore.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/state/thread.h"
#include "run/task/cache.h"
#include "run/task/call.h"
#include "run/task/child.h"
#include "run/task/fail.h"
#include "run/task/hand_out.h"
#include "run/task/limit.h"
#include "run/task/outcome.h"
#include "run/task/policy.h"
#include "run/task/tools.h"

weft_status weft_run_new(weft_memory *memory, weft_values *values, weft_graph *graph,
                         weft_thread *thread, weft_run **result) {
    weft_run *run = weft_memory_zeroed(memory, 1, sizeof(*run));
    *result = run;
    if (run == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    run->phase = WEFT_PHASE_NEW;
    run->memory = memory;
    run->values = values;
    run->graph = graph;
    run->thread = thread;
    weft_graph_retain(graph);
    if (thread != NULL) {
        weft_thread_retain(thread);
    }
    weft_arena_init(&run->arena, memory);
    weft_arena_init(&run->source.listing.arena, memory);
    weft_arena_init(&run->lasting, memory);
    weft_buffer_init(&run->recording.frames, memory);
    weft_buffer_init(&run->output.block, memory);
    weft_buffer_init(&run->output.answer, memory);
    return WEFT_OK;
}

void weft_run_free(weft_run *run) {
    if (run == NULL) {
        return;
    }
    weft_memory *memory = run->memory;
    if (run->state != NULL) {
        weft_apply_fini(&run->applying.apply, run->state);
    }
    weft_tasks_fini(&run->step.tasks, run->values);
    weft_tasks_fini(&run->step.input, run->values);
    weft_restore_drop_pending(run);
    weft_memory_release(memory, run->resume.pending,
                        run->resume.pending_capacity * sizeof(*run->resume.pending));
    weft_call_drop(run);
    weft_memory_release(memory, run->resume.calls,
                        run->resume.call_capacity * sizeof(*run->resume.calls));
    weft_memory_release(memory, run->tools.intents,
                        run->tools.intent_capacity * sizeof(*run->tools.intents));
    weft_memory_release(memory, run->tools.beginnings,
                        run->tools.beginning_capacity * sizeof(*run->tools.beginnings));
    weft_memory_release(memory, run->tools.requests,
                        run->tools.request_capacity * sizeof(*run->tools.requests));
    weft_values_release(run->values, run->resume.plain);
    weft_values_release(run->values, run->recording.last_text);
    weft_list_snapshot_release(run->recording.snapshot);
    weft_list_snapshot_release(run->recording.siblings);
    for (uint32_t i = 0; i < run->resume.map_count; i++) {
        weft_values_release(run->values, run->resume.map[i].word);
    }
    weft_state_free(run->state);
    if (run->source.indexed) {
        weft_log_index_fini(&run->source.index);
    }
    weft_memory_release(memory, run->source.bytes, run->source.size);
    weft_memory_release(memory, run->recording.wanted,
                        run->recording.wanted_capacity * sizeof(*run->recording.wanted));
    weft_buffer_fini(&run->recording.frames);
    weft_buffer_fini(&run->output.block);
    weft_buffer_fini(&run->output.answer);
    weft_arena_fini(&run->arena);
    weft_arena_fini(&run->source.listing.arena);
    weft_limit_fini(run);
    weft_arena_fini(&run->lasting);
    weft_child_fini(run);
    weft_graph_release(run->graph);
    if (!run->identity.nested && run->thread != NULL) {
        weft_thread_drop_texts(run->thread);
        run->thread->torn = 0;
    }
    weft_thread_release(run->thread);
    weft_memory_release(memory, run, sizeof(*run));
}

static weft_verdict read_loaded(weft_run *run, weft_cursor *cursor) {
    weft_cursor_u64(cursor);
    uint32_t size = weft_cursor_word(cursor);
    // An empty log has a buffer of one byte.
    if (run->waits != WEFT_WAIT_LOADED || run->source.bytes == NULL ||
        (size != run->source.size && size != 0)) {
        return WEFT_ERR_BAD_EVENT;
    }
    return weft_start_loaded(run, cursor);
}

// Reads the events of a new run.
static weft_verdict read_first(weft_run *run, uint32_t op, uint32_t flags, weft_cursor *cursor) {
    switch (op) {
    case WEFT_EVENT_START:
        return weft_start_read(run, cursor, flags);
    case WEFT_EVENT_INPUT:
        return weft_start_read_input(run, cursor);
    case WEFT_EVENT_RESUME:
        return weft_start_read_resume(run, cursor);
    case WEFT_EVENT_RESUME_MAP:
        return weft_start_read_resume_map(run, cursor, flags);
    case WEFT_EVENT_LIMITS:
        return weft_limit_read(run, cursor);
    case WEFT_EVENT_STEP_TIMEOUT:
        return weft_policy_step_timeout(run, cursor);
    default:
        return WEFT_ERR_BAD_EVENT;
    }
}

static weft_verdict read_event(weft_run *run, uint32_t op, uint32_t flags, weft_cursor *cursor) {
    switch (op) {
    case WEFT_EVENT_LOADED:
        return read_loaded(run, cursor);
    case WEFT_EVENT_RESULT:
        return weft_outcome_result(run, cursor, flags);
    case WEFT_EVENT_ERROR:
        return weft_policy_error(run, cursor, flags);
    case WEFT_EVENT_INTERRUPTED:
        return weft_outcome_interrupted(run, cursor, flags);
    case WEFT_EVENT_REDUCED:
        return weft_apply_reduced(run, cursor, flags);
    case WEFT_EVENT_ENCODED:
        return weft_save_encoded(run, cursor);
    case WEFT_EVENT_SAVED:
        return weft_save_saved(run);
    case WEFT_EVENT_HEADERS:
        return weft_apply_headers(run, cursor);
    case WEFT_EVENT_ABORT:
        return weft_fail_stop(run, WEFT_ERR_HOST);
    case WEFT_EVENT_WOKE:
        return weft_policy_woke(run, cursor);
    case WEFT_EVENT_EXPIRE:
        return weft_policy_expire(run, cursor, flags);
    case WEFT_EVENT_CALL:
        return weft_call_read(run, cursor, flags);
    case WEFT_EVENT_INTENT:
        return weft_tools_intend(run, cursor, flags);
    case WEFT_EVENT_FOUND:
        return weft_cache_found(run, cursor);
    case WEFT_EVENT_DRAIN:
        run->step.draining = 1;
        return WEFT_VERDICT_WAITS;
    default:
        return run->phase == WEFT_PHASE_NEW ? read_first(run, op, flags, cursor)
                                            : (weft_verdict)WEFT_ERR_BAD_EVENT;
    }
}

// Reads an event and executes it. An event that hands out a task may have more to read.
static weft_status take_event(weft_run *run, uint32_t op, uint32_t flags, weft_cursor *cursor) {
    weft_verdict verdict = read_event(run, op, flags, cursor);
    while (verdict == WEFT_VERDICT_HANDS_OUT) {
        WEFT_TRY(weft_hand_out_one(run, run->step.handed));
        verdict = op == WEFT_EVENT_FOUND ? weft_cache_found(run, cursor) : WEFT_VERDICT_WAITS;
    }
    return verdict == WEFT_VERDICT_WAITS ? WEFT_OK : weft_drive(run, verdict);
}

static weft_status read_batch(weft_run *run, weft_cursor *batch) {
    while (batch->left > 0 && run->phase != WEFT_PHASE_OVER) {
        uint32_t head = weft_cursor_word(batch);
        uint32_t length = weft_cursor_word(batch);
        const uint8_t *payload =
            length <= batch->left ? weft_cursor_bytes(batch, length * 4) : NULL;
        if (payload == NULL || batch->status != WEFT_OK) {
            return WEFT_ERR_BAD_EVENT;
        }
        weft_cursor record = {.at = batch->at - length, .left = length, .status = WEFT_OK};
        WEFT_TRY(take_event(run, head & 0xffffu, head >> 16, &record));
    }
    return WEFT_OK;
}

// Continues after the events of a batch. `listed`: the host has read the entry of the last block.
static weft_status end_batch(weft_run *run, int listed) {
    switch (run->phase) {
    case WEFT_PHASE_NEW:
        return weft_drive(run, WEFT_VERDICT_DONE);
    case WEFT_PHASE_WORK:
        if (run->step.next < run->step.tasks.count) {
            WEFT_TRY(weft_hand_out(run));
        }
        return weft_drive(run, run->tools.beginning_count > 0 ? WEFT_VERDICT_SAVES
                               : run->step.ended              ? WEFT_VERDICT_TASKS_ENDED
                                                              : WEFT_VERDICT_WAITS);
    case WEFT_PHASE_LISTED:
        return weft_drive(run, listed ? WEFT_VERDICT_DONE : WEFT_VERDICT_WAITS);
    default:
        return WEFT_OK;
    }
}

static uint32_t wants_more(const weft_run *run) {
    int hands_out = run->phase == WEFT_PHASE_WORK && run->step.next < run->step.tasks.count;
    return run->phase == WEFT_PHASE_LISTED || hands_out ? WEFT_BLOCK_MORE : 0u;
}

// Drops this block and its frames, since nothing of it reaches the host.
static void give_up(weft_run *run, weft_status status) {
    if (run->recording.frames.length > 0) {
        run->thread->chain.last = run->recording.expected;
        run->thread->torn = run->identity.nested;
        weft_thread_set_last_sent(run->thread, NULL);
    }
    run->output.failure = status;
    run->phase = WEFT_PHASE_OVER;
    weft_block_begin(run);
}

const uint8_t *weft_run_feed(weft_run *run, const uint32_t *batch, uint32_t words) {
    weft_block_begin(run);
    weft_status status =
        run->output.block.status != WEFT_OK ? run->output.block.status : WEFT_ERR_BAD_EVENT;
    int listed = run->phase == WEFT_PHASE_LISTED;
    if (status == WEFT_ERR_BAD_EVENT && run->phase != WEFT_PHASE_OVER && words >= 4 &&
        batch[0] == words - 4) {
        weft_cursor cursor = {.at = batch + 4, .left = batch[0], .status = WEFT_OK};
        run->tick = batch[1] | ((uint64_t)batch[2] << 32);
        status = run->thread != NULL && run->thread->torn ? WEFT_ERR_NO_MEMORY
                                                          : read_batch(run, &cursor);
        if (status == WEFT_OK) {
            status = end_batch(run, listed);
        }
    }
    // The block reports which version the state has.
    if (status == WEFT_ERR_STATE_VERSION) {
        run->phase = WEFT_PHASE_OVER;
    } else if (status != WEFT_OK) {
        give_up(run, status);
    }
    weft_record_flush(run);
    status = weft_block_end(run, wants_more(run));
    if (status != WEFT_OK) {
        give_up(run, status);
        if (weft_block_end(run, 0) != WEFT_OK) {
            return NULL;
        }
    }
    return run->output.block.bytes;
}

uint8_t *weft_run_log(weft_run *run, uint32_t bytes) {
    if (run->source.bytes != NULL || run->waits != WEFT_WAIT_LOADED) {
        return NULL;
    }
    // An empty log still needs an address.
    uint32_t size = bytes == 0 ? 1 : bytes;
    run->source.bytes = weft_memory_alloc(run->memory, size);
    if (run->source.bytes != NULL) {
        run->source.size = size;
    }
    return run->source.bytes;
}

const uint8_t *weft_run_next(const weft_run *run) {
    return run->output.block.bytes;
}

const uint8_t *weft_run_ask(weft_run *run, uint32_t task, uint32_t attempt, uint32_t op) {
    if (weft_outcome_ask(run, task, attempt, op) != WEFT_OK ||
        run->output.answer.status != WEFT_OK) {
        return NULL;
    }
    return run->output.answer.bytes;
}
