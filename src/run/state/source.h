// SPDX-License-Identifier: MIT
// The log that a run starts from. Owned by src/run/machine/start.c, for a history until its end.
#ifndef WEFT_RUN_STATE_SOURCE_H
#define WEFT_RUN_STATE_SOURCE_H

#include "log/state.h"
#include "sched/state.h"

typedef struct weft_run_source {
    uint8_t *bytes; // bytes of LOADED, owned
    uint32_t size;
    weft_log_index index;
    uint8_t indexed;
    uint64_t patch_work; // work spent on patches for the current checkpoint
    uint32_t history_entry, history_left;
    weft_log_listing listing;
    weft_state *shown; // previous history entry, while the next one is restored
} weft_run_source;

#endif
