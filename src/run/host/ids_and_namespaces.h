// SPDX-License-Identifier: MIT
// Makes the ids of checkpoints, tasks and interrupts, and the keys of tasks in records.
#ifndef WEFT_RUN_HOST_IDS_AND_NAMESPACES_H
#define WEFT_RUN_HOST_IDS_AND_NAMESPACES_H

#include "run/state/run.h"

// Makes the next checkpoint's id (UUIDv6) for `step`.
void weft_ids_checkpoint(weft_run *run, int64_t step, uint8_t id[16]);

// Make the id of a prepared task (UUIDv5), and of its interrupt number `index` (XXH3-128 of its
// namespace). WEFT_ERR_NO_MEMORY.
weft_status weft_ids_task(weft_run *run, const weft_task *task, uint8_t id[16]);
weft_status weft_ids_interrupt(weft_run *run, const weft_task *task, uint32_t index,
                               uint8_t id[16]);

// Appends the namespace of a prepared task, where its subgraphs save. WEFT_ERR_NO_MEMORY.
weft_status weft_ids_namespace(weft_run *run, const weft_task *task, weft_buffer *out);

// Makes the key that identifies a task in records. WEFT_ERR_NO_MEMORY.
weft_status weft_ids_key(weft_run *run, const weft_task *task, weft_log_task_key *key);
int weft_ids_same_key(const weft_log_task_key *a, const weft_log_task_key *b);

#endif
