// SPDX-License-Identifier: MIT
// Implements state.h: folding records into a state.
#include "state.h"

#include "base/hash.h"

#include <string.h>

#define LISTED 64u // max records that are read again for each checkpoint of a history

// Finds elements by the one or two names that they begin with. Open addressing over numbers + 1; 0
// is free.
typedef struct table {
    uint8_t *items;
    uint32_t size;  // of an element
    uint32_t names; // names at an element's start
    uint32_t count, capacity;
    uint32_t *slots; // twice the capacity; then, for each element, the one looked up after it last
                     // time, because records of a loop name the same elements in the same order
    uint32_t last;   // number + 1 of the last one found; 0 at the start of a record
} table;

typedef struct loader {
    const weft_log_index *index;
    weft_arena *arena;
    table channels, seen;
    weft_log_reader reader;
} loader;

static void *element(const table *at, uint32_t number) {
    return at->items + (size_t)number * at->size;
}

static int has_names(const table *at, uint32_t number, const weft_log_text *names) {
    const weft_log_text *own = element(at, number);
    for (uint32_t i = 0; i < at->names; i++) {
        if (own[i].length != names[i].length ||
            (names[i].length != 0 && memcmp(own[i].bytes, names[i].bytes, names[i].length) != 0)) {
            return 0;
        }
    }
    return 1;
}

// Returns the slot of the element with these names, or a free one; the table must have room.
static uint32_t *slot_of(const loader *load, const table *at, const weft_log_text *names) {
    uint64_t hash = load->index->by_id.seed;
    for (uint32_t i = 0; i < at->names; i++) {
        hash ^= weft_hash_seeded(hash, names[i].bytes, names[i].length);
    }
    for (uint32_t slot = (uint32_t)hash;; slot++) {
        uint32_t *found = &at->slots[slot & (at->capacity * 2 - 1)];
        if (*found == 0 || has_names(at, *found - 1, names)) {
            return found;
        }
    }
}

static weft_status grow(const loader *load, table *at) {
    if (at->count > UINT32_MAX / 8) {
        return WEFT_ERR_NO_MEMORY;
    }
    table more = *at;
    for (more.capacity = 16; more.capacity <= at->count;) {
        more.capacity *= 2;
    }
    more.items = weft_arena_zeroed(load->arena, more.capacity, at->size);
    more.slots = weft_arena_zeroed(load->arena, (size_t)more.capacity * 3 + 1, sizeof(*more.slots));
    if (more.items == NULL || more.slots == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < at->count; i++) {
        memcpy(element(&more, i), element(at, i), at->size);
        *slot_of(load, &more, element(&more, i)) = i + 1;
    }
    *at = more;
    return WEFT_OK;
}

// Finds or makes the element with these names; a new one is otherwise zero. NULL without memory.
static void *find(const loader *load, table *at, const weft_log_text *names) {
    uint32_t number = at->slots[at->capacity * 2 + at->last];
    if (number >= at->count || !has_names(at, number, names)) {
        if (at->count == at->capacity && grow(load, at) != WEFT_OK) {
            return NULL;
        }
        uint32_t *slot = slot_of(load, at, names);
        if (*slot == 0) {
            memcpy(element(at, at->count), names, at->names * sizeof(*names));
            *slot = ++at->count;
        }
        number = *slot - 1;
    }
    at->slots[at->capacity * 2 + at->last] = number;
    at->last = number + 1;
    return element(at, number);
}

// Makes room for `need` elements in the channel's array, keeping the first `kept`.
static weft_status reserve(loader *load, weft_log_channel *channel, size_t size, uint32_t need,
                           uint32_t kept) {
    if (need <= channel->capacity) {
        return WEFT_OK;
    }
    uint32_t capacity = channel->capacity > UINT32_MAX / 2 ? need : channel->capacity * 2;
    capacity = capacity < need ? need : capacity;
    void *moved = weft_arena_zeroed(load->arena, capacity, size);
    if (moved == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    if (kept != 0) {
        memcpy(moved, channel->array, kept * size);
    }
    channel->array = moved;
    channel->capacity = capacity;
    return WEFT_OK;
}

// Changes the form. All forms share one capacity, so a new form starts without an array.
static void take_form(weft_log_channel *channel, weft_log_change_form form) {
    if (channel->form != form) {
        channel->form = form;
        channel->count = 0;
        channel->capacity = 0;
        channel->array = NULL;
    }
}

static weft_status append_items(loader *load, weft_log_channel *channel, weft_log_value value,
                                uint32_t count) {
    if (count > UINT32_MAX - channel->count) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(
        reserve(load, channel, sizeof(*channel->items), channel->count + count, channel->count));
    for (; count > 0; count--) {
        weft_log_value *item = &channel->items[channel->count];
        *item = value;
        WEFT_TRY(weft_log_index_resolve(load->index, item));
        channel->count++;
        value.index++;
    }
    return WEFT_OK;
}

// Removes an item by moving the shorter side, so a window that drops its oldest item at every step
// stays cheap.
static void remove_item(weft_log_channel *channel, uint32_t index) {
    weft_log_value *items = channel->items;
    channel->count--;
    if (index >= channel->count / 2) {
        memmove(items + index, items + index + 1, (channel->count - index) * sizeof(*items));
        return;
    }
    memmove(items + 1, items, index * sizeof(*items));
    channel->items++;
    channel->capacity--;
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

// Applies operations to a list or an empty channel; any other content must be cleared by the first
// one.
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
    WEFT_TRY(reserve(load, channel, sizeof(*channel->sends), count, 0));
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
    WEFT_TRY(reserve(load, channel, sizeof(*channel->names), count, 0));
    channel->count = count;
    for (uint32_t i = 0; i < count; i++) {
        channel->names[i] = weft_log_get_name(&load->reader);
    }
    return load->reader.status;
}

static weft_status apply_change(loader *load) {
    weft_log_change change;
    weft_log_get_change(&load->reader, &change);
    WEFT_TRY(load->reader.status);
    weft_log_channel *channel = find(load, &load->channels, &change.channel);
    if (channel == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    channel->form = channel->form == WEFT_LOG_KEEP ? WEFT_LOG_UNSET : channel->form;
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
    load->channels.last = 0;
    load->seen.last = 0;
    for (uint32_t left = weft_log_get_changes(reader); left > 0; left--) {
        WEFT_TRY(apply_change(load));
    }
    for (uint32_t left = weft_log_get_seens(reader); left > 0; left--) {
        weft_log_get_seen(reader, &seen);
        WEFT_TRY(reader->status);
        weft_log_seen *kept = find(load, &load->seen, &seen.node);
        if (kept == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        kept->version = seen.version;
    }
    return reader->status;
}

static uint32_t above(const weft_log_index *index, uint32_t entry) {
    const weft_log_entry *at = &index->entries[entry];
    return at->keyframe ? WEFT_LOG_NONE : at->parent;
}

// Copies the state `base` with its own lists, which operations change in place.
static weft_status copy_state(loader *load, const weft_log_state *base) {
    load->channels.items = (void *)base->channels;
    load->channels.count = base->channel_count;
    load->seen.items = (void *)base->seen;
    load->seen.count = base->seen_count;
    WEFT_TRY(grow(load, &load->channels));
    WEFT_TRY(grow(load, &load->seen));
    for (uint32_t i = 0; i < load->channels.count; i++) {
        weft_log_channel *channel = element(&load->channels, i);
        channel->capacity = 0;
        if (channel->form == WEFT_LOG_LIST) {
            WEFT_TRY(
                reserve(load, channel, sizeof(*channel->items), channel->count, channel->count));
        }
    }
    return WEFT_OK;
}

// Counts the records from `entry` back to `from`; WEFT_LOG_NONE when `from` is not among its
// ancestors.
static uint32_t distance(const weft_log_index *index, uint32_t entry, uint32_t from) {
    uint32_t count = 0;
    for (; entry != from && entry != WEFT_LOG_NONE; entry = above(index, entry)) {
        count++;
    }
    return entry == from ? count : WEFT_LOG_NONE;
}

// Loads the state of `entry` from the state `base` of `from`.
static weft_status load_from(const weft_log_index *index, uint32_t entry, uint32_t from,
                             const weft_log_state *base, weft_arena *arena, weft_log_state *state) {
    *state = (weft_log_state){.chain = 0};
    if (entry >= index->entry_count || index->entries[entry].record == WEFT_LOG_NONE) {
        return WEFT_ERR_ARGUMENT;
    }
    loader load = {.index = index,
                   .arena = arena,
                   .channels = {.size = sizeof(weft_log_channel), .names = 1},
                   .seen = {.size = sizeof(weft_log_seen), .names = 2}};
    uint32_t count = distance(index, entry, from);
    uint32_t *records = weft_arena_zeroed(arena, count + 1u, sizeof(*records));
    if (records == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    state->chain = count;
    for (uint32_t at = entry; at != from; at = above(index, at)) {
        records[--count] = index->entries[at].record;
    }
    WEFT_TRY(copy_state(&load, base));
    for (uint32_t i = 0; i < state->chain; i++) {
        WEFT_TRY(apply_record(&load, records[i]));
    }
    state->channels = (void *)load.channels.items;
    state->channel_count = load.channels.count;
    state->seen = (void *)load.seen.items;
    state->seen_count = load.seen.count;
    return WEFT_OK;
}

weft_status weft_log_state_load(const weft_log_index *index, uint32_t entry, weft_arena *arena,
                                weft_log_state *state) {
    static const weft_log_state nothing;
    return load_from(index, entry, WEFT_LOG_NONE, &nothing, arena, state);
}

// Keeps a state that is close to the next ones.
weft_status weft_log_state_list(const weft_log_index *index, uint32_t entry,
                                weft_log_listing *listing, weft_arena *arena,
                                weft_log_state *state) {
    if (!listing->kept || distance(index, entry, listing->entry) == WEFT_LOG_NONE) {
        uint32_t from = entry < index->entry_count ? entry : WEFT_LOG_NONE;
        for (uint32_t i = 0; i < LISTED && from != WEFT_LOG_NONE; i++) {
            from = above(index, from);
        }
        if (from == WEFT_LOG_NONE) {
            return weft_log_state_load(index, entry, arena, state);
        }
        listing->entry = from;
        weft_arena_fini(&listing->arena);
        weft_arena_init(&listing->arena, arena->memory);
        listing->kept = 0;
        WEFT_TRY(weft_log_state_load(index, listing->entry, &listing->arena, &listing->state));
        listing->kept = 1;
    }
    return load_from(index, entry, listing->entry, &listing->state, arena, state);
}
