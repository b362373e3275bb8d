// SPDX-License-Identifier: MIT
// Implements record.h: collects the frames of a block for the log, and asks the host to save them.
#include "run/host/block.h"
#include "run/record/record.h"
#include "run/state/run.h"

uint32_t weft_record_begin(weft_run *run, weft_log_writer *writer) {
    const weft_log_anchor *last = &run->thread->chain.last;
    if (run->recording.frames.length == 0) {
        run->recording.expected = *last;
        run->recording.first_seq = last->seq + 1;
    }
    uint32_t mark = weft_log_frame_begin(&run->recording.frames);
    weft_log_writer_init(writer, &run->recording.frames, last->seq + 1);
    return mark;
}

void weft_record_flush(weft_run *run) {
    if (run->recording.frames.length == 0) {
        return;
    }
    const weft_log_anchor *last = &run->thread->chain.last;
    // Records of calls may follow while the run still waits: no SAVED is requested for those.
    uint32_t flags = (run->recording.awaits ? WEFT_SAVE_AWAIT : 0u) |
                     (run->recording.expected.seq == 0 ? WEFT_SAVE_FIRST : 0u);
    run->recording.awaits = 0;
    weft_block_open(run, WEFT_COMMAND_SAVE, flags);
    weft_block_u64(run, run->recording.first_seq);
    weft_block_u64(run, last->seq);
    weft_block_word(run, last->crc);
    weft_block_u64(run, run->recording.expected.seq);
    weft_block_word(run, run->recording.expected.crc);
    weft_block_u64(run, (uint64_t)(uintptr_t)run->recording.frames.bytes);
    weft_block_word(run, run->recording.frames.length);
    weft_block_close(run);
}
