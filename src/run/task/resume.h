// SPDX-License-Identifier: MIT
// Gives prepared tasks what the log holds of them.
#ifndef WEFT_RUN_TASK_RESUME_H
#define WEFT_RUN_TASK_RESUME_H

#include "run/state/run.h"

// Gives prepared tasks their results, interrupts and resume values. WEFT_ERR_NO_MEMORY.
weft_status weft_resume_attach(weft_run *run);
// Forgets how the tasks ended before, when it has been shown; handlers of those that failed are
// added, pending writes dropped.
weft_status weft_resume_forget(weft_run *run);

#endif
