// SPDX-License-Identifier: MIT
// Implements relocation.h: values and patches at their new places.
#include "relocation.h"

#include "apply_patches.h"

weft_status weft_log_relocation_init(weft_log_relocation *at, const weft_log_index *index,
                                     weft_log_writer *writer, weft_arena *arena) {
    at->index = index;
    at->writer = writer;
    at->arena = arena;
    weft_buffer_init(&at->spliced, index->memory);
    at->seqs = weft_arena_zeroed(arena, index->place_count + 1u, sizeof(*at->seqs));
    at->numbers = weft_arena_zeroed(arena, index->place_count + 1u, sizeof(*at->numbers));
    at->snapshots = weft_arena_zeroed(arena, index->record_count + 1u, sizeof(*at->snapshots));
    return at->seqs != NULL && at->numbers != NULL && at->snapshots != NULL ? WEFT_OK
                                                                            : WEFT_ERR_NO_MEMORY;
}

void weft_log_relocation_fini(weft_log_relocation *at) {
    weft_buffer_fini(&at->spliced);
}

uint64_t weft_log_relocated_list_snapshot(const weft_log_relocation *at, uint64_t seq) {
    return seq < at->index->first_seq ? 0 : at->snapshots[seq - at->index->first_seq];
}

uint64_t weft_log_relocated_place(const weft_log_relocation *at, uint64_t seq, uint32_t *index) {
    weft_log_value value = {.form = WEFT_LOG_REFERENCE, .seq = seq, .index = *index};
    if (weft_log_index_resolve(at->index, &value) != WEFT_OK) {
        return 0;
    }
    uint32_t place = weft_log_index_record(at->index, value.seq)->first_value + value.index;
    *index = at->numbers[place];
    return at->seqs[place];
}

// Rewrites a patch's inserts from other values: refers to their new places, or copies their bytes.
static weft_status carry_splices(weft_log_relocation *at, const weft_log_value *patch,
                                 weft_log_value *carried) {
    weft_log_reader reader;
    weft_log_patch head;
    weft_log_writer own;
    weft_log_splice splices[WEFT_LOG_SPLICES];
    int copied = 0;
    weft_log_reader_init(&reader, patch->bytes, patch->length, patch->seq);
    weft_log_get_patch(&reader, &head);
    for (uint32_t i = 0; i < head.count; i++) {
        weft_log_op *from = &splices[i].from;
        weft_log_get_splice(&reader, &splices[i]);
        if (from->seq != 0) {
            copied = 1;
            WEFT_TRY(weft_log_follow_cross_ref(at->index, &splices[i]));
            uint64_t seq = weft_log_relocated_place(at, from->seq, &from->index);
            from->seq = seq < at->writer->seq ? seq : 0;
        }
    }
    if (!copied) {
        return WEFT_OK;
    }
    weft_buffer_clear(&at->spliced);
    weft_log_writer_init(&own, &at->spliced, at->writer->seq);
    weft_buffer_varint(&at->spliced, head.depth);
    weft_buffer_varint(&at->spliced, head.length);
    weft_log_put_splices(&own, splices, head.count);
    at->writer->patched |= own.patched;
    *carried = (weft_log_value){
        .form = WEFT_LOG_PATCH, .bytes = at->spliced.bytes, .length = at->spliced.length};
    return weft_log_writer_end(&own);
}

// Rewrites an inline patch: refers to its base's new place, or becomes the whole text.
static weft_status carry_patch(weft_log_relocation *at, weft_log_value *value) {
    weft_log_patch patch = weft_log_patch_head(value);
    const weft_log_record *record = weft_log_index_record(at->index, patch.seq);
    weft_log_value base = {.form = WEFT_LOG_REFERENCE, .seq = patch.seq, .index = patch.index};
    weft_log_list_snapshot snapshot;
    uint64_t seq = 0;
    if (weft_log_index_list_snapshot(at->index, base.seq, base.index, &snapshot)) {
        seq = weft_log_relocated_list_snapshot(at, base.seq);
    } else if (record != NULL) {
        WEFT_TRY(weft_log_index_resolve(at->index, &base));
        uint32_t place = weft_log_index_record(at->index, base.seq)->first_value + base.index;
        seq = at->seqs[place];
        base.index = at->numbers[place];
    }
    if (seq != 0 && seq < at->writer->seq) {
        weft_log_value old = *value;
        *value = (weft_log_value){.form = WEFT_LOG_PATCH, .bytes = patch.rest};
        value->length = old.length - (uint32_t)(patch.rest - old.bytes);
        WEFT_TRY(carry_splices(at, &old, value));
        value->seq = seq;
        value->index = base.index;
        return WEFT_OK;
    }
    uint32_t of_snapshot;
    uint8_t *text = weft_arena_zeroed(at->arena, patch.length + 1u, 1);
    if (text == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(weft_log_apply_patches(at->index, value, &at->patch_work, text, &of_snapshot));
    *value = (weft_log_value){.form = WEFT_LOG_INLINE, .bytes = text, .length = patch.length};
    return WEFT_OK;
}

weft_status weft_log_relocate_value(weft_log_relocation *at, weft_log_value *value) {
    if (value->form == WEFT_LOG_IMMEDIATE) {
        return WEFT_OK;
    }
    WEFT_TRY(weft_log_index_resolve(at->index, value));
    const weft_log_record *record = weft_log_index_record(at->index, value->seq);
    if (record == NULL || value->index >= record->values) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    uint32_t place = record->first_value + value->index;
    if (at->seqs[place] == 0) {
        WEFT_TRY(value->form == WEFT_LOG_PATCH ? carry_patch(at, value) : WEFT_OK);
        at->seqs[place] = at->writer->seq;
        at->numbers[place] = at->next_value++;
        return WEFT_OK;
    }
    value->form = WEFT_LOG_REFERENCE;
    value->seq = at->seqs[place];
    value->index = at->numbers[place];
    return WEFT_OK;
}
