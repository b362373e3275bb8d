// SPDX-License-Identifier: MIT
// Implements state.h: making a state and noting its changes.
#include "state.h"

#include <string.h>

const weft_channel_rule *weft_state_rule(const weft_state *state, uint32_t channel) {
    return &state->graph->channels[channel].rule;
}

int weft_state_available(const weft_state *state, uint32_t channel) {
    return weft_channel_available(&state->channels[channel], weft_state_rule(state, channel));
}

static weft_status make_channels(weft_state *state) {
    for (uint32_t i = 0; i < state->graph->channel_count; i++) {
        WEFT_TRY(weft_channel_init(&state->channels[i], weft_state_rule(state, i), state->values));
    }
    return WEFT_OK;
}

weft_status weft_state_new(weft_memory *memory, weft_values *values, weft_graph *graph,
                           weft_state **result) {
    weft_state *state = weft_memory_zeroed(memory, 1, sizeof(*state));
    *result = NULL;
    if (state == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    uint32_t channels = graph->channel_count;
    uint32_t seen = graph->seen_count + 1;
    state->memory = memory;
    state->values = values;
    state->graph = graph;
    state->step = -2;
    weft_graph_retain(graph);
    state->channels = weft_memory_zeroed(memory, channels, sizeof(*state->channels));
    state->seen = weft_memory_zeroed(memory, seen, sizeof(*state->seen));
    state->seen_noted = weft_memory_zeroed(memory, seen, 1);
    state->touched = weft_memory_zeroed(memory, channels, sizeof(uint32_t));
    state->live = weft_memory_zeroed(memory, channels, sizeof(uint32_t));
    state->updated = weft_memory_zeroed(memory, channels, sizeof(uint32_t));
    state->seen_notes = weft_memory_zeroed(memory, seen, sizeof(*state->seen_notes));
    int made = state->channels != NULL && state->seen != NULL && state->seen_noted != NULL &&
               state->touched != NULL && state->live != NULL && state->updated != NULL &&
               state->seen_notes != NULL;
    if (!made || make_channels(state) != WEFT_OK) {
        weft_state_free(state);
        return WEFT_ERR_NO_MEMORY;
    }
    *result = state;
    return WEFT_OK;
}

void weft_state_free(weft_state *state) {
    if (state == NULL) {
        return;
    }
    weft_memory *memory = state->memory;
    uint32_t channels = state->graph->channel_count;
    uint32_t seen = state->graph->seen_count + 1;
    for (uint32_t i = 0; i < channels && state->channels != NULL; i++) {
        weft_channel_fini(&state->channels[i], weft_state_rule(state, i), state->values);
    }
    weft_memory_release(memory, state->channels, channels * sizeof(*state->channels));
    weft_memory_release(memory, state->seen, seen * sizeof(*state->seen));
    weft_memory_release(memory, state->seen_noted, seen);
    weft_memory_release(memory, state->touched, channels * sizeof(uint32_t));
    weft_memory_release(memory, state->live, channels * sizeof(uint32_t));
    weft_memory_release(memory, state->updated, channels * sizeof(uint32_t));
    weft_memory_release(memory, state->seen_notes, seen * sizeof(*state->seen_notes));
    weft_graph_release(state->graph);
    weft_memory_release(memory, state, sizeof(*state));
}

static int clears(weft_channel_kind kind) {
    return kind == WEFT_CHANNEL_EPHEMERAL || kind == WEFT_CHANNEL_ANY ||
           kind == WEFT_CHANNEL_TASKS || kind == WEFT_CHANNEL_TOPIC;
}

void weft_state_touch(weft_state *state, uint32_t number) {
    weft_channel *channel = &state->channels[number];
    if (!channel->touched) {
        channel->touched = 1;
        state->touched[state->touched_count++] = number;
    }
    if (!channel->live && clears(weft_state_rule(state, number)->kind)) {
        channel->live = 1;
        state->live[state->live_count++] = number;
    }
}

void weft_state_note_seen(weft_state *state, uint32_t node, uint32_t trigger, uint32_t version) {
    uint32_t at = state->graph->nodes[node].first_seen + trigger;
    if (state->seen[at] == version) {
        return;
    }
    state->seen[at] = version;
    if (!state->seen_noted[at]) {
        state->seen_noted[at] = 1;
        state->seen_notes[state->seen_note_count++] = (weft_seen_note){node, trigger};
    }
}

weft_status weft_state_restate(weft_state *state) {
    const weft_graph *graph = state->graph;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (state->channels[i].version == 0) {
            continue;
        }
        weft_state_touch(state, i);
        if (state->channels[i].list != NULL) {
            WEFT_TRY(weft_list_restate(state->channels[i].list));
        }
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        for (uint32_t t = 0; t < graph->nodes[i].trigger_count; t++) {
            uint32_t at = graph->nodes[i].first_seen + t;
            if (state->seen[at] > 0 && !state->seen_noted[at]) {
                state->seen_noted[at] = 1;
                state->seen_notes[state->seen_note_count++] = (weft_seen_note){i, t};
            }
        }
    }
    state->interrupt_noted = state->interrupt_seen > 0;
    return WEFT_OK;
}

void weft_state_settle(weft_state *state) {
    for (uint32_t i = 0; i < state->touched_count; i++) {
        weft_channel *channel = &state->channels[state->touched[i]];
        channel->touched = 0;
        weft_channel_settle(channel, state->values);
        if (channel->list != NULL) {
            weft_list_settle(channel->list);
        }
    }
    for (uint32_t i = 0; i < state->seen_note_count; i++) {
        weft_seen_note note = state->seen_notes[i];
        state->seen_noted[state->graph->nodes[note.node].first_seen + note.trigger] = 0;
    }
    state->touched_count = 0;
    state->seen_note_count = 0;
    state->interrupt_noted = 0;
}
