// SPDX-License-Identifier: MIT
// Arena: allocates many small blocks, for one step or one document, and frees them all at once.
// Owns its chunks; one chunk survives a reset.
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include "memory.h"

typedef struct weft_arena_chunk weft_arena_chunk;

typedef struct weft_arena {
    weft_memory *memory;
    weft_arena_chunk *chunks;
    size_t used;
} weft_arena;

// Init takes no memory yet; fini frees everything that the arena took.
void weft_arena_init(weft_arena *arena, weft_memory *memory);
void weft_arena_fini(weft_arena *arena);

// Frees every block; keeps the newest chunk for the next step.
void weft_arena_reset(weft_arena *arena);

// Returns `size` bytes aligned to 8, valid until reset; NULL when there is no memory.
void *weft_arena_alloc(weft_arena *arena, size_t size);

// As weft_arena_alloc for `count` elements of `size` bytes, filled with zero; checks the product.
void *weft_arena_zeroed(weft_arena *arena, size_t count, size_t size);

#endif
