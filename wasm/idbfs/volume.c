// SPDX-License-Identifier: MIT
// Implements volume.h: file names, the head record, loading.
#include "volume.h"

#include "base/hash.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAGIC 0x31484957u // "WIH1"

static void put_u32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static void put_u64(uint8_t *at, uint64_t value) {
    put_u32(at, (uint32_t)value);
    put_u32(at + 4, (uint32_t)(value >> 32));
}

static uint32_t get_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t get_u64(const uint8_t *at) {
    return (uint64_t)get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}

static void put_hex(char *at, uint64_t value, int digits) {
    for (int i = digits - 1; i >= 0; i--) {
        at[i] = "0123456789abcdef"[value & 15];
        value >>= 4;
    }
}

static int get_hex(const char *at, int digits, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < digits; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) {
            return 0;
        }
        *value = *value << 4 | (uint64_t)digit;
    }
    return 1;
}

void weft_volume_file_name(weft_volume_file file, char name[WEFT_VOLUME_NAME]) {
    name[0] = file.kind;
    put_hex(name + 1, file.before.seq, 14);
    name[15] = '-';
    put_hex(name + 16, file.before.crc, 8);
    name[24] = 0;
}

static int read_name(const char *name, weft_volume_file *file) {
    uint64_t seq, crc;
    if (strlen(name) != WEFT_VOLUME_NAME - 1 || (name[0] != 'c' && name[0] != 's') ||
        name[15] != '-' || !get_hex(name + 1, 14, &seq) || !get_hex(name + 16, 8, &crc)) {
        return 0;
    }
    *file = (weft_volume_file){{seq, (uint32_t)crc}, name[0]};
    return 1;
}

static void full_path(const weft_volume *volume, const char *name,
                      char path[WEFT_VOLUME_PATH + WEFT_VOLUME_NAME]) {
    size_t length = strlen(volume->path);
    memcpy(path, volume->path, length);
    path[length] = '/';
    strcpy(path + length + 1, name);
}

FILE *weft_volume_file_open(const weft_volume *volume, const char *name, const char *mode) {
    char path[WEFT_VOLUME_PATH + WEFT_VOLUME_NAME];
    full_path(volume, name, path);
    return fopen(path, mode);
}

int64_t weft_volume_file_size(const weft_volume *volume, const char *name) {
    FILE *file = weft_volume_file_open(volume, name, "rb");
    if (file == NULL) {
        return -1;
    }
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    fclose(file);
    return size;
}

void weft_volume_file_release(const weft_volume *volume, const char *name) {
    FILE *file = weft_volume_file_open(volume, name, "wb");
    if (file != NULL) {
        fclose(file);
    }
}

void weft_volume_file_remove(const weft_volume *volume, const char *name) {
    char path[WEFT_VOLUME_PATH + WEFT_VOLUME_NAME];
    full_path(volume, name, path);
    unlink(path);
}

weft_status weft_volume_record_write(const weft_volume *volume, const weft_volume_record *record) {
    uint8_t bytes[WEFT_VOLUME_RECORD];
    put_u32(bytes, RECORD_MAGIC);
    put_u32(bytes + 4, record->head.crc);
    put_u64(bytes + 8, record->head.seq);
    put_u64(bytes + 16, record->settled);
    put_u64(bytes + 24, record->tail_bytes);
    put_u64(bytes + 32, record->total);
    put_u32(bytes + 40, record->files);
    put_u32(bytes + 44, weft_hash_crc32c(0, bytes, 44));
    FILE *file = weft_volume_file_open(volume, "head", "wb");
    if (file == NULL) {
        return WEFT_ERR_STORE;
    }
    size_t written = fwrite(bytes, 1, sizeof bytes, file);
    return fclose(file) == 0 && written == sizeof bytes ? WEFT_OK : WEFT_ERR_STORE;
}

// Reads the head record; returns 1 when it is valid, else the volume's record is all zero.
static int read_record(weft_volume *volume) {
    uint8_t bytes[WEFT_VOLUME_RECORD];
    memset(&volume->record, 0, sizeof volume->record);
    FILE *file = weft_volume_file_open(volume, "head", "rb");
    if (file == NULL) {
        return 0;
    }
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (length != sizeof bytes || get_u32(bytes) != RECORD_MAGIC ||
        get_u32(bytes + 44) != weft_hash_crc32c(0, bytes, 44)) {
        return 0;
    }
    volume->record = (weft_volume_record){.head = {get_u64(bytes + 8), get_u32(bytes + 4)},
                                          .settled = get_u64(bytes + 16),
                                          .tail_bytes = get_u64(bytes + 24),
                                          .total = get_u64(bytes + 32),
                                          .files = get_u32(bytes + 40)};
    return 1;
}

static int goes_before(weft_volume_file a, weft_volume_file b) {
    return a.before.seq != b.before.seq ? a.before.seq < b.before.seq : a.kind > b.kind;
}

// Sorts files by place in the log. The names come in two sorted runs with few commits, so insertion
// sort is short and fast.
static void sort_files(weft_volume *volume) {
    weft_volume_file *files = volume->files;
    for (uint32_t i = 1; i < volume->count; i++) {
        weft_volume_file file = files[i];
        uint32_t at = i;
        for (; at > 0 && goes_before(file, files[at - 1]); at--) {
            files[at] = files[at - 1];
        }
        files[at] = file;
    }
}

static weft_status read_names(weft_volume *volume, uint32_t *strangers) {
    DIR *folder = opendir(volume->path);
    if (folder == NULL) {
        return WEFT_ERR_STORE;
    }
    *strangers = 0;
    weft_status status = WEFT_OK;
    for (struct dirent *entry; status == WEFT_OK && (entry = readdir(folder)) != NULL;) {
        weft_volume_file file;
        if (!read_name(entry->d_name, &file)) {
            *strangers += entry->d_name[0] != '.' && strcmp(entry->d_name, "head") != 0;
        } else if (weft_memory_reserve(&volume->memory, &volume->files, sizeof *volume->files,
                                       &volume->capacity, volume->count + 1)) {
            volume->files[volume->count++] = file;
        } else {
            status = WEFT_ERR_NO_MEMORY;
        }
    }
    closedir(folder);
    sort_files(volume);
    return status;
}

weft_status weft_volume_load(weft_volume *volume, int *sound) {
    volume->count = 0;
    volume->stale = 0;
    volume->cut = 0;
    uint32_t strangers;
    weft_status status = read_names(volume, &strangers);
    if (status != WEFT_OK) {
        volume->count = 0;
        return status;
    }
    int has_record = read_record(volume);
    const weft_volume_record *record = &volume->record;
    if (volume->count == 0) {
        *sound = !has_record && strangers == 0 && weft_volume_file_size(volume, "head") < 0;
        return WEFT_OK;
    }
    *sound = has_record && strangers == 0 && record->files == volume->count &&
             volume->files[0].before.seq == 0 &&
             volume->files[volume->count - 1].before.seq < record->head.seq;
    for (uint32_t i = 1; i < volume->count; i++) {
        *sound &= volume->files[i].before.seq > volume->files[i - 1].before.seq;
    }
    return WEFT_OK;
}
