// SPDX-License-Identifier: MIT
// Saves a run in its thread's log, in the phases for that: which records, in which order, and
// whether the run waits.
#ifndef WEFT_RUN_MACHINE_SAVE_H
#define WEFT_RUN_MACHINE_SAVE_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Phases that make the next checkpoint (or only give it a number, without a thread or under
// `exit`).
weft_verdict weft_save_fork(weft_run *run);
weft_verdict weft_save_command(weft_run *run);
weft_verdict weft_save_step(weft_run *run);
weft_verdict weft_save_copy(weft_run *run);
weft_verdict weft_save_update(weft_run *run);

// Phases that save pending writes of the current checkpoint.
weft_verdict weft_save_answer(weft_run *run);
weft_verdict weft_save_tasks(weft_run *run);
weft_verdict weft_save_broken(weft_run *run);
weft_verdict weft_save_late(weft_run *run);

// Phases that save under `exit` only: the checkpoint of calls that are about to begin, or
// everything deferred.
weft_verdict weft_save_intents(weft_run *run);
weft_verdict weft_save_interrupted(weft_run *run);
weft_verdict weft_save_finished(weft_run *run);
weft_verdict weft_save_stopped(weft_run *run);

// Read the events ENCODED and SAVED.
weft_verdict weft_save_encoded(weft_run *run, weft_cursor *cursor);
weft_verdict weft_save_saved(weft_run *run);

#endif
