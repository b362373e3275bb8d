// SPDX-License-Identifier: MIT
// Records and frames: every kind read back as written, invalid records refused by the writer,
// hostile bodies (each truncation, each changed byte, random bytes: T11's record decoding in
// small), and the bytes that one step costs. Serves docs/log-format.md 1 (the frame), T3 for
// writing, T12's bounded decoding.
#include "test_log.h"

static void put_full_checkpoint(weft_log_writer *w) {
    weft_log_checkpoint head = head_of("outer|inner:7", 9, 8, -1);
    head.source = WEFT_LOG_SOURCE_FORK;
    head.keyframe = 1;
    head.hidden = 1;
    head.has_extra = 1;
    head.extra = bytes_of("{\"extra\":1}");
    weft_log_put_checkpoint(w, &head, 2);
    weft_log_put_parent(w, text_of(""), id_of(1));
    weft_log_put_parent(w, text_of("outer"), id_of(2));
    weft_log_put_count(w, 6);
    weft_log_change change = {text_of("kept"), UINT64_MAX, WEFT_LOG_KEEP, 31, 0};
    weft_log_put_change(w, &change);
    change = (weft_log_change){text_of("value"), 1, WEFT_LOG_SET, 2, 0};
    weft_log_put_change(w, &change);
    weft_log_value value = bytes_of("\"a value\"");
    CHECK_EQ(weft_log_put_value(w, &value), 1);
    change = (weft_log_change){text_of("gone"), 300, WEFT_LOG_UNSET, 0, 0};
    weft_log_put_change(w, &change);
    change = (weft_log_change){text_of("list"), 3, WEFT_LOG_LIST, 0, 5};
    weft_log_put_change(w, &change);
    weft_log_op ops[5] = {{.kind = WEFT_LOG_CLEAR},
                          {.kind = WEFT_LOG_APPEND, .value = bytes_of("")},
                          {.kind = WEFT_LOG_REPLACE, .index = 0, .value = reference_to(40, 1)},
                          {.kind = WEFT_LOG_REMOVE, .index = 70000},
                          {.kind = WEFT_LOG_RUN, .seq = 2, .index = 3, .count = 4}};
    for (int i = 0; i < 5; i++) {
        weft_log_put_op(w, &ops[i]);
    }
    change = (weft_log_change){text_of("sends"), 4, WEFT_LOG_SENDS, 0, 1};
    weft_log_put_change(w, &change);
    weft_log_send send = {text_of("node"), bytes_of("{}"), 1, number_of(-268435456)};
    uint32_t args, timeout;
    weft_log_put_send(w, &send, &args, &timeout);
    CHECK_EQ(args, 3);
    CHECK_EQ(timeout, WEFT_LOG_NONE);
    change = (weft_log_change){text_of("barrier"), 5, WEFT_LOG_NAMES_SET, 1, 2};
    weft_log_put_change(w, &change);
    weft_log_put_name(w, text_of("node"));
    weft_log_put_name(w, text_of("value"));
    weft_log_put_count(w, 1);
    weft_log_seen seen = {text_of("node"), text_of("value"), 7};
    weft_log_put_seen(w, &seen);
}

static void put_tasks(weft_log_writer *w, uint32_t first) {
    weft_log_put_count(w, 4);
    weft_log_task tasks[4] = {
        {.key = {.kind = WEFT_LOG_TASK_NULL}, .outcome = 0, .count = 0},
        {.key = {.kind = WEFT_LOG_TASK_PULL, .node = text_of("node"), .trigger = text_of("value")},
         3,
         2},
        {.key = {.kind = WEFT_LOG_TASK_PUSH, .index = UINT32_MAX, .node = text_of("other")},
         255,
         1},
        {.key = {.kind = WEFT_LOG_TASK_STORED}, 1, 1}};
    memcpy(tasks[3].key.id, id_of(77), WEFT_LOG_ID_BYTES);
    weft_log_put_task(w, &tasks[0]);
    weft_log_put_task(w, &tasks[1]);
    weft_log_write write = {.channel = text_of("value"), .index = 0, .value = bytes_of("\"w\"")};
    CHECK_EQ(weft_log_put_write(w, &write), first);
    write = (weft_log_write){
        .special = WEFT_LOG_WRITE_INTERRUPT, .index = -3, .value = reference_to(w->seq, first)};
    CHECK_EQ(weft_log_put_write(w, &write), WEFT_LOG_NONE);
    weft_log_put_task(w, &tasks[2]);
    write = (weft_log_write){.channel = text_of("__tasks"),
                             .index = INT32_MIN,
                             .is_send = 1,
                             .send = {text_of("node"), bytes_of("[1]"), 1, bytes_of("5")}};
    CHECK_EQ(weft_log_put_write(w, &write), first + 1);
    weft_log_put_task(w, &tasks[3]);
    write = (weft_log_write){.special = WEFT_LOG_WRITE_OTHER,
                             .channel = text_of("__x__"),
                             .index = INT32_MAX,
                             .value = number_of(268435455)};
    weft_log_put_write(w, &write);
}

static void get_tasks(weft_log_reader *r, uint32_t first) {
    weft_log_task task;
    weft_log_write write;
    REQUIRE_EQ(weft_log_get_tasks(r), 4);
    weft_log_get_task(r, &task);
    CHECK_EQ(task.key.kind, WEFT_LOG_TASK_NULL);
    CHECK_EQ(task.count, 0);
    weft_log_get_task(r, &task);
    CHECK_TEXT(task.key.node.bytes, task.key.node.length, "node");
    CHECK_TEXT(task.key.trigger.bytes, task.key.trigger.length, "value");
    CHECK_EQ(task.outcome, 3);
    REQUIRE_EQ(task.count, 2);
    weft_log_get_write(r, &write);
    CHECK_EQ(write.special, WEFT_LOG_WRITE_PLAIN);
    CHECK_TEXT(write.channel.bytes, write.channel.length, "value");
    CHECK_TEXT(write.value.bytes, write.value.length, "\"w\"");
    CHECK_EQ(write.value.index, first);
    CHECK_EQ(write.value.seq, r->seq);
    weft_log_get_write(r, &write);
    CHECK_EQ(write.special, WEFT_LOG_WRITE_INTERRUPT);
    CHECK_EQ(write.index, -3);
    CHECK_EQ(write.value.form, WEFT_LOG_REFERENCE);
    CHECK_EQ(write.value.index, first);
    CHECK_EQ(write.value.seq, r->seq);
    weft_log_get_task(r, &task);
    CHECK_EQ(task.key.index, UINT32_MAX);
    CHECK_TEXT(task.key.node.bytes, task.key.node.length, "other");
    CHECK_EQ(task.outcome, 255);
    weft_log_get_write(r, &write);
    CHECK(write.is_send && write.send.has_timeout);
    CHECK_EQ(write.index, INT32_MIN);
    CHECK_TEXT(write.send.args.bytes, write.send.args.length, "[1]");
    CHECK_TEXT(write.send.timeout.bytes, write.send.timeout.length, "5");
    CHECK_EQ(write.send.timeout.index, first + 2);
    weft_log_get_task(r, &task);
    CHECK_MEM(task.key.id, 16, id_of(77), 16);
    weft_log_get_write(r, &write);
    CHECK_TEXT(write.channel.bytes, write.channel.length, "__x__");
    CHECK_EQ(write.index, INT32_MAX);
    CHECK_EQ(write.value.word, number_of(268435455).word);
}

static void get_changes(weft_log_reader *r) {
    weft_log_change change;
    weft_log_value value;
    weft_log_op op;
    weft_log_send send;
    REQUIRE_EQ(weft_log_get_changes(r), 6);
    weft_log_get_change(r, &change);
    CHECK(change.version == UINT64_MAX && change.form == WEFT_LOG_KEEP && change.mark == 31);
    weft_log_get_change(r, &change);
    CHECK_EQ(change.form, WEFT_LOG_SET);
    weft_log_get_value(r, &value);
    CHECK_TEXT(value.bytes, value.length, "\"a value\"");
    CHECK_EQ(value.index, 1);
    weft_log_get_change(r, &change);
    CHECK(change.version == 300 && change.form == WEFT_LOG_UNSET);
    weft_log_get_change(r, &change);
    REQUIRE_EQ(change.count, 5);
    weft_log_get_op(r, &op);
    CHECK_EQ(op.kind, WEFT_LOG_CLEAR);
    weft_log_get_op(r, &op);
    CHECK(op.kind == WEFT_LOG_APPEND && op.value.form == WEFT_LOG_INLINE && op.value.length == 0);
    weft_log_get_op(r, &op);
    CHECK(op.kind == WEFT_LOG_REPLACE && op.value.seq == 40 && op.value.index == 1);
    weft_log_get_op(r, &op);
    CHECK(op.kind == WEFT_LOG_REMOVE && op.index == 70000);
    weft_log_get_op(r, &op);
    CHECK(op.kind == WEFT_LOG_RUN && op.seq == 2 && op.index == 3 && op.count == 4);
    weft_log_get_change(r, &change);
    REQUIRE(change.form == WEFT_LOG_SENDS && change.count == 1);
    weft_log_get_send(r, &send);
    CHECK_TEXT(send.node.bytes, send.node.length, "node");
    CHECK_EQ(send.args.index, 3);
    CHECK_EQ(send.timeout.word, number_of(-268435456).word);
    weft_log_get_change(r, &change);
    REQUIRE(change.form == WEFT_LOG_NAMES_SET && change.count == 2 && change.mark == 1);
    weft_log_text name = weft_log_get_name(r);
    CHECK_TEXT(name.bytes, name.length, "node");
    name = weft_log_get_name(r);
    CHECK_TEXT(name.bytes, name.length, "value");
}

TEST(a_checkpoint_comes_back_as_written) {
    weft_buffer buffer;
    weft_log_writer w;
    weft_log_reader r;
    weft_buffer_init(&buffer, test_memory());
    weft_log_writer_init(&w, &buffer, 41);
    put_full_checkpoint(&w);
    put_tasks(&w, 4);
    REQUIRE_EQ(weft_log_writer_end(&w), WEFT_OK);
    weft_log_reader_init(&r, buffer.bytes, buffer.length, 41);
    weft_log_checkpoint head;
    weft_log_text ns;
    const uint8_t *id;
    REQUIRE_EQ(weft_log_get_checkpoint(&r, &head), 2);
    CHECK_TEXT(head.ns.bytes, head.ns.length, "outer|inner:7");
    CHECK_MEM(head.id, 16, id_of(9), 16);
    CHECK_MEM(head.parent, 16, id_of(8), 16);
    CHECK_EQ(head.step, -1);
    CHECK_EQ(head.source, WEFT_LOG_SOURCE_FORK);
    CHECK(head.has_parent && head.keyframe && head.hidden && head.has_extra);
    CHECK_TEXT(head.extra.bytes, head.extra.length, "{\"extra\":1}");
    weft_log_get_parent(&r, &ns, &id);
    CHECK_EQ(ns.length, 0);
    CHECK_MEM(id, 16, id_of(1), 16);
    weft_log_get_parent(&r, &ns, &id);
    CHECK_TEXT(ns.bytes, ns.length, "outer");
    get_changes(&r);
    weft_log_seen seen;
    REQUIRE_EQ(weft_log_get_seens(&r), 1);
    weft_log_get_seen(&r, &seen);
    CHECK_TEXT(seen.node.bytes, seen.node.length, "node");
    CHECK_TEXT(seen.channel.bytes, seen.channel.length, "value");
    CHECK_EQ(seen.version, 7);
    get_tasks(&r, 4);
    CHECK_EQ(weft_log_reader_end(&r), WEFT_OK);
    weft_buffer_fini(&buffer);
}

TEST(the_other_kinds_come_back_as_written) {
    weft_buffer buffer;
    weft_log_writer w;
    weft_log_reader r;
    weft_log_text ns;
    const uint8_t *id;
    weft_buffer_init(&buffer, test_memory());
    weft_log_writer_init(&w, &buffer, 3);
    weft_log_put_writes(&w, text_of("n"), id_of(5));
    put_tasks(&w, 0);
    REQUIRE_EQ(weft_log_writer_end(&w), WEFT_OK);
    weft_log_reader_init(&r, buffer.bytes, buffer.length, 3);
    weft_log_get_writes(&r, &ns, &id);
    CHECK_TEXT(ns.bytes, ns.length, "n");
    CHECK_MEM(id, 16, id_of(5), 16);
    get_tasks(&r, 0);
    CHECK_EQ(weft_log_reader_end(&r), WEFT_OK);

    for (int form = 0; form < 3; form++) {
        int approved = form > 0;
        weft_log_ledger ledger = {
            .key = {.ns = text_of(""), .call = text_of("call_1"), .generation = 2},
            .has_approval = approved,
            .verdict = 3,
            .payload = bytes_of("{\"r\":1}")};
        ledger.key.task =
            (weft_log_task_key){.kind = WEFT_LOG_TASK_PUSH, .index = 1, .node = text_of("tools")};
        memset(ledger.key.digest, 0xd1, sizeof(ledger.key.digest));
        weft_log_ledger back;
        if (approved) {
            memcpy(ledger.approval, id_of(6), WEFT_LOG_ID_BYTES);
            memset(ledger.shown, 0x54, sizeof(ledger.shown));
            ledger.bound = 1234567;
            ledger.moment = form == 2 ? 1767225600123u : 0;
        }
        weft_buffer_clear(&buffer);
        weft_log_writer_init(&w, &buffer, 4);
        CHECK_EQ(weft_log_put_ledger(&w, &ledger), 0);
        weft_log_reader_init(&r, buffer.bytes, buffer.length, 4);
        weft_log_get_ledger(&r, &back);
        CHECK_EQ(weft_log_reader_end(&r), WEFT_OK);
        CHECK_TEXT(back.key.call.bytes, back.key.call.length, "call_1");
        CHECK_TEXT(back.key.task.node.bytes, back.key.task.node.length, "tools");
        CHECK_MEM(back.key.digest, 32, ledger.key.digest, 32);
        CHECK(back.key.generation == 2 && back.verdict == 3 && back.has_approval == approved);
        CHECK_EQ(back.bound, ledger.bound);
        CHECK(back.moment == ledger.moment && w.patched == (form == 2 ? WEFT_LOG_TIMED : 0));
        CHECK_MEM(back.approval, 16, ledger.approval, 16);
        CHECK_MEM(back.shown, 32, ledger.shown, 32);
        CHECK_TEXT(back.payload.bytes, back.payload.length, "{\"r\":1}");
    }
    weft_buffer_clear(&buffer);
    weft_log_writer_init(&w, &buffer, 5);
    weft_log_put_trim(&w, (weft_log_anchor){UINT64_MAX, 0xfedcba98u});
    weft_log_reader_init(&r, buffer.bytes, buffer.length, 5);
    weft_log_anchor dropped = weft_log_get_trim(&r);
    CHECK_EQ(weft_log_reader_end(&r), WEFT_OK);
    CHECK(dropped.seq == UINT64_MAX && dropped.crc == 0xfedcba98u);
    weft_buffer_fini(&buffer);
}

TEST(immediates_keep_every_bit) {
    static const int32_t numbers[] = {0,  1,   -1,  7,    8,         -8,        15,
                                      16, -16, -17, 1000, 268435455, -268435456};
    for (size_t i = 0; i < 13 + 5; i++) {
        weft_log_value value = i < 13 ? number_of(numbers[i]) : word_of((uint32_t)(i - 13) * 8);
        weft_log_value back;
        weft_buffer buffer;
        weft_log_writer w;
        weft_log_reader r;
        weft_buffer_init(&buffer, test_memory());
        weft_log_writer_init(&w, &buffer, 1);
        CHECK_EQ(weft_log_put_value(&w, &value), WEFT_LOG_NONE);
        weft_log_reader_init(&r, buffer.bytes, buffer.length, 1);
        weft_log_get_value(&r, &back);
        CHECK_EQ(weft_log_reader_end(&r), WEFT_OK);
        CHECK(back.form == WEFT_LOG_IMMEDIATE && back.word == value.word);
        CHECK(buffer.length <= 5 && (i > 6 || buffer.length == 1));
        weft_buffer_fini(&buffer);
    }
}

static weft_status refused(weft_log_value value) {
    weft_buffer buffer;
    weft_log_writer w;
    weft_buffer_init(&buffer, test_memory());
    weft_log_writer_init(&w, &buffer, 5);
    weft_log_put_value(&w, &value);
    weft_status status = weft_log_writer_end(&w);
    weft_buffer_fini(&buffer);
    return status;
}

TEST(what_a_log_cannot_hold_is_refused) {
    CHECK_EQ(refused(word_of(2)), WEFT_ERR_INTERNAL);
    CHECK_EQ(refused(word_of(0xfffffffau)), WEFT_ERR_INTERNAL);
    CHECK_EQ(refused(reference_to(6, 0)), WEFT_ERR_INTERNAL);
    CHECK_EQ(refused(reference_to(5, 0)), WEFT_ERR_INTERNAL);
    CHECK_EQ(refused(reference_to(0, 0)), WEFT_ERR_INTERNAL);
    CHECK_EQ(refused(reference_to(4, 0)), WEFT_OK);
}

// Reads a body as whatever `kind` says; how it ends is the caller's question.
static weft_status read_body(uint8_t kind, const uint8_t *body, uint32_t length, uint64_t seq) {
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){seq - 1, 0}, 7);
    weft_log_frame frame = {.seq = seq, .kind = kind, .body = body, .length = length};
    weft_status status = weft_log_index_add(&index, &frame);
    CHECK_EQ(index.record_count, status == WEFT_OK ? 1 : 0);
    weft_arena arena;
    weft_log_state state;
    weft_arena_init(&arena, test_memory());
    for (uint32_t i = 0; status == WEFT_OK && i < index.entry_count; i++) {
        weft_status loaded = weft_log_state_load(&index, i, &arena, &state);
        CHECK(loaded == WEFT_OK || loaded == WEFT_ERR_LOG_CORRUPT || loaded == WEFT_ERR_ARGUMENT);
    }
    weft_arena_fini(&arena);
    weft_log_index_fini(&index);
    return status;
}

static uint32_t make_body(weft_buffer *buffer, uint8_t kind) {
    weft_log_writer w;
    weft_log_writer_init(&w, buffer, 41);
    if (kind == WEFT_LOG_CHECKPOINT) {
        put_full_checkpoint(&w);
        put_tasks(&w, 4);
    } else if (kind == WEFT_LOG_WRITES) {
        weft_log_put_writes(&w, text_of("n"), id_of(5));
        put_tasks(&w, 0);
    } else if (kind == WEFT_LOG_TRIM) {
        weft_log_put_trim(&w, (weft_log_anchor){300, 1});
    } else if (kind == WEFT_LOG_LIST_SNAPSHOT) {
        weft_log_list_snapshot snapshot = {
            .name = text_of("messages"), .depth = 700, .length = 1000};
        weft_log_put_list_snapshot(&w, &snapshot);
    } else {
        weft_log_ledger ledger = {
            .key = {.call = text_of("c")}, .has_approval = 1, .payload = bytes_of("1")};
        weft_log_put_ledger(&w, &ledger);
    }
    return buffer->length;
}

TEST(hostile_bodies_end_in_a_typed_error) {
    size_t refusals = 0, tried = 0;
    for (uint8_t kind = WEFT_LOG_CHECKPOINT; kind <= WEFT_LOG_LIST_SNAPSHOT; kind++) {
        weft_buffer buffer;
        weft_buffer_init(&buffer, test_memory());
        uint32_t length = make_body(&buffer, kind);
        for (uint32_t cut = 0; cut < length; cut++) {
            uint8_t *exact = malloc(cut + 1);
            memcpy(exact, buffer.bytes, cut);
            CHECK_EQ(read_body(kind, exact, cut, 41), WEFT_ERR_LOG_CORRUPT);
            free(exact);
        }
        for (uint32_t at = 0; at < length; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                uint8_t before = buffer.bytes[at];
                buffer.bytes[at] = (uint8_t)byte;
                weft_status status = read_body(kind, buffer.bytes, length, 41);
                CHECK(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT);
                refusals += status != WEFT_OK;
                tried++;
                buffer.bytes[at] = before;
            }
        }
        for (int round = 0; round < 2000; round++) {
            uint8_t noise[64];
            uint32_t size = chance(sizeof(noise));
            for (uint32_t i = 0; i < size; i++) {
                noise[i] = (uint8_t)(chance(2) ? chance(256) : chance(8));
            }
            weft_status status = read_body(kind, noise, size, 41);
            CHECK(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT);
        }
        weft_buffer_fini(&buffer);
    }
    printf("     %zu changed bytes, %zu refused\n", tried, refusals);
    CHECK(refusals > tried / 10);
    CHECK_EQ(read_body(8, (const uint8_t *)"", 0, 41), WEFT_ERR_LOG_FORMAT);
    CHECK_EQ(read_body(0, (const uint8_t *)"", 0, 41), WEFT_ERR_LOG_FORMAT);
}

TEST(numbers_have_one_form) {
    static const uint8_t loose[][11] = {
        {0x80, 0x00},
        {0xff, 0x80, 0x00},
        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x00}};
    static const uint32_t sizes[] = {2, 3, 10, 11};
    for (int i = 0; i < 4; i++) {
        weft_log_reader r;
        weft_log_reader_init(&r, loose[i], sizes[i], 1);
        weft_log_get_trim(&r);
        CHECK_EQ(weft_log_reader_end(&r), WEFT_ERR_LOG_CORRUPT);
    }
}

TEST(a_step_of_a_chain_is_small) {
    test_log log;
    log_start(&log, "thread");
    weft_log_writer *w = log_begin(&log);
    weft_log_checkpoint head = head_of("", 3, 2, 1000);
    weft_log_put_checkpoint(w, &head, 0);
    weft_log_put_count(w, 3);
    weft_log_change change = {text_of("count"), 1001, WEFT_LOG_SET, 0, 0};
    weft_log_value value = number_of(1001);
    weft_log_put_change(w, &change);
    weft_log_put_value(w, &value);
    change = (weft_log_change){text_of("branch:to:next"), 1001, WEFT_LOG_SET, 0, 0};
    value = word_of(16);
    weft_log_put_change(w, &change);
    weft_log_put_value(w, &value);
    change = (weft_log_change){text_of("branch:to:step"), 1001, WEFT_LOG_UNSET, 0, 0};
    weft_log_put_change(w, &change);
    weft_log_put_count(w, 1);
    weft_log_seen seen = {text_of("step"), text_of("branch:to:step"), 1000};
    weft_log_put_seen(w, &seen);
    weft_log_put_count(w, 1);
    weft_log_task task = {
        .key = {.kind = WEFT_LOG_TASK_PULL, .node = text_of("step"), .trigger = seen.channel},
        .count = 2};
    weft_log_put_task(w, &task);
    weft_log_write write = {.channel = text_of("count"), .index = 0, .value = number_of(1001)};
    weft_log_put_write(w, &write);
    write =
        (weft_log_write){.channel = text_of("branch:to:next"), .index = 1, .value = word_of(16)};
    weft_log_put_write(w, &write);
    REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    printf("     a step with its frame: %" PRIu32 " bytes\n", log.bytes.length);
    CHECK(log.bytes.length <= 160);
    weft_buffer_fini(&log.bytes);
}

static void write_frames(void *context) {
    (void)context;
    test_log log;
    log_start(&log, "thread");
    log.chain.last.seq = 40;
    put_full_checkpoint(log_begin(&log));
    put_tasks(&log.writer, 4);
    weft_log_anchor before = log.chain.last;
    weft_status status = log_end(&log, WEFT_LOG_CHECKPOINT);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    CHECK_EQ(log.chain.last.seq, before.seq + (status == WEFT_OK ? 1 : 0));
    weft_buffer_fini(&log.bytes);
}

TEST(writing_survives_refused_memory) {
    test_each_failure(write_frames, NULL);
}
