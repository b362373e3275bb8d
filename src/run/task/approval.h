// SPDX-License-Identifier: MIT
// Records approvals: what people are asked about tool calls, and what they decide.
#ifndef WEFT_RUN_TASK_APPROVAL_H
#define WEFT_RUN_TASK_APPROVAL_H

#include "run/host/batch.h"
#include "run/state/run.h"

// A question of the task is about a call: INTENDED gives the id of the request, which is saved
// before or with the question. Of a question that waited before, about the same, it is the request
// of then.
weft_status weft_approval_ask(weft_run *run, weft_task *task, weft_log_text call,
                              weft_cursor *cursor);
// The answer to the question that the task asked last is a decision: INTENDED says 0, and it is
// saved unless that was done; or 1: nobody was asked about that before, or it was decided. The
// answer is none then, the question is open.
weft_status weft_approval_decide(weft_run *run, weft_task *task, weft_log_text call,
                                 weft_cursor *cursor);
// Writes the requests that are not in the log, behind a checkpoint that is by now.
// WEFT_ERR_NO_MEMORY.
weft_status weft_approval_flush(weft_run *run);
// The id of the question that a task asked last: of the open request about it, unless it is the
// first that the task asked. WEFT_ERR_NO_MEMORY.
weft_status weft_approval_question(weft_run *run, const weft_task *task,
                                   uint8_t id[WEFT_LOG_ID_BYTES]);
// Takes over the DECISION `seq` of the log, about a call of this namespace. WEFT_ERR_NO_MEMORY.
weft_status weft_approval_restore(weft_run *run, const weft_log_ledger *ledger, uint64_t seq);

#endif
