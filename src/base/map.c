// SPDX-License-Identifier: MIT
// Implements map.h: linear probing.
#include "map.h"

#include <string.h>

#include "hash.h"

enum { FREE = 0, USED = 1, REMOVED = 2 };

static weft_map_entry *find(const weft_map *map, const void *key, uint32_t length, uint32_t hash) {
    if (map->used == 0) {
        return NULL;
    }
    uint32_t mask = map->capacity - 1;
    for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
        weft_map_entry *entry = &map->entries[at];
        if (entry->state == FREE) {
            return NULL;
        }
        if (entry->state == USED && entry->hash == hash && entry->length == length &&
            (length == 0 || memcmp(entry->key, key, length) == 0)) {
            return entry;
        }
    }
}

// Finds the first place for `hash` without a used entry; the table must have one.
static weft_map_entry *vacant(weft_map_entry *entries, uint32_t capacity, uint32_t hash) {
    uint32_t at = hash & (capacity - 1);
    while (entries[at].state == USED) {
        at = (at + 1) & (capacity - 1);
    }
    return &entries[at];
}

// Makes room for one more entry: at most three quarters of the places are filled.
static weft_status reserve(weft_map *map) {
    if (map->capacity != 0 && map->filled + 1 <= map->capacity - map->capacity / 4) {
        return WEFT_OK;
    }
    uint32_t capacity = map->capacity < 8 ? 8 : map->capacity;
    if (map->used >= capacity / 2) {
        if (capacity > UINT32_MAX / 2) {
            return WEFT_ERR_NO_MEMORY;
        }
        capacity *= 2;
    }
    weft_map_entry *entries = weft_memory_zeroed(map->memory, capacity, sizeof(*entries));
    if (entries == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->entries[i].state == USED) {
            *vacant(entries, capacity, map->entries[i].hash) = map->entries[i];
        }
    }
    weft_memory_release(map->memory, map->entries, map->capacity * sizeof(*entries));
    map->entries = entries;
    map->capacity = capacity;
    map->filled = map->used;
    return WEFT_OK;
}

void weft_map_init(weft_map *map, weft_memory *memory, uint64_t seed) {
    *map = (weft_map){.memory = memory, .seed = seed};
}

void weft_map_fini(weft_map *map) {
    weft_memory_release(map->memory, map->entries, map->capacity * sizeof(*map->entries));
    weft_map_init(map, map->memory, map->seed);
}

void weft_map_clear(weft_map *map) {
    if (map->filled != 0) {
        memset(map->entries, 0, map->capacity * sizeof(*map->entries));
    }
    map->used = 0;
    map->filled = 0;
}

int weft_map_get(const weft_map *map, const void *key, uint32_t length, uint32_t *value) {
    const weft_map_entry *entry = find(map, key, length, weft_hash_seeded(map->seed, key, length));
    if (entry == NULL) {
        return 0;
    }
    *value = entry->value;
    return 1;
}

weft_status weft_map_set(weft_map *map, const void *key, uint32_t length, uint32_t value) {
    uint32_t hash = weft_hash_seeded(map->seed, key, length);
    weft_map_entry *entry = find(map, key, length, hash);
    if (entry == NULL) {
        WEFT_TRY(reserve(map));
        entry = vacant(map->entries, map->capacity, hash);
        map->filled += entry->state == FREE;
        map->used++;
    }
    *entry =
        (weft_map_entry){.key = key, .length = length, .hash = hash, .value = value, .state = USED};
    return WEFT_OK;
}

int weft_map_remove(weft_map *map, const void *key, uint32_t length) {
    weft_map_entry *entry = find(map, key, length, weft_hash_seeded(map->seed, key, length));
    if (entry == NULL) {
        return 0;
    }
    entry->state = REMOVED;
    entry->key = NULL;
    map->used--;
    return 1;
}
