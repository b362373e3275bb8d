// SPDX-License-Identifier: MIT
// Begins a run: reads its options, finds its checkpoint, takes its input.
#ifndef WEFT_RUN_MACHINE_START_H
#define WEFT_RUN_MACHINE_START_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Read the events of a new run.
weft_status weft_start_read(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_start_read_input(weft_run *run, weft_cursor *cursor);
weft_status weft_start_read_resume(weft_run *run, weft_cursor *cursor);
weft_status weft_start_read_resume_map(weft_run *run, weft_cursor *cursor, uint32_t flags);

// Phases: find the state to begin with; ask for the log; continue with the state.
weft_verdict weft_start_begin(weft_run *run);
weft_verdict weft_start_load(weft_run *run);
weft_verdict weft_start_open(weft_run *run);
// Reads the event LOADED.
weft_verdict weft_start_loaded(weft_run *run, weft_cursor *cursor);

// Phases: check the input (WEFT_VERDICT_COMMITS: a fork comes first); take it
// (WEFT_VERDICT_UPDATES: a Command's writes are applied first); continue with the step that waits
// for it.
weft_verdict weft_start_input(weft_run *run);
weft_verdict weft_start_take_input(weft_run *run);
weft_verdict weft_start_resume(weft_run *run);

#endif
