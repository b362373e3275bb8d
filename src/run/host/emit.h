// SPDX-License-Identifier: MIT
// Emits commands about a step: the host's mirror of the state, tasks' writes and interrupts, and
// errors.
#ifndef WEFT_RUN_HOST_EMIT_H
#define WEFT_RUN_HOST_EMIT_H

#include "run/state/run.h"

// Emit user channels: all with a value; the untracked ones; those that the last apply changed.
void weft_emit_mirror(weft_run *run);
void weft_emit_untracked(weft_run *run);
void weft_emit_changes(weft_run *run);

// Emit for one task: INTERRUPTS; TEXT of its writes; RESTORED; UPDATES, or UPDATES with NONE (when
// tasks are streamed).
void weft_emit_interrupts(weft_run *run, const weft_task *task);
void weft_emit_writes(weft_run *run, const weft_task *task);
void weft_emit_restored(weft_run *run, uint32_t index);
void weft_emit_updates(weft_run *run, uint32_t index, uint32_t flags);
void weft_emit_no_updates(weft_run *run, uint32_t index);
// Appends a task's writes to the state to an open command.
void weft_emit_entries(weft_run *run, const weft_task *task);
// Emits to its caller the stored result of a call of task().
void weft_emit_reply(weft_run *run, uint32_t index, const weft_call *call, weft_word word);

// Emits VALUES, and CHECKPOINT before it when requested.
void weft_emit_values(weft_run *run);
// Emits PLANNED: the step's tasks from number `from` on. WEFT_ERR_NO_MEMORY.
weft_status weft_emit_planned(weft_run *run, uint32_t from);

// Emits FAIL with the texts for its message.
void weft_emit_fail(weft_run *run, weft_status status, const weft_log_text *texts, uint32_t count);

#endif
