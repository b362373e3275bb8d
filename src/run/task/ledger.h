// SPDX-License-Identifier: MIT
// Keeps the ledger of tool calls: which were in flight when a process died.
#ifndef WEFT_RUN_TASK_LEDGER_H
#define WEFT_RUN_TASK_LEDGER_H

#include "run/state/run.h"

// A running task is about to call a tool: INTENT is saved, INTENDED answers. Without a thread
// nothing is.
weft_status weft_ledger_intend(weft_run *run, const weft_beginning *begins);
// Goes on with the calls that waited for their checkpoint, which is saved now.
weft_status weft_ledger_begun(weft_run *run);
// Behind a record of tasks that asked before they came to a call that was in flight: it still is.
weft_status weft_ledger_carry(weft_run *run);
// Sets `ended` if the task, which ended before, had called a tool: it does not run again when
// somebody answers its neighbours.
weft_status weft_ledger_ended(weft_run *run, const weft_task *task, int *ended);
// Whether a task of this step has calls in the log: then its outcome is saved under `exit` too,
// before the state is.
int weft_ledger_holds(const weft_run *run);
// The run gives up in good order: what its tasks called is no mystery.
weft_status weft_ledger_release(weft_run *run);
weft_status weft_ledger_release_task(weft_run *run, const weft_task *task);
// Finds which calls were in flight behind the checkpoint `entry`.
weft_status weft_ledger_restore(weft_run *run, uint32_t entry);
// Emits UNKNOWN for a task that is handed out and has calls that were in flight.
weft_status weft_ledger_emit_unknown(weft_run *run, uint32_t index);

#endif
