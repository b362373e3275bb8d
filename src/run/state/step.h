// SPDX-License-Identifier: MIT
// The superstep that runs. Owned by src/run/machine/step.c; src/run/task says how its tasks end.
#ifndef WEFT_RUN_STATE_STEP_H
#define WEFT_RUN_STATE_STEP_H

#include "sched/task.h"

typedef struct weft_run_step {
    weft_tasks tasks; // of the step
    weft_tasks input; // the input's pseudo task, and until the state is there that of the defaults
    int64_t stop;     // the step that the recursion limit forbids
    uint64_t chance;  // state of the generator of jitter
    uint32_t next;    // number of the next task to hand out
    uint32_t open;    // tasks handed out and not ended
    uint32_t errors;  // genuine failures
    uint32_t
        refused; // tasks through which something passed: the step fails when the others have ended
    uint32_t unreplied; // calls that ended, whose callers do not know it yet
    uint32_t first_ended,
        end_ended;   // the tasks that are to be saved have numbers from here on, and below that
    uint32_t handed; // WEFT_VERDICT_HANDS_OUT: number of the task
    uint8_t ended;   // a task ended in this batch
    uint8_t interrupted;
    uint8_t at_breakpoint;
    uint8_t draining;
    uint8_t late; // its deadline has come
} weft_run_step;

#endif
