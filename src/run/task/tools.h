// SPDX-License-Identifier: MIT
// Reads events of a running task about a tool call.
#ifndef WEFT_RUN_TASK_TOOLS_H
#define WEFT_RUN_TASK_TOOLS_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Reads the event INTENT. Under `exit` a call waits for its checkpoint, which is saved once the
// batch is read.
weft_status weft_tools_intend(weft_run *run, weft_cursor *cursor, uint32_t flags);

#endif
