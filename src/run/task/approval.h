// SPDX-License-Identifier: MIT
// Records approvals: requests for tool calls, and decisions.
#ifndef WEFT_RUN_TASK_APPROVAL_H
#define WEFT_RUN_TASK_APPROVAL_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Makes an approval request of the task's last interrupt: INTENDED has the id of the request, which
// is saved before or with the interrupt. An interrupt that waited before, about the same call,
// keeps its request and its moment. `flags`: WEFT_INTENT_TIMED: the host says when it expires;
// APART.
weft_status weft_approval_ask(weft_run *run, weft_task *task, weft_log_text call,
                              weft_cursor *cursor, uint32_t flags);
// Takes the answer to the task's last interrupt as a decision: INTENDED has 0 if it counts (it is
// saved unless it was before), 1 if there was no such request or it was decided, 2 if it is not
// meant for this request. After 1 and 2 the answer is dropped and the interrupt is open.
weft_status weft_approval_decide(weft_run *run, weft_task *task, weft_log_text call,
                                 weft_cursor *cursor);
// Writes the requests that are not in the log; their checkpoint already is. WEFT_ERR_NO_MEMORY.
weft_status weft_approval_flush(weft_run *run);
// Gives the id of the task's last interrupt: its open request's id, unless that is the task's first
// request. WEFT_ERR_NO_MEMORY.
weft_status weft_approval_question(weft_run *run, const weft_task *task,
                                   uint8_t id[WEFT_LOG_ID_BYTES]);
// Tells the host which calls of this step somebody was asked about, those that it does not know.
void weft_approval_emit_asked(weft_run *run);
// Takes over the DECISION `seq` of the log, about a call of this namespace. WEFT_ERR_NO_MEMORY.
weft_status weft_approval_restore(weft_run *run, const weft_log_ledger *ledger, uint64_t seq);

#endif
