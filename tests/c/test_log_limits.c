// SPDX-License-Identifier: MIT
// Limits: states of many channels, seen versions and items (growth, and refused memory meanwhile:
// T3), records that the writer must refuse, numbers that the reader must refuse, skipped tasks, and
// future formats.
#include "test_log.h"

#include "base/hash.h"

#define WIDE 100

static const char *name_of(char kind, uint32_t number) {
    static char names[4][16];
    static unsigned turn;
    char *name = names[turn++ % 4];
    snprintf(name, sizeof(names[0]), "%c%u", kind, (unsigned)number);
    return name;
}

// Two checkpoints: the first changes 100 channels and lists 100 seen versions, the second turns
// their order around.
static void put_wide(test_log *log) {
    log_start(log, "thread");
    for (uint32_t round = 0; round < 2; round++) {
        weft_log_writer *w = log_begin(log);
        weft_log_checkpoint head = head_of("sub", round, (int64_t)round - 1, round);
        weft_log_put_checkpoint(w, &head, 1);
        weft_log_put_parent(w, text_of(""), id_of(7));
        weft_log_put_count(w, WIDE);
        for (uint32_t i = 0; i < WIDE; i++) {
            uint32_t number = round == 0 ? i : WIDE - 1 - i;
            weft_log_change change = {text_of(name_of('c', number)), number + round, WEFT_LOG_LIST,
                                      0, 3};
            weft_log_put_change(w, &change);
            for (uint32_t item = 0; item < 3; item++) {
                weft_log_op op = {.kind = WEFT_LOG_APPEND,
                                  .value = number_of((int32_t)(number * 10 + item))};
                weft_log_put_op(w, &op);
            }
        }
        weft_log_put_count(w, WIDE);
        for (uint32_t i = 0; i < WIDE; i++) {
            uint32_t number = round == 0 ? i : WIDE - 1 - i;
            weft_log_seen seen = {text_of(name_of('n', number)), text_of(name_of('c', number)),
                                  number + round};
            weft_log_put_seen(w, &seen);
        }
        weft_log_put_count(w, 2);
        for (uint32_t i = 0; i < 2; i++) {
            weft_log_task task = {
                .key = {.kind = WEFT_LOG_TASK_PUSH, .index = i, .node = text_of("n")}, .count = 3};
            weft_log_put_task(w, &task);
            for (int32_t item = 0; item < 3; item++) {
                weft_log_write write = {
                    .channel = text_of("c"), .index = item, .value = bytes_of("\"w\"")};
                weft_log_put_write(w, &write);
            }
        }
        REQUIRE_EQ(log_end(log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    }
}

static void demand_wide(const weft_log_state *state) {
    REQUIRE(state->channel_count == WIDE && state->seen_count == WIDE);
    for (uint32_t i = 0; i < WIDE; i++) {
        const weft_log_channel *channel = &state->channels[i];
        CHECK_TEXT(channel->name.bytes, channel->name.length, name_of('c', i));
        CHECK_EQ(channel->version, i + 1);
        REQUIRE_EQ(channel->count, 6);
        for (uint32_t item = 0; item < 6; item++) {
            CHECK_EQ(channel->items[item].word, number_of((int32_t)(i * 10 + item % 3)).word);
        }
        CHECK_TEXT(state->seen[i].node.bytes, state->seen[i].node.length, name_of('n', i));
        CHECK_EQ(state->seen[i].version, i + 1);
    }
}

static void load_wide(void *context) {
    const weft_log_index *index = context;
    weft_arena arena;
    weft_log_state state;
    weft_arena_init(&arena, test_memory());
    weft_status status = weft_log_state_load(index, 1, &arena, &state);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    if (status == WEFT_OK) {
        demand_wide(&state);
    }
    weft_arena_fini(&arena);
}

TEST(a_wide_state_grows_and_survives_refused_memory) {
    test_log log;
    weft_log_index index;
    put_wide(&log);
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 3);
    REQUIRE_EQ(weft_log_index_load(&index, log_span(&log), log.chain.thread), WEFT_OK);
    test_each_failure(load_wide, &index);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

TEST(writes_not_read_are_passed_over) {
    test_log log;
    weft_log_index index;
    weft_log_pending pending;
    weft_log_task task;
    weft_log_write write;
    put_wide(&log);
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 3);
    REQUIRE_EQ(weft_log_index_load(&index, log_span(&log), log.chain.thread), WEFT_OK);
    weft_log_pending_init(&pending, &index, 0);
    REQUIRE(weft_log_pending_task(&pending, &task));
    REQUIRE(weft_log_pending_write(&pending, &write));
    CHECK_EQ(write.index, 0);
    REQUIRE(weft_log_pending_task(&pending, &task));
    CHECK_EQ(task.key.index, 1);
    CHECK(pending.child == 1 && pending.record == 1);
    REQUIRE(weft_log_pending_write(&pending, &write));
    CHECK_EQ(write.value.index, 3);
    CHECK(!weft_log_pending_task(&pending, &task));
    CHECK(!weft_log_pending_write(&pending, &write));
    CHECK_EQ(pending.status, WEFT_OK);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

static void put_bad(weft_log_writer *w, int which) {
    weft_log_checkpoint head = {.source = (weft_log_source)4};
    weft_log_change form = {.form = (weft_log_change_form)6}, mark = {.mark = 32};
    weft_log_op op = {.kind = (weft_log_op_kind)5}, run = {.kind = WEFT_LOG_RUN, .seq = 5};
    weft_log_task task = {.key = {.kind = (weft_log_task_kind)4}};
    weft_log_write write = {.special = WEFT_LOG_WRITE_KINDS};
    switch (which) {
    case 0:
        weft_log_put_checkpoint(w, &head, 0);
        break;
    case 1:
    case 2:
        weft_log_put_change(w, which == 1 ? &form : &mark);
        break;
    case 3:
    case 4:
        weft_log_put_op(w, which == 3 ? &op : &run);
        break;
    case 5:
        weft_log_put_task(w, &task);
        break;
    default:
        CHECK_EQ(weft_log_put_write(w, &write), WEFT_LOG_NONE);
    }
}

TEST(what_is_no_record_is_not_written) {
    for (int which = 0; which < 7; which++) {
        weft_buffer buffer;
        weft_log_writer w;
        weft_buffer_init(&buffer, test_memory());
        weft_log_writer_init(&w, &buffer, 5);
        put_bad(&w, which);
        CHECK_EQ(weft_log_writer_end(&w), WEFT_ERR_INTERNAL);
        weft_buffer_fini(&buffer);
    }
}

static weft_status value_status(uint64_t head, uint64_t seq) {
    weft_buffer buffer;
    weft_log_reader r;
    weft_log_value value;
    weft_buffer_init(&buffer, test_memory());
    weft_buffer_varint(&buffer, head);
    weft_buffer_varint(&buffer, 0);
    weft_log_reader_init(&r, buffer.bytes, buffer.length, seq);
    weft_log_get_value(&r, &value);
    weft_status status = r.status;
    weft_buffer_fini(&buffer);
    return status;
}

TEST(values_out_of_range_are_refused) {
    CHECK_EQ(value_status(UINT64_C(0x1fffffff) << 2 | 1, 9), WEFT_OK); // zigzag of -2^28
    CHECK_EQ(value_status(UINT64_C(0x20000000) << 2 | 1, 9), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(value_status(UINT64_C(0x20000001) << 2 | 1, 9), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(value_status(UINT64_C(0x1fffffff) << 2, 9), WEFT_OK);
    CHECK_EQ(value_status(UINT64_C(0x20000000) << 2, 9), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(value_status(1 << 2 | 2, 9), WEFT_OK);
    CHECK_EQ(value_status(2 << 2 | 2, 9), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(value_status(8 << 2 | 3, 9), WEFT_OK);
    CHECK_EQ(value_status(9 << 2 | 3, 9), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(value_status(0 << 2 | 3, 9), WEFT_ERR_LOG_CORRUPT);
}

TEST(a_frame_may_be_empty_and_a_span_too) {
    test_log log;
    weft_log_scan scan;
    weft_log_frame frame;
    log_start(&log, "thread");
    REQUIRE_EQ(
        weft_log_frame_end(&log.bytes, weft_log_frame_begin(&log.bytes), WEFT_LOG_TRIM, &log.chain),
        WEFT_OK);
    REQUIRE_EQ(log.bytes.length, WEFT_LOG_FRAME_BYTES);
    memset(&scan, 0xff, sizeof(scan));
    weft_log_scan_init(&scan, log_span(&log), log.chain.thread, (weft_log_anchor){0, 0});
    CHECK(weft_log_scan_next(&scan, &frame) == 1 && frame.length == 0);
    CHECK(weft_log_scan_next(&scan, &frame) == 0 && scan.stop == WEFT_LOG_STOP_CLEAN);
    memset(&scan, 0xff, sizeof(scan));
    weft_log_scan_init(&scan, (weft_log_span){log.bytes.bytes, 0}, log.chain.thread,
                       (weft_log_anchor){0, 0});
    CHECK(weft_log_scan_next(&scan, &frame) == 0 && scan.stop == WEFT_LOG_STOP_CLEAN);
    weft_buffer_fini(&log.bytes);
}

TEST(a_frame_without_memory_leaves_chain_and_buffer) {
    test_log log;
    log_start(&log, "thread");
    weft_log_put_trim(log_begin(&log), (weft_log_anchor){0, 0});
    REQUIRE_EQ(log_end(&log, WEFT_LOG_TRIM), WEFT_OK);
    weft_buffer refused;
    weft_buffer_init(&refused, test_memory());
    refused.status = WEFT_ERR_NO_MEMORY;
    weft_log_frame_patched(&refused, weft_log_frame_begin(&refused), 1);
    CHECK_EQ(weft_log_frame_end(&refused, 0, WEFT_LOG_TRIM, &log.chain), WEFT_ERR_NO_MEMORY);
    CHECK(refused.bytes == NULL && refused.length == 0);
    CHECK_EQ(log.chain.last.seq, 1);
    weft_buffer_fini(&refused);
    // The body is there, but no room for its CRC.
    uint32_t crc = log.chain.last.crc;
    test_log more;
    log_start(&more, "thread");
    uint32_t mark = weft_log_frame_begin(&more.bytes);
    while (more.bytes.length < more.bytes.capacity) {
        weft_buffer_u8(&more.bytes, 1);
    }
    test_fail_from(1);
    CHECK_EQ(weft_log_frame_end(&more.bytes, mark, WEFT_LOG_TRIM, &log.chain), WEFT_ERR_NO_MEMORY);
    test_fail_never();
    CHECK(log.chain.last.seq == 1 && log.chain.last.crc == crc);
    weft_buffer_fini(&more.bytes);
    weft_buffer_fini(&log.bytes);
}

// The layout itself, byte by byte: a change here breaks every log that was ever written.
TEST(the_frame_is_laid_out_as_published) {
    static const uint8_t start[20] = {
        'W', 'E', 'F', 'T', 1, WEFT_LOG_TRIM, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    test_log log;
    log_start(&log, "thread");
    weft_log_put_trim(log_begin(&log), (weft_log_anchor){0, 0});
    REQUIRE_EQ(log_end(&log, WEFT_LOG_TRIM), WEFT_OK);
    const uint8_t *at = log.bytes.bytes;
    uint8_t digest[32], crc[4];
    weft_hash_sha256_state state;
    weft_hash_sha256_init(&state);
    weft_hash_sha256_update(&state, "thread", 6);
    weft_hash_sha256_final(&state, digest);
    CHECK_MEM(at, 20, start, 20);
    CHECK_MEM(at + 20, 16, digest, 16);
    CHECK_MEM(at + 36, 4, "\0\0\0\0", 4);
    for (int i = 0; i < 2; i++) {
        uint32_t value = weft_hash_crc32c(0, at, 40);
        value = i == 0 ? value : weft_hash_crc32c(value, at + 44, 5);
        for (int byte = 0; byte < 4; byte++) {
            crc[byte] = (uint8_t)(value >> 8 * byte);
        }
        CHECK_MEM(at + (i == 0 ? 40 : 49), 4, crc, 4);
    }
    CHECK_EQ(log.bytes.length, 53);
    weft_buffer_fini(&log.bytes);
}

TEST(a_segment_of_a_newer_format_is_named) {
    test_log log;
    weft_buffer buffer;
    weft_log_segment segment;
    put_wide(&log);
    weft_buffer_init(&buffer, test_memory());
    weft_log_span all = log_span(&log);
    REQUIRE_EQ(weft_log_fold(&buffer, &all, 1, log.chain.thread, log.anchors[0], &segment),
               WEFT_OK);
    buffer.bytes[4] = WEFT_LOG_FORMAT + 1;
    weft_buffer_patch_u32(&buffer, 40, weft_hash_crc32c(0, buffer.bytes, 40));
    all = (weft_log_span){buffer.bytes, buffer.length};
    CHECK_EQ(weft_log_segment_read(all, &segment), WEFT_ERR_LOG_FORMAT);
    weft_buffer_fini(&buffer);
    weft_buffer_fini(&log.bytes);
}

// Changes one byte of a sound header and seals it again.
static weft_log_stop stop_with(uint32_t at, uint8_t byte) {
    test_log log;
    weft_log_scan scan;
    weft_log_frame frame;
    log_start(&log, "thread");
    weft_log_put_trim(log_begin(&log), (weft_log_anchor){0, 0});
    REQUIRE_EQ(log_end(&log, WEFT_LOG_TRIM), WEFT_OK);
    uint8_t *bytes = log.bytes.bytes;
    bytes[at] = byte;
    uint32_t crc = weft_hash_crc32c(0, bytes, 40);
    weft_buffer_patch_u32(&log.bytes, 40, crc);
    weft_buffer_patch_u32(&log.bytes, 49, weft_hash_crc32c(crc, bytes + 44, 5));
    weft_log_scan_init(&scan, log_span(&log), log.chain.thread, (weft_log_anchor){0, 0});
    int got = weft_log_scan_next(&scan, &frame);
    CHECK_EQ(got, scan.stop == WEFT_LOG_STOP_CLEAN);
    CHECK_EQ(scan.last.seq, got ? 1 : 0);
    weft_buffer_fini(&log.bytes);
    return scan.stop;
}

TEST(each_field_of_a_sound_header_is_checked) {
    CHECK_EQ(stop_with(4, WEFT_LOG_FORMAT), WEFT_LOG_STOP_CLEAN);
    CHECK_EQ(stop_with(0, 'w'), WEFT_LOG_STOP_DAMAGED);
    CHECK_EQ(stop_with(4, WEFT_LOG_FORMAT_PATCHED), WEFT_LOG_STOP_CLEAN);
    CHECK_EQ(stop_with(4, WEFT_LOG_FORMAT_CROSS_REFS), WEFT_LOG_STOP_CLEAN);
    CHECK_EQ(stop_with(4, WEFT_LOG_FORMAT_PACKED), WEFT_LOG_STOP_CLEAN);
    CHECK_EQ(stop_with(4, WEFT_LOG_FORMAT_TIMED), WEFT_LOG_STOP_CLEAN);
    CHECK_EQ(stop_with(4, WEFT_LOG_FORMAT_TIMED + 1), WEFT_LOG_STOP_FORMAT);
    CHECK_EQ(stop_with(4, 0), WEFT_LOG_STOP_FORMAT);
    CHECK_EQ(stop_with(5, 0), WEFT_LOG_STOP_FORMAT);
    CHECK_EQ(stop_with(5, WEFT_LOG_LIST_SNAPSHOT + 1), WEFT_LOG_STOP_FORMAT);
    CHECK_EQ(stop_with(6, 1), WEFT_LOG_STOP_FORMAT);
    CHECK_EQ(stop_with(7, 0x80), WEFT_LOG_STOP_FORMAT);
    CHECK_EQ(stop_with(8, 6), WEFT_LOG_STOP_DAMAGED);
    CHECK_EQ(stop_with(11, 0xff), WEFT_LOG_STOP_DAMAGED);
    CHECK_EQ(stop_with(12, 2), WEFT_LOG_STOP_CHAIN);
    CHECK_EQ(stop_with(19, 1), WEFT_LOG_STOP_CHAIN);
    CHECK_EQ(stop_with(36, 1), WEFT_LOG_STOP_CHAIN);
    CHECK_EQ(stop_with(20, 0), WEFT_LOG_STOP_THREAD);
}
