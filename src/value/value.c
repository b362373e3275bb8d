// SPDX-License-Identifier: MIT
// Implements value.h: the table of values.
#include "value.h"

#include <string.h>

#define NUMBER_LIMIT (1u << 28)
#define PATCH_LEAST 64u // bytes of a text: the successor of a shorter one is stored whole

void weft_values_init(weft_values *values, weft_memory *memory) {
    memset(values, 0, sizeof(*values));
    values->memory = memory;
    values->next_odd = 1;
}

void weft_values_fini(weft_values *values) {
    for (uint32_t i = 0; i < values->capacity; i++) {
        weft_memory_release(values->memory, values->items[i].text, values->items[i].length);
    }
    weft_memory_release(values->memory, values->items, values->capacity * sizeof(*values->items));
    weft_memory_release(values->memory, values->free,
                        values->free_capacity * sizeof(*values->free));
    weft_memory_release(values->memory, values->released,
                        values->released_capacity * sizeof(*values->released));
    weft_values_init(values, values->memory);
}

// Makes room for `number`. The lists grow with the table, because a release must not allocate.
static weft_status reserve(weft_values *values, uint32_t number) {
    if (number < values->capacity) {
        return WEFT_OK;
    }
    uint32_t old = values->capacity;
    uint32_t capacity = old;
    if (!weft_memory_reserve(values->memory, &values->released, sizeof(uint32_t),
                             &values->released_capacity, number + 1) ||
        !weft_memory_reserve(values->memory, &values->free, sizeof(uint32_t),
                             &values->free_capacity, number + 1) ||
        !weft_memory_reserve(values->memory, &values->items, sizeof(weft_value), &capacity,
                             number + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    memset(values->items + old, 0, (capacity - old) * sizeof(weft_value));
    values->capacity = capacity;
    return WEFT_OK;
}

weft_status weft_values_adopt(weft_values *values, weft_word word) {
    if (!weft_word_is_sound(word)) {
        return WEFT_ERR_BAD_EVENT;
    }
    if (!weft_word_is_value(word)) {
        return WEFT_OK;
    }
    uint32_t number = weft_word_number(word);
    if (number >= NUMBER_LIMIT) {
        return WEFT_ERR_BAD_EVENT;
    }
    if ((number & 1u) != 0 && (number >= values->capacity || !values->items[number].used)) {
        return WEFT_ERR_BAD_EVENT;
    }
    WEFT_TRY(reserve(values, number));
    weft_value *value = &values->items[number];
    if (!value->used) {
        memset(value, 0, sizeof(*value));
        value->used = 1;
        value->slot = 1;
        values->live++;
        values->bare++;
    }
    value->refs++;
    return WEFT_OK;
}

weft_status weft_values_new(weft_values *values, const uint8_t *text, uint32_t length,
                            weft_word *word) {
    uint32_t number =
        values->free_count > 0 ? values->free[values->free_count - 1] : values->next_odd;
    if (number >= NUMBER_LIMIT) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(reserve(values, number));
    weft_value *value = &values->items[number];
    memset(value, 0, sizeof(*value));
    value->used = 1;
    values->bare++;
    weft_word made = weft_word_of_value(number);
    weft_status status = weft_values_set_text(values, made, text, length);
    if (status != WEFT_OK) {
        value->used = 0;
        values->bare--;
        return status;
    }
    if (values->free_count > 0) {
        values->free_count--;
    } else {
        values->next_odd += 2;
    }
    value->refs = 1;
    values->live++;
    *word = made;
    return WEFT_OK;
}

weft_value *weft_values_get(weft_values *values, weft_word word) {
    return weft_word_is_value(word) ? &values->items[weft_word_number(word)] : NULL;
}

const weft_value *weft_values_base(weft_values *values, weft_word word) {
    const weft_value *value = weft_values_get(values, word);
    return value != NULL && value->seq != 0 && value->length >= PATCH_LEAST ? value : NULL;
}

void weft_values_place(weft_value *value, const weft_value *there) {
    value->seq = there->seq;
    value->index = there->index;
    value->depth = there->depth;
}

int weft_values_same(weft_values *values, weft_word a, weft_word b) {
    const weft_value *one = weft_values_get(values, a), *other = weft_values_get(values, b);
    return a == b ||
           (one != NULL && other != NULL && one->text != NULL && other->text != NULL &&
            one->length == other->length && memcmp(one->text, other->text, one->length) == 0);
}

int weft_values_stands(weft_values *values, weft_word word, weft_word there) {
    const weft_value *old = weft_values_get(values, there);
    int stands = old != NULL && old->seq != 0 && weft_values_same(values, word, there);
    if (stands) {
        weft_values_place(weft_values_get(values, word), old);
    }
    return stands;
}

void weft_values_retain(weft_values *values, weft_word word) {
    if (weft_word_is_value(word)) {
        values->items[weft_word_number(word)].refs++;
    }
}

static void drop_text(weft_values *values, weft_value *value) {
    weft_memory_release(values->memory, value->text, value->length);
    value->text = NULL;
    value->length = 0;
}

// Frees a number. If the host has a slot for it, its text stays until the release is announced: the
// current block may point to it.
static void forget(weft_values *values, uint32_t number) {
    weft_value *value = &values->items[number];
    value->used = 0;
    values->live--;
    values->bare -= value->text == NULL;
    if (value->slot) {
        values->released[values->released_count++] = number;
    } else {
        drop_text(values, value);
        values->free[values->free_count++] = number;
    }
}

void weft_values_release(weft_values *values, weft_word word) {
    if (!weft_word_is_value(word)) {
        return;
    }
    weft_value *value = &values->items[weft_word_number(word)];
    value->refs--;
    if (value->refs == 0) {
        forget(values, weft_word_number(word));
    }
}

weft_status weft_values_set_text(weft_values *values, weft_word word, const uint8_t *text,
                                 uint32_t length) {
    if (!weft_word_is_value(word) || weft_word_number(word) >= values->capacity) {
        return WEFT_OK;
    }
    weft_value *value = &values->items[weft_word_number(word)];
    if (!value->used || value->text != NULL) {
        return WEFT_OK;
    }
    // An empty text still needs a block: NULL means no text.
    uint32_t size = length == 0 ? 1 : length;
    uint8_t *copy = weft_memory_alloc(values->memory, size);
    if (copy == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    if (length > 0) {
        memcpy(copy, text, length);
    } else {
        copy[0] = ' ';
    }
    value->text = copy;
    value->length = size;
    values->bare--;
    return WEFT_OK;
}

int weft_values_detach(weft_values *values, weft_word *word) {
    weft_value *value = weft_values_get(values, *word);
    if (value == NULL || !value->slot) {
        return 1;
    }
    if (value->text == NULL) {
        return 0;
    }
    weft_word copy;
    weft_value old = *value; // weft_values_new may move it
    int moves = old.refs == 1;
    if (weft_values_new(values, old.text, moves ? 0 : old.length, &copy) != WEFT_OK) {
        return 0;
    }
    weft_value *made = weft_values_get(values, copy);
    weft_values_place(made, &old);
    if (moves) {
        // This was the only reference: the text moves to the new value, at the same address, for a
        // block that points to it.
        drop_text(values, made);
        made->text = old.text;
        made->length = old.length;
        value = weft_values_get(values, *word);
        value->text = NULL;
        value->length = 0;
        values->bare++;
    }
    weft_values_release(values, *word);
    *word = copy;
    return 1;
}

const uint32_t *weft_values_released(const weft_values *values, uint32_t *count) {
    *count = values->released_count;
    return values->released;
}

void weft_values_announced(weft_values *values, uint32_t count) {
    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = values->released[i];
        drop_text(values, &values->items[number]);
        if ((number & 1u) != 0) {
            values->free[values->free_count++] = number;
        }
    }
    values->released_count -= count;
    memmove(values->released, values->released + count, values->released_count * sizeof(uint32_t));
}
