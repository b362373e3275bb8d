// SPDX-License-Identifier: MIT
// Frames: what a thread's log is made of. A frame is a 44-byte header {magic u32, format u8, kind
// u8, flags u16, length u32, seq u64, thread hash 16 bytes, previous frame's CRC u32, header CRC
// u32}, a body, and its CRC-32C u32. Knows bytes and the hash chain; owns nothing; must not know
// what a body means or where the bytes are kept.
#ifndef WEFT_LOG_FRAME_H
#define WEFT_LOG_FRAME_H

#include "base/buffer.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define WEFT_LOG_FORMAT 1u
#define WEFT_LOG_FORMAT_PATCHED                                                                    \
    2u // of a frame that holds patches: others are as in format 1, which older versions read
#define WEFT_LOG_FORMAT_CROSS_REFS 3u // of one with patches that take from other values
#define WEFT_LOG_FORMAT_PACKED                                                                     \
    4u // of one that says what its body takes from those before (pack.h), which may hold both
#define WEFT_LOG_HEADER_BYTES 44u
#define WEFT_LOG_FRAME_BYTES 48u // header and trailing CRC: what a frame adds to its body
#define WEFT_LOG_THREAD_BYTES 16u

// Kinds of records. A kind that is not listed is a LOG_FORMAT error, never skipped.
typedef enum weft_log_kind {
    WEFT_LOG_CHECKPOINT = 1,
    WEFT_LOG_WRITES = 2,
    WEFT_LOG_INTENT = 3,
    WEFT_LOG_RESULT = 4,
    WEFT_LOG_DECISION = 5,
    WEFT_LOG_TRIM = 6,
    WEFT_LOG_LIST_SNAPSHOT = 7 // since format 2: older versions take it for a newer format
} weft_log_kind;

typedef struct weft_log_span {
    const uint8_t *bytes;
    size_t length;
} weft_log_span;

// A place in the chain: the sequence number and the CRC of the frame before. A new log starts at
// {0, 0}.
typedef struct weft_log_anchor {
    uint64_t seq;
    uint32_t crc;
} weft_log_anchor;

// A writer's end of the log. Frames advance it; to undo an append that failed, put a copy back.
typedef struct weft_log_chain {
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    weft_log_anchor last;
} weft_log_chain;

typedef struct weft_log_frame {
    uint64_t seq;
    uint32_t crc;
    uint8_t kind;
    const uint8_t *body; // lent: inside the scanned span, behind its header
    uint32_t length;
} weft_log_frame;

// Why a scan ended.
typedef enum weft_log_stop {
    WEFT_LOG_STOP_CLEAN,   // at the end of the span, after a whole frame
    WEFT_LOG_STOP_DAMAGED, // the span ends inside a frame, or magic or a CRC does not fit
    WEFT_LOG_STOP_THREAD,  // a sound header of another thread
    WEFT_LOG_STOP_CHAIN,   // a sound header, but not the next frame of this chain
    WEFT_LOG_STOP_FORMAT // a sound header of a format, kind or flag that this version does not know
} weft_log_stop;

typedef struct weft_log_scan {
    const uint8_t *bytes;
    size_t length;
    size_t offset; // just behind the last frame yielded
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    weft_log_anchor last; // of the last frame yielded, or the anchor
    weft_log_stop stop;   // meaningful once weft_log_scan_next returned 0
    int trusted;          // CRCs of bodies were verified before: not computed again
} weft_log_scan;

// The first 16 bytes of SHA-256(thread id, UTF-8).
void weft_log_thread_hash(const void *id, size_t length, uint8_t hash[WEFT_LOG_THREAD_BYTES]);

// A chain of this thread at `last`.
void weft_log_chain_init(weft_log_chain *chain, const uint8_t thread[WEFT_LOG_THREAD_BYTES],
                         weft_log_anchor last);

// Leaves room for a header; the body is then appended to `buffer` in place. Returns the mark for
// weft_log_frame_end.
uint32_t weft_log_frame_begin(weft_buffer *buffer);

// The frame begun at `mark` holds patches, as weft_log_writer.patched says.
void weft_log_frame_patched(weft_buffer *buffer, uint32_t mark, uint32_t patched);

// Closes the frame begun at `mark`: writes header and CRC, advances `chain`. WEFT_ERR_NO_MEMORY
// (the buffer's sticky failure) leaves `chain` as it was. The frame's sequence number is
// chain->last.seq + 1 as it stood before.
weft_status weft_log_frame_end(weft_buffer *buffer, uint32_t mark, weft_log_kind kind,
                               weft_log_chain *chain);

// Starts a scan of frames that follow `anchor` in `span` (lent for the scan's life).
void weft_log_scan_init(weft_log_scan *scan, weft_log_span span,
                        const uint8_t thread[WEFT_LOG_THREAD_BYTES], weft_log_anchor anchor);

// The next frame of the longest valid prefix: 1 and `*frame`, or 0 and scan->stop.
int weft_log_scan_next(weft_log_scan *scan, weft_log_frame *frame);

// Reads a header wherever it stands, checking its CRC only: 1 and seq, kind, length, previous CRC;
// 0 if it is not one.
int weft_log_header_read(weft_log_span span, uint64_t *seq, uint32_t *length, uint32_t *previous,
                         uint8_t thread[WEFT_LOG_THREAD_BYTES]);

#endif
