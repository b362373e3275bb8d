// SPDX-License-Identifier: MIT
// Ends a run with an error.
#ifndef WEFT_RUN_TASK_FAIL_H
#define WEFT_RUN_TASK_FAIL_H

#include "run/state/run.h"

// Emits FAIL of what run->applying.failure says, or of the tasks that failed.
weft_verdict weft_fail_apply(weft_run *run);
weft_verdict weft_fail_tasks(weft_run *run);
// Gives up what runs, so that the run fails with `why`. Under `exit` the state is to be saved,
// unless a step is about to change it.
weft_verdict weft_fail_stop(weft_run *run, weft_status why);

#endif
