// SPDX-License-Identifier: MIT
// Step scratch: many small blocks, dropped at once. Owns its chunks; the first chunk survives a
// reset.
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include "memory.h"

typedef struct weft_arena_chunk weft_arena_chunk;

typedef struct weft_arena {
    weft_memory *memory;
    weft_arena_chunk *chunks;
    size_t used;
} weft_arena;

// Takes no memory yet; fini gives back all that it took.
void weft_arena_init(weft_arena *arena, weft_memory *memory);
void weft_arena_fini(weft_arena *arena);

// Drops every block; keeps the newest chunk for the next step.
void weft_arena_reset(weft_arena *arena);

// `size` bytes aligned to 8, lent until reset; NULL when there is no memory.
void *weft_arena_alloc(weft_arena *arena, size_t size);

// As weft_arena_alloc for `count` elements of `size` bytes, filled with zero; checks the product.
void *weft_arena_zeroed(weft_arena *arena, size_t count, size_t size);

#endif
