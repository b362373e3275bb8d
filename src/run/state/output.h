// SPDX-License-Identifier: MIT
// The block of commands that a feed returns, and the answer to an ask. Owned by src/run/host.
#ifndef WEFT_RUN_STATE_OUTPUT_H
#define WEFT_RUN_STATE_OUTPUT_H

#include "base/buffer.h"

typedef struct weft_run_output {
    weft_buffer block;
    weft_buffer answer;
    uint32_t record_mark, records;
    uint32_t announcing; // number of values in this block's RELEASE
    uint64_t ticks;      // clock ticks that this block's ids used
    weft_status failure; // of the batch
} weft_run_output;

#endif
