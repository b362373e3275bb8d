// SPDX-License-Identifier: MIT
// Records: the content of a frame's body, as plain structs that writer.h writes and reader.h reads.
// Integers are LEB128 varints (signed ones zigzag). A name is inline, or the number of an earlier
// name of its record. A value is an immediate, inline bytes, a patch of an earlier record's value
// (format 2, or 3), or a reference (seq, index) to an inline value or patch; these are counted in
// order of appearance in their record. A list snapshot numbers values of earlier records in the
// order of a growing list: its value i is the list's item i, and its last value is the text that
// list_snapshot.h builds from the items, which only patches refer to. Does not depend on what the
// bytes of a value mean.
#ifndef WEFT_LOG_RECORD_H
#define WEFT_LOG_RECORD_H

#include "frame.h"

#define WEFT_LOG_ID_BYTES 16u
#define WEFT_LOG_DIGEST_BYTES 32u
#define WEFT_LOG_NAMES 32u             // max names per record that can be referred to
#define WEFT_LOG_NONE UINT32_MAX       // no index, no entry
#define WEFT_LOG_DEPTH 1024u           // max splices between a value and the whole value below it
#define WEFT_LOG_SPLICES 16u           // max splices of one patch
#define WEFT_LOG_CROSS_REF 0x80000000u // added to the length of an insert that is in another value
#define WEFT_LOG_CROSS_REF_MOST (1u << 22) // max bytes of such an insert
#define WEFT_LOG_MANY_HEAD 24u             // a value's first byte: an unused immediate
#define WEFT_LOG_PATCH_HEAD 28u            // another unused immediate

typedef struct weft_log_text {
    const uint8_t *bytes;
    uint32_t length;
} weft_log_text;

typedef enum weft_log_value_form {
    WEFT_LOG_IMMEDIATE, // word: tag 0 (special) or 1 (small integer)
    WEFT_LOG_INLINE,    // bytes, length; as read also seq and index, its place in the log
    WEFT_LOG_REFERENCE, // seq, index; bytes and length after the index has resolved it
    WEFT_LOG_MANY, // in a write: `length` values from (seq, index) on, each as if written by itself
    WEFT_LOG_PATCH // as read: bytes and length of the patch itself, seq and index of its place
                   // (weft_log_get_patch, weft_log_apply_patches); to be written: (seq, index) of
                   // its base, bytes and length of everything after that
} weft_log_value_form;

typedef struct weft_log_value {
    weft_log_value_form form;
    uint32_t word;
    const uint8_t *bytes;
    uint32_t length;
    uint32_t index;
    const struct weft_log_value
        *base; // INLINE, to be written as a patch if that is smaller: the value that it replaces,
               // with bytes, length, seq, index and its depth in `word`. Or NULL
    uint64_t seq;
} weft_log_value;

// A patch: its base, its depth (splices of it and of the patches below) and the length of its text;
// then `count` splices.
typedef struct weft_log_patch {
    uint64_t seq; // record of its base
    uint32_t index, depth, length, count;
    const uint8_t *start,
        *rest; // as read: the whole patch, and the part that does not depend on the base's place
    uint64_t passed, dropped,
        inserted; // as measured: bytes of the base that splices keep or drop, dropped bytes,
                  // inserted bytes
} weft_log_patch;

// A list snapshot: this head, then runs up to the end.
typedef struct weft_log_list_snapshot {
    weft_log_text name;     // name of the list in its text
    uint32_t depth, length; // greater than that of each snapshot it refers to, at most
                            // WEFT_LOG_DEPTH; length of its text
} weft_log_list_snapshot;

typedef enum weft_log_source {
    WEFT_LOG_SOURCE_INPUT,
    WEFT_LOG_SOURCE_LOOP,
    WEFT_LOG_SOURCE_UPDATE,
    WEFT_LOG_SOURCE_FORK
} weft_log_source;

// CHECKPOINT = head, parents, changes, seen, tasks. Its changes are against its parent (a
// keyframe's against nothing). The tasks are those of the *parent*, whose writes led to this
// checkpoint.
typedef struct weft_log_checkpoint {
    weft_log_text ns;
    uint8_t id[WEFT_LOG_ID_BYTES];
    uint8_t parent[WEFT_LOG_ID_BYTES];
    int has_parent;
    int64_t step;
    weft_log_source source;
    int keyframe; // contains its whole state
    int hidden;   // left out of history until a record with the same id lacks this flag
    int has_extra;
    weft_log_value extra; // metadata beyond source, step and parents
} weft_log_checkpoint;

typedef enum weft_log_change_form {
    WEFT_LOG_KEEP,     // a new version of the same value
    WEFT_LOG_SET,      // followed by one value
    WEFT_LOG_UNSET,    // empty
    WEFT_LOG_LIST,     // followed by `count` list operations on the parent's list
    WEFT_LOG_SENDS,    // followed by `count` sends: the whole content
    WEFT_LOG_NAMES_SET // followed by `count` names: the whole content (all names seen)
} weft_log_change_form;

typedef struct weft_log_change {
    weft_log_text channel;
    uint64_t version;
    weft_log_change_form form;
    uint8_t mark;   // 0..31, the channel kind's own bits (finished, ...): not interpreted here
    uint32_t count; // number of operations, sends or names
} weft_log_change;

typedef enum weft_log_op_kind {
    WEFT_LOG_APPEND,  // value
    WEFT_LOG_REPLACE, // index, value
    WEFT_LOG_REMOVE,  // index
    WEFT_LOG_CLEAR,
    WEFT_LOG_RUN // seq, index, count: appends `count` inline values of the record `seq`, from
                 // `index` on
} weft_log_op_kind;

typedef struct weft_log_op {
    weft_log_op_kind kind;
    uint32_t index;
    uint32_t count;
    uint64_t seq;
    weft_log_value value;
} weft_log_op;

// A splice of a patch, from the end of the base towards its start: `keep` bytes stay, the `drop`
// bytes before them are replaced by `insert`. As read, the insert may be in an earlier value
// (format 3), stored whole: (from.seq, from.index) is that value, from.count the offset.
typedef struct weft_log_splice {
    uint32_t keep, drop;
    weft_log_text insert; // only the length, if from.seq is not 0
    weft_log_op from;
} weft_log_splice;

typedef struct weft_log_send {
    weft_log_text node;
    weft_log_value args;
    int has_timeout;
    weft_log_value timeout;
} weft_log_send;

typedef struct weft_log_seen {
    weft_log_text node;
    weft_log_text channel;
    uint64_t version;
} weft_log_seen;

typedef enum weft_log_task_kind {
    WEFT_LOG_TASK_NULL,  // the null task
    WEFT_LOG_TASK_PULL,  // node, trigger
    WEFT_LOG_TASK_PUSH,  // index, node
    WEFT_LOG_TASK_STORED // id
} weft_log_task_kind;

typedef struct weft_log_task_key {
    weft_log_task_kind kind;
    uint32_t index;
    weft_log_text node;
    weft_log_text trigger;
    uint8_t id[WEFT_LOG_ID_BYTES];
} weft_log_task_key;

// A task's writes, in WRITES and inside a CHECKPOINT. `outcome` has the run's own bits: stored, not
// interpreted here.
typedef struct weft_log_task {
    weft_log_task_key key;
    uint8_t outcome;
    uint32_t count; // number of writes that follow
} weft_log_task;

// Reserved channels of writes, which are not the graph's.
typedef enum weft_log_special {
    WEFT_LOG_WRITE_PLAIN,
    WEFT_LOG_WRITE_ERROR,
    WEFT_LOG_WRITE_INTERRUPT,
    WEFT_LOG_WRITE_RESUME,
    WEFT_LOG_WRITE_SCHEDULED,
    WEFT_LOG_WRITE_NO_WRITES,
    WEFT_LOG_WRITE_RETURN,
    WEFT_LOG_WRITE_ERROR_SOURCE,
    WEFT_LOG_WRITE_OTHER, // another reserved name, in `channel`
    WEFT_LOG_WRITE_KINDS
} weft_log_special;

typedef struct weft_log_write {
    weft_log_text channel; // empty when `special` is enough
    weft_log_special special;
    int32_t index;
    int is_send; // 1: `send` is set, else `value`
    weft_log_value value;
    weft_log_send send;
} weft_log_write;

// INTENT, RESULT and DECISION have one layout and the key of the call.
typedef struct weft_log_ledger_key {
    weft_log_text ns;
    weft_log_task_key task;
    weft_log_text call;
    uint8_t digest[WEFT_LOG_DIGEST_BYTES]; // the checkpoint of the call, then zeros
    uint32_t generation;                   // of the ledger: a replay or fork opens a new one
} weft_log_ledger_key;

// Verdict of an INTENT: the call began in a thread of another id, which may continue it.
#define WEFT_LOG_INTENT_MOVED 2u

typedef struct weft_log_ledger {
    weft_log_ledger_key key;
    int has_approval; // then approval, bound and shown are set
    uint8_t approval[WEFT_LOG_ID_BYTES];
    uint64_t bound;                       // seq of the checkpoint of the request
    uint8_t shown[WEFT_LOG_DIGEST_BYTES]; // digest of what was displayed
    uint64_t moment; // ms since 1970, 0: none. DECISION: when the request expires; with a verdict:
                     // it was decided because the request had expired then
    uint8_t verdict; // DECISION: the approver's, as the run's own code, 0 for a request; INTENT:
                     // the run's, and MOVED; else 0
    // RESULT: the result; DECISION: the response, or a request's place among the task's interrupts;
    // else absent.
    weft_log_value payload;
} weft_log_ledger;

#endif
