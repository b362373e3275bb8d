// SPDX-License-Identifier: MIT
// Implements retention.h: choosing checkpoints.
#include "retention.h"

#include <string.h>

// Returns the time in a UUIDv6: its first 48 bits and the 12 after the version.
static uint64_t time_of(const uint8_t *id) {
    uint64_t time = 0;
    for (int i = 0; i < 6; i++) {
        time = time << 8 | id[i];
    }
    return time << 12 | (uint64_t)(id[6] & 15u) << 8 | id[7];
}

static int is_root(const weft_log_index *index, const weft_log_entry *entry) {
    return index->namespaces[entry->ns].name.length == 0;
}

static int is_pinned(const weft_log_retention *retention, const uint8_t *id) {
    for (uint32_t i = 0; i < retention->pinned_count; i++) {
        if (memcmp(retention->pinned + (size_t)i * WEFT_LOG_ID_BYTES, id, WEFT_LOG_ID_BYTES) == 0) {
            return 1;
        }
    }
    return 0;
}

// Returns whether a namespace continues from run to run; one that contains a task's id belongs to
// one step.
static int goes_on(weft_log_text ns) {
    return ns.length == 0 || memchr(ns.bytes, ':', ns.length) == NULL;
}

static void choose_newest(const weft_log_index *index, const weft_log_retention *retention,
                          uint8_t *stays) {
    for (uint32_t i = 0; i < index->namespace_count; i++) {
        const weft_log_namespace *space = &index->namespaces[i];
        if (!goes_on(space->name)) {
            continue;
        }
        if (space->newest != WEFT_LOG_NONE) {
            stays[space->newest] = 1;
        }
        uint32_t left = space->name.length == 0 && retention->last > 1 ? retention->last : 1;
        uint32_t entry = weft_log_index_newest(index, space->name);
        for (; entry != WEFT_LOG_NONE && left > 0; left--) {
            stays[entry] = 1;
            entry = weft_log_index_older(index, entry);
        }
    }
}

// Finds the root checkpoint that a subgraph's checkpoint names as its ancestor, or WEFT_LOG_NONE.
static weft_status root_of(const weft_log_index *index, const weft_log_entry *entry,
                           uint32_t *root) {
    static const weft_log_text root_name = {(const uint8_t *)"", 0};
    weft_log_reader reader;
    weft_log_checkpoint head;
    weft_log_text ns;
    const uint8_t *id;
    *root = WEFT_LOG_NONE;
    weft_log_index_read(index, entry->record, &reader);
    for (uint32_t parents = weft_log_get_checkpoint(&reader, &head); parents > 0; parents--) {
        weft_log_get_parent(&reader, &ns, &id);
        if (reader.status == WEFT_OK && ns.length == 0) {
            *root = weft_log_index_find(index, root_name, id);
        }
    }
    return reader.status;
}

static weft_status choose_below(const weft_log_index *index, uint8_t *stays) {
    for (uint32_t i = 0; i < index->entry_count; i++) {
        const weft_log_entry *entry = &index->entries[i];
        if (stays[i] || is_root(index, entry) || entry->record == WEFT_LOG_NONE) {
            continue;
        }
        uint32_t root;
        WEFT_TRY(root_of(index, entry, &root));
        stays[i] = root != WEFT_LOG_NONE && stays[root];
    }
    return WEFT_OK;
}

weft_status weft_log_retention_choose(const weft_log_index *index,
                                      const weft_log_retention *retention, uint8_t *stays) {
    if (retention == NULL) {
        memset(stays, 1, index->entry_count);
        return WEFT_OK;
    }
    choose_newest(index, retention, stays);
    for (uint32_t i = 0; i < index->entry_count; i++) {
        const weft_log_entry *entry = &index->entries[i];
        int waits = entry->first_writes != WEFT_LOG_NONE && entry->first_child == WEFT_LOG_NONE;
        int recent = is_root(index, entry) && time_of(entry->id) >= retention->since;
        if (waits || recent || is_pinned(retention, entry->id)) {
            stays[i] = 1;
        }
    }
    return choose_below(index, stays);
}
