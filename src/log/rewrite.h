// SPDX-License-Identifier: MIT
// Rewriting: the checkpoints of a log that are to stay, rewritten so that they need nothing from
// before. Values keep occurring once. Serves retention (the rest may then be dropped) and copies to
// other threads and stores. Must not know stores or runs.
#ifndef WEFT_LOG_REWRITE_H
#define WEFT_LOG_REWRITE_H

#include "retention.h"

// The name under which an answer that was given, but not acted on, stands in an import: kept, and
// without effect.
#define WEFT_LOG_VOID_ANSWER "__imported_resume__"

typedef enum weft_log_rewrite_mode {
    WEFT_LOG_REWRITE_COPY,   // a log of its own
    WEFT_LOG_REWRITE_IMPORT, // the same; answers that wait were given for the original and become
                             // void
    WEFT_LOG_REWRITE_TRIM, // goes on behind the log that it replaces: a TRIM of all that was comes
                           // first
    WEFT_LOG_REWRITE_MOVE  // an import under another id: calls that began are marked as another
                           // thread's
} weft_log_rewrite_mode;

typedef struct weft_log_rewritten {
    uint32_t kept, dropped; // checkpoints
} weft_log_rewritten;

// Appends frames to `buffer` under `chain`, which is a new thread's or the end of the log (TRIM),
// and advances it. WEFT_ERR_NO_MEMORY; WEFT_ERR_LOG_CORRUPT when a record cannot be read. The index
// is only read.
weft_status weft_log_rewrite(const weft_log_index *index, weft_log_rewrite_mode mode,
                             const weft_log_retention *retention, weft_buffer *buffer,
                             weft_log_chain *chain, weft_log_rewritten *rewritten);

#endif
