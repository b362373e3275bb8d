// SPDX-License-Identifier: MIT
// The table of values: one entry per value number, reference-counted, with up to three forms: the
// host's slot, a text here, a place in a thread's log. The host gives out even numbers, this table
// odd ones. Owns the texts. Does not depend on the format of a text.
#ifndef WEFT_VALUE_VALUE_H
#define WEFT_VALUE_VALUE_H

#include "base/memory.h"
#include "base/status.h"
#include "word.h"

// Flag of a value that the log builds from a list snapshot. Such a value is never an item of a list
// snapshot, so a snapshot's items never need another snapshot.
#define WEFT_VALUE_OF_SNAPSHOT 0x8000u

typedef struct weft_value {
    uint8_t *text; // owned; NULL when there is none
    uint32_t length;
    uint32_t refs;
    uint64_t seq;   // record with the bytes, 0 = none
    uint32_t index; // inline value of that record
    uint8_t slot;   // the host has it in its slot
    uint8_t used;   // the number is in use
    uint16_t depth; // splices that the log needs to build the text, and WEFT_VALUE_OF_SNAPSHOT
} weft_value;

typedef struct weft_values {
    weft_memory *memory;
    weft_value *items;
    uint32_t capacity;
    uint32_t live;
    uint32_t bare; // live values without a text
    uint32_t next_odd;
    uint32_t *free; // free odd numbers
    uint32_t free_count, free_capacity;
    uint32_t *released; // released numbers not yet announced to the host
    uint32_t released_count, released_capacity;
} weft_values;

// Init takes no memory yet; fini frees all texts, whatever references are left.
void weft_values_init(weft_values *values, weft_memory *memory);
void weft_values_fini(weft_values *values);

// Takes one reference for a handle that the host sent. WEFT_ERR_BAD_EVENT for an invalid handle (or
// an odd number that is not given out), WEFT_ERR_NO_MEMORY.
weft_status weft_values_adopt(weft_values *values, weft_word word);

// Makes a value with `length` bytes of text (copied) and one reference; writes its handle to
// `*word`. WEFT_ERR_NO_MEMORY.
weft_status weft_values_new(weft_values *values, const uint8_t *text, uint32_t length,
                            weft_word *word);

// Returns the entry of a value handle; NULL for immediates.
weft_value *weft_values_get(weft_values *values, weft_word word);

// Returns the entry of a value whose text is in the log and long enough that its successor may be
// stored as a patch; else NULL.
const weft_value *weft_values_base(weft_values *values, weft_word word);

// Sets the value's place in the log to that of `there`.
void weft_values_place(weft_value *value, const weft_value *there);

// Returns whether `word` has the same text as `there` and `there` is in the log; then `word` gets
// its place.
int weft_values_stands(weft_values *values, weft_word word, weft_word there);

// Returns whether two handles are equal or have equal texts here.
int weft_values_same(weft_values *values, weft_word a, weft_word b);

// Takes one more reference; no effect on immediates.
void weft_values_retain(weft_values *values, weft_word word);

// Drops one reference. After the last one, a number with a slot on the host is queued for RELEASE
// (its text lives until weft_values_announced), any other number is freed.
void weft_values_release(weft_values *values, weft_word word);

// Sets the text (copied) of a value without one; ignores handles of other values.
// WEFT_ERR_NO_MEMORY.
weft_status weft_values_set_text(weft_values *values, weft_word word, const uint8_t *text,
                                 uint32_t length);

// Replaces `*word` by a new value with the same text and place in the log but without a slot on the
// host, so that it is parsed again when next used; the reference moves. Returns 0, and changes
// nothing, when the value has a slot and no text, or when there is no memory.
int weft_values_detach(weft_values *values, weft_word *word);

// Returns the numbers that the next RELEASE record must name; weft_values_announced frees their
// texts, so no unread block may point to them.
const uint32_t *weft_values_released(const weft_values *values, uint32_t *count);
void weft_values_announced(weft_values *values, uint32_t count);

#endif
