// SPDX-License-Identifier: MIT
// The words of the run's state machine: its phases, what a phase may wait for, and the verdicts
// that functions of a phase return. Which phase follows is said in one place,
// src/run/machine/drive.c.
#ifndef WEFT_RUN_STATE_PHASE_H
#define WEFT_RUN_STATE_PHASE_H

typedef enum weft_phase {
    WEFT_PHASE_NONE,
    WEFT_PHASE_NEW, // START and what belongs to it is read

    // where a run begins
    WEFT_PHASE_BEGIN, // a kept state, an empty one, or the log
    WEFT_PHASE_LOAD,
    WEFT_PHASE_OPEN, // the state is there
    WEFT_PHASE_INPUT,
    WEFT_PHASE_SAVE_FORK, // time travel branches off with a checkpoint of its own
    WEFT_PHASE_TAKE_INPUT,
    WEFT_PHASE_APPLY_COMMAND, // what a Command wrote
    WEFT_PHASE_RESUME,
    WEFT_PHASE_COMMIT_COMMAND,
    WEFT_PHASE_SAVE_ANSWER,

    // supersteps
    WEFT_PHASE_PLAN,
    WEFT_PHASE_LOOK_UP, // what a cache has of the step
    WEFT_PHASE_BEGIN_STEP,
    WEFT_PHASE_WORK,         // tasks run
    WEFT_PHASE_SAVE_INTENTS, // `exit`: the checkpoint of calls that are about to begin
    WEFT_PHASE_INTEND,
    WEFT_PHASE_TASKS_ENDED,
    WEFT_PHASE_SAVE_TASKS,
    WEFT_PHASE_STEP_OVER,
    WEFT_PHASE_APPLY_STEP,
    WEFT_PHASE_COMMIT_STEP,

    // the end of a run
    WEFT_PHASE_SAVE_INTERRUPTED, // the step waits for answers
    WEFT_PHASE_APPLY_SIBLINGS,   // what its finished tasks wrote is shown, not saved
    WEFT_PHASE_FINISH,
    WEFT_PHASE_END,
    WEFT_PHASE_SAVE_BROKEN, // an apply broke a rule
    WEFT_PHASE_SAVE_LATE,   // time is over
    WEFT_PHASE_STOP,
    WEFT_PHASE_FAIL,

    // updateState
    WEFT_PHASE_UPDATE,
    WEFT_PHASE_SAVE_COPY,
    WEFT_PHASE_APPLY_PENDING, // what the step wrote before
    WEFT_PHASE_UPDATE_TASKS,
    WEFT_PHASE_UPDATES_ENDED,
    WEFT_PHASE_APPLY_UPDATE,
    WEFT_PHASE_COMMIT_UPDATE,

    // getState, getStateHistory
    WEFT_PHASE_SNAPSHOT,
    WEFT_PHASE_HISTORY,
    WEFT_PHASE_NEXT_ENTRY,
    WEFT_PHASE_APPLY_NULL, // what a Command wrote without a task
    WEFT_PHASE_PLAN_SHOWN,
    WEFT_PHASE_APPLY_SHOWN, // what finished tasks wrote
    WEFT_PHASE_SHOW,
    WEFT_PHASE_LISTED, // the host reads an entry

    WEFT_PHASE_OVER,
    WEFT_PHASE_COUNT
} weft_phase;

// The event of the host that a phase waits for.
typedef enum weft_wait {
    WEFT_WAIT_NOTHING,
    WEFT_WAIT_LOADED,
    WEFT_WAIT_REDUCED, // or HEADERS
    WEFT_WAIT_ENCODED,
    WEFT_WAIT_SAVED,
    WEFT_WAIT_FOUND,
    WEFT_WAIT_TASKS
} weft_wait;

// What a phase came to. Errors (weft_status) are below 0.
typedef int weft_verdict;
enum {
    WEFT_VERDICT_WAITS,       // the host has to answer first
    WEFT_VERDICT_DONE,        // the phase that mostly follows
    WEFT_VERDICT_APPLIES,     // writes are to be applied
    WEFT_VERDICT_COMMITS,     // a checkpoint is to be made
    WEFT_VERDICT_SAVES,       // something is to be saved first
    WEFT_VERDICT_LOADS,       // the log is to be read
    WEFT_VERDICT_SHOWS,       // a snapshot is wanted
    WEFT_VERDICT_LISTS,       // several of them are
    WEFT_VERDICT_UPDATES,     // an update by hand is wanted
    WEFT_VERDICT_RETURNS,     // what the step wrote before the update comes first
    WEFT_VERDICT_LOOKS_UP,    // a cache is asked
    WEFT_VERDICT_HANDS_OUT,   // of an event: the task run->step.handed begins an attempt
    WEFT_VERDICT_TASKS_ENDED, // the batch said that tasks ended
    WEFT_VERDICT_INTERRUPTED, // the step waits for answers
    WEFT_VERDICT_ENDS,        // the run ends in good order
    WEFT_VERDICT_LATE,        // time is over
    WEFT_VERDICT_BREAKS,      // the writes break a rule: run->applying.failure
    WEFT_VERDICT_STOPS,       // the run ends early: run->applying.failure
    WEFT_VERDICT_FAILED,      // FAIL is emitted
    WEFT_VERDICT_COUNT
};

#endif
