// SPDX-License-Identifier: MIT
// The instance's malloc, which replaces the C library's: it uses the memory after the program's own
// data, grown by pages. Free blocks are kept by size class (eight per power of two) and joined with
// free neighbours at once, so that malloc and free take constant time and memory freed by a large
// thread serves the next one. Does not depend on the engine.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// tests/c/test_heap.c supplies its own memory.
#ifndef HEAP_BASE
extern uint8_t __heap_base;
#define HEAP_BASE ((uintptr_t)0)
#define HEAP_START ((uint32_t)(uintptr_t)&__heap_base)
#define HEAP_PAGES ((uint32_t)__builtin_wasm_memory_size(0))
#ifdef __EMSCRIPTEN__
// Emscripten's glue must be notified: its views end where the memory ended before.
int emscripten_resize_heap(size_t size);
#define HEAP_GROW(pages) emscripten_resize_heap((size_t)(HEAP_PAGES + (pages)) << 16)
#else
#define HEAP_GROW(pages) (__builtin_wasm_memory_grow(0, pages) != SIZE_MAX)
#endif
#endif

// A block is its head (size in bytes and the two flags), then the caller's bytes. All sizes are
// multiples of 8 and heads are 4 bytes before one. A free block has, after its head, the next and
// the previous one of its class (offsets, 0 = none), and its size in its last word.
#define FREE 1u
#define AFTER_FREE 2u
#define LEAST 16u
#define MOST (1u << 30)
#define WORDS 7

static uint32_t lists[WORDS * 32];
static uint32_t filled[WORDS]; // a bit for each class that has a block
static uint32_t last;          // the head of size 0 that ends the heap; 0 before the first block

// Functions no longer than a call of them; a compiler that optimises for size would still call
// them.
#define SHORT static inline __attribute__((always_inline))

SHORT uint32_t *word(uint32_t at) {
    return (uint32_t *)(HEAP_BASE + at);
}

SHORT uint32_t size_at(uint32_t at) {
    return *word(at) & ~7u;
}

static uint32_t shift_of(uint32_t size) {
    return size < 64 ? 3 : 28 - (uint32_t)__builtin_clz(size);
}

static uint32_t class_of(uint32_t size) {
    uint32_t shift = shift_of(size);
    return (shift - 3) * 8 + (size >> shift);
}

static void detach(uint32_t at) {
    uint32_t next = word(at)[1];
    uint32_t previous = word(at)[2];
    uint32_t class = class_of(size_at(at));
    if (next != 0) {
        word(next)[2] = previous;
    }
    if (previous != 0) {
        word(previous)[1] = next;
    } else if ((lists[class] = next) == 0) {
        filled[class / 32] &= ~(1u << class % 32);
    }
}

// Frees the block at `at` and joins it with its free neighbours; returns where it then begins.
static uint32_t give(uint32_t at) {
    uint32_t size = size_at(at);
    if (*word(at + size) & FREE) {
        detach(at + size);
        size += size_at(at + size);
    }
    if (*word(at) & AFTER_FREE) {
        uint32_t before = *word(at - 4);
        at -= before;
        size += before;
        detach(at);
    }
    uint32_t class = class_of(size);
    uint32_t next = lists[class];
    word(at)[0] = size | FREE;
    word(at)[1] = next;
    word(at)[2] = 0;
    *word(at + size - 4) = size;
    *word(at + size) |= AFTER_FREE;
    if (next != 0) {
        word(next)[2] = at;
    }
    lists[class] = at;
    filled[class / 32] |= 1u << class % 32;
    return at;
}

// Finds the first block of the first class whose every block is large enough; 0 when there is none.
static uint32_t find(uint32_t size) {
    uint32_t class = class_of(size + (1u << shift_of(size)) - 1);
    uint32_t i = class / 32;
    uint32_t bits = filled[i] & ~0u << class % 32;
    while (bits == 0 && ++i < WORDS) {
        bits = filled[i];
    }
    return bits == 0 ? 0 : lists[i * 32 + (uint32_t)__builtin_ctz(bits)];
}

// Makes the heap end with a free block of at least `size` bytes; returns it, or 0 when the memory
// cannot grow.
static uint32_t grow(uint32_t size) {
    if (last == 0) {
        last = (HEAP_START + 11) / 8 * 8 - 4;
        *word(last) = 0;
    }
    uint32_t have = *word(last) & AFTER_FREE ? *word(last - 4) : 0;
    if (have >= size) {
        return last - have;
    }
    if (!HEAP_GROW((size - have) / 65536 + 1)) {
        return 0;
    }
    uint32_t at = last;
    last = HEAP_PAGES * 65536 - 4;
    *word(at) += last - at;
    *word(last) = 0;
    return give(at);
}

// Turns the block at `at`, of `have` bytes and in no list, into a used one of `size` bytes; frees
// the rest.
static void *take(uint32_t at, uint32_t have, uint32_t size) {
    uint32_t flags = *word(at) & AFTER_FREE;
    if (have - size < LEAST) {
        size = have;
        *word(at + size) &= ~AFTER_FREE;
    } else {
        *word(at + size) = have - size;
        give(at + size);
    }
    *word(at) = size | flags;
    return word(at + 4);
}

static uint32_t size_for(size_t bytes) {
    return bytes < LEAST - 4 ? LEAST : ((uint32_t)bytes + 11) & ~7u;
}

void *malloc(size_t bytes) {
    if (bytes > MOST) {
        return NULL;
    }
    uint32_t size = size_for(bytes);
    uint32_t at = find(size);
    if (at == 0 && (at = grow(size)) == 0) {
        return NULL;
    }
    detach(at);
    return take(at, size_at(at), size);
}

void free(void *block) {
    if (block != NULL) {
        give((uint32_t)((uintptr_t)block - HEAP_BASE) - 4);
    }
}

void *realloc(void *block, size_t bytes) {
    if (block == NULL || bytes > MOST) {
        return block == NULL ? malloc(bytes) : NULL;
    }
    uint32_t at = (uint32_t)((uintptr_t)block - HEAP_BASE) - 4;
    uint32_t have = size_at(at);
    uint32_t size = size_for(bytes);
    uint32_t next = at + have;
    uint32_t room = *word(next) & FREE ? size_at(next) : 0;
    if (have + room < size && next + room == last && grow(size - have) != 0) {
        room = size_at(next);
    }
    if (have + room < size) {
        void *moved = malloc(bytes);
        if (moved != NULL) {
            memcpy(moved, block, have - 4);
            free(block);
        }
        return moved;
    }
    if (size > have) {
        detach(next);
        have += room;
    }
    return take(at, have, size);
}

#ifdef __EMSCRIPTEN__
// The C library's opendir needs calloc. no_builtin keeps the compiler from making it a call of
// itself.
__attribute__((no_builtin("calloc"))) void *calloc(size_t count, size_t size) {
    void *block = malloc(count * size);
    return block == NULL ? NULL : memset(block, 0, count * size);
}
#endif
