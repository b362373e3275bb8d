// SPDX-License-Identifier: MIT
// The engine of Weft: a pure machine that runs agent graphs. Feed it events, execute its commands;
// it remembers nothing but the bytes that it asks its host to save. No I/O, no clock, no
// randomness, no threads. wasm/README.md describes definitions, batches and blocks.
//
// Lifetimes: memory that a function returns is borrowed and valid until the next call named in its
// comment. Functions that return int give a handle (above 0) or 0 on success, a status
// (src/base/error_messages.def) below 0 on failure; those that end a handle can only fail with
// STALE_HANDLE. Texts and batches belong to the caller and are read during the call only.
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct weft_engine weft_engine;

// ---- Engine

// Makes an engine in `memory` (borrowed for its life; the embedder supplies its three functions and
// its budget), or NULL when there is no memory.
weft_engine *weft_engine_new(weft_memory *memory);
void weft_engine_free(weft_engine *engine);

// Returns a hash of the tables of codes: a host with other tables must refuse the engine.
uint32_t weft_engine_abi(void);

// Return the number of live values, and the bytes allocated.
uint32_t weft_engine_live(const weft_engine *engine);
size_t weft_engine_bytes(const weft_engine *engine);

// Returns the words of the last failed *_new: {status, count, strings}; borrowed until the next
// *_new. NULL when there are none.
const uint8_t *weft_engine_error(const weft_engine *engine);

// ---- Graphs

// Makes a graph from its definition (JSON, UTF-8). The building rules' statuses (words: the node),
// BAD_DEFINITION (words: what is wrong), BAD_STRING (words: the name as written, reason), the JSON
// statuses (words: number, reason: the number is the limit, or the byte), NO_MEMORY.
int weft_engine_graph_new(weft_engine *engine, const void *definition, size_t length);

// Ends the handle; the graph lives as long as its runs.
int weft_engine_graph_free(weft_engine *engine, int graph);

// ---- Threads

// Opens a thread by its id (UTF-8). ARGUMENT for an empty id, NO_MEMORY. It lives as long as its
// runs.
int weft_engine_thread_open(weft_engine *engine, const void *id, size_t length);
int weft_engine_thread_free(weft_engine *engine, int thread);

// Forgets the head and the kept state, so that the next run reads the store. STALE_HANDLE.
int weft_engine_thread_reset(weft_engine *engine, int thread);

// Gives the end of the chain of frames as handed out: returns 1 and fills, 0 when the store was not
// read yet, or STALE_HANDLE.
int weft_engine_thread_head(const weft_engine *engine, int thread, uint64_t *seq, uint32_t *crc);

// Rewrites a thread's log for `thread` (wasm/README.md, "Logs"). Returns {status, seq before u64,
// seq u64, crc, kept, dropped, length, frames}, borrowed until the next one. NULL: stale handle or
// no memory. The thread itself is unchanged.
const uint8_t *weft_engine_thread_rewrite(weft_engine *engine, int thread, const uint32_t *batch,
                                          uint32_t words);

// ---- Runs

// Makes a run of `graph` on `thread` (0: nothing is saved). STALE_HANDLE, NO_MEMORY.
int weft_engine_run_new(weft_engine *engine, int graph, int thread);

// Makes a child run inside a task of run `parent`: it takes over namespace, ancestors, answers and
// time travel, and has its own lifetime. `flags` are WEFT_CHILD_*: STABLE, its namespace has no
// ids; MAY_ASK, it saves nothing itself, but a parent run does; ROOT, it is the root of its thread.
// STALE_HANDLE, also when that attempt is not running; NO_MEMORY.
int weft_engine_run_child(weft_engine *engine, int graph, int thread, int parent, uint32_t task,
                          uint32_t attempt, uint32_t flags);
int weft_engine_run_free(weft_engine *engine, int run);

// Returns a buffer of `bytes` bytes for the log that LOADED announces; the run owns it. NULL: stale
// handle, no memory, or the run requested no log.
void *weft_engine_run_load(weft_engine *engine, int run, uint32_t bytes);

// Processes a batch of `words` words and returns a block, borrowed until the next feed of the same
// run. NULL: stale handle or no memory.
const uint8_t *weft_engine_run_feed(weft_engine *engine, int run, const uint32_t *batch,
                                    uint32_t words);

// Returns the last block again, borrowed until the next feed. NULL: stale handle.
const uint8_t *weft_engine_run_next(const weft_engine *engine, int run);

// Checks a run's limits before one more of `what` (WEFT_LIMIT_*), or adds a used `amount`. 0 = go
// on, 1 + the limit that forbids it, WEFT_ERR_STALE_HANDLE, WEFT_ERR_NO_MEMORY. TOOL_CALLS: `call`
// is `length` bytes that are the same for equal calls; other limits ignore it.
int weft_engine_run_spend(weft_engine *engine, int run, uint32_t what, uint32_t amount,
                          const void *call, uint32_t length);

// Answers code inside a node; the answer is borrowed until the next ask of the same run. NULL:
// stale handle or no memory.
const uint8_t *weft_engine_run_ask(weft_engine *engine, int run, uint32_t task, uint32_t attempt,
                                   uint32_t op);

// ---- Hashes

// Returns the bytes' WEFT_HASH_*, as its definition prints it (CRC-32C: 4 bytes, little-endian);
// borrowed until the next call.
const uint8_t *weft_engine_hash(weft_engine *engine, uint32_t hash, const void *bytes,
                                size_t length);

// ---- Tools

// Makes a closed set of tools from its definition (JSON, UTF-8). BAD_DEFINITION, the JSON statuses
// and SCHEMA_BUDGET (words: number, reason), BAD_SCHEMA and BAD_PATTERN (words: the tool's name and
// the JSON Pointer in its schema, reason), NO_MEMORY.
int weft_engine_toolset_new(weft_engine *engine, const void *definition, size_t length);
int weft_engine_toolset_free(weft_engine *engine, int toolset);

// Plans the tool calls in a batch of `words` words: returns {status, count, calls...}, borrowed
// until the next plan with the same toolset. NULL: stale handle or no memory.
const uint8_t *weft_engine_toolset_plan(weft_engine *engine, int toolset, const uint32_t *batch,
                                        uint32_t words);

// The react agent's routers: from WEFT_REACT_* flags, the number of calls of the last message and
// the remaining steps to WEFT_ROUTE_*: after the model, before its answer is used, after the tools.
uint32_t weft_engine_route_model(uint32_t flags, uint32_t calls);
uint32_t weft_engine_route_guard(uint32_t flags, uint32_t calls, int32_t remaining);
uint32_t weft_engine_route_tools(uint32_t flags);

// ---- Schemas

// Makes a checker from the wrapped schema in `text` (JSON, UTF-8; wasm/README.md). BAD_SCHEMA and
// BAD_PATTERN (words: JSON Pointer, reason), SCHEMA_BUDGET and the JSON statuses (words: number,
// reason), NO_MEMORY.
int weft_engine_schema_new(weft_engine *engine, const void *text, size_t length);
int weft_engine_schema_free(weft_engine *engine, int schema);

// Checks a JSON text of `length` bytes, which follows `answers` x {pattern, value, 0 or 1} in
// `input`: 1 = valid without defaults to fill in, `*block` is the tape; 0 = `*block` has more; else
// a status. The block is borrowed until the next check against the same schema. `seed`: entropy.
int weft_engine_schema_check(weft_engine *engine, int schema, const uint32_t *input,
                             uint32_t length, uint32_t flags, uint32_t seed, uint32_t answers,
                             const uint8_t **block);

#endif
