// SPDX-License-Identifier: MIT
// List snapshots: values of earlier records with new numbers, the text built from them, and
// references to both.
#include "test_log.h"

#include "log/apply_patches.h"
#include "log/list_snapshot.h"
#include "log/rewrite.h"

#define TABLE "\0[[\"message\",[]]]"
#define ITEMS 6u

// Messages and, as the last, something else.
static weft_log_text item_of(uint32_t i) {
    static char items[ITEMS][80];
    int length = snprintf(items[i], sizeof(items[i]),
                          "[\"human\",{\"content\":\"this is what number %u says\"}]", i);
    if (i == ITEMS - 1) {
        return text_of("{\"role\":\"user\"}");
    }
    memcpy(items[i] + length, TABLE, sizeof(TABLE) - 1);
    return (weft_log_text){(const uint8_t *)items[i], (uint32_t)length + sizeof(TABLE) - 1};
}

static weft_log_value value_of(weft_log_text text) {
    return (weft_log_value){.form = WEFT_LOG_INLINE, .bytes = text.bytes, .length = text.length};
}

static void put_head(weft_log_writer *w, const char *ns, uint32_t id, int64_t parent,
                     weft_log_change_form form, uint32_t count) {
    weft_log_checkpoint head = head_of(ns, id, parent, id);
    weft_log_change change = {
        .channel = text_of("messages"), .version = id, .form = form, .count = count};
    weft_log_put_checkpoint(w, &head, 0);
    weft_log_put_count(w, 1);
    weft_log_put_change(w, &change);
}

static void end_checkpoint(test_log *log) {
    weft_log_put_count(&log->writer, 0); // seen
    weft_log_put_count(&log->writer, 0); // tasks
    REQUIRE_EQ(log_end(log, WEFT_LOG_CHECKPOINT), WEFT_OK);
}

static void append(test_log *log, const char *ns, uint32_t id, int64_t parent, uint32_t from,
                   uint32_t to) {
    weft_log_writer *w = log_begin(log);
    put_head(w, ns, id, parent, WEFT_LOG_LIST, to - from);
    for (uint32_t i = from; i < to; i++) {
        weft_log_op op = {.kind = WEFT_LOG_APPEND, .value = value_of(item_of(i))};
        weft_log_put_op(w, &op);
    }
    end_checkpoint(log);
}

static void text_upto(weft_buffer *text, uint32_t count) {
    weft_log_text items[ITEMS];
    for (uint32_t i = 0; i < count; i++) {
        items[i] = item_of(i);
    }
    weft_buffer_init(text, test_memory());
    weft_log_list_snapshot_text(text, text_of("messages"), items, count);
}

// The text of what stands beside a list is that of the list, but for the items: messages are
// numbered from the first on.
TEST(items_before_the_messages_are_none_of_the_list) {
    static const char expected[] =
        "{\"messages\":[\"a document\",[\"human\",{\"content\":\"this is what number 1 says\"}],"
        "[\"human\",{\"content\":\"this is what number 2 says\"}],{\"role\":\"user\"}]}\0"
        "[[\"message\",[\"messages\",0]],[\"message\",[\"messages\",1]]]";
    weft_log_text items[] = {text_of("\"a document\""), item_of(1), item_of(2), item_of(ITEMS - 1)};
    weft_buffer text;
    weft_buffer_init(&text, test_memory());
    weft_log_list_snapshot_text(&text, text_of("messages"), items, 4);
    REQUIRE_EQ(text.length, sizeof(expected) - 1);
    CHECK(memcmp(text.bytes, expected, text.length) == 0);
    weft_buffer_fini(&text);
}

// A list snapshot of the first items, where an earlier one has `shared` of them, and what a graph
// inside makes of it: its input is the snapshot's text and one thing more, its list the snapshot
// and what a WRITES says of it.
static void inside(test_log *log, uint32_t id, uint64_t base, uint32_t shared, uint64_t record,
                   uint32_t first, uint32_t count) {
    weft_buffer text;
    text_upto(&text, shared + count);
    weft_log_writer *w = log_begin(log);
    weft_log_list_snapshot snapshot = {
        .name = text_of("messages"), .depth = base == 0 ? 1 : 2, .length = text.length};
    weft_log_put_list_snapshot(w, &snapshot);
    if (base != 0) {
        weft_log_put_run(w, base, 0, shared);
    }
    weft_log_put_run(w, record, first, count);
    REQUIRE_EQ(log_end(log, WEFT_LOG_LIST_SNAPSHOT), WEFT_OK);
    uint64_t seq = log->chain.last.seq;
    w = log_begin(log);
    put_head(w, "inside", id, -1, WEFT_LOG_SET, 0);
    weft_log_value whole = {
        .bytes = text.bytes, .length = text.length, .seq = seq, .index = shared + count};
    weft_buffer given;
    weft_buffer_init(&given, test_memory());
    weft_buffer_append(&given, text.bytes, text.length);
    given.bytes[text.length - 3] = '!';
    weft_log_value value = {
        .form = WEFT_LOG_INLINE, .bytes = given.bytes, .length = given.length, .base = &whole};
    weft_log_put_value(w, &value);
    CHECK(w->patched);
    end_checkpoint(log);
    w = log_begin(log);
    put_head(w, "inside", id + 1, id, WEFT_LOG_LIST, 2);
    weft_log_op clear = {.kind = WEFT_LOG_CLEAR},
                run = {.kind = WEFT_LOG_RUN, .seq = seq, .index = 0, .count = shared + count};
    weft_log_put_op(w, &clear);
    weft_log_put_op(w, &run);
    end_checkpoint(log);
    w = log_begin(log);
    weft_log_put_writes(w, text_of("inside"), id_of(id + 1));
    weft_log_put_count(w, 1);
    weft_log_task task = {.outcome = 1, .count = 2};
    weft_log_put_task(w, &task);
    weft_log_write write = {.channel = text_of("messages"), .index = 1};
    write.value = (weft_log_value){
        .form = WEFT_LOG_MANY, .seq = seq, .index = 1, .length = shared + count - 1};
    weft_log_put_write(w, &write);
    write.value = number_of(9);
    weft_log_put_write(w, &write);
    REQUIRE_EQ(log_end(log, WEFT_LOG_WRITES), WEFT_OK);
    weft_buffer_fini(&given);
    weft_buffer_fini(&text);
}

// Records 1 and 6 are the list's, 2 and 7 snapshots.
static test_log in_snapshot(const char *ns) {
    test_log log;
    log_start(&log, "snapshot");
    append(&log, ns, 1, -1, 0, 4);
    inside(&log, 11, 0, 0, 1, 0, 4);
    append(&log, ns, 2, 1, 4, ITEMS);
    inside(&log, 21, 2, 4, 6, 0, 2);
    return log;
}

static test_log snapshot_item(void) {
    return in_snapshot("");
}

static int is_item(const weft_log_index *index, weft_log_value value, uint32_t i) {
    REQUIRE_EQ(weft_log_index_resolve(index, &value), WEFT_OK);
    return weft_log_same_text((weft_log_text){value.bytes, value.length}, item_of(i));
}

// What the graph inside has at checkpoint `id`, behind `count` items. Tells how its input stands
// there.
static weft_log_value_form check_inside(const weft_log_index *index, uint32_t id, uint32_t count) {
    weft_arena arena;
    weft_log_state state;
    weft_buffer text;
    weft_arena_init(&arena, test_memory());
    text_upto(&text, count);
    REQUIRE_EQ(weft_log_state_load(index, weft_log_index_find(index, text_of("inside"), id_of(id)),
                                   &arena, &state),
               WEFT_OK);
    uint64_t work = 0;
    uint32_t of_snapshot;
    weft_log_value given = state.channels[0].value;
    uint8_t *got = weft_arena_alloc(&arena, text.length);
    if (given.form == WEFT_LOG_PATCH) {
        REQUIRE_EQ(weft_log_apply_patches(index, &given, &work, got, &of_snapshot), WEFT_OK);
        CHECK_EQ(of_snapshot, 1);
    } else {
        REQUIRE_EQ(given.length, text.length);
        memcpy(got, given.bytes, text.length);
    }
    text.bytes[text.length - 3] = '!';
    CHECK(memcmp(got, text.bytes, text.length) == 0);
    uint32_t entry = weft_log_index_find(index, text_of("inside"), id_of(id + 1));
    REQUIRE_EQ(weft_log_state_load(index, entry, &arena, &state), WEFT_OK);
    REQUIRE_EQ(state.channels[0].count, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(is_item(index, state.channels[0].items[i], i));
    }
    weft_log_pending pending;
    weft_log_task task;
    weft_log_write write;
    weft_log_pending_init(&pending, index, entry);
    REQUIRE(weft_log_pending_task(&pending, &task));
    for (uint32_t i = 1; i < count; i++) {
        REQUIRE(weft_log_pending_write(&pending, &write));
        CHECK(write.index == 1 && is_item(index, write.value, i));
    }
    REQUIRE(weft_log_pending_write(&pending, &write));
    CHECK_EQ(write.value.form, WEFT_LOG_IMMEDIATE);
    CHECK(!weft_log_pending_write(&pending, &write) && !weft_log_pending_task(&pending, &task));
    weft_buffer_fini(&text);
    weft_arena_fini(&arena);
    return given.form;
}

static void index_of(const test_log *log, weft_log_index *index) {
    weft_log_index_init(index, test_memory(), (weft_log_anchor){0, 0}, 5);
    REQUIRE_EQ(weft_log_index_load(index, log_span(log), log->chain.thread), WEFT_OK);
}

TEST(a_list_snapshot_stands_for_its_items_and_for_their_text) {
    test_log log = snapshot_item();
    weft_log_index index;
    index_of(&log, &index);
    check_inside(&index, 11, 4);
    check_inside(&index, 21, 6);
    // List snapshots, inputs, lists and writes are small: the items stand there once.
    CHECK(log.ends[5] - log.ends[1] < 450);
    weft_log_value value = reference_to(7, ITEMS);
    CHECK_EQ(weft_log_index_resolve(&index, &value),
             WEFT_ERR_LOG_CORRUPT); // the text is for patches alone
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

TEST(a_list_snapshot_is_carried_over_or_dissolved) {
    uint8_t pinned[2 * WEFT_LOG_ID_BYTES];
    memcpy(pinned, id_of(21), WEFT_LOG_ID_BYTES);
    memcpy(pinned + WEFT_LOG_ID_BYTES, id_of(22), WEFT_LOG_ID_BYTES);
    // All of it; one graph's, with the list that it was given; that one without what the list was
    // made of.
    for (uint32_t round = 0; round < 3; round++) {
        test_log log = in_snapshot(round < 2 ? "" : "other:1");
        weft_log_index index;
        index_of(&log, &index);
        weft_buffer out;
        weft_log_chain chain;
        weft_log_rewritten rewritten;
        weft_log_retention keep = {
            .last = round == 1, .pinned = pinned, .pinned_count = 2, .since = UINT64_MAX};
        weft_buffer_init(&out, test_memory());
        weft_log_chain_init(&chain, log.chain.thread, (weft_log_anchor){0, 0});
        REQUIRE_EQ(weft_log_rewrite(&index, WEFT_LOG_REWRITE_COPY, round == 0 ? NULL : &keep, &out,
                                    &chain, &rewritten),
                   WEFT_OK);
        weft_log_index after;
        weft_log_index_init(&after, test_memory(), (weft_log_anchor){0, 0}, 5);
        REQUIRE_EQ(
            weft_log_index_load(&after, (weft_log_span){out.bytes, out.length}, chain.thread),
            WEFT_OK);
        if (round == 0) {
            CHECK_EQ(out.length, log.bytes.length);
            check_inside(&after, 11, 4);
        }
        CHECK_EQ(check_inside(&after, 21, 6), round < 2 ? WEFT_LOG_PATCH : WEFT_LOG_INLINE);
        weft_log_index_fini(&after);
        weft_buffer_fini(&out);
        weft_log_index_fini(&index);
        weft_buffer_fini(&log.bytes);
    }
}

TEST(list_snapshots_that_do_not_fit_are_refused) {
    static const struct {
        uint32_t depth, index, count;
        uint64_t seq;
        weft_status status;
    } rows[] = {
        {1, 0, 4, 1, WEFT_OK},
        {3, 0, ITEMS, 7, WEFT_OK},
        {1, 1, 4, 1, WEFT_ERR_LOG_CORRUPT},         // more than the record has
        {3, 0, ITEMS + 1, 7, WEFT_ERR_LOG_CORRUPT}, // the text is no item
        {2, 0, 1, 7, WEFT_ERR_LOG_CORRUPT},         // not deeper than what it refers to
        {1, 0, 1, 10, WEFT_ERR_LOG_CORRUPT},        // a record without values
        {1, 0, UINT32_MAX - 1, 1, WEFT_ERR_LOG_CORRUPT},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        test_log log = snapshot_item();
        weft_log_writer *w = log_begin(&log);
        weft_log_list_snapshot snapshot = {
            .name = text_of("messages"), .depth = rows[i].depth, .length = 9};
        weft_log_put_list_snapshot(w, &snapshot);
        weft_log_put_run(w, rows[i].seq, rows[i].index, rows[i].count);
        REQUIRE_EQ(log_end(&log, WEFT_LOG_LIST_SNAPSHOT), WEFT_OK);
        weft_log_index index;
        weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 5);
        CHECK_EQ(weft_log_index_load(&index, log_span(&log), log.chain.thread), rows[i].status);
        weft_log_index_fini(&index);
        weft_buffer_fini(&log.bytes);
    }
}

// List snapshots that double: they end in an error before they are many.
TEST(list_snapshots_cannot_grow_without_values) {
    test_log log = snapshot_item();
    for (uint32_t i = 0; i < 30; i++) {
        uint64_t last = i == 0 ? 7 : log.chain.last.seq;
        weft_log_writer *w = log_begin(&log);
        weft_log_list_snapshot snapshot = {.name = text_of("m"), .depth = i + 3, .length = 9};
        weft_log_put_list_snapshot(w, &snapshot);
        weft_log_put_run(w, last, 0, ITEMS << i);
        weft_log_put_run(w, last, 0, ITEMS << i);
        REQUIRE_EQ(log_end(&log, WEFT_LOG_LIST_SNAPSHOT), WEFT_OK);
    }
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 5);
    CHECK_EQ(weft_log_index_load(&index, log_span(&log), log.chain.thread), WEFT_ERR_LOG_CORRUPT);
    CHECK(index.record_count < 13);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

static void apply_patches_of_input(void *context) {
    const weft_log_index *index = context;
    weft_log_value value = reference_to(8, 0);
    uint8_t got[1000];
    uint64_t work = 0;
    uint32_t of_snapshot;
    REQUIRE_EQ(weft_log_index_resolve(index, &value), WEFT_OK);
    weft_status status = weft_log_apply_patches(index, &value, &work, got, &of_snapshot);
    CHECK(status == WEFT_OK || (status == WEFT_ERR_NO_MEMORY && test_has_failed()));
}

TEST(writing_out_a_list_snapshot_survives_refused_memory) {
    test_log log = snapshot_item();
    weft_log_index index;
    index_of(&log, &index);
    test_each_failure(apply_patches_of_input, &index);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

// Any byte of the log changed, with its checksums set right: a typed error or a state.
TEST(changed_list_snapshots_end_in_a_typed_error) {
    test_log log = snapshot_item();
    for (uint32_t frame = 1; frame < log.count; frame++) {
        for (uint32_t at = log.ends[frame] + WEFT_LOG_HEADER_BYTES; at < log.ends[frame + 1] - 4;
             at++) {
            weft_log_index index;
            weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 5);
            uint8_t before = log.bytes.bytes[at];
            log.bytes.bytes[at] = (uint8_t)(before ^ (1u << chance(8)));
            weft_status status = WEFT_OK;
            for (uint32_t i = 0; i < log.count && status == WEFT_OK; i++) {
                const uint8_t *start = log.bytes.bytes + log.ends[i];
                weft_log_frame each = {
                    .seq = i + 1, .kind = start[5], .body = start + WEFT_LOG_HEADER_BYTES};
                each.length = log.ends[i + 1] - log.ends[i] - WEFT_LOG_FRAME_BYTES;
                status = weft_log_index_add(&index, &each);
            }
            CHECK(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT);
            weft_arena arena;
            weft_arena_init(&arena, test_memory());
            for (uint32_t i = 0; i < index.entry_count; i++) {
                weft_log_state state;
                weft_status loaded = weft_log_state_load(&index, i, &arena, &state);
                CHECK(loaded == WEFT_OK || loaded == WEFT_ERR_LOG_CORRUPT ||
                      loaded == WEFT_ERR_ARGUMENT);
                uint64_t work = 0;
                uint32_t of_snapshot;
                uint8_t got[1000];
                if (loaded == WEFT_OK && state.channel_count > 0 &&
                    state.channels[0].value.form == WEFT_LOG_PATCH &&
                    weft_log_patch_head(&state.channels[0].value).length < sizeof(got)) {
                    weft_status applied = weft_log_apply_patches(&index, &state.channels[0].value,
                                                                 &work, got, &of_snapshot);
                    CHECK(applied == WEFT_OK || applied == WEFT_ERR_LOG_CORRUPT);
                }
            }
            weft_arena_fini(&arena);
            weft_log_index_fini(&index);
            log.bytes.bytes[at] = before;
        }
    }
    weft_buffer_fini(&log.bytes);
}
