// SPDX-License-Identifier: MIT
// Tracks where values are while a log is rewritten: each is written once, and referred to from then
// on. Does not depend on which records stay.
#ifndef WEFT_LOG_RELOCATION_H
#define WEFT_LOG_RELOCATION_H

#include "base/arena.h"
#include "index.h"
#include "writer.h"

typedef struct weft_log_relocation {
    const weft_log_index *index; // of the old log
    weft_log_writer *writer;     // of the new one
    weft_arena *arena;
    uint64_t *seqs;      // by place: the new record with the value, or 0
    uint32_t *numbers;   // by place: its number there
    uint64_t *snapshots; // by record: the new record of a rewritten list snapshot, or 0
    uint32_t next_value; // next value number of the current record
    uint64_t patch_work; // work spent on patches
    weft_buffer spliced; // the current patch, if it refers to relocated values
} weft_log_relocation;

// Starts with nothing moved; `at` is zeroed. Writer and arena outlive it. WEFT_ERR_NO_MEMORY; call
// fini in any case.
weft_status weft_log_relocation_init(weft_log_relocation *at, const weft_log_index *index,
                                     weft_log_writer *writer, weft_arena *arena);
void weft_log_relocation_fini(weft_log_relocation *at);

// Returns the new record of the list snapshot `seq`, or 0: it was not rewritten, or `seq` is none.
uint64_t weft_log_relocated_list_snapshot(const weft_log_relocation *at, uint64_t seq);

// Returns the new record of item (seq, *index), which may be a list snapshot's, and its number
// there; 0 when it is not in the new log.
uint64_t weft_log_relocated_place(const weft_log_relocation *at, uint64_t seq, uint32_t *index);

// Prepares a value for writing: becomes a reference to its new place, or stays inline, which makes
// this its new place. Its bytes are valid until the next one. WEFT_ERR_NO_MEMORY,
// WEFT_ERR_LOG_CORRUPT.
weft_status weft_log_relocate_value(weft_log_relocation *at, weft_log_value *value);

#endif
