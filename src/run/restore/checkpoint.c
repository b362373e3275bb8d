// SPDX-License-Identifier: MIT
// From a thread's log to a state: channels, versions, what was seen, and the writes that hang on the checkpoint.
#include <string.h>

#include "log/state.h"
#include "run/record/format.h"
#include "run/state/run.h"

static uint32_t join_position(const weft_graph *graph, const weft_join *join, weft_log_text name) {
    for (uint32_t i = 0; i < join->source_count; i++) {
        if (weft_log_same_text(graph->nodes[join->sources[i]].name, name)) {
            return i;
        }
    }
    return WEFT_GRAPH_NONE;
}

static void restore_names(weft_run *run, weft_channel *channel, uint32_t number, const weft_log_channel *stored) {
    const weft_join *join = &run->graph->joins[run->graph->channels[number].join];
    for (uint32_t i = 0; i < stored->count; i++) {
        uint32_t position = join_position(run->graph, join, stored->names[i]);
        if (position != WEFT_GRAPH_NONE && !channel->seen[position]) {
            channel->seen[position] = 1;
            channel->seen_count++;
        }
    }
}

static weft_status timeout_of(weft_run *run, const weft_log_send *stored, weft_word *word) {
    *word = WEFT_WORD_ABSENT;
    return stored->has_timeout ? weft_restore_word(run, &stored->timeout, word) : WEFT_OK;
}

// A Send to a node that the graph has no more is dropped, as LangGraph does with a warning.
static weft_status restore_sends(weft_run *run, weft_channel *channel, const weft_log_channel *stored) {
    for (uint32_t i = 0; i < stored->count; i++) {
        weft_send send = {.node = weft_graph_node(run->graph, stored->sends[i].node)};
        if (send.node == WEFT_GRAPH_NONE) {
            continue;
        }
        WEFT_TRY(weft_restore_word(run, &stored->sends[i].args, &send.word));
        weft_status status = timeout_of(run, &stored->sends[i], &send.timeout);
        if (status == WEFT_OK) {
            status = weft_channel_send(channel, run->values, send);
        }
        weft_values_release(run->values, send.word);
        weft_values_release(run->values, send.timeout);
        WEFT_TRY(status);
    }
    return WEFT_OK;
}

static weft_status restore_items(weft_run *run, weft_channel *channel, const weft_log_channel *stored, const weft_list *shown) {
    uint32_t count = shown == NULL ? 0 : shown->count;
    uint32_t at = 0; // in the list shown before: where the next item may stand, or behind the one that replaced it
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

// A graph without a version of its state must not go on with one that has: it would drop what it does not know.
static weft_status refuse_versioned(weft_run *run, const weft_log_channel *stored) {
    static const char name[] = "__state_version", none[] = "none (compile it with stateVersion)";
    if (stored->form != WEFT_LOG_SET || !weft_log_same_text(stored->name, (weft_log_text){(const uint8_t *)name, sizeof(name) - 1})) {
        return WEFT_OK;
    }
    uint8_t digits[WEFT_BLOCK_DIGITS];
    weft_log_text words[3] = {
        {run->thread->id, run->thread->id_length},
        stored->value.form == WEFT_LOG_IMMEDIATE ? weft_block_digits(stored->value.word >> 3, digits)
                                                 : (weft_log_text){stored->value.bytes, stored->value.length},
        {(const uint8_t *)none, sizeof(none) - 1},
    };
    weft_step_fail(run, WEFT_ERR_STATE_VERSION, words, 3);
    return WEFT_ERR_STATE_VERSION;
}

static weft_status restore_channel(weft_run *run, weft_state *state, const weft_log_channel *stored) {
    if (stored->version > state->max_version) {
        state->max_version = (uint32_t)stored->version;
    }
    uint32_t number = weft_graph_channel(run->graph, stored->name);
    if (number == WEFT_GRAPH_NONE) {
        return refuse_versioned(run, stored);
    }
    weft_channel *channel = &state->channels[number];
    weft_channel_kind kind = weft_state_rule(state, number)->kind;
    const weft_channel *shown = run->shown == NULL || kind == WEFT_CHANNEL_HOST ? NULL : &run->shown->channels[number];
    channel->version = (uint32_t)stored->version;
    channel->finished = stored->mark & 1u;
    weft_state_touch(state, number);
    if (stored->form == WEFT_LOG_SET && !weft_channel_is_list(kind) && channel->seen == NULL) {
        weft_word word;
        if (shown == NULL || !weft_restore_again(run, shown->value, &stored->value, &word)) {
            WEFT_TRY(weft_restore_word(run, &stored->value, &word));
        }
        weft_channel_set(channel, run->values, word == WEFT_WORD_UNDEFINED ? WEFT_WORD_ABSENT : word);
        weft_values_release(run->values, word);
    } else if (stored->form == WEFT_LOG_LIST && channel->list != NULL) {
        return restore_items(run, channel, stored, shown == NULL ? NULL : shown->list);
    } else if (channel->list != NULL ? stored->form == WEFT_LOG_SET : stored->form == WEFT_LOG_LIST && stored->count > 0) {
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
    if (weft_log_same_text(seen->node, (weft_log_text){(const uint8_t *)interrupt, sizeof(interrupt) - 1})) {
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
    uint64_t high = ((uint64_t)id[0] << 24) | ((uint64_t)id[1] << 16) | ((uint64_t)id[2] << 8) | id[3];
    uint64_t middle = ((uint64_t)id[4] << 8) | id[5];
    uint64_t low = (((uint64_t)id[6] & 0x0f) << 8) | id[7];
    uint64_t time = (high << 28) | (middle << 12) | low;
    return time > 0x01B21DD213814000u ? time - 0x01B21DD213814000u : 0;
}

static weft_status restore_channels(weft_run *run, uint32_t entry, weft_arena *arena) {
    weft_log_state stored;
    WEFT_TRY(run->kind == WEFT_RUN_HISTORY ? weft_log_state_list(&run->index, entry, &run->listing, arena, &stored)
                                           : weft_log_state_load(&run->index, entry, arena, &stored));
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
    // Folding a long thread takes room that nobody needs afterwards, and a history does it for each checkpoint.
    run->unfolded = 0;
    weft_arena folding;
    weft_arena_init(&folding, run->memory);
    weft_status status = restore_channels(run, entry, &folding);
    weft_arena_fini(&folding);
    WEFT_TRY(status);
    weft_state *state = run->state;
    weft_state_settle(state);
    const weft_log_entry *from = &run->index.entries[entry];
    memcpy(state->id, from->id, 16);
    state->has_id = 1;
    state->saved = 1;
    state->step = from->step;
    state->source = from->source;
    state->has_parent = from->has_parent && from->parent != WEFT_LOG_NONE;
    if (state->has_parent) {
        memcpy(state->parent, run->index.entries[from->parent].id, 16);
    }
    if (run->kind != WEFT_RUN_INVOKE) {
        WEFT_TRY(weft_child_read_ancestors(run, entry));
    }
    const uint8_t *newest = weft_log_index_newest_id(&run->index);
    if (run->thread != NULL && newest != NULL && tick_of(newest) > run->thread->tick) {
        run->thread->tick = tick_of(newest);
    }
    return WEFT_OK;
}

// ---- pending writes

static weft_write *last_write(weft_task *task) {
    return task->write_count == 0 ? NULL : &task->writes[task->write_count - 1];
}

static weft_status restore_list_item(weft_run *run, weft_write *write, const weft_log_write *stored) {
    weft_word word;
    if (stored->value.form == WEFT_LOG_IMMEDIATE && stored->value.word == WEFT_WORD_ABSENT) {
        return WEFT_OK; // an empty list
    }
    WEFT_TRY(weft_restore_word(run, &stored->value, &word));
    if ((write->count & (write->count - 1u)) == 0) {
        weft_message *more = weft_arena_zeroed(&run->lasting, (size_t)write->count * 2 + 1, sizeof(*more));
        if (more == NULL) {
            weft_values_release(run->values, word);
            return WEFT_ERR_NO_MEMORY;
        }
        if (write->count > 0) {
            memcpy(more, write->messages, write->count * sizeof(*more));
        }
        write->messages = more;
    }
    write->messages[write->count].word = word;
    write->messages[write->count].flags = WEFT_MESSAGE_UNKNOWN;
    write->count++;
    return WEFT_OK;
}

static weft_status restore_write(weft_run *run, weft_task *task, uint32_t room, const weft_log_write *stored,
                                 int32_t *list_index) {
    uint32_t flags = (uint32_t)stored->index & WEFT_RECORD_FLAGS;
    uint32_t channel = stored->is_send ? run->graph->tasks_channel : weft_graph_channel(run->graph, stored->channel);
    if (channel == WEFT_GRAPH_NONE) {
        return WEFT_OK;
    }
    if ((flags & WEFT_RECORD_LIST) != 0 && *list_index == stored->index) {
        return restore_list_item(run, last_write(task), stored);
    }
    if (task->write_count >= room) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    weft_write *write = &task->writes[task->write_count];
    memset(write, 0, sizeof(*write));
    write->channel = channel;
    write->overwrite = (flags & WEFT_RECORD_OVERWRITE) != 0;
    write->lone = (flags & WEFT_RECORD_LONE) != 0;
    *list_index = 0;
    const weft_channel *kept = &run->state->channels[channel];
    if ((flags & WEFT_RECORD_LIST) != 0) {
        if (kept->list == NULL) {
            return WEFT_OK;
        }
        *list_index = stored->index;
        write->form = WEFT_WRITE_LIST;
        task->write_count++;
        return restore_list_item(run, write, stored);
    }
    if (stored->is_send) {
        write->form = WEFT_WRITE_SEND;
        write->node = weft_graph_node(run->graph, stored->send.node);
        if (write->node == WEFT_GRAPH_NONE) {
            return WEFT_OK;
        }
        WEFT_TRY(weft_restore_word(run, &stored->send.args, &write->word));
        weft_status status = timeout_of(run, &stored->send, &write->timeout);
        if (status != WEFT_OK) {
            weft_values_release(run->values, write->word);
            return status;
        }
    } else if (kept->seen != NULL && task->node == WEFT_GRAPH_NONE) {
        return WEFT_OK;
    } else if (kept->seen != NULL) {
        write->form = WEFT_WRITE_NAME;
        write->node = join_position(run->graph, &run->graph->joins[run->graph->channels[channel].join],
                                    run->graph->nodes[task->node].name);
        if (write->node == WEFT_GRAPH_NONE) {
            return WEFT_OK;
        }
    } else if (kept->list != NULL) {
        return WEFT_OK;
    } else {
        write->form = WEFT_WRITE_VALUE;
        WEFT_TRY(weft_restore_word(run, &stored->value, &write->word));
    }
    task->write_count++;
    return WEFT_OK;
}

// An id of 32 digits; anything else (interrupts of the old kind have none) leaves zeros.
static void read_hex(weft_log_text hex, uint8_t id[16]) {
    for (uint32_t i = 0; hex.length == 32 && i < 32; i++) {
        uint32_t digit = (hex.bytes[i] & 15u) + (hex.bytes[i] > '9' ? 9u : 0u);
        id[i / 2] = (uint8_t)(((uint32_t)id[i / 2] << 4) | (digit & 15u));
    }
}

// Room is taken by doubling: a task's record may hold many.
static weft_interrupt *add_interrupt(weft_run *run, weft_task *task) {
    uint32_t count = task->interrupt_count;
    if ((count & (count - 1u)) == 0) {
        weft_interrupt *more = weft_arena_zeroed(&run->lasting, (size_t)count * 2 + 1, sizeof(*more));
        if (more == NULL) {
            return NULL;
        }
        if (count > 0) {
            memcpy(more, task->interrupts, count * sizeof(*more));
        }
        task->interrupts = more;
    }
    return &task->interrupts[task->interrupt_count++];
}

static weft_status restore_special(weft_run *run, weft_task *task, const weft_log_write *stored) {
    weft_word word;
    task->handled |= (uint8_t)(stored->special == WEFT_LOG_WRITE_ERROR_SOURCE);
    int is_handler = stored->special == WEFT_LOG_WRITE_INTERRUPT && task->node == WEFT_GRAPH_NONE; // asks anew
    if (is_handler) {
        return WEFT_OK;
    }
    if (stored->special != WEFT_LOG_WRITE_RESUME && stored->special != WEFT_LOG_WRITE_INTERRUPT &&
        stored->special != WEFT_LOG_WRITE_ERROR && stored->special != WEFT_LOG_WRITE_RETURN) {
        return WEFT_OK;
    }
    WEFT_TRY(weft_restore_word(run, &stored->value, &word));
    weft_status status = WEFT_OK;
    if (stored->special == WEFT_LOG_WRITE_RESUME) {
        status = weft_task_resume(task, run->values, word);
        weft_values_release(run->values, word);
    } else if (stored->special == WEFT_LOG_WRITE_RETURN) {
        weft_values_release(run->values, task->argument);
        task->argument = word;
        task->replied = 1;
    } else if (stored->special == WEFT_LOG_WRITE_ERROR) {
        weft_values_release(run->values, task->error);
        task->error = word;
    } else {
        weft_interrupt *more = add_interrupt(run, task);
        if (more == NULL) {
            weft_values_release(run->values, word);
            return WEFT_ERR_NO_MEMORY;
        }
        more->word = word;
        if (stored->channel.length == 0) {
            status = weft_ids_interrupt(run, task, 0, more->id);
        } else {
            read_hex(stored->channel, more->id);
        }
    }
    return status;
}

static void find_task(const weft_run *run, const weft_log_task *stored, weft_task *task) {
    task->node = WEFT_GRAPH_NONE;
    if (stored->key.kind == WEFT_LOG_TASK_PUSH) {
        task->kind = WEFT_TASK_PUSH;
        task->push_index = stored->key.index;
        task->node = weft_graph_node(run->graph, stored->key.node);
    } else if (stored->key.kind == WEFT_LOG_TASK_PULL) {
        uint32_t node = weft_graph_node(run->graph, stored->key.node);
        uint32_t channel = weft_graph_channel(run->graph, stored->key.trigger);
        task->kind = WEFT_TASK_PULL;
        for (uint32_t t = 0; node != WEFT_GRAPH_NONE && t < run->graph->nodes[node].trigger_count; t++) {
            if (run->graph->nodes[node].triggers[t] == channel) {
                task->node = node;
                task->trigger = t;
            }
        }
    }
}

static weft_status read_pending(weft_run *run, weft_log_pending *reader, const weft_log_task *stored) {
    if (!weft_memory_reserve(run->memory, &run->pending, sizeof(*run->pending), &run->pending_room,
                             run->pending_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_pending_task *pending = &run->pending[run->pending_count++];
    memset(pending, 0, sizeof(*pending));
    pending->key = stored->key;
    pending->seq = weft_log_index_seq(&run->index, reader->record);
    weft_task *task = &pending->task;
    find_task(run, stored, task);
    task->status = stored->outcome == WEFT_RECORD_DONE ? WEFT_TASK_RESTORED : WEFT_TASK_INTERRUPTED;
    task->writes = weft_arena_zeroed(&run->lasting, stored->count + 1u, sizeof(weft_write));
    if (task->writes == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    int32_t list_index = 0; // of the list that goes on; those of lists are never 0
    weft_log_write write;
    // A stored id may be a handler's: that is known when its step is planned.
    int known = task->node != WEFT_GRAPH_NONE || stored->key.kind == WEFT_LOG_TASK_STORED;
    while (weft_log_pending_write(reader, &write)) {
        if (write.special != WEFT_LOG_WRITE_PLAIN) {
            if (known || stored->key.kind == WEFT_LOG_TASK_NULL) {
                WEFT_TRY(restore_special(run, task, &write));
            }
        } else if (known || (stored->key.kind == WEFT_LOG_TASK_NULL && run->kind != WEFT_RUN_INVOKE)) {
            WEFT_TRY(restore_write(run, task, stored->count, &write, &list_index));
        }
    }
    if (task->resume_count > 0) {
        task->waited = task->interrupts;
        task->waited_count = task->interrupt_count;
    }
    task->status = task->handled ? WEFT_TASK_FAILED : task->status;
    return reader->status;
}

weft_status weft_restore_pending(weft_run *run, uint32_t entry) {
    weft_log_pending reader;
    weft_log_task stored;
    weft_restore_drop_pending(run);
    weft_log_pending_init(&reader, &run->index, entry);
    while (weft_log_pending_task(&reader, &stored)) {
        // What a finished step wrote stands in its child's record: history and the state of a named checkpoint show it, a run
        // does not take it for pending.
        int is_shown = run->kind == WEFT_RUN_INVOKE ? run->replaying : run->kind != WEFT_RUN_UPDATE || weft_update_clears(run);
        if (reader.child == WEFT_LOG_NONE || is_shown) {
            WEFT_TRY(read_pending(run, &reader, &stored));
        }
    }
    return reader.status;
}

// Time travel to a checkpoint that is shown first: what its tasks asked and how they failed, but no answer.
weft_status weft_restore_shown(weft_run *run, uint32_t entry) {
    WEFT_TRY(weft_restore_pending(run, entry));
    for (uint32_t i = 0; i < run->pending_count; i++) {
        weft_task *task = &run->pending[i].task;
        while (task->resume_count > 0) {
            weft_values_release(run->values, task->resumes[--task->resume_count]);
        }
    }
    return WEFT_OK;
}

void weft_restore_drop_pending(weft_run *run) {
    for (uint32_t i = 0; i < run->pending_count; i++) {
        weft_task_fini(&run->pending[i].task, run->values);
    }
    run->pending_count = 0;
}

// Records name tasks mostly in the order in which they are planned: `*near` is the one found last.
static weft_task *same_task(weft_run *run, const weft_task *wanted, uint32_t *near) {
    for (uint32_t i = 0; i < run->tasks.count; i++) {
        *near = *near + 1u < run->tasks.count ? *near + 1u : 0;
        weft_task *task = &run->tasks.items[*near];
        int same = task->kind == wanted->kind && task->node == wanted->node && task->trigger == wanted->trigger &&
                   task->push_index == wanted->push_index;
        if (same) {
            return task;
        }
    }
    return NULL;
}

static void swap_words(weft_task *to, weft_task *from) {
    weft_task old = *to;
    *to = *from;
    to->node = old.node;
    to->kind = old.kind;
    to->trigger = old.trigger;
    to->push_index = old.push_index;
    to->argument = old.argument;
    to->timeout = old.timeout;
    from->argument = WEFT_WORD_ABSENT;
    old.argument = WEFT_WORD_ABSENT;
    old.timeout = WEFT_WORD_ABSENT;
    *from = old;
}

// What an earlier record told of the task's questions and failure stays visible beside what it wrote later.
static void keep_outcome(weft_task *task, weft_task *earlier) {
    if (task->interrupt_count == 0) {
        task->interrupts = earlier->interrupts;
        task->interrupt_count = earlier->interrupt_count;
        earlier->interrupt_count = 0;
    }
    if (task->error == WEFT_WORD_ABSENT) {
        task->error = earlier->error;
        earlier->error = WEFT_WORD_ABSENT;
    }
}

int weft_restore_anew(const weft_run *run) {
    return run->kind == WEFT_RUN_INVOKE && (run->flags & WEFT_START_HAS_CHECKPOINT_ID) != 0 && !run->at_newest;
}

// Of what a task asked or how it failed before nothing stays; if it runs again, only its resume values do.
static weft_status forget_outcome(weft_run *run, weft_task *task) {
    int stays = 0;
    if (run->resume_given) {
        WEFT_TRY(weft_ledger_ended(run, task, &stays));
    }
    if ((task->status == WEFT_TASK_RESTORED || task->handled) && weft_restore_anew(run) && !stays) {
        weft_task fresh = {.node = task->node, .kind = task->kind, .trigger = task->trigger, .anew = 1};
        fresh.push_index = task->push_index;
        fresh.argument = task->argument;
        fresh.timeout = task->timeout;
        fresh.resumes = task->resumes;
        fresh.resume_count = task->resume_count;
        fresh.resume_room = task->resume_room;
        fresh.waited = task->waited;
        fresh.waited_count = task->waited_count;
        task->argument = WEFT_WORD_ABSENT;
        task->timeout = WEFT_WORD_ABSENT;
        task->resumes = NULL;
        task->resume_count = task->resume_room = 0;
        weft_task_fini(task, run->values);
        *task = fresh;
        return WEFT_OK;
    }
    for (uint32_t i = 0; i < task->interrupt_count; i++) {
        weft_values_release(run->values, task->interrupts[i].word);
    }
    task->interrupt_count = 0;
    if (task->handled) {
        return WEFT_OK; // its handler wants the error
    }
    weft_values_release(run->values, task->error);
    task->error = WEFT_WORD_ABSENT;
    task->status = task->status == WEFT_TASK_INTERRUPTED ? WEFT_TASK_READY : task->status;
    return WEFT_OK;
}

weft_status weft_restore_null(weft_run *run) {
    for (uint32_t i = 0; i < run->pending_count; i++) {
        weft_task *found = &run->pending[i].task;
        if (run->pending[i].key.kind != WEFT_LOG_TASK_NULL || found->write_count == 0) {
            continue;
        }
        weft_task *task = weft_tasks_add(&run->tasks, run->memory);
        if (task == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        *task = *found;
        task->kind = WEFT_TASK_INPUT;
        memset(found, 0, sizeof(*found));
    }
    return WEFT_OK;
}

weft_status weft_restore_attach(weft_run *run) {
    int shows = run->kind != WEFT_RUN_INVOKE || (run->flags & WEFT_START_WANT_CHECKPOINTS) != 0;
    int given = run->has_null_resume;
    uint32_t near = run->tasks.count;
    for (uint32_t i = 0; i < run->pending_count; i++) {
        weft_task *found = &run->pending[i].task;
        if (run->pending[i].key.kind == WEFT_LOG_TASK_NULL) {
            if (!given && found->resume_count > 0) {
                weft_values_release(run->values, run->null_resume);
                run->null_resume = found->resumes[found->resume_count - 1];
                run->has_null_resume = run->null_stored = 1;
                run->null_seq = run->pending[i].seq;
                weft_values_retain(run->values, run->null_resume);
            }
            continue;
        }
        weft_task *task = found->node == WEFT_GRAPH_NONE ? NULL : same_task(run, found, &near);
        int is_done = found->status == WEFT_TASK_RESTORED || found->handled;
        if (task == NULL || task->status == WEFT_TASK_RESTORED) {
            continue;
        }
        // What was saved later of the same task says it all; a snapshot also shows what it asked before.
        swap_words(task, found);
        if (shows) {
            keep_outcome(task, found);
        }
        task->saved = (uint8_t)is_done;
    }
    return WEFT_OK;
}

// The handler of a task that failed before: done, or to go on with the answers that it had got.
static weft_status attach_handler(weft_run *run, uint32_t failed) {
    uint8_t id[16];
    WEFT_TRY(weft_policy_add_handler(run, failed));
    weft_task *task = &run->tasks.items[run->tasks.count - 1];
    WEFT_TRY(weft_ids_task(run, task, id));
    for (uint32_t i = 0; i < run->pending_count; i++) {
        const weft_log_task_key *key = &run->pending[i].key;
        if (key->kind == WEFT_LOG_TASK_STORED && memcmp(key->id, id, 16) == 0 && task->status != WEFT_TASK_RESTORED) {
            swap_words(task, &run->pending[i].task);
            task->saved = task->status == WEFT_TASK_RESTORED;
            WEFT_TRY(forget_outcome(run, task));
        }
    }
    return WEFT_OK;
}

weft_status weft_restore_forget(weft_run *run) {
    uint32_t planned = run->tasks.count;
    for (uint32_t i = 0; i < planned; i++) {
        WEFT_TRY(forget_outcome(run, &run->tasks.items[i]));
    }
    for (uint32_t i = 0; i < planned; i++) {
        if (run->tasks.items[i].handled) {
            WEFT_TRY(attach_handler(run, i));
        }
    }
    weft_status kept = weft_call_keep(run);
    weft_restore_drop_pending(run);
    return kept;
}
