// SPDX-License-Identifier: MIT
// Rebuilds a run from its thread's log: the state of a checkpoint, and its pending writes.
#ifndef WEFT_RUN_RESTORE_RESTORE_H
#define WEFT_RUN_RESTORE_RESTORE_H

#include "run/state/run.h"

// Makes a value handle for a value of the log, with one reference. WEFT_ERR_NO_MEMORY,
// WEFT_ERR_LOG_CORRUPT.
weft_status weft_restore_word(weft_run *run, const weft_log_value *value, weft_word *word);
// Reuses the handle `known` if it is this value's: sets `*word` to it, with one more reference, and
// returns 1; else 0.
int weft_restore_again(weft_run *run, weft_word known, const weft_log_value *value,
                       weft_word *word);
// Reads a Send's own timeout, or WEFT_WORD_ABSENT. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT.
weft_status weft_restore_timeout(weft_run *run, const weft_log_send *stored, weft_word *word);
// Finds a node among the sources of a join, or WEFT_GRAPH_NONE.
uint32_t weft_restore_source(const weft_graph *graph, const weft_join *join, weft_log_text name);

// Rebuilds the state of a log entry. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT,
// WEFT_ERR_STATE_VERSION (FAIL is emitted).
weft_status weft_restore_state(weft_run *run, uint32_t entry);
// Finds, after weft_restore_state, which snapshots its lists begin with, and last_sent.
void weft_restore_list_snapshots(weft_run *run);
// Puts the defaults from START into empty channels.
void weft_restore_defaults(weft_run *run);
// Sets the run's ancestors to those of a stored checkpoint. WEFT_ERR_NO_MEMORY,
// WEFT_ERR_LOG_CORRUPT.
weft_status weft_restore_ancestors(weft_run *run, uint32_t entry);

// Read the pending writes of a log entry; weft_restore_shown reads interrupts and failures without
// answers.
weft_status weft_restore_pending(weft_run *run, uint32_t entry);
weft_status weft_restore_shown(weft_run *run, uint32_t entry);
void weft_restore_drop_pending(weft_run *run);
// Moves the null task's newest pending writes into the (empty) task list, to be applied.
// WEFT_ERR_NO_MEMORY.
weft_status weft_restore_null(weft_run *run);
// Returns whether the null task has pending writes, which the state lacks.
int weft_restore_has_null(const weft_run *run);

#endif
