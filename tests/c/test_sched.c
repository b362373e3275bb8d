// SPDX-License-Identifier: MIT
// The end of a step alone: what is updated, and by which task. Whole steps are tested in
// tests/spec. Serves: docs/semantics.md 8 (order of writes, finish).
#include "test.h"

#include "base/ops.h"
#include "sched/apply.h"

static weft_values values;

static weft_state *make(const char *json) {
    weft_graph *graph;
    weft_graph_error error;
    weft_state *state;
    REQUIRE_EQ(weft_graph_define(test_memory(), json, strlen(json), &graph, &error), WEFT_OK);
    weft_values_init(&values, test_memory());
    REQUIRE_EQ(weft_state_new(test_memory(), &values, graph, &state), WEFT_OK);
    weft_graph_release(graph);
    return state;
}

static void drop(weft_state *state, weft_arena *arena) {
    weft_arena_fini(arena);
    weft_state_free(state);
    weft_values_fini(&values);
}

// What the host answers for each channel of its own.
static void answer(weft_apply *apply, uint8_t told) {
    for (uint32_t i = 0; i < apply->group_count; i++) {
        apply->groups[i].known = 1;
        apply->groups[i].folded = WEFT_WORD_NULL;
        apply->groups[i].reduced = told;
    }
}

// A class of the host's own may be updated by its writes and by the end of the same step.
TEST(a_channel_is_among_the_updated_ones_once) {
    enum { HOSTS = 40 };
    char json[4000] = "{\"input\":\"h\",\"channels\":[";
    for (int i = 0; i < HOSTS; i++) {
        sprintf(json + strlen(json), "%s{\"name\":\"h%d\",\"kind\":\"host\"}", i == 0 ? "" : ",",
                i);
    }
    strcat(json, "],\"nodes\":[{\"name\":\"n\",\"triggers\":[]}]}");
    weft_state *state = make(json);
    weft_arena arena;
    weft_apply apply;
    weft_write writes[HOSTS];
    weft_task task = {.kind = WEFT_TASK_PUSH, .node = 1, .writes = writes, .write_count = HOSTS};
    weft_arena_init(&arena, test_memory());
    for (uint32_t i = 0; i < HOSTS; i++) {
        writes[i] = (weft_write){.channel = i, .word = WEFT_WORD_NULL};
    }
    REQUIRE_EQ(weft_apply_group(&apply, state, &arena, &task, 1), WEFT_OK);
    answer(&apply, WEFT_REDUCED_UPDATED | WEFT_REDUCED_AVAILABLE);
    REQUIRE_EQ(weft_apply_commit(&apply, state), WEFT_OK);
    CHECK_EQ(state->updated_count, HOSTS);
    CHECK(apply.finishes);
    answer(&apply, WEFT_REDUCED_UPDATED | WEFT_REDUCED_AVAILABLE);
    weft_apply_finish(&apply, state);
    CHECK_EQ(state->updated_count, HOSTS);
    weft_apply_fini(&apply, state);
    // What only the end makes available is added then.
    REQUIRE_EQ(weft_apply_group(&apply, state, &arena, &task, 1), WEFT_OK);
    answer(&apply, WEFT_REDUCED_UPDATED);
    REQUIRE_EQ(weft_apply_commit(&apply, state), WEFT_OK);
    CHECK_EQ(state->updated_count, 0);
    answer(&apply, WEFT_REDUCED_UPDATED | WEFT_REDUCED_AVAILABLE);
    weft_apply_finish(&apply, state);
    CHECK_EQ(state->updated_count, HOSTS);
    weft_apply_fini(&apply, state);
    drop(state, &arena);
}

TEST(tasks_are_applied_in_the_order_of_their_paths) {
    static const uint32_t KINDS[] = {WEFT_TASK_CALL, WEFT_TASK_HANDLER, WEFT_TASK_PUSH,
                                     WEFT_TASK_PUSH, WEFT_TASK_PULL,    WEFT_TASK_CALL,
                                     WEFT_TASK_PULL, WEFT_TASK_INPUT};
    static const uint32_t ORDER[] = {7, 6, 4, 1, 3, 2, 0, 5};
    weft_state *state = make("{\"channels\":[{\"name\":\"c\",\"kind\":\"last\"}],\"nodes\":[{"
                             "\"name\":\"b\"},{\"name\":\"a\"}],"
                             "\"edges\":[[\"__start__\",\"a\"],[\"__start__\",\"b\"]]}");
    weft_arena arena;
    weft_apply apply;
    weft_task tasks[8] = {{.node = 0}};
    weft_arena_init(&arena, test_memory());
    for (uint32_t i = 0; i < 8; i++) {
        tasks[i].kind = KINDS[i];
        tasks[i].node = i == 4 ? 1 : 2; // b before a, and the other way round by name
        tasks[i].push_index = 10 - i;
    }
    tasks[1].push_index = 3; // what failed is the Send
    REQUIRE_EQ(weft_apply_group(&apply, state, &arena, tasks, 8), WEFT_OK);
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_EQ(apply.order[i] - tasks, ORDER[i]);
    }
    weft_apply_fini(&apply, state);
    drop(state, &arena);
}
