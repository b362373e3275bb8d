// SPDX-License-Identifier: MIT
// Runs supersteps: planning, handing out tasks, and what follows when tasks ended.
#ifndef WEFT_RUN_MACHINE_STEP_H
#define WEFT_RUN_MACHINE_STEP_H

#include "run/state/run.h"

// Phases: plan the next step; hand out its ready tasks.
weft_verdict weft_step_plan(weft_run *run);
weft_verdict weft_step_begin(weft_run *run);
// Phases: begin the tool calls whose checkpoint is saved; check what ended in this batch; continue
// when that is saved.
weft_verdict weft_step_intend(weft_run *run);
weft_verdict weft_step_on_tasks_ended(weft_run *run);
weft_verdict weft_step_over(weft_run *run);
// Phase: emit DONE. The thread keeps the state for its next run, if it can be reused.
weft_verdict weft_step_end(weft_run *run);

#endif
