// SPDX-License-Identifier: MIT
// Recovery: what of a store's bytes is a thread's log, and whether that is all that was
// acknowledged. Takes the longest valid prefix, never guesses. Owns nothing; must not know stores.
#ifndef WEFT_LOG_RECOVER_H
#define WEFT_LOG_RECOVER_H

#include "frame.h"

typedef enum weft_log_verdict {
    WEFT_LOG_OK,
    WEFT_LOG_TORN,      // an unacknowledged tail was dropped: go on
    WEFT_LOG_DATA_LOSS, // the witness, or a gap at the front, says that `lost` acknowledged records
                        // are gone
    WEFT_LOG_CORRUPT,   // behind `last`: sound records behind something else, or changed bytes that
                        // were acknowledged
    WEFT_LOG_WRONG_THREAD, // frames of another thread
    WEFT_LOG_NEWER         // frames of a format that this version does not read: nothing may be cut
} weft_log_verdict;

typedef struct weft_log_recovery {
    weft_log_verdict verdict;
    weft_log_stop stop;
    weft_log_anchor anchor; // where the log starts: {0, 0}, or behind trimmed frames
    weft_log_anchor last;   // the head
    uint64_t frames;
    uint64_t lost;
    uint32_t spans; // whole or in part valid; the last of them up to `bytes`
    size_t bytes;   // valid bytes of spans[spans - 1], counted from its first byte (segment header
                    // included)
} weft_log_recovery;

// Examines `spans` (commits and segments of fold.h, oldest first). `witness` (may be NULL) is the
// newest acknowledged head kept in a second place; it may lag. Allocates nothing, cannot fail.
void weft_log_recover(const weft_log_span *spans, uint32_t count,
                      const uint8_t thread[WEFT_LOG_THREAD_BYTES], const weft_log_anchor *witness,
                      weft_log_recovery *recovery);

// The status of a verdict: WEFT_OK for OK and TORN, else its code.
weft_status weft_log_verdict_status(weft_log_verdict verdict);

#endif
