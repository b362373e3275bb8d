// SPDX-License-Identifier: MIT
// Folds many commits into one immutable segment: their frames verbatim after a 44-byte header
// {magic u32, format u8, zero u8 x 3, first seq u64, last seq u64, length u64, CRC before u32, last
// CRC u32, header CRC u32}. Does not depend on files or stores.
#ifndef WEFT_LOG_FOLD_H
#define WEFT_LOG_FOLD_H

#include "frame.h"

#define WEFT_LOG_SEGMENT_BYTES 44u

typedef struct weft_log_segment {
    weft_log_anchor before; // position in the chain before the first frame
    weft_log_anchor last;
    weft_log_span frames; // borrowed
} weft_log_segment;

// Appends one segment made from `spans` (commits or segments, oldest first) to `buffer`. The frames
// must follow `anchor` without a gap: else WEFT_ERR_LOG_CORRUPT (WEFT_ERR_WRONG_THREAD,
// WEFT_ERR_LOG_FORMAT) and `buffer` is unchanged. WEFT_ERR_NO_MEMORY.
weft_status weft_log_fold(weft_buffer *buffer, const weft_log_span *spans, uint32_t count,
                          const uint8_t thread[WEFT_LOG_THREAD_BYTES], weft_log_anchor anchor,
                          weft_log_segment *segment);

// Reads a segment's header: WEFT_OK, WEFT_ERR_LOG_CORRUPT, WEFT_ERR_LOG_FORMAT. Does not check its
// frames.
weft_status weft_log_segment_read(weft_log_span span, weft_log_segment *segment);

// As weft_log_segment_read; also checks that the frames are exactly those of the header. Also
// WEFT_ERR_WRONG_THREAD.
weft_status weft_log_segment_check(weft_log_span span, const uint8_t thread[WEFT_LOG_THREAD_BYTES],
                                   weft_log_segment *segment);

// Returns the frames of a commit or segment: after the header if there is one, else the span
// itself. A damaged header does not hide frames, which have their own checksums.
weft_log_span weft_log_span_frames(weft_log_span span);

#endif
