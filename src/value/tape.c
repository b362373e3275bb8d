// SPDX-License-Identifier: MIT
// Implements tape.h: the index of keys, lookup, strings.
#include "tape.h"

#include <string.h>

#include "base/hash.h"
#include "number.h"

#define SMALL_OBJECT 16
#define CHUNK 128
#define SHORT_INTEGER 9

// Layout of an index: members, mask of the table, table of key tokens (0 = free; token 0 is never a
// key).
enum { INDEX_COUNT, INDEX_MASK, INDEX_TABLE };

void weft_json_init(weft_json_tape *tape, weft_memory *memory) {
    *tape = (weft_json_tape){.memory = memory};
}

void weft_json_fini(weft_json_tape *tape) {
    weft_memory_release(tape->memory, tape->tokens, tape->capacity * sizeof(*tape->tokens));
    weft_memory_release(tape->memory, tape->index, tape->index_capacity * sizeof(*tape->index));
    weft_json_init(tape, tape->memory);
}

uint32_t weft_json_count(const weft_json_tape *tape, uint32_t value) {
    const weft_json_token *token = &tape->tokens[value];
    return (token->flags & WEFT_JSON_INDEXED) != 0 && token->kind == WEFT_JSON_OBJECT
               ? tape->index[token->extra + INDEX_COUNT]
               : token->extra;
}

weft_text weft_json_text(const weft_json_tape *tape, uint32_t value) {
    const weft_json_token *token = &tape->tokens[value];
    return (weft_text){tape->text + token->offset + 1,
                       tape->text + token->offset + token->length - 1,
                       (token->flags & WEFT_JSON_ESCAPED) != 0};
}

static weft_text text_of_bytes(const void *bytes, uint32_t length) {
    const uint8_t *at = bytes;
    return (weft_text){at, length == 0 ? at : at + length, 0};
}

static int same_text(weft_text a, weft_text b) {
    if (!a.escaped && !b.escaped) {
        size_t size = (size_t)(a.end - a.at);
        return size == (size_t)(b.end - b.at) && (size == 0 || memcmp(a.at, b.at, size) == 0);
    }
    while (a.at < a.end && b.at < b.end) {
        if (weft_text_next(&a) != weft_text_next(&b)) {
            return 0;
        }
    }
    return a.at == a.end && b.at == b.end;
}

static int is_text(const weft_json_tape *tape, uint32_t string, weft_text text) {
    const weft_json_token *token = &tape->tokens[string];
    if (!text.escaped && (token->flags & WEFT_JSON_ESCAPED) == 0) {
        size_t size = (size_t)(text.end - text.at);
        return token->length - 2 == size &&
               (size == 0 || memcmp(tape->text + token->offset + 1, text.at, size) == 0);
    }
    return same_text(weft_json_text(tape, string), text);
}

// Hashes the decoded bytes, a chunk at a time, so that escaped and plain spellings agree without
// allocating.
static uint32_t hash_text(uint64_t seed, weft_text text) {
    uint8_t chunk[CHUNK + 4];
    uint32_t hash = 0;
    if (!text.escaped && text.end - text.at <= CHUNK) {
        return weft_hash_seeded(seed, text.at, (size_t)(text.end - text.at));
    }
    uint32_t used = 0;
    for (;;) {
        while (text.at < text.end && used < CHUNK) {
            used += weft_text_encode(weft_text_next(&text), chunk + used);
        }
        uint32_t size = used < CHUNK ? used : CHUNK;
        hash = weft_hash_seeded(seed + hash, chunk, size);
        memmove(chunk, chunk + size, used - size);
        used -= size;
        if (text.at == text.end && used == 0) {
            return hash;
        }
    }
}

static uint32_t find_indexed(const weft_json_tape *tape, const uint32_t *index, weft_text key) {
    for (uint32_t at = hash_text(tape->seed, key);; at++) {
        uint32_t found = index[INDEX_TABLE + (at & index[INDEX_MASK])];
        if (found == 0 || same_text(weft_json_text(tape, found), key)) {
            return found;
        }
    }
}

static uint32_t find_key(const weft_json_tape *tape, uint32_t object, weft_text key) {
    const weft_json_token *token = &tape->tokens[object];
    if (token->kind != WEFT_JSON_OBJECT) {
        return 0;
    }
    if ((token->flags & WEFT_JSON_INDEXED) != 0) {
        return find_indexed(tape, tape->index + token->extra, key);
    }
    for (uint32_t at = object + 1; at != token->next; at = weft_json_next(tape, at + 1)) {
        if (is_text(tape, at, key)) {
            return at;
        }
    }
    return 0;
}

// Returns whether keys may be equal: equal keys have the same length and outer bytes. A quick test,
// since most objects have no equal keys.
static int may_be_twice(const weft_json_tape *tape, uint32_t object) {
    uint64_t seen = 0;
    for (uint32_t at = object + 1; at != tape->tokens[object].next;
         at = weft_json_next(tape, at + 1)) {
        const weft_json_token *key = &tape->tokens[at];
        const uint8_t *text = tape->text + key->offset;
        uint64_t mark = UINT64_C(1)
                        << ((text[1] ^ (uint32_t)text[key->length - 2] << 1 ^ key->length * 5) &
                            63);
        if ((key->flags & WEFT_JSON_ESCAPED) != 0 || (seen & mark) != 0) {
            return 1;
        }
        seen |= mark;
    }
    return 0;
}

static uint32_t find_twice_small(const weft_json_tape *tape, uint32_t object) {
    for (uint32_t at = object + 1; at != tape->tokens[object].next;
         at = weft_json_next(tape, at + 1)) {
        for (uint32_t before = object + 1; before != at;
             before = weft_json_next(tape, before + 1)) {
            if (is_text(tape, before, weft_json_text(tape, at))) {
                return at;
            }
        }
    }
    return 0;
}

weft_status weft_json_index(weft_json_tape *tape, uint32_t object, uint32_t *twice) {
    weft_json_token *token = &tape->tokens[object];
    uint32_t count = token->extra;
    *twice = 0;
    if (count <= SMALL_OBJECT) {
        *twice = may_be_twice(tape, object) ? find_twice_small(tape, object) : 0;
        return WEFT_OK;
    }
    uint32_t size = 64;
    while (size < 2 * count) {
        size *= 2;
    }
    if (!weft_memory_reserve(tape->memory, &tape->index, sizeof(*tape->index),
                             &tape->index_capacity, tape->index_length + INDEX_TABLE + size)) {
        return WEFT_ERR_NO_MEMORY;
    }
    uint32_t *index = tape->index + tape->index_length;
    memset(index, 0, (INDEX_TABLE + size) * sizeof(*index));
    index[INDEX_COUNT] = count;
    index[INDEX_MASK] = size - 1;
    for (uint32_t at = object + 1; at != token->next; at = weft_json_next(tape, at + 1)) {
        weft_text key = weft_json_text(tape, at);
        uint32_t place = hash_text(tape->seed, key) & index[INDEX_MASK];
        while (index[INDEX_TABLE + place] != 0) {
            if (same_text(weft_json_text(tape, index[INDEX_TABLE + place]), key)) {
                *twice = at;
                return WEFT_OK;
            }
            place = (place + 1) & index[INDEX_MASK];
        }
        index[INDEX_TABLE + place] = at;
    }
    token->flags |= WEFT_JSON_INDEXED;
    token->extra = tape->index_length;
    tape->index_length += INDEX_TABLE + size;
    return WEFT_OK;
}

int weft_json_find(const weft_json_tape *tape, uint32_t object, const void *key, uint32_t length,
                   uint32_t *value) {
    uint32_t found = find_key(tape, object, text_of_bytes(key, length));
    *value = found + 1;
    return found != 0;
}

int weft_json_find_same(const weft_json_tape *tape, uint32_t object, const weft_json_tape *other,
                        uint32_t key, uint32_t *value) {
    uint32_t found = find_key(tape, object, weft_json_text(other, key));
    *value = found + 1;
    return found != 0;
}

uint32_t weft_json_member(const weft_json_tape *tape, uint32_t object, const char *key) {
    uint32_t found = find_key(tape, object, text_of_bytes(key, (uint32_t)strlen(key)));
    return found == 0 ? 0 : found + 1;
}

double weft_json_number(const weft_json_tape *tape, uint32_t value) {
    const weft_json_token *token = &tape->tokens[value];
    const uint8_t *text = tape->text + token->offset;
    if ((token->flags & WEFT_JSON_INTEGER) != 0 && token->length <= SHORT_INTEGER && *text != '-') {
        uint32_t number = 0;
        for (uint32_t i = 0; i < token->length; i++) {
            number = number * 10 + (text[i] - (uint32_t)'0');
        }
        return number;
    }
    return weft_number_read(tape->text + tape->tokens[value].offset, tape->tokens[value].length);
}

int weft_json_string_is(const weft_json_tape *tape, uint32_t value, const void *bytes,
                        uint32_t length) {
    return tape->tokens[value].kind == WEFT_JSON_STRING &&
           is_text(tape, value, text_of_bytes(bytes, length));
}

int weft_json_string_same_escaped(const weft_json_tape *a, uint32_t first, const weft_json_tape *b,
                                  uint32_t second) {
    return same_text(weft_json_text(a, first), weft_json_text(b, second));
}

uint32_t weft_json_string_hash(const weft_json_tape *tape, uint32_t value) {
    return hash_text(tape->seed, weft_json_text(tape, value));
}

uint32_t weft_json_string_points(const weft_json_tape *tape, uint32_t value) {
    uint32_t points = 0;
    weft_text text = weft_json_text(tape, value);
    if (!text.escaped) {
        for (; text.at < text.end; text.at++) {
            points += (*text.at & 0xc0) != 0x80; // not a continuation byte
        }
        return points;
    }
    for (; text.at < text.end; points++) {
        weft_text_next(&text);
    }
    return points;
}

void weft_json_string_decode(const weft_json_tape *tape, uint32_t value, weft_buffer *out) {
    weft_text text = weft_json_text(tape, value);
    if (!text.escaped) {
        weft_buffer_append(out, text.at, (uint32_t)(text.end - text.at));
        return;
    }
    while (text.at < text.end) {
        uint8_t bytes[4];
        weft_buffer_append(out, bytes, weft_text_encode(weft_text_next(&text), bytes));
    }
}

int weft_json_string_plain(const weft_json_tape *tape, uint32_t value, const uint8_t **bytes,
                           uint32_t *length) {
    weft_text text = weft_json_text(tape, value);
    if (text.escaped) {
        return 0;
    }
    *bytes = text.at;
    *length = (uint32_t)(text.end - text.at);
    return 1;
}
