// SPDX-License-Identifier: MIT
// Hands tasks to the host.
#ifndef WEFT_RUN_TASK_HAND_OUT_H
#define WEFT_RUN_TASK_HAND_OUT_H

#include "run/state/run.h"

// Emits TASK for a task, which begins its next attempt. WEFT_ERR_NO_MEMORY.
weft_status weft_hand_out_one(weft_run *run, uint32_t index);
// Emits TASK for those that are ready, as many as fit a block. WEFT_ERR_NO_MEMORY.
weft_status weft_hand_out(weft_run *run);

#endif
