// SPDX-License-Identifier: MIT
// The record in the making, and what it may be made of. Owned by src/run/record.
#ifndef WEFT_RUN_STATE_RECORDING_H
#define WEFT_RUN_STATE_RECORDING_H

#include "channel/list_snapshot.h"
#include "log/frame.h"
#include "log/record.h"

typedef struct weft_run_recording {
    weft_buffer frames;       // of this block
    uint64_t first_seq;       // of these
    weft_log_anchor expected; // the head before them
    uint64_t bound;           // seq of the checkpoint that the run goes on from
    weft_word *wanted;        // values whose texts ENCODE asks for
    uint32_t wanted_count, wanted_capacity;
    uint32_t source;        // of the checkpoint
    uint32_t parts;         // WEFT_RECORD_*
    uint32_t longest;       // bytes of the longest text that came since the last record
    weft_word longest_word; // not counted: what it was the text of
    // Counted: of a list of the run around this one, which it may have been given; or NULL.
    weft_list_snapshot *snapshot;
    // Owned: long values beside it (`shared` of them before it), for this record or the first; or
    // NULL.
    weft_list_snapshot *siblings;
    // Counted: the long text that this run saved last; before it has, the longest of the one around
    // it.
    weft_word last_text;
    uint8_t awaits; // a record of this block is waited for: one SAVED comes for it
    uint8_t sends;  // the record holds a Send
    uint8_t made;   // the current checkpoint is this run's
} weft_run_recording;

#endif
