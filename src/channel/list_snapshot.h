// SPDX-License-Identifier: MIT
// A list snapshot: a list's items as they were, which a thread's log has, or may have, as one
// record. Counted: a list shares it with the runs inside of tasks that are given the list. Must not
// know channels or how records are written.
#ifndef WEFT_CHANNEL_LIST_SNAPSHOT_H
#define WEFT_CHANNEL_LIST_SNAPSHOT_H

#include "log/record.h"
#include "value/value.h"

typedef struct weft_list_snapshot {
    weft_values *values;
    uint32_t refs, count, capacity;
    uint64_t seq;   // of its record, 0 = none yet
    uint32_t depth; // of that
    // A list snapshot that has `shared` of these items, from number `first` on, as its own from
    // `from` on.
    uint64_t base;
    uint32_t base_depth, first, from, shared;
    uint64_t length;  // of all items' texts
    weft_buffer text; // of log/list_snapshot.h, as long as it is needed
    weft_log_text name;
    weft_word words[]; // one reference each; behind them the name's bytes
} weft_list_snapshot;

// Makes a list snapshot of no items yet, with space for `capacity` words and one reference. NULL
// when there is no memory.
weft_list_snapshot *weft_list_snapshot_new(weft_values *values, weft_log_text name,
                                           uint32_t capacity);
void weft_list_snapshot_release(weft_list_snapshot *snapshot); // may be NULL

// Counts how many of `most` words, each `stride` words behind the one before, are texts of items,
// one behind the other, of a list snapshot that stands in the log (or NULL: 0); from item *at on,
// which is looked at first.
uint32_t weft_list_snapshot_find(const weft_list_snapshot *snapshot, const weft_word *words,
                                 size_t stride, uint32_t most, uint32_t *at);

#endif
