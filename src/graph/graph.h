// SPDX-License-Identifier: MIT
// A frozen topology: channels, nodes, triggers, static edges, joins, branches, breakpoints. Built
// from a definition (define.c), checked (validate.c), shared and counted by its runs. Owns its
// memory. Does not depend on runs, values' texts or the border.
#ifndef WEFT_GRAPH_GRAPH_H
#define WEFT_GRAPH_GRAPH_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"
#include "channel/channel.h"
#include "log/record.h"
#include "value/document.h"

#define WEFT_GRAPH_END UINT32_MAX
#define WEFT_GRAPH_NONE UINT32_MAX

// A channel as defined. The graph owns the texts.
typedef struct weft_channel_spec {
    weft_log_text name;
    weft_log_text json; // the name as JSON.stringify prints it
    weft_channel_rule rule;
    uint8_t output;      // streamed in `values`
    uint32_t join;       // BARRIER kinds: number of the join, whose sources are the names
    uint32_t first_node; // into graph->triggered: the nodes triggered by this channel
    uint32_t node_count;
} weft_channel_spec;

typedef struct weft_node_join {
    uint32_t channel;
    uint32_t position; // this node's position among the join's sources
} weft_node_join;

typedef struct weft_node {
    weft_log_text name;
    weft_log_text json; // the name as JSON.stringify prints it
    uint32_t rank;      // in JavaScript's string order
    uint32_t channel;   // branch:to:<node>, or `__start__` for the start node: the first trigger
    uint32_t *triggers; // in order of declaration
    uint32_t trigger_count;
    uint32_t first_seen; // into a state's versions_seen: one entry per trigger
    uint32_t *reads;     // low-level graphs: channels of which one must be available before it runs
    uint32_t read_count;
    uint8_t reads_all; // all of `reads` must be available
    uint32_t *edges;   // channels that receive null
    uint32_t edge_count;
    weft_node_join *joins;
    uint32_t join_count;
    uint32_t handler; // node that handles its errors; 0 = none
    uint8_t defer;
    uint8_t cached;        // its tasks are looked up in a cache before they run
    uint8_t before, after; // breakpoints
} weft_node;

typedef struct weft_branch {
    uint32_t node;
    int mapped;
    uint32_t *ends; // by label: node or WEFT_GRAPH_END
    uint32_t end_count;
} weft_branch;

typedef struct weft_join {
    uint32_t *sources; // nodes
    uint32_t source_count;
    uint32_t target;
    uint32_t channel;
} weft_join;

typedef struct weft_graph {
    weft_memory *memory;
    weft_document *document; // owns the names' bytes
    weft_arena arena;
    uint32_t refs;
    weft_channel_spec *channels;
    uint32_t channel_count;
    uint32_t user_channels; // number of the first channels that are keys of the state
    uint32_t host_count;    // how many of these are HOST
    uint32_t untracked_count;
    weft_node *nodes; // 0 is the start node
    uint32_t node_count;
    weft_branch *branches;
    uint32_t branch_count;
    weft_join *joins;
    uint32_t join_count;
    uint32_t *triggered; // nodes by channel; weft_channel_spec.first_node is an index into it
    uint32_t seen_count; // number of triggers of all nodes
    uint32_t tasks_channel;
    uint8_t stops; // some node has a breakpoint
    weft_log_text
        input; // low-level graphs: names of the input channels as errors print them; else empty
    uint32_t input_node; // low-level graphs: node in whose name an update writes when nothing ran,
                         // or WEFT_GRAPH_NONE
    weft_map channel_names, node_names;
    weft_buffer refused; // memory of a word of weft_graph_define's error
} weft_graph;

// Words of an error: at most two, borrowed from the graph (or toolset) or static.
typedef struct weft_graph_error {
    weft_log_text words[2];
    uint32_t count;
} weft_graph_error;

// Builds a graph with one reference from a definition (wasm/README.md). BAD_DEFINITION, BAD_STRING,
// the JSON codes (words: number, reason), the building rules (UNKNOWN_EDGE_START ...) or NO_MEMORY;
// then `*graph` only owns the words of `error` and must still be released.
weft_status weft_graph_define(weft_memory *memory, const void *definition, size_t length,
                              weft_graph **graph, weft_graph_error *error);

// Count references: weft_graph_define makes the first one, the last release frees the graph.
void weft_graph_retain(weft_graph *graph);
void weft_graph_release(weft_graph *graph);

// Checks the building rules, in LangGraph's order, on a definition whose names are resolved. Used
// by weft_graph_define.
typedef struct weft_graph_rules {
    const weft_document_node *edges, *joins, *branches, *nodes, *before, *after;
} weft_graph_rules;
weft_status weft_graph_validate(const weft_graph *graph, const weft_graph_rules *rules,
                                uint8_t *reached, weft_graph_error *error);

// Returns the number of a name, or WEFT_GRAPH_NONE. `END` is WEFT_GRAPH_NONE too: test
// weft_graph_is_end first.
uint32_t weft_graph_node(const weft_graph *graph, weft_log_text name);
uint32_t weft_graph_channel(const weft_graph *graph, weft_log_text name);

// Returns the text of a definition's string, borrowed; empty when it is no string.
weft_log_text weft_graph_text(const weft_document_node *node);

// Returns the number of the node that a definition names, or WEFT_GRAPH_NONE.
uint32_t weft_graph_named(const weft_graph *graph, const weft_document_node *name);
int weft_graph_is_end(weft_log_text name);

// Compares UTF-8 texts in JavaScript's string order (UTF-16 code units): < 0, 0, > 0.
int weft_graph_compare(weft_log_text a, weft_log_text b);

#endif
