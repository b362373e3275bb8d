// SPDX-License-Identifier: MIT
// Materialises a checkpoint: its channels and versions, folded from the nearest keyframe on.
// Everything is in the caller's arena or in the indexed bytes. Pure; does not depend on channel
// kinds.
#ifndef WEFT_LOG_STATE_H
#define WEFT_LOG_STATE_H

#include "base/arena.h"
#include "index.h"

// A channel. Values are resolved: IMMEDIATE, or INLINE with bytes, length and their place (seq,
// index) for later references.
typedef struct weft_log_channel {
    weft_log_text name;
    uint64_t version;
    weft_log_change_form form; // SET, UNSET, LIST, SENDS or NAMES_SET, never KEEP
    uint8_t mark;
    uint32_t count; // number of items, sends or names
    uint32_t capacity;
    uint64_t changed; // seq of the record that last changed it
    weft_log_value value;
    union { // for LIST, SENDS and NAMES_SET
        void *array;
        weft_log_value *items;
        weft_log_send *sends;
        weft_log_text *names;
    };
} weft_log_channel;

typedef struct weft_log_state {
    weft_log_channel *channels; // in order of first appearance
    uint32_t channel_count;
    weft_log_seen *seen;
    uint32_t seen_count;
    uint32_t chain; // records folded
} weft_log_state;

// Loads the state of checkpoint `entry` into `*state`, allocated in `arena`. Linear in the records
// back to the keyframe. WEFT_ERR_LOG_CORRUPT, WEFT_ERR_NO_MEMORY; WEFT_ERR_ARGUMENT when the entry
// has no record.
weft_status weft_log_state_load(const weft_log_index *index, uint32_t entry, weft_arena *arena,
                                weft_log_state *state);

// A series of states of one index, each older than the one before. Keeps a state between them and
// owns the arena (the caller begins with weft_arena_init and zeros, and ends with weft_arena_fini).
typedef struct weft_log_listing {
    weft_arena arena;
    weft_log_state state;
    uint32_t entry; // of `state`, if `kept`
    int kept;
} weft_log_listing;

// As weft_log_state_load, for a series: each state reads up to 64 records, and one in 64 all
// records before it. Same codes.
weft_status weft_log_state_list(const weft_log_index *index, uint32_t entry,
                                weft_log_listing *listing, weft_arena *arena,
                                weft_log_state *state);

#endif
