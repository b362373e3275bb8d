// SPDX-License-Identifier: MIT
// Implements list_snapshot.h: making, releasing and searching list snapshots.
#include "list_snapshot.h"

#include <string.h>

static size_t size_of(uint32_t capacity, uint32_t name) {
    return sizeof(weft_list_snapshot) + (size_t)capacity * sizeof(weft_word) + name;
}

weft_list_snapshot *weft_list_snapshot_new(weft_values *values, weft_log_text name,
                                           uint32_t capacity) {
    weft_list_snapshot *snapshot =
        weft_memory_zeroed(values->memory, 1, size_of(capacity, name.length));
    if (snapshot != NULL) {
        snapshot->values = values;
        snapshot->refs = 1;
        snapshot->capacity = capacity;
        snapshot->name = (weft_log_text){(uint8_t *)&snapshot->words[capacity], name.length};
        memcpy(&snapshot->words[capacity], name.bytes, name.length);
        weft_buffer_init(&snapshot->text, values->memory);
    }
    return snapshot;
}

void weft_list_snapshot_release(weft_list_snapshot *snapshot) {
    if (snapshot == NULL || --snapshot->refs > 0) {
        return;
    }
    for (uint32_t i = 0; i < snapshot->count; i++) {
        weft_values_release(snapshot->values, snapshot->words[i]);
    }
    weft_buffer_fini(&snapshot->text);
    weft_memory_release(snapshot->values->memory, snapshot,
                        size_of(snapshot->capacity, snapshot->name.length));
}

static int is_item(const weft_list_snapshot *snapshot, uint32_t at, weft_word word) {
    return at < snapshot->count && weft_values_same(snapshot->values, snapshot->words[at], word);
}

uint32_t weft_list_snapshot_find(const weft_list_snapshot *snapshot, const weft_word *words,
                                 size_t stride, uint32_t most, uint32_t *at) {
    if (snapshot == NULL || snapshot->seq == 0) {
        return 0;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; !is_item(snapshot, *at, words[0]); i++) {
        if (i == snapshot->count) {
            return 0;
        }
        *at = i;
    }
    while (count < most && is_item(snapshot, *at + count, words[count * stride])) {
        count++;
    }
    return count;
}
