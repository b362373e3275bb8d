// SPDX-License-Identifier: MIT
// Tool calls of the step: the ledger, approvals, limits. Each is owned by its file in src/run/task.
#ifndef WEFT_RUN_STATE_TOOLS_H
#define WEFT_RUN_STATE_TOOLS_H

#include "base/map.h"
#include "base/ops.h"
#include "log/record.h"

// A call that was in flight when a process died, by the key of its task. Texts last as long as the
// run.
typedef struct weft_intent {
    weft_log_task_key task;
    weft_log_text call;
    uint8_t in_flight; // its end is not known
    uint8_t asked;     // an approval was requested for it: that interrupt comes again, before the
                       // call's own
    uint8_t ended;     // its task's writes are saved
    uint8_t moved;     // it began in another thread
} weft_intent;

// A call that begins when its checkpoint is saved. The text lasts as long as the run.
typedef struct weft_beginning {
    uint32_t task, attempt, flags;
    weft_log_text call;
} weft_beginning;

// An approval request for a call: the digest of what is shown, and whether it was decided. Texts
// last as long as the run.
typedef struct weft_request {
    weft_log_task_key task;
    weft_log_text call;
    uint32_t place; // number of the task's interrupt
    uint8_t id[WEFT_LOG_ID_BYTES], shown[WEFT_LOG_DIGEST_BYTES];
    uint64_t seq;     // of its record; 0: requested by this run
    uint64_t expires; // ms since 1970; 0: never
    uint8_t apart; // about another call than the model's: one that a wrapper changed, or that was
                   // in flight
    uint8_t written;
    uint8_t decided; // 1: in an earlier run, 2: in this one
    uint8_t lapsed;  // by the host, since it had expired
    uint8_t first;   // for what the task asked first about the call: an answer need not name it
} weft_request;

// Limits of a run. Equal calls are counted under a hash of the call.
typedef struct weft_limits {
    double most[WEFT_LIMIT_REPEATED + 1]; // max values; infinite: none
    double used[WEFT_LIMIT_REPEATED + 1];
    weft_map calls;
    uint64_t since;    // tick from which its time counts
    uint64_t recorded; // tick of the last record of the counts
    uint8_t changed;   // since then
} weft_limits;

typedef struct weft_run_tools {
    weft_intent *intents; // calls of this step's tasks with unknown outcome
    uint32_t intent_count, intent_capacity;
    weft_beginning *beginnings;
    uint32_t beginning_count, beginning_capacity;
    weft_request *requests; // requests about calls of this step's tasks
    uint32_t request_count, request_capacity;
    uint32_t told_count; // requests that the host knows: of this step, or the one before
    uint32_t drawn;      // number of request ids made
    weft_limits *limits; // NULL: none
} weft_run_tools;

#endif
