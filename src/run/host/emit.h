// SPDX-License-Identifier: MIT
// Emits commands about a step: the host's mirror of the state, what tasks wrote and asked, and
// errors.
#ifndef WEFT_RUN_HOST_EMIT_H
#define WEFT_RUN_HOST_EMIT_H

#include "run/state/run.h"

// Emits all user channels that hold something; the untracked ones; those that the last apply
// changed.
void weft_emit_mirror(weft_run *run);
void weft_emit_untracked(weft_run *run);
void weft_emit_changes(weft_run *run);

// Emits of one task: INTERRUPTS; TEXT of what it wrote; RESTORED; UPDATES, or that it has none
// (when tasks are streamed).
void weft_emit_interrupts(weft_run *run, const weft_task *task);
void weft_emit_writes(weft_run *run, const weft_task *task);
void weft_emit_restored(weft_run *run, uint32_t index);
void weft_emit_updates(weft_run *run, uint32_t index, uint32_t flags);
void weft_emit_no_updates(weft_run *run, uint32_t index);
// Puts a task's writes to the state into an open command.
void weft_emit_entries(weft_run *run, const weft_task *task);
// Emits what a call of task() returned before, to its caller.
void weft_emit_reply(weft_run *run, uint32_t index, const weft_call *call, weft_word word);

// Emits VALUES, and before it CHECKPOINT when that is wanted.
void weft_emit_values(weft_run *run);
// Emits PLANNED: the step's tasks from number `from` on. WEFT_ERR_NO_MEMORY.
weft_status weft_emit_planned(weft_run *run, uint32_t from);

// Emits FAIL with the texts that its message names.
void weft_emit_fail(weft_run *run, weft_status status, const weft_log_text *texts, uint32_t count);

#endif
