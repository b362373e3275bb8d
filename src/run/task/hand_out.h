// SPDX-License-Identifier: MIT
// Hands tasks to the host.
#ifndef WEFT_RUN_TASK_HAND_OUT_H
#define WEFT_RUN_TASK_HAND_OUT_H

#include "run/state/run.h"

// Emits TASK for a task, which begins its next attempt. WEFT_ERR_NO_MEMORY.
weft_status weft_hand_out_one(weft_run *run, uint32_t index);
// Emits TASK for the ready tasks, as many as fit one block. WEFT_ERR_NO_MEMORY.
weft_status weft_hand_out(weft_run *run);

#endif
