// SPDX-License-Identifier: MIT
// A list snapshot: the items of a list at one time, which a thread's log has, or may have, as one
// record. Reference-counted: a list shares it with child runs that receive the list. Does not
// depend on channels or on how records are written.
#ifndef WEFT_CHANNEL_LIST_SNAPSHOT_H
#define WEFT_CHANNEL_LIST_SNAPSHOT_H

#include "log/record.h"
#include "value/value.h"

typedef struct weft_list_snapshot {
    weft_values *values;
    uint32_t refs, count, capacity;
    uint64_t seq;   // of its record, 0 = not written
    uint32_t depth; // of that record
    // Base: another list snapshot. The `shared` items from `first` on are the base's items from
    // `from` on.
    uint64_t base;
    uint32_t base_depth, first, from, shared;
    uint64_t length;  // bytes of all items' texts
    weft_buffer text; // text form (log/list_snapshot.h), while needed
    weft_log_text name;
    weft_word words[]; // one reference each; the name's bytes follow
} weft_list_snapshot;

// Makes a list snapshot without items, with space for `capacity` items and one reference. NULL when
// there is no memory.
weft_list_snapshot *weft_list_snapshot_new(weft_values *values, weft_log_text name,
                                           uint32_t capacity);
void weft_list_snapshot_release(weft_list_snapshot *snapshot); // may be NULL

// Counts how many of `most` values, `stride` handles apart, have the texts of consecutive items of
// a list snapshot in the log (0 for NULL). The run starts at item *at, which is tried first and
// updated.
uint32_t weft_list_snapshot_find(const weft_list_snapshot *snapshot, const weft_word *words,
                                 size_t stride, uint32_t most, uint32_t *at);

#endif
