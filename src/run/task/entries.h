// SPDX-License-Identifier: MIT
// Reads a task's writes.
#ifndef WEFT_RUN_TASK_ENTRIES_H
#define WEFT_RUN_TASK_ENTRIES_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Reads `count` entries into `task`: checks all of them and adopts their values. With edges, the
// task's node adds its own.
weft_status weft_entries_read(weft_run *run, weft_cursor *cursor, uint32_t count, weft_task *task,
                              int with_edges);

#endif
