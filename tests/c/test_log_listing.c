// SPDX-License-Identifier: MIT
// A history listed state by state: each equals the state loaded alone, and few records are read
// again. Serves docs/log-format.md 2 and the cost of histories.
#include "test_log.h"

#define NODES 4

static const char *const nodes[NODES] = {"a", "model", "tools", "a rather long name of a node"};
static const char *const channels[] = {"messages", "count", "branch:to:a", "x"};

// A chain of `frames` checkpoints: a list that grows, shrinks and changes, a value, and what nodes
// have seen.
static test_log long_log(uint32_t frames) {
    test_log log;
    char text[16];
    log_start(&log, "thread");
    for (uint32_t i = 1, items = 0; i <= frames; i++) {
        weft_log_writer *w = log_begin(&log);
        weft_log_checkpoint head = head_of("", i, i == 1 ? -1 : (int64_t)i - 1, i);
        weft_log_put_checkpoint(w, &head, 0);
        weft_log_put_count(w, 2);
        snprintf(text, sizeof(text), "\"%u\"", (unsigned)i);
        weft_log_op op = {.kind = items == 0 ? WEFT_LOG_APPEND : (weft_log_op_kind)chance(3),
                          .value = bytes_of(text)};
        op.index = op.kind == WEFT_LOG_APPEND ? 0 : chance(items);
        items += op.kind == WEFT_LOG_APPEND ? 1 : op.kind == WEFT_LOG_REMOVE ? UINT32_MAX : 0;
        weft_log_change change = {text_of(channels[0]), i, WEFT_LOG_LIST, 0, 1};
        weft_log_put_change(w, &change);
        weft_log_put_op(w, &op);
        change = (weft_log_change){text_of(channels[1 + i % 3]), i, WEFT_LOG_SET, 0, 0};
        weft_log_put_change(w, &change);
        weft_log_value value = number_of((int32_t)i);
        weft_log_put_value(w, &value);
        weft_log_put_count(w, 1);
        weft_log_seen seen = {text_of(nodes[i % NODES]), text_of(channels[i % 2]), i};
        weft_log_put_seen(w, &seen);
        weft_log_put_count(w, 0);
        REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    }
    return log;
}

static void same_states(const weft_log_state *a, const weft_log_state *b) {
    REQUIRE(a->channel_count == b->channel_count && a->seen_count == b->seen_count);
    for (uint32_t i = 0; i < a->channel_count; i++) {
        const weft_log_channel *one = &a->channels[i], *other = &b->channels[i];
        CHECK(one->name.bytes == other->name.bytes && one->version == other->version &&
              one->form == other->form);
        CHECK(one->count == other->count && one->changed == other->changed &&
              one->value.word == other->value.word);
        for (uint32_t n = 0; one->form == WEFT_LOG_LIST && n < one->count; n++) {
            CHECK(one->items[n].bytes == other->items[n].bytes &&
                  one->items[n].length == other->items[n].length);
        }
    }
    for (uint32_t i = 0; i < a->seen_count; i++) {
        CHECK(a->seen[i].version == b->seen[i].version &&
              a->seen[i].node.bytes == b->seen[i].node.bytes);
    }
}

typedef struct walk {
    const weft_log_index *index;
    uint32_t records; // read in all
} walk;

static void list_all(void *context) {
    walk *at = context;
    weft_log_listing listing = {.kept = 0};
    at->records = 0;
    weft_arena_init(&listing.arena, test_memory());
    uint32_t entry = weft_log_index_newest(at->index, text_of(""));
    for (; entry != WEFT_LOG_NONE; entry = weft_log_index_older(at->index, entry)) {
        weft_arena arena;
        weft_log_state listed, loaded;
        weft_arena_init(&arena, test_memory());
        weft_status status = weft_log_state_list(at->index, entry, &listing, &arena, &listed);
        CHECK(status == WEFT_OK || (status == WEFT_ERR_NO_MEMORY && test_has_failed()));
        if (status == WEFT_OK &&
            weft_log_state_load(at->index, entry, &arena, &loaded) == WEFT_OK) {
            at->records += listed.chain;
            same_states(&listed, &loaded);
        }
        weft_arena_fini(&arena);
    }
    weft_arena_fini(&listing.arena);
}

TEST(a_history_is_listed_as_it_is_loaded) {
    for (uint32_t frames = 60; frames <= 240; frames += 90) {
        test_log log = long_log(frames);
        weft_log_index index;
        weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 5);
        REQUIRE_EQ(weft_log_index_load(&index, log_span(&log), log.chain.thread), WEFT_OK);
        walk at = {.index = &index};
        list_all(&at);
        CHECK(at.records <= frames * 40);
        weft_log_index_fini(&index);
        weft_buffer_fini(&log.bytes);
    }
}

TEST(listing_survives_refused_memory) {
    test_log log = long_log(70);
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 5);
    REQUIRE_EQ(weft_log_index_load(&index, log_span(&log), log.chain.thread), WEFT_OK);
    walk at = {.index = &index};
    test_each_failure(list_all, &at);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}
