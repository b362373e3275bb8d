// SPDX-License-Identifier: MIT
// Implements drive.h: a table of what each phase does, and which phase follows by its verdict.
#include "run/machine/drive.h"
#include "run/machine/apply.h"
#include "run/machine/save.h"
#include "run/machine/snapshot.h"
#include "run/machine/start.h"
#include "run/machine/step.h"
#include "run/machine/update.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/task/fail.h"

typedef struct phase_row {
    weft_verdict (*enter)(weft_run *run);
    uint8_t waits;                    // weft_wait, of a phase that only waits
    uint8_t next[WEFT_VERDICT_COUNT]; // a weft_phase by verdict
} phase_row;

static weft_verdict wait(weft_run *run) {
    (void)run;
    return WEFT_VERDICT_WAITS;
}

// Reports an error: the previous phase may not return this verdict.
static weft_verdict refuse(weft_run *run) {
    (void)run;
    return WEFT_ERR_INTERNAL;
}

#define ON(verdict, phase) [WEFT_VERDICT_##verdict] = WEFT_PHASE_##phase
// In every phase a broken rule, a stop and an error lead to the same phases.
#define ANYWHERE ON(BREAKS, SAVE_BROKEN), ON(STOPS, STOP), ON(FAILED, OVER)
#define PHASE(name, enter, ...)                                                                    \
    [WEFT_PHASE_##name] = {enter, WEFT_WAIT_NOTHING, {ANYWHERE, __VA_ARGS__}}
#define WAIT(name, event, ...)                                                                     \
    [WEFT_PHASE_##name] = {wait, WEFT_WAIT_##event, {ANYWHERE, __VA_ARGS__}}

static const phase_row rows[WEFT_PHASE_COUNT] = {
    [WEFT_PHASE_NONE] = {refuse, WEFT_WAIT_NOTHING, {0}},
    WAIT(NEW, NOTHING, ON(DONE, BEGIN)),

    // start of a run
    PHASE(BEGIN, weft_start_begin, ON(DONE, OPEN), ON(LOADS, LOAD)),
    PHASE(LOAD, weft_start_load, ON(DONE, OPEN), ON(LISTS, HISTORY)),
    PHASE(OPEN, weft_start_open, ON(DONE, INPUT), ON(SHOWS, SNAPSHOT), ON(UPDATES, UPDATE)),
    PHASE(INPUT, weft_start_input, ON(DONE, TAKE_INPUT), ON(COMMITS, SAVE_FORK)),
    PHASE(SAVE_FORK, weft_save_fork, ON(DONE, TAKE_INPUT)),
    PHASE(TAKE_INPUT, weft_start_take_input, ON(DONE, RESUME), ON(UPDATES, APPLY_COMMAND),
          ON(APPLIES, APPLY_STEP), ON(RETURNS, APPLY_KEPT)),
    PHASE(APPLY_KEPT, weft_apply_pending, ON(DONE, TAKE_INPUT)),
    PHASE(APPLY_COMMAND, weft_apply_command, ON(DONE, RESUME)),
    PHASE(RESUME, weft_start_resume, ON(DONE, PLAN), ON(COMMITS, COMMIT_COMMAND),
          ON(SAVES, SAVE_ANSWER)),
    PHASE(COMMIT_COMMAND, weft_save_command, ON(DONE, PLAN)),
    PHASE(SAVE_ANSWER, weft_save_answer, ON(DONE, PLAN)),

    // supersteps
    PHASE(PLAN, weft_step_plan, ON(DONE, BEGIN_STEP), ON(LOOKS_UP, LOOK_UP),
          ON(APPLIES, APPLY_STEP), ON(ENDS, FINISH)),
    WAIT(LOOK_UP, FOUND, ON(DONE, BEGIN_STEP)),
    PHASE(BEGIN_STEP, weft_step_begin, ON(DONE, WORK), ON(APPLIES, APPLY_STEP)),
    WAIT(WORK, TASKS, ON(TASKS_ENDED, TASKS_ENDED), ON(SAVES, SAVE_INTENTS)),
    PHASE(SAVE_INTENTS, weft_save_intents, ON(DONE, INTEND)),
    PHASE(INTEND, weft_step_intend, ON(DONE, WORK), ON(TASKS_ENDED, TASKS_ENDED)),
    PHASE(TASKS_ENDED, weft_step_on_tasks_ended, ON(DONE, SAVE_TASKS), ON(APPLIES, APPLY_STEP),
          ON(LATE, SAVE_LATE), ON(UPDATES, UPDATES_ENDED)),
    PHASE(SAVE_TASKS, weft_save_tasks, ON(DONE, STEP_OVER)),
    PHASE(STEP_OVER, weft_step_over, ON(DONE, WORK), ON(APPLIES, APPLY_STEP),
          ON(INTERRUPTED, SAVE_INTERRUPTED), ON(ENDS, FINISH)),
    PHASE(APPLY_STEP, weft_apply_step, ON(DONE, COMMIT_STEP)),
    PHASE(COMMIT_STEP, weft_save_step, ON(DONE, PLAN)),

    // end of a run
    PHASE(SAVE_INTERRUPTED, weft_save_interrupted, ON(DONE, APPLY_SIBLINGS)),
    PHASE(APPLY_SIBLINGS, weft_apply_siblings, ON(DONE, END)),
    PHASE(FINISH, weft_save_finished, ON(DONE, END)),
    PHASE(END, weft_step_end, ON(DONE, OVER)),
    PHASE(SAVE_BROKEN, weft_save_broken, ON(DONE, FAIL)),
    PHASE(SAVE_LATE, weft_save_late, ON(DONE, FAIL)),
    PHASE(STOP, weft_save_stopped, ON(DONE, FAIL)),
    PHASE(FAIL, weft_fail_apply, ON(DONE, OVER)),

    // updateState
    PHASE(UPDATE, weft_update_begin, ON(DONE, UPDATE_TASKS), ON(COMMITS, SAVE_COPY),
          ON(APPLIES, APPLY_UPDATE)),
    PHASE(SAVE_COPY, weft_save_copy, ON(DONE, END)),
    PHASE(UPDATE_TASKS, weft_update_tasks, ON(DONE, WORK), ON(UPDATES, UPDATE_TASKS),
          ON(RETURNS, APPLY_PENDING), ON(APPLIES, APPLY_UPDATE), ON(COMMITS, COMMIT_UPDATE)),
    PHASE(APPLY_PENDING, weft_apply_pending, ON(DONE, UPDATE_TASKS)),
    PHASE(UPDATES_ENDED, weft_update_on_tasks_ended, ON(DONE, WORK), ON(APPLIES, APPLY_UPDATE)),
    PHASE(APPLY_UPDATE, weft_apply_step, ON(DONE, COMMIT_UPDATE)),
    PHASE(COMMIT_UPDATE, weft_save_update, ON(DONE, END)),

    // getState, getStateHistory
    PHASE(SNAPSHOT, weft_snapshot_begin, ON(DONE, PLAN_SHOWN), ON(APPLIES, APPLY_NULL),
          ON(ENDS, END)),
    PHASE(HISTORY, weft_snapshot_begin_history, ON(DONE, NEXT_ENTRY)),
    PHASE(NEXT_ENTRY, weft_snapshot_next, ON(DONE, PLAN_SHOWN), ON(APPLIES, APPLY_NULL),
          ON(ENDS, END)),
    PHASE(APPLY_NULL, weft_apply_shown, ON(DONE, PLAN_SHOWN)),
    PHASE(PLAN_SHOWN, weft_snapshot_plan, ON(DONE, SHOW), ON(APPLIES, APPLY_SHOWN)),
    PHASE(APPLY_SHOWN, weft_apply_shown, ON(DONE, SHOW)),
    PHASE(SHOW, weft_snapshot_show, ON(LISTS, LISTED), ON(ENDS, END)),
    WAIT(LISTED, NOTHING, ON(DONE, NEXT_ENTRY)),
    WAIT(OVER, NOTHING, ON(DONE, NONE)),
};

weft_status weft_drive(weft_run *run, weft_verdict verdict) {
    while (verdict > WEFT_VERDICT_WAITS) {
        run->phase = (weft_phase)rows[run->phase].next[verdict];
        const phase_row *row = &rows[run->phase];
        run->waits = (weft_wait)row->waits;
        verdict = row->enter(run);
    }
    return verdict < 0 ? (weft_status)verdict : WEFT_OK;
}
