// SPDX-License-Identifier: MIT
// Keeps the ledger of tool calls: which were in flight when a process died.
#ifndef WEFT_RUN_TASK_LEDGER_H
#define WEFT_RUN_TASK_LEDGER_H

#include "run/state/run.h"

// Begins a tool call of a running task: saves INTENT, answers INTENDED. Without a thread nothing is
// saved.
weft_status weft_ledger_intend(weft_run *run, const weft_beginning *begins);
// Continues the calls that waited for their checkpoint, which is saved now.
weft_status weft_ledger_begun(weft_run *run);
// Writes INTENT again for calls in flight whose tasks interrupted before they reached the call,
// after the record of these tasks.
weft_status weft_ledger_carry(weft_run *run);
// Sets `ended` if the task ended earlier and had called a tool: it does not run again when an
// answer for its neighbours comes.
weft_status weft_ledger_ended(weft_run *run, const weft_task *task, int *ended);
// Returns whether a task of this step has calls in the log: then its outcome is saved under `exit`
// too, before the state.
int weft_ledger_holds(const weft_run *run);
// Settle the calls of tasks when the run gives up in good order, so that they do not stay in
// flight.
weft_status weft_ledger_release(weft_run *run);
weft_status weft_ledger_release_task(weft_run *run, const weft_task *task);
// Finds the calls that were in flight after the checkpoint `entry`.
weft_status weft_ledger_restore(weft_run *run, uint32_t entry);
// Emits UNKNOWN for a task that is handed out and has calls that were in flight.
weft_status weft_ledger_emit_unknown(weft_run *run, uint32_t index);

#endif
