// SPDX-License-Identifier: MIT
// What a run goes on with: pending writes of its checkpoint, and answers. Read by src/run/restore,
// given to tasks by src/run/task/resume.c.
#ifndef WEFT_RUN_STATE_RESUME_H
#define WEFT_RUN_STATE_RESUME_H

#include "log/record.h"
#include "sched/task.h"

// A pending write of the log, in the order found. Words counted.
typedef struct weft_pending_task {
    weft_log_task_key key;
    uint64_t seq;   // of the record that it was found in
    weft_task task; // node WEFT_GRAPH_NONE: the null task, or one that the graph does not know
} weft_pending_task;

// An answer addressed by the id of its question.
typedef struct weft_resume_entry {
    uint8_t id[16];
    weft_word word;
} weft_resume_entry;

typedef struct weft_run_resume {
    weft_pending_task *pending;
    uint32_t pending_count, pending_capacity;
    weft_pending_task *calls; // what the log holds of calls of task() in this step
    uint32_t call_count, call_capacity;
    weft_resume_entry *map;
    uint32_t map_count;
    weft_word plain;    // counted: the answer for whoever asks first
    uint64_t plain_seq; // of the record that has it, if it is an earlier run's
    uint8_t plain_is_stored;
    uint8_t plain_is_taken; // some task took it: calls that begin later do not get it
    uint8_t has_plain;
    uint8_t map_is_plain; // the host found out which question a plain answer is for
    uint8_t is_given;     // the caller answers
    uint8_t saves;        // the answer is to be saved
    uint8_t resuming;
    uint8_t replaying; // time travel
    uint8_t at_newest; // the checkpoint that the caller named is its graph's newest
    uint8_t kept;      // the state comes from the thread's last run
} weft_run_resume;

#endif
