// SPDX-License-Identifier: MIT
// Reads what a task wrote.
#ifndef WEFT_RUN_TASK_ENTRIES_H
#define WEFT_RUN_TASK_ENTRIES_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Reads `count` entries into `task`: all of them are checked, their words adopted. With edges, the
// task's node adds its own.
weft_status weft_entries_read(weft_run *run, weft_cursor *cursor, uint32_t count, weft_task *task,
                              int with_edges);

#endif
