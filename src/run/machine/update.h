// SPDX-License-Identifier: MIT
// Executes updateState: a node's writers make a checkpoint without running its function.
#ifndef WEFT_RUN_MACHINE_UPDATE_H
#define WEFT_RUN_MACHINE_UPDATE_H

#include "run/state/run.h"

// Phase: find the kind of update. WEFT_VERDICT_COMMITS: a copy of the checkpoint; APPLIES: an
// input; else DONE.
weft_verdict weft_update_begin(weft_run *run);
// Phase: hand out the nodes' writers, after the step's earlier writes are applied (RETURNS: this
// phase is entered again after that; UPDATES: at once).
weft_verdict weft_update_tasks(weft_run *run);
// Phase: check what ended in this batch.
weft_verdict weft_update_on_tasks_ended(weft_run *run);

#endif
