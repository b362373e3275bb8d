// SPDX-License-Identifier: MIT
// A run's place: its namespace, its parent runs, the inputs of its ids. Set by src/run/task/child.c
// and at START.
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

// Time travel of a whole tree of runs: a child starts from its last checkpoint before `bound`, the
// first time that its namespace (without ids) occurs. Reference-counted: the runs of the tree share
// it.
typedef struct weft_replay {
    uint32_t refs;
    uint8_t bound[16];
    weft_map visited;
    weft_arena names; // keys of `visited`
} weft_replay;

typedef struct weft_run_identity {
    weft_log_text ns;         // namespace of its checkpoints; empty at the root
    weft_ancestor *ancestors; // checkpoints of its parent runs, and checkpoints where the caller
                              // wants subgraphs to start
    uint32_t ancestor_count;
    weft_replay *replay; // NULL unless in time travel
    uint8_t node_id[6];  // part of its checkpoints' ids
    uint8_t nested;      // a child run, inside a task
    uint8_t stable;      // its namespace has no ids
    uint8_t fresh;       // nothing can be saved in its namespace yet
    uint8_t may_ask;     // saves nothing itself, but a parent run does
    uint8_t resumes;     // the parent run resumes
    uint8_t id_behind;   // 1: the next id has the previous step's number, as in LangGraph
} weft_run_identity;

#endif
