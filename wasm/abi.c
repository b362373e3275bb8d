// SPDX-License-Identifier: MIT
// The border (wasm/README.md): one engine per instance, one input area, functions exported by
// attribute. Only uses weft.h.
#include <stdlib.h>

#include "abi.h"

static void *heap_alloc(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *heap_resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(block, new_size);
}

static void heap_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

static weft_memory heap = {.alloc = heap_alloc, .resize = heap_resize, .release = heap_release};
static weft_engine *engine;
// Max size that the input area keeps: memory for a longer input is freed by the next short one.
#define MOST_KEPT (1u << 20)

static uint64_t *input;
static uint32_t input_bytes;

weft_engine *abi_engine(void) {
    return engine;
}

const void *abi_area(void) {
    return input;
}

uint32_t abi_within(uint32_t bytes) {
    return bytes < input_bytes ? bytes : input_bytes;
}

uint32_t abi_words(uint32_t words) {
    return words < input_bytes / 4 ? words : input_bytes / 4;
}

WEFT_API(weft_abi) uint32_t abi_abi(void) {
    return weft_engine_abi();
}

WEFT_API(weft_init) int abi_init(uint32_t budget) {
    if (engine == NULL) {
        heap.budget = budget;
        engine = weft_engine_new(&heap);
    }
    return engine == NULL ? -900 : 0;
}

WEFT_API(weft_input) void *abi_input(uint32_t bytes) {
    if (bytes > input_bytes || (input_bytes > MOST_KEPT && bytes < input_bytes / 4)) {
        uint32_t capacity = bytes > input_bytes && input_bytes > 4096 ? input_bytes : 4096;
        while (capacity < bytes && capacity < (1u << 31)) {
            capacity *= 2;
        }
        uint64_t *moved = realloc(input, capacity);
        if (moved == NULL) {
            return NULL;
        }
        input = moved;
        input_bytes = capacity;
    }
    return input;
}

WEFT_API(weft_graph_new) int abi_graph_new(uint32_t length) {
    return weft_engine_graph_new(engine, input, abi_within(length));
}

WEFT_API(weft_graph_free) int abi_graph_free(int graph) {
    return weft_engine_graph_free(engine, graph);
}

WEFT_API(weft_thread_open) int abi_thread_open(uint32_t length) {
    return weft_engine_thread_open(engine, input, abi_within(length));
}

WEFT_API(weft_thread_reset) int abi_thread_reset(int thread) {
    return weft_engine_thread_reset(engine, thread);
}

WEFT_API(weft_thread_free) int abi_thread_free(int thread) {
    return weft_engine_thread_free(engine, thread);
}

WEFT_API(weft_thread_head) const void *abi_thread_head(int thread) {
    static uint32_t head[4];
    uint64_t seq = 0;
    uint32_t crc = 0;
    int known = weft_engine_thread_head(engine, thread, &seq, &crc);
    head[0] = known == 1;
    head[1] = (uint32_t)seq;
    head[2] = (uint32_t)(seq >> 32);
    head[3] = crc;
    return known < 0 ? NULL : head;
}

WEFT_API(weft_thread_rewrite) const void *abi_thread_rewrite(int thread, uint32_t words) {
    return weft_engine_thread_rewrite(engine, thread, (const uint32_t *)input, abi_words(words));
}

WEFT_API(weft_run_new) int abi_run_new(int graph, int thread) {
    return weft_engine_run_new(engine, graph, thread);
}

WEFT_API(weft_run_child)
int abi_run_child(int graph, int thread, int parent, uint32_t task, uint32_t attempt,
                  uint32_t flags) {
    return weft_engine_run_child(engine, graph, thread, parent, task, attempt, flags);
}

WEFT_API(weft_run_free) int abi_run_free(int run) {
    return weft_engine_run_free(engine, run);
}

WEFT_API(weft_load) void *abi_load(int run, uint32_t bytes) {
    return weft_engine_run_load(engine, run, bytes);
}

WEFT_API(weft_feed) const void *abi_feed(int run, uint32_t words) {
    return weft_engine_run_feed(engine, run, (const uint32_t *)input, abi_words(words));
}

WEFT_API(weft_next) const void *abi_next(int run) {
    return weft_engine_run_next(engine, run);
}

WEFT_API(weft_ask) const void *abi_ask(int run, uint32_t task, uint32_t attempt, uint32_t op) {
    return weft_engine_run_ask(engine, run, task, attempt, op);
}

WEFT_API(weft_spend) int abi_spend(int run, uint32_t kind, uint32_t amount, uint32_t length) {
    return weft_engine_run_spend(engine, run, kind, amount, input, abi_within(length));
}

WEFT_API(weft_hash) const void *abi_hash(uint32_t kind, uint32_t length) {
    return weft_engine_hash(engine, kind, input, abi_within(length));
}

WEFT_API(weft_error) const void *abi_error(void) {
    return weft_engine_error(engine);
}

WEFT_API(weft_live) uint32_t abi_live(void) {
    return weft_engine_live(engine);
}

WEFT_API(weft_bytes) uint32_t abi_bytes(void) {
    return (uint32_t)weft_engine_bytes(engine);
}
