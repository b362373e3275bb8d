// SPDX-License-Identifier: MIT
// One run: the data shared by the folders of src/run. Owns its tasks, block, arena and (until a
// thread keeps it) its state. Does not depend on handles or how memory is exported.
#ifndef WEFT_RUN_STATE_RUN_H
#define WEFT_RUN_STATE_RUN_H

#include "base/ops.h"
#include "run/state/applying.h"
#include "run/state/identity.h"
#include "run/state/options.h"
#include "run/state/output.h"
#include "run/state/phase.h"
#include "run/state/recording.h"
#include "run/state/resume.h"
#include "run/state/source.h"
#include "run/state/step.h"
#include "run/state/thread.h"
#include "run/state/tools.h"

typedef struct weft_run {
    weft_memory *memory;
    weft_values *values;
    weft_graph *graph;
    weft_thread *thread; // NULL: nothing is saved
    weft_state *state;
    weft_phase phase; // set by src/run/machine/drive.c
    weft_wait waits;
    uint64_t tick;      // of the host's clock, in this batch
    weft_arena arena;   // lasts for one step
    weft_arena lasting; // lasts as long as the run
    weft_run_options options;
    weft_run_identity identity;
    weft_run_source source;
    weft_run_resume resume;
    weft_run_step step;
    weft_run_applying applying;
    weft_run_recording recording;
    weft_run_tools tools;
    weft_run_output output;
} weft_run;

// Finds the task with that number if that attempt has that status, else NULL, as for late events.
static inline weft_task *weft_run_task(weft_run *run, uint32_t index, uint32_t attempt,
                                       weft_task_status status) {
    if (index >= run->step.tasks.count) {
        return NULL;
    }
    weft_task *task = &run->step.tasks.items[index];
    return task->status == status && task->attempt == attempt ? task : NULL;
}

// Notes that a task's outcome must be saved.
static inline void weft_run_note_ended(weft_run *run, uint32_t index) {
    run->step.first_ended = index < run->step.first_ended ? index : run->step.first_ended;
    run->step.end_ended = index < run->step.end_ended ? run->step.end_ended : index + 1u;
}

// Returns whether the step takes an input, which is the last of its tasks.
static inline int weft_run_has_input(const weft_run *run) {
    return run->step.tasks.count > 0 &&
           run->step.tasks.items[run->step.tasks.count - 1].kind == WEFT_TASK_INPUT;
}

// Copy a text, or namespaces and ids of checkpoints, into memory that lasts as long as the run.
// WEFT_ERR_NO_MEMORY.
weft_status weft_lasting_text(weft_run *run, weft_log_text from, weft_log_text *to);
weft_status weft_lasting_ancestors(weft_run *run, const weft_ancestor *from, uint32_t count,
                                   weft_ancestor *to);

// Returns whether tool calls are saved: only if their checkpoint is, since a run never returns to
// an unsaved one.
static inline int weft_run_keeps_calls(const weft_run *run) {
    return run->options.kind == WEFT_RUN_INVOKE && run->state->saved;
}

// Returns whether finished tasks of the checkpoint run again: when the caller names one that is not
// the newest.
static inline int weft_run_repeats_tasks(const weft_run *run) {
    return run->options.kind == WEFT_RUN_INVOKE &&
           (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) != 0 && !run->resume.at_newest;
}

// Returns whether there is exactly one update, of this kind (WEFT_AS_*).
static inline int weft_run_updates_as(const weft_run *run, uint32_t as) {
    return run->options.update_count == 1 && run->options.updates[0] == as;
}

// Returns whether an update drops the step's tasks and keeps their writes.
static inline int weft_run_clears_tasks(const weft_run *run) {
    return weft_run_updates_as(run, WEFT_AS_END);
}

#endif
