// SPDX-License-Identifier: MIT
// Packed records: smaller, and unpacked to the original; the bytes that they refer to must exist; a
// rewritten log is packed again.
#include "test_log.h"

#include "log/pack.h"
#include "log/rewrite.h"

#define TURNS 30u

static void put_checkpoint(test_log *log, const char *ns, uint32_t id, int64_t parent,
                           uint32_t length) {
    static char text[6000];
    weft_log_writer *w = log_begin(log);
    weft_log_checkpoint head = head_of(ns, id, parent, id);
    weft_log_change change = {.channel = text_of("messages"), .version = id, .form = WEFT_LOG_SET};
    for (uint32_t i = 0; i < length; i++) {
        text[i] = (char)('!' + chance(90));
    }
    text[length] = 0;
    weft_log_value value = bytes_of(text);
    head.keyframe = parent < 0;
    weft_log_put_checkpoint(w, &head, 1);
    weft_log_put_parent(w, text_of(""), id_of(0));
    weft_log_put_count(w, 1);
    weft_log_put_change(w, &change);
    weft_log_put_value(w, &value);
    weft_log_put_count(w, 0); // seen
    weft_log_put_count(w, 0); // tasks
}

// The same records twice: packed by `packer`, or as they are without one. Turn i has a namespace of
// its own, with three checkpoints, of which the last one's text is short, longer than what is kept
// of a body, or longer than what is packed.
static weft_status conversation(test_log *log, weft_log_packer **packer) {
    weft_status status = WEFT_OK;
    log_start(log, "thread");
    chance_state = 7;
    for (uint32_t i = 0; i < TURNS * 3 && status == WEFT_OK; i++) {
        char ns[80];
        snprintf(ns, sizeof(ns), "agent:%08x-1e8f-5788-8739-d453b718063f", i / 3 * 0x9e3779b9u);
        uint32_t length = i % 3 < 2 ? 20 : i == 29 ? 5000 : i == 32 ? 600 : 0;
        put_checkpoint(log, ns, i, i % 3 == 0 ? -1 : (int64_t)i - 1, length);
        if (packer != NULL) {
            weft_log_pack(packer, test_memory(), &log->bytes, log->mark, log->writer.seq);
        }
        status = log_end(log, WEFT_LOG_CHECKPOINT);
    }
    return status;
}

static weft_status load(const test_log *log, weft_log_index *index) {
    weft_log_index_init(index, test_memory(), (weft_log_anchor){0, 0}, 5);
    return weft_log_index_load(index, log_span(log), log->chain.thread);
}

static void check_same(const weft_log_index *a, const weft_log_index *b) {
    REQUIRE_EQ(a->record_count, b->record_count);
    for (uint32_t i = 0; i < a->record_count; i++) {
        CHECK_MEM(a->records[i].body, a->records[i].length, b->records[i].body,
                  b->records[i].length);
    }
}

TEST(packed_records_are_smaller_and_read_as_they_were) {
    test_log plain, packed;
    weft_log_index of_plain, of_packed;
    weft_log_packer *packer = NULL;
    REQUIRE_EQ(conversation(&plain, NULL), WEFT_OK);
    REQUIRE_EQ(conversation(&packed, &packer), WEFT_OK);
    weft_log_packer_begin(&packer, test_memory(), NULL);
    CHECK(packer == NULL);
    REQUIRE_EQ(load(&plain, &of_plain), WEFT_OK);
    REQUIRE_EQ(load(&packed, &of_packed), WEFT_OK);
    check_same(&of_plain, &of_packed);
    for (uint32_t i = 0; i < packed.count; i++) {
        uint32_t size = packed.ends[i + 1] - packed.ends[i],
                 before = plain.ends[i + 1] - plain.ends[i];
        CHECK_EQ(packed.bytes.bytes[packed.ends[i] + 4],
                 i == 0 || i == 29 ? WEFT_LOG_FORMAT : WEFT_LOG_FORMAT_PACKED);
        CHECK(i == 0 || i == 29 ? size == before : size < before);
        // Of a namespace that was there, the id of a parent, and names, numbers stay.
        CHECK(i % 3 != 2 || i == 29 || i == 32 || size + 70 < before);
    }
    weft_log_index_fini(&of_plain);
    weft_log_index_fini(&of_packed);
    weft_buffer_fini(&plain.bytes);
    weft_buffer_fini(&packed.bytes);
}

TEST(what_is_written_anew_is_packed_again) {
    test_log packed;
    weft_log_index index, after;
    weft_log_packer *packer = NULL;
    weft_log_rewritten counts;
    weft_buffer out;
    REQUIRE_EQ(conversation(&packed, &packer), WEFT_OK);
    weft_log_packer_begin(&packer, test_memory(), NULL);
    REQUIRE_EQ(load(&packed, &index), WEFT_OK);
    for (uint32_t trims = 0; trims < 2; trims++) {
        weft_log_chain chain = packed.chain;
        chain.last = trims ? packed.chain.last : (weft_log_anchor){0, 0};
        weft_buffer_init(&out, test_memory());
        weft_log_rewrite_mode mode = trims ? WEFT_LOG_REWRITE_TRIM : WEFT_LOG_REWRITE_COPY;
        REQUIRE_EQ(weft_log_rewrite(&index, mode, NULL, &out, &chain, &counts), WEFT_OK);
        CHECK_EQ(out.length, packed.bytes.length + (trims ? WEFT_LOG_FRAME_BYTES + 5 : 0));
        // It needs nothing of what was before.
        weft_log_index_init(&after, test_memory(),
                            trims ? packed.chain.last : (weft_log_anchor){0, 0}, 5);
        REQUIRE_EQ(
            weft_log_index_load(&after, (weft_log_span){out.bytes, out.length}, chain.thread),
            WEFT_OK);
        CHECK_EQ(after.entry_count, packed.count);
        if (!trims) {
            check_same(&index, &after);
        }
        weft_log_index_fini(&after);
        weft_buffer_fini(&out);
    }
    weft_log_index_fini(&index);
    weft_buffer_fini(&packed.bytes);
}

// The status of a log of `before` checkpoints, whose texts have 600 bytes where `is_long`, and a
// frame whose body is said to be packed.
static weft_status packed_behind(uint32_t before, int is_long, const void *bytes, uint32_t length) {
    test_log log;
    weft_log_index index;
    log_start(&log, "thread");
    for (uint32_t i = 0; i < before; i++) {
        put_checkpoint(&log, "", 0, -1, is_long ? 600 : 2);
        REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    }
    weft_buffer_append(log_begin(&log)->buffer, bytes, length);
    log.bytes.bytes[log.mark + 4] = WEFT_LOG_FORMAT_PACKED;
    REQUIRE_EQ(log_end(&log, WEFT_LOG_WRITES), WEFT_OK);
    weft_status status = load(&log, &index);
    CHECK_EQ(index.record_count, before + (status == WEFT_OK));
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
    return status;
}

static weft_status packed_as(const void *bytes, uint32_t length) {
    return packed_behind(1, 0, bytes, length);
}

// WRITES of the namespace "" and checkpoint 0, without tasks: 18 bytes, of which the first 17 are
// those of the checkpoint.
#define PACKED(bytes) packed_as(bytes, sizeof(bytes) - 1)

TEST(what_a_packed_record_takes_must_be_there) {
    uint8_t most[3 + 4100] = {0x81, 0x20, 0};
    CHECK_EQ(PACKED("\x12\x00\x01\x00\x11\x01\x00"), WEFT_OK);
    CHECK_EQ(PACKED("\x12\x01\x00\x01\x01\x10\x01\x00"), WEFT_OK);
    CHECK_EQ(
        PACKED("\x12\x12\x00\x00\x00\x00\x00\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x00"),
        WEFT_OK);
    CHECK_EQ(PACKED("\x12\x00\x01\x00\x11\x00\x01\x00\x01"), WEFT_OK);
    CHECK_EQ(PACKED("\x12\x00\x00\x00\x11\x01\x00"), WEFT_ERR_LOG_CORRUPT); // of itself
    CHECK_EQ(PACKED("\x12\x00\x02\x00\x11\x01\x00"),
             WEFT_ERR_LOG_CORRUPT); // of what is before the first
    CHECK_EQ(PACKED("\x12\x00\x01\x7f\x11\x01\x00"), WEFT_ERR_LOG_CORRUPT); // from behind its end
    CHECK_EQ(PACKED("\x12\x00\x01\x20\x11\x01\x00"), WEFT_ERR_LOG_CORRUPT); // over its end
    CHECK_EQ(PACKED("\x12\x00\x01\xff\xff\xff\xff\x0f\x11\x01\x00"), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(PACKED("\x12\x00\x01\x00\x12\x01\x00"), WEFT_ERR_LOG_CORRUPT); // more than all
    CHECK_EQ(PACKED("\x12\x00\x01\x00\x13"), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(PACKED("\x13\x00\x01\x00\x11\x01\x00"), WEFT_ERR_LOG_CORRUPT); // less
    CHECK_EQ(PACKED("\x12\x00\x01\x00\x11\x02\x00"),
             WEFT_ERR_LOG_CORRUPT); // more than is left of the frame
    CHECK_EQ(PACKED("\x12\x00\x01\x00"), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(PACKED("\x12\x20\x00"), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(PACKED("\x12"), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(PACKED("\x00"), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(PACKED(""), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(packed_as(most, sizeof(most)), WEFT_ERR_LOG_CORRUPT); // longer than what is packed
}

TEST(what_a_packed_record_takes_is_near) {
    static const uint8_t most[] = {0x12, 0, 0x80, 2, 0, 0x11, 1, 0},
                         far[] = {0x12, 0, 0x81, 2, 0, 0x11, 1, 0};
    CHECK_EQ(packed_behind(300, 0, most, sizeof(most)), WEFT_OK);
    CHECK_EQ(packed_behind(300, 0, far, sizeof(far)), WEFT_ERR_LOG_CORRUPT);
    // A run of no bytes at the latest place, and behind it.
    static const uint8_t late[] = {0x12, 0, 1, 0, 0x11, 0, 1, 0x81, 2, 0, 1, 0},
                         sure[] = {0x12, 0, 1, 0, 0x11, 0, 1, 0x80, 2, 0, 1, 0};
    CHECK_EQ(packed_behind(1, 1, sure, sizeof(sure)), WEFT_OK);
    CHECK_EQ(packed_behind(1, 1, late, sizeof(late)), WEFT_ERR_LOG_CORRUPT);
}

// Between two records that are alike stand others, so many that the first one may no longer be
// taken from.
TEST(the_packer_takes_from_near_records_only) {
    weft_log_packer *packer = NULL;
    weft_buffer buffer;
    static const char body[] = "what stands in both of them";
    for (uint32_t far = 0; far < 2; far++) {
        for (uint32_t at = 0; at < 2; at++) {
            weft_buffer_init(&buffer, test_memory());
            memset(weft_buffer_extend(&buffer, WEFT_LOG_HEADER_BYTES), 0, WEFT_LOG_HEADER_BYTES);
            weft_buffer_append(&buffer, body, sizeof(body));
            weft_log_pack(&packer, test_memory(), &buffer, 0,
                          at == 0 ? 1 : 1 + WEFT_LOG_PACKED_NEAR + far);
            CHECK_EQ(buffer.bytes[4], at == 1 && !far ? WEFT_LOG_FORMAT_PACKED : 0);
            weft_buffer_fini(&buffer);
        }
        weft_log_packer_begin(&packer, test_memory(), NULL);
    }
}

static uint32_t varint(const uint8_t **at) {
    uint32_t value = 0;
    for (uint32_t shift = 0;; shift += 7) {
        value |= (uint32_t)(**at & 127) << shift;
        if ((*(*at)++ & 128) == 0) {
            return value;
        }
    }
}

// Reads a packed body into `out`; `bodies` has the text of each earlier number. Answers its length.
static uint32_t unpacked(const uint8_t *at, const uint8_t *end, uint32_t number,
                         uint8_t bodies[][1024], uint8_t *out) {
    uint32_t length = varint(&at), done = 0;
    while (done < length) {
        uint32_t own = varint(&at);
        memcpy(out + done, at, own);
        at += own;
        done += own;
        if (done < length) {
            uint32_t from = number - varint(&at), place = varint(&at), count = varint(&at);
            memcpy(out + done, bodies[from] + place, count);
            done += count;
        }
    }
    CHECK(at == end && done == length);
    return length;
}

// Packs 300 bodies of a fourteenth each of the same texts, of `least` bytes and up to 40 more: the
// packer forgets the older half of what it has again and again. Answers the sum of their bytes.
static uint32_t packed_bytes(uint32_t least, uint32_t *plain) {
    static uint8_t bodies[300][1024], out[1024];
    weft_log_packer *packer = NULL;
    uint32_t sum = 0;
    *plain = 0;
    for (uint32_t i = 0; i < 300; i++) {
        weft_buffer buffer;
        chance_state = 100 + i % 14;
        uint32_t length = least + chance(40);
        for (uint32_t at = 0; at < length; at++) {
            bodies[i][at] = (uint8_t)chance(256);
        }
        bodies[i][length / 2] = (uint8_t)i;
        weft_buffer_init(&buffer, test_memory());
        memset(weft_buffer_extend(&buffer, WEFT_LOG_HEADER_BYTES), 0, WEFT_LOG_HEADER_BYTES);
        weft_buffer_append(&buffer, bodies[i], length);
        weft_log_pack(&packer, test_memory(), &buffer, 0, i);
        if (buffer.bytes[4] == WEFT_LOG_FORMAT_PACKED) {
            CHECK_EQ(unpacked(buffer.bytes + WEFT_LOG_HEADER_BYTES, buffer.bytes + buffer.length, i,
                              bodies, out),
                     length);
            CHECK_MEM(out, length, bodies[i], length);
        }
        sum += buffer.length - WEFT_LOG_HEADER_BYTES;
        *plain += length;
        weft_buffer_fini(&buffer);
    }
    weft_log_packer_begin(&packer, test_memory(), NULL);
    return sum;
}

TEST(what_is_kept_is_taken_from_whatever_was_forgotten) {
    uint32_t plain;
    CHECK_EQ(packed_bytes(40, &plain), 3981); // 32 bodies
    CHECK_EQ(plain, 17452);
    CHECK_EQ(packed_bytes(150, &plain), 12547); // 4 KiB
    CHECK_EQ(plain, 50452);
    CHECK_EQ(packed_bytes(500, &plain), 130982); // of each body what is kept
    CHECK_EQ(plain, 155452);
}

// Packs bodies one after the other and reads each again. Answers the bytes of the last one.
static uint32_t packed_last(const char *const *texts, uint32_t count) {
    static uint8_t bodies[4][1024], out[1024];
    weft_log_packer *packer = NULL;
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = (uint32_t)strlen(texts[i]);
        weft_buffer buffer;
        memcpy(bodies[i], texts[i], length);
        weft_buffer_init(&buffer, test_memory());
        memset(weft_buffer_extend(&buffer, WEFT_LOG_HEADER_BYTES), 0, WEFT_LOG_HEADER_BYTES);
        weft_buffer_append(&buffer, texts[i], length);
        weft_log_pack(&packer, test_memory(), &buffer, 0, i);
        size = buffer.length - WEFT_LOG_HEADER_BYTES;
        if (buffer.bytes[4] == WEFT_LOG_FORMAT_PACKED) {
            CHECK_EQ(unpacked(buffer.bytes + WEFT_LOG_HEADER_BYTES, buffer.bytes + buffer.length, i,
                              bodies, out),
                     length);
            CHECK_MEM(out, length, texts[i], length);
        }
        weft_buffer_fini(&buffer);
    }
    weft_log_packer_begin(&packer, test_memory(), NULL);
    return size;
}

// Behind a body that is being packed stands its length: 48 is a '0', 49 a '1'.
TEST(a_run_ends_where_its_body_ends) {
#define LONG_TEXT "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
    CHECK_EQ(packed_last((const char *const[]){LONG_TEXT "0 and more", LONG_TEXT}, 2), 5);
    CHECK_EQ(packed_last((const char *const[]){LONG_TEXT "1 and more", "-" LONG_TEXT}, 2), 6);
    CHECK_EQ(packed_last((const char *const[]){LONG_TEXT, "0123456789", LONG_TEXT "0"}, 3), 7);
#undef LONG_TEXT
}

// Packs a body of `length` equal bytes. Answers its bytes.
static uint32_t packed_run(uint32_t length) {
    weft_log_packer *packer = NULL;
    uint32_t size = 0;
    for (uint32_t seq = 1; seq < 3; seq++) {
        weft_buffer buffer;
        weft_buffer_init(&buffer, test_memory());
        memset(weft_buffer_extend(&buffer, WEFT_LOG_HEADER_BYTES), 0, WEFT_LOG_HEADER_BYTES);
        memset(weft_buffer_extend(&buffer, length), 'x', length);
        weft_log_pack(&packer, test_memory(), &buffer, 0, seq);
        size = buffer.length - WEFT_LOG_HEADER_BYTES;
        weft_buffer_fini(&buffer);
    }
    weft_log_packer_begin(&packer, test_memory(), NULL);
    return size;
}

TEST(a_record_is_packed_up_to_its_most) {
    CHECK_EQ(packed_run(WEFT_LOG_PACKED_MOST), 2562);
    CHECK_EQ(packed_run(WEFT_LOG_PACKED_MOST + 1), WEFT_LOG_PACKED_MOST + 1);
}

// The bytes of a record behind `before` others that is packed by whoever opens the log, and is like
// number `like` of them.
static uint32_t packed_after(uint32_t before, uint32_t like) {
    test_log log;
    weft_log_index index;
    weft_log_packer *packer = NULL;
    log_start(&log, "thread");
    for (uint32_t i = 0; i <= before; i++) {
        chance_state = 50 + (i == before ? like : i);
        if (i == before) {
            REQUIRE_EQ(load(&log, &index), WEFT_OK);
            REQUIRE_EQ(weft_log_packer_begin(&packer, test_memory(), &index), WEFT_OK);
            weft_log_index_fini(&index);
        }
        put_checkpoint(&log, "", i, -1, 60);
        weft_log_pack(&packer, test_memory(), &log.bytes, log.mark, log.writer.seq);
        REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    }
    weft_log_packer_begin(&packer, test_memory(), NULL);
    uint32_t bytes = log.ends[before + 1] - log.ends[before];
    weft_buffer_fini(&log.bytes);
    return bytes;
}

TEST(whoever_opens_a_log_takes_from_its_newest_records) {
    CHECK_EQ(packed_after(10, 0), 73);
    CHECK_EQ(packed_after(60, 59), 73);
    CHECK_EQ(packed_after(60, 28), 91);
    CHECK_EQ(packed_after(60, 27), 135);
}

// Any byte of the log changed: a typed error or a state.
TEST(changed_packed_records_end_in_a_typed_error) {
    test_log log;
    weft_log_packer *packer = NULL;
    uint32_t refused = 0, read = 0;
    REQUIRE_EQ(conversation(&log, &packer), WEFT_OK);
    weft_log_packer_begin(&packer, test_memory(), NULL);
    for (uint32_t frame = 1; frame < 12; frame++) {
        for (uint32_t at = log.ends[frame] + WEFT_LOG_HEADER_BYTES; at < log.ends[frame + 1] - 4;
             at++) {
            weft_log_index index;
            uint8_t before = log.bytes.bytes[at];
            log.bytes.bytes[at] = (uint8_t)(before ^ (1u << chance(8)));
            weft_status status = load(&log, &index);
            refused += status == WEFT_ERR_LOG_CORRUPT;
            read += status == WEFT_OK;
            CHECK(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT);
            weft_log_index_fini(&index);
            log.bytes.bytes[at] = before;
        }
    }
    CHECK(refused > 100 && read > 100);
    weft_buffer_fini(&log.bytes);
}

static void refused_memory(void *context) {
    test_log log;
    weft_log_index index;
    weft_log_packer *packer = NULL;
    (void)context;
    weft_status status = conversation(&log, &packer);
    CHECK(status == WEFT_OK || (status == WEFT_ERR_NO_MEMORY && test_has_failed()));
    weft_log_packer_begin(&packer, test_memory(), NULL);
    if (status == WEFT_OK) {
        status = load(&log, &index);
        CHECK(status == WEFT_OK || (status == WEFT_ERR_NO_MEMORY && test_has_failed()));
        CHECK(status != WEFT_OK || index.entry_count == log.count);
        weft_log_index_fini(&index);
    }
    weft_buffer_fini(&log.bytes);
}

TEST(packing_survives_each_refused_allocation) {
    test_each_failure(refused_memory, NULL);
}
