// SPDX-License-Identifier: MIT
// Hash map from byte strings to u32, open addressing. Does not own the keys: a key must live as
// long as its entry. The caller seeds a map whose keys come from outside, so that crafted keys
// cannot make it linear.
#ifndef WEFT_BASE_MAP_H
#define WEFT_BASE_MAP_H

#include "memory.h"
#include "status.h"

typedef struct weft_map_entry {
    const uint8_t *key;
    uint32_t length;
    uint32_t hash;
    uint32_t value;
    uint32_t state; // 0 free, 1 used, 2 removed
} weft_map_entry;

typedef struct weft_map {
    weft_memory *memory;
    weft_map_entry *entries;
    uint32_t capacity; // power of two or 0
    uint32_t used;     // entries in state 1
    uint32_t filled;   // entries in state 1 or 2
    uint64_t seed;
} weft_map;

// Init takes no memory yet; fini frees what the map took, clear keeps it. `seed` seeds the hash.
void weft_map_init(weft_map *map, weft_memory *memory, uint64_t seed);
void weft_map_fini(weft_map *map);
void weft_map_clear(weft_map *map);

// Looks up `key` and writes its value to `*value`; returns 1 when found, else 0.
int weft_map_get(const weft_map *map, const void *key, uint32_t length, uint32_t *value);

// Sets `key` to `value`; an existing entry then refers to the new key pointer, whose bytes are
// equal. WEFT_ERR_NO_MEMORY leaves the map unchanged.
weft_status weft_map_set(weft_map *map, const void *key, uint32_t length, uint32_t value);

// Removes `key`; returns 1 if it was there.
int weft_map_remove(weft_map *map, const void *key, uint32_t length);

#endif
