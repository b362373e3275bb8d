// SPDX-License-Identifier: MIT
// Segments, trimming and the witness: folded frames are the original ones, a segment's damaged
// header does not hide frames, a log may only start later after a TRIM, and recovery's verdicts are
// distinguished. Serves docs/reliability.md 1 (promise 2), docs/log-format.md 1, 7 (folding, TRIM,
// witness).
#include "test_log.h"

#include "base/hash.h"

static test_log log_of(uint32_t frames) {
    test_log log;
    log_start(&log, "thread");
    for (uint32_t i = 0; i < frames; i++) {
        weft_log_writer *w = log_begin(&log);
        weft_log_checkpoint head = head_of("", i, i == 0 ? -1 : (int64_t)i - 1, i);
        weft_log_put_checkpoint(w, &head, 0);
        for (int section = 0; section < 3; section++) {
            weft_log_put_count(w, 0);
        }
        REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    }
    return log;
}

static weft_log_span part(const test_log *log, uint32_t from, uint32_t until) {
    return (weft_log_span){log->bytes.bytes + log->ends[from], log->ends[until] - log->ends[from]};
}

static weft_log_recovery recover(const test_log *log, const weft_log_span *spans, uint32_t count,
                                 const weft_log_anchor *witness) {
    weft_log_recovery found;
    weft_log_recover(spans, count, log->chain.thread, witness, &found);
    return found;
}

TEST(a_segment_holds_the_frames_verbatim) {
    test_log log = log_of(9);
    weft_buffer first, both;
    weft_log_segment segment, read;
    weft_buffer_init(&first, test_memory());
    weft_buffer_init(&both, test_memory());
    weft_log_span spans[3] = {part(&log, 0, 1), part(&log, 1, 4), part(&log, 4, 4)};
    REQUIRE_EQ(weft_log_fold(&first, spans, 3, log.chain.thread, log.anchors[0], &segment),
               WEFT_OK);
    CHECK_MEM(segment.frames.bytes, segment.frames.length, log.bytes.bytes, log.ends[4]);
    CHECK(segment.last.seq == 4 && segment.last.crc == log.anchors[4].crc);

    weft_buffer_u8(&both, 0x99); // a segment may begin anywhere in a buffer
    spans[0] = (weft_log_span){first.bytes, first.length};
    spans[1] = part(&log, 4, 9);
    REQUIRE_EQ(weft_log_fold(&both, spans, 2, log.chain.thread, log.anchors[0], &segment), WEFT_OK);
    weft_log_span whole = {both.bytes + 1, both.length - 1};
    REQUIRE_EQ(weft_log_segment_check(whole, log.chain.thread, &read), WEFT_OK);
    CHECK_MEM(read.frames.bytes, read.frames.length, log.bytes.bytes, log.bytes.length);
    CHECK(read.before.seq == 0 && read.before.crc == 0 && read.last.seq == 9 &&
          read.last.crc == log.chain.last.crc);
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 1);
    CHECK_EQ(weft_log_index_load(&index, whole, log.chain.thread), WEFT_OK);
    CHECK(index.record_count == 9 && index.last.crc == log.chain.last.crc);
    weft_log_index_fini(&index);
    weft_log_span later = part(&log, 4, 9);
    weft_buffer_clear(&first);
    REQUIRE_EQ(weft_log_fold(&first, &later, 1, log.chain.thread, log.anchors[4], &segment),
               WEFT_OK);
    CHECK(segment.before.seq == 4 && segment.before.crc == log.anchors[4].crc);
    weft_buffer_fini(&first);
    weft_buffer_fini(&both);
    weft_buffer_fini(&log.bytes);
}

static weft_status fold_status(const weft_log_span *spans, uint32_t count, const uint8_t *thread,
                               weft_log_anchor anchor) {
    weft_buffer buffer;
    weft_log_segment segment;
    weft_buffer_init(&buffer, test_memory());
    weft_buffer_u32(&buffer, 1);
    weft_status status = weft_log_fold(&buffer, spans, count, thread, anchor, &segment);
    CHECK(status == WEFT_OK || (buffer.length == 4 && buffer.status == WEFT_OK));
    weft_buffer_fini(&buffer);
    return status;
}

TEST(what_does_not_follow_is_not_folded) {
    test_log log = log_of(5);
    uint8_t other[WEFT_LOG_THREAD_BYTES];
    weft_log_thread_hash("other", 5, other);
    weft_log_span gap[2] = {part(&log, 0, 1), part(&log, 2, 5)};
    weft_log_span torn = {log.bytes.bytes, log.bytes.length - 1};
    weft_log_span all = log_span(&log);
    CHECK_EQ(fold_status(&all, 1, log.chain.thread, log.anchors[0]), WEFT_OK);
    CHECK_EQ(fold_status(gap, 2, log.chain.thread, log.anchors[0]), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(fold_status(&torn, 1, log.chain.thread, log.anchors[0]), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(fold_status(&all, 1, log.chain.thread, log.anchors[1]), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(fold_status(&all, 0, log.chain.thread, log.anchors[0]), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(fold_status(&all, 1, other, log.anchors[0]), WEFT_ERR_WRONG_THREAD);
    weft_buffer_fini(&log.bytes);
}

TEST(a_changed_segment_is_refused_but_its_frames_are_found) {
    test_log log = log_of(3);
    weft_buffer buffer;
    weft_log_segment segment;
    weft_log_span all = log_span(&log);
    weft_buffer_init(&buffer, test_memory());
    REQUIRE_EQ(weft_log_fold(&buffer, &all, 1, log.chain.thread, log.anchors[0], &segment),
               WEFT_OK);
    for (uint32_t bit = 0; bit < buffer.length * 8; bit++) {
        buffer.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        weft_log_span span = {buffer.bytes, buffer.length};
        REQUIRE(weft_log_segment_check(span, log.chain.thread, &segment) != WEFT_OK);
        weft_log_recovery found = recover(&log, &span, 1, &log.chain.last);
        if (bit / 8 < WEFT_LOG_SEGMENT_BYTES) {
            REQUIRE_EQ(found.verdict, WEFT_LOG_OK);
            REQUIRE_EQ(found.bytes, buffer.length);
        } else {
            REQUIRE_EQ(found.verdict, WEFT_LOG_CORRUPT);
        }
        buffer.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (uint32_t length = 0; length < buffer.length; length++) {
        weft_log_span span = {buffer.bytes, length};
        REQUIRE_EQ(weft_log_segment_check(span, log.chain.thread, &segment), WEFT_ERR_LOG_CORRUPT);
    }
    weft_buffer_fini(&buffer);
    weft_buffer_fini(&log.bytes);
}

// The segment's header says `value` at a place, under a CRC that fits.
static weft_status status_saying(const weft_buffer *made, const uint8_t *thread, uint32_t at,
                                 uint64_t value) {
    uint8_t *bytes = malloc(made->length);
    weft_log_segment segment;
    memcpy(bytes, made->bytes, made->length);
    for (uint32_t i = 0; i < (at < 32 ? 8u : 4u); i++) {
        bytes[at + i] = (uint8_t)(value >> (8 * i));
    }
    uint32_t sealed = weft_hash_crc32c(0, bytes, 40);
    for (int i = 0; i < 4; i++) {
        bytes[40 + i] = (uint8_t)(sealed >> (8 * i));
    }
    weft_status status =
        weft_log_segment_check((weft_log_span){bytes, made->length}, thread, &segment);
    free(bytes);
    return status;
}

TEST(a_sealed_header_says_what_its_frames_say) {
    test_log log = log_of(3);
    weft_buffer made;
    weft_log_segment segment;
    weft_log_span later = part(&log, 1, 3);
    weft_buffer_init(&made, test_memory());
    REQUIRE_EQ(weft_log_fold(&made, &later, 1, log.chain.thread, log.anchors[1], &segment),
               WEFT_OK);
    const uint8_t *thread = log.chain.thread;
    CHECK_EQ(status_saying(&made, thread, 8, 2), WEFT_OK);
    CHECK_EQ(status_saying(&made, thread, 8, 0), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(status_saying(&made, thread, 16, 1), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(status_saying(&made, thread, 16, 4), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(status_saying(&made, thread, 24, segment.frames.length + 1), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(status_saying(&made, thread, 36, log.chain.last.crc), WEFT_OK);
    CHECK_EQ(status_saying(&made, thread, 36, log.chain.last.crc ^ 1), WEFT_ERR_LOG_CORRUPT);
    // A first frame of 0 follows nothing: not even the header alone is believed.
    uint8_t *header = made.bytes;
    memset(header + 8, 0, 8);
    uint32_t sealed = weft_hash_crc32c(0, header, 40);
    for (int i = 0; i < 4; i++) {
        header[40 + i] = (uint8_t)(sealed >> (8 * i));
    }
    CHECK_EQ(weft_log_segment_read((weft_log_span){made.bytes, made.length}, &segment),
             WEFT_ERR_LOG_CORRUPT);
    weft_buffer_fini(&made);
    weft_buffer_fini(&log.bytes);
}

TEST(more_than_a_segment_holds_is_not_read) {
    test_log log = log_of(1);
    weft_log_span endless = {log.bytes.bytes, (size_t)UINT32_MAX + 1};
    weft_buffer refused;
    weft_log_segment segment;
    CHECK_EQ(fold_status(&endless, 1, log.chain.thread, log.anchors[0]), WEFT_ERR_NO_MEMORY);
    weft_buffer_init(&refused, test_memory());
    refused.status = WEFT_ERR_NO_MEMORY;
    weft_log_span all = log_span(&log);
    CHECK_EQ(weft_log_fold(&refused, &all, 1, log.chain.thread, log.anchors[0], &segment),
             WEFT_ERR_NO_MEMORY);
    CHECK_EQ(refused.length, 0);
    weft_buffer_fini(&refused);
    weft_buffer_fini(&log.bytes);
}

static void fold_all(void *context) {
    const test_log *log = context;
    weft_buffer buffer;
    weft_log_segment segment;
    weft_log_span all = log_span(log);
    weft_buffer_init(&buffer, test_memory());
    weft_status status =
        weft_log_fold(&buffer, &all, 1, log->chain.thread, log->anchors[0], &segment);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    CHECK_EQ(buffer.length, status == WEFT_OK ? log->bytes.length + WEFT_LOG_SEGMENT_BYTES : 0);
    weft_buffer_fini(&buffer);
}

TEST(folding_survives_refused_memory) {
    test_log log = log_of(5);
    test_each_failure(fold_all, &log);
    weft_buffer_fini(&log.bytes);
}

TEST(the_witness_tells_loss_from_a_new_log) {
    test_log log = log_of(6);
    weft_log_span all = log_span(&log), some = part(&log, 0, 4);
    weft_log_anchor older = log.anchors[3], other = {6, log.chain.last.crc ^ 1}, none = {0, 0};
    weft_log_recovery found = recover(&log, NULL, 0, NULL);
    CHECK(found.verdict == WEFT_LOG_OK && found.last.seq == 0);
    found = recover(&log, NULL, 0, &none);
    CHECK_EQ(found.verdict, WEFT_LOG_OK);
    found = recover(&log, NULL, 0, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 6);
    found = recover(&log, &some, 1, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 2 && found.last.seq == 4);
    found = recover(&log, &all, 1, &older);
    CHECK(found.verdict == WEFT_LOG_OK && found.last.seq == 6 &&
          found.last.crc == log.chain.last.crc);
    found = recover(&log, &all, 1, &other);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 1);
    some = (weft_log_span){log.bytes.bytes, log.bytes.length - 3};
    found = recover(&log, &some, 1, &log.anchors[5]);
    CHECK(found.verdict == WEFT_LOG_TORN && found.last.seq == 5);
    CHECK_EQ(weft_log_verdict_status(found.verdict), WEFT_OK);
    CHECK_EQ(weft_log_verdict_status(WEFT_LOG_DATA_LOSS), WEFT_ERR_DATA_LOSS);
    CHECK_EQ(weft_log_verdict_status(WEFT_LOG_CORRUPT), WEFT_ERR_LOG_CORRUPT);
    weft_buffer_fini(&log.bytes);
}

// Frames 1..4, then a keyframe's place (5), TRIM of what is before it (6), one more (7).
static test_log trimmed_log(weft_log_anchor dropped) {
    test_log log = log_of(5);
    weft_log_put_trim(log_begin(&log), dropped);
    REQUIRE_EQ(log_end(&log, WEFT_LOG_TRIM), WEFT_OK);
    weft_log_put_writes(log_begin(&log), text_of(""), id_of(1));
    weft_log_put_count(&log.writer, 0);
    REQUIRE_EQ(log_end(&log, WEFT_LOG_WRITES), WEFT_OK);
    return log;
}

TEST(a_log_starts_later_only_behind_a_trim) {
    test_log sound = log_of(5);
    weft_log_anchor dropped = sound.anchors[4];
    weft_buffer_fini(&sound.bytes);
    test_log log = trimmed_log(dropped);
    weft_log_span rest = part(&log, 4, 7), whole = log_span(&log);
    weft_log_recovery found = recover(&log, &whole, 1, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_OK && found.anchor.seq == 0 && found.frames == 7);
    found = recover(&log, &rest, 1, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_OK && found.frames == 3 && found.last.seq == 7);
    CHECK(found.anchor.seq == 4 && found.anchor.crc == dropped.crc);
    found = recover(&log, &rest, 1, &log.anchors[2]);
    CHECK_EQ(found.verdict, WEFT_LOG_OK);
    const weft_log_span behind_nothing[3] = {part(&log, 4, 4), part(&log, 4, 4), rest};
    found = recover(&log, behind_nothing, 3, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_OK && found.anchor.seq == 4 && found.frames == 3);

    weft_log_span more = part(&log, 3, 7), less = part(&log, 5, 7), without = part(&log, 4, 5);
    found = recover(&log, &more, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 3 && found.frames == 0 &&
          found.spans == 0);
    found = recover(&log, &less, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 5 && found.last.seq == 0);
    found = recover(&log, &without, 1, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 7);
    weft_buffer_fini(&log.bytes);

    dropped.crc ^= 1;
    log = trimmed_log(dropped);
    rest = part(&log, 4, 7);
    found = recover(&log, &rest, 1, NULL);
    CHECK_EQ(found.verdict, WEFT_LOG_DATA_LOSS);
    weft_buffer_fini(&log.bytes);
}

TEST(a_changed_trim_is_damage_and_not_a_loss) {
    test_log sound = log_of(5);
    weft_log_anchor dropped = sound.anchors[4];
    weft_buffer_fini(&sound.bytes);
    test_log log = trimmed_log(dropped);
    weft_log_span rest = part(&log, 4, 7), cut = {rest.bytes, 50};
    log.bytes.bytes[log.ends[4] + WEFT_LOG_HEADER_BYTES] ^= 1;
    weft_log_recovery found = recover(&log, &rest, 1, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_CORRUPT && found.frames == 0 && found.last.seq == 4);
    found = recover(&log, &cut, 1, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 7);
    weft_buffer_fini(&log.bytes);
}

// Frames 5 to 6 of a log whose sixth says that the first four were dropped, and then something
// more.
TEST(a_trim_with_more_in_it_is_none) {
    test_log log = log_of(5);
    weft_log_put_trim(log_begin(&log), log.anchors[4]);
    weft_log_put_count(&log.writer, 0);
    REQUIRE_EQ(log_end(&log, WEFT_LOG_TRIM), WEFT_OK);
    weft_log_span rest = part(&log, 4, 6);
    weft_log_recovery found = recover(&log, &rest, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 4);
    weft_buffer_fini(&log.bytes);
}

TEST(the_witness_of_a_log_that_starts_later) {
    test_log sound = log_of(5);
    weft_log_anchor dropped = sound.anchors[4];
    weft_buffer_fini(&sound.bytes);
    test_log log = trimmed_log(dropped);
    weft_log_span rest = part(&log, 4, 7), more = part(&log, 3, 7);
    weft_log_recovery found = recover(&log, &rest, 1, &dropped);
    CHECK(found.verdict == WEFT_LOG_OK && found.lost == 0);
    dropped.crc ^= 1; // it saw another last frame before the cut
    found = recover(&log, &rest, 1, &dropped);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 1);
    // Without its beginning all of a log is lost, however little the witness saw.
    found = recover(&log, &more, 1, &log.anchors[2]);
    CHECK(found.verdict == WEFT_LOG_DATA_LOSS && found.lost == 3);
    weft_buffer_fini(&log.bytes);
}

TEST(later_frames_of_another_thread_are_no_loss) {
    test_log log = log_of(5);
    uint8_t other[WEFT_LOG_THREAD_BYTES];
    weft_log_recovery found;
    weft_log_thread_hash("other", 5, other);
    weft_log_span rest = part(&log, 2, 5);
    weft_log_recover(&rest, 1, other, NULL, &found);
    CHECK(found.verdict == WEFT_LOG_WRONG_THREAD && found.anchor.seq == 0 && found.lost == 0);
    weft_buffer_fini(&log.bytes);
}

TEST(a_newer_format_is_left_alone) {
    test_log log = log_of(2);
    weft_log_writer *w = log_begin(&log);
    weft_log_put_count(w, 0);
    REQUIRE_EQ(log_end(&log, (weft_log_kind)(WEFT_LOG_LIST_SNAPSHOT + 1)), WEFT_OK);
    weft_log_span all = log_span(&log);
    weft_log_recovery found = recover(&log, &all, 1, &log.chain.last);
    CHECK(found.verdict == WEFT_LOG_NEWER && found.frames == 2);
    CHECK_EQ(weft_log_verdict_status(found.verdict), WEFT_ERR_LOG_FORMAT);
    CHECK_EQ(fold_status(&all, 1, log.chain.thread, log.anchors[0]), WEFT_ERR_LOG_FORMAT);
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 1);
    CHECK_EQ(weft_log_index_load(&index, all, log.chain.thread), WEFT_ERR_LOG_FORMAT);
    weft_log_index_fini(&index);
    // Nor is it called lost when it says itself why it starts later.
    weft_log_span last = part(&log, 2, 3);
    found = recover(&log, &last, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_NEWER && found.lost == 0);
    weft_buffer_fini(&log.bytes);
}

TEST(spans_tell_how_far_they_are_sound) {
    test_log log = log_of(6);
    weft_log_span spans[4] = {part(&log, 0, 2), part(&log, 2, 2), part(&log, 2, 5),
                              part(&log, 5, 6)};
    weft_log_recovery found = recover(&log, spans, 4, NULL);
    CHECK(found.spans == 4 && found.bytes == spans[3].length && found.verdict == WEFT_LOG_OK);
    spans[2].length -= 1;
    found = recover(&log, spans, 4, NULL);
    CHECK(found.spans == 3 && found.bytes == log.ends[4] - log.ends[2] &&
          found.verdict == WEFT_LOG_CORRUPT);
    spans[2].length = 1;
    found = recover(&log, spans, 3, NULL);
    CHECK(found.spans == 1 && found.bytes == log.ends[2] && found.verdict == WEFT_LOG_TORN);
    weft_buffer_fini(&log.bytes);
}

TEST(a_torn_frame_behind_damage_is_no_survivor) {
    test_log log = log_of(6);
    weft_log_span span = {log.bytes.bytes, log.ends[5] + WEFT_LOG_HEADER_BYTES + 2};
    log.bytes.bytes[log.ends[4] + WEFT_LOG_HEADER_BYTES] ^= 1;
    weft_log_recovery found = recover(&log, &span, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_TORN && found.frames == 4);
    span.length = log.ends[5] + WEFT_LOG_FRAME_BYTES + 1;
    REQUIRE(span.length < log.bytes.length);
    found = recover(&log, &span, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_TORN && found.frames == 4);
    span.length = log.bytes.length;
    found = recover(&log, &span, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_CORRUPT && found.frames == 4);
    weft_buffer_fini(&log.bytes);
}

TEST(a_span_that_does_not_end_cleanly_is_the_last) {
    test_log log = log_of(6);
    // What follows would go on behind what was cut.
    weft_log_span spans[2] = {{log.bytes.bytes, log.ends[2] + WEFT_LOG_FRAME_BYTES},
                              part(&log, 2, 6)};
    weft_log_recovery found = recover(&log, spans, 2, NULL);
    CHECK(found.verdict == WEFT_LOG_CORRUPT && found.frames == 2 && found.spans == 1 &&
          found.bytes == log.ends[2]);
    // The frame that cannot be read is none that survives it, in whichever span it stands.
    spans[0] = part(&log, 0, 5);
    spans[1] = part(&log, 5, 6);
    log.bytes.bytes[log.ends[5] + WEFT_LOG_HEADER_BYTES] ^= 1;
    found = recover(&log, spans, 2, NULL);
    CHECK(found.verdict == WEFT_LOG_TORN && found.frames == 5 && found.spans == 1);
    weft_buffer_fini(&log.bytes);
}

TEST(the_first_frame_has_nothing_before_it) {
    test_log log;
    log_start(&log, "thread");
    log.chain.last.crc = 5;
    weft_log_put_trim(log_begin(&log), (weft_log_anchor){0, 5});
    REQUIRE_EQ(log_end(&log, WEFT_LOG_TRIM), WEFT_OK);
    weft_log_span all = log_span(&log);
    weft_log_recovery found = recover(&log, &all, 1, NULL);
    CHECK(found.verdict == WEFT_LOG_CORRUPT && found.frames == 0 &&
          found.stop == WEFT_LOG_STOP_CHAIN);
    weft_buffer_fini(&log.bytes);
}

static weft_log_stop stop_behind(const test_log *log, weft_log_anchor anchor,
                                 weft_log_frame *frame) {
    weft_log_scan scan;
    weft_log_scan_init(&scan, log_span(log), log->chain.thread, anchor);
    return weft_log_scan_next(&scan, frame) ? WEFT_LOG_STOP_CLEAN : scan.stop;
}

TEST(a_frame_has_its_place_in_all_of_64_bits) {
    test_log log;
    weft_log_frame frame;
    const weft_log_anchor before = {0x100000002u, 7};
    log_start(&log, "thread");
    log.chain.last = before;
    weft_log_put_count(log_begin(&log), 0);
    weft_log_frame_patched(&log.bytes, 0, 1);
    REQUIRE_EQ(log_end(&log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    CHECK_EQ(log.bytes.bytes[4], WEFT_LOG_FORMAT_PATCHED);
    REQUIRE_EQ(stop_behind(&log, before, &frame), WEFT_LOG_STOP_CLEAN);
    CHECK_EQ(frame.seq, 0x100000003u);
    CHECK_EQ(stop_behind(&log, (weft_log_anchor){2, 7}, &frame), WEFT_LOG_STOP_CHAIN);
    CHECK_EQ(stop_behind(&log, (weft_log_anchor){0x300000002u, 7}, &frame), WEFT_LOG_STOP_CHAIN);
    uint64_t seq = 0;
    uint32_t length = 0, previous = 0;
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    CHECK(weft_log_header_read(log_span(&log), &seq, &length, &previous, thread) == 1 &&
          seq == 0x100000003u);
    const weft_log_span header = {log.bytes.bytes, WEFT_LOG_HEADER_BYTES},
                        less = {log.bytes.bytes, WEFT_LOG_HEADER_BYTES - 1};
    CHECK_EQ(weft_log_header_read(header, &seq, &length, &previous, thread), 1);
    CHECK_EQ(weft_log_header_read(less, &seq, &length, &previous, thread), 0);
    weft_buffer_fini(&log.bytes);
}

TEST(bits_of_a_header_that_are_kept_free_say_a_newer_format) {
    test_log log = log_of(1);
    weft_log_frame frame;
    uint8_t *header = log.bytes.bytes, *end = header + log.bytes.length - 4;
    for (uint32_t bit = 0; bit < 16; bit++) {
        header[6 + bit / 8] = (uint8_t)(1u << bit % 8);
        uint32_t sealed = weft_hash_crc32c(0, header, 40);
        uint32_t whole = weft_hash_crc32c(sealed, header + WEFT_LOG_HEADER_BYTES,
                                          (size_t)(end - header) - WEFT_LOG_HEADER_BYTES);
        for (int i = 0; i < 4; i++) {
            header[40 + i] = (uint8_t)(sealed >> (8 * i));
            end[i] = (uint8_t)(whole >> (8 * i));
        }
        CHECK_EQ(stop_behind(&log, log.anchors[0], &frame), WEFT_LOG_STOP_FORMAT);
        header[6 + bit / 8] = 0;
    }
    weft_buffer_fini(&log.bytes);
}
