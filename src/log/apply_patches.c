// SPDX-License-Identifier: MIT
// Implements apply_patches.h: walks from the newest patch back to the whole value and keeps track
// of the parts of the text that are still missing: a splice's insert provides its bytes, the rest
// comes from earlier values. So no intermediate text is built, and a chain of edits at one place
// costs one step each: pieces before that place (the cursor) are in one stack, pieces after it in
// another.
#include "apply_patches.h"

#include "base/arena.h"
#include "list_snapshot.h"

#include <string.h>

// A part of the current version that belongs at `to` in the text. `at` counts from the version's
// start in the stack before the cursor, from its end in the stack after it: so an edit between them
// changes neither.
typedef struct piece {
    uint32_t at, length, to;
} piece;

typedef struct stack {
    piece *items;
    uint32_t count, capacity;
} stack;

typedef struct applying {
    const weft_log_index *index;
    weft_memory *memory;
    stack before, behind;
    uint32_t length; // of the current version
    uint64_t *work, most;
    uint8_t *text;
    weft_status status;
} applying;

static void push(applying *at, stack *to, uint32_t place, uint32_t length, uint32_t target) {
    if (length == 0 || at->status != WEFT_OK) {
        return;
    }
    if (++*at->work > at->most) {
        at->status = WEFT_ERR_LOG_CORRUPT;
    } else if (!weft_memory_reserve(at->memory, &to->items, sizeof(*to->items), &to->capacity,
                                    to->count + 1)) {
        at->status = WEFT_ERR_NO_MEMORY;
    } else {
        to->items[to->count++] = (piece){place, length, target};
    }
}

// Takes the pieces before the cursor from `place` on: moves them after the cursor, or copies them
// from `insert`, which begins at `place`.
static void cut(applying *at, uint32_t place, const uint8_t *insert) {
    while (at->before.count > 0 && at->status == WEFT_OK) {
        piece last = at->before.items[at->before.count - 1];
        if (last.at + last.length <= place) {
            break;
        }
        uint32_t stays = last.at < place ? place - last.at : 0;
        uint32_t goes = last.length - stays;
        at->before.count--;
        push(at, &at->before, last.at, stays, last.to);
        if (insert == NULL) {
            push(at, &at->behind, at->length - last.at - stays, goes, last.to + stays);
        } else {
            memcpy(at->text + last.to + stays, insert + (last.at + stays - place), goes);
        }
    }
}

// Undoes one splice whose insert ends `end` bytes before the version's end.
static void undo(applying *at, uint32_t end, const weft_log_splice *splice) {
    uint32_t place = at->length - end;
    cut(at, place, NULL);
    while (at->behind.count > 0 && at->length - at->behind.items[at->behind.count - 1].at < place) {
        piece first = at->behind.items[--at->behind.count];
        uint32_t start = at->length - first.at;
        uint32_t goes = first.length < place - start ? first.length : place - start;
        push(at, &at->behind, first.at - goes, first.length - goes, first.to + goes);
        push(at, &at->before, start, goes, first.to);
    }
    place -= splice->insert.length;
    cut(at, place, splice->insert.bytes);
    at->length = place + splice->drop + end;
}

weft_status weft_log_follow_cross_ref(const weft_log_index *index, weft_log_splice *splice) {
    weft_log_value *from = &splice->from.value;
    from->form = WEFT_LOG_REFERENCE;
    from->seq = splice->from.seq;
    from->index = splice->from.index;
    weft_status status = weft_log_index_resolve(index, from);
    if (from->form != WEFT_LOG_INLINE ||
        (uint64_t)splice->from.count + splice->insert.length > from->length) {
        status = WEFT_ERR_LOG_CORRUPT;
        splice->insert.length = 0;
    }
    splice->insert.bytes = from->bytes + splice->from.count;
    return status;
}

static void undo_patch(applying *at, weft_log_reader *reader, uint32_t count) {
    weft_log_splice splice;
    uint32_t end = 0;
    for (; count > 0 && at->status == WEFT_OK; count--) {
        weft_log_get_splice(reader, &splice);
        if (splice.from.seq != 0) {
            at->status = weft_log_follow_cross_ref(at->index, &splice);
        }
        end += splice.keep;
        undo(at, end, &splice);
        end += splice.drop;
        ++*at->work;
    }
}

// Copies the remaining pieces from the whole value.
static void take_rest(const applying *at, const uint8_t *whole) {
    for (uint32_t i = 0; i < at->before.count; i++) {
        const piece *from = &at->before.items[i];
        memcpy(at->text + from->to, whole + from->at, from->length);
    }
    for (uint32_t i = 0; i < at->behind.count; i++) {
        const piece *from = &at->behind.items[i];
        memcpy(at->text + from->to, whole + (at->length - from->at), from->length);
    }
}

weft_log_patch weft_log_patch_head(const weft_log_value *value) {
    weft_log_reader reader;
    weft_log_patch patch;
    weft_log_reader_init(&reader, value->bytes, value->length, value->seq);
    weft_log_get_patch(&reader, &patch);
    return patch;
}

static weft_status apply_patches(const weft_log_index *index, const weft_log_value *value,
                                 uint64_t *work, uint8_t *text, weft_buffer *whole);

// Builds the text of a list snapshot. Its items are never built from another snapshot.
static weft_status write_out_snapshot(const weft_log_index *index, uint64_t seq,
                                      const weft_log_list_snapshot *snapshot, uint64_t *work,
                                      weft_buffer *whole) {
    weft_arena arena;
    weft_status status = WEFT_OK;
    uint32_t count = weft_log_index_record(index, seq)->values - 1;
    weft_arena_init(&arena, index->memory);
    weft_log_text *items = weft_arena_zeroed(&arena, count + 1u, sizeof(*items));
    status = items == NULL ? WEFT_ERR_NO_MEMORY : WEFT_OK;
    for (uint32_t i = 0; i < count && status == WEFT_OK; i++) {
        weft_log_value item = {.form = WEFT_LOG_REFERENCE, .seq = seq, .index = i};
        status = weft_log_index_resolve(index, &item);
        items[i] = (weft_log_text){item.bytes, item.length};
        if (status == WEFT_OK && item.form == WEFT_LOG_PATCH) {
            items[i].length = weft_log_patch_head(&item).length;
            uint8_t *text = weft_arena_alloc(&arena, items[i].length + 1u);
            status =
                text == NULL ? WEFT_ERR_NO_MEMORY : apply_patches(index, &item, work, text, NULL);
            items[i].bytes = text;
        }
    }
    if (status == WEFT_OK) {
        weft_log_list_snapshot_text(whole, snapshot->name, items, count);
        status = whole->status == WEFT_OK && whole->length != snapshot->length
                     ? WEFT_ERR_LOG_CORRUPT
                     : whole->status;
    }
    *work += count;
    weft_arena_fini(&arena);
    return status;
}

// Applies patches. `whole` receives the text of a list snapshot; NULL: no patch of one is allowed.
static weft_status apply_patches(const weft_log_index *index, const weft_log_value *value,
                                 uint64_t *work, uint8_t *text, weft_buffer *whole) {
    applying at = {.index = index,
                   .memory = index->memory,
                   .length = weft_log_patch_head(value).length,
                   .work = work,
                   .text = text};
    weft_log_value from = *value;
    at.most = WEFT_LOG_PATCH_WORK + (uint64_t)index->place_count * WEFT_LOG_PATCH_WORK_PER_VALUE;
    push(&at, &at.before, 0, at.length, 0);
    while (from.form == WEFT_LOG_PATCH && at.status == WEFT_OK) {
        weft_log_reader reader;
        weft_log_patch patch;
        weft_log_list_snapshot snapshot;
        weft_log_reader_init(&reader, from.bytes, from.length, from.seq);
        weft_log_get_patch(&reader, &patch);
        undo_patch(&at, &reader, patch.count);
        from = (weft_log_value){.form = WEFT_LOG_REFERENCE, .seq = patch.seq, .index = patch.index};
        if (at.status != WEFT_OK) {
            break;
        }
        if (whole != NULL &&
            weft_log_index_list_snapshot(index, patch.seq, patch.index, &snapshot)) {
            at.status = write_out_snapshot(index, patch.seq, &snapshot, work, whole);
            from = (weft_log_value){.form = WEFT_LOG_INLINE, .bytes = whole->bytes};
        } else {
            at.status = weft_log_index_resolve(index, &from);
        }
    }
    if (at.status == WEFT_OK) {
        take_rest(&at, from.bytes);
    }
    weft_memory_release(at.memory, at.before.items, at.before.capacity * sizeof(piece));
    weft_memory_release(at.memory, at.behind.items, at.behind.capacity * sizeof(piece));
    return at.status;
}

weft_status weft_log_apply_patches(const weft_log_index *index, const weft_log_value *value,
                                   uint64_t *work, uint8_t *text, uint32_t *of_snapshot) {
    weft_buffer whole;
    weft_buffer_init(&whole, index->memory);
    weft_status status = apply_patches(index, value, work, text, &whole);
    *of_snapshot = whole.length > 0;
    weft_buffer_fini(&whole);
    return status;
}
