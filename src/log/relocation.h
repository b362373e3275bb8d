// SPDX-License-Identifier: MIT
// Finds where values stand by now, while a log is rewritten: each is put once, and referred to from
// then on. Must not know which records stay.
#ifndef WEFT_LOG_RELOCATION_H
#define WEFT_LOG_RELOCATION_H

#include "base/arena.h"
#include "index.h"
#include "writer.h"

typedef struct weft_log_relocation {
    const weft_log_index *index; // of the log that is left
    weft_log_writer *writer;     // of the new one
    weft_arena *arena;
    uint64_t *seqs;      // by place: the new record that holds the value, or 0
    uint32_t *numbers;   // by place: its number there
    uint64_t *snapshots; // by record: the new one of a list snapshot that was carried over, or 0
    uint32_t next_value; // of the record being written
    uint64_t patch_work; // work that texts took
    weft_buffer spliced; // the patch at hand, of values that stand elsewhere by now
} weft_log_relocation;

// Nothing has moved yet; `at` is zeroed. Writer and arena outlive it. WEFT_ERR_NO_MEMORY; to be
// given back in any case.
weft_status weft_log_relocation_init(weft_log_relocation *at, const weft_log_index *index,
                                     weft_log_writer *writer, weft_arena *arena);
void weft_log_relocation_fini(weft_log_relocation *at);

// The new record of the list snapshot `seq`, or 0: it was not carried over, or is none.
uint64_t weft_log_relocated_list_snapshot(const weft_log_relocation *at, uint64_t seq);

// The new record of item (seq, *index), which may be a list snapshot's, and its number there; 0
// when it stands nowhere.
uint64_t weft_log_relocated_place(const weft_log_relocation *at, uint64_t seq, uint32_t *index);

// A value about to be put: a reference to where it stands by now, else inline, and that is then
// where it stands. Its bytes last until the next one. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT.
weft_status weft_log_relocate_value(weft_log_relocation *at, weft_log_value *value);

#endif
