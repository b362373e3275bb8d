// SPDX-License-Identifier: MIT
// Implements index.h: adding frames. A frame is read completely before anything is added for it.
#include "apply_patches.h"
#include "fold.h"
#include "index.h"
#include "pack.h"

#include <string.h>

// One frame being added: the places of its values grow after the table's end and count once it was
// added.
typedef struct addition {
    weft_log_index *index;
    const weft_log_frame *frame;
    weft_log_reader reader;
    uint32_t record;        // its number
    uint32_t places;        // the table's length including its values
    uint32_t snapshot_item; // of a list snapshot: its values
    uint32_t snapshot;      // 1 + the number of the newest list snapshot that it refers to, or 0
} addition;

// Checks that the `count` values from (seq, index) on exist.
static weft_status note_run(addition *add, uint64_t seq, uint32_t index, uint32_t count) {
    const weft_log_record *record = weft_log_index_record(add->index, seq);
    if (record == NULL) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    uint32_t values = record->values;
    if (record->kind == WEFT_LOG_LIST_SNAPSHOT) {
        uint32_t number = (uint32_t)(seq - add->index->first_seq) + 1;
        add->snapshot = number > add->snapshot ? number : add->snapshot;
        values--;
    }
    return count <= values && index <= values - count ? WEFT_OK : WEFT_ERR_LOG_CORRUPT;
}

// Checks that a patch fits its base, which must exist.
static weft_status check_patch(addition *add, const weft_log_value *value) {
    weft_log_reader reader;
    const weft_log_patch *patch = &add->reader.patch;
    weft_log_patch below = {.depth = 0};
    weft_log_list_snapshot snapshot;
    if (patch->start != value->bytes) {
        weft_log_reader_init(&reader, value->bytes, value->length, value->seq);
        weft_log_measure_patch(&reader);
        patch = &reader.patch;
    }
    weft_log_value base = {.form = WEFT_LOG_REFERENCE, .seq = patch->seq, .index = patch->index};
    if (weft_log_index_list_snapshot(add->index, patch->seq, patch->index, &snapshot)) {
        WEFT_TRY(note_run(add, patch->seq, 0, 0));
        below.length = snapshot.length;
    } else {
        WEFT_TRY(note_run(add, patch->seq, patch->index, 1));
        WEFT_TRY(weft_log_index_resolve(add->index, &base));
        below.length = base.length;
        if (base.form == WEFT_LOG_PATCH) {
            below = weft_log_patch_head(&base);
        }
    }
    int fits = patch->depth > below.depth && patch->passed <= below.length;
    return fits && below.length - patch->dropped + patch->inserted == patch->length
               ? WEFT_OK
               : WEFT_ERR_LOG_CORRUPT;
}

// Checks that a reference points to an existing value (the reader has checked references into this
// record), and gives an inline value its place.
static weft_status note(addition *add, const weft_log_value *value) {
    weft_log_index *index = add->index;
    int many = value->form == WEFT_LOG_MANY;
    if (many || (value->form == WEFT_LOG_REFERENCE && value->seq != add->reader.seq)) {
        return note_run(add, value->seq, value->index, many ? value->length : 1);
    }
    if (value->form != WEFT_LOG_INLINE && value->form != WEFT_LOG_PATCH) {
        return WEFT_OK;
    }
    uint32_t patched = value->form == WEFT_LOG_PATCH ? WEFT_LOG_PATCHED : 0;
    if (patched != 0) {
        WEFT_TRY(check_patch(add, value));
    }
    if (add->places == WEFT_LOG_NONE ||
        !weft_memory_reserve(index->memory, &index->places, sizeof(*index->places),
                             &index->place_capacity, add->places + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    uint32_t offset = (uint32_t)(value->bytes - add->frame->body);
    index->places[add->places++] = (weft_log_place){offset, value->length | patched};
    return WEFT_OK;
}

static weft_status note_send(addition *add, const weft_log_send *send) {
    WEFT_TRY(note(add, &send->args));
    return note(add, &send->timeout);
}

static weft_status note_op(addition *add) {
    weft_log_op op;
    weft_log_get_op(&add->reader, &op);
    return op.kind == WEFT_LOG_RUN ? note_run(add, op.seq, op.index, op.count)
                                   : note(add, &op.value);
}

static weft_status note_change(addition *add) {
    weft_log_change change;
    weft_log_value value;
    weft_log_send send;
    weft_log_get_change(&add->reader, &change);
    if (change.form == WEFT_LOG_SET) {
        weft_log_get_value(&add->reader, &value);
        return note(add, &value);
    }
    for (uint32_t i = 0; i < change.count && add->reader.status == WEFT_OK; i++) {
        if (change.form == WEFT_LOG_LIST) {
            WEFT_TRY(note_op(add));
        } else if (change.form == WEFT_LOG_SENDS) {
            weft_log_get_send(&add->reader, &send);
            WEFT_TRY(note_send(add, &send));
        } else {
            weft_log_get_name(&add->reader);
        }
    }
    return WEFT_OK;
}

static weft_status note_tasks(addition *add) {
    weft_log_task task;
    weft_log_write write;
    for (uint32_t left = weft_log_get_tasks(&add->reader); left > 0; left--) {
        weft_log_get_task(&add->reader, &task);
        for (uint32_t i = 0; i < task.count && add->reader.status == WEFT_OK; i++) {
            weft_log_get_write(&add->reader, &write);
            WEFT_TRY(write.is_send ? note_send(add, &write.send) : note(add, &write.value));
        }
    }
    return weft_log_reader_end(&add->reader);
}

// Place of (ns, id) in the index, existing or new.
typedef struct seat {
    weft_log_text name;
    const uint8_t *id;
    uint32_t space; // number of the namespace, or WEFT_LOG_NONE
    uint32_t head;  // first entry of this id in any namespace, or WEFT_LOG_NONE
    uint32_t entry; // or WEFT_LOG_NONE
    int rises;      // the id is higher than all existing ones
} seat;

// Finds a namespace. Neighbours in a log share one, so the last entry's is tried before the map.
static uint32_t find_namespace(const weft_log_index *index, weft_log_text name) {
    uint32_t number = WEFT_LOG_NONE;
    if (index->entry_count != 0) {
        uint32_t near = index->entries[index->entry_count - 1].ns;
        weft_log_text last = index->namespaces[near].name;
        if (weft_log_same_text(last, name)) {
            return near;
        }
    }
    weft_map_get(&index->by_namespace, name.bytes, name.length, &number);
    return number;
}

static uint32_t of_namespace(const weft_log_index *index, uint32_t head, uint32_t space) {
    while (head != WEFT_LOG_NONE && index->entries[head].ns != space) {
        head = index->entries[head].same_id;
    }
    return head;
}

static seat find_seat(const weft_log_index *index, weft_log_text name, const uint8_t *id) {
    seat at = {name, id, find_namespace(index, name), WEFT_LOG_NONE, WEFT_LOG_NONE, 0};
    at.rises = index->newest_id == NULL || memcmp(id, index->newest_id, WEFT_LOG_ID_BYTES) > 0;
    if (!at.rises) {
        weft_map_get(&index->by_id, id, WEFT_LOG_ID_BYTES, &at.head);
    }
    at.entry = of_namespace(index, at.head, at.space);
    return at;
}

// Places a new namespace after the last one; it is not counted in namespace_count yet.
static weft_status place_namespace(weft_log_index *index, seat *at) {
    if (at->space != WEFT_LOG_NONE) {
        return WEFT_OK;
    }
    uint32_t number = index->namespace_count;
    if (!weft_memory_reserve(index->memory, &index->namespaces, sizeof(*index->namespaces),
                             &index->namespace_capacity, number + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(weft_map_set(&index->by_namespace, at->name.bytes, at->name.length, number));
    index->namespaces[number] = (weft_log_namespace){at->name, WEFT_LOG_NONE, 0};
    at->space = number;
    return WEFT_OK;
}

// Makes the entry of a seat without one. Adds nothing on failure.
static weft_status place_entry(weft_log_index *index, seat *at) {
    if (at->entry != WEFT_LOG_NONE) {
        return WEFT_OK;
    }
    WEFT_TRY(place_namespace(index, at));
    uint32_t number = index->entry_count;
    if (!weft_memory_reserve(index->memory, &index->entries, sizeof(*index->entries),
                             &index->entry_capacity, number + 1) ||
        weft_map_set(&index->by_id, at->id, WEFT_LOG_ID_BYTES, number) != WEFT_OK) {
        if (at->space == index->namespace_count) {
            weft_map_remove(&index->by_namespace, at->name.bytes, at->name.length);
        }
        return WEFT_ERR_NO_MEMORY;
    }
    index->entries[number] = (weft_log_entry){.id = at->id,
                                              .ns = at->space,
                                              .record = WEFT_LOG_NONE,
                                              .parent = WEFT_LOG_NONE,
                                              .older = WEFT_LOG_NONE,
                                              .same_id = at->head,
                                              .first_child = WEFT_LOG_NONE,
                                              .last_child = WEFT_LOG_NONE,
                                              .next_sibling = WEFT_LOG_NONE,
                                              .first_writes = WEFT_LOG_NONE,
                                              .last_writes = WEFT_LOG_NONE};
    at->entry = number;
    index->entry_count++;
    if (at->rises) {
        index->newest_id = at->id;
    }
    if (at->space == index->namespace_count) {
        index->namespace_count++;
    }
    return WEFT_OK;
}

// Finds the parent's entry; usually the newest of the namespace.
static uint32_t find_parent(const weft_log_index *index, const seat *at,
                            const weft_log_checkpoint *head) {
    if (!head->has_parent || at->space == WEFT_LOG_NONE) {
        return WEFT_LOG_NONE;
    }
    uint32_t newest = index->namespaces[at->space].newest;
    if (newest != WEFT_LOG_NONE &&
        memcmp(index->entries[newest].id, head->parent, WEFT_LOG_ID_BYTES) == 0) {
        return newest;
    }
    return weft_log_index_find(index, head->ns, head->parent);
}

// Turns a new entry, or one with writes only, into a checkpoint: newest of its namespace, last
// child of its parent.
static void link_entry(weft_log_index *index, uint32_t number, uint32_t parent) {
    weft_log_entry *entry = &index->entries[number];
    weft_log_namespace *space = &index->namespaces[entry->ns];
    entry->older = space->newest;
    space->newest = number;
    space->count++;
    entry->parent = parent;
    if (parent != WEFT_LOG_NONE) {
        weft_log_entry *above = &index->entries[parent];
        if (above->last_child == WEFT_LOG_NONE) {
            above->first_child = number;
        } else {
            index->entries[above->last_child].next_sibling = number;
        }
        above->last_child = number;
    }
}

static weft_status read_checkpoint(addition *add, weft_log_checkpoint *head) {
    weft_log_reader *reader = &add->reader;
    weft_log_seen seen;
    weft_log_text ns;
    const uint8_t *id;
    uint32_t parents = weft_log_get_checkpoint(reader, head);
    WEFT_TRY(note(add, &head->extra));
    for (; parents > 0; parents--) {
        weft_log_get_parent(reader, &ns, &id);
    }
    for (uint32_t left = weft_log_get_changes(reader); left > 0; left--) {
        WEFT_TRY(note_change(add));
    }
    for (uint32_t left = weft_log_get_seens(reader); left > 0; left--) {
        weft_log_get_seen(reader, &seen);
    }
    return note_tasks(add);
}

static weft_status add_checkpoint(addition *add) {
    weft_log_index *index = add->index;
    weft_log_checkpoint head;
    WEFT_TRY(read_checkpoint(add, &head));
    // The id is right after the namespace, which is the body's first name and so inline.
    seat at = find_seat(index, head.ns, head.ns.bytes + head.ns.length);
    uint32_t parent = find_parent(index, &at, &head);
    if (head.has_parent && parent == WEFT_LOG_NONE && !head.keyframe) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    // A second record of one id may not move it to another parent: that could close a cycle.
    if (at.entry != WEFT_LOG_NONE && index->entries[at.entry].record != WEFT_LOG_NONE &&
        index->entries[at.entry].parent != parent) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    WEFT_TRY(place_entry(index, &at));
    weft_log_entry *entry = &index->entries[at.entry];
    if (entry->record == WEFT_LOG_NONE) {
        link_entry(index, at.entry, parent);
    }
    entry->record = add->record;
    entry->step = head.step;
    entry->source = (uint8_t)head.source;
    entry->keyframe = (uint8_t)head.keyframe;
    entry->hidden = (uint8_t)head.hidden;
    entry->has_parent = (uint8_t)head.has_parent;
    return WEFT_OK;
}

static weft_status add_writes(addition *add) {
    weft_log_index *index = add->index;
    weft_log_text ns;
    const uint8_t *id;
    weft_log_get_writes(&add->reader, &ns, &id);
    WEFT_TRY(note_tasks(add));
    seat at = find_seat(index, ns, id);
    WEFT_TRY(place_entry(index, &at));
    weft_log_entry *entry = &index->entries[at.entry];
    if (entry->last_writes == WEFT_LOG_NONE) {
        entry->first_writes = add->record;
    } else {
        index->records[entry->last_writes].next_writes = add->record;
    }
    entry->last_writes = add->record;
    return WEFT_OK;
}

// Finds or makes the call of `key` (the record's own first bytes).
static weft_status place_call(weft_log_index *index, weft_log_text key, uint32_t *number) {
    if (weft_map_get(&index->by_call, key.bytes, key.length, number)) {
        return WEFT_OK;
    }
    *number = index->call_count;
    if (!weft_memory_reserve(index->memory, &index->calls, sizeof(*index->calls),
                             &index->call_capacity, *number + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(weft_map_set(&index->by_call, key.bytes, key.length, *number));
    index->calls[*number] = (weft_log_call){WEFT_LOG_NONE, WEFT_LOG_NONE, WEFT_LOG_NONE};
    index->call_count++;
    return WEFT_OK;
}

static weft_status add_ledger(addition *add) {
    weft_log_index *index = add->index;
    const uint8_t *body = add->frame->body;
    weft_log_reader ahead = add->reader;
    weft_log_ledger ledger;
    weft_log_get_ledger_key(&ahead, &ledger.key);
    weft_log_text key = {body, (uint32_t)(ahead.at - body)};
    weft_log_get_ledger(&add->reader, &ledger);
    WEFT_TRY(weft_log_reader_end(&add->reader));
    WEFT_TRY(note(add, &ledger.payload));
    // A decision is used once: the first one with an approval's id is kept.
    const uint8_t *approval = body + key.length + 1;
    uint32_t former;
    int decides =
        add->frame->kind == WEFT_LOG_DECISION && ledger.verdict != 0; // else it is a request
    int fresh = decides && ledger.has_approval &&
                !weft_map_get(&index->by_approval, approval, WEFT_LOG_ID_BYTES, &former);
    if (fresh) {
        WEFT_TRY(weft_map_set(&index->by_approval, approval, WEFT_LOG_ID_BYTES, add->record));
    }
    uint32_t number;
    weft_status status = place_call(index, key, &number);
    if (status != WEFT_OK) {
        if (fresh) {
            weft_map_remove(&index->by_approval, approval, WEFT_LOG_ID_BYTES);
        }
        return status;
    }
    if (add->frame->kind == WEFT_LOG_INTENT) {
        index->calls[number].intent = add->record;
    } else if (add->frame->kind == WEFT_LOG_RESULT) {
        index->calls[number].result = add->record;
    } else if (decides && (fresh || !ledger.has_approval)) {
        index->calls[number].decision = add->record;
    }
    return WEFT_OK;
}

// Drops everything read, as if the log began here. The newest id is kept.
static void forget(addition *add) {
    weft_log_index *index = add->index;
    weft_map_clear(&index->by_id);
    weft_map_clear(&index->by_namespace);
    weft_map_clear(&index->by_call);
    weft_map_clear(&index->by_approval);
    index->record_count = index->place_count = index->entry_count = 0;
    index->namespace_count = index->call_count = 0;
    index->first_seq = add->frame->seq;
    add->record = 0;
    add->places = 0;
}

static weft_status add_trim(addition *add) {
    weft_log_anchor dropped = weft_log_get_trim(&add->reader);
    WEFT_TRY(weft_log_reader_end(&add->reader));
    if (dropped.seq >= add->frame->seq) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    if (dropped.seq > add->index->trimmed) {
        add->index->trimmed = dropped.seq;
    }
    if (dropped.seq == add->index->last.seq && dropped.crc == add->index->last.crc) {
        forget(add);
    }
    return WEFT_OK;
}

// Adds a list snapshot. Its values must exist, must not be more than all existing ones, and must
// not be nested too deep.
static weft_status add_snapshot(addition *add) {
    weft_log_reader *reader = &add->reader;
    weft_log_list_snapshot snapshot, below;
    weft_log_op run;
    uint64_t count = 0;
    weft_log_get_list_snapshot(reader, &snapshot);
    while (reader->at != reader->end) {
        weft_log_get_run(reader, &run);
        WEFT_TRY(note_run(add, run.seq, run.index, run.count));
        const weft_log_record *record = weft_log_index_record(add->index, run.seq);
        if (weft_log_index_list_snapshot(add->index, run.seq, record->values - 1, &below) &&
            below.depth >= snapshot.depth) {
            return WEFT_ERR_LOG_CORRUPT;
        }
        count += run.count;
    }
    add->snapshot_item = (uint32_t)count + 1;
    return count <= add->places ? weft_log_reader_end(reader) : WEFT_ERR_LOG_CORRUPT;
}

static weft_status add_body(addition *add) {
    switch (add->frame->kind) {
    case WEFT_LOG_CHECKPOINT:
        return add_checkpoint(add);
    case WEFT_LOG_WRITES:
        return add_writes(add);
    case WEFT_LOG_INTENT:
    case WEFT_LOG_RESULT:
    case WEFT_LOG_DECISION:
        return add_ledger(add);
    case WEFT_LOG_TRIM:
        return add_trim(add);
    case WEFT_LOG_LIST_SNAPSHOT:
        return add_snapshot(add);
    default:
        return WEFT_ERR_LOG_FORMAT;
    }
}

weft_status weft_log_index_add(weft_log_index *index, const weft_log_frame *frame) {
    if (frame->seq != index->last.seq + 1) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    if (index->record_count == WEFT_LOG_NONE ||
        !weft_memory_reserve(index->memory, &index->records, sizeof(*index->records),
                             &index->record_capacity, index->record_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    addition add;
    add.index = index;
    add.frame = frame;
    add.record = index->record_count;
    add.places = index->place_count;
    add.snapshot_item = 0;
    add.snapshot = 0;
    weft_log_reader_init(&add.reader, frame->body, frame->length, frame->seq);
    WEFT_TRY(add_body(&add));
    index->records[add.record] =
        (weft_log_record){.body = frame->body,
                          .length = frame->length,
                          .first_value = index->place_count,
                          .values = add.places - index->place_count + add.snapshot_item,
                          .next_writes = WEFT_LOG_NONE,
                          .snapshot = add.snapshot,
                          .kind = frame->kind};
    index->record_count++;
    index->place_count = add.places;
    index->last = (weft_log_anchor){frame->seq, frame->crc};
    return WEFT_OK;
}

// Unpacks a packed frame's body.
static weft_status unpack(weft_log_index *index, weft_log_frame *frame) {
    weft_log_reader reader;
    weft_log_reader_init(&reader, frame->body, frame->length, frame->seq);
    frame->length = (uint32_t)weft_log_get_varint(&reader, WEFT_LOG_PACKED_MOST);
    uint8_t *to = weft_arena_alloc(&index->bodies, frame->length);
    frame->body = to;
    if (to == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    const uint8_t *end = to + frame->length;
    while (reader.at != reader.end) {
        weft_log_text own = weft_log_get_text(
            &reader, (uint32_t)weft_log_get_varint(&reader, (uint64_t)(end - to)));
        memcpy(to, own.bytes, own.length);
        to += own.length;
        if (reader.at == reader.end) {
            break;
        }
        uint64_t back = weft_log_get_varint(&reader, WEFT_LOG_PACKED_NEAR);
        uint32_t place = (uint32_t)weft_log_get_varint(&reader, WEFT_LOG_PACKED_NEAR);
        uint32_t count = (uint32_t)weft_log_get_varint(&reader, WEFT_LOG_PACKED_NEAR);
        const weft_log_record *record = weft_log_index_record(index, frame->seq - back);
        if (record == NULL || count > (size_t)(end - to) || place + count > record->length) {
            return WEFT_ERR_LOG_CORRUPT;
        }
        memcpy(to, record->body + place, count);
        to += count;
    }
    return to == end ? reader.status : WEFT_ERR_LOG_CORRUPT;
}

weft_status weft_log_index_load(weft_log_index *index, weft_log_span span,
                                const uint8_t thread[WEFT_LOG_THREAD_BYTES]) {
    weft_log_scan scan;
    weft_log_frame frame;
    weft_log_scan_init(&scan, weft_log_span_frames(span), thread, index->last);
    scan.trusted = 1;
    while (weft_log_scan_next(&scan, &frame)) {
        const uint8_t *header = frame.body - WEFT_LOG_HEADER_BYTES;
        WEFT_TRY(header[4] == WEFT_LOG_FORMAT_PACKED ? unpack(index, &frame) : WEFT_OK);
        WEFT_TRY(weft_log_index_add(index, &frame));
    }
    if (scan.stop == WEFT_LOG_STOP_FORMAT) {
        return WEFT_ERR_LOG_FORMAT;
    }
    return scan.stop == WEFT_LOG_STOP_CLEAN ? WEFT_OK : WEFT_ERR_LOG_CORRUPT;
}
