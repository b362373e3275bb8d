// SPDX-License-Identifier: MIT
// Asks caches which tasks need not run, since a cache holds what they wrote.
#ifndef WEFT_RUN_TASK_CACHE_H
#define WEFT_RUN_TASK_CACHE_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Asks for the step's tasks that a cache may hold, or for one call; returns how many that are.
uint32_t weft_cache_look_up(weft_run *run);
void weft_cache_look_up_call(weft_run *run, uint32_t index);
// Reads what the cache holds, up to a call that it does not hold (WEFT_VERDICT_HANDS_OUT: to be
// called again) or the end of the event. WEFT_VERDICT_DONE: all of the step is known.
weft_verdict weft_cache_found(weft_run *run, weft_cursor *cursor);
// Emits what a task wrote besides the state, to be stored.
void weft_cache_store(weft_run *run, uint32_t index);

#endif
