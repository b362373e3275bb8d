// SPDX-License-Identifier: MIT
// Ends a run with an error.
#ifndef WEFT_RUN_TASK_FAIL_H
#define WEFT_RUN_TASK_FAIL_H

#include "run/state/run.h"

// Emit FAIL for run->applying.failure, or for the tasks that failed.
weft_verdict weft_fail_apply(weft_run *run);
weft_verdict weft_fail_tasks(weft_run *run);
// Cancels what is running, so that the run fails with `why`. Under `exit` the state is saved,
// unless a step is being applied.
weft_verdict weft_fail_stop(weft_run *run, weft_status why);

#endif
