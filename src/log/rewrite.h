// SPDX-License-Identifier: MIT
// Rewrites the checkpoints of a log that stay, so that they need nothing before them. Each value is
// still stored once. Serves retention (the rest may then be dropped) and copies to other threads
// and stores. Does not depend on stores or runs.
#ifndef WEFT_LOG_REWRITE_H
#define WEFT_LOG_REWRITE_H

#include "retention.h"

// Channel of an answer in an import that was given in the original but not used: kept, without
// effect.
#define WEFT_LOG_VOID_ANSWER "__imported_resume__"

typedef enum weft_log_rewrite_mode {
    WEFT_LOG_REWRITE_COPY,   // an independent log
    WEFT_LOG_REWRITE_IMPORT, // the same; unused answers were given for the original and become void
    WEFT_LOG_REWRITE_TRIM,   // continues the log that it replaces: begins with a TRIM of everything
                             // before
    WEFT_LOG_REWRITE_MOVE    // an import under another id: calls that began are marked as another
                             // thread's
} weft_log_rewrite_mode;

typedef struct weft_log_rewritten {
    uint32_t kept, dropped; // checkpoints
} weft_log_rewritten;

// Appends frames to `buffer` under `chain`, which is a new thread's or the end of the log (TRIM),
// and advances it. WEFT_ERR_NO_MEMORY; WEFT_ERR_LOG_CORRUPT when a record cannot be read. The index
// is not changed.
weft_status weft_log_rewrite(const weft_log_index *index, weft_log_rewrite_mode mode,
                             const weft_log_retention *retention, weft_buffer *buffer,
                             weft_log_chain *chain, weft_log_rewritten *rewritten);

#endif
