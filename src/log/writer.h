// SPDX-License-Identifier: MIT
// Writes records into the caller's buffer, piece by piece in the order of record.h, and returns
// each inline value's index. The first failure is sticky; weft_log_writer_end returns it. Does not
// depend on frames' chains or what values mean.
#ifndef WEFT_LOG_WRITER_H
#define WEFT_LOG_WRITER_H

#include "record.h"

typedef struct weft_log_writer {
    weft_buffer *buffer;
    uint64_t seq;
    uint32_t values; // inline values so far
    uint32_t names;
    uint32_t depth;   // depth of the last inline value: 0 when it is stored whole
    uint32_t patched; // kind of patches in the record: 1, or 3 if one refers to another value; for
                      // weft_log_frame_patched
    const weft_log_value *sources; // INLINE values that patches may refer to, borrowed; an empty
                                   // one ends them. Or NULL
    uint32_t made; // position in the base up to which this record's values were found, or 0; the
                   // next value is searched after it
    uint32_t name_offsets[WEFT_LOG_NAMES];
    uint32_t name_lengths[WEFT_LOG_NAMES];
    weft_status status;
} weft_log_writer;

// Starts the body of record `seq` at the end of `buffer` (borrowed until the end).
void weft_log_writer_init(weft_log_writer *writer, weft_buffer *buffer, uint64_t seq);

// Returns WEFT_OK, WEFT_ERR_NO_MEMORY, or WEFT_ERR_INTERNAL when a value or enum cannot be written.
weft_status weft_log_writer_end(const weft_log_writer *writer);

// Writes a value; returns its index when it is INLINE or a PATCH, else WEFT_LOG_NONE. A REFERENCE
// must point to an earlier record, or to an earlier inline value of this one.
uint32_t weft_log_put_value(weft_log_writer *writer, const weft_log_value *value);

// Writes a patch's splices with their count. Inserts found in the writer's sources become
// references, in up to WEFT_LOG_SPLICES splices.
void weft_log_put_splices(weft_log_writer *writer, weft_log_splice splices[WEFT_LOG_SPLICES],
                          uint32_t count);

void weft_log_put_name(weft_log_writer *writer, weft_log_text name);
void weft_log_put_count(weft_log_writer *writer, uint32_t count);

// Write a CHECKPOINT, in this order: head with its parents [(ns, id)]; count, changes; count, seen;
// count, tasks.
void weft_log_put_checkpoint(weft_log_writer *writer, const weft_log_checkpoint *head,
                             uint32_t parents);
void weft_log_put_parent(weft_log_writer *writer, weft_log_text ns,
                         const uint8_t id[WEFT_LOG_ID_BYTES]);
void weft_log_put_change(weft_log_writer *writer, const weft_log_change *change);
void weft_log_put_op(weft_log_writer *writer, const weft_log_op *op);
void weft_log_put_run(weft_log_writer *writer, uint64_t seq, uint32_t index, uint32_t count);
void weft_log_put_seen(weft_log_writer *writer, const weft_log_seen *seen);

// Writes a send; `*args` and `*timeout` (may be NULL) receive the indexes as from
// weft_log_put_value.
void weft_log_put_send(weft_log_writer *writer, const weft_log_send *send, uint32_t *args,
                       uint32_t *timeout);

// Write WRITES: this head, then count, tasks. A task is followed by its `count` writes.
void weft_log_put_writes(weft_log_writer *writer, weft_log_text ns,
                         const uint8_t checkpoint[WEFT_LOG_ID_BYTES]);
void weft_log_put_task(weft_log_writer *writer, const weft_log_task *task);

// Writes a write; returns the index of its inline value (a send's: of its args), else
// WEFT_LOG_NONE.
uint32_t weft_log_put_write(weft_log_writer *writer, const weft_log_write *write);

// Writes the whole body of INTENT, RESULT or DECISION; returns the payload's index as
// weft_log_put_value.
uint32_t weft_log_put_ledger(weft_log_writer *writer, const weft_log_ledger *ledger);

// Writes the first part of a ledger record: equal keys give equal bytes, so they serve as map keys.
void weft_log_put_ledger_key(weft_log_writer *writer, const weft_log_ledger_key *key);

// Writes the head of a list snapshot; runs follow.
void weft_log_put_list_snapshot(weft_log_writer *writer, const weft_log_list_snapshot *snapshot);

// Writes the whole body of TRIM: frames up to `dropped` (inclusive) may be dropped from the store.
void weft_log_put_trim(weft_log_writer *writer, weft_log_anchor dropped);

#endif
