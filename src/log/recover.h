// SPDX-License-Identifier: MIT
// Recovery: finds a thread's log in a store's bytes, and whether everything acknowledged is there.
// Takes the longest valid prefix, never guesses. Does not depend on stores.
#ifndef WEFT_LOG_RECOVER_H
#define WEFT_LOG_RECOVER_H

#include "frame.h"

typedef enum weft_log_verdict {
    WEFT_LOG_OK,
    WEFT_LOG_TORN,      // an unacknowledged tail was dropped: continue
    WEFT_LOG_DATA_LOSS, // the witness, or a gap at the front, proves that `lost` acknowledged
                        // records are gone
    WEFT_LOG_CORRUPT,   // after `last`: valid records after other bytes, or changed bytes that were
                        // acknowledged
    WEFT_LOG_WRONG_THREAD, // frames of another thread
    WEFT_LOG_NEWER // frames of a format that this version does not read: nothing may be cut off
} weft_log_verdict;

typedef struct weft_log_recovery {
    weft_log_verdict verdict;
    weft_log_stop stop;
    weft_log_anchor anchor; // where the log starts: {0, 0}, or after trimmed frames
    weft_log_anchor last;   // the head
    uint64_t frames;
    uint64_t lost;
    uint32_t spans; // number of spans that are valid as a whole or in part; of the last one the
                    // first `bytes`
    size_t bytes;   // valid bytes of spans[spans - 1], including a segment header
} weft_log_recovery;

// Examines `spans` (commits and segments of fold.h, oldest first). `witness` (may be NULL) is the
// newest acknowledged head, stored in a second place; it may lag behind. Allocates nothing, cannot
// fail.
void weft_log_recover(const weft_log_span *spans, uint32_t count,
                      const uint8_t thread[WEFT_LOG_THREAD_BYTES], const weft_log_anchor *witness,
                      weft_log_recovery *recovery);

// Returns the status of a verdict: WEFT_OK for OK and TORN, else its code.
weft_status weft_log_verdict_status(weft_log_verdict verdict);

#endif
