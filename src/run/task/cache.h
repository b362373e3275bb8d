// SPDX-License-Identifier: MIT
// Asks caches which tasks need not run, because a cache has their writes.
#ifndef WEFT_RUN_TASK_CACHE_H
#define WEFT_RUN_TASK_CACHE_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Ask for the step's tasks that a cache may have, or for one call; the first returns their number.
uint32_t weft_cache_look_up(weft_run *run);
void weft_cache_look_up_call(weft_run *run, uint32_t index);
// Reads the cache's entries, up to a call without one (WEFT_VERDICT_HANDS_OUT: call again) or the
// end of the event. WEFT_VERDICT_DONE: the whole step is answered.
weft_verdict weft_cache_found(weft_run *run, weft_cursor *cursor);
// Emits a task's writes besides the state, to be stored.
void weft_cache_store(weft_run *run, uint32_t index);

#endif
