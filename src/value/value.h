// SPDX-License-Identifier: MIT
// The table of values: one entry per value number, counted, with up to three faces: the host's
// slot, its text here, its place in a thread's log. Even numbers are given out by the host, odd
// ones here. Owns the texts. Must not know what the bytes of a text mean.
#ifndef WEFT_VALUE_VALUE_H
#define WEFT_VALUE_VALUE_H

#include "base/memory.h"
#include "base/status.h"
#include "word.h"

// A value that the log makes of a list snapshot is no item of a list snapshot, so that a list
// snapshot's items need no other one.
#define WEFT_VALUE_OF_SNAPSHOT 0x8000u

typedef struct weft_value {
    uint8_t *text; // owned; NULL when there is none
    uint32_t length;
    uint32_t refs;
    uint64_t seq;   // record that holds the bytes, 0 = none
    uint32_t index; // inline value of that record
    uint8_t slot;   // the host has it in its slots
    uint8_t used;   // number is given out
    uint16_t depth; // how many splices the log makes the text of, and WEFT_VALUE_OF_SNAPSHOT
} weft_value;

typedef struct weft_values {
    weft_memory *memory;
    weft_value *items;
    uint32_t capacity;
    uint32_t live;
    uint32_t bare; // of these without a text
    uint32_t next_odd;
    uint32_t *free; // odd numbers to give out again
    uint32_t free_count, free_capacity;
    uint32_t *released; // numbers that the host does not know yet to be released
    uint32_t released_count, released_capacity;
} weft_values;

// No values and no memory yet; fini frees all texts, whoever holds them.
void weft_values_init(weft_values *values, weft_memory *memory);
void weft_values_fini(weft_values *values);

// Takes one reference for a word that the host fed. WEFT_ERR_BAD_EVENT for a word that is none (or
// an odd number that is not given out), WEFT_ERR_NO_MEMORY.
weft_status weft_values_adopt(weft_values *values, weft_word word);

// A new value with `length` bytes of text (copied) and one reference, into `*word`.
// WEFT_ERR_NO_MEMORY.
weft_status weft_values_new(weft_values *values, const uint8_t *text, uint32_t length,
                            weft_word *word);

// The entry of a value word; NULL for immediates.
weft_value *weft_values_get(weft_values *values, weft_word word);

// The entry of a value whose text the log holds, long enough for what comes in its place to be put
// as a patch; or NULL.
const weft_value *weft_values_base(weft_values *values, weft_word word);

// The value's text stands in the log where that of `there` does.
void weft_values_place(weft_value *value, const weft_value *there);

// Whether a word has the text of `there`, which the log has: then it stands in the log too.
int weft_values_stands(weft_values *values, weft_word word, weft_word there);

// Whether two words have one text here, or are one.
int weft_values_same(weft_values *values, weft_word a, weft_word b);

// Takes one reference more; immediates have none.
void weft_values_retain(weft_values *values, weft_word word);

// Drops one reference; after the last one the number is queued for RELEASE when the host has a slot
// for it (its text lives until weft_values_announced), else free.
void weft_values_release(weft_values *values, weft_word word);

// Sets the text of a value that has none (copied); a word that is none is passed over.
// WEFT_ERR_NO_MEMORY.
weft_status weft_values_set_text(weft_values *values, weft_word word, const uint8_t *text,
                                 uint32_t length);

// Puts in place of `*word` a new value of the same text and place in the log that the host has no
// slot for, so that it is parsed again when it is next used; the reference moves. Returns 0, and
// changes nothing, when the value has a slot and no text, or when there is no memory.
int weft_values_detach(weft_values *values, weft_word *word);

// Numbers that the next RELEASE record must name; weft_values_announced frees their texts, so no
// block that is not read yet may point to them.
const uint32_t *weft_values_released(const weft_values *values, uint32_t *count);
void weft_values_announced(weft_values *values, uint32_t count);

#endif
