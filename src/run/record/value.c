// SPDX-License-Identifier: MIT
// Implements recorder.h: decides whether a value becomes a reference, a patch, or is stored whole.
#include "run/record/recorder.h"
#include "run/state/run.h"
#include "run/state/thread.h"

// Notes a value as wanted, once: a value without a record has its position in `wanted` as its
// index.
static void want_text(recorder *rec, weft_word word, weft_value *value) {
    weft_run *run = rec->run;
    if (value->index < run->recording.wanted_count && run->recording.wanted[value->index] == word) {
        return;
    }
    if (!weft_memory_reserve(run->memory, &run->recording.wanted, sizeof(*run->recording.wanted),
                             &run->recording.wanted_capacity, run->recording.wanted_count + 1)) {
        rec->status = WEFT_ERR_NO_MEMORY;
        return;
    }
    value->index = run->recording.wanted_count;
    run->recording.wanted[run->recording.wanted_count++] = word;
}

// Gives the value the place of the same text, if that was saved just now.
static void find_same(recorder *rec, weft_word word, weft_value *value) {
    if (!weft_values_stands(rec->run->values, word, rec->latest)) {
        weft_record_texts(rec, word, value);
    }
}

weft_log_value weft_record_value(recorder *rec, weft_word word) {
    weft_log_value out = {.form = WEFT_LOG_IMMEDIATE, .word = word};
    if ((word & 7u) == WEFT_WORD_TAG_NODE) {
        weft_log_text name = rec->run->graph->nodes[word >> 3].json;
        return (weft_log_value){
            .form = WEFT_LOG_INLINE, .bytes = name.bytes, .length = name.length};
    }
    weft_value *value = weft_values_get(rec->run->values, word);
    if (value == NULL) {
        return out;
    }
    if (value->length >= WEFT_PATCHED_LEAST && value->seq == 0) {
        find_same(rec, word, value);
    }
    if (value->seq != 0) {
        return (weft_log_value){
            .form = WEFT_LOG_REFERENCE, .seq = value->seq, .index = value->index};
    }
    if (value->text == NULL && rec->collecting) {
        want_text(rec, word, value);
    }
    return (weft_log_value){.form = WEFT_LOG_INLINE, .bytes = value->text, .length = value->length};
}

void weft_record_placed(recorder *rec, weft_word word, uint32_t index) {
    weft_value *value = index == WEFT_LOG_NONE ? NULL : weft_values_get(rec->run->values, word);
    if (value != NULL) {
        value->seq = rec->writer.seq;
        value->index = index;
        value->depth =
            (uint16_t)(rec->writer.depth | (rec->writer.depth > 0 ? rec->of_snapshot : 0));
        if (value->length < WEFT_PATCHED_LEAST) {
            return;
        }
        rec->latest = word;
        weft_record_texts(rec, word, value);
    }
}

// Finds the value in the log that is nearest in length: what is sent, asked, answered or passed to
// a subgraph is often built from it.
static const weft_value *nearest_base(const recorder *rec, uint32_t length) {
    const weft_run *run = rec->run;
    const weft_value *nearest = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i <= run->graph->channel_count; i++) {
        weft_word word =
            i == 0 ? run->recording.last_text : weft_channel_held(&run->state->channels[i - 1]);
        const weft_value *held = weft_values_base(run->values, word);
        if (held != NULL && held->seq < rec->writer.seq) {
            uint32_t apart = held->length < length ? length - held->length : held->length - length;
            if (apart < least) {
                nearest = held;
                least = apart;
            }
        }
    }
    return nearest;
}

// Chooses the base of a patch. A replacing value: the text in the log that it replaces. Items of a
// list in the input: the input, one after the other. Other values of the input, and values that
// replace nothing: the nearest text.
void weft_record_rebase(recorder *rec, weft_word before, weft_log_value *value,
                        weft_record_made made) {
    if (rec->collecting || value->form != WEFT_LOG_INLINE) {
        return;
    }
    const weft_run *run = rec->run;
    int of_input = run->step.tasks.count > 0 && run->step.tasks.items[0].node == 0;
    if (of_input && made == WEFT_RECORD_ITEM && run->recording.last_text != WEFT_WORD_ABSENT) {
        before = run->recording.last_text;
    } else {
        rec->writer.made = 0;
    }
    const weft_value *old = weft_values_base(run->values, before);
    if (value->length >= WEFT_PATCHED_LEAST &&
        (old == NULL || (of_input && made != WEFT_RECORD_ITEM))) {
        old = nearest_base(rec, value->length);
    }
    if (old != NULL && (made != WEFT_RECORD_ITEM || old->depth < WEFT_VALUE_OF_SNAPSHOT)) {
        rec->base = (weft_log_value){
            .word = old->depth, .bytes = old->text, .length = old->length, .seq = old->seq};
        rec->base.index = old->index;
        value->base = &rec->base;
    }
    if (made != WEFT_RECORD_ITEM &&
        (run->recording.snapshot != NULL || value->length >= WEFT_PATCHED_LEAST)) {
        weft_record_rebase_made(rec, value, made);
    }
    rec->of_snapshot = rec->base.word & WEFT_VALUE_OF_SNAPSHOT;
    rec->base.word &= ~WEFT_VALUE_OF_SNAPSHOT;
}

weft_word weft_record_message(const weft_list *list, const weft_message *message) {
    uint32_t at;
    int is_there = weft_map_get(&list->by_id, message->id, message->id_length, &at);
    return is_there ? list->items[at].word : WEFT_WORD_ABSENT;
}

weft_log_send weft_record_send(recorder *rec, uint32_t node, weft_word word, weft_word timeout) {
    weft_log_send send = {.node = rec->run->graph->nodes[node].name,
                          .args = weft_record_value(rec, word)};
    send.has_timeout = timeout != WEFT_WORD_ABSENT;
    weft_record_rebase(rec, WEFT_WORD_ABSENT, &send.args, WEFT_RECORD_SENT);
    if (send.has_timeout) {
        send.timeout = weft_record_value(rec, timeout);
    }
    return send;
}
