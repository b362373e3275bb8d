// SPDX-License-Identifier: MIT
// A task of a superstep: which node runs, why, and its writes. A task holds the references of its
// writes; the arrays are in the step's arena. Does not depend on how writes cross the border.
#ifndef WEFT_SCHED_TASK_H
#define WEFT_SCHED_TASK_H

#include "state.h"

typedef enum weft_task_status {
    WEFT_TASK_READY,     // prepared, not handed out
    WEFT_TASK_RUNNING,   // handed out
    WEFT_TASK_SLEEPING,  // failed, waits for its retry
    WEFT_TASK_LOOKED_UP, // waits for a cache to answer
    WEFT_TASK_EXPIRED,   // timed out, waits for the host to report its error
    WEFT_TASK_DONE,
    WEFT_TASK_RESTORED, // done in an earlier run; its writes were read from the log
    WEFT_TASK_INTERRUPTED,
    WEFT_TASK_FAILED,
    WEFT_TASK_CANCELLED
} weft_task_status;

typedef struct weft_interrupt {
    uint8_t id[16];
    weft_word word;
} weft_interrupt;

// Details of a call of task(): its caller, its place among the caller's calls, and its names. Texts
// are in the step's arena.
typedef struct weft_call {
    uint32_t parent; // number of the calling task
    uint32_t index;  // position among the calls of the attempt
    uint32_t place; // identifies the call, with its name: the index, or for a part of a task's work
                    // the host's number
    weft_log_text name;
    weft_log_text scope; // the caller's namespace and the name, as in outer:<id>|name
    weft_log_text path;  // as JSON
    uint8_t is_part;     // a part of the caller's own work
} weft_call;

typedef struct weft_task {
    uint32_t node;
    uint32_t kind;    // WEFT_TASK_PULL, _PUSH, _WRITERS, _HANDLER; WEFT_TASK_INPUT for the input's
                      // pseudo task
    uint32_t trigger; // PULL: position among the node's triggers; HANDLER: the node that failed
    uint32_t push_index; // PUSH: index of the Send; HANDLER: number of the task that failed
    uint32_t
        stands_for; // WRITERS: 1 + kind of the prepared task under whose key its writes are saved
    weft_word argument; // PUSH, HANDLER of a PUSH: with a reference; CALL: what it returned
    weft_word timeout;  // PUSH: the Send's own, with a reference
    uint32_t attempt;
    weft_task_status status;
    weft_write *writes;
    uint32_t write_count;
    weft_word error; // FAILED: {message, name}, with a reference
    weft_interrupt *interrupts;
    uint32_t interrupt_count;
    weft_word *resumes; // values that its interrupts received so far, with references
    uint32_t resume_count, resume_capacity;
    uint32_t known; // number of these when its first attempt began
    const weft_interrupt
        *waited; // interrupts in the record of the last resume, borrowed, without references
    uint32_t waited_count;
    uint64_t
        answered;   // record of an earlier run that stored its last answer; 0: this run received it
    uint32_t asked; // number of interrupt() calls of this attempt
    uint32_t children; // subgraphs that it called, in all attempts
    uint8_t took_null_resume, took_mapped_resume;
    uint8_t saved;    // its writes are in the log
    uint8_t handled;  // FAILED: a handler of this step replaces it
    uint8_t repeats;  // it had ended in an earlier run and runs again
    uint8_t intends;  // it made tool calls that are in the log
    uint8_t approved; // one of these was approved
    uint8_t cached;   // no cache had it: its writes are to be stored
    uint8_t replied;  // CALL: its caller was notified of the end
    uint32_t called;  // number of task() calls of this attempt
    weft_call *call;  // CALL
} weft_task;

#define WEFT_TASK_INPUT 3u

// Drops the references of a task (not its arrays, which are in the arena; `resumes` is freed).
void weft_task_fini(weft_task *task, weft_values *values);

// Adds a value that an interrupt received; takes its own reference. WEFT_ERR_NO_MEMORY.
weft_status weft_task_resume(weft_task *task, weft_values *values, weft_word word);

// The tasks of a step, in the order in which they were made. A task's number is its index; adding a
// task may move it.
typedef struct weft_tasks {
    weft_task *items;
    uint32_t count, capacity;
} weft_tasks;

void weft_tasks_clear(weft_tasks *tasks, weft_values *values);
void weft_tasks_fini(weft_tasks *tasks, weft_values *values);

// Adds a zeroed task at the end, borrowed until the next one is added; NULL when there is no
// memory.
weft_task *weft_tasks_add(weft_tasks *tasks, weft_memory *memory);

#endif
