// SPDX-License-Identifier: MIT
// Logs whose values are patches (format 2) as a hostile writer makes them: sums that are right,
// edits that are not. A part of hostile_runs.h.
#ifndef WEFT_TEST_HOSTILE_PATCHES_H
#define WEFT_TEST_HOSTILE_PATCHES_H

#define LONG_TEXT (1u << 14)

// A text of JSON that waits, and the number of its record.
static uint64_t put_text(longer_log *log, uint32_t length) {
    char *text = malloc(length);
    memset(text, 'x', length);
    text[0] = text[length - 1] = '"';
    longer_put(log, (weft_log_write){.special = WEFT_LOG_WRITE_RESUME,
                                     .value = {.form = WEFT_LOG_INLINE,
                                               .bytes = (const uint8_t *)text,
                                               .length = length}});
    free(text);
    return log->chain.last.seq;
}

// A patch as it is given: depth, length, count, and the splices.
static void put_patch_of(longer_log *log, uint64_t seq, uint32_t number, const uint8_t *bytes,
                         uint32_t length) {
    longer_put(log, (weft_log_write){.special = WEFT_LOG_WRITE_RESUME,
                                     .value = {.form = WEFT_LOG_PATCH,
                                               .seq = seq,
                                               .index = number,
                                               .bytes = bytes,
                                               .length = length}});
}

// Of a text of 100 bytes. `back` is how many records before its own the base stands.
static const struct {
    const char *title, *expected;
    uint32_t back, number, length;
    uint8_t bytes[24]; // depth, length, count; keep, drop, insert
} patches[] = {
    {"a patch", "DONE", 1, 0, 7, {1, 98, 1, 10, 3, 1, 'x'}},
    {"a patch of its own record", "CORRUPT_LOG", 0, 0, 7, {1, 98, 1, 10, 3, 1, 'x'}},
    {"a patch of a record before the log",
     "CORRUPT_LOG",
     1u << 20,
     0,
     7,
     {1, 98, 1, 10, 3, 1, 'x'}},
    {"a patch of a value that is not there", "CORRUPT_LOG", 1, 9, 7, {1, 98, 1, 10, 3, 1, 'x'}},
    {"a patch of the number that is none",
     "CORRUPT_LOG",
     1,
     UINT32_MAX,
     7,
     {1, 98, 1, 10, 3, 1, 'x'}},
    {"a patch no deeper than a text", "CORRUPT_LOG", 1, 0, 7, {0, 98, 1, 10, 3, 1, 'x'}},
    {"a patch deeper than any", "CORRUPT_LOG", 1, 0, 8, {0x81, 8, 98, 1, 10, 3, 1, 'x'}},
    {"a patch of another length", "CORRUPT_LOG", 1, 0, 7, {1, 99, 1, 10, 3, 1, 'x'}},
    {"a patch of 2 GB from nothing",
     "CORRUPT_LOG",
     1,
     0,
     11,
     {1, 0xff, 0xff, 0xff, 0xff, 7, 1, 10, 3, 1, 'x'}},
    {"a patch longer than any text",
     "CORRUPT_LOG",
     1,
     0,
     11,
     {1, 0xff, 0xff, 0xff, 0xff, 15, 1, 10, 3, 1, 'x'}},
    {"a patch that drops more than there is", "CORRUPT_LOG", 1, 0, 7, {1, 1, 1, 0, 101, 1, 'x'}},
    {"a patch that keeps more than there is", "CORRUPT_LOG", 1, 0, 7, {1, 101, 1, 101, 0, 1, 'x'}},
    {"a patch whose edits overflow 32 bits", "CORRUPT_LOG", 1, 0, 23, {1,    100,  3,    0xff, 0xff,
                                                                       0xff, 0xff, 7,    0,    0,
                                                                       0xff, 0xff, 0xff, 0xff, 7,
                                                                       0,    0,    2,    0,    0,
                                                                       0,    0,    0}},
    {"a patch that ends inside what it inserts",
     "CORRUPT_LOG",
     1,
     0,
     7,
     {1, 98, 1, 10, 3, 200, 'x'}},
    {"a patch that ends within a number", "CORRUPT_LOG", 1, 0, 4, {1, 98, 1, 0x80}},
    {"a patch of 17 edits", "CORRUPT_LOG", 1, 0, 3, {1, 100, 17}},
    {"a patch of fewer edits than it says", "CORRUPT_LOG", 1, 0, 3, {1, 100, 16}},
};

static uint32_t put_number(uint8_t *at, uint32_t number) {
    uint32_t length = 0;
    for (; number > 127; number >>= 7) {
        at[length++] = (uint8_t)(number | 0x80);
    }
    at[length] = (uint8_t)number;
    return length + 1;
}

// `count` patches, each of the one before it, of 16 edits all over the text: whoever reads one goes
// over all pieces.
static void put_chain(longer_log *log, uint32_t count) {
    uint64_t base = put_text(log, LONG_TEXT);
    uint8_t bytes[128];
    for (uint32_t depth = 1; depth <= count; depth++) {
        uint32_t at = put_number(bytes, depth);
        at += put_number(bytes + at, LONG_TEXT);
        at += put_number(bytes + at, WEFT_LOG_SPLICES);
        for (uint32_t i = 0; i < WEFT_LOG_SPLICES; i++) {
            at += put_number(bytes + at, i == 0 ? 1 + depth % 900 : 900);
            bytes[at++] = 1;
            bytes[at++] = 1;
            bytes[at++] = 'y';
        }
        put_patch_of(log, base, 0, bytes, at);
        base = log->chain.last.seq;
    }
}

// Many values, each nearly nothing in the log and all of a long text when it is read.
static void put_copies(longer_log *log, uint32_t count, uint32_t length) {
    uint8_t nothing[8] = {1};
    uint32_t size = 1 + put_number(nothing + 1, length);
    nothing[size++] = 0; // edits
    uint64_t base = put_text(log, length);
    for (uint32_t i = 0; i < count; i++) {
        put_patch_of(log, base, 0, nothing, size);
    }
}

static void patch_rows(void) {
    longer_log log;
    for (size_t i = 0; i < sizeof(patches) / sizeof(*patches); i++) {
        longer_begin(&log);
        uint64_t next = put_text(&log, 100) + 1;
        put_patch_of(&log, next - patches[i].back, patches[i].number, patches[i].bytes,
                     patches[i].length);
        longer_open(&log, patches[i].title, patches[i].expected);
    }
    longer_begin(&log);
    put_chain(&log, 60);
    longer_open(&log, "60 patches over all of a text", "DONE");
    longer_begin(&log);
    put_chain(&log, WEFT_LOG_DEPTH);
    longer_open(&log, "1,024 patches over all of a text", "CORRUPT_LOG");
    longer_begin(&log);
    put_copies(&log, 30, 1u << 20);
    longer_open(&log, "30 patches of 1 MB each", "DONE");
    longer_begin(&log);
    put_copies(&log, 1000, 1u << 20);
    longer_open(&log, "1,000 patches of 1 MB each", "MEMORY_LIMIT");
}

#endif
