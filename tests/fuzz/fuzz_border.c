// SPDX-License-Identifier: MIT
// T11: the exports of wasm/*.c as a host without manners calls them: any handle, any length, any
// words, in any order. A length that is larger than the input area reads nothing behind it. In the
// end every handle is freed and nothing is left alive.
#include <stdio.h>

#include "fuzz.h"
#include "weft.h"

#define MOST_CALLS 200
#define HANDLES 16

// The exports (wasm/README.md). What they lend in WebAssembly's memory are pointers here.
extern int abi_init(uint32_t budget);
extern void *abi_input(uint32_t bytes);
extern int abi_graph_new(uint32_t length);
extern int abi_graph_free(int graph);
extern int abi_thread_open(uint32_t length);
extern int abi_thread_reset(int thread);
extern int abi_thread_free(int thread);
extern const void *abi_thread_head(int thread);
extern const uint32_t *abi_thread_rewrite(int thread, uint32_t words);
extern int abi_run_new(int graph, int thread);
extern int abi_run_child(int graph, int thread, int parent, uint32_t task, uint32_t attempt,
                         uint32_t flags);
extern int abi_run_free(int run);
extern void *abi_load(int run, uint32_t bytes);
extern const uint32_t *abi_feed(int run, uint32_t words);
extern const void *abi_next(int run);
extern const uint32_t *abi_ask(int run, uint32_t task, uint32_t attempt, uint32_t op);
extern int abi_spend(int run, uint32_t kind, uint32_t amount, uint32_t length);
extern const void *abi_hash(uint32_t kind, uint32_t length);
extern uint32_t abi_live(void);
extern int abi_tools_new(uint32_t length);
extern int abi_tools_free(int toolset);
extern const void *abi_tools_plan(int toolset, uint32_t words);
extern int abi_schema_new(uint32_t length);
extern int abi_schema_free(int schema);
extern const void *abi_schema_check(int schema, uint32_t length, uint32_t flags, uint32_t seed,
                                    uint32_t answers);

static int handles[HANDLES];
static uint32_t handle_count;
static uint32_t tick;
static uint32_t filled; // bytes of the input area that were asked for last

static const char *const texts[] = {
    "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"},{\"name\":\"m\",\"kind\":\"messages\"}],"
    "\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
    "\"edges\":[[\"__start__\",\"a\"],[\"a\",\"b\"],[\"b\",\"__end__\"]],\"output\":[\"n\"]}",
    "{\"channels\":[{\"name\":\"n\",\"kind\":\"binop\"}],\"nodes\":[{\"name\":\"a\",\"defer\":true,"
    "\"cache\":true}],\"edges\":[[\"__start__\",\"a\"]],"
    "\"branches\":[{\"from\":\"a\",\"ends\":null}],\"output\":[\"n\"],\"interruptBefore\":\"*\"}",
    "[{\"name\":\"a\",\"schema\":{\"type\":\"object\",\"properties\":{\"x\":{\"default\":1}}}},{"
    "\"name\":\"b\",\"schema\":null,\"digest\":true}]",
    "{\"schema\":{\"type\":\"object\",\"additionalProperties\":{\"pattern\":\"^(?=x)\",\"format\":"
    "\"f\"}},\"formats\":{\"f\":null},\"assert\":true}",
    "t",
};

// A handle that was given out, or any number.
static int any_handle(fuzz_bytes *from) {
    uint32_t choice = fuzz_byte(from);
    return choice >= 250                       ? (int)fuzz_word(from)
           : choice % (HANDLES + 1) == HANDLES ? 0
                                               : handles[choice % (HANDLES + 1)];
}

static void keep(int handle) {
    demand(handle != 0);
    if (handle > 0) {
        handles[handle_count++ % HANDLES] = handle;
    }
}

// A length that fits what was put into the area, or any.
static uint32_t any_length(fuzz_bytes *from, uint32_t right) {
    uint32_t choice = fuzz_byte(from);
    return choice < 200 ? right : choice < 240 ? choice - 200 : fuzz_word(from);
}

// Words, a byte each; from 240 on another 4 bytes tell.
static uint32_t any_word(fuzz_bytes *from) {
    uint32_t byte = fuzz_byte(from);
    return byte < 240 ? byte : fuzz_word(from);
}

// Fills the input area with records of a batch whose lengths are right.
static uint32_t put_batch(fuzz_bytes *from) {
    uint32_t records = fuzz_byte(from) % 5, words = 4;
    uint32_t *area = abi_input(4 * (4 + 5 * 66));
    demand(area != NULL);
    for (; records > 0; records--) {
        uint32_t count = fuzz_byte(from) % 64;
        area[words] = fuzz_byte(from) | fuzz_byte(from) << 16;
        area[words + 1] = count;
        for (uint32_t i = 0; i < count; i++) {
            area[words + 2 + i] = any_word(from);
        }
        words += 2 + count;
    }
    tick += 1000;
    memcpy(area, (uint32_t[]){words - 4, tick, 0x3c6580, 0}, 16);
    filled = 4 * words;
    return words;
}

static void put_bytes(fuzz_bytes *from) {
    uint32_t length;
    const uint8_t *bytes = fuzz_some(from, fuzz_short(from), &length);
    uint8_t *area = abi_input(length);
    demand(length == 0 || area != NULL);
    if (length > 0) {
        memcpy(area, bytes, length);
    }
    filled = length;
}

static void put_text(uint32_t number) {
    const char *text = texts[number % (sizeof(texts) / sizeof(*texts))];
    filled = (uint32_t)strlen(text);
    memcpy(abi_input(filled), text, filled);
}

// A block's records lie inside it.
static void read_block(const uint32_t *block) {
    if (block == NULL) {
        return;
    }
    uint32_t at = 4;
    while (at < block[0] + 4) {
        demand(block[at + 1] <= block[0] + 4 - at - 2);
        at += block[at + 1] + 2;
    }
    demand(at == block[0] + 4);
}

// A log of its own area; the answer that follows in the batch names it.
static void load(int run, fuzz_bytes *from) {
    uint32_t length;
    const uint8_t *bytes = fuzz_some(from, fuzz_byte(from), &length);
    uint8_t *area = abi_load(run, length);
    if (area != NULL && length > 0) {
        memcpy(area, bytes, length);
    }
}

static void free_any(int handle) {
    if (abi_run_free(handle) != 0 && abi_thread_free(handle) != 0 && abi_graph_free(handle) != 0 &&
        abi_tools_free(handle) != 0) {
        abi_schema_free(handle);
    }
}

static void call_things(uint32_t op, fuzz_bytes *from) {
    switch (op) {
    case 0:
        put_bytes(from);
        break;
    case 1:
        put_text(fuzz_byte(from));
        break;
    case 2:
        keep(abi_graph_new(any_length(from, filled)));
        break;
    case 3:
        keep(abi_thread_open(any_length(from, filled)));
        break;
    case 4:
        keep(abi_tools_new(any_length(from, filled)));
        break;
    case 5:
        keep(abi_schema_new(any_length(from, filled)));
        break;
    case 6:
        abi_tools_plan(any_handle(from), any_length(from, filled / 4));
        break;
    case 7:
        abi_hash(fuzz_byte(from), any_length(from, filled));
        break;
    case 8: {
        uint32_t length = any_length(from, filled);
        abi_schema_check(any_handle(from), length, fuzz_byte(from), 3, any_length(from, 0));
        break;
    }
    default:
        free_any(any_handle(from));
    }
}

static void call_runs(uint32_t op, fuzz_bytes *from) {
    int handle = any_handle(from);
    switch (op) {
    case 0:
        keep(abi_run_new(handle, any_handle(from)));
        break;
    case 1: {
        int thread = any_handle(from), parent = any_handle(from);
        uint32_t task = any_word(from);
        keep(abi_run_child(handle, thread, parent, task, any_word(from), fuzz_byte(from)));
        break;
    }
    case 2:
    case 3:
        read_block(abi_feed(handle, any_length(from, put_batch(from))));
        abi_next(handle);
        break;
    case 4: {
        uint32_t task = any_word(from);
        abi_ask(handle, task, any_word(from), fuzz_byte(from));
        break;
    }
    case 5:
        abi_spend(handle, any_word(from), any_word(from), any_length(from, filled));
        break;
    case 6:
        load(handle, from);
        break;
    case 7:
        abi_thread_reset(handle);
        break;
    case 8:
        abi_thread_head(handle);
        break;
    default:
        abi_thread_rewrite(handle, any_length(from, filled / 4));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes from = {data, size};
    demand(abi_init(64u << 20) == 0);
    handle_count = 0;
    tick = 1;
    memset(handles, 0, sizeof(handles));
    put_text(0);
    keep(abi_graph_new(filled));
    put_text(4);
    keep(abi_thread_open(filled));
    keep(abi_run_new(handles[0], handles[1]));
    for (uint32_t i = 0; i < MOST_CALLS && from.left > 0 && handle_count < HANDLES; i++) {
        uint32_t op = fuzz_byte(&from) % 20;
        if (op < 10) {
            call_things(op, &from);
        } else {
            call_runs(op - 10, &from);
        }
    }
    for (uint32_t i = HANDLES; i > 0; i--) {
        free_any(handles[i - 1]);
    }
    demand(abi_live() == 0);
    return 0;
}
