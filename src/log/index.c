// SPDX-License-Identifier: MIT
// Implements index.h: lookups.
#include "index.h"

#include "writer.h"

#include <string.h>

void weft_log_index_init(weft_log_index *index, weft_memory *memory, weft_log_anchor anchor,
                         uint64_t seed) {
    *index = (weft_log_index){.memory = memory,
                              .last = anchor,
                              .first_seq = anchor.seq + 1,
                              .bodies = {.memory = memory}};
    weft_map_init(&index->by_id, memory, seed);
    weft_map_init(&index->by_namespace, memory, seed);
    weft_map_init(&index->by_call, memory, seed);
    weft_map_init(&index->by_approval, memory, seed);
}

void weft_log_index_fini(weft_log_index *index) {
    weft_memory *memory = index->memory;
    weft_memory_release(memory, index->records, index->record_capacity * sizeof(*index->records));
    weft_memory_release(memory, index->places, index->place_capacity * sizeof(*index->places));
    weft_memory_release(memory, index->entries, index->entry_capacity * sizeof(*index->entries));
    weft_memory_release(memory, index->namespaces,
                        index->namespace_capacity * sizeof(*index->namespaces));
    weft_memory_release(memory, index->calls, index->call_capacity * sizeof(*index->calls));
    weft_map_fini(&index->by_id);
    weft_map_fini(&index->by_namespace);
    weft_map_fini(&index->by_call);
    weft_map_fini(&index->by_approval);
    weft_arena_fini(&index->bodies);
    weft_log_index_init(index, memory, (weft_log_anchor){0, 0}, index->by_id.seed);
}

const weft_log_record *weft_log_index_record(const weft_log_index *index, uint64_t seq) {
    if (seq < index->first_seq || seq - index->first_seq >= index->record_count) {
        return NULL;
    }
    return &index->records[seq - index->first_seq];
}

int weft_log_index_list_snapshot(const weft_log_index *index, uint64_t seq, uint32_t number,
                                 weft_log_list_snapshot *snapshot) {
    const weft_log_record *record = weft_log_index_record(index, seq);
    if (record == NULL || record->kind != WEFT_LOG_LIST_SNAPSHOT || number + 1 != record->values) {
        return 0;
    }
    weft_log_reader reader;
    weft_log_reader_init(&reader, record->body, record->length, seq);
    weft_log_get_list_snapshot(&reader, snapshot);
    return 1;
}

uint64_t weft_log_index_seq(const weft_log_index *index, uint32_t record) {
    return index->first_seq + record;
}

void weft_log_index_read(const weft_log_index *index, uint32_t record, weft_log_reader *reader) {
    const weft_log_record *at = &index->records[record];
    weft_log_reader_init(reader, at->body, at->length, weft_log_index_seq(index, record));
}

weft_status weft_log_index_resolve(const weft_log_index *index, weft_log_value *value) {
    if (value->form != WEFT_LOG_REFERENCE) {
        return WEFT_OK;
    }
    const weft_log_record *record = weft_log_index_record(index, value->seq);
    while (record != NULL && record->kind == WEFT_LOG_LIST_SNAPSHOT &&
           value->index + 1 < record->values) {
        weft_log_reader reader;
        weft_log_list_snapshot snapshot;
        weft_log_op run = {.count = 0};
        weft_log_reader_init(&reader, record->body, record->length, value->seq);
        weft_log_get_list_snapshot(&reader, &snapshot);
        for (; value->index >= run.count && reader.status == WEFT_OK;
             weft_log_get_run(&reader, &run)) {
            value->index -= run.count;
        }
        value->seq = run.seq;
        value->index += run.index;
        record = weft_log_index_record(index, value->seq);
    }
    if (record == NULL || record->kind == WEFT_LOG_LIST_SNAPSHOT ||
        value->index >= record->values) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    weft_log_place place = index->places[record->first_value + value->index];
    value->form = (place.length & WEFT_LOG_PATCHED) != 0 ? WEFT_LOG_PATCH : WEFT_LOG_INLINE;
    value->bytes = record->body + place.offset;
    value->length = place.length & ~WEFT_LOG_PATCHED;
    return WEFT_OK;
}

int weft_log_same_text(weft_log_text a, weft_log_text b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

// Finds the entry of (ns, id), which may have writes only.
static uint32_t find_entry(const weft_log_index *index, weft_log_text ns, const uint8_t *id) {
    uint32_t entry;
    if (!weft_map_get(&index->by_id, id, WEFT_LOG_ID_BYTES, &entry)) {
        return WEFT_LOG_NONE;
    }
    while (entry != WEFT_LOG_NONE &&
           !weft_log_same_text(index->namespaces[index->entries[entry].ns].name, ns)) {
        entry = index->entries[entry].same_id;
    }
    return entry;
}

uint32_t weft_log_index_find(const weft_log_index *index, weft_log_text ns,
                             const uint8_t id[WEFT_LOG_ID_BYTES]) {
    uint32_t entry = find_entry(index, ns, id);
    return entry != WEFT_LOG_NONE && index->entries[entry].record == WEFT_LOG_NONE ? WEFT_LOG_NONE
                                                                                   : entry;
}

static uint32_t visible(const weft_log_index *index, uint32_t entry) {
    while (entry != WEFT_LOG_NONE && index->entries[entry].hidden) {
        entry = index->entries[entry].older;
    }
    return entry;
}

uint32_t weft_log_index_newest(const weft_log_index *index, weft_log_text ns) {
    uint32_t number;
    if (!weft_map_get(&index->by_namespace, ns.bytes, ns.length, &number)) {
        return WEFT_LOG_NONE;
    }
    return visible(index, index->namespaces[number].newest);
}

uint32_t weft_log_index_older(const weft_log_index *index, uint32_t entry) {
    return visible(index, index->entries[entry].older);
}

const uint8_t *weft_log_index_newest_id(const weft_log_index *index) {
    return index->newest_id;
}

weft_status weft_log_index_call(const weft_log_index *index, const weft_log_ledger_key *key,
                                weft_log_call *call) {
    *call = (weft_log_call){WEFT_LOG_NONE, WEFT_LOG_NONE, WEFT_LOG_NONE};
    weft_buffer buffer;
    weft_log_writer writer;
    weft_buffer_init(&buffer, index->memory);
    weft_log_writer_init(&writer, &buffer, 0);
    weft_log_put_ledger_key(&writer, key);
    weft_status status = weft_log_writer_end(&writer);
    uint32_t number;
    if (status == WEFT_OK && weft_map_get(&index->by_call, buffer.bytes, buffer.length, &number)) {
        *call = index->calls[number];
    }
    weft_buffer_fini(&buffer);
    return status;
}

uint32_t weft_log_index_decision(const weft_log_index *index,
                                 const uint8_t approval[WEFT_LOG_ID_BYTES]) {
    uint32_t record;
    return weft_map_get(&index->by_approval, approval, WEFT_LOG_ID_BYTES, &record) ? record
                                                                                   : WEFT_LOG_NONE;
}
