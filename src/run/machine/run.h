// SPDX-License-Identifier: MIT
// Makes, feeds and frees runs: each takes batches of events and returns blocks of commands.
#ifndef WEFT_RUN_MACHINE_RUN_H
#define WEFT_RUN_MACHINE_RUN_H

#include "run/state/run.h"

// Makes a run of `graph` on `thread` (may be NULL); takes a reference to both. WEFT_ERR_NO_MEMORY.
weft_status weft_run_new(weft_memory *memory, weft_values *values, weft_graph *graph,
                         weft_thread *thread, weft_run **run);
void weft_run_free(weft_run *run);

// Returns a buffer for the log that the host is about to load. NULL: the run does not wait for one,
// or there is no memory.
uint8_t *weft_run_log(weft_run *run, uint32_t bytes);

// Processes a batch of `words` words (header included) and builds the next block, borrowed until
// the next feed. Returns NULL only when there is no memory for the block's header.
const uint8_t *weft_run_feed(weft_run *run, const uint32_t *batch, uint32_t words);
const uint8_t *weft_run_next(const weft_run *run);
// Answers a request of a running task; the answer is borrowed until the next one. NULL: there is no
// memory.
const uint8_t *weft_run_ask(weft_run *run, uint32_t task, uint32_t attempt, uint32_t op);

#endif
