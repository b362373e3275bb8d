// SPDX-License-Identifier: MIT
// Implements memory.h: allocation within a budget, growth of arrays.
#include "memory.h"

#include <string.h>

#define LONG (1u << 20) // bytes

static int over_budget(const weft_memory *memory, size_t more) {
    return memory->budget != 0 && (more > memory->budget || memory->live > memory->budget - more);
}

void *weft_memory_alloc(weft_memory *memory, size_t size) {
    if (over_budget(memory, size)) {
        return NULL;
    }
    void *block = memory->alloc(memory->user, size);
    if (block != NULL) {
        memory->live += size;
    }
    return block;
}

void *weft_memory_zeroed(weft_memory *memory, size_t count, size_t size) {
    if (count > SIZE_MAX / size) {
        return NULL;
    }
    size_t bytes = count * size;
    if (bytes == 0) {
        bytes = 1;
    }
    void *block = weft_memory_alloc(memory, bytes);
    if (block != NULL) {
        memset(block, 0, bytes);
    }
    return block;
}

void *weft_memory_resize(weft_memory *memory, void *block, size_t old_size, size_t new_size) {
    if (block == NULL) {
        return weft_memory_alloc(memory, new_size);
    }
    if (new_size > old_size && over_budget(memory, new_size - old_size)) {
        return NULL;
    }
    void *moved = memory->resize(memory->user, block, old_size, new_size);
    if (moved != NULL) {
        memory->live = memory->live - old_size + new_size;
    }
    return moved;
}

void weft_memory_release(weft_memory *memory, void *block, size_t size) {
    if (block == NULL) {
        return;
    }
    memory->live -= size;
    memory->release(memory->user, block, size);
}

int weft_memory_reserve(weft_memory *memory, void *items, size_t size, uint32_t *capacity,
                        uint32_t need) {
    if (need <= *capacity) {
        return 1;
    }
    uint32_t room = *capacity < 4 ? 4 : *capacity;
#ifdef WEFT_TEST
    room = memory->exact ? need : room;
#endif
    while (room < need) {
        if (room > UINT32_MAX / 2) {
            return 0;
        }
        room *= 2;
    }
    // A long array is seldom doubled again, so half of it would stay unused.
    uint32_t spare = need / 8;
    if (need > LONG / size && room - need > spare) {
        room = need + spare;
    }
    if (room > SIZE_MAX / size) {
        return 0;
    }
    void *old = NULL;
    memcpy(&old, items, sizeof(old));
    void *moved = weft_memory_resize(memory, old, *capacity * size, room * size);
    if (moved == NULL) {
        return 0;
    }
    memcpy(items, &moved, sizeof(moved));
    *capacity = room;
    return 1;
}
