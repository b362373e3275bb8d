// SPDX-License-Identifier: MIT
// The current apply. Owned by src/run/machine/apply.c; src/run/host/reduce.c asks the host for it.
#ifndef WEFT_RUN_STATE_APPLYING_H
#define WEFT_RUN_STATE_APPLYING_H

#include "sched/apply.h"

typedef struct weft_run_applying {
    weft_apply apply;
    uint32_t questions;        // REDUCED events still to come
    uint32_t headers_channel;  // the list whose ids HEADERS brings, or
    weft_group *headers_group; // the group whose writes' ids it brings
    uint32_t headers_count;
    weft_status failure; // the rule that the writes broke, or another reason to fail the run
    uint8_t active;
    uint8_t is_output;  // its writes are streamed
    uint8_t shows;      // the output that this step changed must be streamed
    uint8_t has_values; // some output was written
} weft_run_applying;

#endif
