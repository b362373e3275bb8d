// SPDX-License-Identifier: MIT
// Implements restore.h: rebuilds the state of a checkpoint: channels, versions, what nodes have
// seen.
#include <string.h>

#include "log/state.h"
#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/restore/restore.h"
#include "run/state/identity.h"
#include "run/state/run.h"

static void restore_names(weft_run *run, weft_channel *channel, uint32_t number,
                          const weft_log_channel *stored) {
    const weft_join *join = &run->graph->joins[run->graph->channels[number].join];
    for (uint32_t i = 0; i < stored->count; i++) {
        uint32_t position = weft_restore_source(run->graph, join, stored->names[i]);
        if (position != WEFT_GRAPH_NONE && !channel->seen[position]) {
            channel->seen[position] = 1;
            channel->seen_count++;
        }
    }
}

// Restores Sends. A Send to a node that the graph no longer has is dropped, as in LangGraph, which
// warns.
static weft_status restore_sends(weft_run *run, weft_channel *channel,
                                 const weft_log_channel *stored) {
    for (uint32_t i = 0; i < stored->count; i++) {
        weft_send send = {.node = weft_graph_node(run->graph, stored->sends[i].node)};
        if (send.node == WEFT_GRAPH_NONE) {
            continue;
        }
        WEFT_TRY(weft_restore_word(run, &stored->sends[i].args, &send.word));
        weft_status status = weft_restore_timeout(run, &stored->sends[i], &send.timeout);
        if (status == WEFT_OK) {
            status = weft_channel_send(channel, run->values, send);
        }
        weft_values_release(run->values, send.word);
        weft_values_release(run->values, send.timeout);
        WEFT_TRY(status);
    }
    return WEFT_OK;
}

static weft_status restore_items(weft_run *run, weft_channel *channel,
                                 const weft_log_channel *stored, const weft_list *shown) {
    uint32_t count = shown == NULL ? 0 : shown->count;
    uint32_t at =
        0; // in the previous list: where the next item may be, or after the item that replaced it
    for (uint32_t i = 0; i < stored->count; i++) {
        weft_word word;
        int is_known = 0;
        for (uint32_t near = at; !is_known && near < count && near < at + 2; near++) {
            is_known = weft_restore_again(run, shown->items[near].word, &stored->items[i], &word);
            at = is_known ? near + 1 : at;
        }
        WEFT_TRY(is_known ? WEFT_OK : weft_restore_word(run, &stored->items[i], &word));
        weft_status status = weft_list_restore(channel->list, word);
        if (status != WEFT_OK) {
            weft_values_release(run->values, word);
            return status;
        }
    }
    return WEFT_OK;
}

// Refuses a versioned state if the graph has no state version: it would drop what it does not know.
static weft_status refuse_versioned(weft_run *run, const weft_log_channel *stored) {
    static const char name[] = "__state_version", none[] = "none (compile it with stateVersion)";
    if (stored->form != WEFT_LOG_SET ||
        !weft_log_same_text(stored->name,
                            (weft_log_text){(const uint8_t *)name, sizeof(name) - 1})) {
        return WEFT_OK;
    }
    uint8_t digits[WEFT_BLOCK_DIGITS];
    weft_log_text words[3] = {
        {run->thread->id, run->thread->id_length},
        stored->value.form == WEFT_LOG_IMMEDIATE
            ? weft_block_digits(stored->value.word >> 3, digits)
            : (weft_log_text){stored->value.bytes, stored->value.length},
        {(const uint8_t *)none, sizeof(none) - 1},
    };
    weft_emit_fail(run, WEFT_ERR_STATE_VERSION, words, 3);
    return WEFT_ERR_STATE_VERSION;
}

static weft_status restore_channel(weft_run *run, weft_state *state,
                                   const weft_log_channel *stored) {
    if (stored->version > state->max_version) {
        state->max_version = (uint32_t)stored->version;
    }
    uint32_t number = weft_graph_channel(run->graph, stored->name);
    if (number == WEFT_GRAPH_NONE) {
        return refuse_versioned(run, stored);
    }
    weft_channel *channel = &state->channels[number];
    weft_channel_kind kind = weft_state_rule(state, number)->kind;
    const weft_channel *shown = run->source.shown == NULL || kind == WEFT_CHANNEL_HOST
                                    ? NULL
                                    : &run->source.shown->channels[number];
    channel->version = (uint32_t)stored->version;
    channel->finished = stored->mark & 1u;
    weft_state_touch(state, number);
    if (stored->form == WEFT_LOG_SET && !weft_channel_is_list(kind) && channel->seen == NULL) {
        weft_word word;
        if (shown == NULL || !weft_restore_again(run, shown->value, &stored->value, &word)) {
            WEFT_TRY(weft_restore_word(run, &stored->value, &word));
        }
        weft_channel_set(channel, run->values,
                         word == WEFT_WORD_UNDEFINED ? WEFT_WORD_ABSENT : word);
        weft_values_release(run->values, word);
    } else if (stored->form == WEFT_LOG_LIST && channel->list != NULL) {
        return restore_items(run, channel, stored, shown == NULL ? NULL : shown->list);
    } else if (channel->list != NULL ? stored->form == WEFT_LOG_SET
                                     : stored->form == WEFT_LOG_LIST && stored->count > 0) {
        return WEFT_ERR_OTHER_SHAPE;
    } else if (stored->form == WEFT_LOG_SENDS && kind == WEFT_CHANNEL_TASKS) {
        return restore_sends(run, channel, stored);
    } else if (stored->form == WEFT_LOG_NAMES_SET && channel->seen != NULL) {
        restore_names(run, channel, number, stored);
    }
    return WEFT_OK;
}

static void restore_seen(weft_run *run, weft_state *state, const weft_log_seen *seen) {
    static const char interrupt[] = "__interrupt__";
    if (weft_log_same_text(seen->node,
                           (weft_log_text){(const uint8_t *)interrupt, sizeof(interrupt) - 1})) {
        state->interrupt_seen = (uint32_t)seen->version;
        return;
    }
    uint32_t number = weft_graph_node(run->graph, seen->node);
    uint32_t channel = weft_graph_channel(run->graph, seen->channel);
    if (number == WEFT_GRAPH_NONE) {
        return;
    }
    const weft_node *node = &run->graph->nodes[number];
    for (uint32_t t = 0; t < node->trigger_count; t++) {
        if (node->triggers[t] == channel) {
            state->seen[node->first_seen + t] = (uint32_t)seen->version;
        }
    }
}

static uint64_t tick_of(const uint8_t id[16]) {
    uint64_t high =
        ((uint64_t)id[0] << 24) | ((uint64_t)id[1] << 16) | ((uint64_t)id[2] << 8) | id[3];
    uint64_t middle = ((uint64_t)id[4] << 8) | id[5];
    uint64_t low = (((uint64_t)id[6] & 0x0f) << 8) | id[7];
    uint64_t time = (high << 28) | (middle << 12) | low;
    return time > 0x01B21DD213814000u ? time - 0x01B21DD213814000u : 0;
}

static weft_status restore_channels(weft_run *run, uint32_t entry, weft_arena *arena) {
    weft_log_state stored;
    WEFT_TRY(
        run->options.kind == WEFT_RUN_HISTORY
            ? weft_log_state_list(&run->source.index, entry, &run->source.listing, arena, &stored)
            : weft_log_state_load(&run->source.index, entry, arena, &stored));
    weft_state_free(run->state);
    WEFT_TRY(weft_state_new(run->memory, run->values, run->graph, &run->state));
    for (uint32_t i = 0; i < stored.channel_count; i++) {
        WEFT_TRY(restore_channel(run, run->state, &stored.channels[i]));
    }
    for (uint32_t i = 0; i < stored.seen_count; i++) {
        restore_seen(run, run->state, &stored.seen[i]);
    }
    return WEFT_OK;
}

weft_status weft_restore_state(weft_run *run, uint32_t entry) {
    // Folding a long thread needs temporary memory, and a history does it for each checkpoint.
    run->source.patch_work = 0;
    weft_arena folding;
    weft_arena_init(&folding, run->memory);
    weft_status status = restore_channels(run, entry, &folding);
    weft_arena_fini(&folding);
    WEFT_TRY(status);
    weft_state *state = run->state;
    weft_state_settle(state);
    const weft_log_entry *from = &run->source.index.entries[entry];
    memcpy(state->id, from->id, 16);
    state->has_id = 1;
    state->saved = 1;
    state->step = from->step;
    state->source = from->source;
    state->has_parent = from->has_parent && from->parent != WEFT_LOG_NONE;
    if (state->has_parent) {
        memcpy(state->parent, run->source.index.entries[from->parent].id, 16);
    }
    if (run->options.kind != WEFT_RUN_INVOKE) {
        WEFT_TRY(weft_restore_ancestors(run, entry));
    }
    const uint8_t *newest = weft_log_index_newest_id(&run->source.index);
    if (run->thread != NULL && newest != NULL && tick_of(newest) > run->thread->tick) {
        run->thread->tick = tick_of(newest);
    }
    return WEFT_OK;
}

// Puts defaults into empty channels. A channel that was written has a version, and stays empty if a
// reducer emptied it.
void weft_restore_defaults(weft_run *run) {
    weft_task *defaults = &run->step.input.items[1];
    for (uint32_t i = 0; i < defaults->write_count; i++) {
        weft_write *write = &defaults->writes[i];
        weft_channel *channel = &run->state->channels[write->channel];
        weft_channel_kind kind = weft_state_rule(run->state, write->channel)->kind;
        int is_emptied = kind == WEFT_CHANNEL_BINOP && channel->version > 0;
        if (channel->list == NULL && channel->value == WEFT_WORD_ABSENT && !is_emptied) {
            weft_channel_set(channel, run->values, write->word);
            channel->finished = kind == WEFT_CHANNEL_HOST;
        }
    }
}

weft_status weft_restore_ancestors(weft_run *run, uint32_t entry) {
    weft_log_reader reader;
    weft_log_checkpoint head;
    weft_log_index_read(&run->source.index, run->source.index.entries[entry].record, &reader);
    uint32_t count = weft_log_get_checkpoint(&reader, &head);
    run->identity.ancestor_count = 0;
    run->identity.ancestors =
        weft_arena_zeroed(&run->lasting, count + 1u, sizeof(*run->identity.ancestors));
    if (run->identity.ancestors == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_ancestor above;
        const uint8_t *id;
        weft_log_get_parent(&reader, &above.ns, &id);
        WEFT_TRY(reader.status);
        memcpy(above.id, id, 16);
        WEFT_TRY(weft_lasting_ancestors(run, &above, 1, &run->identity.ancestors[i]));
        run->identity.ancestor_count = i + 1;
    }
    return reader.status;
}
