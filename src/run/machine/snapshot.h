// SPDX-License-Identifier: MIT
// Emits snapshots for getState and getStateHistory: checkpoints with their tasks, as LangGraph's
// StateSnapshot shows them.
#ifndef WEFT_RUN_MACHINE_SNAPSHOT_H
#define WEFT_RUN_MACHINE_SNAPSHOT_H

#include "run/state/run.h"

// Phases: begin with the state; begin a history, and go to its next entry. WEFT_VERDICT_APPLIES:
// writes of a Command without a task must be applied first; ENDS: there is none.
weft_verdict weft_snapshot_begin(weft_run *run);
weft_verdict weft_snapshot_begin_history(weft_run *run);
weft_verdict weft_snapshot_next(weft_run *run);
// Phases: plan the tasks (WEFT_VERDICT_APPLIES: writes of finished ones are shown); emit the
// snapshot.
weft_verdict weft_snapshot_plan(weft_run *run);
weft_verdict weft_snapshot_show(weft_run *run);

// Emits SNAPSHOT. WEFT_ERR_NO_MEMORY.
weft_status weft_snapshot_put(weft_run *run, uint32_t flags);

#endif
