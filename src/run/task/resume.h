// SPDX-License-Identifier: MIT
// Restores prepared tasks from the log.
#ifndef WEFT_RUN_TASK_RESUME_H
#define WEFT_RUN_TASK_RESUME_H

#include "run/state/run.h"

// Gives prepared tasks their results, interrupts and resume values. WEFT_ERR_NO_MEMORY.
weft_status weft_resume_attach(weft_run *run);
// Drops how the tasks ended before, after this was reported; adds handlers of failed tasks, drops
// pending writes.
weft_status weft_resume_forget(weft_run *run);

#endif
