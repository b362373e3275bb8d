// SPDX-License-Identifier: MIT
// Graphs as defined: numbers, triggers, ranks in JavaScript's string order. The building rules have
// a spec page. Serves: docs/semantics.md 5 (channels, edges, joins), 9 (candidates by name).
#include "test.h"

#include "graph/graph.h"

static weft_log_text text(const char *bytes) {
    return (weft_log_text){(const uint8_t *)bytes, (uint32_t)strlen(bytes)};
}

TEST(names_compare_by_utf16_units) {
    // U+FF5E sorts after U+1F600 in JavaScript, whose first unit is 0xD83D; in UTF-8 bytes it is
    // the other way round.
    static const char *sorted[] = {"",
                                   "A",
                                   "a",
                                   "aa",
                                   "b",
                                   "\xc3\xa9",
                                   "\xe4\xb8\xad",
                                   "\xed\x9f\xbf",
                                   "\xf0\x9f\x98\x80",
                                   "\xf4\x8f\xbf\xbf",
                                   "\xee\x80\x80",
                                   "\xef\xbd\x9e"};
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
    weft_graph *graph =
        define("{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],"
               "\"nodes\":[{\"name\":\"b\"},{\"name\":\"a\"},{\"name\":\"c\",\"defer\":true}],"
               "\"edges\":[[\"__start__\",\"b\"],[\"__start__\",\"a\"],[\"__start__\",\"a\"],["
               "\"a\",\"__end__\"]],"
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
    CHECK(graph->nodes[2].rank < graph->nodes[1].rank &&
          graph->nodes[1].rank < graph->nodes[3].rank);
    CHECK_EQ(weft_graph_node(graph, text("c")), 3);
    CHECK_EQ(weft_graph_node(graph, text("nobody")), WEFT_GRAPH_NONE);
    weft_graph_release(graph);
}

TEST(names_are_escaped_as_json_does) {
    weft_graph *graph =
        define("{\"channels\":[],\"nodes\":[{\"name\":\"q\\\"\\\\\\n\\u0001\\u00e9\"}],"
               "\"edges\":[[\"__start__\",\"q\\\"\\\\\\n\\u0001\\u00e9\"]]}");
    CHECK_TEXT(graph->nodes[1].json.bytes, graph->nodes[1].json.length,
               "\"q\\\"\\\\\\n\\u0001\xc3\xa9\"");
    weft_graph_release(graph);
}

// Of a definition that is refused: the code, and the error's words behind each other.
static void check_refused(const char *json, size_t size, weft_status status, const char *words) {
    weft_graph *graph;
    weft_graph_error error;
    char told[200] = "";
    CHECK_EQ(weft_graph_define(test_memory(), json, size, &graph, &error), status);
    for (uint32_t i = 0; i < error.count; i++) {
        sprintf(told + strlen(told), "%s%.*s", i == 0 ? "" : "|", (int)error.words[i].length,
                (const char *)error.words[i].bytes);
    }
    CHECK_STR(told, words);
    weft_graph_release(graph);
}

#define REFUSED(json, status, words) check_refused(json, sizeof(json) - 1, status, words)

TEST(a_refused_definition_says_why) {
    REFUSED("{\"a\":x}", WEFT_ERR_JSON_SYNTAX, "5|a value is expected");
    REFUSED("{\"channels\":[{\"name\":\"a\\\"\\u0000\",\"kind\":\"last\"}]}", WEFT_ERR_BAD_STRING,
            "\"a\\\"\\u0000\"|a string with U+0000 or half a surrogate pair");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"]],"
            "\"branches\":[{\"from\":\"a\",\"ends\":[5]}]}",
            WEFT_ERR_UNKNOWN_EDGE_END, "");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[5]}",
            WEFT_ERR_UNKNOWN_EDGE_START, "");
    REFUSED(
        "{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"],[\"a\"]]}",
        WEFT_ERR_UNKNOWN_EDGE_END, "");
    size_t size = 17u << 20;
    char *text = malloc(size);
    memset(text, ' ', size);
    check_refused(text, size, WEFT_ERR_JSON_SIZE, "16777216|");
    free(text);
}

TEST(each_part_of_a_definition_is_looked_at) {
    REFUSED("{}", WEFT_ERR_BAD_DEFINITION, "channels and nodes must be lists");
    REFUSED("{\"channels\":[]}", WEFT_ERR_BAD_DEFINITION, "channels and nodes must be lists");
    REFUSED("{\"nodes\":[],\"channels\":7}", WEFT_ERR_BAD_DEFINITION,
            "channels and nodes must be lists");
    REFUSED("{\"channels\":[{\"name\":\"a\"}],\"nodes\":[]}", WEFT_ERR_BAD_DEFINITION,
            "a channel has no name or an unknown kind");
    REFUSED("{\"channels\":[{\"name\":\"a\",\"kind\":\"\"}],\"nodes\":[]}", WEFT_ERR_BAD_DEFINITION,
            "a channel has no name or an unknown kind");
    REFUSED("{\"channels\":[{\"name\":\"a\",\"kind\":\"lost\"}],\"nodes\":[]}",
            WEFT_ERR_BAD_DEFINITION, "a channel has no name or an unknown kind");
    REFUSED("{\"channels\":[{\"kind\":\"last\"}],\"nodes\":[]}", WEFT_ERR_BAD_DEFINITION,
            "a channel has no name or an unknown kind");
    REFUSED("{\"channels\":[],\"nodes\":[{}]}", WEFT_ERR_BAD_DEFINITION, "a node needs a name");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"]],"
            "\"output\":[\"n\"]}",
            WEFT_ERR_BAD_DEFINITION, "a channel that does not exist is named");
    REFUSED("{\"input\":\"in\",\"channels\":[{\"name\":\"in\",\"kind\":\"last\"}],\"nodes\":[{"
            "\"name\":\"a\",\"triggers\":[\"out\"]}]}",
            WEFT_ERR_BAD_DEFINITION, "a channel that does not exist is named");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\",\"handler\":\"b\"}],\"edges\":[[\"__start_"
            "_\",\"a\"]]}",
            WEFT_ERR_BAD_DEFINITION, "a handler is no other node");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\",\"handler\":\"a\"}],\"edges\":[[\"__start_"
            "_\",\"a\"]]}",
            WEFT_ERR_BAD_DEFINITION, "a handler is no other node");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"]],"
            "\"joins\":[[[],\"a\"]]}",
            WEFT_ERR_BAD_DEFINITION, "a join needs sources and ends at a node");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"]],"
            "\"interruptBefore\":[\"b\"]}",
            WEFT_ERR_UNKNOWN_INTERRUPT_NODE, "b");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"]],"
            "\"interruptAfter\":[\"__start__\"]}",
            WEFT_ERR_UNKNOWN_INTERRUPT_NODE, "__start__");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"]],"
            "\"joins\":[[[\"b\"],\"a\"]]}",
            WEFT_ERR_UNKNOWN_EDGE_START, "b");
    REFUSED("{\"channels\":[],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[\"__start__\",\"a\"]],"
            "\"branches\":[{\"from\":\"b\",\"ends\":null}]}",
            WEFT_ERR_UNKNOWN_EDGE_START, "b");
}

TEST(where_a_graph_stops_stands_in_it) {
    weft_graph *graph = define(
        "{\"input\":\"in\",\"channels\":[{\"name\":\"in\",\"kind\":\"last\",\"guard\":true}],"
        "\"nodes\":[{\"name\":\"a\",\"triggers\":[\"in\"]},{\"name\":\"b\",\"triggers\":[\"in\"]}],"
        "\"inputNode\":\"b\",\"interruptBefore\":[\"b\",\"nobody\"],\"interruptAfter\":\"*\"}");
    CHECK(graph->stops && graph->input_node == 2 && graph->channels[0].rule.guard);
    CHECK(!graph->nodes[1].before && graph->nodes[2].before && graph->nodes[1].after &&
          graph->nodes[2].after && !graph->nodes[0].after);
    weft_graph_release(graph);
}

TEST(a_low_level_graph_has_no_joins_of_its_own) {
    weft_graph *graph =
        define("{\"input\":\"in\",\"channels\":[{\"name\":\"in\",\"kind\":\"last\"}],"
               "\"nodes\":[{\"name\":\"a\",\"triggers\":[\"in\",\"in\"]}],\"joins\":[[[\"a\"],"
               "\"a\"]],\"branches\":[{}]}");
    CHECK_EQ(graph->channel_count, 2);
    CHECK_EQ(graph->join_count + graph->branch_count, 0);
    CHECK_TEXT(graph->channels[1].name.bytes, graph->channels[1].name.length, "__pregel_tasks");
    weft_graph_release(graph);
}

// Each node leads to each: as edges, by handlers, by conditions that may go anywhere. Time grows
// with the definition.
TEST(a_wide_graph_is_defined_in_linear_time) {
    enum { NODES = 60000 };
    char *text = malloc(NODES * 120);
    size_t size = (size_t)sprintf(text, "{\"channels\":[],\"nodes\":[{\"name\":\"h\"}");
    for (int i = 0; i < NODES; i++) {
        size += (size_t)sprintf(text + size, ",{\"name\":\"n%d\",\"handler\":\"h\"}", i);
    }
    size += (size_t)sprintf(text + size, "],\"edges\":[[\"__start__\",\"h\"]");
    for (int i = 0; i < NODES; i++) {
        size += (size_t)sprintf(text + size, ",[\"h\",\"n%d\"],[\"h\",\"n%d\"]", i, i / 2);
    }
    size += (size_t)sprintf(text + size, "],\"branches\":[{\"from\":\"h\"}");
    for (int i = 0; i < NODES; i++) {
        size += (size_t)sprintf(text + size, ",{\"from\":\"n%d\"}", i);
    }
    strcpy(text + size, "]}");
    weft_graph *graph = define(text);
    CHECK_EQ(graph->nodes[1].edge_count, NODES);
    CHECK_EQ(graph->nodes[1].edges[1], graph->nodes[3].channel);
    weft_graph_release(graph);
    free(text);
}

TEST(a_condition_reaches_all_but_its_own_node) {
    static const char ONE[] = "{\"channels\":[],\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
                              "\"branches\":[{\"from\":\"a\"}]}";
    static const char TWO[] = "{\"channels\":[],\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
                              "\"branches\":[{\"from\":\"a\"},{\"from\":\"a\"},{\"from\":\"b\"}]}";
    REFUSED(ONE, WEFT_ERR_UNREACHABLE_NODE, "a");
    weft_graph_release(define(TWO));
}

static void define_once(void *context) {
    const char *json = context;
    weft_graph *graph;
    weft_graph_error error;
    weft_status status = weft_graph_define(test_memory(), json, strlen(json), &graph, &error);
    CHECK(status == WEFT_OK ? !test_has_failed()
                            : status == WEFT_ERR_NO_MEMORY && test_has_failed());
    weft_graph_release(graph);
}

TEST(refused_memory_is_told_and_leaves_nothing) {
    test_each_failure(
        define_once,
        "{\"channels\":[{\"name\":\"n\",\"kind\":\"messages\"}],\"nodes\":[{\"name\":\"a\"},"
        "{\"name\":\"b\"}],\"edges\":[[\"__start__\",\"a\"]],\"joins\":[[[\"a\"],\"b\"]],"
        "\"branches\":[{\"from\":\"a\",\"ends\":[[\"x\",\"b\"]]}],\"output\":[\"n\"]}");
}
