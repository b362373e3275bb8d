// SPDX-License-Identifier: MIT
// Implements reader.h: bounds-checked parsing.
#include "reader.h"

#include <string.h>

static const uint8_t zeros[WEFT_LOG_DIGEST_BYTES];

void weft_log_reader_init(weft_log_reader *reader, const uint8_t *body, uint32_t length,
                          uint64_t seq) {
    reader->start = body;
    reader->at = body;
    reader->end = body + length;
    reader->seq = seq;
    reader->values = 0;
    reader->names = 0;
    reader->patch.start = NULL;
    reader->status = WEFT_OK;
}

weft_status weft_log_reader_end(const weft_log_reader *reader) {
    return reader->status != WEFT_OK || reader->at == reader->end ? reader->status
                                                                  : WEFT_ERR_LOG_CORRUPT;
}

// Records a failure. Nothing is left to read from here on, so every later check fails by itself.
static void fail(weft_log_reader *reader) {
    reader->status = WEFT_ERR_LOG_CORRUPT;
    reader->at = reader->end;
}

static uint32_t left(const weft_log_reader *reader) {
    return (uint32_t)(reader->end - reader->at);
}

// Reads a varint. Each number has one encoding: a last byte of zero is refused.
uint64_t weft_log_get_long_varint(weft_log_reader *reader, uint64_t limit) {
    const uint8_t *at = reader->at;
    uint64_t value = 0;
    for (unsigned shift = 0; at != reader->end; shift += 7) {
        uint64_t byte = *at++;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            if ((byte == 0 && shift != 0) || (byte > 1 && shift == 63) || value > limit) {
                break;
            }
            reader->at = at;
            return value;
        }
        if (shift == 63) {
            break;
        }
    }
    fail(reader);
    return 0;
}

static inline uint8_t get_u8(weft_log_reader *reader) {
    if (reader->at == reader->end) {
        fail(reader);
        return 0;
    }
    return *reader->at++;
}

// Returns `size` borrowed bytes; after a failure zeros when `size` is at most a digest.
static inline const uint8_t *get_bytes(weft_log_reader *reader, uint32_t size) {
    if (left(reader) < size) {
        fail(reader);
        return zeros;
    }
    const uint8_t *bytes = reader->at;
    reader->at += size;
    return bytes;
}

weft_log_text weft_log_get_text(weft_log_reader *reader, uint32_t length) {
    weft_log_text text = {get_bytes(reader, length), length};
    if (reader->status != WEFT_OK) {
        text.length = 0;
    }
    return text;
}

static int64_t unzigzag(uint64_t value) {
    return (int64_t)(value >> 1) ^ ((value & 1) != 0 ? -1 : 0);
}

static uint32_t number_word(weft_log_reader *reader, uint64_t encoded) {
    int64_t number = unzigzag(encoded);
    if (number < -0x10000000 || number > 0x0fffffff) {
        fail(reader);
        return 0;
    }
    return (uint32_t)((uint64_t)number << 3) | 1u;
}

void weft_log_get_patch(weft_log_reader *reader, weft_log_patch *patch) {
    uint64_t back = weft_log_get_varint(reader, reader->seq);
    patch->seq = reader->seq - back;
    patch->index = (uint32_t)weft_log_get_varint(reader, UINT32_MAX - 1);
    patch->rest = reader->at;
    patch->depth = (uint32_t)weft_log_get_varint(reader, WEFT_LOG_DEPTH);
    patch->length = (uint32_t)weft_log_get_varint(reader, INT32_MAX);
    patch->count = (uint32_t)weft_log_get_varint(reader, WEFT_LOG_SPLICES);
    if (back == 0) {
        fail(reader);
    }
}

void weft_log_get_splice(weft_log_reader *reader, weft_log_splice *splice) {
    splice->keep = (uint32_t)weft_log_get_varint(reader, INT32_MAX);
    splice->drop = (uint32_t)weft_log_get_varint(reader, INT32_MAX);
    uint32_t length =
        (uint32_t)weft_log_get_varint(reader, WEFT_LOG_CROSS_REF + WEFT_LOG_CROSS_REF_MOST);
    splice->from.seq = 0;
    if (length < WEFT_LOG_CROSS_REF) {
        splice->insert = weft_log_get_text(reader, length);
        return;
    }
    splice->insert.length = length - WEFT_LOG_CROSS_REF;
    weft_log_get_run(reader, &splice->from);
}

void weft_log_measure_patch(weft_log_reader *reader) {
    weft_log_patch *patch = &reader->patch;
    weft_log_splice splice;
    patch->start = reader->at;
    patch->passed = patch->dropped = patch->inserted = 0;
    weft_log_get_patch(reader, patch);
    for (uint32_t i = 0; i < patch->count; i++) {
        weft_log_get_splice(reader, &splice);
        patch->passed += (uint64_t)splice.keep + splice.drop;
        patch->dropped += splice.drop;
        patch->inserted += splice.insert.length;
    }
}

static void get_patch(weft_log_reader *reader, weft_log_value *value) {
    const uint8_t *start = reader->at;
    weft_log_measure_patch(reader);
    if (reader->status == WEFT_OK) {
        *value = (weft_log_value){
            .form = WEFT_LOG_PATCH, .bytes = start, .length = (uint32_t)(reader->at - start)};
        value->seq = reader->seq;
        value->index = reader->values++;
    }
}

void weft_log_get_value(weft_log_reader *reader, weft_log_value *value) {
    uint64_t head = weft_log_get_varint(reader, UINT64_MAX);
    uint64_t rest = head >> 2;
    *value = (weft_log_value){.form = WEFT_LOG_IMMEDIATE};
    switch (head & 3) {
    case 0:
        if (head == WEFT_LOG_PATCH_HEAD) {
            get_patch(reader, value);
            break;
        }
        if (rest > 0x1fffffff) {
            fail(reader);
            break;
        }
        value->word = (uint32_t)rest << 3;
        break;
    case 1:
        value->word = number_word(reader, rest);
        break;
    case 2:
        if (rest > left(reader) || rest > INT32_MAX) {
            fail(reader);
            break;
        }
        value->form = WEFT_LOG_INLINE;
        value->length = (uint32_t)rest;
        value->bytes = reader->at;
        reader->at += rest;
        value->seq = reader->seq;
        value->index = reader->values++;
        break;
    default:
        value->form = WEFT_LOG_REFERENCE;
        value->index = (uint32_t)weft_log_get_varint(reader, UINT32_MAX - 1);
        value->seq = reader->seq - rest;
        if (rest >= reader->seq || (rest == 0 && value->index >= reader->values)) {
            fail(reader);
        }
    }
}

weft_log_text weft_log_get_name(weft_log_reader *reader) {
    uint64_t head = weft_log_get_varint(reader, UINT64_MAX);
    uint64_t rest = head >> 1;
    if ((head & 1) != 0 && rest < reader->names) {
        return reader->name_table[rest];
    }
    if ((head & 1) != 0 || rest > left(reader)) {
        fail(reader);
        return (weft_log_text){zeros, 0};
    }
    weft_log_text name = {reader->at, (uint32_t)rest};
    reader->at += rest;
    if (name.length != 0 && reader->names < WEFT_LOG_NAMES) {
        reader->name_table[reader->names++] = name;
    }
    return name;
}

uint32_t weft_log_get_count(weft_log_reader *reader, uint32_t least) {
    uint64_t most = left(reader);
    uint64_t count = weft_log_get_varint(reader, most);
    if (count * least > most) {
        fail(reader);
        count = 0;
    }
    return (uint32_t)count;
}

uint32_t weft_log_get_checkpoint(weft_log_reader *reader, weft_log_checkpoint *head) {
    head->ns = weft_log_get_name(reader);
    memcpy(head->id, get_bytes(reader, WEFT_LOG_ID_BYTES), WEFT_LOG_ID_BYTES);
    uint8_t flags = get_u8(reader);
    if (flags > 63) {
        fail(reader);
    }
    head->source = (weft_log_source)(flags & 3);
    head->has_parent = (flags & 4) != 0;
    head->keyframe = (flags & 8) != 0;
    head->hidden = (flags & 16) != 0;
    head->has_extra = (flags & 32) != 0;
    memcpy(head->parent, head->has_parent ? get_bytes(reader, WEFT_LOG_ID_BYTES) : zeros,
           WEFT_LOG_ID_BYTES);
    head->step = unzigzag(weft_log_get_varint(reader, UINT64_MAX));
    head->extra = (weft_log_value){.form = WEFT_LOG_IMMEDIATE};
    if (head->has_extra) {
        weft_log_get_value(reader, &head->extra);
    }
    return weft_log_get_count(reader, 1 + WEFT_LOG_ID_BYTES);
}

void weft_log_get_parent(weft_log_reader *reader, weft_log_text *ns, const uint8_t **id) {
    *ns = weft_log_get_name(reader);
    *id = get_bytes(reader, WEFT_LOG_ID_BYTES);
}

uint32_t weft_log_get_changes(weft_log_reader *reader) {
    return weft_log_get_count(reader, 3);
}
uint32_t weft_log_get_seens(weft_log_reader *reader) {
    return weft_log_get_count(reader, 3);
}
uint32_t weft_log_get_tasks(weft_log_reader *reader) {
    return weft_log_get_count(reader, 3);
}

void weft_log_get_change(weft_log_reader *reader, weft_log_change *change) {
    change->channel = weft_log_get_name(reader);
    change->version = weft_log_get_varint(reader, UINT64_MAX);
    uint8_t form = get_u8(reader);
    if ((form & 7) > WEFT_LOG_NAMES_SET) {
        fail(reader);
        form = 0;
    }
    change->form = (weft_log_change_form)(form & 7);
    change->mark = form >> 3;
    change->count = 0;
    if (change->form >= WEFT_LOG_LIST) {
        change->count = weft_log_get_count(reader, change->form == WEFT_LOG_SENDS ? 3 : 1);
    }
}

void weft_log_get_run(weft_log_reader *reader, weft_log_op *run) {
    uint64_t back = weft_log_get_varint(reader, UINT64_MAX);
    run->index = (uint32_t)weft_log_get_varint(reader, UINT32_MAX - 1);
    run->count = (uint32_t)weft_log_get_varint(reader, UINT32_MAX - 1);
    run->seq = reader->seq - back;
    if (back == 0 || back >= reader->seq) {
        fail(reader);
    }
}

void weft_log_get_list_snapshot(weft_log_reader *reader, weft_log_list_snapshot *snapshot) {
    snapshot->name = weft_log_get_name(reader);
    snapshot->depth = (uint32_t)weft_log_get_varint(reader, WEFT_LOG_DEPTH);
    snapshot->length = (uint32_t)weft_log_get_varint(reader, INT32_MAX);
}

void weft_log_get_op(weft_log_reader *reader, weft_log_op *op) {
    uint8_t kind = get_u8(reader);
    *op = (weft_log_op){.kind = WEFT_LOG_CLEAR};
    if (kind > WEFT_LOG_RUN) {
        fail(reader);
        return;
    }
    op->kind = (weft_log_op_kind)kind;
    if (op->kind == WEFT_LOG_RUN) {
        weft_log_get_run(reader, op);
        return;
    }
    if (op->kind == WEFT_LOG_REPLACE || op->kind == WEFT_LOG_REMOVE) {
        op->index = (uint32_t)weft_log_get_varint(reader, UINT32_MAX - 1);
    }
    if (op->kind == WEFT_LOG_REPLACE || op->kind == WEFT_LOG_APPEND) {
        weft_log_get_value(reader, &op->value);
    }
}

void weft_log_get_send(weft_log_reader *reader, weft_log_send *send) {
    send->node = weft_log_get_name(reader);
    uint8_t flags = get_u8(reader);
    if (flags > 1) {
        fail(reader);
    }
    send->has_timeout = flags == 1;
    weft_log_get_value(reader, &send->args);
    send->timeout = (weft_log_value){.form = WEFT_LOG_IMMEDIATE};
    if (send->has_timeout) {
        weft_log_get_value(reader, &send->timeout);
    }
}

void weft_log_get_seen(weft_log_reader *reader, weft_log_seen *seen) {
    seen->node = weft_log_get_name(reader);
    seen->channel = weft_log_get_name(reader);
    seen->version = weft_log_get_varint(reader, UINT64_MAX);
}

void weft_log_skip_change(weft_log_reader *reader, const weft_log_change *change) {
    weft_log_value value;
    weft_log_op op;
    weft_log_send send;
    if (change->form == WEFT_LOG_SET) {
        weft_log_get_value(reader, &value);
    }
    for (uint32_t i = 0; i < change->count && reader->status == WEFT_OK; i++) {
        if (change->form == WEFT_LOG_LIST) {
            weft_log_get_op(reader, &op);
        } else if (change->form == WEFT_LOG_SENDS) {
            weft_log_get_send(reader, &send);
        } else {
            weft_log_get_name(reader);
        }
    }
}

static void get_task_key(weft_log_reader *reader, weft_log_task_key *key) {
    uint8_t kind = get_u8(reader);
    *key =
        (weft_log_task_key){.kind = WEFT_LOG_TASK_NULL, .node = {zeros, 0}, .trigger = {zeros, 0}};
    if (kind > WEFT_LOG_TASK_STORED) {
        fail(reader);
        return;
    }
    key->kind = (weft_log_task_kind)kind;
    if (key->kind == WEFT_LOG_TASK_PULL) {
        key->node = weft_log_get_name(reader);
        key->trigger = weft_log_get_name(reader);
    } else if (key->kind == WEFT_LOG_TASK_PUSH) {
        key->index = (uint32_t)weft_log_get_varint(reader, UINT32_MAX);
        key->node = weft_log_get_name(reader);
    } else if (key->kind == WEFT_LOG_TASK_STORED) {
        memcpy(key->id, get_bytes(reader, WEFT_LOG_ID_BYTES), WEFT_LOG_ID_BYTES);
    }
}

void weft_log_get_task(weft_log_reader *reader, weft_log_task *task) {
    get_task_key(reader, &task->key);
    task->outcome = get_u8(reader);
    task->count = weft_log_get_count(reader, 4);
}

void weft_log_get_write(weft_log_reader *reader, weft_log_write *write) {
    uint8_t head = get_u8(reader);
    if ((head & 0x7f) >= WEFT_LOG_WRITE_KINDS) {
        fail(reader);
        head = 0;
    }
    write->special = (weft_log_special)(head & 0x7f);
    write->is_send = head >> 7;
    write->channel = weft_log_get_name(reader);
    write->index = (int32_t)unzigzag(weft_log_get_varint(reader, UINT32_MAX));
    write->value.form = write->send.args.form = write->send.timeout.form = WEFT_LOG_IMMEDIATE;
    if (write->is_send) {
        weft_log_get_send(reader, &write->send);
    } else if (reader->at != reader->end && *reader->at == WEFT_LOG_MANY_HEAD) {
        weft_log_op run;
        reader->at++;
        weft_log_get_run(reader, &run);
        write->value = (weft_log_value){
            .form = WEFT_LOG_MANY, .seq = run.seq, .index = run.index, .length = run.count};
    } else {
        weft_log_get_value(reader, &write->value);
    }
}

void weft_log_get_writes(weft_log_reader *reader, weft_log_text *ns, const uint8_t **checkpoint) {
    *ns = weft_log_get_name(reader);
    *checkpoint = get_bytes(reader, WEFT_LOG_ID_BYTES);
}

void weft_log_get_ledger_key(weft_log_reader *reader, weft_log_ledger_key *key) {
    key->ns = weft_log_get_name(reader);
    key->generation = (uint32_t)weft_log_get_varint(reader, UINT32_MAX);
    memcpy(key->digest, get_bytes(reader, WEFT_LOG_DIGEST_BYTES), WEFT_LOG_DIGEST_BYTES);
    get_task_key(reader, &key->task);
    key->call = weft_log_get_name(reader);
}

void weft_log_get_ledger(weft_log_reader *reader, weft_log_ledger *ledger) {
    weft_log_get_ledger_key(reader, &ledger->key);
    uint8_t flags = get_u8(reader);
    if (flags > 3 || flags == 2) {
        fail(reader);
    }
    ledger->has_approval = flags & 1;
    memcpy(ledger->approval, (flags & 1) != 0 ? get_bytes(reader, WEFT_LOG_ID_BYTES) : zeros,
           WEFT_LOG_ID_BYTES);
    ledger->bound = (flags & 1) != 0 ? weft_log_get_varint(reader, UINT64_MAX) : 0;
    memcpy(ledger->shown, (flags & 1) != 0 ? get_bytes(reader, WEFT_LOG_DIGEST_BYTES) : zeros,
           WEFT_LOG_DIGEST_BYTES);
    ledger->moment = flags == 3 ? weft_log_get_varint(reader, UINT64_MAX) : 0;
    ledger->verdict = get_u8(reader);
    weft_log_get_value(reader, &ledger->payload);
}

weft_log_anchor weft_log_get_trim(weft_log_reader *reader) {
    weft_log_anchor dropped = {.seq = weft_log_get_varint(reader, UINT64_MAX)};
    const uint8_t *crc = get_bytes(reader, 4);
    dropped.crc =
        (uint32_t)crc[0] | (uint32_t)crc[1] << 8 | (uint32_t)crc[2] << 16 | (uint32_t)crc[3] << 24;
    return dropped;
}
