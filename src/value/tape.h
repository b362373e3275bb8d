// SPDX-License-Identifier: MIT
// The token tape: the strict reader's (json.h) result. A flat array of tokens in source order over
// the text, which it borrows; strings and numbers are decoded from the text on demand. A value is
// identified by the index of its token; the whole text is value 0. Members of an object are a key
// and a value.
#ifndef WEFT_VALUE_TAPE_H
#define WEFT_VALUE_TAPE_H

#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/ops.h"
#include "base/status.h"
#include "text.h"

// Max nesting, whatever the limits say: readers of tapes keep one frame per level.
#define WEFT_JSON_MOST_DEPTH 256

typedef enum weft_json_kind {
    WEFT_JSON_NULL = WEFT_TAPE_NULL,
    WEFT_JSON_FALSE = WEFT_TAPE_FALSE,
    WEFT_JSON_TRUE = WEFT_TAPE_TRUE,
    WEFT_JSON_NUMBER = WEFT_TAPE_NUMBER,
    WEFT_JSON_STRING = WEFT_TAPE_STRING,
    WEFT_JSON_ARRAY = WEFT_TAPE_ARRAY,
    WEFT_JSON_OBJECT = WEFT_TAPE_OBJECT,
} weft_json_kind;

enum {
    WEFT_JSON_ESCAPED = WEFT_TAPE_IS_ESCAPED, // string: has at least one escape
    WEFT_JSON_NUL = 2,                        // string: contains U+0000
    WEFT_JSON_LONE = 4,                       // string: contains a surrogate without its partner
    WEFT_JSON_INTEGER = WEFT_TAPE_IS_INTEGER, // number: written without fraction and exponent
    WEFT_JSON_INDEXED = 16                    // object: has a hash index
};

// One token. The host reads these (wasm/README.md, "Schemas").
typedef struct weft_json_token {
    uint8_t kind;  // weft_json_kind
    uint8_t flags; // WEFT_JSON_ESCAPED and so on
    uint32_t offset;
    uint32_t length; // bytes of text; a string's include both quotes
    uint32_t next;   // index of the token after this value and its children
    uint32_t extra;  // array, object: use weft_json_count
} weft_json_token;

typedef struct weft_json_tape {
    weft_memory *memory;
    const uint8_t *text; // borrowed: must live as long as the tape is read
    weft_json_token *tokens;
    uint32_t count;
    uint32_t capacity;
    uint32_t *index; // hash tables of objects with many members
    uint32_t index_length;
    uint32_t index_capacity;
    uint64_t seed;
} weft_json_tape;

// Builds the index of `object`, whose tokens are complete; for json.c, which fills tapes. Writes
// the second of two equal keys to `*twice` (else 0). WEFT_ERR_NO_MEMORY when there is no memory for
// the table.
weft_status weft_json_index(weft_json_tape *tape, uint32_t object, uint32_t *twice);

// Init makes an empty tape without memory; fini frees what the tape took.
void weft_json_init(weft_json_tape *tape, weft_memory *memory);
void weft_json_fini(weft_json_tape *tape);

// Returns the kind of `value`.
static inline weft_json_kind weft_json_kind_of(const weft_json_tape *tape, uint32_t value) {
    return (weft_json_kind)tape->tokens[value].kind;
}

// Counts the items of an array or members of an object; 0 for other kinds.
uint32_t weft_json_count(const weft_json_tape *tape, uint32_t value);

// Iterate an array or object (no other kinds): `uint32_t at = weft_json_first(t, v); while (at !=
// weft_json_end(t, v))`. In an array `at` is an item, at = weft_json_next(t, at). In an object `at`
// is a key, its value is at + 1, at = weft_json_next(t, at + 1).
static inline uint32_t weft_json_first(const weft_json_tape *tape, uint32_t value) {
    (void)tape;
    return value + 1;
}
static inline uint32_t weft_json_next(const weft_json_tape *tape, uint32_t value) {
    return tape->tokens[value].next;
}
static inline uint32_t weft_json_end(const weft_json_tape *tape, uint32_t value) {
    return tape->tokens[value].next;
}

// Finds the member of `object` under `key` (decoded UTF-8) and writes it to `*value`: returns 1, or
// 0 when there is none or no object. Constant time above 16 members.
int weft_json_find(const weft_json_tape *tape, uint32_t object, const void *key, uint32_t length,
                   uint32_t *value);

// As weft_json_find for a key that is itself a string token of `other` (which may be the same
// tape).
int weft_json_find_same(const weft_json_tape *tape, uint32_t object, const weft_json_tape *other,
                        uint32_t key, uint32_t *value);

// As weft_json_find with a NUL-terminated key; returns the value, or 0 when absent (0 is never a
// member).
uint32_t weft_json_member(const weft_json_tape *tape, uint32_t object, const char *key);

// Returns the number's value, rounded as JSON.parse does.
double weft_json_number(const weft_json_tape *tape, uint32_t value);

// Returns the string or key as code points, borrowed from the tape's text.
weft_text weft_json_text(const weft_json_tape *tape, uint32_t value);

// Returns 1 when the string or key equals `bytes` (decoded UTF-8; lone surrogates as three bytes).
int weft_json_string_is(const weft_json_tape *tape, uint32_t value, const void *bytes,
                        uint32_t length);

// Slow path of weft_json_string_same: strings with escapes.
int weft_json_string_same_escaped(const weft_json_tape *a, uint32_t first, const weft_json_tape *b,
                                  uint32_t second);

// Returns 1 when both strings or keys have the same decoded text.
static inline int weft_json_string_same(const weft_json_tape *a, uint32_t first,
                                        const weft_json_tape *b, uint32_t second) {
    const weft_json_token *one = &a->tokens[first];
    const weft_json_token *other = &b->tokens[second];
    if (((one->flags | other->flags) & WEFT_JSON_ESCAPED) != 0) {
        return weft_json_string_same_escaped(a, first, b, second);
    }
    return one->length == other->length &&
           memcmp(a->text + one->offset, b->text + other->offset, one->length) == 0;
}

// Hashes the decoded text with the tape's seed; equal texts of one tape have equal hashes.
uint32_t weft_json_string_hash(const weft_json_tape *tape, uint32_t value);

// Counts code points (a lone surrogate counts as one).
uint32_t weft_json_string_points(const weft_json_tape *tape, uint32_t value);

// Appends the decoded text of a string or key to `out`. Failure is sticky in `out`.
void weft_json_string_decode(const weft_json_tape *tape, uint32_t value, weft_buffer *out);

// Borrows the decoded text and returns 1 if it equals the source text (no escapes); else returns 0.
int weft_json_string_plain(const weft_json_tape *tape, uint32_t value, const uint8_t **bytes,
                           uint32_t *length);

// Returns 1 when both values are equal as JSON Schema defines it: numbers by value, objects without
// regard to order. Reads at most `*budget` tokens and subtracts them; returns -1 when the budget is
// used up. Does not recurse.
int weft_json_same(const weft_json_tape *a, uint32_t first, const weft_json_tape *b,
                   uint32_t second, uint32_t *budget);

// Appends the canonical text of `value`: source order, no white space, numbers as JavaScript prints
// them, minimal escapes. It equals JSON.stringify(JSON.parse(text)) except that integer-like keys
// keep their place. Failure is sticky in `out`.
void weft_json_write(const weft_json_tape *tape, uint32_t value, weft_buffer *out);

// As weft_json_write; calls `more` before each object is closed, to append members: `end` is where
// the object ends in the tape's text, `comma` whether the first one needs a comma before it.
typedef void weft_json_more(void *context, uint32_t end, int comma, weft_buffer *out);
void weft_json_write_more(const weft_json_tape *tape, uint32_t value, weft_json_more *more,
                          void *context, weft_buffer *out);

// Appends `length` bytes of decoded text as a JSON string with its quotes, escaped as
// JSON.stringify does.
void weft_json_write_string(const void *bytes, uint32_t length, weft_buffer *out);

#endif
