// SPDX-License-Identifier: MIT
// T11: any bytes as the body of a record. What is lent lies inside the body, counts are bounded by
// it, and what was read and put again is read as the same.
#include "fuzz.h"
#include "log/apply_patches.h"
#include "log/reader.h"
#include "log/writer.h"

typedef struct copying {
    const uint8_t *start;
    size_t length;
    weft_log_reader reader;
    weft_log_writer writer;
    uint32_t pieces;
} copying;

static void inside(const copying *at, const uint8_t *bytes, uint32_t length) {
    demand(length == 0 || (bytes >= at->start && length <= at->length &&
                           bytes <= at->start + (at->length - length)));
}

static int goes_on(copying *at) {
    at->pieces++;
    demand(at->pieces <= 8 * at->length + 64);
    return at->reader.status == WEFT_OK;
}

// A patch is put by where its base stands.
static void see_value(copying *at, weft_log_value *value) {
    if (value->form == WEFT_LOG_INLINE || value->form == WEFT_LOG_PATCH) {
        inside(at, value->bytes, value->length);
    }
    if (value->form == WEFT_LOG_PATCH) {
        weft_log_patch patch = weft_log_patch_head(value);
        inside(at, patch.rest, value->length - (uint32_t)(patch.rest - value->bytes));
        value->length -= (uint32_t)(patch.rest - value->bytes);
        value->bytes = patch.rest;
        value->seq = patch.seq;
        value->index = patch.index;
    }
}

static void copy_send(copying *at) {
    weft_log_send send;
    weft_log_get_send(&at->reader, &send);
    if (goes_on(at)) {
        inside(at, send.node.bytes, send.node.length);
        see_value(at, &send.args);
        see_value(at, &send.timeout);
        weft_log_put_send(&at->writer, &send, NULL, NULL);
    }
}

static void copy_change(copying *at) {
    weft_log_change change;
    weft_log_get_change(&at->reader, &change);
    if (!goes_on(at)) {
        return;
    }
    inside(at, change.channel.bytes, change.channel.length);
    weft_log_put_change(&at->writer, &change);
    if (change.form == WEFT_LOG_SET) {
        weft_log_value value;
        weft_log_get_value(&at->reader, &value);
        see_value(at, &value);
        weft_log_put_value(&at->writer, &value);
    }
    for (uint32_t i = 0; i < change.count && goes_on(at); i++) {
        if (change.form == WEFT_LOG_LIST) {
            weft_log_op op;
            weft_log_get_op(&at->reader, &op);
            see_value(at, &op.value);
            weft_log_put_op(&at->writer, &op);
        } else if (change.form == WEFT_LOG_SENDS) {
            copy_send(at);
        } else if (change.form == WEFT_LOG_NAMES_SET) {
            weft_log_text name = weft_log_get_name(&at->reader);
            inside(at, name.bytes, name.length);
            weft_log_put_name(&at->writer, name);
        }
    }
}

static void copy_tasks(copying *at) {
    uint32_t tasks = weft_log_get_tasks(&at->reader);
    weft_log_put_count(&at->writer, tasks);
    for (; tasks > 0 && goes_on(at); tasks--) {
        weft_log_task task;
        weft_log_get_task(&at->reader, &task);
        weft_log_put_task(&at->writer, &task);
        for (uint32_t i = 0; i < task.count && goes_on(at); i++) {
            weft_log_write write;
            weft_log_get_write(&at->reader, &write);
            if (at->reader.status == WEFT_OK) {
                see_value(at, &write.value);
                see_value(at, &write.send.args);
                see_value(at, &write.send.timeout);
                weft_log_put_write(&at->writer, &write);
            }
        }
    }
}

static void copy_checkpoint(copying *at) {
    weft_log_checkpoint head;
    weft_log_text ns;
    const uint8_t *id;
    uint32_t parents = weft_log_get_checkpoint(&at->reader, &head);
    see_value(at, &head.extra);
    weft_log_put_checkpoint(&at->writer, &head, parents);
    for (; parents > 0 && goes_on(at); parents--) {
        weft_log_get_parent(&at->reader, &ns, &id);
        weft_log_put_parent(&at->writer, ns, id);
    }
    uint32_t changes = weft_log_get_changes(&at->reader);
    weft_log_put_count(&at->writer, changes);
    for (; changes > 0 && goes_on(at); changes--) {
        copy_change(at);
    }
    uint32_t seens = weft_log_get_seens(&at->reader);
    weft_log_put_count(&at->writer, seens);
    for (; seens > 0 && goes_on(at); seens--) {
        weft_log_seen seen;
        weft_log_get_seen(&at->reader, &seen);
        weft_log_put_seen(&at->writer, &seen);
    }
    copy_tasks(at);
}

// Reads `bytes` as a record of `kind` and puts what it says into `out`; the reader's verdict.
static weft_status copy_record(uint32_t kind, const uint8_t *bytes, uint32_t length,
                               weft_buffer *out) {
    copying at = {.start = bytes, .length = length};
    weft_log_reader_init(&at.reader, bytes, length, 1000);
    weft_log_writer_init(&at.writer, out, 1000);
    if (kind == WEFT_LOG_CHECKPOINT) {
        copy_checkpoint(&at);
    } else if (kind == WEFT_LOG_WRITES) {
        weft_log_text ns;
        const uint8_t *id;
        weft_log_get_writes(&at.reader, &ns, &id);
        weft_log_put_writes(&at.writer, ns, id);
        copy_tasks(&at);
    } else if (kind == WEFT_LOG_TRIM) {
        weft_log_put_trim(&at.writer, weft_log_get_trim(&at.reader));
    } else if (kind == WEFT_LOG_LIST_SNAPSHOT) {
        weft_log_list_snapshot snapshot;
        weft_log_op run;
        weft_log_get_list_snapshot(&at.reader, &snapshot);
        weft_log_put_list_snapshot(&at.writer, &snapshot);
        while (at.reader.status == WEFT_OK && at.reader.at != at.reader.end) {
            weft_log_get_run(&at.reader, &run);
            if (at.reader.status == WEFT_OK) {
                weft_log_put_run(&at.writer, run.seq, run.index, run.count);
            }
        }
    } else {
        weft_log_ledger ledger;
        weft_log_get_ledger(&at.reader, &ledger);
        see_value(&at, &ledger.payload);
        weft_log_put_ledger(&at.writer, &ledger);
    }
    weft_status status = weft_log_reader_end(&at.reader);
    demand(status == WEFT_OK || status == WEFT_ERR_LOG_CORRUPT);
    demand(status != WEFT_OK || weft_log_writer_end(&at.writer) == WEFT_OK);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    weft_memory memory = fuzz_memory();
    if (size == 0) {
        return 0;
    }
    weft_buffer first, second;
    weft_buffer_init(&first, &memory);
    weft_buffer_init(&second, &memory);
    uint32_t kind = data[0] % 7 + 1;
    if (copy_record(kind, data + 1, (uint32_t)size - 1, &first) == WEFT_OK) {
        demand(copy_record(kind, first.bytes, first.length, &second) == WEFT_OK);
        demand(first.length == second.length &&
               memcmp(first.bytes, second.bytes, first.length) == 0);
    }
    weft_buffer_fini(&first);
    weft_buffer_fini(&second);
    demand(memory.live == 0);
    return 0;
}
