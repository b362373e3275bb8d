// SPDX-License-Identifier: MIT
// Copying: the frames of a log, chained anew for a thread. Owns nothing; must not know stores or runs.
#ifndef WEFT_LOG_COPY_H
#define WEFT_LOG_COPY_H

#include "frame.h"

// The name under which an answer that was given, but not acted on, stands in a copy: kept, and without effect.
#define WEFT_LOG_VOID_ANSWER "__imported_resume__"

// Appends to `buffer` the frames of `span` (a commit or a segment), which must follow chain->last without a gap, under
// the chain's thread, and advances `chain`. Frames of chain's own thread come out as they are. `is_import`: the span is
// a whole log of any thread; answers that wait in it become void (they were given for the original), and every record
// is read once. WEFT_ERR_LOG_CORRUPT, WEFT_ERR_LOG_FORMAT, WEFT_ERR_WRONG_THREAD: `chain->last` is the last sound frame.
// WEFT_ERR_NO_MEMORY.
weft_status weft_log_copy(weft_buffer *buffer, weft_log_span span, weft_log_chain *chain, int is_import);

#endif
