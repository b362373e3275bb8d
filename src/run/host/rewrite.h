// SPDX-License-Identifier: MIT
// Executes requests to rewrite a log. Does not depend on handles.
#ifndef WEFT_RUN_HOST_REWRITE_H
#define WEFT_RUN_HOST_REWRITE_H

#include "base/buffer.h"
#include "run/state/thread.h"

// Executes the request in `batch` (wasm/README.md, "Logs") for `thread` (only its id is used) and
// fills `out` with the answer, whose first word is the request's own status. WEFT_ERR_NO_MEMORY.
weft_status weft_thread_rewrite(const weft_thread *thread, const uint32_t *batch, uint32_t words,
                                weft_buffer *out);

#endif
