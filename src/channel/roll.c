// SPDX-License-Identifier: MIT
#include "roll.h"

#include <string.h>

static size_t size_of(uint32_t room, uint32_t name) {
    return sizeof(weft_roll) + (size_t)room * sizeof(weft_word) + name;
}

weft_roll *weft_roll_new(weft_values *values, weft_log_text name, uint32_t room) {
    weft_roll *roll = weft_memory_zeroed(values->memory, 1, size_of(room, name.length));
    if (roll != NULL) {
        roll->values = values;
        roll->refs = 1;
        roll->room = room;
        roll->name = (weft_log_text){(uint8_t *)&roll->words[room], name.length};
        memcpy(&roll->words[room], name.bytes, name.length);
        weft_buffer_init(&roll->text, values->memory);
    }
    return roll;
}

void weft_roll_release(weft_roll *roll) {
    if (roll == NULL || --roll->refs > 0) {
        return;
    }
    for (uint32_t i = 0; i < roll->count; i++) {
        weft_values_release(roll->values, roll->words[i]);
    }
    weft_buffer_fini(&roll->text);
    weft_memory_release(roll->values->memory, roll, size_of(roll->room, roll->name.length));
}

static int is_item(const weft_roll *roll, uint32_t at, weft_word word) {
    return at < roll->count && weft_values_same(roll->values, roll->words[at], word);
}

uint32_t weft_roll_find(const weft_roll *roll, const weft_word *words, size_t stride, uint32_t most, uint32_t *at) {
    if (roll == NULL || roll->seq == 0) {
        return 0;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; !is_item(roll, *at, words[0]); i++) {
        if (i == roll->count) {
            return 0;
        }
        *at = i;
    }
    while (count < most && is_item(roll, *at + count, words[count * stride])) {
        count++;
    }
    return count;
}
