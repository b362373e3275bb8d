// SPDX-License-Identifier: MIT
// The allocator: a parameter, never a global. Every owner keeps a pointer to the memory that it
// allocates from. Enforces the byte budget (MEMORY_LIMIT) for everything allocated through it.
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// Supplied by the embedder. `alloc` and `resize` return NULL when there is no memory; `size`s are
// exact. `live` counts the bytes handed out; an allocation that would lift it above `budget` (0 =
// no limit) is refused.
typedef struct weft_memory {
    void *(*alloc)(void *user, size_t size);
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void (*release)(void *user, void *block, size_t size);
    void *user;
    size_t budget;
    size_t live;
    uint64_t seed; // seed of maps whose keys come from outside; from the host's randomness once it
                   // has sent some
#ifdef WEFT_TEST
    int exact; // no spare capacity is taken: each growth, and each block of an arena, is an
               // allocation that a test can refuse
#endif
} weft_memory;

// Allocates `size` bytes (never 0), uninitialised; NULL when refused. Freed with
// weft_memory_release and the same size.
void *weft_memory_alloc(weft_memory *memory, size_t size);

// As weft_memory_alloc, filled with zero; checks `count * size` for overflow. `size` is never 0.
void *weft_memory_zeroed(weft_memory *memory, size_t count, size_t size);

// Resizes `block` (NULL counts as new). On NULL the old block is still valid and owned by the
// caller.
void *weft_memory_resize(weft_memory *memory, void *block, size_t old_size, size_t new_size);

// Frees `block`; NULL is ignored.
void weft_memory_release(weft_memory *memory, void *block, size_t size);

// Grows the array `*items` (element size `size`, capacity `*capacity`) to at least `need` elements.
// Returns 1, or 0 when refused (array unchanged).
int weft_memory_reserve(weft_memory *memory, void *items, size_t size, uint32_t *capacity,
                        uint32_t need);

#endif
