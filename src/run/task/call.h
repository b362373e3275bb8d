// SPDX-License-Identifier: MIT
// Starts calls of task(): tasks of the running superstep that other tasks begin.
#ifndef WEFT_RUN_TASK_CALL_H
#define WEFT_RUN_TASK_CALL_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Reads a call: makes a task of the running step, or uses the stored result of such a call. Ignores
// calls of past attempts. WEFT_VERDICT_HANDS_OUT: the new task begins.
weft_verdict weft_call_read(weft_run *run, weft_cursor *cursor, uint32_t flags);
// Keeps the pending writes of calls for the planned step. WEFT_ERR_NO_MEMORY.
weft_status weft_call_keep(weft_run *run);
void weft_call_drop(weft_run *run);
// Notifies the callers of calls that ended.
void weft_call_reply(weft_run *run);

// Returns whether the task is a part of its caller's own work.
static inline int weft_call_is_part(const weft_task *task) {
    return task->kind == WEFT_TASK_CALL && task->call->is_part;
}

#endif
