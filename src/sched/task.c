// SPDX-License-Identifier: MIT
// Implements task.h: tasks and their lists.
#include "task.h"

#include <string.h>

void weft_task_fini(weft_task *task, weft_values *values) {
    weft_values_release(values, task->argument);
    weft_values_release(values, task->timeout);
    weft_values_release(values, task->error);
    for (uint32_t i = 0; i < task->write_count; i++) {
        weft_write *write = &task->writes[i];
        weft_values_release(values, write->word);
        weft_values_release(values, write->timeout);
        for (uint32_t m = 0; m < write->count; m++) {
            weft_values_release(values, write->messages[m].word);
        }
    }
    for (uint32_t i = 0; i < task->interrupt_count; i++) {
        weft_values_release(values, task->interrupts[i].word);
    }
    for (uint32_t i = 0; i < task->resume_count; i++) {
        weft_values_release(values, task->resumes[i]);
    }
    weft_memory_release(values->memory, task->resumes,
                        task->resume_capacity * sizeof(*task->resumes));
    memset(task, 0, sizeof(*task));
}

weft_status weft_task_resume(weft_task *task, weft_values *values, weft_word word) {
    if (!weft_memory_reserve(values->memory, &task->resumes, sizeof(*task->resumes),
                             &task->resume_capacity, task->resume_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_values_retain(values, word);
    task->resumes[task->resume_count++] = word;
    return WEFT_OK;
}

void weft_tasks_clear(weft_tasks *tasks, weft_values *values) {
    for (uint32_t i = 0; i < tasks->count; i++) {
        weft_task_fini(&tasks->items[i], values);
    }
    tasks->count = 0;
}

void weft_tasks_fini(weft_tasks *tasks, weft_values *values) {
    weft_tasks_clear(tasks, values);
    weft_memory_release(values->memory, tasks->items, tasks->capacity * sizeof(*tasks->items));
    memset(tasks, 0, sizeof(*tasks));
}

weft_task *weft_tasks_add(weft_tasks *tasks, weft_memory *memory) {
    if (!weft_memory_reserve(memory, &tasks->items, sizeof(*tasks->items), &tasks->capacity,
                             tasks->count + 1)) {
        return NULL;
    }
    weft_task *task = &tasks->items[tasks->count++];
    memset(task, 0, sizeof(*task));
    return task;
}
