// SPDX-License-Identifier: MIT
// A volume is the folder (an IDBFS mount) with one thread's log: its files in order, its head
// record, and the changes of a commit or a fold. Owns the list of files; only reads and writes the
// mount, with stdio. Does not depend on IndexedDB: JavaScript executes the plan in one transaction,
// and reports whether it was stored.
//
//   c<seq>-<crc>  a commit, named by the head it continues (14 and 8 hex digits): rivals clash
//   s<seq>-<crc>  a segment: the frames of several commits, verbatim
//   head          the head record, 48 bytes
#ifndef WEFT_IDBFS_VOLUME_H
#define WEFT_IDBFS_VOLUME_H

#include "base/memory.h"
#include "base/status.h"
#include "files.h"
#include "log/frame.h"

#define WEFT_VOLUME_NAME 25u   // with the NUL
#define WEFT_VOLUME_PATH 10u   // of the folder, with the NUL
#define WEFT_VOLUME_RECORD 48u // bytes of the head record
#define WEFT_VOLUME_WINDOW 65536u

typedef struct weft_volume_file {
    weft_log_anchor before; // the head that its first frame continues
    char kind;              // 'c' or 's'
} weft_volume_file;

// The content of the head record. Commits that continue `settled` or a later head are the tail,
// which waits to be folded.
typedef struct weft_volume_record {
    weft_log_anchor head;
    uint64_t settled;
    uint64_t tail_bytes;
    uint64_t total;
    uint32_t files;
} weft_volume_record;

typedef enum weft_volume_mode {
    WEFT_VOLUME_IDLE,
    WEFT_VOLUME_APPEND,
    WEFT_VOLUME_FOLD
} weft_volume_mode;

// The current change. Files [from, to) become one segment; `file` is the commit or segment being
// written.
typedef struct weft_volume_change {
    weft_volume_mode mode;
    FILE *file;
    uint64_t written;
    weft_log_anchor last;
    uint32_t from, to;
    weft_volume_record next;
} weft_volume_change;

typedef struct weft_volume {
    weft_memory memory;
    char path[WEFT_VOLUME_PATH];
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    weft_volume_file *files;
    uint32_t count;
    uint32_t capacity;
    uint32_t stale; // files after `count` that recovery found beyond the valid prefix: the next
                    // append deletes them
    uint64_t cut; // 0, or the valid bytes of the last file, from recovery: the next append cuts the
                  // file there
    weft_volume_record record;
    weft_volume_change change;
    uint8_t *window; // borrowed: WEFT_VOLUME_WINDOW bytes, shared with JavaScript
} weft_volume;

// Reads the folder's names and head record. WEFT_OK and `*sound`: 0 when they do not match, then
// weft_volume_recover needs the files' contents. WEFT_ERR_NO_MEMORY, WEFT_ERR_STORE.
weft_status weft_volume_load(weft_volume *volume, int *sound);

// Finds the longest valid prefix among the files' contents (all of them are in the folder).
// WEFT_ERR_LOG_CORRUPT, WEFT_ERR_WRONG_THREAD, WEFT_ERR_LOG_FORMAT, WEFT_ERR_NO_MEMORY,
// WEFT_ERR_STORE leave the volume empty.
weft_status weft_volume_recover(weft_volume *volume);

// Begin a commit that ends at `last` and continues `expected`, or a fold of the records
// first..last. weft_volume_write adds its bytes. WEFT_ERR_FENCED (append), WEFT_ERR_ARGUMENT (fold:
// not whole files), WEFT_ERR_NO_MEMORY, WEFT_ERR_STORE.
weft_status weft_volume_append(weft_volume *volume, weft_log_anchor last, weft_log_anchor expected);
weft_status weft_volume_fold(weft_volume *volume, uint64_t first, uint64_t last);

// Writes the next `length` bytes of the change, from the window. WEFT_ERR_STORE.
weft_status weft_volume_write(weft_volume *volume, uint32_t length);

// Ends the bytes and makes the plan. WEFT_ERR_STORE.
weft_status weft_volume_plan(weft_volume *volume);

// Gives line `index` of the plan: returns 1 and the name, or 0 after the last. `*op`: 'l' its
// stored content must be loaded first, 'a' add, 'p' put, 'd' delete.
int weft_volume_plan_line(const weft_volume *volume, uint32_t index, char *op,
                          char name[WEFT_VOLUME_NAME]);

// Makes the segment and the head record, once the contents of the 'l' lines are in the folder.
// WEFT_ERR_STORE.
weft_status weft_volume_build(weft_volume *volume);

// Ends the change, which was stored (1) or not (0). Contents leave the folder, names stay.
void weft_volume_end(weft_volume *volume, int stored);

// ---- shared by the files of this folder

void weft_volume_file_name(weft_volume_file file, char name[WEFT_VOLUME_NAME]);
FILE *weft_volume_file_open(const weft_volume *volume, const char *name, const char *mode);

// Returns the bytes of the file's content in the folder, or -1.
int64_t weft_volume_file_size(const weft_volume *volume, const char *name);

// Empty the content and keep the name; or remove both.
void weft_volume_file_release(const weft_volume *volume, const char *name);
void weft_volume_file_remove(const weft_volume *volume, const char *name);

// Writes `record` as the folder's head record. WEFT_ERR_STORE.
weft_status weft_volume_record_write(const weft_volume *volume, const weft_volume_record *record);

#endif
