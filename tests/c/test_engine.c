// SPDX-License-Identifier: MIT
// The engine's own interface: its numbers about itself, and handles to nothing, to another kind of
// object or to a freed one. Serves docs/reliability.md 1 (5).
#include "test.h"

#include "base/ops.h"
#include "base/status.h"
#include "weft.h"

static const char GRAPH[] =
    "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],\"nodes\":[{\"name\":\"a\"}],\"edges\":[["
    "\"__start__\",\"a\"]],\"output\":[\"n\"]}";

TEST(what_an_engine_says_of_itself) {
    weft_memory *memory = test_memory();
    weft_engine *engine = weft_engine_new(memory);
    REQUIRE(engine != NULL);
    CHECK(weft_engine_abi() != 0 && weft_engine_abi() != 2166136261u);
    CHECK_EQ(weft_engine_live(engine), 0);
    CHECK_EQ(weft_engine_bytes(engine), memory->live);
    int thread = weft_engine_thread_open(engine, "t", 1);
    CHECK(thread > 0 && weft_engine_bytes(engine) == memory->live);
    CHECK_EQ(weft_engine_route_model(WEFT_REACT_AI_LAST, 1), WEFT_ROUTE_TOOLS);
    CHECK_EQ(weft_engine_route_guard(WEFT_REACT_HAS_REMAINING, 1, 1), WEFT_ROUTE_MORE_STEPS);
    CHECK_EQ(weft_engine_route_tools(WEFT_REACT_DIRECT_HIT), WEFT_ROUTE_END);
    weft_engine_free(engine);
}

TEST(every_status_has_its_own_code) {
    static const int32_t numbers[] = {
#define X(name, number, code, class_name, text, lc_code) number,
#include "base/error_messages.def"
#undef X
    };
    static const char *const codes[] = {
#define X(name, number, code, class_name, text, lc_code) code,
#include "base/error_messages.def"
#undef X
    };
    uint32_t fatal = 0;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        CHECK_STR(weft_status_code((weft_status)numbers[i]), codes[i]);
        fatal += weft_is_fatal((weft_status)numbers[i]) != 0;
    }
    CHECK(fatal > 1 && weft_is_fatal(WEFT_ERR_NO_MEMORY) && !weft_is_fatal(WEFT_OK));
    CHECK_STR(weft_status_code((weft_status)-12345), "UNKNOWN");
}

TEST(no_handle_reaches_what_it_does_not_name) {
    weft_engine *engine = weft_engine_new(test_memory());
    REQUIRE(engine != NULL);
    int graph = weft_engine_graph_new(engine, GRAPH, strlen(GRAPH));
    int thread = weft_engine_thread_open(engine, "t", 1);
    int run = weft_engine_run_new(engine, graph, thread);
    REQUIRE(graph > 0 && thread > 0 && run > 0);
    const int wrong[] = {0, -1, INT32_MAX, 1 << 30, graph};
    const uint8_t *block = NULL;
    uint32_t words[4] = {0};
    uint64_t seq;
    uint32_t crc;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        CHECK_EQ(weft_engine_thread_free(engine, wrong[i]), WEFT_ERR_STALE_HANDLE);
        CHECK_EQ(weft_engine_thread_reset(engine, wrong[i]), WEFT_ERR_STALE_HANDLE);
        CHECK_EQ(weft_engine_thread_head(engine, wrong[i], &seq, &crc), WEFT_ERR_STALE_HANDLE);
        CHECK(weft_engine_thread_rewrite(engine, wrong[i], words, 4) == NULL);
        CHECK_EQ(weft_engine_run_new(engine, wrong[i], thread) > 0, wrong[i] == graph);
        CHECK_EQ(weft_engine_run_new(engine, graph, wrong[i]) > 0, wrong[i] == 0);
        CHECK_EQ(weft_engine_run_child(engine, graph, thread, wrong[i], 0, 1, 0),
                 WEFT_ERR_STALE_HANDLE);
        CHECK(weft_engine_run_load(engine, wrong[i], 8) == NULL);
        CHECK(weft_engine_run_feed(engine, wrong[i], words, 4) == NULL);
        CHECK(weft_engine_run_next(engine, wrong[i]) == NULL);
        CHECK(weft_engine_run_ask(engine, wrong[i], 0, 1, 0) == NULL);
        CHECK_EQ(weft_engine_run_spend(engine, wrong[i], 0, 1, "", 0), WEFT_ERR_STALE_HANDLE);
        CHECK(weft_engine_toolset_plan(engine, wrong[i], words, 4) == NULL);
        CHECK_EQ(weft_engine_schema_check(engine, wrong[i], words, 4, 0, 0, 0, &block),
                 WEFT_ERR_STALE_HANDLE);
        CHECK(block == NULL);
    }
    // A handle of a slot that another one has by now.
    CHECK_EQ(weft_engine_run_free(engine, run), WEFT_OK);
    int again = weft_engine_run_new(engine, graph, thread);
    CHECK(again > 0 && again != run && (again & 0xfff) == (run & 0xfff));
    CHECK(weft_engine_run_next(engine, run) == NULL);
    // What waits for nothing is not given a log.
    CHECK(weft_engine_run_load(engine, again, 8) == NULL);
    weft_engine_free(engine);
}
