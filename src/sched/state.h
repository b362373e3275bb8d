// SPDX-License-Identifier: MIT
// The state of a graph between steps: channels, versions, what each node has seen, and notes that
// make a step cost only what it changes (touched, live, updated). Owns channels and notes; counts
// its graph. Does not depend on tasks' outcomes, records or the border.
#ifndef WEFT_SCHED_STATE_H
#define WEFT_SCHED_STATE_H

#include "graph/graph.h"

// A changed entry of versions_seen since the last record.
typedef struct weft_seen_note {
    uint32_t node;
    uint32_t trigger; // position among the node's triggers
} weft_seen_note;

typedef struct weft_state {
    weft_memory *memory;
    weft_values *values;
    weft_graph *graph;
    weft_channel *channels;
    uint32_t *seen;      // versions, at node->first_seen + trigger position
    uint8_t *seen_noted; // parallel to `seen`: already in seen_notes
    uint32_t max_version;
    uint32_t interrupt_seen; // highest version that breakpoints have seen
    uint8_t interrupt_noted;
    int64_t step; // step of the current checkpoint
    uint32_t source;
    uint8_t id[16];     // id of the current checkpoint
    uint8_t parent[16]; // of the saved checkpoint before it
    uint8_t has_id, has_parent;
    uint8_t saved;     // the current checkpoint is in the log
    uint32_t *touched; // channels changed since the last record
    uint32_t touched_count;
    weft_seen_note *seen_notes;
    uint32_t seen_note_count;
    uint32_t *live; // channels that an empty step clears
    uint32_t live_count;
    uint32_t *updated; // available channels that the last apply wrote
    uint32_t updated_count;
    uint8_t updated_known; // 0: nothing was applied yet
    uint8_t shown;         // state of a snapshot: writes without a task get no new version
} weft_state;

// Makes a fresh state (no checkpoint, step -2). WEFT_ERR_NO_MEMORY leaves nothing behind.
weft_status weft_state_new(weft_memory *memory, weft_values *values, weft_graph *graph,
                           weft_state **state);
void weft_state_free(weft_state *state);

// Marks a channel as changed since the last record, and as one that an empty step may clear.
void weft_state_touch(weft_state *state, uint32_t channel);
void weft_state_note_seen(weft_state *state, uint32_t node, uint32_t trigger, uint32_t version);

// Notes everything as changed: for a record that follows another checkpoint. WEFT_ERR_NO_MEMORY.
weft_status weft_state_restate(weft_state *state);

// Drops the notes, which are in a record now.
void weft_state_settle(weft_state *state);

// Return the channel's rule, borrowed from the state's graph, and whether the channel has a value
// to read.
const weft_channel_rule *weft_state_rule(const weft_state *state, uint32_t channel);
int weft_state_available(const weft_state *state, uint32_t channel);

#endif
