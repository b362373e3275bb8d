// SPDX-License-Identifier: MIT
// Implements volume.h: commits, folds and their plans.
#include "volume.h"

#include <string.h>

#define FOLD_COMMITS 64u
#define FOLD_BYTES (256u * 1024u)

// Temporary name of a fold's segment, which may replace a segment of the same name.
static const char new_name[] = "new";

// Writes the name of the change's file: the commit, or a fold's segment.
static void change_name(const weft_volume *volume, char name[WEFT_VOLUME_NAME]) {
    const weft_volume_change *change = &volume->change;
    weft_volume_file file = {volume->record.head, 'c'};
    if (change->mode == WEFT_VOLUME_FOLD) {
        file = (weft_volume_file){volume->files[change->from].before, 's'};
    }
    weft_volume_file_name(file, name);
}

// Writes the name of the segment that files [from, to) become beside a commit.
static void tail_name(const weft_volume *volume, char name[WEFT_VOLUME_NAME]) {
    weft_volume_file_name((weft_volume_file){volume->files[volume->change.from].before, 's'}, name);
}

static int folds_tail(const weft_volume *volume) {
    return volume->change.mode == WEFT_VOLUME_APPEND && volume->change.to > volume->change.from;
}

static weft_status begin(weft_volume *volume, weft_volume_change change) {
    // Room for the commit, so that applying a stored change cannot fail.
    uint32_t capacity = volume->count + volume->stale + 1;
    if (!weft_memory_reserve(&volume->memory, &volume->files, sizeof *volume->files,
                             &volume->capacity, capacity)) {
        return WEFT_ERR_NO_MEMORY;
    }
    volume->change = change;
    char name[WEFT_VOLUME_NAME];
    change_name(volume, name);
    volume->change.file =
        weft_volume_file_open(volume, change.mode == WEFT_VOLUME_FOLD ? new_name : name, "wb");
    if (volume->change.file == NULL) {
        volume->change.mode = WEFT_VOLUME_IDLE;
        return WEFT_ERR_STORE;
    }
    return WEFT_OK;
}

weft_status weft_volume_append(weft_volume *volume, weft_log_anchor last,
                               weft_log_anchor expected) {
    if (expected.seq != volume->record.head.seq || expected.crc != volume->record.head.crc) {
        return WEFT_ERR_FENCED;
    }
    return begin(volume, (weft_volume_change){.mode = WEFT_VOLUME_APPEND, .last = last});
}

// Returns the head after file `index`.
static weft_log_anchor file_end(const weft_volume *volume, uint32_t index) {
    return index + 1 < volume->count ? volume->files[index + 1].before : volume->record.head;
}

weft_status weft_volume_fold(weft_volume *volume, uint64_t first, uint64_t last) {
    uint32_t from = 0;
    while (from < volume->count && volume->files[from].before.seq + 1 < first) {
        from++;
    }
    uint32_t to = from;
    while (to < volume->count && file_end(volume, to).seq < last) {
        to++;
    }
    if (to >= volume->count || volume->files[from].before.seq + 1 != first ||
        file_end(volume, to).seq != last || volume->stale != 0 || volume->cut != 0) {
        return WEFT_ERR_ARGUMENT;
    }
    return begin(volume, (weft_volume_change){.mode = WEFT_VOLUME_FOLD,
                                              .last = file_end(volume, to),
                                              .from = from,
                                              .to = to + 1});
}

weft_status weft_volume_write(weft_volume *volume, uint32_t length) {
    weft_volume_change *change = &volume->change;
    if (fwrite(volume->window, 1, length, change->file) != length) {
        return WEFT_ERR_STORE;
    }
    change->written += length;
    return WEFT_OK;
}

// Chooses the files that an append folds: the tail, when it is long enough or the commit is large.
// A large commit stays alone.
static void choose_tail(weft_volume *volume) {
    weft_volume_change *change = &volume->change;
    weft_volume_record *next = &change->next;
    uint32_t start = volume->count;
    while (start > 0 && volume->files[start - 1].kind == 'c' &&
           volume->files[start - 1].before.seq >= next->settled) {
        start--;
    }
    uint32_t tail = volume->count - start;
    int large = change->written >= FOLD_BYTES;
    if (tail >= FOLD_COMMITS || next->tail_bytes >= FOLD_BYTES || large) {
        if (tail > 1 && volume->cut == 0) {
            change->from = start;
            change->to = volume->count;
        }
        next->settled = large ? change->last.seq : volume->record.head.seq;
        next->tail_bytes = 0;
    }
    next->tail_bytes += large ? 0 : change->written;
}

weft_status weft_volume_plan(weft_volume *volume) {
    weft_volume_change *change = &volume->change;
    int closed = fclose(change->file);
    change->file = NULL;
    if (closed != 0) {
        return WEFT_ERR_STORE;
    }
    change->next = volume->record;
    change->next.total += change->written;
    if (change->mode == WEFT_VOLUME_APPEND) {
        choose_tail(volume);
        change->next.head = change->last;
        change->next.files = volume->count + 1;
    } else {
        change->next.files = volume->count + 1;
        if (change->last.seq > change->next.settled) {
            change->next.settled = change->last.seq;
        }
    }
    if (change->to > change->from) {
        change->next.files -= change->to - change->from;
        change->next.files += change->mode == WEFT_VOLUME_APPEND;
    }
    return WEFT_OK;
}

// The plan's lines, in order: loads; deletes of merged and stale files; the cut file; the segment;
// the commit; the head record. A fold's segment may have the name of one that it replaces.
int weft_volume_plan_line(const weft_volume *volume, uint32_t index, char *op,
                          char name[WEFT_VOLUME_NAME]) {
    const weft_volume_change *change = &volume->change;
    uint32_t merged = change->to - change->from;
    uint32_t cut = volume->cut != 0;
    if (index < merged) {
        *op = 'l';
        weft_volume_file_name(volume->files[change->from + index], name);
        return 1;
    }
    index -= merged;
    if (index < cut) {
        *op = 'l';
        weft_volume_file_name(volume->files[volume->count - 1], name);
        return 1;
    }
    index -= cut;
    if (index < merged) {
        *op = 'd';
        weft_volume_file_name(volume->files[change->from + index], name);
        return 1;
    }
    index -= merged;
    uint32_t stale = change->mode == WEFT_VOLUME_APPEND ? volume->stale : 0;
    if (index < stale) {
        *op = 'd';
        weft_volume_file_name(volume->files[volume->count + index], name);
        return 1;
    }
    index -= stale;
    if (index < cut) {
        *op = 'p';
        weft_volume_file_name(volume->files[volume->count - 1], name);
        return 1;
    }
    index -= cut;
    if (folds_tail(volume) && index-- == 0) {
        *op = 'a';
        tail_name(volume, name);
        return 1;
    }
    if (index == 0) {
        *op = 'a';
        change_name(volume, name);
        return 1;
    }
    *op = 'p';
    memcpy(name, "head", 5);
    return index == 1;
}

// Appends the content of `name` to `target`, at most `limit` bytes; `*copied` is how many.
static weft_status copy_file(weft_volume *volume, const char *name, uint64_t limit, FILE *target,
                             uint64_t *copied) {
    FILE *source = weft_volume_file_open(volume, name, "rb");
    if (source == NULL) {
        return WEFT_ERR_STORE;
    }
    weft_status status = WEFT_OK;
    size_t length;
    *copied = 0;
    do {
        size_t want =
            limit - *copied < WEFT_VOLUME_WINDOW ? (size_t)(limit - *copied) : WEFT_VOLUME_WINDOW;
        length = fread(volume->window, 1, want, source);
        if (fwrite(volume->window, 1, length, target) != length) {
            status = WEFT_ERR_STORE;
        }
        *copied += length;
    } while (status == WEFT_OK && length != 0 && *copied < limit);
    fclose(source);
    return status;
}

static weft_status build_tail(weft_volume *volume) {
    const weft_volume_change *change = &volume->change;
    char name[WEFT_VOLUME_NAME];
    tail_name(volume, name);
    FILE *segment = weft_volume_file_open(volume, name, "wb");
    if (segment == NULL) {
        return WEFT_ERR_STORE;
    }
    weft_status status = WEFT_OK;
    for (uint32_t i = change->from; status == WEFT_OK && i < change->to; i++) {
        uint64_t copied = 0;
        weft_volume_file_name(volume->files[i], name);
        status = copy_file(volume, name, UINT64_MAX, segment, &copied);
        if (copied == 0) {
            status = WEFT_ERR_STORE;
        }
    }
    return fclose(segment) == 0 ? status : WEFT_ERR_STORE;
}

// Cuts the last file after its valid frames. Copies via the head's file, which is written
// afterwards.
static weft_status build_cut(weft_volume *volume) {
    char name[WEFT_VOLUME_NAME];
    uint64_t copied = 0;
    weft_volume_file_name(volume->files[volume->count - 1], name);
    for (int way = 0; way < 2; way++) {
        FILE *target = weft_volume_file_open(volume, way == 0 ? "head" : name, "wb");
        if (target == NULL) {
            return WEFT_ERR_STORE;
        }
        weft_status status =
            copy_file(volume, way == 0 ? name : "head", volume->cut, target, &copied);
        if (fclose(target) != 0 || status != WEFT_OK || copied != volume->cut) {
            return WEFT_ERR_STORE;
        }
    }
    return WEFT_OK;
}

// Builds a fold: subtracts the replaced files from the head record's sums, then writes the segment.
static weft_status build_fold(weft_volume *volume) {
    weft_volume_change *change = &volume->change;
    for (uint32_t i = change->from; i < change->to; i++) {
        char name[WEFT_VOLUME_NAME];
        weft_volume_file_name(volume->files[i], name);
        int64_t size = weft_volume_file_size(volume, name);
        if (size < 0) {
            return WEFT_ERR_STORE;
        }
        uint64_t tail =
            volume->files[i].kind == 'c' && volume->files[i].before.seq >= volume->record.settled
                ? (uint64_t)size
                : 0;
        change->next.total -= (uint64_t)size;
        change->next.tail_bytes -= tail < change->next.tail_bytes ? tail : change->next.tail_bytes;
    }
    char name[WEFT_VOLUME_NAME];
    change_name(volume, name);
    FILE *segment = weft_volume_file_open(volume, name, "wb");
    if (segment == NULL) {
        return WEFT_ERR_STORE;
    }
    uint64_t copied;
    weft_status status = copy_file(volume, new_name, UINT64_MAX, segment, &copied);
    return fclose(segment) == 0 ? status : WEFT_ERR_STORE;
}

weft_status weft_volume_build(weft_volume *volume) {
    if (volume->cut != 0) {
        WEFT_TRY(build_cut(volume));
    }
    if (folds_tail(volume)) {
        WEFT_TRY(build_tail(volume));
    }
    if (volume->change.mode == WEFT_VOLUME_FOLD) {
        WEFT_TRY(build_fold(volume));
    }
    return weft_volume_record_write(volume, &volume->change.next);
}

static void replace_merged(weft_volume *volume) {
    const weft_volume_change *change = &volume->change;
    weft_volume_file *files = volume->files;
    files[change->from].kind = 's';
    uint32_t behind = volume->count - change->to;
    memmove(files + change->from + 1, files + change->to, behind * sizeof *files);
    volume->count = change->from + 1 + behind;
}

static void apply_change(weft_volume *volume) {
    weft_log_anchor before = volume->record.head;
    if (volume->change.to > volume->change.from) {
        replace_merged(volume);
    }
    if (volume->change.mode == WEFT_VOLUME_APPEND) {
        volume->files[volume->count++] = (weft_volume_file){before, 'c'};
        volume->stale = 0;
        volume->cut = 0;
    }
    volume->record = volume->change.next;
}

void weft_volume_end(weft_volume *volume, int stored) {
    weft_volume_change *change = &volume->change;
    if (change->file != NULL) {
        fclose(change->file);
        change->file = NULL;
    }
    weft_volume_file_remove(volume, new_name);
    char op, name[WEFT_VOLUME_NAME];
    for (uint32_t i = 0; weft_volume_plan_line(volume, i, &op, name); i++) {
        if ((op == 'd' && stored) || (op == 'a' && !stored)) {
            weft_volume_file_remove(volume, name);
        }
    }
    for (uint32_t i = 0; weft_volume_plan_line(volume, i, &op, name); i++) {
        if ((op == 'a' && stored) || (op == 'l' && !stored) ||
            (op == 'p' && strcmp(name, "head") != 0)) {
            weft_volume_file_release(volume, name);
        }
    }
    if (stored) {
        apply_change(volume);
    }
    change->mode = WEFT_VOLUME_IDLE;
    change->from = change->to = 0;
}
