// SPDX-License-Identifier: MIT
// What the host wants of a run: START and what belongs to it. Set by src/run/machine/start.c,
// constant from then on, but where a comment says so.
#ifndef WEFT_RUN_STATE_OPTIONS_H
#define WEFT_RUN_STATE_OPTIONS_H

#include <stdint.h>

typedef struct weft_run_options {
    uint32_t kind;       // WEFT_RUN_*
    uint32_t durability; // WEFT_DURABILITY_*; what is given up while a step is applied is not saved
                         // any more
    uint32_t flags; // WEFT_START_*; a run inside a task may find its checkpoint among its ancestors
    uint32_t recursion_limit, history_limit;
    uint8_t checkpoint_id[16], before_id[16];
    uint8_t seed[32];
    uint32_t *updates; // UPDATE: WEFT_AS_*, one for each
    uint32_t update_count;
    uint32_t *stop_before,
        *stop_after; // breakpoints of this run; counts may be the two special ones
    uint32_t stop_before_count, stop_after_count;
    double step_timeout; // ms, 0 = none
} weft_run_options;

#endif
