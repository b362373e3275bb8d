// SPDX-License-Identifier: MIT
// Carries out updateState: a node's writers make a checkpoint without its function.
#ifndef WEFT_RUN_MACHINE_UPDATE_H
#define WEFT_RUN_MACHINE_UPDATE_H

#include "run/state/run.h"

// Phase: find what kind of update it is. WEFT_VERDICT_COMMITS: a copy of the checkpoint; APPLIES:
// an input; else DONE.
weft_verdict weft_update_begin(weft_run *run);
// Phase: hand out the nodes' writers; before that, what the step wrote is applied (RETURNS, after
// which the phase comes again; UPDATES: it comes again at once).
weft_verdict weft_update_tasks(weft_run *run);
// Phase: look at what ended in this batch.
weft_verdict weft_update_on_tasks_ended(weft_run *run);

#endif
