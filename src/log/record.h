// SPDX-License-Identifier: MIT
// Records: what a frame's body means, as plain structs that writer.h puts and reader.h gets.
// Integers are LEB128 varints (signed ones zigzag). A name is inline, or the number of an earlier
// name of its record. A value is an immediate word, inline bytes, a patch of an earlier record's
// value (format 2, or 3), or a reference (seq, index) to a value of the last two kinds, which are
// counted in order of appearance inside their record. A list snapshot numbers values of earlier
// records in the order of a list that grows: its value i stands for the list's item i, and the one
// behind the last for the text that list_snapshot.h makes of them all, which only patches refer to.
// Owns nothing; must not know what the bytes of a value are.
#ifndef WEFT_LOG_RECORD_H
#define WEFT_LOG_RECORD_H

#include "frame.h"

#define WEFT_LOG_ID_BYTES 16u
#define WEFT_LOG_DIGEST_BYTES 32u
#define WEFT_LOG_NAMES 32u       // names per record that can be referred to
#define WEFT_LOG_NONE UINT32_MAX // no index, no entry
#define WEFT_LOG_DEPTH 1024u     // splices between a value and the whole one that it comes from
#define WEFT_LOG_SPLICES 16u     // of one patch
#define WEFT_LOG_CROSS_REF                                                                         \
    0x80000000u // more than the length of what is inserted: it stands in another value
#define WEFT_LOG_CROSS_REF_MOST (1u << 22) // bytes of that
#define WEFT_LOG_MANY_HEAD 24u             // a value's first byte: an immediate that there is not
#define WEFT_LOG_PATCH_HEAD 28u            // the same

typedef struct weft_log_text {
    const uint8_t *bytes;
    uint32_t length;
} weft_log_text;

typedef enum weft_log_value_form {
    WEFT_LOG_IMMEDIATE, // word: tag 0 (special) or 1 (small integer)
    WEFT_LOG_INLINE,    // bytes, length; as read also seq and index: its place in the log
    WEFT_LOG_REFERENCE, // seq, index; bytes and length once resolved by the index
    WEFT_LOG_MANY, // in a write: seq, index, and as `length` how many values from there on, each as
                   // if written by itself
    WEFT_LOG_PATCH // as read: bytes and length of the patch itself, seq and index: its place
                   // (weft_log_get_patch, weft_log_apply_patches); to be written: bytes and length
                   // of all behind the place (seq, index) of its base
} weft_log_value_form;

typedef struct weft_log_value {
    weft_log_value_form form;
    uint32_t word;
    const uint8_t *bytes;
    uint32_t length;
    uint32_t index;
    const struct weft_log_value
        *base; // INLINE, to be written as a patch if that is smaller: bytes, length, seq and
               // index of the value in whose place it comes, its depth in `word`. Or NULL
    uint64_t seq;
} weft_log_value;

// A patch: what it is made of, how deep (splices of it and of those below) and how long its text
// is; then `count` splices.
typedef struct weft_log_patch {
    uint64_t seq; // of its base, an earlier record's
    uint32_t index, depth, length, count;
    const uint8_t *start,
        *rest; // as read: all of it, and what is the same wherever the base stands
    uint64_t passed, dropped,
        inserted; // as measured: bytes of the base that splices go over, that they drop, new ones
} weft_log_patch;

// list snapshot = this, then runs up to the end.
typedef struct weft_log_list_snapshot {
    weft_log_text name;     // under which its text has the list
    uint32_t depth, length; // more than that of each snapshot that it refers to, at most
                            // WEFT_LOG_DEPTH; of its text
} weft_log_list_snapshot;

typedef enum weft_log_source {
    WEFT_LOG_SOURCE_INPUT,
    WEFT_LOG_SOURCE_LOOP,
    WEFT_LOG_SOURCE_UPDATE,
    WEFT_LOG_SOURCE_FORK
} weft_log_source;

// CHECKPOINT = head, parents, changes, seen, tasks. Its changes are against its parent (a
// keyframe's: against nothing). The tasks are those of the *parent*, whose writes made this
// checkpoint.
typedef struct weft_log_checkpoint {
    weft_log_text ns;
    uint8_t id[WEFT_LOG_ID_BYTES];
    uint8_t parent[WEFT_LOG_ID_BYTES];
    int has_parent;
    int64_t step;
    weft_log_source source;
    int keyframe; // holds its whole state
    int hidden;   // not shown in history until a record of the same id without this flag
    int has_extra;
    weft_log_value extra; // metadata beyond source, step and parents
} weft_log_checkpoint;

typedef enum weft_log_change_form {
    WEFT_LOG_KEEP,     // a new version of the same value
    WEFT_LOG_SET,      // followed by one value
    WEFT_LOG_UNSET,    // empty
    WEFT_LOG_LIST,     // followed by `count` list operations on the parent's list
    WEFT_LOG_SENDS,    // followed by `count` sends: the whole content
    WEFT_LOG_NAMES_SET // followed by `count` names: the whole content (what a barrier has seen)
} weft_log_change_form;

typedef struct weft_log_change {
    weft_log_text channel;
    uint64_t version;
    weft_log_change_form form;
    uint8_t mark;   // 0..31, the channel kind's own bits (finished, ...): stored, not read here
    uint32_t count; // of operations, sends or names
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

// Of a patch, from the end of the base towards its start: `keep` bytes stay, the `drop` before them
// give way to `insert`. As read, that may stand in an earlier value (format 3): from.seq and
// from.index say in which, which is whole, from.count where.
typedef struct weft_log_splice {
    uint32_t keep, drop;
    weft_log_text insert; // its length alone, unless from.seq is 0
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

// A task's writes, in WRITES and inside a CHECKPOINT. `outcome` is the run's own bits: stored, not
// read here.
typedef struct weft_log_task {
    weft_log_task_key key;
    uint8_t outcome;
    uint32_t count; // of writes that follow
} weft_log_task;

// What a write's channel is when it is none of the graph's.
typedef enum weft_log_special {
    WEFT_LOG_WRITE_PLAIN,
    WEFT_LOG_WRITE_ERROR,
    WEFT_LOG_WRITE_INTERRUPT,
    WEFT_LOG_WRITE_RESUME,
    WEFT_LOG_WRITE_SCHEDULED,
    WEFT_LOG_WRITE_NO_WRITES,
    WEFT_LOG_WRITE_RETURN,
    WEFT_LOG_WRITE_ERROR_SOURCE,
    WEFT_LOG_WRITE_OTHER, // a reserved name not listed: `channel` has it
    WEFT_LOG_WRITE_KINDS
} weft_log_special;

typedef struct weft_log_write {
    weft_log_text channel; // empty when `special` says it all
    weft_log_special special;
    int32_t index;
    int is_send; // then `send` counts, else `value`
    weft_log_value value;
    weft_log_send send;
} weft_log_write;

// INTENT, RESULT and DECISION: one layout, named by what happened to the same call.
typedef struct weft_log_ledger_key {
    weft_log_text ns;
    weft_log_task_key task;
    weft_log_text call;
    uint8_t digest[WEFT_LOG_DIGEST_BYTES]; // the checkpoint that the call hangs on, then zeros
    uint32_t generation;                   // of the ledger: a replay or fork opens a new one
} weft_log_ledger_key;

// Of an INTENT's verdict: the call began in a thread of another id, which may go on with it.
#define WEFT_LOG_INTENT_MOVED 2u

typedef struct weft_log_ledger {
    weft_log_ledger_key key;
    int has_approval; // then approval, bound and shown count
    uint8_t approval[WEFT_LOG_ID_BYTES];
    uint64_t bound;                       // seq of the checkpoint that the request hangs on
    uint8_t shown[WEFT_LOG_DIGEST_BYTES]; // what was displayed
    uint8_t verdict; // DECISION: the approver's, the run's own code, 0 while somebody is asked;
                     // INTENT: the run's, and MOVED; else 0
    // RESULT: the result; DECISION: the response, or its place among questions; else an absent
    // word.
    weft_log_value payload;
} weft_log_ledger;

#endif
