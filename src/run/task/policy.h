// SPDX-License-Identifier: MIT
// Decides what becomes of an attempt that failed or took too long: retries, timeouts, handlers.
#ifndef WEFT_RUN_TASK_POLICY_H
#define WEFT_RUN_TASK_POLICY_H

#include "run/host/batch.h"
#include "run/state/run.h"

weft_status weft_policy_error(weft_run *run, weft_cursor *cursor, uint32_t flags);
// A task that slept begins its next attempt (WEFT_VERDICT_HANDS_OUT), or time is over.
weft_verdict weft_policy_woke(weft_run *run, weft_cursor *cursor);
weft_status weft_policy_expire(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_policy_step_timeout(weft_run *run, weft_cursor *cursor);
// Begins the time that a step may take.
void weft_policy_begin_step(weft_run *run);
// Begins the time that `limits` leave.
void weft_policy_await_deadline(weft_run *run, double ms);
// Prepares the handler of a failed task; moves the tasks. WEFT_ERR_NO_MEMORY.
weft_status weft_policy_add_handler(weft_run *run, uint32_t index);

#endif
