// SPDX-License-Identifier: MIT
// The index of one thread's log: which record has which checkpoint, write, ledger entry and value.
// Receives frames in order; owns its tables, not the frames' bytes: bodies are borrowed for the
// index's life. Does not depend on stores, runs or what values mean.
#ifndef WEFT_LOG_INDEX_H
#define WEFT_LOG_INDEX_H

#include "base/arena.h"
#include "base/map.h"
#include "reader.h"

typedef struct weft_log_record {
    const uint8_t *body;
    uint32_t length;
    uint32_t first_value; // its first value in the index's table of places
    uint32_t
        values; // of a list snapshot: its items and its text, which have no places of their own
    uint32_t next_writes; // WRITES: next record of the same checkpoint, or WEFT_LOG_NONE
    uint32_t snapshot;    // 1 + the number of the newest list snapshot that it refers to, or 0
    uint8_t kind;
} weft_log_record;

// Offset and length of an inline value in its record's body; a patch has WEFT_LOG_PATCHED in its
// length.
#define WEFT_LOG_PATCHED 0x80000000u
typedef struct weft_log_place {
    uint32_t offset, length;
} weft_log_place;

// A checkpoint. Entries are numbered in order of appearance; `record` is WEFT_LOG_NONE while the
// log has only writes of it.
typedef struct weft_log_entry {
    const uint8_t *id; // 16 bytes, borrowed
    int64_t step;
    uint32_t ns;      // number of the namespace
    uint32_t record;  // number of the record
    uint32_t parent;  // entry, or WEFT_LOG_NONE
    uint32_t older;   // previous entry of this namespace, or WEFT_LOG_NONE
    uint32_t same_id; // entry with the same id in another namespace, or WEFT_LOG_NONE
    uint32_t first_child, last_child, next_sibling;
    uint32_t first_writes, last_writes; // WRITES records
    uint8_t source, keyframe, hidden, has_parent;
} weft_log_entry;

typedef struct weft_log_namespace {
    weft_log_text name;
    uint32_t newest; // entry, or WEFT_LOG_NONE
    uint32_t count;  // number of checkpoints, including hidden ones
} weft_log_namespace;

// Ledger records of one call: numbers of the newest ones, or WEFT_LOG_NONE.
typedef struct weft_log_call {
    uint32_t intent, result, decision;
} weft_log_call;

typedef struct weft_log_index {
    weft_memory *memory;
    weft_log_anchor last;     // the head: newest frame added, or the anchor
    uint64_t first_seq;       // of records[0]
    uint64_t trimmed;         // frames up to this one may be gone (newest TRIM)
    const uint8_t *newest_id; // highest id of any entry, or NULL
    weft_log_record *records;
    uint32_t record_count, record_capacity;
    weft_log_place *places; // places of inline values, record by record
    uint32_t place_count, place_capacity;
    weft_log_entry *entries;
    uint32_t entry_count, entry_capacity;
    weft_log_namespace *namespaces;
    uint32_t namespace_count, namespace_capacity;
    weft_log_call *calls;
    uint32_t call_count, call_capacity;
    weft_map by_id, by_namespace, by_call, by_approval;
    weft_arena bodies; // unpacked bodies of packed frames
} weft_log_index;

int weft_log_same_text(weft_log_text a, weft_log_text b);

// Makes an empty index of a log that starts after `anchor`. `seed` keeps crafted ids from making
// the maps slow.
void weft_log_index_init(weft_log_index *index, weft_memory *memory, weft_log_anchor anchor,
                         uint64_t seed);
void weft_log_index_fini(weft_log_index *index);

// Adds the next frame (from a scan, or just written; not packed). A CHECKPOINT with an existing id
// replaces that one (same parent); a TRIM of everything before it clears the index.
// WEFT_ERR_LOG_CORRUPT, WEFT_ERR_LOG_FORMAT, WEFT_ERR_NO_MEMORY: the index is unchanged.
weft_status weft_log_index_add(weft_log_index *index, const weft_log_frame *frame);

// Adds all frames of `span` (a commit or a segment), whose CRCs recovery has verified and which
// continue index->last. Same codes; frames before a refused one stay added.
weft_status weft_log_index_load(weft_log_index *index, weft_log_span span,
                                const uint8_t thread[WEFT_LOG_THREAD_BYTES]);

// Returns the record `seq`, or NULL.
const weft_log_record *weft_log_index_record(const weft_log_index *index, uint64_t seq);

// Returns whether the value (seq, index) is the text of a list snapshot, and its head.
int weft_log_index_list_snapshot(const weft_log_index *index, uint64_t seq, uint32_t number,
                                 weft_log_list_snapshot *snapshot);

// Returns the sequence number of record number `record`.
uint64_t weft_log_index_seq(const weft_log_index *index, uint32_t record);

// Initialises a reader at the start of record number `record`.
void weft_log_index_read(const weft_log_index *index, uint32_t record, weft_log_reader *reader);

// Resolves a REFERENCE to the INLINE value or PATCH there (other forms are unchanged), also through
// snapshots: O(their depth). WEFT_ERR_LOG_CORRUPT when there is no value.
weft_status weft_log_index_resolve(const weft_log_index *index, weft_log_value *value);

// Finds the entry of checkpoint (ns, id), or WEFT_LOG_NONE when the log has no such checkpoint.
uint32_t weft_log_index_find(const weft_log_index *index, weft_log_text ns,
                             const uint8_t id[WEFT_LOG_ID_BYTES]);

// Finds the newest entry of `ns` that is not hidden, or WEFT_LOG_NONE.
uint32_t weft_log_index_newest(const weft_log_index *index, weft_log_text ns);

// Finds the next older entry of the same namespace that is not hidden, or WEFT_LOG_NONE: history is
// newest, older, older...
uint32_t weft_log_index_older(const weft_log_index *index, uint32_t entry);

// Returns the highest id of all namespaces, or NULL: the next id must exceed it. Includes hidden
// checkpoints and those that have only writes.
const uint8_t *weft_log_index_newest_id(const weft_log_index *index);

// Looks up the ledger records of a call; absent numbers are WEFT_LOG_NONE. WEFT_ERR_NO_MEMORY.
weft_status weft_log_index_call(const weft_log_index *index, const weft_log_ledger_key *key,
                                weft_log_call *call);

// Finds the DECISION with this approval id (record number), or WEFT_LOG_NONE.
uint32_t weft_log_index_decision(const weft_log_index *index,
                                 const uint8_t approval[WEFT_LOG_ID_BYTES]);

// Iterates the pending writes of a checkpoint: tasks of its WRITES records in order, then tasks in
// its children's records.
typedef struct weft_log_pending {
    const weft_log_index *index;
    weft_log_reader reader;
    uint32_t next_writes, next_child;
    uint32_t tasks, writes; // tasks left in this record, writes left in this task
    weft_log_write many;    // a write of MANY: its remaining values
    uint32_t record;        // number of the record with the current task
    uint32_t child; // entry of the child whose record has it, or WEFT_LOG_NONE when it comes from a
                    // WRITES record
    weft_status status;
} weft_log_pending;

// Starts at the tasks with pending writes of the checkpoint `entry`; borrows from the log.
void weft_log_pending_init(weft_log_pending *pending, const weft_log_index *index, uint32_t entry);

// Yields the next task: returns 1, or 0 at the end or on failure (pending->status). Skips unread
// writes.
int weft_log_pending_task(weft_log_pending *pending, weft_log_task *task);

// Yields the next write of the current task, values resolved: returns 1, or 0 at its end or on
// failure (pending->status).
int weft_log_pending_write(weft_log_pending *pending, weft_log_write *write);

#endif
