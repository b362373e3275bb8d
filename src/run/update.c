// SPDX-License-Identifier: MIT
// updateState: a checkpoint made by a node's writers without its function (SEMANTICS 12).
#include <string.h>

#include "run.h"

// The node that an update without asNode speaks for: before anything ran the start node, else the one that ran last.
// WEFT_GRAPH_NONE when that is not one node.
static uint32_t default_node(const weft_run *run) {
    const weft_graph *graph = run->graph;
    uint32_t highest = 0;
    uint32_t found = WEFT_GRAPH_NONE;
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
    return highest == 0 ? 0 : found;
}

static weft_status commit_update(weft_run *run, weft_next after) {
    return weft_record_commit(run, WEFT_SOURCE_UPDATE, after);
}

weft_status weft_update_begin(weft_run *run) {
    weft_tell_mirror(run);
    if (!run->state->has_id) {
        run->state->step = -1; // an empty thread counts as one with its input taken
    }
    if ((run->flags & WEFT_START_HAS_CHECKPOINT_ID) != 0 || run->pending_count == 0) {
        return weft_update_task(run);
    }
    run->state->updated_known = 0;
    WEFT_TRY(weft_plan(run->state, &run->arena, &run->tasks));
    WEFT_TRY(weft_restore_attach(run));
    weft_restore_drop_pending(run);
    uint32_t done = 0;
    for (uint32_t i = 0; i < run->tasks.count; i++) {
        if (run->tasks.items[i].status != WEFT_TASK_RESTORED) {
            weft_task_fini(&run->tasks.items[i], run->values);
            continue;
        }
        weft_task task = run->tasks.items[i];
        memset(&run->tasks.items[i], 0, sizeof(task));
        run->tasks.items[done++] = task;
    }
    run->tasks.count = done;
    return done == 0 ? weft_update_task(run) : weft_step_apply(run, run->tasks.items, done, WEFT_NEXT_UPDATE);
}

weft_status weft_update_task(weft_run *run) {
    weft_tasks_clear(&run->tasks, run->values);
    // No value and no node: a copy of the checkpoint.
    if ((run->flags & WEFT_START_NULL_INPUT) != 0 && run->as_node == WEFT_GRAPH_NONE) {
        return commit_update(run, WEFT_NEXT_END);
    }
    uint32_t node = run->as_node == WEFT_GRAPH_NONE ? default_node(run) : run->as_node;
    if (node == WEFT_GRAPH_NONE || node >= run->graph->node_count) {
        weft_step_fail(run, WEFT_ERR_AMBIGUOUS_UPDATE, NULL, 0);
        return WEFT_OK;
    }
    weft_task *task = weft_tasks_add(&run->tasks, run->memory);
    if (task == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    task->node = node;
    task->kind = WEFT_TASK_WRITERS;
    run->phase = WEFT_PHASE_WORKING;
    run->next_task = 0;
    return weft_step_hand_out(run);
}

weft_status weft_update_result(weft_run *run) {
    weft_task *task = &run->tasks.items[0];
    if (run->errors > 0) {
        weft_block_open(run, WEFT_COMMAND_FAIL, 0);
        weft_block_word(run, (uint32_t)WEFT_ERR_HOST);
        weft_block_word(run, 1);
        weft_block_word(run, 0);
        weft_block_word(run, 0);
        weft_block_word(run, 0);
        weft_block_close(run);
        run->phase = WEFT_PHASE_OVER;
        return WEFT_OK;
    }
    return weft_step_apply(run, task, 1, WEFT_NEXT_COMMIT);
}
