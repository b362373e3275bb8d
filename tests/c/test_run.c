// SPDX-License-Identifier: MIT
// The machine under refused memory: every page of tests/spec is played while the n-th allocation fails, once and from n
// on. Nothing may crash, leak or go unreported, and the engine plays the page afterwards as if nothing had happened.
// Serves: T3 (graphs, runs, interrupts, recovery, snapshots, updates, logs written anew, tools, schemas), STYLE 9.
#include "figure.h"

#include "../spec/script.h"

static const char *const pages[] = {
    "apply-order", "breakpoints", "chain", "durability", "failure", "interrupt", "messages", "recovery", "recursion",
    "refusals", "retry", "calls", "rules", "cache", "limits", "sends", "streams", "update", "inside", "own", "ledger",
    "ledger-two", "ledger-kinds", "ledger-answers", "approval", "approval-two", "fork", "bulk", "answers", "compaction",
    "channels", "defer", "branches", "namespaces", "handlers", "tools", "schemas", "caches", "made-of", "elsewhere",
    "ledger-kept", "rolls", "stops", "updates", "rewritten",
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
        if (strncmp(line, "SAVE", 4) != 0 && strncmp(line, "STORED", 6) != 0 && strncmp(line, "REWRITE", 7) != 0) {
            return line;
        }
        line = end;
    }
    return NULL;
}

// Without memory for it a list is written out again where it would be referred to: what happens is the same.
static int does_the_same(const char *said, const char *sound) {
    const char *a, *b;
    do {
        a = next_deed(&said);
        b = next_deed(&sound);
    } while (a != NULL && b != NULL && said - a == sound - b && strncmp(a, b, (size_t)(said - a)) == 0);
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
        int reported = played.failed || (strcmp(name, "rolls") == 0 && does_the_same(played.out, sound));
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
