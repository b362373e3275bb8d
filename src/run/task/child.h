// SPDX-License-Identifier: MIT
// Prepares child runs inside a task: what they take over from the parent run, where their
// checkpoints are found.
#ifndef WEFT_RUN_TASK_CHILD_H
#define WEFT_RUN_TASK_CHILD_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Takes over what a child in `parent`'s task needs; `flags` are WEFT_CHILD_*. WEFT_ERR_STALE_HANDLE
// when that attempt is not running, WEFT_ERR_NO_MEMORY.
weft_status weft_child_adopt(weft_run *run, weft_run *parent, uint32_t task, uint32_t attempt,
                             uint32_t flags);

// Read START's namespace and map of checkpoints; use the map's checkpoint for this run's namespace.
weft_status weft_child_read_namespace(weft_run *run, weft_cursor *cursor);
weft_status weft_child_read_map(weft_run *run, weft_cursor *cursor);
void weft_child_use_map(weft_run *run);

// Finds the entry that the run starts from, or WEFT_LOG_NONE. WEFT_ERR_NO_MEMORY.
weft_status weft_child_entry(weft_run *run, uint32_t *entry);

// Starts time travel to `entry` for the run and its children. WEFT_ERR_NO_MEMORY.
weft_status weft_child_replay(weft_run *run, uint32_t entry);
void weft_child_fini(weft_run *run);

#endif
