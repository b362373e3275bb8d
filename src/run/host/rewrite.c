// SPDX-License-Identifier: MIT
// Implements rewrite.h: reads a request and writes its answer (wasm/README.md, "Logs").
#include <string.h>

#include "log/fold.h"
#include "log/recover.h"
#include "log/rewrite.h"
#include "run/host/batch.h"
#include "run/host/rewrite.h"
#include "run/state/thread.h"

#define HEAD 36u // bytes of {status, seq before u64, seq u64, crc, kept, dropped, length}

typedef struct source {
    weft_log_span *spans;
    uint32_t count;
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    weft_log_recovery found;
} source;

// Reads the log in a batch: {count, {length, bytes}...}, all of it or nothing.
static weft_status read_source(weft_cursor *cursor, weft_arena *arena, source *log) {
    log->count = weft_cursor_count(cursor, 1);
    log->spans = weft_arena_zeroed(arena, log->count + 1u, sizeof(*log->spans));
    if (log->spans == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < log->count; i++) {
        uint32_t length;
        const uint8_t *bytes = weft_cursor_text(cursor, &length);
        log->spans[i] = (weft_log_span){bytes, length};
    }
    WEFT_TRY(cursor->status);
    uint64_t seq;
    uint32_t length, previous;
    if (log->count == 0 || !weft_log_header_read(weft_log_span_frames(log->spans[0]), &seq, &length,
                                                 &previous, log->thread)) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    weft_log_recover(log->spans, log->count, log->thread, NULL, &log->found);
    weft_status status = weft_log_verdict_status(log->found.verdict);
    return status == WEFT_OK && log->found.stop != WEFT_LOG_STOP_CLEAN ? WEFT_ERR_LOG_CORRUPT
                                                                       : status;
}

static const weft_log_retention *read_retention(weft_cursor *cursor,
                                                weft_log_retention *retention) {
    uint32_t is_given = weft_cursor_word(cursor);
    retention->last = weft_cursor_word(cursor);
    retention->since = weft_cursor_u64(cursor);
    retention->pinned_count = weft_cursor_count(cursor, WEFT_LOG_ID_BYTES / 4);
    retention->pinned = weft_cursor_bytes(cursor, retention->pinned_count * WEFT_LOG_ID_BYTES);
    return is_given ? retention : NULL;
}

static weft_status rewrite_log(const weft_thread *thread, weft_cursor *cursor, weft_arena *arena,
                               weft_buffer *out) {
    uint32_t mode = weft_cursor_word(cursor);
    weft_log_retention retention;
    source log = {0};
    if (mode > WEFT_LOG_REWRITE_TRIM) {
        return WEFT_ERR_BAD_EVENT;
    }
    const weft_log_retention *wanted = read_retention(cursor, &retention);
    weft_status readable = read_source(cursor, arena, &log);
    if (readable != WEFT_OK) {
        weft_buffer_patch_u32(out, 12, (uint32_t)(log.found.last.seq + 1));
        weft_buffer_patch_u32(out, 16, (uint32_t)((log.found.last.seq + 1) >> 32));
        return readable;
    }
    if (mode == WEFT_LOG_REWRITE_IMPORT &&
        memcmp(log.thread, thread->chain.thread, sizeof(log.thread)) != 0) {
        mode = WEFT_LOG_REWRITE_MOVE;
    }
    weft_log_anchor before =
        mode == WEFT_LOG_REWRITE_TRIM ? log.found.last : (weft_log_anchor){0, 0};
    weft_log_chain chain;
    weft_log_chain_init(&chain, thread->chain.thread, before);
    weft_log_index index;
    weft_log_rewritten counts = {0, 0};
    weft_log_index_init(&index, out->memory, log.found.anchor, out->memory->seed);
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < log.count && status == WEFT_OK; i++) {
        status = weft_log_index_load(&index, log.spans[i], log.thread);
    }
    if (status == WEFT_OK) {
        status =
            weft_log_rewrite(&index, (weft_log_rewrite_mode)mode, wanted, out, &chain, &counts);
    }
    weft_log_index_fini(&index);
    uint32_t words[] = {(uint32_t)before.seq,
                        (uint32_t)(before.seq >> 32),
                        (uint32_t)chain.last.seq,
                        (uint32_t)(chain.last.seq >> 32),
                        chain.last.crc,
                        counts.kept,
                        counts.dropped};
    for (uint32_t i = 0; i < sizeof(words) / sizeof(*words) && out->status == WEFT_OK; i++) {
        weft_buffer_patch_u32(out, 4 + 4 * i, words[i]);
    }
    return out->status == WEFT_OK ? status : out->status;
}

weft_status weft_thread_rewrite(const weft_thread *thread, const uint32_t *batch, uint32_t words,
                                weft_buffer *out) {
    weft_cursor cursor = {.at = batch, .left = words, .status = WEFT_OK};
    weft_arena arena;
    weft_buffer_clear(out);
    if (weft_buffer_extend(out, HEAD) == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    memset(out->bytes, 0, HEAD);
    weft_arena_init(&arena, out->memory);
    weft_status status = rewrite_log(thread, &cursor, &arena, out);
    weft_arena_fini(&arena);
    if (status == WEFT_ERR_NO_MEMORY) {
        return status;
    }
    weft_buffer_patch_u32(out, 0, (uint32_t)status);
    weft_buffer_patch_u32(out, HEAD - 4, out->length - HEAD);
    return WEFT_OK;
}
