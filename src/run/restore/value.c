// SPDX-License-Identifier: MIT
// Implements restore.h: makes value handles from values of the log.
#include "log/apply_patches.h"
#include "run/restore/restore.h"
#include "run/state/run.h"

// Builds the text of a value that is stored as a patch.
static weft_status patched(weft_run *run, const weft_log_value *value, weft_word *word) {
    weft_log_patch head = weft_log_patch_head(value);
    uint32_t length = head.length;
    uint32_t of_snapshot;
    uint8_t *text = weft_memory_alloc(run->memory, length + 1u);
    if (text == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_status status = weft_log_apply_patches(&run->source.index, value, &run->source.patch_work,
                                                text, &of_snapshot);
    if (status == WEFT_OK) {
        status = weft_values_new(run->values, text, length, word);
    }
    if (status == WEFT_OK) {
        weft_values_get(run->values, *word)->depth =
            (uint16_t)(head.depth | (of_snapshot ? WEFT_VALUE_OF_SNAPSHOT : 0));
    }
    weft_memory_release(run->memory, text, length + 1u);
    return status;
}

weft_status weft_restore_word(weft_run *run, const weft_log_value *value, weft_word *word) {
    if (value->form == WEFT_LOG_IMMEDIATE) {
        *word = weft_word_is_value(value->word) || !weft_word_is_sound(value->word) ? WEFT_WORD_NULL
                                                                                    : value->word;
        return WEFT_OK;
    }
    int is_patch = value->form == WEFT_LOG_PATCH;
    WEFT_TRY(is_patch ? patched(run, value, word)
                      : weft_values_new(run->values, value->bytes, value->length, word));
    weft_value *made = weft_values_get(run->values, *word);
    made->seq = value->seq;
    made->index = value->index;
    return WEFT_OK;
}

int weft_restore_again(weft_run *run, weft_word known, const weft_log_value *value,
                       weft_word *word) {
    const weft_value *held = weft_values_get(run->values, known);
    if (held == NULL || value->form == WEFT_LOG_IMMEDIATE || held->seq != value->seq ||
        held->index != value->index) {
        return 0;
    }
    weft_values_retain(run->values, known);
    *word = known;
    return 1;
}

uint32_t weft_restore_source(const weft_graph *graph, const weft_join *join, weft_log_text name) {
    for (uint32_t i = 0; i < join->source_count; i++) {
        if (weft_log_same_text(graph->nodes[join->sources[i]].name, name)) {
            return i;
        }
    }
    return WEFT_GRAPH_NONE;
}

weft_status weft_restore_timeout(weft_run *run, const weft_log_send *stored, weft_word *word) {
    *word = WEFT_WORD_ABSENT;
    return stored->has_timeout ? weft_restore_word(run, &stored->timeout, word) : WEFT_OK;
}
