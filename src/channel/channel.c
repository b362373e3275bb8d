// SPDX-License-Identifier: MIT
// Implements channel.h: the rules of the channel kinds.
#include "channel.h"

#include <string.h>

int weft_channel_is_list(weft_channel_kind kind) {
    return kind == WEFT_CHANNEL_MESSAGES || kind == WEFT_CHANNEL_TOPIC;
}

static int is_barrier(weft_channel_kind kind) {
    return kind == WEFT_CHANNEL_BARRIER || kind == WEFT_CHANNEL_BARRIER_AFTER_FINISH;
}

weft_status weft_channel_init(weft_channel *channel, const weft_channel_rule *rule,
                              weft_values *values) {
    memset(channel, 0, sizeof(*channel));
    if (is_barrier(rule->kind)) {
        channel->seen = weft_memory_zeroed(values->memory, rule->names + 1u, 1);
        return channel->seen == NULL ? WEFT_ERR_NO_MEMORY : WEFT_OK;
    }
    if (weft_channel_is_list(rule->kind)) {
        channel->list = weft_memory_alloc(values->memory, sizeof(*channel->list));
        if (channel->list == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        weft_list_init(channel->list, values, rule->kind == WEFT_CHANNEL_MESSAGES);
    }
    return WEFT_OK;
}

static void drop_sends(weft_channel *channel, weft_values *values) {
    for (uint32_t i = 0; i < channel->send_count; i++) {
        weft_values_release(values, channel->sends[i].word);
        weft_values_release(values, channel->sends[i].timeout);
    }
    channel->send_count = 0;
}

void weft_channel_fini(weft_channel *channel, const weft_channel_rule *rule, weft_values *values) {
    weft_values_release(values, channel->value);
    weft_channel_settle(channel, values);
    drop_sends(channel, values);
    weft_memory_release(values->memory, channel->sends,
                        channel->send_capacity * sizeof(*channel->sends));
    weft_memory_release(values->memory, channel->seen, rule->names + 1u);
    if (channel->list != NULL) {
        weft_list_fini(channel->list);
        weft_memory_release(values->memory, channel->list, sizeof(*channel->list));
    }
    memset(channel, 0, sizeof(*channel));
}

int weft_channel_available(const weft_channel *channel, const weft_channel_rule *rule) {
    switch (rule->kind) {
    case WEFT_CHANNEL_MESSAGES:
        return 1;
    case WEFT_CHANNEL_TOPIC:
        return channel->list->count > 0;
    case WEFT_CHANNEL_TASKS:
        return channel->send_count > 0;
    case WEFT_CHANNEL_HOST:
        return channel->finished;
    case WEFT_CHANNEL_BARRIER:
        return channel->seen_count == rule->names;
    case WEFT_CHANNEL_BARRIER_AFTER_FINISH:
        return channel->finished && channel->seen_count == rule->names;
    case WEFT_CHANNEL_LAST_AFTER_FINISH:
        return channel->finished && channel->value != WEFT_WORD_ABSENT;
    case WEFT_CHANNEL_BINOP:
    case WEFT_CHANNEL_LAST:
    case WEFT_CHANNEL_EPHEMERAL:
    case WEFT_CHANNEL_ANY:
    case WEFT_CHANNEL_UNTRACKED:
        return channel->value != WEFT_WORD_ABSENT;
    }
    return 0;
}

void weft_channel_set(weft_channel *channel, weft_values *values, weft_word word) {
    weft_values_retain(values, word);
    if (channel->before == WEFT_WORD_ABSENT && weft_values_base(values, channel->value) != NULL) {
        channel->before = channel->value;
    } else {
        weft_values_release(values, channel->value);
    }
    channel->value = word;
}

void weft_channel_settle(weft_channel *channel, weft_values *values) {
    weft_values_release(values, channel->before);
    channel->before = WEFT_WORD_ABSENT;
}

static weft_status update_scalar(weft_channel *channel, int only_one, weft_values *values,
                                 weft_write *writes) {
    if (only_one && writes->next != NULL) {
        return WEFT_ERR_CONCURRENT_UPDATE;
    }
    while (writes->next != NULL) {
        writes = writes->next;
    }
    weft_channel_set(channel, values, writes->word);
    return WEFT_OK;
}

static int see(weft_channel *channel, const weft_write *write) {
    int changed = 0;
    for (; write != NULL; write = write->next) {
        changed |= !channel->seen[write->node];
        channel->seen_count += !channel->seen[write->node];
        channel->seen[write->node] = 1;
    }
    return changed;
}

weft_status weft_channel_send(weft_channel *channel, weft_values *values, weft_send send) {
    if (!weft_memory_reserve(values->memory, &channel->sends, sizeof(*channel->sends),
                             &channel->send_capacity, channel->send_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_values_retain(values, send.word);
    weft_values_retain(values, send.timeout);
    channel->sends[channel->send_count++] = send;
    return WEFT_OK;
}

static weft_status update_sends(weft_channel *channel, weft_values *values,
                                const weft_write *write) {
    drop_sends(channel, values);
    for (; write != NULL; write = write->next) {
        WEFT_TRY(weft_channel_send(channel, values,
                                   (weft_send){write->node, write->word, write->timeout}));
    }
    return WEFT_OK;
}

// Updates a list write by write. An Overwrite replaces the list; the step's later writes are
// ignored.
static weft_status update_list(weft_channel *channel, const weft_channel_rule *rule,
                               weft_write *write, weft_write **failed) {
    weft_list *list = channel->list;
    int replaced = 0;
    if (rule->kind == WEFT_CHANNEL_TOPIC && !rule->accumulate) {
        WEFT_TRY(weft_list_clear(list));
    }
    for (; write != NULL; write = write->next) {
        uint32_t at = 0;
        weft_status status = WEFT_OK;
        *failed = write;
        if (write->overwrite) {
            if (replaced) {
                return WEFT_ERR_OVERWRITE_TWICE;
            }
            replaced = 1;
            WEFT_TRY(weft_list_clear(list));
        } else if (replaced) {
            continue;
        }
        status = list->with_ids ? weft_list_merge(list, write->messages, write->count, &at)
                                : weft_list_append(list, write->messages, write->count);
        if (status == WEFT_ERR_DELETE_MESSAGE) {
            write->count = at;
        }
        WEFT_TRY(status);
    }
    return WEFT_OK;
}

weft_status weft_channel_update(weft_channel *channel, const weft_channel_rule *rule,
                                weft_values *values, weft_write *writes, int *changed,
                                weft_write **failed) {
    *changed = 1;
    *failed = writes;
    switch (rule->kind) {
    case WEFT_CHANNEL_LAST:
        return update_scalar(channel, 1, values, writes);
    case WEFT_CHANNEL_EPHEMERAL:
    case WEFT_CHANNEL_UNTRACKED:
        return update_scalar(channel, rule->guard, values, writes);
    case WEFT_CHANNEL_ANY:
        return update_scalar(channel, 0, values, writes);
    case WEFT_CHANNEL_LAST_AFTER_FINISH:
        channel->finished = 0;
        return update_scalar(channel, 0, values, writes);
    case WEFT_CHANNEL_BARRIER:
    case WEFT_CHANNEL_BARRIER_AFTER_FINISH:
        *changed = see(channel, writes);
        return WEFT_OK;
    case WEFT_CHANNEL_TASKS:
        return update_sends(channel, values, writes);
    case WEFT_CHANNEL_MESSAGES:
    case WEFT_CHANNEL_TOPIC:
        return update_list(channel, rule, writes, failed);
    case WEFT_CHANNEL_BINOP:
    case WEFT_CHANNEL_HOST:
        break;
    }
    return WEFT_ERR_INTERNAL;
}

int weft_channel_pass(weft_channel *channel, const weft_channel_rule *rule, weft_values *values) {
    switch (rule->kind) {
    case WEFT_CHANNEL_EPHEMERAL:
    case WEFT_CHANNEL_ANY:
        if (channel->value == WEFT_WORD_ABSENT) {
            return 0;
        }
        weft_channel_set(channel, values, WEFT_WORD_ABSENT);
        return 1;
    case WEFT_CHANNEL_TASKS:
        if (channel->send_count == 0) {
            return 0;
        }
        drop_sends(channel, values);
        return 1;
    case WEFT_CHANNEL_TOPIC:
        if (rule->accumulate || channel->list->count == 0) {
            return 0;
        }
        return weft_list_clear(channel->list) == WEFT_OK ? 1 : (int)WEFT_ERR_NO_MEMORY;
    default:
        return 0;
    }
}

int weft_channel_consume(weft_channel *channel, const weft_channel_rule *rule,
                         weft_values *values) {
    int barrier = is_barrier(rule->kind);
    if (!barrier && rule->kind != WEFT_CHANNEL_LAST_AFTER_FINISH) {
        return 0;
    }
    if (barrier && (channel->seen_count != rule->names ||
                    (rule->kind != WEFT_CHANNEL_BARRIER && !channel->finished))) {
        return 0;
    }
    if (!barrier && !channel->finished) {
        return 0;
    }
    if (barrier) {
        memset(channel->seen, 0, rule->names);
        channel->seen_count = 0;
    } else {
        weft_channel_set(channel, values, WEFT_WORD_ABSENT);
    }
    channel->finished = 0;
    return 1;
}

int weft_channel_finish(weft_channel *channel, const weft_channel_rule *rule) {
    int holds =
        rule->kind == WEFT_CHANNEL_LAST_AFTER_FINISH
            ? channel->value != WEFT_WORD_ABSENT
            : rule->kind == WEFT_CHANNEL_BARRIER_AFTER_FINISH && channel->seen_count == rule->names;
    if (!holds || channel->finished) {
        return 0;
    }
    channel->finished = 1;
    return 1;
}
