// SPDX-License-Identifier: MIT
// Graphs as defined: numbers, triggers, ranks in JavaScript's order of strings. The rules of building have a spec page.
// Serves: SEMANTICS 5 (channels, edges, joins), 9 (candidates by name).
#include "test.h"

#include "graph/graph.h"

static weft_log_text text(const char *bytes) {
    return (weft_log_text){(const uint8_t *)bytes, (uint32_t)strlen(bytes)};
}

TEST(names_compare_by_utf16_units) {
    // U+FF5E sorts after U+1F600 in JavaScript, whose first unit is 0xD83D; in UTF-8 bytes it is the other way round.
    static const char *sorted[] = {"", "A", "a", "aa", "b", "\xc3\xa9", "\xe4\xb8\xad", "\xed\x9f\xbf",
                                   "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xee\x80\x80", "\xef\xbd\x9e"};
    uint32_t count = sizeof(sorted) / sizeof(sorted[0]);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t n = 0; n < count; n++) {
            int found = weft_graph_compare(text(sorted[i]), text(sorted[n]));
            CHECK_EQ((found > 0) - (found < 0), (i > n) - (i < n));
        }
    }
}

static weft_graph *define(const char *json) {
    weft_graph *graph;
    weft_graph_error error;
    REQUIRE_EQ(weft_graph_define(test_memory(), json, strlen(json), &graph, &error), WEFT_OK);
    return graph;
}

TEST(edges_become_channels_that_trigger) {
    weft_graph *graph = define("{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],"
                               "\"nodes\":[{\"name\":\"b\"},{\"name\":\"a\"},{\"name\":\"c\",\"defer\":true}],"
                               "\"edges\":[[\"__start__\",\"b\"],[\"__start__\",\"a\"],[\"__start__\",\"a\"],[\"a\",\"__end__\"]],"
                               "\"joins\":[[[\"a\",\"b\"],\"c\"]],\"output\":[\"n\"]}");
    CHECK_EQ(graph->user_channels, 1);
    CHECK_EQ(graph->node_count, 4);
    CHECK_EQ(graph->channel_count, 1 + 4 + 1 + 1);
    CHECK_TEXT(graph->channels[1].name.bytes, graph->channels[1].name.length, "__start__");
    CHECK_TEXT(graph->channels[2].name.bytes, graph->channels[2].name.length, "branch:to:b");
    CHECK_TEXT(graph->channels[5].name.bytes, graph->channels[5].name.length, "join:a+b:c");
    CHECK_EQ(graph->channels[5].rule.kind, WEFT_CHANNEL_BARRIER_AFTER_FINISH);
    CHECK_EQ(graph->channels[4].rule.kind, WEFT_CHANNEL_LAST_AFTER_FINISH);
    CHECK_EQ(graph->tasks_channel, 6);
    CHECK_EQ(graph->nodes[0].edge_count, 2);
    CHECK_EQ(graph->nodes[2].edge_count, 0);
    CHECK_EQ(graph->nodes[3].trigger_count, 2);
    CHECK_EQ(graph->nodes[3].triggers[0], 4);
    CHECK_EQ(graph->nodes[3].triggers[1], 5);
    CHECK_EQ(graph->channels[5].node_count, 1);
    CHECK_EQ(graph->triggered[graph->channels[5].first_node], 3);
    CHECK(graph->nodes[2].rank < graph->nodes[1].rank && graph->nodes[1].rank < graph->nodes[3].rank);
    CHECK_EQ(weft_graph_node(graph, text("c")), 3);
    CHECK_EQ(weft_graph_node(graph, text("nobody")), WEFT_GRAPH_NONE);
    weft_graph_release(graph);
}

TEST(names_are_escaped_as_json_does) {
    weft_graph *graph = define("{\"channels\":[],\"nodes\":[{\"name\":\"q\\\"\\\\\\n\\u0001\\u00e9\"}],"
                               "\"edges\":[[\"__start__\",\"q\\\"\\\\\\n\\u0001\\u00e9\"]]}");
    CHECK_TEXT(graph->nodes[1].json.bytes, graph->nodes[1].json.length, "\"q\\\"\\\\\\n\\u0001\xc3\xa9\"");
    weft_graph_release(graph);
}

static void define_once(void *context) {
    const char *json = context;
    weft_graph *graph;
    weft_graph_error error;
    weft_status status = weft_graph_define(test_memory(), json, strlen(json), &graph, &error);
    CHECK(status == WEFT_OK ? !test_has_failed() : status == WEFT_ERR_NO_MEMORY && test_has_failed());
    weft_graph_release(graph);
}

TEST(refused_memory_is_told_and_leaves_nothing) {
    test_each_failure(define_once, "{\"channels\":[{\"name\":\"n\",\"kind\":\"messages\"}],\"nodes\":[{\"name\":\"a\"},"
                                   "{\"name\":\"b\"}],\"edges\":[[\"__start__\",\"a\"]],\"joins\":[[[\"a\"],\"b\"]],"
                                   "\"branches\":[{\"from\":\"a\",\"ends\":[[\"x\",\"b\"]]}],\"output\":[\"n\"]}");
}
