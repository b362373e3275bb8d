// SPDX-License-Identifier: MIT
// Implements child.h (docs/semantics.md 12). Everything is copied, so that either run may end
// first; only the time travel of a tree is shared.
#include <string.h>

#include "run/host/batch.h"
#include "run/host/ids_and_namespaces.h"
#include "run/record/record.h"
#include "run/state/identity.h"
#include "run/state/run.h"
#include "run/task/child.h"

// ---- namespaces

// Removes ids from a namespace, in place; returns the new length. The numbers of subgraphs called
// by one task stay.
static uint32_t strip(uint8_t *bytes, uint32_t length) {
    uint32_t kept = 0;
    for (uint32_t start = 0; start < length;) {
        uint32_t end = start;
        uint32_t name = 0; // length of the segment up to its id
        while (end < length && bytes[end] != '|') {
            name += name == end - start && bytes[end] != ':';
            end++;
        }
        if (kept > 0) {
            bytes[kept++] = '|';
        }
        memmove(bytes + kept, bytes + start, name);
        kept += name;
        start = end + 1;
    }
    return kept;
}

// Sets the child's namespace. Further subgraphs of one task add a number to the task's namespace.
static weft_status take_namespace(weft_run *run, weft_run *parent, weft_task *task) {
    weft_buffer name;
    weft_buffer_init(&name, run->memory);
    weft_status status = weft_ids_namespace(parent, task, &name);
    if (status == WEFT_OK) {
        name.length = run->identity.stable ? strip(name.bytes, name.length) : name.length;
        if (task->children > 0) {
            weft_buffer_u8(&name, '|');
            weft_buffer_decimal(&name, task->children);
        }
        task->children++;
        status = name.status == WEFT_OK
                     ? weft_lasting_text(run, (weft_log_text){name.bytes, name.length},
                                         &run->identity.ns)
                     : name.status;
    }
    weft_buffer_fini(&name);
    return status;
}

// ---- what a child takes over

static weft_ancestor *find_ancestor(weft_run *run, weft_log_text ns) {
    for (uint32_t i = 0; i < run->identity.ancestor_count; i++) {
        weft_ancestor *at = &run->identity.ancestors[i];
        if (weft_log_same_text(at->ns, ns)) {
            return at;
        }
    }
    return NULL;
}

static weft_status take_ancestors(weft_run *run, const weft_run *parent) {
    uint32_t above = parent->identity.ancestor_count;
    run->identity.ancestors =
        weft_arena_zeroed(&run->lasting, above + 1u, sizeof(*run->identity.ancestors));
    if (run->identity.ancestors == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_ancestor last = {.ns = parent->identity.ns};
    WEFT_TRY(
        weft_lasting_ancestors(run, parent->identity.ancestors, above, run->identity.ancestors));
    run->identity.ancestor_count = above;
    weft_ancestor *at = find_ancestor(run, parent->identity.ns);
    if (at == NULL) {
        at = &run->identity.ancestors[run->identity.ancestor_count];
        WEFT_TRY(weft_lasting_ancestors(run, &last, 1, at));
        run->identity.ancestor_count++;
    }
    memcpy(at->id, parent->state->id, 16);
    return WEFT_OK;
}

// Takes over a value. A place in the log belongs to one thread, so another thread gets a value of
// its own.
static weft_status take_value(weft_run *run, const weft_run *parent, weft_word from,
                              weft_word *to) {
    const weft_value *held =
        run->thread == parent->thread ? NULL : weft_values_get(run->values, from);
    if (held != NULL && held->text != NULL) {
        return weft_values_new(run->values, held->text, held->length, to);
    }
    *to = from;
    weft_values_retain(run->values, from);
    return WEFT_OK;
}

// Passes the run's answers to its child.
static weft_status take_answers(weft_run *run, const weft_run *parent, const weft_task *task) {
    if (parent->resume.has_plain && !task->took_null_resume) {
        WEFT_TRY(take_value(run, parent, parent->resume.plain, &run->resume.plain));
        run->resume.has_plain = 1;
        run->resume.plain_is_stored = parent->resume.plain_is_stored;
        run->resume.plain_seq = parent->resume.plain_seq;
        run->resume.is_given = 1;
    }
    if (parent->resume.map_count == 0) {
        return WEFT_OK;
    }
    run->resume.map =
        weft_arena_zeroed(&run->lasting, parent->resume.map_count, sizeof(*run->resume.map));
    if (run->resume.map == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < parent->resume.map_count; i++) {
        run->resume.map[i] = parent->resume.map[i];
        WEFT_TRY(take_value(run, parent, parent->resume.map[i].word, &run->resume.map[i].word));
        run->resume.map_count = i + 1;
    }
    run->resume.map_is_plain = parent->resume.map_is_plain;
    // In later steps a child takes its input, even in a namespace that was answered before.
    run->resume.is_given |= run->identity.resumes;
    return WEFT_OK;
}

// Sets the child's last_text: its input is often the parent's state, which is nearest to the
// parent's longest text.
static void take_last_text(weft_run *run, weft_run *parent) {
    const weft_value *longest = weft_values_get(run->values, parent->recording.last_text);
    run->recording.last_text = parent->recording.last_text;
    for (uint32_t i = 0; i < parent->graph->user_channels; i++) {
        weft_word word = parent->state->channels[i].value;
        const weft_value *held = weft_values_base(run->values, word);
        if (held != NULL && (longest == NULL || held->length > longest->length)) {
            longest = held;
            run->recording.last_text = word;
        }
    }
    weft_values_retain(run->values, run->recording.last_text);
}

weft_status weft_child_adopt(weft_run *run, weft_run *parent, uint32_t index, uint32_t attempt,
                             uint32_t flags) {
    weft_task *task = weft_run_task(parent, index, attempt, WEFT_TASK_RUNNING);
    if (task == NULL) {
        return WEFT_ERR_STALE_HANDLE;
    }
    run->identity.nested = 1;
    run->identity.stable = (flags & (WEFT_CHILD_STABLE | WEFT_CHILD_ROOT)) != 0;
    run->identity.may_ask = (flags & WEFT_CHILD_MAY_ASK) != 0;
    // A new checkpoint of the parent names its tasks for the first time.
    run->identity.fresh = parent->recording.made && !run->identity.stable;
    run->identity.resumes = attempt > 1 || (parent->identity.nested ? parent->identity.resumes
                                                                    : parent->resume.resuming);
    // The root of a thread has no ancestors.
    if ((flags & WEFT_CHILD_ROOT) == 0) {
        WEFT_TRY(take_namespace(run, parent, task));
        WEFT_TRY(take_ancestors(run, parent));
        run->identity.replay = parent->identity.replay;
    }
    if (run->identity.replay != NULL) {
        run->identity.replay->refs++;
    }
    if (run->thread == NULL) {
        return WEFT_OK;
    }
    if (run->thread == parent->thread) {
        take_last_text(run, parent);
        weft_record_take_list(run, parent);
    }
    return take_answers(run, parent, task);
}

// ---- START

weft_status weft_child_read_namespace(weft_run *run, weft_cursor *cursor) {
    weft_log_text text;
    text.bytes = weft_cursor_text(cursor, &text.length);
    WEFT_TRY(cursor->status);
    return weft_lasting_text(run, text, &run->identity.ns);
}

weft_status weft_child_read_map(weft_run *run, weft_cursor *cursor) {
    uint32_t count = weft_cursor_count(cursor, 5);
    run->identity.ancestors =
        weft_arena_zeroed(&run->lasting, count + 1u, sizeof(*run->identity.ancestors));
    if (run->identity.ancestors == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_ancestor above;
        above.ns.bytes = weft_cursor_text(cursor, &above.ns.length);
        const uint8_t *id = weft_cursor_bytes(cursor, 16);
        WEFT_TRY(cursor->status);
        memcpy(above.id, id, 16);
        WEFT_TRY(weft_lasting_ancestors(run, &above, 1, &run->identity.ancestors[i]));
        run->identity.ancestor_count = i + 1;
    }
    return cursor->status;
}

void weft_child_use_map(weft_run *run) {
    const weft_ancestor *at = find_ancestor(run, run->identity.ns);
    if (at != NULL) {
        memcpy(run->options.checkpoint_id, at->id, 16);
        run->options.flags |= WEFT_START_HAS_CHECKPOINT_ID;
    }
}

// ---- the log

// Notes the namespace, without its ids, in the tree's time travel; *first says whether it is new
// there.
static weft_status visit(weft_run *run, int *first) {
    weft_replay *replay = run->identity.replay;
    uint32_t known;
    uint8_t *name = weft_arena_alloc(&replay->names, run->identity.ns.length + 1u);
    if (name == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    memcpy(name, run->identity.ns.bytes, run->identity.ns.length);
    uint32_t length = strip(name, run->identity.ns.length);
    *first = !weft_map_get(&replay->visited, name, length, &known);
    return *first ? weft_map_set(&replay->visited, name, length, 0) : WEFT_OK;
}

weft_status weft_child_entry(weft_run *run, uint32_t *entry) {
    if ((run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) != 0) {
        *entry =
            weft_log_index_find(&run->source.index, run->identity.ns, run->options.checkpoint_id);
        return WEFT_OK;
    }
    *entry = weft_log_index_newest(&run->source.index, run->identity.ns);
    int goes_back = 0;
    if (run->identity.replay != NULL && run->identity.nested) {
        WEFT_TRY(visit(run, &goes_back));
        // It had finished at that time, so it takes the input of its task again.
        run->identity.resumes = goes_back ? 0 : run->identity.resumes;
    }
    while (goes_back && *entry != WEFT_LOG_NONE &&
           memcmp(run->source.index.entries[*entry].id, run->identity.replay->bound, 16) >= 0) {
        *entry = weft_log_index_older(&run->source.index, *entry);
    }
    return WEFT_OK;
}

weft_status weft_child_replay(weft_run *run, uint32_t entry) {
    const weft_log_entry *from = &run->source.index.entries[entry];
    int edited = from->source == WEFT_SOURCE_UPDATE || from->source == WEFT_SOURCE_FORK;
    run->identity.replay = weft_memory_zeroed(run->memory, 1, sizeof(*run->identity.replay));
    if (run->identity.replay == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    run->identity.replay->refs = 1;
    weft_map_init(&run->identity.replay->visited, run->memory, run->tick);
    weft_arena_init(&run->identity.replay->names, run->memory);
    memcpy(run->identity.replay->bound,
           edited && from->parent != WEFT_LOG_NONE ? run->source.index.entries[from->parent].id
                                                   : from->id,
           16);
    return WEFT_OK;
}

void weft_child_fini(weft_run *run) {
    if (run->identity.replay != NULL && --run->identity.replay->refs == 0) {
        weft_map_fini(&run->identity.replay->visited);
        weft_arena_fini(&run->identity.replay->names);
        weft_memory_release(run->memory, run->identity.replay, sizeof(*run->identity.replay));
    }
}
