// SPDX-License-Identifier: MIT
// The index of one thread's log: which record holds which checkpoint, write, ledger entry and
// value. Fed with frames in order; owns its tables, not the frames' bytes: bodies are lent for the
// index's life. Must not know stores, runs or what values mean.
#ifndef WEFT_LOG_INDEX_H
#define WEFT_LOG_INDEX_H

#include "base/arena.h"
#include "base/map.h"
#include "reader.h"

typedef struct weft_log_record {
    const uint8_t *body;
    uint32_t length;
    uint32_t first_value; // in the index's table of places
    uint32_t
        values; // of a list snapshot: its items and its text, which have no places of their own
    uint32_t next_writes; // WRITES: next record of the same checkpoint, or WEFT_LOG_NONE
    uint32_t snapshot;    // 1 + the number of the newest list snapshot that it refers to, or 0
    uint8_t kind;
} weft_log_record;

// Where the bytes of an inline value lie in their record's body; of a patch the length bears
// WEFT_LOG_PATCHED.
#define WEFT_LOG_PATCHED 0x80000000u
typedef struct weft_log_place {
    uint32_t offset, length;
} weft_log_place;

// A checkpoint. Entries are numbered in order of appearance; `record` is WEFT_LOG_NONE as long as
// only writes of it came.
typedef struct weft_log_entry {
    const uint8_t *id; // 16 bytes, lent
    int64_t step;
    uint32_t ns;      // number of the namespace
    uint32_t record;  // number of the record
    uint32_t parent;  // entry, or WEFT_LOG_NONE
    uint32_t older;   // entry written before in this namespace, or WEFT_LOG_NONE
    uint32_t same_id; // entry of the same id in another namespace, or WEFT_LOG_NONE
    uint32_t first_child, last_child, next_sibling;
    uint32_t first_writes, last_writes; // WRITES records
    uint8_t source, keyframe, hidden, has_parent;
} weft_log_entry;

typedef struct weft_log_namespace {
    weft_log_text name;
    uint32_t newest; // entry, or WEFT_LOG_NONE
    uint32_t count;  // of checkpoints, hidden ones included
} weft_log_namespace;

// What the ledger knows of one call: numbers of the newest records, or WEFT_LOG_NONE.
typedef struct weft_log_call {
    uint32_t intent, result, decision;
} weft_log_call;

typedef struct weft_log_index {
    weft_memory *memory;
    weft_log_anchor last;     // the head: newest frame fed, or the anchor
    uint64_t first_seq;       // of records[0]
    uint64_t trimmed;         // frames up to here may be gone (newest TRIM)
    const uint8_t *newest_id; // highest id of an entry, or NULL
    weft_log_record *records;
    uint32_t record_count, record_capacity;
    weft_log_place *places; // of inline values, record by record
    uint32_t place_count, place_capacity;
    weft_log_entry *entries;
    uint32_t entry_count, entry_capacity;
    weft_log_namespace *namespaces;
    uint32_t namespace_count, namespace_capacity;
    weft_log_call *calls;
    uint32_t call_count, call_capacity;
    weft_map by_id, by_namespace, by_call, by_approval;
    weft_arena bodies; // of packed frames, as they were before
} weft_log_index;

int weft_log_same_text(weft_log_text a, weft_log_text b);

// An empty index of a log that starts behind `anchor`. `seed` keeps crafted ids from making the
// maps slow.
void weft_log_index_init(weft_log_index *index, weft_memory *memory, weft_log_anchor anchor,
                         uint64_t seed);
void weft_log_index_fini(weft_log_index *index);

// Adds the next frame (from a scan, or just written; not packed). A CHECKPOINT of an id that is
// there replaces it (same parent); a TRIM of everything before it makes the index forget that.
// WEFT_ERR_LOG_CORRUPT, WEFT_ERR_LOG_FORMAT, WEFT_ERR_NO_MEMORY: the index is as it was before.
weft_status weft_log_index_add(weft_log_index *index, const weft_log_frame *frame);

// Adds all frames of `span` (a commit or a segment), whose CRCs recovery has verified and which
// continue index->last. Same codes; frames before the one refused stay added.
weft_status weft_log_index_load(weft_log_index *index, weft_log_span span,
                                const uint8_t thread[WEFT_LOG_THREAD_BYTES]);

// The record `seq`, or NULL.
const weft_log_record *weft_log_index_record(const weft_log_index *index, uint64_t seq);

// Whether the value (seq, index) is the text of a list snapshot; then its head.
int weft_log_index_list_snapshot(const weft_log_index *index, uint64_t seq, uint32_t number,
                                 weft_log_list_snapshot *snapshot);

// The sequence number of record number `record`.
uint64_t weft_log_index_seq(const weft_log_index *index, uint32_t record);

// A reader at the start of record number `record`.
void weft_log_index_read(const weft_log_index *index, uint32_t record, weft_log_reader *reader);

// Makes a REFERENCE the INLINE value or PATCH that is there (other forms stay), also through
// snapshots: O(their depth). WEFT_ERR_LOG_CORRUPT when nothing is.
weft_status weft_log_index_resolve(const weft_log_index *index, weft_log_value *value);

// The entry of checkpoint (ns, id), or WEFT_LOG_NONE when the log has no such checkpoint.
uint32_t weft_log_index_find(const weft_log_index *index, weft_log_text ns,
                             const uint8_t id[WEFT_LOG_ID_BYTES]);

// The newest entry of `ns` that is not hidden, or WEFT_LOG_NONE.
uint32_t weft_log_index_newest(const weft_log_index *index, weft_log_text ns);

// The next older entry of the same namespace that is not hidden, or WEFT_LOG_NONE: history is
// newest, older, older...
uint32_t weft_log_index_older(const weft_log_index *index, uint32_t entry);

// The highest id of all namespaces, or NULL: what the next one must exceed. Hidden ones count, and
// those that only writes wait for.
const uint8_t *weft_log_index_newest_id(const weft_log_index *index);

// What the ledger knows of a call; absent numbers are WEFT_LOG_NONE. WEFT_ERR_NO_MEMORY.
weft_status weft_log_index_call(const weft_log_index *index, const weft_log_ledger_key *key,
                                weft_log_call *call);

// The DECISION with this approval id (record number), or WEFT_LOG_NONE.
uint32_t weft_log_index_decision(const weft_log_index *index,
                                 const uint8_t approval[WEFT_LOG_ID_BYTES]);

// Pending writes of a checkpoint: tasks of its WRITES records in order, then those that its
// children's records hold.
typedef struct weft_log_pending {
    const weft_log_index *index;
    weft_log_reader reader;
    uint32_t next_writes, next_child;
    uint32_t tasks, writes; // left in this record, left in this task
    weft_log_write many;    // a write of MANY: what is left of it
    uint32_t record;        // number of the record that holds the current task
    uint32_t child; // entry of the child that holds it, or WEFT_LOG_NONE when it comes from a
                    // WRITES record
    weft_status status;
} weft_log_pending;

// Over the tasks whose writes wait on the checkpoint `entry`; lends from the log, owns nothing.
void weft_log_pending_init(weft_log_pending *pending, const weft_log_index *index, uint32_t entry);

// The next task: 1, or 0 at the end or on failure (pending->status). Writes not read are passed
// over.
int weft_log_pending_task(weft_log_pending *pending, weft_log_task *task);

// The next write of the current task, values resolved: 1, or 0 at its end or on failure
// (pending->status).
int weft_log_pending_write(weft_log_pending *pending, weft_log_write *write);

#endif
