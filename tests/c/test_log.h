// SPDX-License-Identifier: MIT
// Shared by the log's test programs: a seeded random generator, short functions for texts and
// values, and records in frames. A test log remembers where each of its frames ends, so that tests
// need not ask the code under test.
#ifndef WEFT_TEST_LOG_H
#define WEFT_TEST_LOG_H

#include "test.h"

#include "log/fold.h"
#include "log/index.h"
#include "log/recover.h"
#include "log/state.h"
#include "log/writer.h"

#define LOG_FRAMES 512

typedef struct test_log {
    weft_buffer bytes;
    weft_log_chain chain;
    weft_log_anchor anchors[LOG_FRAMES + 1]; // the chain before frame i, and after the last one
    uint32_t ends[LOG_FRAMES + 1];           // ends[i]: bytes of the first i frames
    uint32_t count;
    uint32_t mark;
    weft_log_writer writer;
} test_log;

TEST_UNUSED static uint64_t chance_state = 1;

TEST_UNUSED static uint32_t chance(uint32_t below) {
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (uint32_t)((chance_state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % below;
}

TEST_UNUSED static weft_log_text text_of(const char *text) {
    return (weft_log_text){(const uint8_t *)text, (uint32_t)strlen(text)};
}

TEST_UNUSED static weft_log_value bytes_of(const char *text) {
    return (weft_log_value){
        .form = WEFT_LOG_INLINE, .bytes = (const uint8_t *)text, .length = (uint32_t)strlen(text)};
}

TEST_UNUSED static weft_log_value word_of(uint32_t word) {
    return (weft_log_value){.form = WEFT_LOG_IMMEDIATE, .word = word};
}

TEST_UNUSED static weft_log_value number_of(int32_t number) {
    return word_of((uint32_t)number << 3 | 1);
}

TEST_UNUSED static weft_log_value reference_to(uint64_t seq, uint32_t index) {
    return (weft_log_value){.form = WEFT_LOG_REFERENCE, .seq = seq, .index = index};
}

// Returns a checkpoint id that increases with `number`.
TEST_UNUSED static const uint8_t *id_of(uint32_t number) {
    static uint8_t ids[4][WEFT_LOG_ID_BYTES];
    static unsigned turn;
    uint8_t *id = ids[turn++ % 4];
    memset(id, 0x1f, WEFT_LOG_ID_BYTES);
    for (int i = 0; i < 4; i++) {
        id[i] = (uint8_t)(number >> (24 - 8 * i));
    }
    return id;
}

TEST_UNUSED static void log_start(test_log *log, const char *thread) {
    uint8_t hash[WEFT_LOG_THREAD_BYTES];
    weft_buffer_init(&log->bytes, test_memory());
    weft_log_thread_hash(thread, strlen(thread), hash);
    weft_log_chain_init(&log->chain, hash, (weft_log_anchor){0, 0});
    log->count = 0;
    log->ends[0] = 0;
    log->anchors[0] = log->chain.last;
}

TEST_UNUSED static weft_log_writer *log_begin(test_log *log) {
    log->mark = weft_log_frame_begin(&log->bytes);
    weft_log_writer_init(&log->writer, &log->bytes, log->chain.last.seq + 1);
    return &log->writer;
}

TEST_UNUSED static weft_status log_end(test_log *log, weft_log_kind kind) {
    REQUIRE(log->count < LOG_FRAMES);
    weft_status status = weft_log_writer_end(&log->writer);
    if (log->writer.patched) {
        weft_log_frame_patched(&log->bytes, log->mark, log->writer.patched);
    }
    if (status == WEFT_OK) {
        status = weft_log_frame_end(&log->bytes, log->mark, kind, &log->chain);
    }
    if (status == WEFT_OK) {
        log->count++;
        log->ends[log->count] = log->bytes.length;
        log->anchors[log->count] = log->chain.last;
    }
    return status;
}

TEST_UNUSED static weft_log_span log_span(const test_log *log) {
    return (weft_log_span){log->bytes.bytes, log->bytes.length};
}

TEST_UNUSED static weft_log_checkpoint head_of(const char *ns, uint32_t id, int64_t parent,
                                               int64_t step) {
    weft_log_checkpoint head = {.ns = text_of(ns), .step = step, .source = WEFT_LOG_SOURCE_LOOP};
    memcpy(head.id, id_of(id), WEFT_LOG_ID_BYTES);
    if (parent >= 0) {
        head.has_parent = 1;
        memcpy(head.parent, id_of((uint32_t)parent), WEFT_LOG_ID_BYTES);
    }
    return head;
}

#endif
