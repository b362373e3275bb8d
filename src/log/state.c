// SPDX-License-Identifier: MIT
#include "state.h"

#include "base/hash.h"

#include <string.h>

// Finds numbers by one or two names: open addressing over numbers + 1, 0 is free.
typedef struct table {
    uint32_t *slots;
    uint32_t mask;
    uint32_t next; // the number behind the last one found: records of a loop name the same things in the same order
} table;

typedef struct loader {
    const weft_log_index *index;
    weft_arena *arena;
    weft_log_state *state;
    table channels, seen;
    weft_log_reader reader;
} loader;

static int same_text(weft_log_text a, weft_log_text b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static uint32_t hash_names(const loader *load, weft_log_text a, weft_log_text b) {
    uint64_t seed = load->index->by_id.seed;
    if (b.length != 0) {
        seed ^= weft_hash_seeded(seed, b.bytes, b.length);
    }
    return weft_hash_seeded(seed, a.bytes, a.length);
}

static void occupy(table *at, uint32_t hash, uint32_t number) {
    uint32_t slot = hash & at->mask;
    while (at->slots[slot] != 0) {
        slot = (slot + 1) & at->mask;
    }
    at->slots[slot] = number + 1;
}

// An array twice as large with the `count` elements of `items`, and an empty table for it; NULL without memory.
static void *doubled(loader *load, table *at, const void *items, size_t size, uint32_t count, uint32_t *room) {
    if (count > UINT32_MAX / 8) {
        return NULL;
    }
    uint32_t more = count == 0 ? 16 : count * 2;
    void *moved = weft_arena_zeroed(load->arena, more, size);
    uint32_t *slots = weft_arena_zeroed(load->arena, (size_t)more * 2, sizeof(*slots));
    if (moved == NULL || slots == NULL) {
        return NULL;
    }
    if (count != 0) {
        memcpy(moved, items, count * size);
    }
    *room = more;
    at->slots = slots;
    at->mask = more * 2 - 1;
    return moved;
}

// Stands for the second name in a table that goes by one.
static const weft_log_text no_text = {(const uint8_t *)"", 0};

static weft_status add_channel(loader *load, weft_log_text name, uint32_t hash, uint32_t *number) {
    weft_log_state *state = load->state;
    if (state->channel_count == state->channel_room) {
        weft_log_channel *channels = doubled(load, &load->channels, state->channels, sizeof(*channels),
                                             state->channel_count, &state->channel_room);
        if (channels == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        state->channels = channels;
        for (uint32_t i = 0; i < state->channel_count; i++) {
            occupy(&load->channels, hash_names(load, channels[i].name, no_text), i);
        }
    }
    *number = state->channel_count++;
    state->channels[*number] = (weft_log_channel){.name = name, .form = WEFT_LOG_UNSET};
    occupy(&load->channels, hash, *number);
    return WEFT_OK;
}

static weft_status find_channel(loader *load, weft_log_text name, weft_log_channel **channel) {
    weft_log_state *state = load->state;
    table *at = &load->channels;
    uint32_t number = at->next < state->channel_count ? at->next : 0;
    if (number == state->channel_count || !same_text(state->channels[number].name, name)) {
        uint32_t hash = hash_names(load, name, no_text);
        uint32_t slot = hash & at->mask;
        while (at->slots != NULL && at->slots[slot] != 0 &&
               !same_text(state->channels[at->slots[slot] - 1].name, name)) {
            slot = (slot + 1) & at->mask;
        }
        if (at->slots != NULL && at->slots[slot] != 0) {
            number = at->slots[slot] - 1;
        } else {
            WEFT_TRY(add_channel(load, name, hash, &number));
        }
    }
    at->next = number + 1;
    *channel = &state->channels[number];
    return WEFT_OK;
}

static int same_seen(const weft_log_seen *a, const weft_log_seen *b) {
    return same_text(a->node, b->node) && same_text(a->channel, b->channel);
}

static weft_status add_seen(loader *load, const weft_log_seen *seen, uint32_t hash, uint32_t *number) {
    weft_log_state *state = load->state;
    if (state->seen_count == state->seen_room) {
        weft_log_seen *moved =
            doubled(load, &load->seen, state->seen, sizeof(*moved), state->seen_count, &state->seen_room);
        if (moved == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        state->seen = moved;
        for (uint32_t i = 0; i < state->seen_count; i++) {
            occupy(&load->seen, hash_names(load, moved[i].node, moved[i].channel), i);
        }
    }
    *number = state->seen_count++;
    state->seen[*number] = *seen;
    occupy(&load->seen, hash, *number);
    return WEFT_OK;
}

static weft_status apply_seen(loader *load, const weft_log_seen *seen) {
    weft_log_state *state = load->state;
    table *at = &load->seen;
    uint32_t number = at->next < state->seen_count ? at->next : 0;
    if (number == state->seen_count || !same_seen(&state->seen[number], seen)) {
        uint32_t hash = hash_names(load, seen->node, seen->channel);
        uint32_t slot = hash & at->mask;
        while (at->slots != NULL && at->slots[slot] != 0 && !same_seen(&state->seen[at->slots[slot] - 1], seen)) {
            slot = (slot + 1) & at->mask;
        }
        if (at->slots != NULL && at->slots[slot] != 0) {
            number = at->slots[slot] - 1;
        } else {
            WEFT_TRY(add_seen(load, seen, hash, &number));
        }
    }
    at->next = number + 1;
    state->seen[number].version = seen->version;
    return WEFT_OK;
}

// Room for `need` elements of the channel's array, keeping the first `kept`.
static weft_status make_room(loader *load, weft_log_channel *channel, void *array, size_t size, uint32_t need,
                             uint32_t kept) {
    if (need <= channel->room) {
        return WEFT_OK;
    }
    uint32_t room = channel->room > UINT32_MAX / 2 ? need : channel->room * 2;
    room = room < need ? need : room;
    void *moved = weft_arena_zeroed(load->arena, room, size);
    if (moved == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    void *old;
    memcpy(&old, array, sizeof(old));
    if (kept != 0) {
        memcpy(moved, old, kept * size);
    }
    memcpy(array, &moved, sizeof(moved));
    channel->room = room;
    return WEFT_OK;
}

// The arrays of the three forms share one measure of room: another form starts without.
static void take_form(weft_log_channel *channel, weft_log_change_form form) {
    if (channel->form != form) {
        channel->form = form;
        channel->count = 0;
        channel->room = 0;
        channel->items = NULL;
        channel->sends = NULL;
        channel->names = NULL;
    }
}

static weft_status append_items(loader *load, weft_log_channel *channel, weft_log_value value, uint32_t count) {
    if (count > UINT32_MAX - channel->count) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(
        make_room(load, channel, &channel->items, sizeof(*channel->items), channel->count + count, channel->count));
    for (; count > 0; count--) {
        weft_log_value *item = &channel->items[channel->count];
        *item = value;
        WEFT_TRY(weft_log_index_resolve(load->index, item));
        channel->count++;
        value.index++;
    }
    return WEFT_OK;
}

// Moves the shorter side, so that a window which drops its oldest item at every step costs nothing.
static void remove_item(weft_log_channel *channel, uint32_t index) {
    weft_log_value *items = channel->items;
    channel->count--;
    if (index >= channel->count / 2) {
        memmove(items + index, items + index + 1, (channel->count - index) * sizeof(*items));
        return;
    }
    memmove(items + 1, items, index * sizeof(*items));
    channel->items++;
    channel->room--;
}

static weft_status apply_op(loader *load, weft_log_channel *channel, const weft_log_op *op) {
    if (op->kind == WEFT_LOG_APPEND) {
        return append_items(load, channel, op->value, 1);
    }
    if (op->kind == WEFT_LOG_RUN) {
        weft_log_value first = {.form = WEFT_LOG_REFERENCE, .seq = op->seq, .index = op->index};
        return append_items(load, channel, first, op->count);
    }
    if (op->kind == WEFT_LOG_CLEAR) {
        channel->count = 0;
        return WEFT_OK;
    }
    if (op->index >= channel->count) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    weft_log_value *item = &channel->items[op->index];
    if (op->kind == WEFT_LOG_REPLACE) {
        *item = op->value;
        return weft_log_index_resolve(load->index, item);
    }
    remove_item(channel, op->index);
    return WEFT_OK;
}

// Operations apply to a list or to an empty channel; anything else must be cleared by the first of them.
static weft_status apply_list(loader *load, weft_log_channel *channel, uint32_t count) {
    int clear_first = channel->form != WEFT_LOG_LIST && channel->form != WEFT_LOG_UNSET;
    weft_log_op op;
    take_form(channel, WEFT_LOG_LIST);
    for (uint32_t i = 0; i < count && load->reader.status == WEFT_OK; i++) {
        weft_log_get_op(&load->reader, &op);
        if (i == 0 && op.kind == WEFT_LOG_CLEAR) {
            clear_first = 0;
        }
        if (clear_first) {
            break;
        }
        WEFT_TRY(apply_op(load, channel, &op));
    }
    return clear_first ? WEFT_ERR_LOG_CORRUPT : load->reader.status;
}

static weft_status apply_sends(loader *load, weft_log_channel *channel, uint32_t count) {
    take_form(channel, WEFT_LOG_SENDS);
    WEFT_TRY(make_room(load, channel, &channel->sends, sizeof(*channel->sends), count, 0));
    channel->count = count;
    for (uint32_t i = 0; i < count; i++) {
        weft_log_get_send(&load->reader, &channel->sends[i]);
        WEFT_TRY(weft_log_index_resolve(load->index, &channel->sends[i].args));
        WEFT_TRY(weft_log_index_resolve(load->index, &channel->sends[i].timeout));
    }
    return load->reader.status;
}

static weft_status apply_names(loader *load, weft_log_channel *channel, uint32_t count) {
    take_form(channel, WEFT_LOG_NAMES_SET);
    WEFT_TRY(make_room(load, channel, &channel->names, sizeof(*channel->names), count, 0));
    channel->count = count;
    for (uint32_t i = 0; i < count; i++) {
        channel->names[i] = weft_log_get_name(&load->reader);
    }
    return load->reader.status;
}

static weft_status apply_change(loader *load) {
    weft_log_change change;
    weft_log_channel *channel;
    weft_log_get_change(&load->reader, &change);
    WEFT_TRY(load->reader.status);
    WEFT_TRY(find_channel(load, change.channel, &channel));
    channel->version = change.version;
    channel->mark = change.mark;
    channel->changed = load->reader.seq;
    switch (change.form) {
    case WEFT_LOG_SET:
        take_form(channel, WEFT_LOG_SET);
        weft_log_get_value(&load->reader, &channel->value);
        return weft_log_index_resolve(load->index, &channel->value);
    case WEFT_LOG_UNSET:
        take_form(channel, WEFT_LOG_UNSET);
        return WEFT_OK;
    case WEFT_LOG_LIST:
        return apply_list(load, channel, change.count);
    case WEFT_LOG_SENDS:
        return apply_sends(load, channel, change.count);
    case WEFT_LOG_NAMES_SET:
        return apply_names(load, channel, change.count);
    default:
        return WEFT_OK;
    }
}

static weft_status apply_record(loader *load, uint32_t record) {
    weft_log_reader *reader = &load->reader;
    weft_log_checkpoint head;
    weft_log_text ns;
    const uint8_t *id;
    weft_log_seen seen;
    weft_log_index_read(load->index, record, reader);
    for (uint32_t left = weft_log_get_checkpoint(reader, &head); left > 0; left--) {
        weft_log_get_parent(reader, &ns, &id);
    }
    load->channels.next = 0;
    load->seen.next = 0;
    for (uint32_t left = weft_log_get_changes(reader); left > 0; left--) {
        WEFT_TRY(apply_change(load));
    }
    for (uint32_t left = weft_log_get_seens(reader); left > 0; left--) {
        weft_log_get_seen(reader, &seen);
        WEFT_TRY(reader->status);
        WEFT_TRY(apply_seen(load, &seen));
    }
    return reader->status;
}

static uint32_t above(const weft_log_index *index, uint32_t entry) {
    const weft_log_entry *at = &index->entries[entry];
    return at->keyframe ? WEFT_LOG_NONE : at->parent;
}

weft_status weft_log_state_load(const weft_log_index *index, uint32_t entry, weft_arena *arena, weft_log_state *state) {
    *state = (weft_log_state){.chain = 0};
    if (entry >= index->entry_count || index->entries[entry].record == WEFT_LOG_NONE) {
        return WEFT_ERR_UNKNOWN_CHECKPOINT;
    }
    loader load = {.index = index, .arena = arena, .state = state};
    uint32_t count = 0;
    for (uint32_t at = entry; at != WEFT_LOG_NONE; at = above(index, at)) {
        count++;
    }
    uint32_t *records = weft_arena_zeroed(arena, count, sizeof(*records));
    if (records == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    state->chain = count;
    for (uint32_t at = entry; at != WEFT_LOG_NONE; at = above(index, at)) {
        records[--count] = index->entries[at].record;
    }
    for (uint32_t i = 0; i < state->chain; i++) {
        WEFT_TRY(apply_record(&load, records[i]));
    }
    return WEFT_OK;
}
