// SPDX-License-Identifier: MIT
// Implements cache.h: asks caches which tasks need not run, uses their entries, and emits what to
// store. The host defines keys and contents.
#include "run/task/cache.h"
#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/task/entries.h"

#define MISS UINT32_MAX

static void put(weft_run *run, uint32_t index, uint32_t where, weft_word word) {
    const weft_task *task = &run->step.tasks.items[index];
    weft_block_word(run, index);
    weft_block_word(run, where);
    weft_block_word(run, task->kind);
    weft_block_word(run, word);
}

uint32_t weft_cache_look_up(weft_run *run) {
    uint32_t count = 0;
    if ((run->options.flags & WEFT_START_HAS_CACHE) == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        weft_task *task = &run->step.tasks.items[i];
        if (task->status == WEFT_TASK_READY && task->kind <= WEFT_TASK_PUSH &&
            run->graph->nodes[task->node].cached) {
            task->status = WEFT_TASK_LOOKED_UP;
            weft_block_show(run, task->argument);
            count++;
        }
    }
    if (count == 0) {
        return 0;
    }
    weft_block_open(run, WEFT_COMMAND_LOOK_UP, 0);
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        if (run->step.tasks.items[i].status == WEFT_TASK_LOOKED_UP) {
            put(run, i, run->step.tasks.items[i].node, run->step.tasks.items[i].argument);
        }
    }
    weft_block_close(run);
    return count;
}

void weft_cache_look_up_call(weft_run *run, uint32_t index) {
    weft_task *task = &run->step.tasks.items[index];
    task->status = WEFT_TASK_LOOKED_UP;
    run->step.open++;
    weft_block_open(run, WEFT_COMMAND_LOOK_UP, 0);
    put(run, index, task->call->parent, task->call->index);
    weft_block_close(run);
}

// Uses a hit. It is saved like a task's result, so that the step does not ask the cache again.
static weft_status hit(weft_run *run, weft_cursor *cursor, uint32_t count, uint32_t index) {
    weft_task *task = &run->step.tasks.items[index];
    WEFT_TRY(weft_entries_read(run, cursor, count, task, 0));
    task->status = task->kind == WEFT_TASK_CALL ? WEFT_TASK_DONE : WEFT_TASK_RESTORED;
    weft_run_note_ended(run, index);
    if (task->kind == WEFT_TASK_CALL) {
        task->replied = 1;
        run->step.ended |= run->step.open == 0; // no running task will end the step
        weft_emit_reply(run, index, task->call, task->argument);
    } else {
        weft_emit_updates(run, index, WEFT_UPDATES_CACHED);
    }
    return WEFT_OK;
}

weft_verdict weft_cache_found(weft_run *run, weft_cursor *cursor) {
    while (cursor->left > 0) {
        uint32_t index = weft_cursor_word(cursor);
        uint32_t count = weft_cursor_word(cursor);
        weft_task *task = index < run->step.tasks.count ? &run->step.tasks.items[index] : NULL;
        if (cursor->status != WEFT_OK || task == NULL || task->status != WEFT_TASK_LOOKED_UP) {
            return WEFT_ERR_BAD_EVENT;
        }
        uint32_t is_call = task->kind == WEFT_TASK_CALL;
        run->step.open -= is_call;
        task->status = WEFT_TASK_READY;
        task->cached = count == MISS;
        if (!task->cached) {
            WEFT_TRY(hit(run, cursor, count, index));
        } else if (is_call) {
            run->step.handed = index;
            return WEFT_VERDICT_HANDS_OUT;
        }
    }
    for (uint32_t i = 0; run->waits == WEFT_WAIT_FOUND && i < run->step.tasks.count; i++) {
        if (run->step.tasks.items[i].status == WEFT_TASK_LOOKED_UP) {
            return WEFT_VERDICT_WAITS;
        }
    }
    return run->waits == WEFT_WAIT_FOUND ? WEFT_VERDICT_DONE : WEFT_VERDICT_WAITS;
}

// Returns the node that a write came from, 0 for the null of a static edge; for a Send the node it
// calls.
static uint32_t whose(const weft_task *task, const weft_write *write) {
    if (write->form == WEFT_WRITE_VALUE) {
        return write->word == WEFT_WORD_NULL ? 0 : write->word >> 3;
    }
    return write->form == WEFT_WRITE_NAME ? task->node : write->node;
}

void weft_cache_store(weft_run *run, uint32_t index) {
    const weft_task *task = &run->step.tasks.items[index];
    uint32_t answers = task->asked < task->resume_count ? task->asked : task->resume_count;
    for (uint32_t i = 0; i < answers; i++) {
        weft_block_show(run, task->resumes[i]);
    }
    weft_block_open(run, WEFT_COMMAND_STORE, 0);
    weft_block_word(run, index);
    weft_block_word(run, answers);
    for (uint32_t i = 0; i < answers; i++) {
        weft_block_word(run, task->resumes[i]);
    }
    for (uint32_t i = 0; i < task->write_count; i++) {
        const weft_write *write = &task->writes[i];
        if (write->channel >= run->graph->user_channels) {
            weft_block_word(run, write->channel);
            weft_block_word(run, whose(task, write));
            weft_block_word(run, write->form == WEFT_WRITE_SEND ? write->word : WEFT_WORD_ABSENT);
            weft_block_word(run, write->timeout);
        }
    }
    weft_block_close(run);
}
