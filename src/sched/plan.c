// SPDX-License-Identifier: MIT
#include "plan.h"

#include "base/ops.h"

static weft_status push_tasks(const weft_state *state, weft_tasks *tasks) {
    const weft_channel *sends = &state->channels[state->graph->tasks_channel];
    for (uint32_t i = 0; i < sends->send_count; i++) {
        weft_task *task = weft_tasks_add(tasks, state->memory);
        if (task == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        task->kind = WEFT_TASK_PUSH;
        task->node = sends->sends[i].node;
        task->push_index = i;
        task->argument = sends->sends[i].word;
        task->timeout = sends->sends[i].timeout;
        weft_values_retain(state->values, task->argument);
        weft_values_retain(state->values, task->timeout);
    }
    return WEFT_OK;
}

// The position of the first trigger that is available and newer than what the node saw, or WEFT_GRAPH_NONE.
static uint32_t fired_trigger(const weft_state *state, const weft_node *node) {
    for (uint32_t t = 0; t < node->trigger_count; t++) {
        uint32_t channel = node->triggers[t];
        if (state->channels[channel].version > state->seen[node->first_seen + t] &&
            weft_state_available(state, channel)) {
            return t;
        }
    }
    return WEFT_GRAPH_NONE;
}

// A low-level node does not run without its input.
static int has_input(const weft_state *state, const weft_node *node) {
    for (uint32_t i = 0; i < node->read_count; i++) {
        if (weft_state_available(state, node->reads[i]) != node->reads_all) {
            return !node->reads_all;
        }
    }
    return node->read_count == 0 || node->reads_all;
}

static weft_status pull_task(const weft_state *state, uint32_t number, weft_tasks *tasks) {
    uint32_t trigger = fired_trigger(state, &state->graph->nodes[number]);
    if (trigger == WEFT_GRAPH_NONE || !has_input(state, &state->graph->nodes[number])) {
        return WEFT_OK;
    }
    weft_task *task = weft_tasks_add(tasks, state->memory);
    if (task == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    task->kind = WEFT_TASK_PULL;
    task->node = number;
    task->trigger = trigger;
    return WEFT_OK;
}

static uint32_t rank(const weft_state *state, uint32_t node) { return state->graph->nodes[node].rank; }

static void sift(const weft_state *state, uint32_t *heap, uint32_t at, uint32_t count) {
    for (;;) {
        uint32_t child = at * 2 + 1;
        if (child >= count) {
            return;
        }
        if (child + 1 < count && rank(state, heap[child + 1]) > rank(state, heap[child])) {
            child++;
        }
        if (rank(state, heap[child]) <= rank(state, heap[at])) {
            return;
        }
        uint32_t moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
        at = child;
    }
}

static void sort_by_rank(const weft_state *state, uint32_t *nodes, uint32_t count) {
    for (uint32_t i = count / 2; i > 0; i--) {
        sift(state, nodes, i - 1, count);
    }
    for (uint32_t left = count; left > 1; left--) {
        uint32_t last = nodes[0];
        nodes[0] = nodes[left - 1];
        nodes[left - 1] = last;
        sift(state, nodes, 0, left - 1);
    }
}

static weft_status pull_candidates(const weft_state *state, weft_arena *scratch, weft_tasks *tasks) {
    const weft_graph *graph = state->graph;
    uint32_t room = 0;
    for (uint32_t i = 0; i < state->updated_count; i++) {
        room += graph->channels[state->updated[i]].node_count;
    }
    uint32_t *nodes = weft_arena_alloc(scratch, (room + 1u) * sizeof(*nodes));
    if (nodes == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->updated_count; i++) {
        const weft_channel_spec *spec = &graph->channels[state->updated[i]];
        for (uint32_t n = 0; n < spec->node_count; n++) {
            nodes[count++] = graph->triggered[spec->first_node + n];
        }
    }
    sort_by_rank(state, nodes, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || nodes[i] != nodes[i - 1]) {
            WEFT_TRY(pull_task(state, nodes[i], tasks));
        }
    }
    return WEFT_OK;
}

weft_status weft_plan(const weft_state *state, weft_arena *scratch, weft_tasks *tasks) {
    WEFT_TRY(push_tasks(state, tasks));
    if (state->updated_known) {
        return pull_candidates(state, scratch, tasks);
    }
    for (uint32_t i = 0; i < state->graph->node_count; i++) {
        WEFT_TRY(pull_task(state, i, tasks));
    }
    return WEFT_OK;
}

int weft_plan_may_stop(const weft_state *state) { return state->max_version > state->interrupt_seen; }
