// SPDX-License-Identifier: MIT
// Implements arena.h: a chain of chunks, newest first.
#include "arena.h"

#include <string.h>

#define CHUNK_BYTES 1024u
#ifdef WEFT_TEST
#define IS_EXACT(memory) (memory)->exact
#else
#define IS_EXACT(memory) 0
#endif

struct weft_arena_chunk {
    weft_arena_chunk *next;
    size_t size; // bytes of data behind this header
};

static unsigned char *data_of(weft_arena_chunk *chunk) {
    return (unsigned char *)(chunk + 1);
}

static void release_chain(weft_memory *memory, weft_arena_chunk *chunk) {
    while (chunk != NULL) {
        weft_arena_chunk *next = chunk->next;
        weft_memory_release(memory, chunk, sizeof(*chunk) + chunk->size);
        chunk = next;
    }
}

void weft_arena_init(weft_arena *arena, weft_memory *memory) {
    arena->memory = memory;
    arena->chunks = NULL;
    arena->used = 0;
}

void weft_arena_fini(weft_arena *arena) {
    release_chain(arena->memory, arena->chunks);
    arena->chunks = NULL;
    arena->used = 0;
}

void weft_arena_reset(weft_arena *arena) {
    if (arena->chunks != NULL) {
        release_chain(arena->memory, arena->chunks->next);
        arena->chunks->next = NULL;
    }
    arena->used = 0;
}

void *weft_arena_alloc(weft_arena *arena, size_t size) {
    if (size > SIZE_MAX - CHUNK_BYTES - 64) {
        return NULL;
    }
    size_t need = (size + 7u) & ~(size_t)7u;
    if (arena->chunks == NULL || arena->chunks->size - arena->used < need) {
        size_t capacity = need > CHUNK_BYTES || IS_EXACT(arena->memory) ? need : CHUNK_BYTES;
        if (arena->chunks != NULL && !IS_EXACT(arena->memory) &&
            capacity < arena->chunks->size * 2 && arena->chunks->size < ((size_t)1 << 20)) {
            capacity = arena->chunks->size * 2;
        }
        weft_arena_chunk *chunk = weft_memory_alloc(arena->memory, sizeof(*chunk) + capacity);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->next = arena->chunks;
        chunk->size = capacity;
        arena->chunks = chunk;
        arena->used = 0;
    }
    void *block = data_of(arena->chunks) + arena->used;
    arena->used += need;
    return block;
}

void *weft_arena_zeroed(weft_arena *arena, size_t count, size_t size) {
    if (count > SIZE_MAX / size) {
        return NULL;
    }
    void *block = weft_arena_alloc(arena, count * size);
    if (block != NULL) {
        memset(block, 0, count * size);
    }
    return block;
}
