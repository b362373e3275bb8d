// SPDX-License-Identifier: MIT
// Implements step.h: plans supersteps, hands out their tasks, decides what follows when tasks end
// (docs/semantics.md 6, 8 to 10).
#include "run/machine/step.h"
#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/machine/snapshot.h"
#include "run/restore/restore.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/state/thread.h"
#include "run/task/cache.h"
#include "run/task/call.h"
#include "run/task/fail.h"
#include "run/task/hand_out.h"
#include "run/task/ledger.h"
#include "run/task/limit.h"
#include "run/task/policy.h"
#include "run/task/resume.h"
#include "sched/plan.h"

#define NODES_OF_GRAPH 0xffffffffu
#define NODES_ALL 0xfffffffeu

// ---- ending

static void release_run_state(weft_run *run, int keep) {
    weft_state *state = run->state;
    run->state = NULL;
    if (keep && run->thread != NULL) {
        // Drops the thread's texts first, so that values shared only with them can move instead of
        // being copied.
        weft_thread_drop_texts(run->thread);
        weft_thread_keep(run->thread, state);
    } else {
        weft_state_free(state);
    }
}

weft_verdict weft_step_end(weft_run *run) {
    weft_emit_values(run);
    int keep = run->options.kind == WEFT_RUN_INVOKE && !run->identity.nested &&
               !run->step.interrupted && !run->resume.replaying && !weft_restore_has_null(run) &&
               (run->thread == NULL || run->state->touched_count == 0);
    uint32_t flags =
        (run->step.interrupted || run->step.at_breakpoint ? WEFT_DONE_INTERRUPTED : 0u) |
        (run->applying.has_values ? WEFT_DONE_HAS_VALUES : 0u);
    int has_id = run->state != NULL && run->state->has_id && run->thread != NULL;
    flags |= has_id ? WEFT_DONE_HAS_CHECKPOINT : 0u;
    weft_block_open(run, WEFT_COMMAND_DONE, flags);
    if (has_id) {
        weft_block_id(run, run->state->id);
    }
    weft_block_close(run);
    weft_tasks_clear(&run->step.tasks, run->values);
    release_run_state(run, keep);
    return WEFT_VERDICT_DONE;
}

// ---- breakpoints

static int in_list(const uint32_t *nodes, uint32_t count, uint32_t node, int of_graph) {
    if (count == NODES_OF_GRAPH) {
        return of_graph;
    }
    if (count == NODES_ALL) {
        return node != 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return 1;
        }
    }
    return 0;
}

static int stops_at(const weft_run *run, int after) {
    // After an input no node has run, whatever the input discarded.
    if (!weft_plan_may_stop(run->state) || weft_run_has_input(run)) {
        return 0;
    }
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        uint32_t number = run->step.tasks.items[i].node;
        const weft_node *node = &run->graph->nodes[number];
        if (after ? in_list(run->options.stop_after, run->options.stop_after_count, number,
                            node->after)
                  : in_list(run->options.stop_before, run->options.stop_before_count, number,
                            node->before)) {
            return 1;
        }
    }
    return 0;
}

// Stops and emits the breakpoint; a child run leaves that to its task.
static weft_verdict stop_at_breakpoint(weft_run *run, uint32_t flags) {
    run->step.at_breakpoint = 1;
    if (!run->identity.nested) {
        weft_block_open(run, WEFT_COMMAND_INTERRUPTS, flags);
        weft_block_word(run, 0);
        weft_block_close(run);
    }
    weft_tasks_clear(&run->step.tasks, run->values);
    return WEFT_VERDICT_ENDS;
}

static uint32_t ready_tasks(const weft_run *run) {
    uint32_t ready = 0;
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        ready += run->step.tasks.items[i].status == WEFT_TASK_READY;
    }
    return ready;
}

weft_verdict weft_step_begin(weft_run *run) {
    if (ready_tasks(run) == 0) {
        return WEFT_VERDICT_APPLIES;
    }
    run->step.next = 0;
    run->step.open = 0;
    run->step.errors = run->step.refused = 0;
    weft_policy_begin_step(run);
    WEFT_TRY(weft_hand_out(run));
    return WEFT_VERDICT_DONE;
}

static weft_verdict run_tasks(weft_run *run) {
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        if (run->step.tasks.items[i].status == WEFT_TASK_RESTORED) {
            weft_emit_restored(run, i);
            weft_emit_updates(run, i, WEFT_UPDATES_CACHED);
        }
    }
    if (ready_tasks(run) == 0) {
        return WEFT_VERDICT_APPLIES;
    }
    if (stops_at(run, 0)) {
        return stop_at_breakpoint(run, 0);
    }
    // An error while making a cache key fails the run before anything of the step is reported.
    uint32_t looked_up = weft_cache_look_up(run);
    if ((run->options.flags & WEFT_START_WANT_TASKS) != 0) {
        WEFT_TRY(weft_emit_planned(run, 0));
    }
    return looked_up > 0 ? WEFT_VERDICT_LOOKS_UP : WEFT_VERDICT_DONE;
}

// Drops the input, except an answer that is not saved yet.
static void clear_input(weft_run *run) {
    if (!run->resume.saves || run->step.input.count == 0) {
        weft_tasks_clear(&run->step.input, run->values);
        return;
    }
    weft_task *input = &run->step.input.items[0];
    weft_task kept = {.kind = input->kind,
                      .status = input->status,
                      .resumes = input->resumes,
                      .resume_count = input->resume_count,
                      .resume_capacity = input->resume_capacity};
    input->resumes = NULL;
    input->resume_count = 0;
    input->resume_capacity = 0;
    weft_task_fini(input, run->values);
    *input = kept;
}

weft_verdict weft_step_plan(weft_run *run) {
    weft_emit_values(run);
    if (run->step.tasks.count > 0 && stops_at(run, 1)) {
        return stop_at_breakpoint(run, WEFT_INTERRUPTS_AFTER);
    }
    weft_tasks_clear(&run->step.tasks, run->values);
    clear_input(run);
    weft_call_drop(run);
    weft_arena_reset(&run->arena);
    if (run->state->step + 1 > run->step.stop) {
        run->applying.failure = WEFT_ERR_RECURSION;
        return WEFT_VERDICT_STOPS;
    }
    WEFT_TRY(weft_plan(run->state, &run->arena, &run->step.tasks));
    int attaches =
        run->step.tasks.count > 0 && (run->resume.pending_count > 0 || run->resume.is_given);
    if (attaches) {
        WEFT_TRY(weft_resume_attach(run));
    }
    if ((run->options.flags & WEFT_START_WANT_CHECKPOINTS) != 0 && run->thread != NULL) {
        WEFT_TRY(weft_snapshot_put(run, run->recording.made ? 0u : WEFT_SNAPSHOT_LOADED));
    }
    // At a breakpoint it stops anyway.
    if ((run->step.late || (run->step.draining && !stops_at(run, 0))) &&
        run->step.tasks.count > 0) {
        weft_tasks_clear(&run->step.tasks, run->values);
        run->applying.failure = run->step.late ? WEFT_ERR_LIMIT : WEFT_ERR_DRAINED;
        return WEFT_VERDICT_STOPS;
    }
    if (attaches) {
        WEFT_TRY(weft_resume_forget(run));
    }
    return run->step.tasks.count == 0 ? WEFT_VERDICT_ENDS : run_tasks(run);
}

// ---- tasks run

weft_verdict weft_step_intend(weft_run *run) {
    WEFT_TRY(weft_ledger_begun(run));
    return run->step.ended ? WEFT_VERDICT_TASKS_ENDED : WEFT_VERDICT_DONE;
}

// Cancels the running tasks of a failed step.
static void cancel_tasks(weft_run *run) {
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        weft_task *task = &run->step.tasks.items[i];
        if (task->status >= WEFT_TASK_RUNNING && task->status <= WEFT_TASK_EXPIRED) {
            task->status = WEFT_TASK_CANCELLED;
            task->saved |= task->approved; // its call stays in flight
        }
    }
    run->step.first_ended = 0;
    run->step.end_ended = run->step.tasks.count;
}

weft_verdict weft_step_on_tasks_ended(weft_run *run) {
    run->step.ended = 0;
    int all_ended = run->step.open == 0 && run->step.next >= run->step.tasks.count;
    if (all_ended || run->step.errors > 0) {
        run->step.errors += run->step.refused;
        run->step.refused = 0;
    }
    if (run->options.kind == WEFT_RUN_UPDATE) {
        return WEFT_VERDICT_UPDATES;
    }
    if (run->step.errors > 0) {
        cancel_tasks(run);
    }
    if (run->step.late && !all_ended && run->step.errors == 0) {
        WEFT_TRY(weft_limit_stop(run));
        return WEFT_VERDICT_LATE;
    }
    // The last task's writes go into the checkpoint's record.
    if (all_ended && run->step.errors == 0 && !run->step.interrupted) {
        weft_call_reply(run);
        return WEFT_VERDICT_APPLIES;
    }
    if (run->step.errors > 0 && run->state->saved) {
        WEFT_TRY(weft_limit_record(run, 0));
    }
    return WEFT_VERDICT_DONE;
}

// Ends the step, fails, or continues, once everything that ended is saved.
weft_verdict weft_step_over(weft_run *run) {
    weft_call_reply(run);
    if (run->step.errors > 0) {
        return weft_fail_tasks(run);
    }
    if (run->step.open > 0 || run->step.next < run->step.tasks.count) {
        return WEFT_VERDICT_DONE;
    }
    if (run->step.interrupted) {
        return run->identity.nested ? WEFT_VERDICT_ENDS : WEFT_VERDICT_INTERRUPTED;
    }
    return WEFT_VERDICT_APPLIES;
}
