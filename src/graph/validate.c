// SPDX-License-Identifier: MIT
// The rules of building a graph, in LangGraph's order: starts, reach, ends, breakpoints.
#include "graph.h"

#include <string.h>

static weft_log_text text_of(const weft_document_node *node) {
    weft_log_text text = {NULL, 0};
    text.bytes = (const uint8_t *)weft_document_string(node, &text.length);
    return text;
}

static weft_status refuse(weft_status status, weft_log_text name, weft_graph_error *error) {
    error->words[0] = name;
    error->count = 1;
    return status;
}

static weft_status check_start(const weft_graph *graph, weft_log_text name, weft_graph_error *error) {
    return weft_graph_node(graph, name) == WEFT_GRAPH_NONE ? refuse(WEFT_ERR_UNKNOWN_EDGE_START, name, error) : WEFT_OK;
}

static weft_status check_starts(const weft_graph *graph, const weft_graph_rules *rules, weft_graph_error *error) {
    const weft_document_node *item;
    for (item = weft_document_first(rules->edges); item != NULL; item = weft_document_next(item)) {
        WEFT_TRY(check_start(graph, text_of(weft_document_first(item)), error));
    }
    for (item = weft_document_first(rules->joins); item != NULL; item = weft_document_next(item)) {
        const weft_document_node *source = weft_document_first(weft_document_first(item));
        for (; source != NULL; source = weft_document_next(source)) {
            WEFT_TRY(check_start(graph, text_of(source), error));
        }
    }
    for (item = weft_document_first(rules->branches); item != NULL; item = weft_document_next(item)) {
        WEFT_TRY(check_start(graph, text_of(weft_document_get(item, "from")), error));
    }
    return WEFT_OK;
}

static void reach(const weft_graph *graph, const weft_document_node *target, uint8_t *reached) {
    uint32_t node = weft_graph_node(graph, text_of(target));
    if (node != WEFT_GRAPH_NONE) {
        reached[node] = 1;
    }
}

static const weft_document_node *second(const weft_document_node *pair) {
    return weft_document_next(weft_document_first(pair));
}

// A branch without a path map may go anywhere but to its own source.
static void reach_anywhere(const weft_graph *graph, weft_log_text from, uint8_t *reached) {
    uint32_t source = weft_graph_node(graph, from);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (i != source) {
            reached[i] = 1;
        }
    }
}

static void mark_reached(const weft_graph *graph, const weft_graph_rules *rules, uint8_t *reached) {
    const weft_document_node *item;
    const weft_document_node *end;
    for (item = weft_document_first(rules->edges); item != NULL; item = weft_document_next(item)) {
        reach(graph, second(item), reached);
    }
    for (item = weft_document_first(rules->joins); item != NULL; item = weft_document_next(item)) {
        reach(graph, second(item), reached);
    }
    for (item = weft_document_first(rules->branches); item != NULL; item = weft_document_next(item)) {
        const weft_document_node *ends = weft_document_get(item, "ends");
        if (weft_document_kind(ends) != WEFT_JSON_ARRAY) {
            reach_anywhere(graph, text_of(weft_document_get(item, "from")), reached);
        }
        for (end = weft_document_first(ends); end != NULL; end = weft_document_next(end)) {
            reach(graph, second(end), reached);
        }
    }
    for (item = weft_document_first(rules->nodes); item != NULL; item = weft_document_next(item)) {
        end = weft_document_first(weft_document_get(item, "ends"));
        for (; end != NULL; end = weft_document_next(end)) {
            reach(graph, end, reached);
        }
    }
}

static weft_status check_end(const weft_graph *graph, const weft_document_node *target, weft_graph_error *error) {
    weft_log_text name = text_of(target);
    if (weft_graph_is_end(name) || weft_graph_node(graph, name) != WEFT_GRAPH_NONE) {
        return WEFT_OK;
    }
    return refuse(WEFT_ERR_UNKNOWN_EDGE_END, name, error);
}

static weft_status check_ends(const weft_graph *graph, const weft_graph_rules *rules, weft_graph_error *error) {
    const weft_document_node *item;
    const weft_document_node *end;
    for (item = weft_document_first(rules->edges); item != NULL; item = weft_document_next(item)) {
        WEFT_TRY(check_end(graph, second(item), error));
    }
    for (item = weft_document_first(rules->joins); item != NULL; item = weft_document_next(item)) {
        WEFT_TRY(check_end(graph, second(item), error));
    }
    for (item = weft_document_first(rules->branches); item != NULL; item = weft_document_next(item)) {
        end = weft_document_first(weft_document_get(item, "ends"));
        for (; end != NULL; end = weft_document_next(end)) {
            WEFT_TRY(check_end(graph, second(end), error));
        }
    }
    for (item = weft_document_first(rules->nodes); item != NULL; item = weft_document_next(item)) {
        end = weft_document_first(weft_document_get(item, "ends"));
        for (; end != NULL; end = weft_document_next(end)) {
            WEFT_TRY(check_end(graph, end, error));
        }
    }
    return WEFT_OK;
}

static weft_status check_stops(const weft_graph *graph, const weft_document_node *names, weft_graph_error *error) {
    if (weft_document_kind(names) != WEFT_JSON_ARRAY) {
        return WEFT_OK;
    }
    for (const weft_document_node *item = weft_document_first(names); item != NULL; item = weft_document_next(item)) {
        weft_log_text name = text_of(item);
        uint32_t node = weft_graph_node(graph, name);
        if (node == WEFT_GRAPH_NONE || node == 0) {
            return refuse(WEFT_ERR_UNKNOWN_INTERRUPT_NODE, name, error);
        }
    }
    return WEFT_OK;
}

weft_status weft_graph_validate(const weft_graph *graph, const weft_graph_rules *rules, uint8_t *reached,
                                weft_graph_error *error) {
    WEFT_TRY(check_starts(graph, rules, error));
    mark_reached(graph, rules, reached);
    for (uint32_t i = 1; i < graph->node_count; i++) {
        if (!reached[i]) {
            return refuse(WEFT_ERR_UNREACHABLE_NODE, graph->nodes[i].name, error);
        }
    }
    WEFT_TRY(check_ends(graph, rules, error));
    WEFT_TRY(check_stops(graph, rules->before, error));
    return check_stops(graph, rules->after, error);
}
