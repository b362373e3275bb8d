// SPDX-License-Identifier: MIT
// What a run continues with: pending writes of its checkpoint, and answers. Read by
// src/run/restore, passed to tasks by src/run/task/resume.c.
#ifndef WEFT_RUN_STATE_RESUME_H
#define WEFT_RUN_STATE_RESUME_H

#include "log/record.h"
#include "sched/task.h"

// A pending write of the log, in log order. Owns its references.
typedef struct weft_pending_task {
    weft_log_task_key key;
    uint64_t seq;   // record in which it was found
    weft_task task; // node WEFT_GRAPH_NONE: the null task, or a node that the graph does not have
} weft_pending_task;

// An answer addressed by the id of its interrupt.
typedef struct weft_resume_entry {
    uint8_t id[16];
    weft_word word;
} weft_resume_entry;

typedef struct weft_run_resume {
    weft_pending_task *pending;
    uint32_t pending_count, pending_capacity;
    weft_pending_task *calls; // pending writes of calls of task() in this step
    uint32_t call_count, call_capacity;
    weft_resume_entry *map;
    uint32_t map_count;
    weft_word plain;    // with a reference: the answer for the first interrupt
    uint64_t plain_seq; // seq of its record, if an earlier run stored it
    uint8_t plain_is_stored;
    uint8_t plain_is_taken; // by some task: calls that begin later do not get it
    uint8_t has_plain;
    uint8_t map_is_plain; // the host found out which interrupt a plain answer is for
    uint8_t is_given;     // the caller passed an answer
    uint8_t saves;        // the answer must be saved
    uint8_t resuming;
    uint8_t replaying; // time travel
    uint8_t at_newest; // the checkpoint named by the caller is its graph's newest
    uint8_t kept;      // the state comes from the thread's last run
} weft_run_resume;

#endif
