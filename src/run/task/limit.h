// SPDX-License-Identifier: MIT
// Enforces limits: how many calls, tokens, cost and time the work on an input may take.
#ifndef WEFT_RUN_TASK_LIMIT_H
#define WEFT_RUN_TASK_LIMIT_H

#include "run/host/batch.h"
#include "run/state/run.h"

weft_status weft_limit_read(weft_run *run, weft_cursor *cursor);
// Checks limits before an action, or adds what was used: returns 0, or 1 + the limit that forbids
// it. A forbidden action is not counted. `call`: a tool call's name and arguments.
// WEFT_ERR_NO_MEMORY.
int weft_limit_spend(weft_run *run, uint32_t kind, uint32_t amount, const void *call,
                     uint32_t length);
// Cancels what is running at the deadline; finished tasks are saved, then the run fails.
// WEFT_ERR_NO_MEMORY.
weft_status weft_limit_stop(weft_run *run);
// Returns whether the run continues an earlier one's work: then its counts continue too. A new
// input begins at 0.
int weft_limit_goes_on(const weft_run *run);
// Takes over the counts of the checkpoint `entry`, with limits or without. WEFT_ERR_NO_MEMORY.
weft_status weft_limit_restore(weft_run *run, uint32_t entry);
// Saves the counts, if there are any, with the current checkpoint, which is in the log; `always`:
// also if nothing was counted since. WEFT_ERR_NO_MEMORY.
weft_status weft_limit_record(weft_run *run, int always);
void weft_limit_fini(weft_run *run);

#endif
