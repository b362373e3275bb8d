// SPDX-License-Identifier: MIT
// Implements graph.h: the building rules in LangGraph's order: starts, reachability, ends,
// breakpoints.
#include "graph.h"

#include <string.h>

static weft_status refuse(weft_status status, const weft_document_node *name,
                          weft_graph_error *error) {
    error->words[0] = weft_graph_text(name);
    error->count = 1;
    return status;
}

static weft_status check_start(const weft_graph *graph, const weft_document_node *name,
                               weft_graph_error *error) {
    return weft_graph_named(graph, name) == WEFT_GRAPH_NONE
               ? refuse(WEFT_ERR_UNKNOWN_EDGE_START, name, error)
               : WEFT_OK;
}

static weft_status check_starts(const weft_graph *graph, const weft_graph_rules *rules,
                                weft_graph_error *error) {
    const weft_document_node *item;
    for (item = weft_document_first(rules->edges); item != NULL; item = weft_document_next(item)) {
        WEFT_TRY(check_start(graph, weft_document_first(item), error));
    }
    for (item = weft_document_first(rules->joins); item != NULL; item = weft_document_next(item)) {
        const weft_document_node *source = weft_document_first(weft_document_first(item));
        for (; source != NULL; source = weft_document_next(source)) {
            WEFT_TRY(check_start(graph, source, error));
        }
    }
    for (item = weft_document_first(rules->branches); item != NULL;
         item = weft_document_next(item)) {
        WEFT_TRY(check_start(graph, weft_document_get(item, "from"), error));
    }
    return WEFT_OK;
}

static const weft_document_node *second(const weft_document_node *pair) {
    return weft_document_next(weft_document_first(pair));
}

// Marks the nodes that a branch without a path map reaches: all but its own source. `*but`: source
// of the first such branch, the only node that later ones can add; else WEFT_GRAPH_NONE.
static void reach_anywhere(const weft_graph *graph, const weft_document_node *branch, uint32_t *but,
                           uint8_t *reached) {
    uint32_t source = weft_graph_named(graph, weft_document_get(branch, "from"));
    if (*but != WEFT_GRAPH_NONE) {
        reached[*but] |= *but != source;
        return;
    }
    *but = source;
    uint8_t known = reached[source];
    memset(reached, 1, graph->node_count);
    reached[source] = known;
}

static weft_status visit_end(const weft_graph *graph, const weft_document_node *target,
                             uint8_t *reached, weft_graph_error *error) {
    uint32_t node = weft_graph_named(graph, target);
    if (node != WEFT_GRAPH_NONE && node != 0) { // START is never an end
        reached[node] = 1;
        return WEFT_OK;
    }
    return error == NULL || weft_graph_is_end(weft_graph_text(target))
               ? WEFT_OK
               : refuse(WEFT_ERR_UNKNOWN_EDGE_END, target, error);
}

// Marks the reachable nodes; with `error` the ends must exist too.
static weft_status visit_ends(const weft_graph *graph, const weft_graph_rules *rules,
                              uint8_t *reached, weft_graph_error *error) {
    const weft_document_node *const pairs[] = {rules->edges, rules->joins};
    const weft_document_node *const maps[] = {rules->branches, rules->nodes};
    const weft_document_node *item;
    uint32_t but = WEFT_GRAPH_NONE;
    for (uint32_t i = 0; i < 2; i++) {
        for (item = weft_document_first(pairs[i]); item != NULL; item = weft_document_next(item)) {
            WEFT_TRY(visit_end(graph, second(item), reached, error));
        }
    }
    for (uint32_t is_node = 0; is_node < 2; is_node++) {
        for (item = weft_document_first(maps[is_node]); item != NULL;
             item = weft_document_next(item)) {
            const weft_document_node *ends = weft_document_get(item, "ends");
            if (!is_node && weft_document_kind(ends) != WEFT_JSON_ARRAY) {
                reach_anywhere(graph, item, &but, reached);
            }
            for (ends = weft_document_first(ends); ends != NULL; ends = weft_document_next(ends)) {
                WEFT_TRY(visit_end(graph, is_node ? ends : second(ends), reached, error));
            }
        }
    }
    return WEFT_OK;
}

static weft_status check_stops(const weft_graph *graph, const weft_document_node *names,
                               weft_graph_error *error) {
    if (weft_document_kind(names) != WEFT_JSON_ARRAY) {
        return WEFT_OK;
    }
    for (const weft_document_node *item = weft_document_first(names); item != NULL;
         item = weft_document_next(item)) {
        uint32_t node = weft_graph_named(graph, item);
        if (node == WEFT_GRAPH_NONE || node == 0) {
            return refuse(WEFT_ERR_UNKNOWN_INTERRUPT_NODE, item, error);
        }
    }
    return WEFT_OK;
}

weft_status weft_graph_validate(const weft_graph *graph, const weft_graph_rules *rules,
                                uint8_t *reached, weft_graph_error *error) {
    WEFT_TRY(check_starts(graph, rules, error));
    WEFT_TRY(visit_ends(graph, rules, reached, NULL));
    for (uint32_t i = 1; i < graph->node_count; i++) {
        if (!reached[i]) {
            error->words[0] = graph->nodes[i].name;
            error->count = 1;
            return WEFT_ERR_UNREACHABLE_NODE;
        }
    }
    WEFT_TRY(visit_ends(graph, rules, reached, error));
    WEFT_TRY(check_stops(graph, rules->before, error));
    return check_stops(graph, rules->after, error);
}
