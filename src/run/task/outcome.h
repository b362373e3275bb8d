// SPDX-License-Identifier: MIT
// Reads how a task ended; answers its requests while it runs.
#ifndef WEFT_RUN_TASK_OUTCOME_H
#define WEFT_RUN_TASK_OUTCOME_H

#include "run/host/batch.h"
#include "run/state/run.h"

weft_status weft_outcome_result(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_outcome_interrupted(weft_run *run, weft_cursor *cursor, uint32_t flags);
// Finds the running (or expired) task of the attempt in an event, and counts it as ended; NULL: the
// event is late.
weft_task *weft_outcome_ending(weft_run *run, weft_cursor *cursor, uint32_t *index, int expired);
// Answers a task's request in run->output.answer; `op` is WEFT_ASK_*. WEFT_ERR_NO_MEMORY.
weft_status weft_outcome_ask(weft_run *run, uint32_t task, uint32_t attempt, uint32_t op);

#endif
