// SPDX-License-Identifier: MIT
// The block of commands that a feed lends, and the answer that an ask lends. Owned by src/run/host.
#ifndef WEFT_RUN_STATE_OUTPUT_H
#define WEFT_RUN_STATE_OUTPUT_H

#include "base/buffer.h"

typedef struct weft_run_output {
    weft_buffer block;
    weft_buffer answer;
    uint32_t record_mark, records;
    uint32_t announcing; // numbers that this block's RELEASE names
    uint64_t ticks;      // of the clock that this block's ids took
    weft_status failure; // of the batch
} weft_run_output;

#endif
