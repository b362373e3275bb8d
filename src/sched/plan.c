// SPDX-License-Identifier: MIT
// Implements plan.h: which triggers fire.
#include "plan.h"

#include "base/ops.h"
#include "base/sort.h"

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

// Returns the position of the first trigger that is available and newer than the version seen by
// the node, or WEFT_GRAPH_NONE.
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

// Returns whether a low-level node has its input, without which it does not run: undefined does not
// count.
static int has_input(const weft_state *state, const weft_node *node) {
    for (uint32_t i = 0; i < node->read_count; i++) {
        if (weft_state_available(state, node->reads[i]) != node->reads_all) {
            return !node->reads_all && state->channels[node->reads[i]].value != WEFT_WORD_UNDEFINED;
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

static int comes_before(const void *state, uint32_t a, uint32_t b) {
    const weft_node *nodes = ((const weft_state *)state)->graph->nodes;
    return nodes[a].rank < nodes[b].rank;
}

static weft_status pull_candidates(const weft_state *state, weft_arena *scratch,
                                   weft_tasks *tasks) {
    const weft_graph *graph = state->graph;
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < state->updated_count; i++) {
        capacity += graph->channels[state->updated[i]].node_count;
    }
    uint32_t *nodes = weft_arena_alloc(scratch, (capacity + 1u) * sizeof(*nodes));
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
    weft_sort(nodes, count, comes_before, state);
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

int weft_plan_may_stop(const weft_state *state) {
    return state->max_version > state->interrupt_seen;
}
