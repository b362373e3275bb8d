// SPDX-License-Identifier: MIT
// Rebuilds a run from its thread's log: the state of a checkpoint, and the pending writes that hang
// on it.
#ifndef WEFT_RUN_RESTORE_RESTORE_H
#define WEFT_RUN_RESTORE_RESTORE_H

#include "run/state/run.h"

// Makes a value of the log a word, with one reference. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT.
weft_status weft_restore_word(weft_run *run, const weft_log_value *value, weft_word *word);
// Whether `known` is the word of this value: then `*word` is it, with one more reference.
int weft_restore_again(weft_run *run, weft_word known, const weft_log_value *value,
                       weft_word *word);
// Reads a Send's own timeout, or WEFT_WORD_ABSENT. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT.
weft_status weft_restore_timeout(weft_run *run, const weft_log_send *stored, weft_word *word);
// Finds a node among the sources of a join, or WEFT_GRAPH_NONE.
uint32_t weft_restore_source(const weft_graph *graph, const weft_join *join, weft_log_text name);

// Rebuilds the state of a log entry. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT,
// WEFT_ERR_STATE_VERSION (FAIL is emitted).
weft_status weft_restore_state(weft_run *run, uint32_t entry);
// Behind it: finds which snapshots its lists begin with, and what was given last.
void weft_restore_list_snapshots(weft_run *run);
// Puts the defaults that START brought into the channels that hold nothing.
void weft_restore_defaults(weft_run *run);
// Makes the ancestors of a stored checkpoint the run's. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT.
weft_status weft_restore_ancestors(weft_run *run, uint32_t entry);

// Reads the pending writes that hang on a log entry; only what its tasks asked and how they failed,
// but no answer.
weft_status weft_restore_pending(weft_run *run, uint32_t entry);
weft_status weft_restore_shown(weft_run *run, uint32_t entry);
void weft_restore_drop_pending(weft_run *run);
// Moves the null task's pending writes into the (empty) task list, to be applied.
// WEFT_ERR_NO_MEMORY.
weft_status weft_restore_null(weft_run *run);

#endif
