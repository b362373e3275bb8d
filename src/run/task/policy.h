// SPDX-License-Identifier: MIT
// Decides what follows an attempt that failed or timed out: retries, timeouts, handlers.
#ifndef WEFT_RUN_TASK_POLICY_H
#define WEFT_RUN_TASK_POLICY_H

#include "run/host/batch.h"
#include "run/state/run.h"

weft_status weft_policy_error(weft_run *run, weft_cursor *cursor, uint32_t flags);
// Handles WOKE: a sleeping task begins its next attempt (WEFT_VERDICT_HANDS_OUT), or a time limit
// has passed.
weft_verdict weft_policy_woke(weft_run *run, weft_cursor *cursor);
weft_status weft_policy_expire(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_policy_step_timeout(weft_run *run, weft_cursor *cursor);
// Starts the timer of a step.
void weft_policy_begin_step(weft_run *run);
// Starts the timer of the deadline.
void weft_policy_await_deadline(weft_run *run, double ms);
// Prepares the handler of a failed task; this may move the tasks. WEFT_ERR_NO_MEMORY.
weft_status weft_policy_add_handler(weft_run *run, uint32_t index);

#endif
