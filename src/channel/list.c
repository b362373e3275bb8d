// SPDX-License-Identifier: MIT
// Implements list.h: merging, noted steps, list snapshots.
#include "list.h"

#include <string.h>

#include "base/ops.h"

#define SNAPSHOT_LEAST 512u // min bytes of all texts
#define LOOKED 16u // items of the list that are looked up in a base snapshot before giving up
#define FEW 6u     // items that are named one by one: they take less than a new list snapshot

void weft_list_init(weft_list *list, weft_values *values, int with_ids) {
    memset(list, 0, sizeof(*list));
    list->memory = values->memory;
    list->values = values;
    list->with_ids = with_ids;
    list->ids_known = 1;
    weft_map_init(&list->by_id, values->memory, values->memory->seed);
}

static void drop_item(weft_list *list, weft_list_item *item) {
    weft_values_release(list->values, item->word);
    weft_memory_release(list->memory, item->id, item->id_length);
    item->id = NULL;
    item->id_length = 0;
}

static void drop_items(weft_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        drop_item(list, &list->items[i]);
    }
    list->count = 0;
}

void weft_list_fini(weft_list *list) {
    drop_items(list);
    weft_list_settle(list);
    weft_map_fini(&list->by_id);
    weft_list_snapshot_release(list->snapshot);
    list->snapshot = NULL;
    weft_memory_release(list->memory, list->items, list->capacity * sizeof(*list->items));
    weft_memory_release(list->memory, list->steps, list->step_capacity * sizeof(*list->steps));
    list->items = NULL;
    list->steps = NULL;
    list->capacity = 0;
    list->step_capacity = 0;
}

static weft_status note(weft_list *list, uint32_t kind, uint32_t index, weft_word word) {
    if (!weft_memory_reserve(list->memory, &list->steps, sizeof(*list->steps), &list->step_capacity,
                             list->step_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    list->steps[list->step_count++] =
        (weft_list_step){.kind = kind, .index = index, .word = word, .before = WEFT_WORD_ABSENT};
    weft_values_retain(list->values, word);
    return WEFT_OK;
}

// Copies the id into `item`; an empty id counts as none.
static weft_status copy_id(weft_list *list, weft_list_item *item, const uint8_t *id,
                           uint32_t length) {
    item->id = NULL;
    item->id_length = 0;
    if (length == 0) {
        return WEFT_OK;
    }
    item->id = weft_memory_alloc(list->memory, length);
    if (item->id == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    memcpy(item->id, id, length);
    item->id_length = length;
    return WEFT_OK;
}

static weft_status push_item(weft_list *list, weft_word word, const uint8_t *id, uint32_t length) {
    if (!weft_memory_reserve(list->memory, &list->items, sizeof(*list->items), &list->capacity,
                             list->count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_list_item *item = &list->items[list->count];
    WEFT_TRY(copy_id(list, item, id, length));
    if (item->id != NULL) {
        weft_status status = weft_map_set(&list->by_id, item->id, item->id_length, list->count);
        if (status != WEFT_OK) {
            weft_memory_release(list->memory, item->id, item->id_length);
            item->id = NULL;
            return status;
        }
    }
    item->word = word;
    list->count++;
    return WEFT_OK;
}

static weft_status append_noted(weft_list *list, weft_word word, const uint8_t *id,
                                uint32_t length) {
    WEFT_TRY(push_item(list, word, id, length));
    weft_values_retain(list->values, word);
    return note(list, WEFT_LIST_APPEND, 0, word);
}

weft_status weft_list_restore(weft_list *list, weft_word word) {
    WEFT_TRY(push_item(list, word, NULL, 0));
    list->ids_known = !list->with_ids;
    return WEFT_OK;
}

static weft_status rebuild_ids(weft_list *list) {
    weft_map_clear(&list->by_id);
    for (uint32_t i = 0; i < list->count; i++) {
        weft_list_item *item = &list->items[i];
        if (item->id != NULL) {
            WEFT_TRY(weft_map_set(&list->by_id, item->id, item->id_length, i));
        }
    }
    return WEFT_OK;
}

weft_status weft_list_identify(weft_list *list, const weft_message *messages, uint32_t count) {
    if (count != list->count) {
        return WEFT_ERR_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_list_item *item = &list->items[i];
        weft_memory_release(list->memory, item->id, item->id_length);
        WEFT_TRY(copy_id(list, item, messages[i].id, messages[i].id_length));
    }
    list->ids_known = 1;
    return rebuild_ids(list);
}

weft_status weft_list_clear(weft_list *list) {
    if (list->count == 0) {
        return WEFT_OK;
    }
    drop_items(list);
    weft_map_clear(&list->by_id);
    return note(list, WEFT_LIST_CLEAR, 0, WEFT_WORD_ABSENT);
}

weft_status weft_list_append(weft_list *list, const weft_message *messages, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        WEFT_TRY(append_noted(list, messages[i].word, NULL, 0));
    }
    return WEFT_OK;
}

int weft_list_stands(const weft_list *list, const weft_message *message) {
    uint32_t at;
    return weft_map_get(&list->by_id, message->id, message->id_length, &at) &&
           weft_values_stands(list->values, message->word, list->items[at].word);
}

// Replaces the list by the messages after the last REMOVE_ALL, without merging.
static weft_status replace_all(weft_list *list, const weft_message *messages, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        weft_list_stands(list, &messages[i]);
    }
    WEFT_TRY(weft_list_clear(list));
    for (uint32_t i = 0; i < count; i++) {
        WEFT_TRY(append_noted(list, messages[i].word, messages[i].id, messages[i].id_length));
    }
    return WEFT_OK;
}

static weft_status replace_item(weft_list *list, uint32_t index, weft_word word) {
    weft_list_item *item = &list->items[index];
    WEFT_TRY(note(list, WEFT_LIST_REPLACE, index, word));
    weft_values_retain(list->values, word);
    weft_list_step *step = &list->steps[list->step_count - 1];
    step->same = (uint32_t)weft_values_stands(list->values, word, item->word);
    if (weft_values_base(list->values, item->word) != NULL) {
        step->before = item->word;
    } else {
        weft_values_release(list->values, item->word);
    }
    item->word = word;
    return WEFT_OK;
}

// Removes the items whose byte in `doomed` is set, last first, so that the noted indexes are valid
// one after the other.
static weft_status remove_items(weft_list *list, const uint8_t *doomed) {
    for (uint32_t i = list->count; i > 0; i--) {
        if (doomed[i - 1]) {
            WEFT_TRY(note(list, WEFT_LIST_REMOVE, i - 1, WEFT_WORD_ABSENT));
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (doomed[i]) {
            drop_item(list, &list->items[i]);
        } else {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    return rebuild_ids(list);
}

// Merges one message of a write without REMOVE_ALL. `doomed` (NULL when no message removes) has
// room for all items.
static weft_status merge_one(weft_list *list, const weft_message *message, uint8_t *doomed) {
    uint32_t at;
    int removes = (message->flags & WEFT_MESSAGE_REMOVE) != 0;
    if (weft_map_get(&list->by_id, message->id, message->id_length, &at)) {
        if (removes) {
            doomed[at] = 1;
            return WEFT_OK;
        }
        if (doomed != NULL) {
            doomed[at] = 0;
        }
        return replace_item(list, at, message->word);
    }
    if (removes) {
        return WEFT_ERR_DELETE_MESSAGE;
    }
    return append_noted(list, message->word, message->id, message->id_length);
}

static weft_status merge_all(weft_list *list, const weft_message *messages, uint32_t count,
                             uint8_t *doomed, uint32_t *failed) {
    for (uint32_t i = 0; i < count; i++) {
        weft_status status = merge_one(list, &messages[i], doomed);
        if (status != WEFT_OK) {
            *failed = i;
            return status;
        }
    }
    return doomed == NULL ? WEFT_OK : remove_items(list, doomed);
}

weft_status weft_list_merge(weft_list *list, const weft_message *messages, uint32_t count,
                            uint32_t *failed) {
    uint32_t removing = 0;
    *failed = 0;
    for (uint32_t i = count; i > 0; i--) {
        if ((messages[i - 1].flags & WEFT_MESSAGE_REMOVE_ALL) != 0) {
            return replace_all(list, messages + i, count - i);
        }
        removing |= messages[i - 1].flags & WEFT_MESSAGE_REMOVE;
    }
    if (!removing) {
        return merge_all(list, messages, count, NULL, failed);
    }
    size_t capacity = (size_t)list->count + count;
    uint8_t *doomed = weft_memory_zeroed(list->memory, capacity, 1);
    if (doomed == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_status status = merge_all(list, messages, count, doomed, failed);
    weft_memory_release(list->memory, doomed, capacity);
    return status;
}

static int is_same_item(const weft_list_snapshot *snapshot, uint32_t at,
                        const weft_list_snapshot *base, uint32_t number) {
    const weft_value *one = weft_values_get(snapshot->values, snapshot->words[at]);
    const weft_value *other = weft_values_get(base->values, base->words[number]);
    return one->seq == other->seq && one->index == other->index;
}

// Finds a run of items that the snapshot shares with `base`, and returns its length.
static uint32_t take_base(weft_list_snapshot *snapshot, const weft_list_snapshot *base) {
    uint32_t from = 0, shared = 0;
    for (;; snapshot->first++) {
        for (from = 0; snapshot->first < snapshot->count && from < base->count &&
                       !is_same_item(snapshot, snapshot->first, base, from);
             from++) {
        }
        while (snapshot->first + shared < snapshot->count && from + shared < base->count &&
               is_same_item(snapshot, snapshot->first + shared, base, from + shared)) {
            shared++;
        }
        if (shared > 0 || snapshot->first >= LOOKED) {
            break;
        }
    }
    // An unwritten list snapshot is replaced by its own base.
    int is_written = base->seq != 0;
    uint32_t start = is_written || from > base->first ? from : base->first;
    uint32_t end = is_written || from + shared < base->first + base->shared
                       ? from + shared
                       : base->first + base->shared;
    snapshot->base = is_written ? base->seq : base->base;
    snapshot->base_depth = is_written ? base->depth : base->base_depth;
    snapshot->first += start - from;
    snapshot->from = is_written ? start : base->from + start - base->first;
    snapshot->shared = start < end ? end - start : 0;
    return shared;
}

weft_list_snapshot *weft_list_take_snapshot(weft_list *list, weft_log_text name,
                                            const weft_list_snapshot *around, int loosely) {
    uint64_t length = 0;
    for (uint32_t i = 0; i < list->count && length < SNAPSHOT_LEAST; i++) {
        const weft_value *value = weft_values_get(list->values, list->items[i].word);
        length += value == NULL ? 0 : value->length;
    }
    weft_list_snapshot *old = list->snapshot,
                       *snapshot = length < SNAPSHOT_LEAST
                                       ? NULL
                                       : weft_list_snapshot_new(list->values, name, list->count);
    if (snapshot == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        weft_word word = list->items[i].word;
        const weft_value *value = weft_values_get(list->values, word);
        if (value != NULL && value->seq != 0 && value->text != NULL &&
            value->depth < WEFT_VALUE_OF_SNAPSHOT) {
            weft_values_retain(list->values, word);
            snapshot->words[snapshot->count++] = word;
            snapshot->length += value->length;
        } else if (!loosely) {
            break;
        }
    }
    const weft_list_snapshot *base = old != NULL ? old : around;
    uint32_t shared = base == NULL ? 0 : take_base(snapshot, base),
             lacks = snapshot->count - shared;
    int will_do = old != NULL && (loosely ? lacks < FEW : lacks == 0 && old->count == shared);
    if (will_do || snapshot->length < SNAPSHOT_LEAST) {
        weft_list_snapshot_release(snapshot);
        return will_do ? old : NULL;
    }
    weft_list_snapshot_release(old);
    list->snapshot = snapshot;
    return snapshot;
}

void weft_list_settle(weft_list *list) {
    for (uint32_t i = 0; i < list->step_count; i++) {
        weft_values_release(list->values, list->steps[i].word);
        weft_values_release(list->values, list->steps[i].before);
    }
    list->step_count = 0;
    list->steps_emitted = 0;
}

weft_status weft_list_restate(weft_list *list) {
    weft_list_settle(list);
    WEFT_TRY(note(list, WEFT_LIST_CLEAR, 0, WEFT_WORD_ABSENT));
    for (uint32_t i = 0; i < list->count; i++) {
        WEFT_TRY(note(list, WEFT_LIST_APPEND, 0, list->items[i].word));
    }
    list->steps_emitted = list->step_count;
    return WEFT_OK;
}
