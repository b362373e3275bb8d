// SPDX-License-Identifier: MIT
// Where a run stands: its namespace, the runs around it, what its ids are made of. Set by
// src/run/task/child.c and at START.
#ifndef WEFT_RUN_STATE_IDENTITY_H
#define WEFT_RUN_STATE_IDENTITY_H

#include "base/arena.h"
#include "base/map.h"
#include "log/record.h"

// A checkpoint of another namespace.
typedef struct weft_ancestor {
    weft_log_text ns;
    uint8_t id[16];
} weft_ancestor;

// Time travel of a whole tree of runs: children start from what they had saved before `bound`, the
// first time that a namespace (without the ids in it) is met. Counted: the runs of the tree share
// it.
typedef struct weft_replay {
    uint32_t refs;
    uint8_t bound[16];
    weft_map visited;
    weft_arena names; // what `visited` knows
} weft_replay;

typedef struct weft_run_identity {
    weft_log_text ns;         // of its checkpoints; empty at the root
    weft_ancestor *ancestors; // the checkpoints that it runs beneath, and those where the caller
                              // wants to start
    uint32_t ancestor_count;
    weft_replay *replay; // NULL but in time travel
    uint8_t node_id[6];  // of its checkpoints' ids
    uint8_t nested;      // inside a task
    uint8_t stable;      // its namespace has no ids
    uint8_t fresh;       // nothing can be saved in its namespace
    uint8_t may_ask;     // it saves nothing itself, but a run around it does
    uint8_t resumes;     // the run around it resumes
    uint8_t id_behind;   // 1: the next checkpoint's id bears the number of the step before, as
                         // LangGraph makes it
} weft_run_identity;

#endif
