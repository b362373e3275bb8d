// SPDX-License-Identifier: MIT
// What must hold of any bytes that are said to be a thread's log: recovery, index, states, pending
// writes, and the log written anew, which is sound and holds what was to be kept. Serves the
// targets log and frames.
#ifndef WEFT_FUZZ_LOG_H
#define WEFT_FUZZ_LOG_H

#include "host.h"
#include "log/apply_patches.h"
#include "log/fold.h"
#include "log/recover.h"
#include "log/rewrite.h"
#include "log/state.h"

#define LOG_SPANS 8

static const uint8_t *log_thread(void) {
    static uint8_t hash[WEFT_LOG_THREAD_BYTES];
    weft_log_thread_hash("t", 1, hash);
    return hash;
}

static int log_records(weft_log_index *index, const weft_log_span *spans, uint32_t count) {
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < count && status == WEFT_OK; i++) {
        status = weft_log_index_load(index, spans[i], log_thread());
        demand(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT ||
               status == WEFT_ERR_LOG_FORMAT);
    }
    return status == WEFT_OK;
}

// A patch has a text, which takes bounded work.
static void log_text(const weft_log_index *index, weft_arena *arena, const weft_log_value *value) {
    if (value->form == WEFT_LOG_PATCH) {
        uint64_t work = 0;
        uint32_t of_snapshot;
        uint32_t length = weft_log_patch_head(value).length;
        uint8_t *text = weft_arena_zeroed(arena, length + 1u, 1);
        weft_status status = text == NULL
                                 ? WEFT_OK
                                 : weft_log_apply_patches(index, value, &work, text, &of_snapshot);
        demand(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT);
    }
}

static void log_states(const weft_log_index *index, weft_memory *memory) {
    weft_arena arena;
    weft_arena_init(&arena, memory);
    for (uint32_t entry = 0; entry < index->entry_count && entry < 64; entry++) {
        weft_log_state state;
        weft_log_pending pending;
        weft_log_task task;
        weft_log_write write;
        weft_status status = weft_log_state_load(index, entry, &arena, &state);
        demand(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT || status == WEFT_ERR_ARGUMENT);
        for (uint32_t i = 0; status == WEFT_OK && i < state.channel_count; i++) {
            log_text(index, &arena, &state.channels[i].value);
        }
        uint32_t older = weft_log_index_older(index, entry);
        demand(older == WEFT_LOG_NONE || older < index->entry_count);
        weft_log_pending_init(&pending, index, entry);
        while (weft_log_pending_task(&pending, &task)) {
            while (weft_log_pending_write(&pending, &write)) {
                demand(write.is_send || write.value.form != WEFT_LOG_REFERENCE);
            }
        }
    }
    weft_arena_fini(&arena);
}

static void log_rewritten(const weft_log_index *index, weft_memory *memory,
                          weft_log_rewrite_mode mode) {
    weft_log_retention keep = {.last = 2};
    weft_buffer made;
    weft_log_chain chain;
    weft_log_rewritten counts;
    weft_log_anchor before = mode == WEFT_LOG_REWRITE_TRIM ? index->last : (weft_log_anchor){0, 0};
    weft_buffer_init(&made, memory);
    weft_log_chain_init(&chain, log_thread(), before);
    weft_status status = weft_log_rewrite(index, mode, &keep, &made, &chain, &counts);
    demand(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT);
    if (status == WEFT_OK) {
        weft_log_span span = {made.bytes, made.length};
        weft_log_recovery found;
        weft_log_index again;
        weft_log_recover(&span, 1, log_thread(), &chain.last, &found);
        demand(found.verdict == WEFT_LOG_OK && found.last.seq == chain.last.seq);
        weft_log_index_init(&again, memory, before, 3);
        demand(log_records(&again, &span, 1));
        demand(again.entry_count >= counts.kept);
        weft_log_index_fini(&again);
    }
    weft_buffer_fini(&made);
}

// Returns how many frames are sound.
static uint64_t log_examine(weft_memory *memory, const weft_log_span *spans, uint32_t count,
                            const weft_log_anchor *witness) {
    weft_log_recovery found;
    weft_log_span kept[LOG_SPANS];
    weft_log_index index;
    weft_log_recover(spans, count, log_thread(), witness, &found);
    demand(found.spans <= count &&
           (found.spans == 0 || found.bytes <= spans[found.spans - 1].length));
    demand(found.last.seq == found.anchor.seq + found.frames);
    for (uint32_t i = 0; i < found.spans; i++) {
        kept[i] = spans[i];
        kept[i].length = i + 1 == found.spans ? found.bytes : spans[i].length;
    }
    weft_log_index_init(&index, memory, found.anchor, 7);
    int sound = log_records(&index, kept, found.spans);
    log_states(&index, memory);
    if (sound) {
        for (int mode = WEFT_LOG_REWRITE_COPY; mode <= WEFT_LOG_REWRITE_TRIM; mode++) {
            log_rewritten(&index, memory, (weft_log_rewrite_mode)mode);
        }
    }
    weft_log_index_fini(&index);
    return found.frames;
}

// The same bytes through the engine: read, listed, gone on with.
static void log_open(weft_memory *memory, const uint8_t *bytes, uint32_t length) {
    page *host = page_of(memory);
    page_say(host, HOST_GRAPH);
    page_say(host, "thread t");
    if (length > 0) {
        page_append(host, bytes, length);
    }
    page_say(
        host,
        "start state\ninput\ngo\nstart history\ninput\ngo\nstart update as=1\ninput write 0 1\ngo");
    page_say(host, "start invoke null\ninput\ngo\nask 0 1 interrupt");
    if (host->run > 0 && !host->over) {
        page_say(host, "result 0 1 write 0 2 branch 0 2\ngo");
    }
    demand(!host->broken);
    page_end(host);
}

#endif
