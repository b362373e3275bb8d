// SPDX-License-Identifier: MIT
// Implements index.h: iterates the pending writes of a checkpoint.
#include "index.h"

void weft_log_pending_init(weft_log_pending *pending, const weft_log_index *index, uint32_t entry) {
    *pending = (weft_log_pending){.index = index,
                                  .next_writes = index->entries[entry].first_writes,
                                  .next_child = index->entries[entry].first_child,
                                  .record = WEFT_LOG_NONE,
                                  .child = WEFT_LOG_NONE,
                                  .status = WEFT_OK};
}

// Skips a CHECKPOINT up to its tasks.
static void pass_to_tasks(weft_log_reader *reader) {
    weft_log_checkpoint head;
    weft_log_change change;
    weft_log_seen seen;
    weft_log_text ns;
    const uint8_t *id;
    for (uint32_t left = weft_log_get_checkpoint(reader, &head); left > 0; left--) {
        weft_log_get_parent(reader, &ns, &id);
    }
    for (uint32_t left = weft_log_get_changes(reader); left > 0; left--) {
        weft_log_get_change(reader, &change);
        weft_log_skip_change(reader, &change);
    }
    for (uint32_t left = weft_log_get_seens(reader); left > 0; left--) {
        weft_log_get_seen(reader, &seen);
    }
}

// Opens the next record that may have tasks; returns 0 when there is none.
static int next_record(weft_log_pending *pending) {
    const weft_log_index *index = pending->index;
    weft_log_text ns;
    const uint8_t *id;
    if (pending->next_writes != WEFT_LOG_NONE) {
        pending->record = pending->next_writes;
        pending->next_writes = index->records[pending->record].next_writes;
        weft_log_index_read(index, pending->record, &pending->reader);
        weft_log_get_writes(&pending->reader, &ns, &id);
    } else if (pending->next_child != WEFT_LOG_NONE) {
        pending->child = pending->next_child;
        pending->next_child = index->entries[pending->child].next_sibling;
        pending->record = index->entries[pending->child].record;
        weft_log_index_read(index, pending->record, &pending->reader);
        pass_to_tasks(&pending->reader);
    } else {
        return 0;
    }
    pending->tasks = weft_log_get_tasks(&pending->reader);
    pending->status = pending->reader.status;
    return 1;
}

int weft_log_pending_task(weft_log_pending *pending, weft_log_task *task) {
    weft_log_write write;
    while (weft_log_pending_write(pending, &write)) {
    }
    while (pending->status == WEFT_OK && pending->tasks == 0) {
        if (!next_record(pending)) {
            return 0;
        }
    }
    if (pending->status != WEFT_OK) {
        return 0;
    }
    weft_log_get_task(&pending->reader, task);
    pending->tasks--;
    pending->writes = task->count;
    pending->status = pending->reader.status;
    return pending->status == WEFT_OK;
}

int weft_log_pending_write(weft_log_pending *pending, weft_log_write *write) {
    weft_log_value *many = &pending->many.value;
    while (many->length == 0) {
        if (pending->status != WEFT_OK || pending->writes == 0) {
            return 0;
        }
        weft_log_get_write(&pending->reader, write);
        pending->writes--;
        pending->status = pending->reader.status;
        if (write->value.form != WEFT_LOG_MANY) {
            break;
        }
        pending->many = *write;
    }
    if (many->length > 0) {
        *write = pending->many;
        write->value.form = WEFT_LOG_REFERENCE;
        many->index++;
        many->length--;
    }
    weft_log_value *values[3] = {&write->value, &write->send.args, &write->send.timeout};
    for (int i = 0; i < 3 && pending->status == WEFT_OK; i++) {
        pending->status = weft_log_index_resolve(pending->index, values[i]);
    }
    return pending->status == WEFT_OK;
}
