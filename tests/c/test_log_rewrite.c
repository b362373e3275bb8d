// SPDX-License-Identifier: MIT
// Rewritten logs: a full copy, an import (unused answers become void and keep their place among the
// values), and the kept part after a TRIM; each reads as before. Rewriting random whole threads is
// tested from outside (tests/js/retention.test.mjs). Serves docs/reliability.md 1,
// docs/log-format.md 1, 2 (TRIM), T3 for rewriting.
#include "test_log.h"

#include "log/rewrite.h"

// A checkpoint, then WRITES with an answer between two values, then a checkpoint that refers to the
// value behind it.
static test_log answered_log(void) {
    test_log log;
    log_start(&log, "from");
    weft_log_writer *w = log_begin(&log);
    weft_log_checkpoint head = head_of("", 1, -1, 0);
    weft_log_put_checkpoint(w, &head, 0);
    for (int section = 0; section < 3; section++) {
        weft_log_put_count(w, 0);
    }
    REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    w = log_begin(&log);
    weft_log_put_writes(w, text_of(""), id_of(1));
    weft_log_put_count(w, 1);
    weft_log_task task = {.key = {.kind = WEFT_LOG_TASK_NULL}, .count = 3};
    weft_log_put_task(w, &task);
    weft_log_write write = {.channel = text_of("a"), .value = bytes_of("\"one\"")};
    CHECK_EQ(weft_log_put_write(w, &write), 0);
    write = (weft_log_write){.special = WEFT_LOG_WRITE_RESUME, .value = bytes_of("\"yes\"")};
    CHECK_EQ(weft_log_put_write(w, &write), 1);
    write = (weft_log_write){.channel = text_of("a"), .value = bytes_of("\"two\"")};
    CHECK_EQ(weft_log_put_write(w, &write), 2);
    REQUIRE_EQ(log_end(&log, WEFT_LOG_WRITES), WEFT_OK);
    w = log_begin(&log);
    head = head_of("", 2, 1, 1);
    weft_log_put_checkpoint(w, &head, 0);
    weft_log_put_count(w, 1);
    weft_log_change change = {text_of("a"), 2, WEFT_LOG_SET, 0, 0};
    weft_log_put_change(w, &change);
    weft_log_value value = reference_to(2, 2);
    weft_log_put_value(w, &value);
    weft_log_put_count(w, 0);
    weft_log_put_count(w, 0);
    REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    return log;
}

// Frames 1..3 and two more checkpoints of the root, the last with a list that takes both values of
// the WRITES.
static test_log longer_log(void) {
    test_log log = answered_log();
    for (uint32_t id = 3; id < 5; id++) {
        weft_log_writer *w = log_begin(&log);
        weft_log_checkpoint head = head_of("", id, id - 1, id - 1);
        weft_log_put_checkpoint(w, &head, 0);
        weft_log_put_count(w, 1);
        weft_log_change change = {text_of("list"), id, WEFT_LOG_LIST, 0, 1};
        weft_log_put_change(w, &change);
        weft_log_op op = {.kind = WEFT_LOG_APPEND, .value = reference_to(2, id == 3 ? 0 : 2)};
        weft_log_put_op(w, &op);
        weft_log_put_count(w, 0);
        weft_log_put_count(w, 0);
        REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    }
    return log;
}

static weft_log_chain chain_of(const char *thread) {
    weft_log_chain chain;
    uint8_t hash[WEFT_LOG_THREAD_BYTES];
    weft_log_thread_hash(thread, strlen(thread), hash);
    weft_log_chain_init(&chain, hash, (weft_log_anchor){0, 0});
    return chain;
}

// The special kinds of the writes that hang on checkpoint 1, and the text that checkpoint 2 refers
// to.
static void read_back(const weft_buffer *out, const weft_log_chain *chain, char *kinds,
                      char *text) {
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 1);
    weft_log_span span = {out->bytes, out->length};
    REQUIRE_EQ(weft_log_index_load(&index, span, chain->thread), WEFT_OK);
    CHECK(index.last.seq == chain->last.seq && index.last.crc == chain->last.crc);
    weft_log_pending pending;
    weft_log_task task;
    weft_log_write write;
    weft_log_pending_init(&pending, &index, weft_log_index_find(&index, text_of(""), id_of(1)));
    while (weft_log_pending_task(&pending, &task)) {
        while (weft_log_pending_write(&pending, &write)) {
            *kinds++ = write.special == WEFT_LOG_WRITE_PLAIN    ? 'p'
                       : write.special == WEFT_LOG_WRITE_RESUME ? 'r'
                                                                : 'o';
        }
    }
    *kinds = 0;
    weft_log_state state;
    weft_arena arena;
    weft_arena_init(&arena, test_memory());
    uint32_t second = weft_log_index_find(&index, text_of(""), id_of(2));
    REQUIRE_EQ(weft_log_state_load(&index, second, &arena, &state), WEFT_OK);
    memcpy(text, state.channels[0].value.bytes, state.channels[0].value.length);
    text[state.channels[0].value.length] = 0;
    weft_arena_fini(&arena);
    weft_log_index_fini(&index);
}

// An index over the whole of `log`.
static void index_of(const test_log *log, weft_log_index *index) {
    weft_log_index_init(index, test_memory(), (weft_log_anchor){0, 0}, 5);
    REQUIRE_EQ(weft_log_index_load(index, log_span(log), log->chain.thread), WEFT_OK);
}

TEST(everything_reads_as_before_and_answers_become_void) {
    test_log log = answered_log();
    weft_log_index index;
    weft_log_rewritten counts;
    index_of(&log, &index);
    for (int mode = WEFT_LOG_REWRITE_COPY; mode <= WEFT_LOG_REWRITE_IMPORT; mode++) {
        weft_log_chain chain = chain_of("to");
        weft_buffer out;
        char kinds[8], text[16];
        weft_buffer_init(&out, test_memory());
        REQUIRE_EQ(
            weft_log_rewrite(&index, (weft_log_rewrite_mode)mode, NULL, &out, &chain, &counts),
            WEFT_OK);
        CHECK(counts.kept == 2 && counts.dropped == 0);
        read_back(&out, &chain, kinds, text);
        CHECK_STR(kinds, mode == WEFT_LOG_REWRITE_IMPORT ? "pop" : "prp");
        CHECK_STR(text, "\"two\"");
        weft_buffer_fini(&out);
    }
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

static void keep_newest(void *context) {
    const weft_log_index *index = context;
    weft_log_retention keep = {.last = 1, .since = UINT64_MAX};
    weft_log_rewritten counts;
    weft_log_chain chain = chain_of("from");
    chain.last = index->last;
    weft_buffer out;
    weft_buffer_init(&out, test_memory());
    weft_status status =
        weft_log_rewrite(index, WEFT_LOG_REWRITE_TRIM, &keep, &out, &chain, &counts);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    if (status == WEFT_OK) {
        CHECK(counts.kept == 1 && counts.dropped == 3 && chain.last.seq == index->last.seq + 2);
    }
    weft_buffer_fini(&out);
}

TEST(what_stays_needs_nothing_from_before) {
    test_log log = longer_log();
    weft_log_index index, after;
    weft_log_retention keep = {.last = 1, .since = UINT64_MAX};
    weft_log_rewritten counts;
    weft_buffer out;
    index_of(&log, &index);
    weft_log_chain chain = log.chain;
    weft_buffer_init(&out, test_memory());
    REQUIRE_EQ(weft_log_rewrite(&index, WEFT_LOG_REWRITE_TRIM, &keep, &out, &chain, &counts),
               WEFT_OK);

    // Alone, and behind the log whose place it takes: the same either way.
    weft_log_span spans[2] = {log_span(&log), {out.bytes, out.length}};
    for (int from = 0; from < 2; from++) {
        weft_log_recovery found;
        weft_log_recover(spans + from, 2 - (uint32_t)from, log.chain.thread, NULL, &found);
        REQUIRE_EQ(found.verdict, WEFT_LOG_OK);
        weft_log_index_init(&after, test_memory(), found.anchor, 3);
        for (int i = from; i < 2; i++) {
            REQUIRE_EQ(weft_log_index_load(&after, spans[i], log.chain.thread), WEFT_OK);
        }
        CHECK_EQ(after.namespaces[0].count, 1);
        uint32_t newest = weft_log_index_newest(&after, text_of(""));
        CHECK(memcmp(after.entries[newest].id, id_of(4), WEFT_LOG_ID_BYTES) == 0);
        CHECK_EQ(weft_log_index_find(&after, text_of(""), id_of(3)), WEFT_LOG_NONE);
        weft_log_state state;
        weft_arena arena;
        weft_arena_init(&arena, test_memory());
        REQUIRE_EQ(weft_log_state_load(&after, newest, &arena, &state), WEFT_OK);
        REQUIRE_EQ(state.channel_count, 2);
        CHECK_TEXT((const char *)state.channels[0].value.bytes, state.channels[0].value.length,
                   "\"two\"");
        REQUIRE_EQ(state.channels[1].count, 2);
        CHECK_TEXT((const char *)state.channels[1].items[0].bytes,
                   state.channels[1].items[0].length, "\"one\"");
        CHECK_TEXT((const char *)state.channels[1].items[1].bytes,
                   state.channels[1].items[1].length, "\"two\"");
        weft_arena_fini(&arena);
        weft_log_index_fini(&after);
    }
    weft_buffer_fini(&out);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

TEST(time_and_pins_choose) {
    test_log log = longer_log();
    weft_log_index index;
    weft_log_rewritten counts;
    weft_buffer out;
    index_of(&log, &index);
    uint8_t pins[WEFT_LOG_ID_BYTES];
    memcpy(pins, id_of(2), WEFT_LOG_ID_BYTES);
    // The first 32 bits of an id are the upper ones of its time.
    struct {
        weft_log_retention keep;
        uint32_t kept;
    } rows[] = {{{.last = 1, .since = UINT64_MAX, .pinned = pins, .pinned_count = 1}, 2},
                {{.last = 3, .since = UINT64_MAX}, 3},
                {{.last = 99, .since = UINT64_MAX}, 4},
                {{.last = 1, .since = UINT64_C(2) << 28}, 3},
                {{.last = 1, .since = 0}, 4}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        weft_log_chain chain = log.chain;
        weft_buffer_init(&out, test_memory());
        REQUIRE_EQ(
            weft_log_rewrite(&index, WEFT_LOG_REWRITE_TRIM, &rows[i].keep, &out, &chain, &counts),
            WEFT_OK);
        CHECK_EQ(counts.kept, rows[i].kept);
        weft_buffer_fini(&out);
    }
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

TEST(rewriting_survives_refused_memory) {
    test_log log = longer_log();
    weft_log_index index;
    index_of(&log, &index);
    test_each_failure(keep_newest, &index);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}
