// SPDX-License-Identifier: MIT
#include "frame.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

#define MAGIC 0x54464557u // "WEFT"
#define SEALED_BYTES 40u  // of the header: what its own CRC covers

static uint32_t load_u16(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

void weft_log_thread_hash(const void *id, size_t length, uint8_t hash[WEFT_LOG_THREAD_BYTES]) {
    uint8_t digest[32];
    weft_hash_sha256_state state;
    weft_hash_sha256_init(&state);
    weft_hash_sha256_update(&state, id, length);
    weft_hash_sha256_final(&state, digest);
    memcpy(hash, digest, WEFT_LOG_THREAD_BYTES);
}

void weft_log_chain_init(weft_log_chain *chain, const uint8_t thread[WEFT_LOG_THREAD_BYTES], weft_log_anchor last) {
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

void weft_log_frame_patched(weft_buffer *buffer, uint32_t mark) {
    if (buffer->status == WEFT_OK) {
        buffer->bytes[mark + 4] = WEFT_LOG_FORMAT_PATCHED;
    }
}

// The frame's CRC goes over the sealed part and the body, but not over the header's CRC: a CRC that runs over itself
// forgets what it covered, and the chain would no longer depend on seq, thread and previous CRC.
weft_status weft_log_frame_end(weft_buffer *buffer, uint32_t mark, weft_log_kind kind, weft_log_chain *chain) {
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

weft_status weft_log_frame_write(weft_buffer *buffer, weft_log_kind kind, const void *body, uint32_t length,
                                 weft_log_chain *chain) {
    uint32_t mark = weft_log_frame_begin(buffer);
    weft_buffer_append(buffer, body, length);
    return weft_log_frame_end(buffer, mark, kind, chain);
}

void weft_log_scan_init(weft_log_scan *scan, weft_log_span span, const uint8_t thread[WEFT_LOG_THREAD_BYTES],
                        weft_log_anchor anchor) {
    scan->bytes = span.bytes;
    scan->length = span.length;
    scan->offset = 0;
    memcpy(scan->thread, thread, WEFT_LOG_THREAD_BYTES);
    scan->last = anchor;
    scan->stop = WEFT_LOG_STOP_CLEAN;
    scan->trusted = 0;
}

// A span that ends before its header does is torn only if what is there begins like a frame.
static weft_log_stop short_stop(const uint8_t *at, size_t left) {
    uint8_t magic[4];
    weft_store_u32(magic, MAGIC);
    return memcmp(at, magic, left < 4 ? left : 4) == 0 ? WEFT_LOG_STOP_TORN : WEFT_LOG_STOP_DAMAGED;
}

// What is wrong with the header at `at`, or STOP_CLEAN.
static weft_log_stop header_stop(const weft_log_scan *scan, const uint8_t *at, size_t left, uint32_t *crc) {
    if (left < WEFT_LOG_HEADER_BYTES) {
        return short_stop(at, left);
    }
    if (weft_load_u32(at) != MAGIC) {
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
    if (at[4] - WEFT_LOG_FORMAT > 1 || at[5] < WEFT_LOG_CHECKPOINT || at[5] > WEFT_LOG_TRIM || load_u16(at + 6) != 0) {
        return WEFT_LOG_STOP_FORMAT;
    }
    return WEFT_LOG_STOP_CLEAN;
}

int weft_log_scan_next(weft_log_scan *scan, weft_log_frame *frame) {
    size_t left = scan->length - scan->offset;
    if (left == 0) {
        scan->stop = WEFT_LOG_STOP_CLEAN;
        return 0;
    }
    const uint8_t *at = scan->bytes + scan->offset;
    uint32_t crc = 0;
    scan->stop = header_stop(scan, at, left, &crc);
    if (scan->stop != WEFT_LOG_STOP_CLEAN) {
        return 0;
    }
    uint32_t length = weft_load_u32(at + 8);
    if (left < WEFT_LOG_FRAME_BYTES || length > left - WEFT_LOG_FRAME_BYTES) {
        scan->stop = WEFT_LOG_STOP_TORN;
        return 0;
    }
    const uint8_t *body = at + WEFT_LOG_HEADER_BYTES;
    uint32_t stored = weft_load_u32(body + length);
    if (!scan->trusted && weft_hash_crc32c(crc, body, length) != stored) {
        scan->stop = WEFT_LOG_STOP_DAMAGED;
        return 0;
    }
    scan->last.seq++;
    scan->last.crc = stored;
    frame->seq = scan->last.seq;
    frame->crc = stored;
    frame->kind = at[5];
    frame->body = body;
    frame->length = length;
    frame->offset = scan->offset;
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
