// SPDX-License-Identifier: MIT
// Implements fold.h: segments.
#include "fold.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

#define MAGIC 0x53464557u // "WEFS"
#define SEALED                                                                                     \
    0x4c534657u // "WFSL" of js/savers/sealed/sealed.js: its header is as long as a segment's, but
                // it is none
#define SEALED_BYTES 40u // bytes of the header covered by its own CRC

static weft_status stop_status(weft_log_stop stop) {
    switch (stop) {
    case WEFT_LOG_STOP_CLEAN:
        return WEFT_OK;
    case WEFT_LOG_STOP_THREAD:
        return WEFT_ERR_WRONG_THREAD;
    case WEFT_LOG_STOP_FORMAT:
        return WEFT_ERR_LOG_FORMAT;
    default:
        return WEFT_ERR_LOG_CORRUPT;
    }
}

// Scans a whole span; moves `*anchor` to its last frame.
static weft_status pass(weft_log_span frames, const uint8_t *thread, weft_log_anchor *anchor) {
    weft_log_scan scan;
    weft_log_frame frame;
    weft_log_scan_init(&scan, frames, thread, *anchor);
    while (weft_log_scan_next(&scan, &frame)) {
    }
    *anchor = scan.last;
    return stop_status(scan.stop);
}

static weft_status fold_frames(weft_buffer *buffer, const weft_log_span *spans, uint32_t count,
                               const uint8_t *thread, weft_log_anchor *last) {
    for (uint32_t i = 0; i < count; i++) {
        weft_log_span frames = weft_log_span_frames(spans[i]);
        if (frames.length > UINT32_MAX) {
            return WEFT_ERR_NO_MEMORY;
        }
        WEFT_TRY(pass(frames, thread, last));
        weft_buffer_append(buffer, frames.bytes, (uint32_t)frames.length);
    }
    return buffer->status;
}

weft_status weft_log_fold(weft_buffer *buffer, const weft_log_span *spans, uint32_t count,
                          const uint8_t thread[WEFT_LOG_THREAD_BYTES], weft_log_anchor anchor,
                          weft_log_segment *segment) {
    uint32_t mark = buffer->length;
    weft_log_anchor last = anchor;
    WEFT_TRY(buffer->status);
    weft_buffer_extend(buffer, WEFT_LOG_SEGMENT_BYTES);
    weft_status status = fold_frames(buffer, spans, count, thread, &last);
    if (status == WEFT_OK && last.seq == anchor.seq) {
        status = WEFT_ERR_LOG_CORRUPT;
    }
    if (status != WEFT_OK) {
        buffer->length = mark;
        buffer->status = WEFT_OK;
        return status;
    }
    uint8_t *header = buffer->bytes + mark;
    uint32_t length = buffer->length - mark - WEFT_LOG_SEGMENT_BYTES;
    weft_store_u32(header, MAGIC);
    weft_store_u32(header + 4, WEFT_LOG_FORMAT);
    weft_store_u64(header + 8, anchor.seq + 1);
    weft_store_u64(header + 16, last.seq);
    weft_store_u64(header + 24, length);
    weft_store_u32(header + 32, anchor.crc);
    weft_store_u32(header + 36, last.crc);
    weft_store_u32(header + SEALED_BYTES, weft_hash_crc32c(0, header, SEALED_BYTES));
    *segment = (weft_log_segment){anchor, last, {header + WEFT_LOG_SEGMENT_BYTES, length}};
    return WEFT_OK;
}

weft_status weft_log_segment_read(weft_log_span span, weft_log_segment *segment) {
    const uint8_t *at = span.bytes;
    if (span.length < WEFT_LOG_SEGMENT_BYTES || weft_load_u32(at) != MAGIC ||
        weft_load_u32(at + SEALED_BYTES) != weft_hash_crc32c(0, at, SEALED_BYTES)) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    if (weft_load_u32(at + 4) != WEFT_LOG_FORMAT) {
        return WEFT_ERR_LOG_FORMAT;
    }
    uint64_t first = weft_load_u64(at + 8);
    segment->before = (weft_log_anchor){first - 1, weft_load_u32(at + 32)};
    segment->last = (weft_log_anchor){weft_load_u64(at + 16), weft_load_u32(at + 36)};
    segment->frames =
        (weft_log_span){at + WEFT_LOG_SEGMENT_BYTES, span.length - WEFT_LOG_SEGMENT_BYTES};
    int sound = first != 0 && segment->last.seq >= first &&
                weft_load_u64(at + 24) == segment->frames.length;
    return sound ? WEFT_OK : WEFT_ERR_LOG_CORRUPT;
}

weft_status weft_log_segment_check(weft_log_span span, const uint8_t thread[WEFT_LOG_THREAD_BYTES],
                                   weft_log_segment *segment) {
    WEFT_TRY(weft_log_segment_read(span, segment));
    weft_log_anchor last = segment->before;
    WEFT_TRY(pass(segment->frames, thread, &last));
    return last.seq == segment->last.seq && last.crc == segment->last.crc ? WEFT_OK
                                                                          : WEFT_ERR_LOG_CORRUPT;
}

weft_log_span weft_log_span_frames(weft_log_span span) {
    uint64_t seq;
    uint32_t length, previous;
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    if (span.length < WEFT_LOG_SEGMENT_BYTES ||
        weft_log_header_read(span, &seq, &length, &previous, thread)) {
        return span;
    }
    weft_log_span behind = {span.bytes + WEFT_LOG_SEGMENT_BYTES,
                            span.length - WEFT_LOG_SEGMENT_BYTES};
    uint32_t magic = weft_load_u32(span.bytes);
    int segment = magic == MAGIC || (magic != SEALED && weft_log_header_read(behind, &seq, &length,
                                                                             &previous, thread));
    return segment ? behind : span;
}
