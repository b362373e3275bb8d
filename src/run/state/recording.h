// SPDX-License-Identifier: MIT
// The current record and values that it may refer to. Owned by src/run/record.
#ifndef WEFT_RUN_STATE_RECORDING_H
#define WEFT_RUN_STATE_RECORDING_H

#include "channel/list_snapshot.h"
#include "log/frame.h"
#include "log/record.h"

typedef struct weft_run_recording {
    weft_buffer frames;       // of this block
    uint64_t first_seq;       // of these frames
    weft_log_anchor expected; // the head before these frames
    uint64_t bound;           // seq of the checkpoint that the run continues from
    weft_word *wanted;        // values whose texts ENCODE asks for
    uint32_t wanted_count, wanted_capacity;
    uint32_t source;        // source of the checkpoint
    uint32_t parts;         // WEFT_RECORD_*
    uint32_t longest;       // bytes of the longest new text since the last record
    weft_word longest_word; // its value, without a reference
    // Snapshot of a list, with a reference: the parent run's list, which this run may have
    // received, or its own; or NULL.
    weft_list_snapshot *snapshot;
    // Owned: other long values of the same state (`shared` of them before the list), for this
    // record or the first one; or NULL.
    weft_list_snapshot *siblings;
    // With a reference: the last long text that this run saved; before that, the longest of the
    // parent run.
    weft_word last_text;
    uint8_t awaits; // the run waits for a record of this block: one SAVED comes for it
    uint8_t sends;  // the record has a Send
    uint8_t made;   // this run made the current checkpoint
} weft_run_recording;

#endif
