// SPDX-License-Identifier: MIT
// The run's state machine: its phases, the events they wait for, and the verdicts that a phase's
// functions return. Only src/run/machine/drive.c defines which phase follows.
#ifndef WEFT_RUN_STATE_PHASE_H
#define WEFT_RUN_STATE_PHASE_H

typedef enum weft_phase {
    WEFT_PHASE_NONE,
    WEFT_PHASE_NEW, // START and its related events were read

    // start of a run
    WEFT_PHASE_BEGIN, // with a kept state, an empty one, or the log
    WEFT_PHASE_LOAD,
    WEFT_PHASE_OPEN, // the state is loaded
    WEFT_PHASE_INPUT,
    WEFT_PHASE_SAVE_FORK, // time travel branches off with its own checkpoint
    WEFT_PHASE_TAKE_INPUT,
    WEFT_PHASE_APPLY_KEPT,    // writes of an earlier Command
    WEFT_PHASE_APPLY_COMMAND, // writes of a Command
    WEFT_PHASE_RESUME,
    WEFT_PHASE_COMMIT_COMMAND,
    WEFT_PHASE_SAVE_ANSWER,

    // supersteps
    WEFT_PHASE_PLAN,
    WEFT_PHASE_LOOK_UP, // in a cache
    WEFT_PHASE_BEGIN_STEP,
    WEFT_PHASE_WORK,         // tasks are running
    WEFT_PHASE_SAVE_INTENTS, // `exit`: the checkpoint of tool calls that are about to begin
    WEFT_PHASE_INTEND,
    WEFT_PHASE_TASKS_ENDED,
    WEFT_PHASE_SAVE_TASKS,
    WEFT_PHASE_STEP_OVER,
    WEFT_PHASE_APPLY_STEP,
    WEFT_PHASE_COMMIT_STEP,

    // end of a run
    WEFT_PHASE_SAVE_INTERRUPTED, // the step waits for answers
    WEFT_PHASE_APPLY_SIBLINGS,   // writes of its finished tasks are streamed, not saved
    WEFT_PHASE_FINISH,
    WEFT_PHASE_END,
    WEFT_PHASE_SAVE_BROKEN, // a broken rule in an apply
    WEFT_PHASE_SAVE_LATE,   // time is over
    WEFT_PHASE_STOP,
    WEFT_PHASE_FAIL,

    // updateState
    WEFT_PHASE_UPDATE,
    WEFT_PHASE_SAVE_COPY,
    WEFT_PHASE_APPLY_PENDING, // earlier writes of the step
    WEFT_PHASE_UPDATE_TASKS,
    WEFT_PHASE_UPDATES_ENDED,
    WEFT_PHASE_APPLY_UPDATE,
    WEFT_PHASE_COMMIT_UPDATE,

    // getState, getStateHistory
    WEFT_PHASE_SNAPSHOT,
    WEFT_PHASE_HISTORY,
    WEFT_PHASE_NEXT_ENTRY,
    WEFT_PHASE_APPLY_NULL, // writes of a Command without a task
    WEFT_PHASE_PLAN_SHOWN,
    WEFT_PHASE_APPLY_SHOWN, // writes of finished tasks
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

// Result of a phase. Errors (weft_status) are below 0.
typedef int weft_verdict;
enum {
    WEFT_VERDICT_WAITS,       // for the host
    WEFT_VERDICT_DONE,        // the usual next phase
    WEFT_VERDICT_APPLIES,     // there are writes to apply
    WEFT_VERDICT_COMMITS,     // a checkpoint must be made
    WEFT_VERDICT_SAVES,       // something must be saved first
    WEFT_VERDICT_LOADS,       // the log must be read
    WEFT_VERDICT_SHOWS,       // a snapshot was requested
    WEFT_VERDICT_LISTS,       // a history was requested
    WEFT_VERDICT_UPDATES,     // an update by hand was requested
    WEFT_VERDICT_RETURNS,     // earlier writes of the step come before the update
    WEFT_VERDICT_LOOKS_UP,    // a cache is asked
    WEFT_VERDICT_HANDS_OUT,   // of an event: the task run->step.handed starts an attempt
    WEFT_VERDICT_TASKS_ENDED, // tasks ended in this batch
    WEFT_VERDICT_INTERRUPTED, // the step waits for answers
    WEFT_VERDICT_ENDS,        // the run ends normally
    WEFT_VERDICT_LATE,        // the deadline has passed
    WEFT_VERDICT_BREAKS,      // the writes break a rule: run->applying.failure
    WEFT_VERDICT_STOPS,       // the run ends early: run->applying.failure
    WEFT_VERDICT_FAILED,      // FAIL is emitted
    WEFT_VERDICT_COUNT
};

#endif
