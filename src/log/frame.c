// SPDX-License-Identifier: MIT
// Implements frame.h: writing and scanning frames.
#include "frame.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

#define MAGIC 0x54464557u // "WEFT"
#define SEALED_BYTES 40u  // bytes of the header covered by its own CRC

void weft_log_thread_hash(const void *id, size_t length, uint8_t hash[WEFT_LOG_THREAD_BYTES]) {
    uint8_t digest[32];
    weft_hash_sha256_state state;
    weft_hash_sha256_init(&state);
    weft_hash_sha256_update(&state, id, length);
    weft_hash_sha256_final(&state, digest);
    memcpy(hash, digest, WEFT_LOG_THREAD_BYTES);
}

void weft_log_chain_init(weft_log_chain *chain, const uint8_t thread[WEFT_LOG_THREAD_BYTES],
                         weft_log_anchor last) {
    memcpy(chain->thread, thread, WEFT_LOG_THREAD_BYTES);
    chain->last = last;
}

uint32_t weft_log_frame_begin(weft_buffer *buffer) {
    uint32_t mark = buffer->length;
    uint8_t *header = weft_buffer_extend(buffer, WEFT_LOG_HEADER_BYTES);
    if (header != NULL) {
        memset(header, 0, WEFT_LOG_HEADER_BYTES);
        header[4] = WEFT_LOG_FORMAT;
    }
    return mark;
}

void weft_log_frame_patched(weft_buffer *buffer, uint32_t mark, uint32_t patched) {
    if (buffer->status == WEFT_OK) {
        buffer->bytes[mark + 4] = (uint8_t)(WEFT_LOG_FORMAT_PATCHED + patched / 2);
    }
}

// Writes header and CRC. The frame's CRC covers the sealed part and the body, but not the header's
// CRC: a CRC that includes itself no longer depends on its input, so the chain would not depend on
// seq, thread and previous CRC.
weft_status weft_log_frame_end(weft_buffer *buffer, uint32_t mark, weft_log_kind kind,
                               weft_log_chain *chain) {
    if (buffer->status != WEFT_OK) {
        return buffer->status;
    }
    uint32_t length = buffer->length - mark - WEFT_LOG_HEADER_BYTES;
    uint8_t *header = buffer->bytes + mark;
    weft_store_u32(header, MAGIC);
    header[5] = (uint8_t)kind;
    weft_store_u32(header + 8, length);
    weft_store_u64(header + 12, chain->last.seq + 1);
    memcpy(header + 20, chain->thread, WEFT_LOG_THREAD_BYTES);
    weft_store_u32(header + 36, chain->last.crc);
    uint32_t crc = weft_hash_crc32c(0, header, SEALED_BYTES);
    weft_store_u32(header + SEALED_BYTES, crc);
    crc = weft_hash_crc32c(crc, header + WEFT_LOG_HEADER_BYTES, length);
    weft_buffer_u32(buffer, crc);
    if (buffer->status == WEFT_OK) {
        chain->last.seq++;
        chain->last.crc = crc;
    }
    return buffer->status;
}

void weft_log_scan_init(weft_log_scan *scan, weft_log_span span,
                        const uint8_t thread[WEFT_LOG_THREAD_BYTES], weft_log_anchor anchor) {
    scan->bytes = span.bytes;
    scan->length = span.length;
    scan->offset = 0;
    memcpy(scan->thread, thread, WEFT_LOG_THREAD_BYTES);
    scan->last = anchor;
    scan->stop = WEFT_LOG_STOP_CLEAN;
    scan->trusted = 0;
}

// Returns what is wrong with the header at `at`, or WEFT_LOG_STOP_CLEAN.
static weft_log_stop header_stop(const weft_log_scan *scan, const uint8_t *at, size_t left,
                                 uint32_t *crc) {
    if (left < WEFT_LOG_FRAME_BYTES || weft_load_u32(at) != MAGIC) {
        return WEFT_LOG_STOP_DAMAGED;
    }
    *crc = weft_load_u32(at + SEALED_BYTES);
    if (!scan->trusted && weft_hash_crc32c(0, at, SEALED_BYTES) != *crc) {
        return WEFT_LOG_STOP_DAMAGED;
    }
    if (memcmp(at + 20, scan->thread, WEFT_LOG_THREAD_BYTES) != 0) {
        return WEFT_LOG_STOP_THREAD;
    }
    if (weft_load_u64(at + 12) != scan->last.seq + 1 || weft_load_u32(at + 36) != scan->last.crc) {
        return WEFT_LOG_STOP_CHAIN;
    }
    if (at[4] - WEFT_LOG_FORMAT > 4 || at[5] < WEFT_LOG_CHECKPOINT ||
        at[5] > WEFT_LOG_LIST_SNAPSHOT || (at[6] | at[7]) != 0) {
        return WEFT_LOG_STOP_FORMAT;
    }
    return WEFT_LOG_STOP_CLEAN;
}

int weft_log_scan_next(weft_log_scan *scan, weft_log_frame *frame) {
    size_t left = scan->length - scan->offset;
    if (left == 0) {
        return 0;
    }
    const uint8_t *at = scan->bytes + scan->offset;
    uint32_t crc = 0;
    scan->stop = header_stop(scan, at, left, &crc);
    if (scan->stop != WEFT_LOG_STOP_CLEAN) {
        return 0;
    }
    uint32_t length = weft_load_u32(at + 8);
    const uint8_t *body = at + WEFT_LOG_HEADER_BYTES;
    if (length > left - WEFT_LOG_FRAME_BYTES ||
        (!scan->trusted && weft_hash_crc32c(crc, body, length) != weft_load_u32(body + length))) {
        scan->stop = WEFT_LOG_STOP_DAMAGED;
        return 0;
    }
    scan->last.seq++;
    scan->last.crc = weft_load_u32(body + length);
    frame->seq = scan->last.seq;
    frame->crc = scan->last.crc;
    frame->kind = at[5];
    frame->body = body;
    frame->length = length;
    scan->offset += WEFT_LOG_FRAME_BYTES + length;
    return 1;
}

int weft_log_header_read(weft_log_span span, uint64_t *seq, uint32_t *length, uint32_t *previous,
                         uint8_t thread[WEFT_LOG_THREAD_BYTES]) {
    const uint8_t *at = span.bytes;
    if (span.length < WEFT_LOG_HEADER_BYTES || weft_load_u32(at) != MAGIC ||
        weft_hash_crc32c(0, at, SEALED_BYTES) != weft_load_u32(at + SEALED_BYTES)) {
        return 0;
    }
    *seq = weft_load_u64(at + 12);
    *length = weft_load_u32(at + 8);
    *previous = weft_load_u32(at + 36);
    memcpy(thread, at + 20, WEFT_LOG_THREAD_BYTES);
    return 1;
}
