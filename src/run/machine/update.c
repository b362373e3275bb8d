// SPDX-License-Identifier: MIT
// Implements update.h (docs/semantics.md 12).
#include <string.h>

#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/machine/update.h"
#include "run/restore/restore.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/task/hand_out.h"
#include "run/task/resume.h"
#include "sched/plan.h"

// Finds the node of an update without asNode: before anything ran the start node, else the one that
// ran last. WEFT_GRAPH_NONE when that is not exactly one node.
static uint32_t default_node(const weft_run *run) {
    const weft_graph *graph = run->graph;
    uint32_t highest = 0;
    uint32_t found = WEFT_GRAPH_NONE;
    if (graph->input.bytes != NULL && graph->node_count == 2) {
        return 1; // the only node
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        uint32_t newest = 0;
        for (uint32_t t = 0; t < graph->nodes[i].trigger_count; t++) {
            uint32_t version = run->state->seen[graph->nodes[i].first_seen + t];
            newest = version > newest ? version : newest;
        }
        if (newest > highest) {
            highest = newest;
            found = i;
        } else if (newest == highest && newest > 0) {
            found = WEFT_GRAPH_NONE;
        }
    }
    return highest > 0 ? found : graph->input.bytes == NULL ? 0 : graph->input_node;
}

static int has_null(const weft_run *run) {
    return (run->options.flags & WEFT_START_NULL_INPUT) != 0;
}

// Copies a checkpoint. The copy has the same parent, so its whole content is a change.
static weft_verdict copy_checkpoint(weft_run *run) {
    weft_state *state = run->state;
    if (!state->has_id) {
        weft_emit_fail(run, WEFT_ERR_NOTHING_TO_COPY, NULL, 0);
        return WEFT_VERDICT_FAILED;
    }
    WEFT_TRY(weft_state_restate(state));
    run->identity.id_behind = 1;
    memcpy(state->id, state->parent, 16);
    state->saved = state->has_parent;
    return WEFT_VERDICT_COMMITS;
}

// Writes the input; pending tasks stay.
static weft_verdict write_input(weft_run *run) {
    weft_task *input = weft_tasks_add(&run->step.tasks, run->memory);
    if (input == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    *input = run->step.input.items[0];
    memset(&run->step.input.items[0], 0, sizeof(weft_task));
    run->step.input.count = 0;
    input->saved = 1; // not a pending write
    return WEFT_VERDICT_APPLIES;
}

static weft_status plan_pending(weft_run *run) {
    run->state->updated_known = 0;
    WEFT_TRY(weft_plan(run->state, &run->arena, &run->step.tasks));
    WEFT_TRY(weft_resume_attach(run));
    weft_restore_drop_pending(run);
    return WEFT_OK;
}

// Counts the step's tasks as done, with their writes so far.
static weft_verdict clear_tasks(weft_run *run) {
    run->identity.id_behind = 1;
    if (!run->state->has_id) {
        return WEFT_VERDICT_COMMITS;
    }
    WEFT_TRY(plan_pending(run));
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        run->step.tasks.items[i].saved = 1;
    }
    return WEFT_VERDICT_APPLIES;
}

weft_verdict weft_update_begin(weft_run *run) {
    weft_emit_mirror(run);
    if (weft_run_updates_as(run, WEFT_AS_COPY)) {
        return copy_checkpoint(run);
    }
    if (weft_run_updates_as(run, WEFT_AS_INPUT)) {
        return write_input(run);
    }
    return WEFT_VERDICT_DONE;
}

// Applies the writes of the step's finished tasks; the others run again.
static weft_verdict apply_done(weft_run *run) {
    WEFT_TRY(plan_pending(run));
    uint32_t done = 0;
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        weft_task *task = &run->step.tasks.items[i];
        if (task->status == WEFT_TASK_RESTORED) {
            run->step.tasks.items[done++] = *task;
        } else {
            weft_task_fini(task, run->values);
        }
    }
    run->step.tasks.count = done;
    return done == 0 ? WEFT_VERDICT_UPDATES : WEFT_VERDICT_RETURNS;
}

// Assigns, for tasks of a copy, the n-th update of a node to the n-th of its prepared tasks.
static weft_status stand_for(weft_run *run) {
    weft_tasks planned = {0};
    weft_status status = weft_plan(run->state, &run->arena, &planned);
    for (uint32_t i = 0; status == WEFT_OK && i < run->step.tasks.count; i++) {
        weft_task *task = &run->step.tasks.items[i];
        for (uint32_t p = 0; p < planned.count && task->stands_for == 0; p++) {
            weft_task *found = &planned.items[p];
            if (found->node == task->node && found->stands_for == 0) {
                task->stands_for = found->kind + 1u;
                task->trigger = found->trigger;
                task->push_index = found->push_index;
                found->stands_for = 1;
            }
        }
    }
    weft_tasks_fini(&planned, run->values);
    return status;
}

static weft_verdict add_task(weft_run *run, uint32_t as) {
    uint32_t node = as == WEFT_AS_DEFAULT ? default_node(run) : as - WEFT_AS_NODE;
    if (node >= run->graph->node_count) {
        weft_emit_fail(run, WEFT_ERR_AMBIGUOUS_UPDATE, NULL, 0);
        return WEFT_VERDICT_FAILED;
    }
    weft_task *task = weft_tasks_add(&run->step.tasks, run->memory);
    if (task == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    task->node = node;
    task->kind = WEFT_TASK_WRITERS;
    return WEFT_VERDICT_DONE;
}

weft_verdict weft_update_tasks(weft_run *run) {
    weft_tasks_clear(&run->step.tasks, run->values);
    if (!run->state->has_id) {
        run->state->step = -1; // an empty thread counts as having taken its input
    }
    // No value and no node: makes a copy as the next checkpoint, with the whole step still to run.
    if (run->options.update_count == 0 ||
        (has_null(run) && weft_run_updates_as(run, WEFT_AS_DEFAULT))) {
        run->identity.id_behind = 1;
        return WEFT_VERDICT_COMMITS;
    }
    // A Command's writes beside an answer come first, once.
    WEFT_TRY(weft_restore_null(run));
    if (run->step.tasks.count > 0) {
        return WEFT_VERDICT_RETURNS;
    }
    if (weft_run_clears_tasks(run)) {
        return clear_tasks(run);
    }
    if (run->resume.pending_count > 0 && (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) == 0) {
        return apply_done(run);
    }
    for (uint32_t i = 0; i < run->options.update_count; i++) {
        weft_verdict added = add_task(run, run->options.updates[i]);
        if (added != WEFT_VERDICT_DONE) {
            return added;
        }
    }
    if ((run->options.flags & WEFT_START_AS_TASKS) != 0) {
        WEFT_TRY(stand_for(run));
    }
    run->step.next = 0;
    WEFT_TRY(weft_hand_out(run));
    return WEFT_VERDICT_DONE;
}

static weft_verdict fail_update(weft_run *run) {
    uint32_t failed = 0;
    while (run->step.tasks.items[failed].status != WEFT_TASK_FAILED) {
        failed++;
    }
    weft_block_open(run, WEFT_COMMAND_FAIL, 0);
    weft_block_word(run, (uint32_t)WEFT_ERR_HOST);
    weft_block_word(run, 1);
    weft_block_word(run, failed);
    weft_block_word(run, 0);
    weft_block_word(run, 0);
    weft_block_close(run);
    return WEFT_VERDICT_FAILED;
}

weft_verdict weft_update_on_tasks_ended(weft_run *run) {
    if (run->step.open > 0 || run->step.next < run->step.tasks.count) {
        return WEFT_VERDICT_DONE;
    }
    return run->step.errors > 0 ? fail_update(run) : WEFT_VERDICT_APPLIES;
}
