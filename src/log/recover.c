// SPDX-License-Identifier: MIT
// Implements recover.h: scans the spans and compares them with the witness.
#include "recover.h"

#include "fold.h"
#include "reader.h"

#include <string.h>

typedef struct pass {
    const weft_log_span *spans;
    uint32_t count;
    const uint8_t *thread;
    const weft_log_anchor *witness;
    weft_log_recovery *found;
    int replaced;  // the frame at the witness's seq is another one
    int confirmed; // the log starts at 1, or a TRIM explains why it does not
    uint32_t stop_span;
    size_t stop_offset; // offset in the frames of spans[stop_span]
} pass;

// Finds where the log starts: before its first frame, if that is one of this thread.
static weft_log_anchor find_anchor(const pass *at) {
    weft_log_anchor none = {0, 0};
    for (uint32_t i = 0; i < at->count; i++) {
        weft_log_span frames = weft_log_span_frames(at->spans[i]);
        uint64_t seq;
        uint32_t length, previous;
        uint8_t thread[WEFT_LOG_THREAD_BYTES];
        if (frames.length == 0) {
            continue;
        }
        int sound = weft_log_header_read(frames, &seq, &length, &previous, thread) && seq > 1 &&
                    memcmp(thread, at->thread, WEFT_LOG_THREAD_BYTES) == 0;
        return sound ? (weft_log_anchor){seq - 1, previous} : none;
    }
    return none;
}

static void examine(pass *at, const weft_log_frame *frame) {
    weft_log_recovery *found = at->found;
    found->frames++;
    if (at->witness != NULL && at->witness->seq == frame->seq) {
        at->replaced = at->witness->crc != frame->crc;
    }
    if (!at->confirmed && frame->kind == WEFT_LOG_TRIM) {
        weft_log_reader reader;
        weft_log_reader_init(&reader, frame->body, frame->length, frame->seq);
        weft_log_anchor dropped = weft_log_get_trim(&reader);
        at->confirmed = weft_log_reader_end(&reader) == WEFT_OK &&
                        dropped.seq == found->anchor.seq && dropped.crc == found->anchor.crc;
    }
}

// Scans span after span until one does not end cleanly.
static void scan_all(pass *at) {
    weft_log_recovery *found = at->found;
    for (uint32_t i = 0; i < at->count; i++) {
        weft_log_span frames = weft_log_span_frames(at->spans[i]);
        weft_log_scan scan;
        weft_log_frame frame;
        weft_log_scan_init(&scan, frames, at->thread, found->last);
        while (weft_log_scan_next(&scan, &frame)) {
            examine(at, &frame);
        }
        if (scan.offset != 0) {
            found->spans = i + 1;
            found->bytes = at->spans[i].length - frames.length + scan.offset;
        }
        found->last = scan.last;
        found->stop = scan.stop;
        at->stop_span = i;
        at->stop_offset = scan.offset;
        if (scan.stop != WEFT_LOG_STOP_CLEAN) {
            return;
        }
    }
}

// Returns whether a whole frame of this thread, newer than the head, begins in `frames` at `from`
// or later.
static int survives(const pass *at, weft_log_span frames, size_t from) {
    while (from + WEFT_LOG_FRAME_BYTES <= frames.length) {
        const uint8_t *first = memchr(frames.bytes + from, 'W', frames.length - from);
        if (first == NULL) {
            return 0;
        }
        weft_log_span rest = {first, frames.length - (size_t)(first - frames.bytes)};
        uint64_t seq;
        uint32_t length, previous;
        uint8_t thread[WEFT_LOG_THREAD_BYTES];
        if (weft_log_header_read(rest, &seq, &length, &previous, thread) &&
            seq > at->found->last.seq && memcmp(thread, at->thread, WEFT_LOG_THREAD_BYTES) == 0 &&
            rest.length >= WEFT_LOG_FRAME_BYTES && length <= rest.length - WEFT_LOG_FRAME_BYTES) {
            return 1;
        }
        from = (size_t)(first - frames.bytes) + 1;
    }
    return 0;
}

static int tail_survives(const pass *at) {
    size_t from = at->stop_offset + (at->found->stop == WEFT_LOG_STOP_CHAIN ? 0 : 1);
    for (uint32_t i = at->stop_span; i < at->count; i++) {
        if (survives(at, weft_log_span_frames(at->spans[i]), from)) {
            return 1;
        }
        from = 0;
    }
    return 0;
}

// Returns whether the bytes where the scan stopped are as long as a frame but not the next one. A
// cut-off tail counts as gone, not as changed.
static int is_changed(const pass *at) {
    if (at->found->stop != WEFT_LOG_STOP_DAMAGED) {
        return 0;
    }
    weft_log_span frames = weft_log_span_frames(at->spans[at->stop_span]);
    weft_log_span rest = {frames.bytes + at->stop_offset, frames.length - at->stop_offset};
    if (rest.length < WEFT_LOG_FRAME_BYTES) {
        return 0;
    }
    uint64_t seq;
    uint32_t length, previous;
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    return !weft_log_header_read(rest, &seq, &length, &previous, thread) ||
           length <= rest.length - WEFT_LOG_FRAME_BYTES;
}

// Counts acknowledged frames that the witness proves but that are not in the log.
static uint64_t count_lost(const pass *at) {
    const weft_log_recovery *found = at->found;
    const weft_log_anchor *witness = at->witness;
    if (witness == NULL) {
        return 0;
    }
    if (witness->seq > found->last.seq) {
        return witness->seq - found->last.seq;
    }
    return at->replaced || (witness->seq == found->anchor.seq && witness->crc != found->anchor.crc)
               ? 1
               : 0;
}

// Drops a log without its first frames, which cannot be interpreted: an empty prefix, and
// everything before is lost.
static void drop_headless(pass *at) {
    weft_log_recovery *found = at->found;
    found->lost = found->anchor.seq;
    if (at->witness != NULL && at->witness->seq > found->lost) {
        found->lost = at->witness->seq;
    }
    found->verdict = WEFT_LOG_DATA_LOSS;
    found->anchor = (weft_log_anchor){0, 0};
    found->last = found->anchor;
    found->frames = 0;
    found->spans = 0;
}

static weft_log_verdict judge(const pass *at) {
    const weft_log_recovery *found = at->found;
    if (found->stop == WEFT_LOG_STOP_THREAD) {
        return WEFT_LOG_WRONG_THREAD;
    }
    if (found->stop == WEFT_LOG_STOP_FORMAT) {
        return WEFT_LOG_NEWER;
    }
    if (found->stop != WEFT_LOG_STOP_CLEAN && tail_survives(at)) {
        return WEFT_LOG_CORRUPT;
    }
    if (found->lost != 0) {
        return is_changed(at) ? WEFT_LOG_CORRUPT : WEFT_LOG_DATA_LOSS;
    }
    return found->stop == WEFT_LOG_STOP_CLEAN ? WEFT_LOG_OK : WEFT_LOG_TORN;
}

void weft_log_recover(const weft_log_span *spans, uint32_t count,
                      const uint8_t thread[WEFT_LOG_THREAD_BYTES], const weft_log_anchor *witness,
                      weft_log_recovery *recovery) {
    *recovery = (weft_log_recovery){.verdict = WEFT_LOG_OK, .stop = WEFT_LOG_STOP_CLEAN};
    pass at = {
        .spans = spans, .count = count, .thread = thread, .witness = witness, .found = recovery};
    recovery->anchor = find_anchor(&at);
    recovery->last = recovery->anchor;
    at.confirmed = recovery->anchor.seq == 0;
    scan_all(&at);
    // The changed record may be the one that explains why the log does not start at 1.
    if (!at.confirmed && recovery->frames == 0 && is_changed(&at)) {
        recovery->verdict = WEFT_LOG_CORRUPT;
        return;
    }
    if (!at.confirmed && recovery->stop != WEFT_LOG_STOP_FORMAT) {
        drop_headless(&at);
        return;
    }
    recovery->lost = count_lost(&at);
    recovery->verdict = judge(&at);
}

weft_status weft_log_verdict_status(weft_log_verdict verdict) {
    switch (verdict) {
    case WEFT_LOG_DATA_LOSS:
        return WEFT_ERR_DATA_LOSS;
    case WEFT_LOG_CORRUPT:
        return WEFT_ERR_LOG_CORRUPT;
    case WEFT_LOG_WRONG_THREAD:
        return WEFT_ERR_WRONG_THREAD;
    case WEFT_LOG_NEWER:
        return WEFT_ERR_LOG_FORMAT;
    default:
        return WEFT_OK;
    }
}
