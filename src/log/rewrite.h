// SPDX-License-Identifier: MIT
// Rewriting: the checkpoints of a log that are to stay, written anew so that they need nothing from before. Values keep
// occurring once. Serves retention (the rest may then be dropped) and copies to other threads and stores.
// Must not know stores or runs.
#ifndef WEFT_LOG_REWRITE_H
#define WEFT_LOG_REWRITE_H

#include "index.h"

// The name under which an answer that was given, but not acted on, stands in an import: kept, and without effect.
#define WEFT_LOG_VOID_ANSWER "__imported_resume__"

typedef enum weft_log_rewrite_mode {
    WEFT_LOG_REWRITE_COPY,   // a log of its own
    WEFT_LOG_REWRITE_IMPORT, // the same; answers that wait were given for the original and become void
    WEFT_LOG_REWRITE_TRIM    // goes on behind the log that it replaces: a TRIM of all that was comes first
} weft_log_rewrite_mode;

// What stays besides the newest checkpoint of each namespace, those that wait (writes and no child), and the checkpoints
// of subgraphs below one that stays.
typedef struct weft_log_keep {
    uint32_t last;         // newest ones of the root namespace
    uint64_t since;        // those whose id's time (100-ns ticks of a UUIDv6) is not before
    const uint8_t *pinned; // `pinned_count` ids of 16 bytes, in any namespace
    uint32_t pinned_count;
} weft_log_keep;

typedef struct weft_log_rewritten {
    uint32_t kept, dropped; // checkpoints
} weft_log_rewritten;

// Appends frames to `buffer` under `chain`, which is a new thread's or the end of the log (TRIM), and advances it.
// WEFT_ERR_NO_MEMORY; WEFT_ERR_LOG_CORRUPT when a record cannot be read. The index is only read.
weft_status weft_log_rewrite(const weft_log_index *index, weft_log_rewrite_mode mode, const weft_log_keep *keep,
                             weft_buffer *buffer, weft_log_chain *chain, weft_log_rewritten *rewritten);

#endif
