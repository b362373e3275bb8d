// SPDX-License-Identifier: MIT
// Implements restore.h: finds in the log what later records may refer to: the list snapshots that
// lists begin with, and the last argument of a Send or input of a subgraph.
#include "log/apply_patches.h"
#include "run/restore/restore.h"
#include "run/state/run.h"
#include "run/state/thread.h"

#define TRIED 16u    // max snapshots to compare
#define LOOKED 1024u // max values to look at

// Counts the list's first items that are those of the list snapshot `seq`, into *most. Each item is
// compared once: a list snapshot that begins with another one continues with that one.
static weft_log_list_snapshot compare(const weft_run *run, const weft_list *list, uint64_t seq,
                                      uint32_t *most) {
    const weft_log_record *record = weft_log_index_record(&run->source.index, seq);
    weft_log_list_snapshot newest = {.depth = 0};
    uint32_t end = *most = record->values - 1 < list->count ? record->values - 1 : list->count;
    for (int goes_on = 1; goes_on;) {
        weft_log_reader reader;
        weft_log_list_snapshot snapshot;
        weft_log_op next = {.seq = 0};
        record = weft_log_index_record(&run->source.index, seq);
        weft_log_reader_init(&reader, record->body, record->length, seq);
        weft_log_get_list_snapshot(&reader, &snapshot);
        newest = newest.depth == 0 ? snapshot : newest;
        goes_on = 0;
        uint32_t below = 0;
        for (uint32_t at = 0; at < end;) {
            weft_log_get_run(&reader, &next);
            int is_snapshot =
                weft_log_index_record(&run->source.index, next.seq)->kind == WEFT_LOG_LIST_SNAPSHOT;
            if (is_snapshot && at == 0 && next.index == 0) {
                goes_on = 1;
                seq = next.seq;
                below = at = next.count;
                continue;
            }
            for (uint32_t i = 0; i < next.count && at < end; i++, at++) {
                const weft_value *item = weft_values_get(run->values, list->items[at].word);
                if (is_snapshot || item == NULL || item->seq != next.seq ||
                    item->index != next.index + i) {
                    *most = end = at;
                }
            }
        }
        end = end < below ? end : below;
    }
    return newest;
}

static void find_snapshot(weft_run *run, weft_list *list, weft_log_text name) {
    uint32_t tried = 0;
    for (uint32_t number = run->source.index.record_count; number > 0 && tried < TRIED; number--) {
        uint32_t shared, values = run->source.index.records[number - 1].values;
        if (run->source.index.records[number - 1].kind != WEFT_LOG_LIST_SNAPSHOT) {
            continue;
        }
        uint64_t seq = weft_log_index_seq(&run->source.index, number - 1);
        weft_log_list_snapshot from = compare(run, list, seq, &shared);
        int goes_on =
            shared > 0 && from.depth < WEFT_LOG_DEPTH && weft_log_same_text(from.name, name);
        weft_list_snapshot *snapshot =
            goes_on ? weft_list_take_snapshot(list, name, NULL, 0) : NULL;
        if (snapshot != NULL) {
            snapshot->base = seq;
            snapshot->base_depth = snapshot->depth = from.depth;
            snapshot->shared = shared;
            snapshot->seq = shared == snapshot->count && shared + 1 == values ? seq : 0;
            return;
        }
        tried++;
    }
}

// Returns the length of a value's text; 0 if it is a short patch of a list snapshot.
static uint32_t length_of(const weft_run *run, const weft_log_value *value) {
    if (value->form != WEFT_LOG_PATCH) {
        return value->length;
    }
    weft_log_patch head = weft_log_patch_head(value);
    weft_log_list_snapshot snapshot;
    int is_known =
        value->length < WEFT_PATCH_SHORT &&
        weft_log_index_list_snapshot(&run->source.index, head.seq, head.index, &snapshot) &&
        snapshot.depth < WEFT_LOG_DEPTH;
    return is_known ? 0 : head.length;
}

static void find_last_sent(weft_run *run) {
    uint32_t longest = 0, left = LOOKED;
    weft_log_value sent = {.form = WEFT_LOG_IMMEDIATE};
    for (uint32_t number = run->source.index.record_count; number > 0; number--) {
        const weft_log_record *record = &run->source.index.records[number - 1];
        for (uint32_t i = 0;
             i < record->values && left > 0 && record->kind != WEFT_LOG_LIST_SNAPSHOT;
             i++, left--) {
            weft_log_value value = {.form = WEFT_LOG_REFERENCE,
                                    .seq = weft_log_index_seq(&run->source.index, number - 1),
                                    .index = i};
            weft_log_index_resolve(&run->source.index, &value);
            uint32_t length = length_of(run, &value);
            if (length > longest) {
                longest = length;
                sent = value;
            }
        }
    }
    for (uint32_t i = 0; i < run->graph->channel_count; i++) {
        const weft_value *held = weft_values_get(run->values, run->state->channels[i].value);
        if (held != NULL && held->length >= longest) {
            return;
        }
    }
    weft_word word;
    if (longest >= WEFT_PATCHED_LEAST && weft_restore_word(run, &sent, &word) == WEFT_OK) {
        weft_thread_set_last_sent(run->thread, weft_values_get(run->values, word));
        weft_values_release(run->values, word);
    }
}

void weft_restore_list_snapshots(weft_run *run) {
    for (uint32_t i = 0; i < run->graph->user_channels; i++) {
        weft_list *list = run->state->channels[i].list;
        if (list != NULL) {
            find_snapshot(run, list, run->graph->channels[i].name);
        }
    }
    if (run->thread->last_sent.bytes == NULL) {
        uint64_t patch_work = run->source.patch_work;
        find_last_sent(run);
        run->source.patch_work = patch_work;
    }
}
