// SPDX-License-Identifier: MIT
// Implements graph.h: lookup and order of names.
#include "graph.h"

#include <string.h>

int weft_graph_is_end(weft_log_text name) {
    return name.length == 7 && memcmp(name.bytes, "__end__", 7) == 0;
}

static uint32_t find(const weft_map *map, weft_log_text name) {
    uint32_t number;
    return weft_map_get(map, name.bytes, name.length, &number) ? number : WEFT_GRAPH_NONE;
}

uint32_t weft_graph_node(const weft_graph *graph, weft_log_text name) {
    return find(&graph->node_names, name);
}

weft_log_text weft_graph_text(const weft_document_node *node) {
    weft_log_text text = {NULL, 0};
    text.bytes = (const uint8_t *)weft_document_string(node, &text.length);
    return text;
}

uint32_t weft_graph_named(const weft_graph *graph, const weft_document_node *name) {
    return weft_graph_node(graph, weft_graph_text(name));
}

uint32_t weft_graph_channel(const weft_graph *graph, weft_log_text name) {
    return find(&graph->channel_names, name);
}

// Maps a UTF-8 byte so that bytes compare as UTF-16. In UTF-16 the characters above U+FFFF start
// with a surrogate, so they sort before U+E000..U+FFFF. In UTF-8 the former start with a byte >=
// 0xF0, the latter with 0xEE or 0xEF: only these lead bytes change places.
static uint32_t sort_key(uint8_t byte) {
    if (byte >= 0xf0) {
        return byte - 2u;
    }
    return byte >= 0xee ? byte + 10u : byte;
}

int weft_graph_compare(weft_log_text a, weft_log_text b) {
    uint32_t shared = a.length < b.length ? a.length : b.length;
    for (uint32_t i = 0; i < shared; i++) {
        if (a.bytes[i] != b.bytes[i]) {
            return sort_key(a.bytes[i]) < sort_key(b.bytes[i]) ? -1 : 1;
        }
    }
    return a.length == b.length ? 0 : (a.length < b.length ? -1 : 1);
}
