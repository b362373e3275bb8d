// SPDX-License-Identifier: MIT
// The border of idbfs.wasm. Texts and bytes cross in one window of 64 KiB; sequence numbers cross
// as doubles (they are safe integers). Statuses are those of error_messages.def. During a volume's
// transaction the host may only make the calls described here.
#include "base/hash.h"
#include "volume.h"

#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name), used)) name
#else
#define EXPORT(name) name
#endif

static uint8_t window[WEFT_VOLUME_WINDOW];

static void *heap_alloc(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *heap_resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    void *moved = malloc(new_size);
    if (moved != NULL && block != NULL) {
        memcpy(moved, block, old_size < new_size ? old_size : new_size);
        free(block);
    }
    return moved;
}

static void heap_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

uint8_t *EXPORT(weft_idbfs_window)(void);
weft_volume *EXPORT(weft_idbfs_new)(uint32_t prefix, uint32_t id);
void EXPORT(weft_idbfs_free)(weft_volume *volume);
int EXPORT(weft_idbfs_load)(weft_volume *volume);
int EXPORT(weft_idbfs_recover)(weft_volume *volume);
int EXPORT(weft_idbfs_head)(const weft_volume *volume);
uint32_t EXPORT(weft_idbfs_names)(const weft_volume *volume, double from, uint32_t skip);
double EXPORT(weft_idbfs_cut)(const weft_volume *volume);
int EXPORT(weft_idbfs_append)(weft_volume *volume, double seq, uint32_t crc, double expected_seq,
                              uint32_t expected_crc);
int EXPORT(weft_idbfs_fold)(weft_volume *volume, double first, double last);
int EXPORT(weft_idbfs_write)(weft_volume *volume, uint32_t length);
int EXPORT(weft_idbfs_plan)(weft_volume *volume);
uint32_t EXPORT(weft_idbfs_lines)(const weft_volume *volume, uint32_t skip);
int EXPORT(weft_idbfs_build)(weft_volume *volume);
void EXPORT(weft_idbfs_end)(weft_volume *volume, int stored);

uint8_t *weft_idbfs_window(void) {
    return window;
}

// Makes a volume. The window has `prefix` bytes of prefix and `id` bytes of thread id; afterwards
// it has the database's name (prefix and SHA-256 of the id) and the folder to mount, each
// NUL-terminated. Each volume has its own folder, so that two stores of one page may open the same
// thread. NULL when there is no memory.
weft_volume *weft_idbfs_new(uint32_t prefix, uint32_t id) {
    uint8_t digest[32];
    weft_hash_sha256_state state;
    weft_hash_sha256_init(&state);
    weft_hash_sha256_update(&state, window + prefix, id);
    weft_hash_sha256_final(&state, digest);
    weft_volume *volume = malloc(sizeof *volume);
    if (volume == NULL) {
        return NULL;
    }
    *volume = (weft_volume){
        .memory = {.alloc = heap_alloc, .resize = heap_resize, .release = heap_release}};
    uint32_t address = (uint32_t)(uintptr_t)volume;
    volume->path[0] = '/';
    weft_hash_hex((const uint8_t *)&address, sizeof address, volume->path + 1);
    memcpy(volume->thread, digest, sizeof volume->thread);
    volume->window = window;
    char *name = (char *)window + prefix;
    weft_hash_hex(digest, sizeof digest, name);
    name[64] = 0;
    memcpy(name + 65, volume->path, sizeof volume->path);
    return volume;
}

void weft_idbfs_free(weft_volume *volume) {
    weft_memory_release(&volume->memory, volume->files, volume->capacity * sizeof *volume->files);
    free(volume);
}

// Returns 0 when the volume is loaded, 1 when weft_idbfs_recover needs the contents, or a status <
// 0.
int weft_idbfs_load(weft_volume *volume) {
    int sound = 0;
    weft_status status = weft_volume_load(volume, &sound);
    return status == WEFT_OK ? !sound : (int)status;
}

int weft_idbfs_recover(weft_volume *volume) {
    return (int)weft_volume_recover(volume);
}

// Writes {f64 seq, f64 crc, f64 total bytes} into the window. Returns 0 when the log is empty.
int weft_idbfs_head(const weft_volume *volume) {
    double numbers[3] = {(double)volume->record.head.seq, (double)volume->record.head.crc,
                         (double)volume->record.total};
    memcpy(window, numbers, sizeof numbers);
    return volume->record.head.seq != 0;
}

static uint32_t put_line(uint32_t length, char op, const char *name) {
    window[length++] = (uint8_t)op;
    size_t size = strlen(name);
    memcpy(window + length, name, size);
    length += (uint32_t)size;
    window[length++] = '\n';
    return length;
}

// Writes lines with the names of the files that have record `from` and later ones, except the first
// `skip`: "=name", or "<name" when only the first weft_idbfs_cut bytes are valid. Returns the
// text's length, 0 after the last.
uint32_t weft_idbfs_names(const weft_volume *volume, double from, uint32_t skip) {
    uint32_t start = 0;
    while (start + 1 < volume->count && (double)volume->files[start + 1].before.seq < from) {
        start++;
    }
    uint32_t length = 0;
    if ((double)volume->record.head.seq >= from) {
        for (uint32_t i = start + skip;
             i < volume->count && length < WEFT_VOLUME_WINDOW - 2 * WEFT_VOLUME_NAME; i++) {
            char name[WEFT_VOLUME_NAME];
            weft_volume_file_name(volume->files[i], name);
            length = put_line(length, volume->cut != 0 && i + 1 == volume->count ? '<' : '=', name);
        }
    }
    return length;
}

double weft_idbfs_cut(const weft_volume *volume) {
    return (double)volume->cut;
}

int weft_idbfs_append(weft_volume *volume, double seq, uint32_t crc, double expected_seq,
                      uint32_t expected_crc) {
    weft_log_anchor last = {(uint64_t)seq, crc}, expected = {(uint64_t)expected_seq, expected_crc};
    return (int)weft_volume_append(volume, last, expected);
}

int weft_idbfs_fold(weft_volume *volume, double first, double last) {
    return (int)weft_volume_fold(volume, (uint64_t)first, (uint64_t)last);
}

int weft_idbfs_write(weft_volume *volume, uint32_t length) {
    return (int)weft_volume_write(volume, length);
}

int weft_idbfs_plan(weft_volume *volume) {
    return (int)weft_volume_plan(volume);
}

// Writes the plan's lines (operation and name), except the first `skip`. Returns the text's length,
// 0 after the last.
uint32_t weft_idbfs_lines(const weft_volume *volume, uint32_t skip) {
    uint32_t length = 0;
    char op, name[WEFT_VOLUME_NAME];
    for (uint32_t i = skip; length < WEFT_VOLUME_WINDOW - 2 * WEFT_VOLUME_NAME &&
                            weft_volume_plan_line(volume, i, &op, name);
         i++) {
        length = put_line(length, op, name);
    }
    return length;
}

int weft_idbfs_build(weft_volume *volume) {
    return (int)weft_volume_build(volume);
}

void weft_idbfs_end(weft_volume *volume, int stored) {
    weft_volume_end(volume, stored);
}
