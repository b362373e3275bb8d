// SPDX-License-Identifier: MIT
// Copies of logs: frames of the same thread come out as they are, others under the new thread's hash; answers that wait
// become void in an import and keep their place among the values; what cannot be read is refused.
// Serves RELIABILITY 1 (imported approvals are history) and 5.
#include "test_log.h"

#include "log/copy.h"

// A checkpoint, then WRITES with an answer between two values, then a checkpoint that refers to the value behind it.
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

static weft_log_chain chain_of(const char *thread) {
    weft_log_chain chain;
    uint8_t hash[WEFT_LOG_THREAD_BYTES];
    weft_log_thread_hash(thread, strlen(thread), hash);
    weft_log_chain_init(&chain, hash, (weft_log_anchor){0, 0});
    return chain;
}

// The special kinds of the writes that hang on checkpoint 1, and the text that checkpoint 2 refers to.
static void read_back(const weft_buffer *out, const weft_log_chain *chain, char *kinds, char *text) {
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
            *kinds++ = write.special == WEFT_LOG_WRITE_PLAIN ? 'p' : write.special == WEFT_LOG_WRITE_RESUME ? 'r' : 'o';
        }
    }
    *kinds = 0;
    weft_log_value value = reference_to(2, 2);
    REQUIRE_EQ(weft_log_index_resolve(&index, &value), WEFT_OK);
    memcpy(text, value.bytes, value.length);
    text[value.length] = 0;
    weft_log_index_fini(&index);
}

static void copy_everything(void *context) {
    const test_log *log = context;
    weft_buffer out;
    weft_buffer_init(&out, test_memory());
    weft_log_chain same = chain_of("from");
    weft_status status = weft_log_copy(&out, log_span(log), &same, 0);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    if (status == WEFT_OK) {
        CHECK_MEM(out.bytes, out.length, log->bytes.bytes, log->bytes.length);
    }
    weft_log_chain other = chain_of("to");
    weft_buffer_clear(&out);
    status = weft_log_copy(&out, log_span(log), &other, 1);
    CHECK(status == WEFT_OK || (status == WEFT_ERR_NO_MEMORY && test_has_failed()));
    weft_buffer_fini(&out);
}

TEST(frames_are_copied_and_answers_become_void) {
    test_log log = answered_log();
    weft_log_chain other = chain_of("to");
    weft_buffer out;
    char kinds[8], text[16];
    copy_everything(&log);
    weft_buffer_init(&out, test_memory());
    REQUIRE_EQ(weft_log_copy(&out, log_span(&log), &other, 1), WEFT_OK);
    read_back(&out, &other, kinds, text);
    CHECK_STR(kinds, "pop");
    CHECK_STR(text, "\"two\"");
    weft_buffer_fini(&out);
    weft_buffer_fini(&log.bytes);
}

TEST(commits_follow_one_another) {
    test_log log = answered_log();
    weft_buffer out;
    weft_buffer_init(&out, test_memory());
    weft_log_chain chain = chain_of("from");
    weft_log_span first = {log.bytes.bytes, log.ends[1]};
    weft_log_span rest = {log.bytes.bytes + log.ends[1], log.bytes.length - log.ends[1]};
    REQUIRE_EQ(weft_log_copy(&out, first, &chain, 0), WEFT_OK);
    REQUIRE_EQ(weft_log_copy(&out, rest, &chain, 0), WEFT_OK);
    CHECK_MEM(out.bytes, out.length, log.bytes.bytes, log.bytes.length);
    CHECK_EQ(weft_log_copy(&out, rest, &chain, 0), WEFT_ERR_LOG_CORRUPT); // a second time: a gap in the chain
    weft_buffer_fini(&out);
    weft_buffer_fini(&log.bytes);
}

TEST(what_is_damaged_is_refused) {
    test_log log = answered_log();
    weft_buffer out;
    weft_buffer_init(&out, test_memory());
    for (uint32_t at = 0; at < log.bytes.length; at++) {
        for (int is_import = 0; is_import < 2; is_import++) {
            weft_log_chain chain = chain_of("from");
            weft_buffer_clear(&out);
            log.bytes.bytes[at] ^= 0x10;
            CHECK(weft_log_copy(&out, log_span(&log), &chain, is_import) != WEFT_OK);
            log.bytes.bytes[at] ^= 0x10;
            weft_log_span cut = {log.bytes.bytes, at};
            chain = chain_of("from");
            int is_whole = at == log.ends[1] || at == log.ends[2];
            CHECK_EQ(weft_log_copy(&out, cut, &chain, is_import) == WEFT_OK, is_whole);
        }
    }
    weft_log_chain other = chain_of("to");
    CHECK_EQ(weft_log_copy(&out, log_span(&log), &other, 0), WEFT_ERR_WRONG_THREAD);
    weft_buffer_fini(&out);
    weft_buffer_fini(&log.bytes);
}

// A sound frame whose body says nothing that a record can say.
TEST(a_record_that_cannot_be_read_is_refused) {
    for (int kind = WEFT_LOG_CHECKPOINT; kind <= WEFT_LOG_TRIM; kind++) {
        test_log log;
        weft_buffer out;
        log_start(&log, "from");
        weft_buffer_init(&out, test_memory());
        REQUIRE_EQ(weft_log_frame_write(&log.bytes, (weft_log_kind)kind, "\xff\xff\xff", 3, &log.chain), WEFT_OK);
        weft_log_chain chain = chain_of("to");
        CHECK_EQ(weft_log_copy(&out, log_span(&log), &chain, 1), WEFT_ERR_LOG_CORRUPT);
        weft_buffer_fini(&out);
        weft_buffer_fini(&log.bytes);
    }
}

TEST(copying_survives_refused_memory) {
    test_log log = answered_log();
    test_each_failure(copy_everything, &log);
    weft_buffer_fini(&log.bytes);
}
