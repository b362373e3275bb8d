// SPDX-License-Identifier: MIT
// The host's options for a run: START and its related events. Set by src/run/machine/start.c and
// then constant, unless a comment says otherwise.
#ifndef WEFT_RUN_STATE_OPTIONS_H
#define WEFT_RUN_STATE_OPTIONS_H

#include <stdint.h>

typedef struct weft_run_options {
    uint32_t kind;       // WEFT_RUN_*
    uint32_t durability; // WEFT_DURABILITY_*; set to ASYNC when a run is given up while it applies
                         // a step, so that nothing more is saved
    uint32_t flags;      // WEFT_START_*; a child run may add its checkpoint from its ancestors
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
