// SPDX-License-Identifier: MIT
// The current superstep. Owned by src/run/machine/step.c; src/run/task records how its tasks end.
#ifndef WEFT_RUN_STATE_STEP_H
#define WEFT_RUN_STATE_STEP_H

#include "sched/task.h"

typedef struct weft_run_step {
    weft_tasks tasks;   // of the step
    weft_tasks input;   // pseudo tasks: the input, and until the state is loaded the defaults
    int64_t stop;       // first step that the recursion limit forbids
    uint64_t chance;    // state of the random generator for jitter
    uint32_t next;      // number of the next task to hand out
    uint32_t open;      // tasks handed out and not ended
    uint32_t errors;    // failures, without BUBBLE
    uint32_t refused;   // tasks with a BUBBLE error: the step fails when the others have ended
    uint32_t unreplied; // calls that ended and whose callers were not notified
    uint32_t first_ended,
        end_ended; // range of numbers of the tasks to be saved: from first_ended to below end_ended
    uint32_t handed; // WEFT_VERDICT_HANDS_OUT: number of the task
    uint8_t ended;   // a task ended in this batch
    uint8_t interrupted;
    uint8_t at_breakpoint;
    uint8_t draining;
    uint8_t late; // the deadline has passed
} weft_run_step;

#endif
