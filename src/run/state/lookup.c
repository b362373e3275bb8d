// SPDX-License-Identifier: MIT
// Finds the task that an event names, and notes which tasks ended since they were last saved.
#include "run/state/run.h"

weft_task *weft_run_task(weft_run *run, uint32_t index, uint32_t attempt, weft_task_status status) {
    if (index >= run->step.tasks.count) {
        return NULL;
    }
    weft_task *task = &run->step.tasks.items[index];
    return task->status == status && task->attempt == attempt ? task : NULL;
}

void weft_run_note_ended(weft_run *run, uint32_t index) {
    run->step.first_ended = index < run->step.first_ended ? index : run->step.first_ended;
    run->step.end_ended = index < run->step.end_ended ? run->step.end_ended : index + 1u;
}
