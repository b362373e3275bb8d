// SPDX-License-Identifier: MIT
// Reads records from a body, piece by piece, in the order in which writer.h writes them. Checks
// every length and count against the remaining bytes. The first failure is sticky: afterwards every
// get yields zeros and counts of 0, so loops end; weft_log_reader_end returns it. Texts and bytes
// are borrowed from the body.
#ifndef WEFT_LOG_READER_H
#define WEFT_LOG_READER_H

#include "record.h"

typedef struct weft_log_reader {
    const uint8_t *start;
    const uint8_t *at;
    const uint8_t *end;
    uint64_t seq;
    uint32_t values; // inline values so far
    uint32_t names;
    weft_log_text name_table[WEFT_LOG_NAMES];
    weft_log_patch patch; // the patch read last
    weft_status status;
} weft_log_reader;

void weft_log_reader_init(weft_log_reader *reader, const uint8_t *body, uint32_t length,
                          uint64_t seq);

// Returns WEFT_OK when nothing failed and every byte was read, else WEFT_ERR_LOG_CORRUPT.
weft_status weft_log_reader_end(const weft_log_reader *reader);

// Reads a number of at most `limit`.
uint64_t weft_log_get_long_varint(weft_log_reader *reader, uint64_t limit);

// As weft_log_get_long_varint; inline, since most numbers are one byte.
static inline uint64_t weft_log_get_varint(weft_log_reader *reader, uint64_t limit) {
    const uint8_t *at = reader->at;
    if (at != reader->end && *at < 0x80 && *at <= limit) {
        reader->at++;
        return *at;
    }
    return weft_log_get_long_varint(reader, limit);
}
weft_log_text weft_log_get_text(weft_log_reader *reader, uint32_t length);

void weft_log_get_value(weft_log_reader *reader, weft_log_value *value);

// Read a PATCH: its head, then its splices. The reader is at the PATCH's start and has the record's
// seq.
void weft_log_get_patch(weft_log_reader *reader, weft_log_patch *patch);
// Reads a patch's head and splices into the reader's own patch.
void weft_log_measure_patch(weft_log_reader *reader);
void weft_log_get_splice(weft_log_reader *reader, weft_log_splice *splice);

weft_log_text weft_log_get_name(weft_log_reader *reader);

// Reads a count of elements of at least `least` bytes each; 0 after a failure.
uint32_t weft_log_get_count(weft_log_reader *reader, uint32_t least);

// Reads the head of a CHECKPOINT; returns the number of parents that follow. Then changes, seen and
// tasks, each with its count from the function of the same name in the plural.
uint32_t weft_log_get_checkpoint(weft_log_reader *reader, weft_log_checkpoint *head);
void weft_log_get_parent(weft_log_reader *reader, weft_log_text *ns, const uint8_t **id);
uint32_t weft_log_get_changes(weft_log_reader *reader);
void weft_log_get_change(weft_log_reader *reader, weft_log_change *change);
void weft_log_get_op(weft_log_reader *reader, weft_log_op *op);
void weft_log_get_send(weft_log_reader *reader, weft_log_send *send);
uint32_t weft_log_get_seens(weft_log_reader *reader);
void weft_log_get_seen(weft_log_reader *reader, weft_log_seen *seen);
uint32_t weft_log_get_tasks(weft_log_reader *reader);
void weft_log_get_task(weft_log_reader *reader, weft_log_task *task);
void weft_log_get_write(weft_log_reader *reader, weft_log_write *write);

// Skips the content of a change after its head (value, operations, sends or names).
void weft_log_skip_change(weft_log_reader *reader, const weft_log_change *change);

// Read the head of WRITES (then weft_log_get_tasks), and the whole bodies of the other kinds.
void weft_log_get_writes(weft_log_reader *reader, weft_log_text *ns, const uint8_t **checkpoint);
void weft_log_get_ledger_key(weft_log_reader *reader, weft_log_ledger_key *key);
void weft_log_get_list_snapshot(weft_log_reader *reader, weft_log_list_snapshot *snapshot);
void weft_log_get_run(weft_log_reader *reader, weft_log_op *run);
void weft_log_get_ledger(weft_log_reader *reader, weft_log_ledger *ledger);
weft_log_anchor weft_log_get_trim(weft_log_reader *reader);

#endif
