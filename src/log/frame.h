// SPDX-License-Identifier: MIT
// Frames, the units of a thread's log. A frame is a 44-byte header {magic u32, format u8, kind u8,
// flags u16, length u32, seq u64, thread hash 16 bytes, previous frame's CRC u32, header CRC u32},
// a body, and its CRC-32C u32. Handles bytes and the hash chain; does not depend on what a body
// means or where the bytes are stored.
#ifndef WEFT_LOG_FRAME_H
#define WEFT_LOG_FRAME_H

#include "base/buffer.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define WEFT_LOG_FORMAT 1u
#define WEFT_LOG_FORMAT_PATCHED                                                                    \
    2u // of a frame with patches; frames without them keep format 1, which older versions read
#define WEFT_LOG_FORMAT_CROSS_REFS 3u // of a frame with patches that refer to other values
#define WEFT_LOG_FORMAT_PACKED                                                                     \
    4u // of a frame whose body is packed against earlier ones (pack.h), with both kinds of patches
#define WEFT_LOG_FORMAT_TIMED 5u // of a DECISION with a moment, with both kinds of patches
#define WEFT_LOG_TIMED                                                                             \
    6u // weft_log_writer.patched of such a frame: weft_log_frame_patched makes format 5 of it
#define WEFT_LOG_HEADER_BYTES 44u
#define WEFT_LOG_FRAME_BYTES 48u // header and trailing CRC: the size of a frame with an empty body
#define WEFT_LOG_THREAD_BYTES 16u

// Kinds of records. An unlisted kind is a LOG_FORMAT error, never skipped.
typedef enum weft_log_kind {
    WEFT_LOG_CHECKPOINT = 1,
    WEFT_LOG_WRITES = 2,
    WEFT_LOG_INTENT = 3,
    WEFT_LOG_RESULT = 4,
    WEFT_LOG_DECISION = 5,
    WEFT_LOG_TRIM = 6,
    WEFT_LOG_LIST_SNAPSHOT = 7 // since format 2; older versions report a newer format
} weft_log_kind;

typedef struct weft_log_span {
    const uint8_t *bytes;
    size_t length;
} weft_log_span;

// A position in the chain: sequence number and CRC of the frame before. A new log starts at {0, 0}.
typedef struct weft_log_anchor {
    uint64_t seq;
    uint32_t crc;
} weft_log_anchor;

// A writer's end of the log. Frames advance it; to undo a failed append, restore a copy.
typedef struct weft_log_chain {
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    weft_log_anchor last;
} weft_log_chain;

typedef struct weft_log_frame {
    uint64_t seq;
    uint32_t crc;
    uint8_t kind;
    const uint8_t *body; // borrowed: in the scanned span, after its header
    uint32_t length;
} weft_log_frame;

// Why a scan ended.
typedef enum weft_log_stop {
    WEFT_LOG_STOP_CLEAN,   // at the end of the span, after a whole frame
    WEFT_LOG_STOP_DAMAGED, // the span ends inside a frame, or magic or a CRC is wrong
    WEFT_LOG_STOP_THREAD,  // a valid header of another thread
    WEFT_LOG_STOP_CHAIN,   // a valid header, but not the next frame of this chain
    WEFT_LOG_STOP_FORMAT   // a valid header with a format, kind or flag that this version does not
                           // know
} weft_log_stop;

typedef struct weft_log_scan {
    const uint8_t *bytes;
    size_t length;
    size_t offset; // after the last returned frame
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    weft_log_anchor last; // of the last returned frame, or the anchor
    weft_log_stop stop;   // valid once weft_log_scan_next returned 0
    int trusted;          // CRCs of bodies were verified before and are not computed again
} weft_log_scan;

// Computes the first 16 bytes of SHA-256(thread id, UTF-8).
void weft_log_thread_hash(const void *id, size_t length, uint8_t hash[WEFT_LOG_THREAD_BYTES]);

// Initialises a chain of this thread at `last`.
void weft_log_chain_init(weft_log_chain *chain, const uint8_t thread[WEFT_LOG_THREAD_BYTES],
                         weft_log_anchor last);

// Reserves a header; the caller then appends the body to `buffer`. Returns the mark for
// weft_log_frame_end.
uint32_t weft_log_frame_begin(weft_buffer *buffer);

// Marks the frame begun at `mark` as one with patches; `patched` is weft_log_writer.patched.
void weft_log_frame_patched(weft_buffer *buffer, uint32_t mark, uint32_t patched);

// Closes the frame begun at `mark`: writes header and CRC, advances `chain`. WEFT_ERR_NO_MEMORY
// (the buffer's sticky failure) leaves `chain` unchanged. The frame's sequence number is
// chain->last.seq + 1 from before the call.
weft_status weft_log_frame_end(weft_buffer *buffer, uint32_t mark, weft_log_kind kind,
                               weft_log_chain *chain);

// Starts a scan of frames that follow `anchor` in `span` (borrowed during the scan).
void weft_log_scan_init(weft_log_scan *scan, weft_log_span span,
                        const uint8_t thread[WEFT_LOG_THREAD_BYTES], weft_log_anchor anchor);

// Yields the next frame of the longest valid prefix: returns 1 and `*frame`, or 0 and scan->stop.
int weft_log_scan_next(weft_log_scan *scan, weft_log_frame *frame);

// Reads a header at any place, checking its CRC only: returns 1 and seq, kind, length, previous
// CRC; 0 if it is not one.
int weft_log_header_read(weft_log_span span, uint64_t *seq, uint32_t *length, uint32_t *previous,
                         uint8_t thread[WEFT_LOG_THREAD_BYTES]);

#endif
