// SPDX-License-Identifier: MIT
// A task of a superstep: which node runs, why, and what it wrote. Its writes' words are counted by
// the task; the arrays lie in the step's arena. Must not know how writes cross the border.
#ifndef WEFT_SCHED_TASK_H
#define WEFT_SCHED_TASK_H

#include "state.h"

typedef enum weft_task_status {
    WEFT_TASK_READY,     // prepared, not handed out
    WEFT_TASK_RUNNING,   // handed out
    WEFT_TASK_SLEEPING,  // failed, waits for its next attempt
    WEFT_TASK_LOOKED_UP, // waits for what a cache holds of it
    WEFT_TASK_EXPIRED,   // took too long, waits for the words of its error
    WEFT_TASK_DONE,
    WEFT_TASK_RESTORED, // done in an earlier run; its writes came from the log
    WEFT_TASK_INTERRUPTED,
    WEFT_TASK_FAILED,
    WEFT_TASK_CANCELLED
} weft_task_status;

typedef struct weft_interrupt {
    uint8_t id[16];
    weft_word word;
} weft_interrupt;

// What a call of task() is besides: its caller, its place among the caller's calls, and its names.
// Texts lie in the step's arena.
typedef struct weft_call {
    uint32_t parent; // number of the calling task
    uint32_t index;  // among the calls of the attempt
    uint32_t place; // what the call is known by, with its name: the index, or what the host says of
                    // a part of a task's work
    weft_log_text name;
    weft_log_text scope; // the caller's namespace and the name: outer:<id>|name
    weft_log_text path;  // as JSON
    uint8_t is_part;     // a part of the caller's own work
} weft_call;

typedef struct weft_task {
    uint32_t node;
    uint32_t kind;    // WEFT_TASK_PULL, _PUSH, _WRITERS, _HANDLER; WEFT_TASK_INPUT for the input's
                      // pseudo task
    uint32_t trigger; // PULL: position among the node's triggers; HANDLER: the node that failed
    uint32_t push_index; // PUSH; HANDLER: number of the task that failed
    uint32_t stands_for; // WRITERS: 1 + the kind of the prepared task under whose key its writes
                         // are saved
    weft_word argument;  // PUSH, HANDLER of a PUSH: counted; CALL: what it returned
    weft_word timeout;   // PUSH: the Send's own, counted
    uint32_t attempt;
    weft_task_status status;
    weft_write *writes;
    uint32_t write_count;
    weft_word error; // FAILED: {message, name}, counted
    weft_interrupt *interrupts;
    uint32_t interrupt_count;
    weft_word *resumes; // values given to its interrupts so far, counted
    uint32_t resume_count, resume_capacity;
    uint32_t known; // of these, how many its first attempt began with
    const weft_interrupt
        *waited; // what the record says that has the last of these, lent; the words are not counted
    uint32_t waited_count;
    uint64_t answered; // what it was given last was stored in that record by an earlier run; 0: it
                       // is this run's
    uint32_t asked;    // interrupt() calls of this attempt
    uint32_t children; // graphs that it called, in all attempts
    uint8_t took_null_resume, took_mapped_resume;
    uint8_t saved;    // its writes stand in the log
    uint8_t handled;  // FAILED: a handler of this step takes its place
    uint8_t repeats;  // it had ended, and is to run again
    uint8_t intends;  // it called tools that stand in the log
    uint8_t approved; // of these one that somebody approved
    uint8_t cached;   // no cache had it: what it writes is to be stored
    uint8_t replied;  // CALL: its caller knows how it ended
    uint32_t called;  // calls of task() of this attempt
    weft_call *call;  // CALL
} weft_task;

#define WEFT_TASK_INPUT 3u

// Drops the counted words of a task (not its arrays, which lie in the arena; `resumes` is freed).
void weft_task_fini(weft_task *task, weft_values *values);

// Adds a value that an interrupt received; takes a reference of its own. WEFT_ERR_NO_MEMORY.
weft_status weft_task_resume(weft_task *task, weft_values *values, weft_word word);

// The tasks of a step, in the order in which they were made. A task's number is its place; it may
// move when one is added.
typedef struct weft_tasks {
    weft_task *items;
    uint32_t count, capacity;
} weft_tasks;

void weft_tasks_clear(weft_tasks *tasks, weft_values *values);
void weft_tasks_fini(weft_tasks *tasks, weft_values *values);

// A new zeroed task at the end, lent until the next one; NULL when there is no memory.
weft_task *weft_tasks_add(weft_tasks *tasks, weft_memory *memory);

#endif
