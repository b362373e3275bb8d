// SPDX-License-Identifier: MIT
// Materialising: the channels and versions of one checkpoint, folded from the nearest keyframe on.
// Owns nothing: everything lies in the caller's arena or in the indexed bytes. Pure; must not know
// channel kinds.
#ifndef WEFT_LOG_STATE_H
#define WEFT_LOG_STATE_H

#include "base/arena.h"
#include "index.h"

// Values are resolved: IMMEDIATE, or INLINE with bytes, length and their place (seq, index) to
// refer to later.
typedef struct weft_log_channel {
    weft_log_text name;
    uint64_t version;
    weft_log_change_form form; // SET, UNSET, LIST, SENDS or NAMES_SET, never KEEP
    uint8_t mark;
    uint32_t count; // of items, sends or names
    uint32_t capacity;
    uint64_t changed; // seq of the record that last changed it
    weft_log_value value;
    union { // of LIST, SENDS and NAMES_SET
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

// The state of checkpoint `entry` into `*state`, lent from `arena`. Linear in the records back to
// the keyframe. WEFT_ERR_LOG_CORRUPT, WEFT_ERR_NO_MEMORY; WEFT_ERR_ARGUMENT when the entry has no
// record.
weft_status weft_log_state_load(const weft_log_index *index, uint32_t entry, weft_arena *arena,
                                weft_log_state *state);

// A series of states of one index, each older than the one before: what is kept between them. Owns
// the arena (its caller begins with weft_arena_init and zeros, and ends with weft_arena_fini).
typedef struct weft_log_listing {
    weft_arena arena;
    weft_log_state state;
    uint32_t entry; // whose state it is, if `kept`
    int kept;
} weft_log_listing;

// As weft_log_state_load, for a series: each takes up to 64 records, and one in 64 all those before
// it. Same codes.
weft_status weft_log_state_list(const weft_log_index *index, uint32_t entry,
                                weft_log_listing *listing, weft_arena *arena,
                                weft_log_state *state);

#endif
