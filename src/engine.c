// SPDX-License-Identifier: MIT
// Implements weft.h: maps handles to graphs, threads and runs; the only place where numbers from
// outside become objects.
#include <string.h>

#include "base/hash.h"
#include "base/ops.h"
#include "prebuilt/agent.h"
#include "prebuilt/plan.h"
#include "run/host/rewrite.h"
#include "run/machine/run.h"
#include "run/task/child.h"
#include "run/task/limit.h"
#include "schema/check.h"
#include "weft.h"

typedef enum kind { KIND_FREE, KIND_GRAPH, KIND_THREAD, KIND_TOOLSET, KIND_SCHEMA, KIND_RUN } kind;

typedef struct handle {
    void *object;
    uint16_t kind;
    uint16_t generation; // a freed number is reused with the next generation, so that an old handle
                         // does not fit
} handle;

struct weft_engine {
    weft_memory *memory;
    weft_values values;
    handle *handles;
    uint32_t count, capacity;
    uint32_t *free;
    uint32_t free_count, free_capacity;
    weft_buffer error;
    uint8_t digest[32];
    weft_buffer rewritten;
};

#define INDEX_BITS 20u
#define INDEX_LIMIT (1u << INDEX_BITS)
#define GENERATIONS 0x7ffu

static weft_memory *memory_of(const weft_engine *engine) {
    return engine->memory;
}

weft_engine *weft_engine_new(weft_memory *memory) {
    weft_engine *engine = weft_memory_zeroed(memory, 1, sizeof(*engine));
    if (engine == NULL) {
        return NULL;
    }
    engine->memory = memory;
    weft_values_init(&engine->values, memory);
    weft_buffer_init(&engine->error, memory);
    weft_buffer_init(&engine->rewritten, memory);
    return engine;
}

static void free_object(handle *slot) {
    if (slot->kind == KIND_GRAPH) {
        weft_graph_release(slot->object);
    } else if (slot->kind == KIND_THREAD) {
        weft_thread_release(slot->object);
    } else if (slot->kind == KIND_TOOLSET) {
        weft_toolset_free(slot->object);
    } else if (slot->kind == KIND_SCHEMA) {
        weft_checker_free(slot->object);
    } else if (slot->kind == KIND_RUN) {
        weft_run_free(slot->object);
    }
    slot->object = NULL;
    slot->kind = KIND_FREE;
}

void weft_engine_free(weft_engine *engine) {
    weft_memory *memory = memory_of(engine);
    for (uint32_t wanted = KIND_RUN; wanted > KIND_FREE; wanted--) {
        for (uint32_t i = 0; i < engine->count; i++) {
            if (engine->handles[i].kind == wanted) {
                free_object(&engine->handles[i]);
            }
        }
    }
    weft_values_fini(&engine->values);
    weft_buffer_fini(&engine->error);
    weft_buffer_fini(&engine->rewritten);
    weft_memory_release(memory, engine->handles, engine->capacity * sizeof(*engine->handles));
    weft_memory_release(memory, engine->free, engine->free_capacity * sizeof(*engine->free));
    weft_memory_release(memory, engine, sizeof(*engine));
}

// Always inlined, so that the hash of the tables becomes a constant.
#define FOLDED static inline __attribute__((always_inline))

FOLDED uint32_t hash_byte(uint32_t hash, uint32_t byte) {
    return (hash ^ (byte & 0xffu)) * 16777619u;
}

FOLDED uint32_t hash_row(uint32_t hash, int32_t number, size_t names) {
    uint32_t bits = (uint32_t)number;
    hash = hash_byte(hash_byte(hash, bits), bits >> 8);
    hash = hash_byte(hash_byte(hash, bits >> 16), bits >> 24);
    return hash_byte(hash, (uint32_t)names);
}

uint32_t weft_engine_abi(void) {
    uint32_t hash = 2166136261u;
#define X(group, name, number)                                                                     \
    hash = hash_row(hash, (number), sizeof(#group) - 1 + sizeof(#name) - 1);
#include "base/ops.def"
#undef X
#define X(name, number, code, class_name, text, lc_code)                                           \
    hash = hash_row(hash, (number), sizeof(#name) - 1);
#include "base/error_messages.def"
#undef X
    return hash;
}

uint32_t weft_engine_live(const weft_engine *engine) {
    return engine->values.live;
}

size_t weft_engine_bytes(const weft_engine *engine) {
    return engine->memory->live;
}

const uint8_t *weft_engine_error(const weft_engine *engine) {
    return engine->error.length == 0 ? NULL : engine->error.bytes;
}

// ---- handles

static void *object_of(const weft_engine *engine, int number, kind wanted) {
    uint32_t index = (uint32_t)number & (INDEX_LIMIT - 1);
    if (number <= 0 || index == 0 || index > engine->count) {
        return NULL;
    }
    const handle *slot = &engine->handles[index - 1];
    return slot->kind == wanted && slot->generation == (uint32_t)number >> INDEX_BITS ? slot->object
                                                                                      : NULL;
}

// Makes room for one more handle before the object is made, so that placing it cannot fail.
static int reserve(weft_engine *engine) {
    if (engine->free_count > 0) {
        return 1;
    }
    return engine->count + 1 < INDEX_LIMIT &&
           weft_memory_reserve(engine->memory, &engine->handles, sizeof(handle), &engine->capacity,
                               engine->count + 1) &&
           weft_memory_reserve(engine->memory, &engine->free, sizeof(uint32_t),
                               &engine->free_capacity, engine->count + 1);
}

static int place(weft_engine *engine, void *object, kind of) {
    uint32_t index;
    if (engine->free_count > 0) {
        index = engine->free[--engine->free_count];
    } else {
        index = engine->count++;
        engine->handles[index].generation = 0;
    }
    handle *slot = &engine->handles[index];
    slot->object = object;
    slot->kind = (uint16_t)of;
    return (int)(((uint32_t)slot->generation << INDEX_BITS) | (index + 1));
}

static int drop(weft_engine *engine, int number, kind of) {
    if (object_of(engine, number, of) == NULL) {
        return WEFT_ERR_STALE_HANDLE;
    }
    uint32_t index = ((uint32_t)number & (INDEX_LIMIT - 1)) - 1;
    handle *slot = &engine->handles[index];
    free_object(slot);
    slot->generation = (uint16_t)((slot->generation + 1u) & GENERATIONS);
    engine->free[engine->free_count++] = index;
    return WEFT_OK;
}

// ---- graphs

static int keep_error(weft_engine *engine, weft_status status, const weft_graph_error *error) {
    weft_buffer *out = &engine->error;
    weft_buffer_clear(out);
    weft_buffer_u32(out, (uint32_t)status);
    weft_buffer_u32(out, error->count);
    for (uint32_t i = 0; i < error->count; i++) {
        weft_buffer_u32(out, error->words[i].length);
        weft_buffer_append(out, error->words[i].bytes, error->words[i].length);
        while (out->status == WEFT_OK && out->length % 4 != 0) {
            weft_buffer_u8(out, 0);
        }
    }
    if (out->status != WEFT_OK) {
        weft_buffer_clear(out);
        return WEFT_ERR_NO_MEMORY;
    }
    return status;
}

int weft_engine_graph_new(weft_engine *engine, const void *definition, size_t length) {
    weft_graph *graph = NULL;
    weft_graph_error error = {.count = 0};
    if (!reserve(engine)) {
        return keep_error(engine, WEFT_ERR_NO_MEMORY, &error);
    }
    weft_status status = weft_graph_define(engine->memory, definition, length, &graph, &error);
    if (status != WEFT_OK) {
        int refused = keep_error(engine, status, &error);
        weft_graph_release(graph);
        return refused;
    }
    return place(engine, graph, KIND_GRAPH);
}

int weft_engine_graph_free(weft_engine *engine, int graph) {
    return drop(engine, graph, KIND_GRAPH);
}

// ---- threads

int weft_engine_thread_open(weft_engine *engine, const void *id, size_t length) {
    weft_thread *thread;
    if (!reserve(engine)) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_status status = weft_thread_new(engine->memory, id, (uint32_t)length, &thread);
    return status == WEFT_OK ? place(engine, thread, KIND_THREAD) : status;
}

int weft_engine_thread_free(weft_engine *engine, int thread) {
    return drop(engine, thread, KIND_THREAD);
}

int weft_engine_thread_reset(weft_engine *engine, int number) {
    weft_thread *thread = object_of(engine, number, KIND_THREAD);
    if (thread == NULL) {
        return WEFT_ERR_STALE_HANDLE;
    }
    weft_thread_forget(thread);
    return WEFT_OK;
}

int weft_engine_thread_head(const weft_engine *engine, int number, uint64_t *seq, uint32_t *crc) {
    const weft_thread *thread = object_of(engine, number, KIND_THREAD);
    if (thread == NULL) {
        return WEFT_ERR_STALE_HANDLE;
    }
    *seq = thread->chain.last.seq;
    *crc = thread->chain.last.crc;
    return thread->known;
}

const uint8_t *weft_engine_thread_rewrite(weft_engine *engine, int number, const uint32_t *batch,
                                          uint32_t words) {
    const weft_thread *thread = object_of(engine, number, KIND_THREAD);
    weft_buffer *out = &engine->rewritten;
    return thread == NULL || weft_thread_rewrite(thread, batch, words, out) != WEFT_OK ? NULL
                                                                                       : out->bytes;
}

// ---- runs

int weft_engine_run_new(weft_engine *engine, int graph_number, int thread_number) {
    weft_graph *graph = object_of(engine, graph_number, KIND_GRAPH);
    weft_thread *thread = object_of(engine, thread_number, KIND_THREAD);
    weft_run *run;
    if (graph == NULL || (thread == NULL && thread_number != 0)) {
        return WEFT_ERR_STALE_HANDLE;
    }
    if (!reserve(engine)) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_status status = weft_run_new(engine->memory, &engine->values, graph, thread, &run);
    return status == WEFT_OK ? place(engine, run, KIND_RUN) : status;
}

int weft_engine_run_child(weft_engine *engine, int graph, int thread, int parent_number,
                          uint32_t task, uint32_t attempt, uint32_t flags) {
    weft_run *parent = object_of(engine, parent_number, KIND_RUN);
    if (parent == NULL) {
        return WEFT_ERR_STALE_HANDLE;
    }
    int number = weft_engine_run_new(engine, graph, thread);
    if (number <= 0) {
        return number;
    }
    weft_status status =
        weft_child_adopt(object_of(engine, number, KIND_RUN), parent, task, attempt, flags);
    if (status != WEFT_OK) {
        drop(engine, number, KIND_RUN);
        return status;
    }
    return number;
}

int weft_engine_run_free(weft_engine *engine, int run) {
    return drop(engine, run, KIND_RUN);
}

void *weft_engine_run_load(weft_engine *engine, int number, uint32_t bytes) {
    weft_run *run = object_of(engine, number, KIND_RUN);
    return run == NULL ? NULL : weft_run_log(run, bytes);
}

const uint8_t *weft_engine_run_feed(weft_engine *engine, int number, const uint32_t *batch,
                                    uint32_t words) {
    weft_run *run = object_of(engine, number, KIND_RUN);
    return run == NULL ? NULL : weft_run_feed(run, batch, words);
}

const uint8_t *weft_engine_run_next(const weft_engine *engine, int number) {
    const weft_run *run = object_of(engine, number, KIND_RUN);
    return run == NULL ? NULL : weft_run_next(run);
}

const uint8_t *weft_engine_run_ask(weft_engine *engine, int number, uint32_t task, uint32_t attempt,
                                   uint32_t op) {
    weft_run *run = object_of(engine, number, KIND_RUN);
    return run == NULL ? NULL : weft_run_ask(run, task, attempt, op);
}

int weft_engine_run_spend(weft_engine *engine, int number, uint32_t what, uint32_t amount,
                          const void *call, uint32_t length) {
    weft_run *run = object_of(engine, number, KIND_RUN);
    return run == NULL ? WEFT_ERR_STALE_HANDLE : weft_limit_spend(run, what, amount, call, length);
}

// ---- hashes

const uint8_t *weft_engine_hash(weft_engine *engine, uint32_t hash, const void *bytes,
                                size_t length) {
    if (hash == WEFT_HASH_XXH3) {
        weft_hash_xxh3_128(bytes, length, engine->digest);
    } else if (hash == WEFT_HASH_CRC32C) {
        uint32_t crc = weft_hash_crc32c(0, bytes, length);
        for (int i = 0; i < 4; i++) {
            engine->digest[i] = (uint8_t)(crc >> (8 * i));
        }
    } else if (hash == WEFT_HASH_SHA1) {
        weft_hash_sha1_state sha1;
        weft_hash_sha1_init(&sha1);
        weft_hash_sha1_update(&sha1, bytes, length);
        weft_hash_sha1_final(&sha1, engine->digest);
    } else {
        weft_hash_sha256_state sha256;
        weft_hash_sha256_init(&sha256);
        weft_hash_sha256_update(&sha256, bytes, length);
        weft_hash_sha256_final(&sha256, engine->digest);
    }
    return engine->digest;
}

// ---- tools

int weft_engine_toolset_new(weft_engine *engine, const void *definition, size_t length) {
    weft_toolset *set = NULL;
    weft_graph_error error = {.count = 0};
    if (!reserve(engine)) {
        return keep_error(engine, WEFT_ERR_NO_MEMORY, &error);
    }
    weft_status status = weft_toolset_new(engine->memory, definition, length, &set, &error);
    if (status != WEFT_OK) {
        keep_error(engine, status, &error);
        weft_toolset_free(set);
        return status;
    }
    return place(engine, set, KIND_TOOLSET);
}

int weft_engine_toolset_free(weft_engine *engine, int toolset) {
    return drop(engine, toolset, KIND_TOOLSET);
}

const uint8_t *weft_engine_toolset_plan(weft_engine *engine, int number, const uint32_t *batch,
                                        uint32_t words) {
    weft_toolset *set = object_of(engine, number, KIND_TOOLSET);
    return set == NULL || weft_toolset_plan(set, batch, words) == WEFT_ERR_NO_MEMORY
               ? NULL
               : set->answer.bytes;
}

uint32_t weft_engine_route_model(uint32_t flags, uint32_t calls) {
    return weft_agent_after_model(flags, calls);
}

uint32_t weft_engine_route_guard(uint32_t flags, uint32_t calls, int32_t remaining) {
    return weft_agent_guard(flags, calls, remaining);
}

uint32_t weft_engine_route_tools(uint32_t flags) {
    return weft_agent_after_tools(flags);
}

// ---- schemas

int weft_engine_schema_new(weft_engine *engine, const void *text, size_t length) {
    weft_checker *checker = NULL;
    weft_buffer where;
    weft_schema_error why = {.where = &where};
    weft_graph_error error = {.count = 0};
    if (!reserve(engine)) {
        return keep_error(engine, WEFT_ERR_NO_MEMORY, &error);
    }
    weft_buffer_init(&where, engine->memory);
    int status = weft_checker_new(engine->memory, text, length, &checker, &why);
    if (where.status != WEFT_OK) {
        status = status == WEFT_OK ? status : WEFT_ERR_NO_MEMORY;
    }
    if (status != WEFT_OK && status != WEFT_ERR_NO_MEMORY) {
        error.words[error.count++] = (weft_log_text){where.bytes, where.length};
        error.words[error.count++] =
            (weft_log_text){(const uint8_t *)why.reason, (uint32_t)strlen(why.reason)};
    }
    status = status == WEFT_OK ? place(engine, checker, KIND_SCHEMA)
                               : keep_error(engine, (weft_status)status, &error);
    weft_buffer_fini(&where);
    return status;
}

int weft_engine_schema_free(weft_engine *engine, int schema) {
    return drop(engine, schema, KIND_SCHEMA);
}

int weft_engine_schema_check(weft_engine *engine, int number, const uint32_t *input,
                             uint32_t length, uint32_t flags, uint32_t seed, uint32_t answers,
                             const uint8_t **block) {
    weft_checker *checker = object_of(engine, number, KIND_SCHEMA);
    if (checker == NULL) {
        return WEFT_ERR_STALE_HANDLE;
    }
    int verdict = weft_checker_check(checker, input + 3 * (size_t)answers, length, flags, seed,
                                     input, answers);
    *block = verdict == 1 ? (const uint8_t *)checker->tape.tokens : checker->block.bytes;
    return verdict;
}
