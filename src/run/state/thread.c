// SPDX-License-Identifier: MIT
// Implements thread.h: keeps the state of an open thread between its runs.
#include <string.h>

#include "run/state/thread.h"

weft_status weft_thread_new(weft_memory *memory, const void *id, uint32_t length,
                            weft_thread **result) {
    *result = NULL;
    if (length == 0) {
        return WEFT_ERR_ARGUMENT;
    }
    weft_thread *thread = weft_memory_zeroed(memory, 1, sizeof(*thread));
    uint8_t *copy = weft_memory_alloc(memory, length);
    if (thread == NULL || copy == NULL) {
        weft_memory_release(memory, thread, sizeof(*thread));
        weft_memory_release(memory, copy, length);
        return WEFT_ERR_NO_MEMORY;
    }
    memcpy(copy, id, length);
    thread->memory = memory;
    thread->refs = 1;
    thread->id = copy;
    thread->id_length = length;
    uint8_t hash[WEFT_LOG_THREAD_BYTES];
    weft_log_thread_hash(id, length, hash);
    weft_log_chain_init(&thread->chain, hash, (weft_log_anchor){0, 0});
    *result = thread;
    return WEFT_OK;
}

void weft_thread_retain(weft_thread *thread) {
    thread->refs++;
}

void weft_thread_release(weft_thread *thread) {
    if (thread == NULL || --thread->refs > 0) {
        return;
    }
    weft_thread_forget(thread);
    weft_memory_release(thread->memory, thread->id, thread->id_length);
    weft_memory_release(thread->memory, thread, sizeof(*thread));
}

void weft_thread_forget(weft_thread *thread) {
    weft_state_free(thread->kept);
    thread->kept = NULL;
    weft_thread_set_last_sent(thread, NULL);
    thread->known = 0;
    thread->chain.last = (weft_log_anchor){0, 0};
}

void weft_thread_set_last_sent(weft_thread *thread, const weft_value *value) {
    weft_memory_release(thread->memory, (uint8_t *)thread->last_sent.bytes,
                        thread->last_sent.length);
    uint8_t *copy = value == NULL ? NULL : weft_memory_alloc(thread->memory, value->length);
    thread->last_sent = (weft_log_value){.bytes = copy};
    if (value == NULL) {
        weft_thread_drop_texts(thread);
        weft_log_packer_begin(&thread->packer, thread->memory, NULL);
    } else if (copy != NULL) {
        memcpy(copy, value->text, value->length);
        thread->last_sent.length = value->length;
        thread->last_sent.seq = value->seq;
        thread->last_sent.index = value->index;
        thread->last_sent.word = value->depth;
    }
}

void weft_thread_drop_texts(weft_thread *thread) {
    while (thread->text_count > 0) {
        weft_word *text = &thread->texts[--thread->text_count % WEFT_TEXTS];
        weft_values_release(thread->values, *text);
        *text = WEFT_WORD_ABSENT;
    }
}

// Prepares a state for the next run. Slots end with a run, except those of list items: a value that
// a node may change in place must be parsed again. Untracked values and undefined end with their
// run.
static int detach_values(weft_state *state) {
    for (uint32_t i = 0; i < state->graph->channel_count; i++) {
        weft_channel *channel = &state->channels[i];
        if (channel->value == WEFT_WORD_UNDEFINED ||
            weft_state_rule(state, i)->kind == WEFT_CHANNEL_UNTRACKED) {
            weft_channel_set(channel, state->values, WEFT_WORD_ABSENT);
        }
        if (!weft_values_detach(state->values, &channel->value)) {
            return 0;
        }
        for (uint32_t s = 0; s < channel->send_count; s++) {
            if (!weft_values_detach(state->values, &channel->sends[s].word)) {
                return 0;
            }
        }
    }
    return 1;
}

void weft_thread_keep(weft_thread *thread, weft_state *state) {
    weft_state_free(thread->kept);
    thread->kept = NULL;
    if (state == NULL || !thread->known || !detach_values(state)) {
        weft_state_free(state);
        return;
    }
    thread->kept = state;
}

weft_state *weft_thread_take(weft_thread *thread, const weft_graph *graph) {
    weft_state *state = thread->kept;
    if (state == NULL || state->graph != graph) {
        return NULL;
    }
    thread->kept = NULL;
    return state;
}
