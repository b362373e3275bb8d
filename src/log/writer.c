// SPDX-License-Identifier: MIT
// Implements writer.h: encoding records.
#include "writer.h"

#include "cross_refs.h"

#include <string.h>

void weft_log_writer_init(weft_log_writer *writer, weft_buffer *buffer, uint64_t seq) {
    writer->buffer = buffer;
    writer->seq = seq;
    writer->values = 0;
    writer->names = 0;
    writer->depth = 0;
    writer->patched = 0;
    writer->sources = NULL;
    writer->made = 0;
    writer->status = WEFT_OK;
}

weft_status weft_log_writer_end(const weft_log_writer *writer) {
    return writer->buffer->status != WEFT_OK ? writer->buffer->status : writer->status;
}

static void refuse(weft_log_writer *writer) {
    writer->status = WEFT_ERR_INTERNAL;
}

static uint64_t zigzag(int64_t value) {
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static void put_immediate(weft_log_writer *writer, uint32_t word) {
    uint32_t upper = word >> 3;
    if ((word & 7) == 0) {
        weft_buffer_varint(writer->buffer, (uint64_t)upper << 2);
    } else if ((word & 7) == 1) {
        int64_t number = (upper & 0x10000000u) != 0 ? (int64_t)upper - 0x20000000 : (int64_t)upper;
        weft_buffer_varint(writer->buffer, zigzag(number) << 2 | 1);
    } else {
        refuse(writer);
    }
}

static void put_patch_head(weft_log_writer *writer, const weft_log_value *base) {
    writer->patched |= 1;
    weft_buffer_u8(writer->buffer, WEFT_LOG_PATCH_HEAD);
    weft_buffer_varint(writer->buffer, writer->seq - base->seq);
    weft_buffer_varint(writer->buffer, base->index);
}

void weft_log_put_splices(weft_log_writer *writer, weft_log_splice splices[WEFT_LOG_SPLICES],
                          uint32_t count) {
    count = weft_log_cross_refs(writer->sources, writer->seq, splices, count);
    weft_buffer_varint(writer->buffer, count);
    for (uint32_t i = 0; i < count; i++) {
        const weft_log_splice *splice = &splices[i];
        int is_reference = splice->from.seq != 0;
        weft_buffer_varint(writer->buffer, splice->keep);
        weft_buffer_varint(writer->buffer, splice->drop);
        weft_buffer_varint(writer->buffer,
                           splice->insert.length | (is_reference ? WEFT_LOG_CROSS_REF : 0));
        if (is_reference) {
            writer->patched |= 3;
            weft_log_put_run(writer, splice->from.seq, splice->from.index, splice->from.count);
        } else {
            weft_buffer_append(writer->buffer, splice->insert.bytes, splice->insert.length);
        }
    }
}

// Writes the value as a patch of its base; returns 0, without writing, when the whole value is
// better.
static int put_patch(weft_log_writer *writer, const weft_log_value *value) {
    const weft_log_value *base = value->base;
    weft_log_splice splices[WEFT_LOG_SPLICES];
    if (base == NULL || base->seq >= writer->seq) {
        return 0;
    }
    weft_log_text old = {base->bytes, base->length}, text = {value->bytes, value->length};
    uint32_t count = weft_log_diff(old, text, &writer->made, splices);
    if (count == 0 || base->word + count > WEFT_LOG_DEPTH) {
        return 0;
    }
    put_patch_head(writer, base);
    writer->depth = base->word + count;
    weft_buffer_varint(writer->buffer, writer->depth);
    weft_buffer_varint(writer->buffer, value->length);
    weft_log_put_splices(writer, splices, count);
    return 1;
}

uint32_t weft_log_put_value(weft_log_writer *writer, const weft_log_value *value) {
    if (value->form == WEFT_LOG_PATCH) {
        put_patch_head(writer, value);
        weft_buffer_append(writer->buffer, value->bytes, value->length);
        return writer->values++;
    }
    if (value->form == WEFT_LOG_INLINE) {
        if (put_patch(writer, value)) {
            return writer->values++;
        }
        writer->depth = 0;
        weft_buffer_varint(writer->buffer, (uint64_t)value->length << 2 | 2);
        weft_buffer_append(writer->buffer, value->bytes, value->length);
        return writer->values++;
    }
    if (value->form == WEFT_LOG_IMMEDIATE) {
        put_immediate(writer, value->word);
        return WEFT_LOG_NONE;
    }
    if (value->seq == 0 || value->seq > writer->seq ||
        (value->seq == writer->seq && value->index >= writer->values)) {
        refuse(writer);
        return WEFT_LOG_NONE;
    }
    weft_buffer_varint(writer->buffer, (writer->seq - value->seq) << 2 | 3);
    weft_buffer_varint(writer->buffer, value->index);
    return WEFT_LOG_NONE;
}

void weft_log_put_name(weft_log_writer *writer, weft_log_text name) {
    weft_buffer *buffer = writer->buffer;
    if (buffer->status != WEFT_OK) {
        return;
    }
    for (uint32_t i = 0; name.length != 0 && i < writer->names; i++) {
        if (writer->name_lengths[i] == name.length &&
            memcmp(buffer->bytes + writer->name_offsets[i], name.bytes, name.length) == 0) {
            weft_buffer_varint(buffer, (uint64_t)i << 1 | 1);
            return;
        }
    }
    weft_buffer_varint(buffer, (uint64_t)name.length << 1);
    if (name.length != 0 && writer->names < WEFT_LOG_NAMES) {
        writer->name_offsets[writer->names] = buffer->length;
        writer->name_lengths[writer->names] = name.length;
        writer->names++;
    }
    weft_buffer_append(buffer, name.bytes, name.length);
}

void weft_log_put_count(weft_log_writer *writer, uint32_t count) {
    weft_buffer_varint(writer->buffer, count);
}

// Writes the namespace first, so that its bytes are always inline.
void weft_log_put_checkpoint(weft_log_writer *writer, const weft_log_checkpoint *head,
                             uint32_t parents) {
    if ((unsigned)head->source > WEFT_LOG_SOURCE_FORK) {
        refuse(writer);
        return;
    }
    weft_log_put_name(writer, head->ns);
    weft_buffer_append(writer->buffer, head->id, WEFT_LOG_ID_BYTES);
    weft_buffer_u8(writer->buffer,
                   (uint8_t)((unsigned)head->source | (head->has_parent ? 4u : 0u) |
                             (head->keyframe ? 8u : 0u) | (head->hidden ? 16u : 0u) |
                             (head->has_extra ? 32u : 0u)));
    if (head->has_parent) {
        weft_buffer_append(writer->buffer, head->parent, WEFT_LOG_ID_BYTES);
    }
    weft_buffer_varint(writer->buffer, zigzag(head->step));
    if (head->has_extra) {
        weft_log_put_value(writer, &head->extra);
    }
    weft_log_put_count(writer, parents);
}

void weft_log_put_parent(weft_log_writer *writer, weft_log_text ns,
                         const uint8_t id[WEFT_LOG_ID_BYTES]) {
    weft_log_put_name(writer, ns);
    weft_buffer_append(writer->buffer, id, WEFT_LOG_ID_BYTES);
}

void weft_log_put_change(weft_log_writer *writer, const weft_log_change *change) {
    if ((unsigned)change->form > WEFT_LOG_NAMES_SET || change->mark > 31) {
        refuse(writer);
        return;
    }
    weft_log_put_name(writer, change->channel);
    weft_buffer_varint(writer->buffer, change->version);
    weft_buffer_u8(writer->buffer, (uint8_t)((unsigned)change->form | (unsigned)change->mark << 3));
    if (change->form >= WEFT_LOG_LIST) {
        weft_log_put_count(writer, change->count);
    }
}

void weft_log_put_run(weft_log_writer *writer, uint64_t seq, uint32_t index, uint32_t count) {
    if (seq == 0 || seq >= writer->seq) {
        refuse(writer);
        return;
    }
    weft_buffer_varint(writer->buffer, writer->seq - seq);
    weft_buffer_varint(writer->buffer, index);
    weft_log_put_count(writer, count);
}

void weft_log_put_list_snapshot(weft_log_writer *writer, const weft_log_list_snapshot *snapshot) {
    weft_log_put_name(writer, snapshot->name);
    weft_buffer_varint(writer->buffer, snapshot->depth);
    weft_buffer_varint(writer->buffer, snapshot->length);
}

void weft_log_put_op(weft_log_writer *writer, const weft_log_op *op) {
    weft_buffer_u8(writer->buffer, (uint8_t)op->kind);
    switch (op->kind) {
    case WEFT_LOG_APPEND:
        weft_log_put_value(writer, &op->value);
        break;
    case WEFT_LOG_REPLACE:
        weft_buffer_varint(writer->buffer, op->index);
        weft_log_put_value(writer, &op->value);
        break;
    case WEFT_LOG_REMOVE:
        weft_buffer_varint(writer->buffer, op->index);
        break;
    case WEFT_LOG_CLEAR:
        break;
    case WEFT_LOG_RUN:
        weft_log_put_run(writer, op->seq, op->index, op->count);
        break;
    default:
        refuse(writer);
    }
}

void weft_log_put_seen(weft_log_writer *writer, const weft_log_seen *seen) {
    weft_log_put_name(writer, seen->node);
    weft_log_put_name(writer, seen->channel);
    weft_buffer_varint(writer->buffer, seen->version);
}

void weft_log_put_send(weft_log_writer *writer, const weft_log_send *send, uint32_t *args,
                       uint32_t *timeout) {
    weft_log_put_name(writer, send->node);
    weft_buffer_u8(writer->buffer, send->has_timeout ? 1 : 0);
    uint32_t index = weft_log_put_value(writer, &send->args);
    if (args != NULL) {
        *args = index;
    }
    index = send->has_timeout ? weft_log_put_value(writer, &send->timeout) : WEFT_LOG_NONE;
    if (timeout != NULL) {
        *timeout = index;
    }
}

void weft_log_put_writes(weft_log_writer *writer, weft_log_text ns,
                         const uint8_t checkpoint[WEFT_LOG_ID_BYTES]) {
    weft_log_put_name(writer, ns);
    weft_buffer_append(writer->buffer, checkpoint, WEFT_LOG_ID_BYTES);
}

static void put_task_key(weft_log_writer *writer, const weft_log_task_key *key) {
    weft_buffer_u8(writer->buffer, (uint8_t)key->kind);
    switch (key->kind) {
    case WEFT_LOG_TASK_NULL:
        break;
    case WEFT_LOG_TASK_PULL:
        weft_log_put_name(writer, key->node);
        weft_log_put_name(writer, key->trigger);
        break;
    case WEFT_LOG_TASK_PUSH:
        weft_buffer_varint(writer->buffer, key->index);
        weft_log_put_name(writer, key->node);
        break;
    case WEFT_LOG_TASK_STORED:
        weft_buffer_append(writer->buffer, key->id, WEFT_LOG_ID_BYTES);
        break;
    default:
        refuse(writer);
    }
}

void weft_log_put_task(weft_log_writer *writer, const weft_log_task *task) {
    put_task_key(writer, &task->key);
    weft_buffer_u8(writer->buffer, task->outcome);
    weft_log_put_count(writer, task->count);
}

uint32_t weft_log_put_write(weft_log_writer *writer, const weft_log_write *write) {
    if ((unsigned)write->special >= WEFT_LOG_WRITE_KINDS) {
        refuse(writer);
        return WEFT_LOG_NONE;
    }
    weft_buffer_u8(writer->buffer,
                   (uint8_t)((unsigned)write->special | (write->is_send ? 0x80u : 0u)));
    weft_log_put_name(writer, write->channel);
    weft_buffer_varint(writer->buffer, zigzag(write->index));
    if (!write->is_send && write->value.form == WEFT_LOG_MANY) {
        weft_buffer_u8(writer->buffer, WEFT_LOG_MANY_HEAD);
        weft_log_put_run(writer, write->value.seq, write->value.index, write->value.length);
        return WEFT_LOG_NONE;
    }
    if (!write->is_send) {
        return weft_log_put_value(writer, &write->value);
    }
    uint32_t args = WEFT_LOG_NONE;
    weft_log_put_send(writer, &write->send, &args, NULL);
    return args;
}

void weft_log_put_ledger_key(weft_log_writer *writer, const weft_log_ledger_key *key) {
    weft_log_put_name(writer, key->ns);
    weft_buffer_varint(writer->buffer, key->generation);
    weft_buffer_append(writer->buffer, key->digest, WEFT_LOG_DIGEST_BYTES);
    put_task_key(writer, &key->task);
    weft_log_put_name(writer, key->call);
}

uint32_t weft_log_put_ledger(weft_log_writer *writer, const weft_log_ledger *ledger) {
    weft_log_put_ledger_key(writer, &ledger->key);
    weft_buffer_u8(writer->buffer, (uint8_t)((ledger->moment != 0) * 2 + ledger->has_approval));
    if (ledger->has_approval) {
        weft_buffer_append(writer->buffer, ledger->approval, WEFT_LOG_ID_BYTES);
        weft_buffer_varint(writer->buffer, ledger->bound);
        weft_buffer_append(writer->buffer, ledger->shown, WEFT_LOG_DIGEST_BYTES);
    }
    if (ledger->moment != 0) {
        weft_buffer_varint(writer->buffer, ledger->moment);
        writer->patched |= WEFT_LOG_TIMED;
    }
    weft_buffer_u8(writer->buffer, ledger->verdict);
    return weft_log_put_value(writer, &ledger->payload);
}

void weft_log_put_trim(weft_log_writer *writer, weft_log_anchor dropped) {
    weft_buffer_varint(writer->buffer, dropped.seq);
    weft_buffer_u32(writer->buffer, dropped.crc);
}
