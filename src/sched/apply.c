// SPDX-License-Identifier: MIT
// Implements apply.h: grouping writes by channel and committing them.
#include "apply.h"

#include <string.h>

#include "base/ops.h"
#include "base/sort.h"

static uint32_t class_of(const weft_task *task) {
    switch (task->kind) {
    case WEFT_TASK_PULL:
        return 1;
    case WEFT_TASK_PUSH:
        return 2;
    case WEFT_TASK_CALL:
        return 3;
    default:
        return 0;
    }
}

typedef struct sorting {
    const weft_node *nodes;
    const weft_task *tasks;
} sorting;

// Returns the task that decides the position: for a handler, the task that failed.
static const weft_task *placed(const sorting *with, uint32_t number) {
    const weft_task *task = &with->tasks[number];
    return task->kind == WEFT_TASK_HANDLER ? &with->tasks[task->push_index] : task;
}

// Compares by path: the input's pseudo task, then nodes by name, then Sends by index, then calls in
// the order they were made.
static int comes_before(const void *context, uint32_t first, uint32_t second) {
    const sorting *with = context;
    const weft_task *a = placed(with, first);
    const weft_task *b = placed(with, second);
    uint32_t class = class_of(a);
    uint32_t places[] = {first, second};
    if (class != class_of(b)) {
        return class < class_of(b);
    }
    if (class == 2) {
        places[0] = a->push_index;
        places[1] = b->push_index;
    } else if (class == 1) {
        places[0] = with->nodes[a->node].rank;
        places[1] = with->nodes[b->node].rank;
    }
    return places[0] != places[1] ? places[0] < places[1] : first < second;
}

// Sorts the tasks by path. Prepared tasks are nearly sorted: a sorted list costs one pass.
static weft_status sort_tasks(weft_apply *apply, const weft_state *state, weft_arena *arena,
                              weft_task *tasks) {
    const sorting with = {state->graph->nodes, tasks};
    uint32_t count = apply->task_count;
    uint32_t at = 1;
    while (at < count && comes_before(&with, at - 1, at)) {
        at++;
    }
    if (at >= count) {
        return WEFT_OK;
    }
    uint32_t *order = weft_arena_alloc(arena, count * sizeof(*order));
    if (order == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    weft_sort(order, count, comes_before, &with);
    for (uint32_t i = 0; i < count; i++) {
        apply->order[i] = &tasks[order[i]];
    }
    return WEFT_OK;
}

static weft_group *group_of(weft_apply *apply, weft_state *state, uint32_t number) {
    weft_channel *channel = &state->channels[number];
    if (channel->group == 0) {
        channel->group = ++apply->group_count;
        apply->groups[apply->group_count - 1] = (weft_group){.channel = number};
    }
    return &apply->groups[channel->group - 1];
}

// Decides what to ask the host about its own channels: all of them see the step pass.
static void group_hosts(weft_apply *apply, weft_state *state) {
    const weft_graph *graph = state->graph;
    for (uint32_t i = 0; i < graph->user_channels; i++) {
        if (graph->channels[i].rule.kind == WEFT_CHANNEL_HOST) {
            group_of(apply, state, i)->asks = apply->real ? WEFT_REDUCE_STEP : 0;
        }
    }
    for (uint32_t i = 0; i < apply->task_count; i++) {
        const weft_task *task = apply->order[i];
        uint32_t channel = task->kind == WEFT_TASK_PULL
                               ? graph->nodes[task->node].triggers[task->trigger]
                               : graph->tasks_channel;
        if (graph->channels[channel].rule.kind == WEFT_CHANNEL_HOST) {
            group_of(apply, state, channel)->asks |= WEFT_REDUCE_CONSUME;
        }
    }
}

weft_status weft_apply_group(weft_apply *apply, weft_state *state, weft_arena *arena,
                             weft_task *tasks, uint32_t count) {
    memset(apply, 0, sizeof(*apply));
    uint32_t writes = 0;
    apply->order = weft_arena_alloc(arena, (count + 1u) * sizeof(*apply->order));
    if (apply->order == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    apply->task_count = count;
    for (uint32_t i = 0; i < count; i++) {
        apply->order[i] = &tasks[i];
        apply->real |= tasks[i].kind != WEFT_TASK_INPUT;
        writes += tasks[i].write_count;
    }
    WEFT_TRY(sort_tasks(apply, state, arena, tasks));
    uint32_t channels = state->graph->channel_count;
    writes += state->graph->host_count;
    apply->groups = weft_arena_alloc(arena, (size_t)(writes < channels ? writes + 1 : channels) *
                                                sizeof(weft_group));
    if (apply->groups == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t w = 0; w < apply->order[i]->write_count; w++) {
            weft_write *write = &apply->order[i]->writes[w];
            weft_group *group = group_of(apply, state, write->channel);
            write->next = NULL;
            if (group->last == NULL) {
                group->first = write;
            } else {
                group->last->next = write;
            }
            group->last = write;
            group->count++;
            apply->output |= state->graph->channels[write->channel].output;
        }
    }
    if (state->graph->host_count > 0) {
        group_hosts(apply, state);
    }
    return WEFT_OK;
}

weft_status weft_apply_fold(weft_apply *apply, const weft_state *state, weft_arena *arena,
                            uint32_t number, weft_word *base, weft_word **words, uint32_t *count) {
    weft_group *group = &apply->groups[number];
    weft_write *write = group->first;
    int overwritten = 0;
    *base = state->channels[group->channel].value;
    *count = 0;
    *words = weft_arena_alloc(arena, group->count * sizeof(weft_word));
    if (*words == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    // An empty channel takes the first value as it is, and this write's Overwrite does not count.
    if (*base == WEFT_WORD_ABSENT) {
        *base = write->word;
        write = write->next;
    }
    for (; write != NULL; write = write->next) {
        if (write->overwrite) {
            if (overwritten) {
                apply->failed_channel = group->channel;
                apply->failed_write = group->first;
                return WEFT_ERR_OVERWRITE_TWICE;
            }
            overwritten = 1;
            *base = write->word;
            *count = 0;
        } else if (!overwritten) {
            (*words)[(*count)++] = write->word;
        }
    }
    return WEFT_OK;
}

void weft_apply_fini(weft_apply *apply, weft_state *state) {
    for (uint32_t i = 0; i < apply->group_count; i++) {
        weft_values_release(state->values, apply->groups[i].folded);
        state->channels[apply->groups[i].channel].group = 0;
    }
    apply->group_count = 0;
}

static void bump(weft_state *state, uint32_t channel, uint32_t version) {
    state->channels[channel].version = version;
    weft_state_touch(state, channel);
    if (version > state->max_version) {
        state->max_version = version;
    }
}

static void add_updated(weft_state *state, uint32_t channel) {
    if (weft_state_available(state, channel)) {
        state->updated[state->updated_count++] = channel;
    }
}

// Marks the tasks' triggers as seen; resets barriers that fired.
static void consume_triggers(weft_apply *apply, weft_state *state, uint32_t version) {
    for (uint32_t i = 0; i < apply->task_count; i++) {
        const weft_task *task = apply->order[i];
        if (task->kind == WEFT_TASK_PULL) {
            uint32_t channel = state->graph->nodes[task->node].triggers[task->trigger];
            weft_state_note_seen(state, task->node, task->trigger,
                                 state->channels[channel].version);
        }
    }
    for (uint32_t i = 0; i < apply->task_count; i++) {
        const weft_task *task = apply->order[i];
        if (task->kind == WEFT_TASK_PULL) {
            uint32_t channel = state->graph->nodes[task->node].triggers[task->trigger];
            uint32_t group = state->channels[channel].group;
            int consumed =
                group > 0 && (apply->groups[group - 1].reduced & WEFT_REDUCED_CONSUMED) != 0;
            if (consumed || weft_channel_consume(&state->channels[channel],
                                                 weft_state_rule(state, channel), state->values)) {
                bump(state, channel, version);
            }
        }
    }
}

static int take_host(weft_state *state, const weft_group *group) {
    weft_channel *channel = &state->channels[group->channel];
    if (!group->known) {
        return 0;
    }
    weft_channel_set(channel, state->values, group->folded);
    channel->finished = (group->reduced & WEFT_REDUCED_AVAILABLE) != 0;
    return (group->reduced & WEFT_REDUCED_UPDATED) != 0;
}

static weft_status update_group(weft_apply *apply, weft_state *state, weft_group *group,
                                uint32_t version) {
    weft_channel *channel = &state->channels[group->channel];
    const weft_channel_rule *rule = weft_state_rule(state, group->channel);
    int changed = 1;
    if (rule->kind == WEFT_CHANNEL_BINOP) {
        // A result of undefined empties the channel.
        weft_channel_set(channel, state->values,
                         group->folded == WEFT_WORD_UNDEFINED ? WEFT_WORD_ABSENT : group->folded);
    } else if (rule->kind == WEFT_CHANNEL_HOST) {
        changed = take_host(state, group);
    } else {
        apply->failed_channel = group->channel;
        WEFT_TRY(weft_channel_update(channel, rule, state->values, group->first, &changed,
                                     &apply->failed_write));
    }
    if (changed) {
        if (apply->real || !state->shown) {
            bump(state, group->channel, version);
        }
        add_updated(state, group->channel);
    }
    return WEFT_OK;
}

static int was_updated(const weft_state *state, uint32_t channel, uint32_t version) {
    return state->channels[channel].version == version;
}

// Applies the step to the channels that it did not write: ephemeral ones lose their value. Channels
// that stay live are kept in the list.
static weft_status pass_step(weft_state *state, uint32_t version) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->live_count; i++) {
        uint32_t number = state->live[i];
        weft_channel *channel = &state->channels[number];
        if (was_updated(state, number, version) && weft_state_available(state, number)) {
            state->live[kept++] = number;
            continue;
        }
        channel->live = 0;
        int passed = weft_channel_pass(channel, weft_state_rule(state, number), state->values);
        if (passed < 0) {
            return WEFT_ERR_NO_MEMORY;
        }
        if (passed) {
            channel->live = 1; // keeps weft_state_touch from listing it again during this loop
            bump(state, number, version);
            channel->live = 0;
        }
    }
    state->live_count = kept;
    return WEFT_OK;
}

static int triggers_something(const weft_state *state) {
    for (uint32_t i = 0; i < state->updated_count; i++) {
        if (state->graph->channels[state->updated[i]].node_count > 0) {
            return 1;
        }
    }
    return 0;
}

static void finish_channels(weft_state *state, uint32_t version) {
    for (uint32_t i = 0; i < state->graph->channel_count; i++) {
        if (weft_channel_finish(&state->channels[i], weft_state_rule(state, i))) {
            bump(state, i, version);
            add_updated(state, i);
        }
    }
}

static weft_status check_writers(weft_apply *apply, const weft_state *state) {
    for (uint32_t i = 0; i < apply->group_count; i++) {
        const weft_group *group = &apply->groups[i];
        const weft_channel_rule *rule = weft_state_rule(state, group->channel);
        int guarded = rule->guard && (rule->kind == WEFT_CHANNEL_EPHEMERAL ||
                                      rule->kind == WEFT_CHANNEL_UNTRACKED);
        if (group->count > 1 && (guarded || rule->kind == WEFT_CHANNEL_LAST)) {
            apply->failed_channel = group->channel;
            apply->failed_write = group->first;
            return WEFT_ERR_CONCURRENT_UPDATE;
        }
    }
    return WEFT_OK;
}

weft_status weft_apply_commit(weft_apply *apply, weft_state *state) {
    WEFT_TRY(check_writers(apply, state));
    apply->began = 1;
    uint32_t before = state->max_version;
    consume_triggers(apply, state, before + 1);
    uint32_t version = state->max_version + 1;
    apply->version = version;
    state->updated_count = 0;
    for (uint32_t i = 0; i < apply->group_count; i++) {
        WEFT_TRY(update_group(apply, state, &apply->groups[i], version));
    }
    // An edit alone is no step: channels do not see one pass, and deferred nodes do not run.
    if (apply->real) {
        WEFT_TRY(pass_step(state, version));
        if (!triggers_something(state)) {
            finish_channels(state, version);
            apply->finishes = state->graph->host_count > 0;
        }
    }
    state->updated_known = 1;
    return WEFT_OK;
}

void weft_apply_finish(weft_apply *apply, weft_state *state) {
    apply->finishes = 0;
    for (uint32_t i = 0; i < apply->group_count; i++) {
        const weft_group *group = &apply->groups[i];
        if (weft_state_rule(state, group->channel)->kind != WEFT_CHANNEL_HOST) {
            continue;
        }
        // A channel that this step wrote is in `updated` already, which has room for each channel
        // once.
        int listed = was_updated(state, group->channel, apply->version) &&
                     weft_state_available(state, group->channel);
        if (take_host(state, group)) {
            bump(state, group->channel, apply->version);
            if (!listed) {
                add_updated(state, group->channel);
            }
        }
    }
}
