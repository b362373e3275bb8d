// SPDX-License-Identifier: MIT
// Implements rewrite.h: one record after the other, values at their new places.
#include "rewrite.h"

#include "pack.h"
#include "relocation.h"
#include "state.h"
#include "writer.h"

#include <string.h>

typedef struct rewrite {
    const weft_log_index *index;
    weft_log_rewrite_mode mode;
    weft_buffer *buffer;
    weft_log_chain *chain;
    uint8_t *stays; // by entry
    weft_log_relocation relocation;
    uint32_t *first,
        *next; // by entry, by record: lists of a checkpoint's ledger records, each 1 + its number
    weft_log_reader reader;
    weft_log_writer writer;
    weft_log_packer *packer;
    uint32_t mark;
} rewrite;

static int is_import(const rewrite *at) {
    return at->mode == WEFT_LOG_REWRITE_IMPORT || at->mode == WEFT_LOG_REWRITE_MOVE;
}

static void begin(rewrite *at) {
    at->mark = weft_log_frame_begin(at->buffer);
    weft_log_writer_init(&at->writer, at->buffer, at->chain->last.seq + 1);
    at->relocation.next_value = 0;
}

static weft_status end(rewrite *at, weft_log_kind kind) {
    WEFT_TRY(weft_log_writer_end(&at->writer));
    if (at->writer.patched) {
        weft_log_frame_patched(at->buffer, at->mark, at->writer.patched);
    }
    if (at->index->bodies.chunks != NULL && kind <= WEFT_LOG_WRITES) {
        weft_log_pack(&at->packer, at->index->memory, at->buffer, at->mark, at->writer.seq);
    }
    return weft_log_frame_end(at->buffer, at->mark, kind, at->chain);
}

static weft_status put_value(rewrite *at, weft_log_value value) {
    WEFT_TRY(weft_log_relocate_value(&at->relocation, &value));
    weft_log_put_value(&at->writer, &value);
    return WEFT_OK;
}

static weft_status put_send(rewrite *at, weft_log_send send) {
    WEFT_TRY(weft_log_relocate_value(&at->relocation, &send.args));
    WEFT_TRY(weft_log_relocate_value(&at->relocation, &send.timeout));
    weft_log_put_send(&at->writer, &send, NULL, NULL);
    return WEFT_OK;
}

// Counts values from (seq, index) on that are consecutive in one earlier record of the new log; 0
// when the first is not in it.
static uint32_t run_length(const rewrite *at, uint64_t seq, uint32_t index, uint32_t most) {
    const weft_log_record *record = weft_log_index_record(at->index, seq);
    if (record == NULL || record->kind == WEFT_LOG_LIST_SNAPSHOT || index >= record->values ||
        most > record->values - index) {
        return 0;
    }
    uint32_t place = record->first_value + index;
    uint32_t count = 0;
    while (count < most && at->relocation.seqs[place + count] != 0 &&
           at->relocation.seqs[place + count] < at->writer.seq &&
           at->relocation.seqs[place + count] == at->relocation.seqs[place] &&
           at->relocation.numbers[place + count] == at->relocation.numbers[place] + count) {
        count++;
    }
    return count;
}

// Writes the runs of a list snapshot over the values' new places: over another rewritten list
// snapshot, or over values that are consecutive. Returns 0 when one of them is not in the new log.
static int put_of_snapshot(rewrite *at, weft_log_reader *reader) {
    weft_log_op run, more = {.count = 0};
    while (reader->at != reader->end) {
        weft_log_get_run(reader, &run);
        uint64_t carried = weft_log_relocated_list_snapshot(&at->relocation, run.seq);
        for (uint32_t i = 0, length; i < run.count; i += length) {
            uint32_t index = run.index + i;
            length = carried != 0 ? run.count : 1;
            uint64_t seq =
                carried != 0 ? carried : weft_log_relocated_place(&at->relocation, run.seq, &index);
            if (seq == 0) {
                return 0;
            }
            if (more.count != 0 && (seq != more.seq || index != more.index + more.count)) {
                weft_log_put_run(&at->writer, more.seq, more.index, more.count);
                more.count = 0;
            }
            more = more.count == 0 ? (weft_log_op){.seq = seq, .index = index} : more;
            more.count += length;
        }
    }
    if (more.count != 0) {
        weft_log_put_run(&at->writer, more.seq, more.index, more.count);
    }
    return 1;
}

// Writes the list snapshot that a record refers to before that record, if all its values are in the
// new log.
static weft_status carry_snapshot(rewrite *at, uint32_t record) {
    uint32_t number = at->index->records[record].snapshot - 1;
    weft_log_list_snapshot snapshot;
    weft_log_reader reader;
    if (number == WEFT_LOG_NONE || at->relocation.snapshots[number] != 0) {
        return WEFT_OK;
    }
    begin(at);
    weft_log_index_read(at->index, number, &reader);
    weft_log_get_list_snapshot(&reader, &snapshot);
    weft_log_put_list_snapshot(&at->writer, &snapshot);
    if (!put_of_snapshot(at, &reader)) {
        at->buffer->length = at->mark;
        return WEFT_OK;
    }
    at->relocation.snapshots[number] = at->writer.seq;
    return end(at, WEFT_LOG_LIST_SNAPSHOT);
}

// Writes `count` values from (seq, index) on as list operations; without `put` only counts them.
static weft_status put_run(rewrite *at, uint64_t seq, uint32_t index, uint32_t count, int put,
                           uint32_t *ops) {
    uint64_t carried = weft_log_relocated_list_snapshot(&at->relocation, seq);
    while (count > 0) {
        uint32_t length = carried != 0 ? count : run_length(at, seq, index, count);
        weft_log_op op = {.kind = length > 1 ? WEFT_LOG_RUN : WEFT_LOG_APPEND};
        (*ops)++;
        if (put && length > 1) {
            op.index = index;
            op.seq =
                carried != 0 ? carried : weft_log_relocated_place(&at->relocation, seq, &op.index);
            op.count = length;
            weft_log_put_op(&at->writer, &op);
        } else if (put) {
            op.value = (weft_log_value){.form = WEFT_LOG_REFERENCE, .seq = seq, .index = index};
            WEFT_TRY(weft_log_relocate_value(&at->relocation, &op.value));
            weft_log_put_op(&at->writer, &op);
        }
        length = length > 1 ? length : 1;
        index += length;
        count -= length;
    }
    return WEFT_OK;
}

// ---- a checkpoint whose parent stays: its own changes

static weft_status read_ops(rewrite *at, weft_log_reader *reader, uint32_t count, int put,
                            uint32_t *ops) {
    for (; count > 0 && reader->status == WEFT_OK; count--) {
        weft_log_op op;
        weft_log_get_op(reader, &op);
        if (op.kind == WEFT_LOG_RUN) {
            WEFT_TRY(put_run(at, op.seq, op.index, op.count, put, ops));
            continue;
        }
        (*ops)++;
        if (put) {
            if (op.kind == WEFT_LOG_APPEND || op.kind == WEFT_LOG_REPLACE) {
                WEFT_TRY(weft_log_relocate_value(&at->relocation, &op.value));
            }
            weft_log_put_op(&at->writer, &op);
        }
    }
    return reader->status;
}

static weft_status copy_change(rewrite *at) {
    weft_log_change change;
    weft_log_value value;
    weft_log_send send;
    uint32_t count, ops = 0;
    weft_log_get_change(&at->reader, &change);
    count = change.count;
    if (change.form == WEFT_LOG_LIST) {
        weft_log_reader ahead = at->reader;
        WEFT_TRY(read_ops(at, &ahead, count, 0, &ops));
        change.count = ops;
    }
    weft_log_put_change(&at->writer, &change);
    if (change.form == WEFT_LOG_SET) {
        weft_log_get_value(&at->reader, &value);
        return put_value(at, value);
    }
    if (change.form == WEFT_LOG_LIST) {
        ops = 0;
        return read_ops(at, &at->reader, count, 1, &ops);
    }
    for (; count > 0 && at->reader.status == WEFT_OK; count--) {
        if (change.form == WEFT_LOG_SENDS) {
            weft_log_get_send(&at->reader, &send);
            WEFT_TRY(put_send(at, send));
        } else {
            weft_log_put_name(&at->writer, weft_log_get_name(&at->reader));
        }
    }
    return at->reader.status;
}

// Counts a task's writes in the new log: values of a list snapshot that was not rewritten become
// writes of their own.
static uint32_t count_writes(const rewrite *at, weft_log_reader reader, uint32_t count) {
    weft_log_write write;
    uint32_t more = 0;
    for (uint32_t i = 0; i < count && reader.status == WEFT_OK; i++) {
        weft_log_get_write(&reader, &write);
        int is_split = write.value.form == WEFT_LOG_MANY &&
                       weft_log_relocated_list_snapshot(&at->relocation, write.value.seq) == 0;
        more += is_split ? write.value.length : 1;
    }
    return more;
}

static weft_status put_many(rewrite *at, weft_log_write *write) {
    weft_log_value many = write->value;
    uint64_t carried = weft_log_relocated_list_snapshot(&at->relocation, many.seq);
    if (carried != 0) {
        write->value.seq = carried;
        weft_log_put_write(&at->writer, write);
        return WEFT_OK;
    }
    for (uint32_t i = 0; i < many.length; i++) {
        write->value =
            (weft_log_value){.form = WEFT_LOG_REFERENCE, .seq = many.seq, .index = many.index + i};
        WEFT_TRY(weft_log_relocate_value(&at->relocation, &write->value));
        weft_log_put_write(&at->writer, write);
    }
    return WEFT_OK;
}

static weft_status copy_tasks(rewrite *at) {
    uint32_t tasks = weft_log_get_tasks(&at->reader);
    weft_log_put_count(&at->writer, tasks);
    for (; tasks > 0 && at->reader.status == WEFT_OK; tasks--) {
        weft_log_task task;
        weft_log_get_task(&at->reader, &task);
        uint32_t count = task.count;
        task.count = count_writes(at, at->reader, count);
        weft_log_put_task(&at->writer, &task);
        for (uint32_t i = 0; i < count && at->reader.status == WEFT_OK; i++) {
            weft_log_write write;
            weft_log_get_write(&at->reader, &write);
            if (write.special == WEFT_LOG_WRITE_RESUME && is_import(at)) {
                write.special = WEFT_LOG_WRITE_OTHER;
                write.channel = (weft_log_text){(const uint8_t *)WEFT_LOG_VOID_ANSWER,
                                                sizeof(WEFT_LOG_VOID_ANSWER) - 1};
            }
            if (write.value.form == WEFT_LOG_MANY) {
                WEFT_TRY(put_many(at, &write));
                continue;
            }
            if (write.is_send) {
                WEFT_TRY(weft_log_relocate_value(&at->relocation, &write.send.args));
                WEFT_TRY(weft_log_relocate_value(&at->relocation, &write.send.timeout));
            } else {
                WEFT_TRY(weft_log_relocate_value(&at->relocation, &write.value));
            }
            weft_log_put_write(&at->writer, &write);
        }
    }
    return weft_log_reader_end(&at->reader);
}

static weft_status copy_changes(rewrite *at) {
    weft_log_seen seen;
    uint32_t count = weft_log_get_changes(&at->reader);
    weft_log_put_count(&at->writer, count);
    for (; count > 0 && at->reader.status == WEFT_OK; count--) {
        WEFT_TRY(copy_change(at));
    }
    count = weft_log_get_seens(&at->reader);
    weft_log_put_count(&at->writer, count);
    for (; count > 0 && at->reader.status == WEFT_OK; count--) {
        weft_log_get_seen(&at->reader, &seen);
        weft_log_put_seen(&at->writer, &seen);
    }
    return copy_tasks(at);
}

// ---- a checkpoint whose parent is dropped: its whole state

static weft_status put_items(rewrite *at, const weft_log_channel *channel, int put, uint32_t *ops) {
    for (uint32_t i = 0; i < channel->count;) {
        const weft_log_value *first = &channel->items[i];
        uint32_t count = 1;
        if (first->form == WEFT_LOG_IMMEDIATE) {
            weft_log_op op = {.kind = WEFT_LOG_APPEND, .value = *first};
            (*ops)++;
            if (put) {
                weft_log_put_op(&at->writer, &op);
            }
        } else {
            while (i + count < channel->count && first[count].form != WEFT_LOG_IMMEDIATE &&
                   first[count].seq == first->seq && first[count].index == first->index + count) {
                count++;
            }
            WEFT_TRY(put_run(at, first->seq, first->index, count, put, ops));
        }
        i += count;
    }
    return WEFT_OK;
}

static weft_status put_channel(rewrite *at, const weft_log_channel *channel) {
    weft_log_change change = {channel->name, channel->version, channel->form, channel->mark,
                              channel->count};
    uint32_t ops = 0;
    if (channel->form == WEFT_LOG_LIST) {
        WEFT_TRY(put_items(at, channel, 0, &ops));
        change.count = ops;
    }
    weft_log_put_change(&at->writer, &change);
    ops = 0;
    switch (channel->form) {
    case WEFT_LOG_SET:
        return put_value(at, channel->value);
    case WEFT_LOG_LIST:
        return put_items(at, channel, 1, &ops);
    case WEFT_LOG_SENDS:
        for (uint32_t i = 0; i < channel->count; i++) {
            WEFT_TRY(put_send(at, channel->sends[i]));
        }
        return WEFT_OK;
    case WEFT_LOG_NAMES_SET:
        for (uint32_t i = 0; i < channel->count; i++) {
            weft_log_put_name(&at->writer, channel->names[i]);
        }
        return WEFT_OK;
    default:
        return WEFT_OK;
    }
}

static weft_status put_state(rewrite *at, uint32_t entry) {
    weft_arena arena;
    weft_log_state state;
    weft_arena_init(&arena, at->index->memory);
    weft_status status = weft_log_state_load(at->index, entry, &arena, &state);
    if (status == WEFT_OK) {
        weft_log_put_count(&at->writer, state.channel_count);
        for (uint32_t i = 0; i < state.channel_count && status == WEFT_OK; i++) {
            status = put_channel(at, &state.channels[i]);
        }
        weft_log_put_count(&at->writer, state.seen_count);
        for (uint32_t i = 0; i < state.seen_count; i++) {
            weft_log_put_seen(&at->writer, &state.seen[i]);
        }
        weft_log_put_count(&at->writer, 0); // the parent's tasks were dropped with it
    }
    weft_arena_fini(&arena);
    return status;
}

// ---- records

static weft_status rewrite_checkpoint(rewrite *at, uint32_t number) {
    const weft_log_entry *entry = &at->index->entries[number];
    int with_parent = entry->parent != WEFT_LOG_NONE && at->stays[entry->parent];
    weft_log_checkpoint head;
    weft_log_text ns;
    const uint8_t *id;
    WEFT_TRY(carry_snapshot(at, entry->record));
    begin(at);
    weft_log_index_read(at->index, entry->record, &at->reader);
    uint32_t parents = weft_log_get_checkpoint(&at->reader, &head);
    head.keyframe = head.keyframe || !with_parent;
    WEFT_TRY(weft_log_relocate_value(&at->relocation, &head.extra));
    weft_log_put_checkpoint(&at->writer, &head, parents);
    for (; parents > 0; parents--) {
        weft_log_get_parent(&at->reader, &ns, &id);
        weft_log_put_parent(&at->writer, ns, id);
    }
    WEFT_TRY(at->reader.status);
    WEFT_TRY(with_parent ? copy_changes(at) : put_state(at, number));
    return end(at, WEFT_LOG_CHECKPOINT);
}

static weft_status rewrite_writes(rewrite *at, uint32_t record) {
    weft_log_text ns;
    const uint8_t *checkpoint;
    WEFT_TRY(carry_snapshot(at, record));
    begin(at);
    weft_log_index_read(at->index, record, &at->reader);
    weft_log_get_writes(&at->reader, &ns, &checkpoint);
    WEFT_TRY(at->reader.status);
    weft_log_put_writes(&at->writer, ns, checkpoint);
    WEFT_TRY(copy_tasks(at));
    return end(at, WEFT_LOG_WRITES);
}

// Returns whether a ledger record stays: a call must not run again because its thread was trimmed
// or copied. An import keeps decisions, as history, but no requests.
static int stays_in_ledger(const rewrite *at, uint32_t record, const weft_log_ledger *ledger) {
    int is_question = at->index->records[record].kind == WEFT_LOG_DECISION && ledger->verdict == 0;
    return !is_question || !is_import(at);
}

static weft_status read_ledger(rewrite *at, uint32_t record, weft_log_ledger *ledger) {
    weft_log_index_read(at->index, record, &at->reader);
    weft_log_get_ledger(&at->reader, ledger);
    return weft_log_reader_end(&at->reader);
}

static weft_status rewrite_ledger(rewrite *at, uint32_t record) {
    weft_log_ledger ledger;
    begin(at);
    WEFT_TRY(read_ledger(at, record, &ledger));
    WEFT_TRY(weft_log_relocate_value(&at->relocation, &ledger.payload));
    if (at->mode == WEFT_LOG_REWRITE_MOVE && at->index->records[record].kind == WEFT_LOG_INTENT) {
        ledger.verdict |= WEFT_LOG_INTENT_MOVED;
    }
    weft_log_put_ledger(&at->writer, &ledger);
    return end(at, (weft_log_kind)at->index->records[record].kind);
}

// Sorts the ledger's records by checkpoint, since whether a call ended depends on the order of
// records. Records of dropped checkpoints are dropped; decisions stay, at the end.
static weft_status sort_ledger(rewrite *at) {
    static const uint8_t none[WEFT_LOG_ID_BYTES];
    const weft_log_index *index = at->index;
    for (uint32_t i = index->record_count; i > 0; i--) {
        weft_log_ledger ledger;
        uint8_t kind = index->records[i - 1].kind;
        if (kind < WEFT_LOG_INTENT || kind > WEFT_LOG_DECISION) {
            continue;
        }
        WEFT_TRY(read_ledger(at, i - 1, &ledger));
        if (!stays_in_ledger(at, i - 1, &ledger)) {
            continue;
        }
        uint32_t entry = weft_log_index_find(index, ledger.key.ns, ledger.key.digest);
        int is_bound = memcmp(ledger.key.digest, none, sizeof(none)) != 0;
        if (entry == WEFT_LOG_NONE || !at->stays[entry]) {
            if (is_bound && (kind != WEFT_LOG_DECISION || ledger.verdict == 0)) {
                continue;
            }
            entry = index->entry_count; // after all checkpoints
        }
        at->next[i - 1] = at->first[entry];
        at->first[entry] = i;
    }
    return WEFT_OK;
}

// Writes the records of a checkpoint in their original order. Numbers of the ledger's records count
// from 1.
static weft_status rewrite_pending(rewrite *at, uint32_t entry) {
    uint32_t writes =
        entry < at->index->entry_count ? at->index->entries[entry].first_writes : WEFT_LOG_NONE;
    uint32_t call = at->first[entry];
    while (writes != WEFT_LOG_NONE || call != 0) {
        if (call != 0 && call - 1 < writes) {
            WEFT_TRY(rewrite_ledger(at, call - 1));
            call = at->next[call - 1];
        } else {
            WEFT_TRY(rewrite_writes(at, writes));
            writes = at->index->records[writes].next_writes;
        }
    }
    return WEFT_OK;
}

static weft_status rewrite_all(rewrite *at, weft_log_rewritten *rewritten) {
    if (at->mode == WEFT_LOG_REWRITE_TRIM) {
        begin(at);
        weft_log_put_trim(&at->writer, at->chain->last);
        WEFT_TRY(end(at, WEFT_LOG_TRIM));
    }
    for (uint32_t i = 0; i < at->index->entry_count; i++) {
        int is_checkpoint = at->index->entries[i].record != WEFT_LOG_NONE;
        if (!at->stays[i]) {
            rewritten->dropped += (uint32_t)is_checkpoint;
            continue;
        }
        rewritten->kept += (uint32_t)is_checkpoint;
        if (is_checkpoint) {
            WEFT_TRY(rewrite_checkpoint(at, i));
        }
        WEFT_TRY(rewrite_pending(at, i));
    }
    return rewrite_pending(at, at->index->entry_count);
}

weft_status weft_log_rewrite(const weft_log_index *index, weft_log_rewrite_mode mode,
                             const weft_log_retention *retention, weft_buffer *buffer,
                             weft_log_chain *chain, weft_log_rewritten *rewritten) {
    weft_arena arena;
    weft_arena_init(&arena, index->memory);
    rewrite at = {.index = index, .mode = mode, .buffer = buffer, .chain = chain};
    at.stays = weft_arena_zeroed(&arena, index->entry_count + 1u, 1);
    at.first = weft_arena_zeroed(&arena, index->entry_count + 1u, sizeof(*at.first));
    at.next = weft_arena_zeroed(&arena, index->record_count + 1u, sizeof(*at.next));
    *rewritten = (weft_log_rewritten){0, 0};
    weft_status status = weft_log_relocation_init(&at.relocation, index, &at.writer, &arena);
    if (at.stays == NULL || at.first == NULL || at.next == NULL) {
        status = WEFT_ERR_NO_MEMORY;
    }
    if (status == WEFT_OK) {
        status = weft_log_retention_choose(index, retention, at.stays);
    }
    if (status == WEFT_OK) {
        status = sort_ledger(&at);
    }
    if (status == WEFT_OK) {
        status = rewrite_all(&at, rewritten);
    }
    weft_log_packer_begin(&at.packer, index->memory, NULL);
    weft_log_relocation_fini(&at.relocation);
    weft_arena_fini(&arena);
    return status;
}
