// SPDX-License-Identifier: MIT
// Implements policy.h: after an attempt failed or timed out, decides between a retry, a handler,
// and the end of the run (docs/semantics.md 16). The host's events carry the policy and all times;
// there is no clock here.
#include <string.h>

#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/task/call.h"
#include "run/task/entries.h"
#include "run/task/fail.h"
#include "run/task/ledger.h"
#include "run/task/outcome.h"
#include "run/task/policy.h"

#define NO_TASK 0xffffffffu
#define DEADLINE (NO_TASK - 1u)

static double read_double(weft_cursor *cursor) {
    uint64_t bits = weft_cursor_u64(cursor);
    double number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static void put_double(weft_run *run, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    weft_block_u64(run, bits);
}

static void sleep_for(weft_run *run, uint32_t index, uint32_t attempt, double ms) {
    weft_block_open(run, WEFT_COMMAND_SLEEP, 0);
    weft_block_word(run, index);
    weft_block_word(run, attempt);
    put_double(run, ms);
    weft_block_close(run);
}

// ---- retries

typedef struct retry_rule {
    uint32_t attempts; // in all
    uint32_t jitter;   // ms, max random addition
    double initial, factor, most;
} retry_rule;

static retry_rule read_rule(weft_cursor *cursor) {
    retry_rule rule = {.attempts = weft_cursor_word(cursor), .jitter = weft_cursor_word(cursor)};
    rule.initial = read_double(cursor);
    rule.factor = read_double(cursor);
    rule.most = read_double(cursor);
    return rule;
}

// Draws a random number, 0 <= x < 1: splitmix64 over the run's seed.
static double draw(weft_run *run) {
    uint64_t z = run->step.chance += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double delay_after(weft_run *run, const retry_rule *rule, uint32_t attempt) {
    double delay = rule->initial;
    for (uint32_t i = 1; i < attempt && delay > 0 && (delay < rule->most || rule->factor < 1);
         i++) {
        delay *= rule->factor;
    }
    delay = delay < rule->most ? delay : rule->most;
    return rule->jitter == 0 ? delay : delay + draw(run) * rule->jitter;
}

// ---- handlers

weft_status weft_policy_add_handler(weft_run *run, uint32_t index) {
    weft_task *made = weft_tasks_add(&run->step.tasks, run->memory);
    if (made == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    const weft_task *failed = &run->step.tasks.items[index];
    made->kind = WEFT_TASK_HANDLER;
    made->node = run->graph->nodes[failed->node].handler;
    made->trigger = failed->node;
    made->push_index = index;
    made->argument = failed->argument;
    weft_values_retain(run->values, made->argument);
    return WEFT_OK;
}

// Replaces a failed task by its handler. What the node's writers did before the failure stays, with
// the edges that had fired.
static weft_status handle(weft_run *run, weft_cursor *cursor, uint32_t flags, uint32_t index) {
    weft_task *task = &run->step.tasks.items[index];
    task->handled = 1;
    if ((flags & WEFT_ERROR_ENTRIES) != 0) {
        uint32_t count = weft_cursor_word(cursor);
        WEFT_TRY(weft_entries_read(run, cursor, count, task, (flags & WEFT_ERROR_EDGES) != 0));
    }
    WEFT_TRY(weft_policy_add_handler(run, index));
    if ((run->options.flags & WEFT_START_WANT_TASKS) != 0) {
        WEFT_TRY(weft_emit_planned(run, run->step.tasks.count - 1));
    }
    if (run->step.tasks.items[index].write_count > 0) {
        weft_emit_updates(run, index, 0);
    } else {
        weft_emit_no_updates(run, index);
    }
    return WEFT_OK;
}

// ---- events

weft_status weft_policy_error(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    uint32_t index;
    weft_task *task = weft_outcome_ending(run, cursor, &index, (flags & WEFT_ERROR_EXPIRED) != 0);
    weft_word word = weft_cursor_word(cursor);
    if (task == NULL) {
        return WEFT_ERR_BAD_EVENT;
    }
    WEFT_TRY(weft_values_adopt(run->values, word));
    task->error = word;
    retry_rule rule = {0};
    if ((flags & WEFT_ERROR_RETRY) != 0) {
        rule = read_rule(cursor);
        WEFT_TRY(cursor->status);
    }
    if (task->attempt < rule.attempts) {
        run->step.open++;
        task->status = WEFT_TASK_SLEEPING;
        sleep_for(run, index, task->attempt, delay_after(run, &rule, task->attempt));
        return WEFT_OK;
    }
    task->status = WEFT_TASK_FAILED;
    // A BUBBLE error is not the task's own failure: the task stays as if it had not run.
    if ((flags & WEFT_ERROR_BUBBLE) != 0) {
        WEFT_TRY(weft_ledger_release_task(run, task));
        task->saved = 1;
    }
    if (!task->saved && task->kind <= WEFT_TASK_PUSH &&
        run->graph->nodes[task->node].handler != 0) {
        return handle(run, cursor, flags, index);
    }
    // A part of a task fails for its caller, which may handle the error.
    *((flags & WEFT_ERROR_BUBBLE) != 0 ? &run->step.refused : &run->step.errors) +=
        !weft_call_is_part(task);
    // A task that received an answer has written it, so its updates are streamed; so are those of a
    // task that sends a command to its parent.
    if ((task->saved && (flags & WEFT_ERROR_SHOWN) != 0) ||
        (task->asked > 0 && task->resume_count > 0)) {
        weft_emit_updates(run, index, 0);
    } else {
        weft_emit_no_updates(run, index);
    }
    return cursor->status;
}

static weft_verdict woken_step(weft_run *run, uint32_t step) {
    if (run->waits != WEFT_WAIT_TASKS || step != (uint32_t)(run->state->step + 1)) {
        return WEFT_VERDICT_WAITS;
    }
    return weft_fail_stop(run, WEFT_ERR_STEP_TIMEOUT);
}

void weft_policy_await_deadline(weft_run *run, double ms) {
    sleep_for(run, DEADLINE, 0, ms);
}

weft_verdict weft_policy_woke(weft_run *run, weft_cursor *cursor) {
    uint32_t index = weft_cursor_word(cursor);
    uint32_t attempt = weft_cursor_word(cursor);
    WEFT_TRY(cursor->status);
    if (index == NO_TASK) {
        return woken_step(run, attempt);
    }
    if (index == DEADLINE) {
        run->step.late = 1;
        run->step.ended = 1;
        return WEFT_VERDICT_WAITS;
    }
    weft_task *task = weft_run_task(run, index, attempt, WEFT_TASK_SLEEPING);
    if (task == NULL || run->waits != WEFT_WAIT_TASKS) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_values_release(run->values, task->error);
    task->error = WEFT_WORD_ABSENT;
    run->step.open--;
    run->step.handed = index;
    return WEFT_VERDICT_HANDS_OUT;
}

// Ends an attempt that ran too long, or made no progress for too long. Else checks it again later.
weft_status weft_policy_expire(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    uint32_t index = weft_cursor_word(cursor);
    uint32_t attempt = weft_cursor_word(cursor);
    double most_run = read_double(cursor), most_idle = read_double(cursor);
    double left_run = most_run - read_double(cursor), left_idle = most_idle - read_double(cursor);
    WEFT_TRY(cursor->status);
    weft_task *task = weft_run_task(run, index, attempt, WEFT_TASK_RUNNING);
    if (task == NULL) {
        return WEFT_ERR_BAD_EVENT;
    }
    int too_long = most_run > 0 && left_run <= 0;
    if (!too_long && (!(most_idle > 0) || !(left_idle <= 0))) {
        if ((flags & WEFT_EXPIRE_ENDED) == 0) {
            int by_run = most_run > 0 && (most_idle <= 0 || left_run < left_idle);
            sleep_for(run, index, attempt, by_run ? left_run : left_idle);
        }
        return WEFT_OK;
    }
    task->status = WEFT_TASK_EXPIRED;
    weft_block_open(run, WEFT_COMMAND_EXPIRED, 0);
    weft_block_word(run, index);
    weft_block_word(run, attempt);
    weft_block_word(run, too_long ? WEFT_EXPIRED_RUN : WEFT_EXPIRED_IDLE);
    weft_block_close(run);
    return WEFT_OK;
}

weft_status weft_policy_step_timeout(weft_run *run, weft_cursor *cursor) {
    run->options.step_timeout = read_double(cursor);
    return cursor->status;
}

void weft_policy_begin_step(weft_run *run) {
    if (run->options.step_timeout > 0) {
        sleep_for(run, NO_TASK, (uint32_t)(run->state->step + 1), run->options.step_timeout);
    }
}
