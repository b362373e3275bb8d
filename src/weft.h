// SPDX-License-Identifier: MIT
// The engine of Weft: a pure machine that runs agent graphs. Feed it events, pull its commands; all
// that it remembers is bytes that it asks its host to save. No I/O, no clock, no randomness, no
// threads. wasm/README.md describes definitions, batches and blocks.
//
// One rule of lifetimes: what a call lends is valid until the next call that its comment names.
// Functions that return int give a handle (above 0) or 0 on success, a status
// (src/base/error_messages.def) below 0 on failure; those that end a handle fail with STALE_HANDLE
// alone. Texts and batches are the caller's and read during the call only.
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct weft_engine weft_engine;

// ---- Engine

// An engine in `memory` (lent for its life; its three functions and its budget are the embedder's),
// or NULL when there is none.
weft_engine *weft_engine_new(weft_memory *memory);
void weft_engine_free(weft_engine *engine);

// A hash of the tables of codes: a host made for other tables must not go on.
uint32_t weft_engine_abi(void);

// Values alive, and bytes allocated.
uint32_t weft_engine_live(const weft_engine *engine);
size_t weft_engine_bytes(const weft_engine *engine);

// The words of the last failed *_new: {status, count, strings}; lent until the next *_new. NULL
// when there are none.
const uint8_t *weft_engine_error(const weft_engine *engine);

// ---- Graphs

// A graph from its definition (JSON, UTF-8). The building rules' statuses (words: the node),
// BAD_DEFINITION (words: what is wrong), BAD_STRING (words: the name as it stands there, reason),
// the JSON statuses (words: number, reason: the number is the limit, or the byte), NO_MEMORY.
int weft_engine_graph_new(weft_engine *engine, const void *definition, size_t length);

// The handle ends; the graph lives as long as its runs.
int weft_engine_graph_free(weft_engine *engine, int graph);

// ---- Threads

// An open thread, by its id (UTF-8). ARGUMENT for an empty id, NO_MEMORY. It lives as long as its
// runs.
int weft_engine_thread_open(weft_engine *engine, const void *id, size_t length);
int weft_engine_thread_free(weft_engine *engine, int thread);

// Forgets the head and the kept state: the next run reads the store. STALE_HANDLE.
int weft_engine_thread_reset(weft_engine *engine, int thread);

// The end of the chain as handed out: returns 1 and fills, 0 when the store was not read yet, or
// STALE_HANDLE.
int weft_engine_thread_head(const weft_engine *engine, int thread, uint64_t *seq, uint32_t *crc);

// Rewrites a thread's log for `thread` (wasm/README.md, "Logs"). Lends {status, seq before u64, seq
// u64, crc, kept, dropped, length, frames} until the next one. NULL: stale handle or no memory. The
// thread itself is not touched.
const uint8_t *weft_engine_thread_rewrite(weft_engine *engine, int thread, const uint32_t *batch,
                                          uint32_t words);

// ---- Runs

// A run of `graph` on `thread` (0: nothing is saved). STALE_HANDLE, NO_MEMORY.
int weft_engine_run_new(weft_engine *engine, int graph, int thread);

// A run inside a task of another run: it takes over namespace, ancestors, answers and time travel,
// and lives on its own. `flags` are WEFT_CHILD_*: its namespace is without ids; it saves nothing
// itself, but a run around it does; it is the root of its thread. STALE_HANDLE, also when that
// attempt does not run; NO_MEMORY.
int weft_engine_run_child(weft_engine *engine, int graph, int thread, int parent, uint32_t task,
                          uint32_t attempt, uint32_t flags);
int weft_engine_run_free(weft_engine *engine, int run);

// Room of `bytes` bytes for the log that LOADED announces; the run owns it. NULL: stale handle, no
// memory, or the run asked for none.
void *weft_engine_run_load(weft_engine *engine, int run, uint32_t bytes);

// Eats a batch of `words` words and lends a block until the next feed of the same run. NULL: stale
// handle or no memory.
const uint8_t *weft_engine_run_feed(weft_engine *engine, int run, const uint32_t *batch,
                                    uint32_t words);

// Lends the last block again, until the next feed. NULL: stale handle.
const uint8_t *weft_engine_run_next(const weft_engine *engine, int run);

// Limits of a run: something of `what` (WEFT_LIMIT_*) is about to be done, or `amount` of it was
// used. 0 = go on, 1 + the limit that forbids it, WEFT_ERR_STALE_HANDLE, WEFT_ERR_NO_MEMORY.
// TOOL_CALLS: `call` is `length` bytes that are the same for equal calls; no other limit reads it.
int weft_engine_run_spend(weft_engine *engine, int run, uint32_t what, uint32_t amount,
                          const void *call, uint32_t length);

// For code inside a node: lends an answer until the next ask of the same run. NULL: stale handle or
// no memory.
const uint8_t *weft_engine_run_ask(weft_engine *engine, int run, uint32_t task, uint32_t attempt,
                                   uint32_t op);

// ---- Hashes

// The bytes' WEFT_HASH_*, as its definition prints it (CRC-32C: 4 bytes, little-endian); lent until
// the next call.
const uint8_t *weft_engine_hash(weft_engine *engine, uint32_t hash, const void *bytes,
                                size_t length);

// ---- Tools

// A closed set of tools from its definition (JSON, UTF-8). BAD_DEFINITION, the JSON statuses and
// SCHEMA_BUDGET (words: number, reason), BAD_SCHEMA and BAD_PATTERN (words: the tool's name and the
// JSON Pointer in its schema, reason), NO_MEMORY.
int weft_engine_toolset_new(weft_engine *engine, const void *definition, size_t length);
int weft_engine_toolset_free(weft_engine *engine, int toolset);

// What becomes of the tool calls in a batch of `words` words: lends {status, count, calls...} until
// the next plan with the same toolset. NULL: stale handle or no memory.
const uint8_t *weft_engine_toolset_plan(weft_engine *engine, int toolset, const uint32_t *batch,
                                        uint32_t words);

// The react agent's routers: WEFT_REACT_* flags, the number of calls of the last message and the
// steps that remain -> WEFT_ROUTE_*: after the model, before its answer counts, after the tools.
uint32_t weft_engine_route_model(uint32_t flags, uint32_t calls);
uint32_t weft_engine_route_guard(uint32_t flags, uint32_t calls, int32_t remaining);
uint32_t weft_engine_route_tools(uint32_t flags);

// ---- Schemas

// A JSON Schema to check against, from the wrapped schema in `text` (JSON, UTF-8; wasm/README.md).
// BAD_SCHEMA and BAD_PATTERN (words: JSON Pointer, reason), SCHEMA_BUDGET and the JSON statuses
// (words: number, reason), NO_MEMORY.
int weft_engine_schema_new(weft_engine *engine, const void *text, size_t length);
int weft_engine_schema_free(weft_engine *engine, int schema);

// Checks a JSON text of `length` bytes, which lies in `input` behind `answers` x {pattern, value, 0
// or 1}: 1 = valid and nothing to fill in, `*block` is the tape; 0 = `*block` says more; else a
// status. It is lent until the next check against the same schema. `seed`: entropy.
int weft_engine_schema_check(weft_engine *engine, int schema, const uint32_t *input,
                             uint32_t length, uint32_t flags, uint32_t seed, uint32_t answers,
                             const uint8_t **block);

#endif
