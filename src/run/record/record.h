// SPDX-License-Identifier: MIT
// Writes a run into its thread's log: checkpoints, pending writes, and frames of other records.
#ifndef WEFT_RUN_RECORD_RECORD_H
#define WEFT_RUN_RECORD_RECORD_H

#include "log/writer.h"
#include "run/host/batch.h"
#include "run/state/run.h"

// Begins a frame of a record; end it by weft_log_frame_end with the returned mark.
uint32_t weft_record_begin(weft_run *run, weft_log_writer *writer);
// Emits the frames written since the block began as one SAVE.
void weft_record_flush(weft_run *run);

// Takes a snapshot of the longest list of `of`, and its other long values: a subgraph's input or a
// Send's argument is often that list or the whole state.
void weft_record_take_list(weft_run *run, weft_run *of);

// Parts that are saved together.
#define WEFT_RECORD_STATE 1u    // the checkpoint
#define WEFT_RECORD_WRITES 2u   // its tasks' writes, as pending writes
#define WEFT_RECORD_EMBEDDED 4u // the checkpoint's record includes the writes that led to it

// Collects the values of these parts without a text in run->recording.wanted. WEFT_ERR_NO_MEMORY.
weft_status weft_record_collect(weft_run *run, uint32_t parts);
// Takes the texts of ENCODED: of collected values, or of values that the host sends ahead.
// WEFT_ERR_BAD_EVENT, WEFT_ERR_NO_MEMORY.
weft_status weft_record_take_texts(weft_run *run, weft_cursor *cursor);
// Writes the list snapshot that the parts may refer to, if there is none yet. WEFT_ERR_NO_MEMORY.
weft_status weft_record_list_snapshot(weft_run *run);
// Writes a CHECKPOINT or WRITES of the collected parts. WEFT_ERR_NO_MEMORY.
weft_status weft_record_put(weft_run *run, weft_log_kind kind);
// Returns whether there are pending writes to save.
int weft_record_is_due(const weft_run *run);

#endif
