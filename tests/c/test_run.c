// SPDX-License-Identifier: MIT
// Runs under refused memory: every page of tests/spec is played while the n-th allocation fails,
// once and from n on. Nothing may crash, leak or go unreported, and afterwards the engine plays the
// page normally. Serves: T3 (graphs, runs, interrupts, recovery, snapshots, updates, rewritten
// logs, tools, schemas).
#include "figure.h"

#include "../spec/script.h"

static const char *const pages[] = {
    "apply-order", "breakpoints",  "chain",     "durability", "failure",      "interrupt",
    "messages",    "recovery",     "recursion", "refusals",   "retry",        "calls",
    "rules",       "cache",        "limits",    "sends",      "streams",      "update",
    "inside",      "own",          "ledger",    "ledger-two", "ledger-kinds", "ledger-answers",
    "approval",    "approval-two", "fork",      "bulk",       "answers",      "compaction",
    "channels",    "defer",        "branches",  "namespaces", "handlers",     "tools",
    "schemas",     "caches",       "made-of",   "elsewhere",  "ledger-kept",  "list-snapshots",
    "stops",       "updates",      "rewritten",
};

static char *read_script(const char *name) {
    static char text[1 << 16];
    char path[256];
    snprintf(path, sizeof(path), "tests/spec/%s.md", name);
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[length] = '\0';
    char *start = strstr(text, "```script\n");
    REQUIRE(start != NULL);
    start += strlen("```script\n");
    *strstr(start, "\n```") = '\0';
    return start;
}

// The next line of what a page says that is not about the log; NULL at the end.
static const char *next_deed(const char **at) {
    const char *line = *at;
    while (line != NULL && *line != '\0') {
        const char *end = strchr(line, '\n') + 1;
        *at = end;
        if (strncmp(line, "SAVE", 4) != 0 && strncmp(line, "STORED", 6) != 0 &&
            strncmp(line, "REWRITE", 7) != 0) {
            return line;
        }
        line = end;
    }
    return NULL;
}

// Without memory for it a list, or what is made of another text, is written out again: what happens
// is the same.
static int does_the_same(const char *said, const char *sound) {
    const char *a, *b;
    do {
        a = next_deed(&said);
        b = next_deed(&sound);
    } while (a != NULL && b != NULL && said - a == sound - b &&
             strncmp(a, b, (size_t)(said - a)) == 0);
    return a == NULL && b == NULL;
}

static size_t injected;

static void play_with_failures(const char *name, int from) {
    static page played;
    char *script = read_script(name);
    test_fail_never();
    page_play(&played, test_memory(), script);
    char *sound = played.out;
    for (size_t n = 1; n < 100000; n++) {
        weft_memory *memory = test_memory();
        memory->exact = !from || getenv("WEFT_LONG") != NULL;
        if (from) {
            test_fail_from(n);
        } else {
            test_fail_at(n);
        }
        page_play(&played, memory, script);
        int failed = test_has_failed();
        int may_be_whole = strcmp(name, "list-snapshots") == 0 || strcmp(name, "made-of") == 0;
        int reported = played.failed || (may_be_whole && does_the_same(played.out, sound));
        // T3's planted bug: memory that is forgotten when other memory is refused.
        void *forgotten = failed && test_is_broken("T3") ? malloc(1) : NULL;
        test_state.live += forgotten != NULL;
        int leaked = test_state.live != 0;
        if (failed && (!reported || leaked)) {
            fprintf(stderr, "%s", played.out == NULL ? "" : played.out);
        }
        free(played.out);
        CHECK_EQ(test_state.live, 0);
        test_state.live -= forgotten != NULL;
        free(forgotten);
        if (!failed) {
            break;
        }
        injected++;
        if (!reported || leaked) {
            fprintf(stderr, "page %s, allocation %zu%s: %s\n", name, n, from ? " on" : "",
                    reported ? "leaked" : "the failure was not reported");
            CHECK(reported);
            break;
        }
    }
    free(sound);
}

// WEFT_PAGES=ledger: only the pages whose names begin so.
TEST(every_page_survives_every_refused_allocation) {
    const char *only = getenv("WEFT_PAGES");
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (only == NULL || strncmp(pages[i], only, strlen(only)) == 0) {
            play_with_failures(pages[i], 0);
            play_with_failures(pages[i], 1);
        }
    }
    if (only != NULL) {
        return;
    }
    test_figure("T3", "refused allocations", injected);
    test_figure("T3", "pages", sizeof(pages) / sizeof(pages[0]));
}

#define LONG_TEXT "one-two-three-four-five-six-seven-eight-nine-ten-eleven-twelve-"
#define LONGER                                                                                     \
    LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT      \
        LONG_TEXT

// What a graph inside could not save is in no record that the run around it writes: it ends too, or
// its thread is sound.
TEST(what_a_graph_inside_lost_is_referred_to_nowhere) {
    static const char inside[] =
        "graph "
        "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],\"nodes\":[{\"name\":\"a\"},{\"name\":"
        "\"b\"}],"
        "\"edges\":[[\"__start__\",\"a\"],[\"a\",\"b\"],[\"b\",\"__end__\"]],\"output\":[\"n\"]}\n"
        "inner "
        "{\"channels\":[{\"name\":\"m\",\"kind\":\"last\"},{\"name\":\"o\",\"kind\":\"last\"}],"
        "\"nodes\":[{\"name\":\"x\"},{\"name\":\"y\"},{\"name\":\"z\"}],"
        "\"edges\":[[\"__start__\",\"x\"],[\"x\",\"y\"],[\"x\",\"z\"]],\"output\":[\"m\"]}\n"
        "thread t\nstart invoke\ninput write 1 \"x\"\ngo\nresult 0 1\ngo\nchild 0 1 invoke updates "
        "tasks checkpoints\ninput write 2 \"in\"\ngo\n"
        "result 0 1 write 0 \"" LONGER "\" write 1 \"" LONG_TEXT LONGER
        "\"\ngo\nresult 0 1\nresult 1 1\ngo\n";
    static const char around[] =
        "outer\nresult 0 1 write 0 \"" LONGER "\"\ngo\nresult 0 1\ngo\nreopen\nstart state\ngo";
    static page played;
    test_fail_never();
    page_prepare(&played, test_memory());
    page_lines(&played, inside);
    page_lines(&played, around);
    page_dispose(&played);
    char *all = played.out;
    const char *expected = strstr(all, "SNAPSHOT step 2");
    REQUIRE(expected != NULL);
    size_t lost = 0, gone_on = 0;
    for (size_t n = 1, failed = 1; failed; n++) {
        test_fail_at(n);
        page_prepare(&played, test_memory());
        page_lines(&played, inside);
        failed = (size_t)test_has_failed();
        test_fail_never();
        if (!failed || played.depth > 0) {
            lost += failed;
            played.failed = 0;
            page_lines(&played, around);
            int sound = strstr(played.out, expected) != NULL;
            gone_on += (size_t)sound;
            if (!sound && !played.failed) {
                fprintf(stderr, "allocation %zu:\n%s", n, played.out);
            }
            CHECK(sound || played.failed);
        }
        page_dispose(&played);
        free(played.out);
        CHECK_EQ(test_state.live, 0);
    }
    free(all);
    CHECK(lost > 20 && gone_on > 1);
}

// What a page prints is the same for every seed: tests/spec plays them all from memory with none.
TEST(a_run_seeds_the_maps_of_its_memory) {
    static page played, again;
    char *script = read_script("messages");
    weft_memory *memory = test_memory();
    memory->seed = 0;
    page_play(&played, memory, script);
    CHECK(memory->seed != 0);
    memory->seed = UINT64_C(0x123456789abcdef);
    page_play(&again, memory, script);
    CHECK(does_the_same(played.out, again.out));
    CHECK(memory->seed != UINT64_C(0x123456789abcdef));
    memory->seed = 0;
    free(played.out);
    free(again.out);
}

TEST(a_budget_is_an_error_with_a_code) {
    static page played;
    weft_memory *memory = test_memory();
    memory->budget = 8000;
    page_play(&played, memory, read_script("chain"));
    CHECK(played.failed);
    free(played.out);
}

TEST(stale_handles_are_refused) {
    weft_engine *engine = weft_engine_new(test_memory());
    REQUIRE(engine != NULL);
    const char *definition = "{\"channels\":[],\"nodes\":[]}";
    int graph = weft_engine_graph_new(engine, definition, strlen(definition));
    CHECK(graph > 0);
    CHECK_EQ(weft_engine_graph_free(engine, graph), 0);
    CHECK_EQ(weft_engine_graph_free(engine, graph), WEFT_ERR_STALE_HANDLE);
    CHECK_EQ(weft_engine_run_new(engine, graph, 0), WEFT_ERR_STALE_HANDLE);
    int again = weft_engine_graph_new(engine, definition, strlen(definition));
    CHECK(again > 0 && again != graph);
    CHECK_EQ(weft_engine_run_free(engine, again), WEFT_ERR_STALE_HANDLE);
    CHECK_EQ(weft_engine_thread_open(engine, "", 0), WEFT_ERR_ARGUMENT);
    CHECK(weft_engine_run_feed(engine, 77, NULL, 0) == NULL);
    weft_engine_free(engine);
}
