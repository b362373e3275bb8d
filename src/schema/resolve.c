// SPDX-License-Identifier: MIT
#include <string.h>

#include "program.h"

// A reference cut at its number sign; both parts stand in the text without escapes of JSON.
typedef struct span {
    const uint8_t *at;
    uint32_t length;
} span;

static int same_span(span a, span b) { return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0); }

static int plain_member(const weft_json_tape *tape, uint32_t object, const char *key, span *text) {
    uint32_t value = weft_json_kind_of(tape, object) == WEFT_JSON_OBJECT ? weft_json_member(tape, object, key) : 0;
    return value != 0 && weft_json_kind_of(tape, value) == WEFT_JSON_STRING &&
           weft_json_string_plain(tape, value, &text->at, &text->length);
}

// Whether `object` has an $id that makes it a resource of its own.
static int is_resource(const weft_json_tape *tape, uint32_t object, span *id) {
    if (!plain_member(tape, object, "$id", id)) {
        return 0;
    }
    id->length -= id->length != 0 && id->at[id->length - 1] == '#';
    return id->length != 0 && id->at[0] != '#';
}

// The innermost resource around `token`: references without an address start there.
static uint32_t resource_around(const weft_json_tape *tape, uint32_t token) {
    uint32_t found = 0;
    for (uint32_t at = 0; at < token;) {
        span id;
        if (weft_json_end(tape, at) <= token) {
            at = weft_json_next(tape, at);
            continue;
        }
        found = is_resource(tape, at, &id) ? at : found;
        at++;
    }
    return found;
}

static uint32_t hex_digit(uint8_t letter) {
    return letter >= '0' && letter <= '9' ? letter - (uint32_t)'0'
           : (letter | 0x20) >= 'a' && (letter | 0x20) <= 'f' ? (letter | 0x20) - (uint32_t)'a' + 10
                                                              : 16;
}

// The next byte of a pointer's token: undoes %xx, then ~0 and ~1.
static uint8_t next_byte(const uint8_t **at, const uint8_t *end, int tilde) {
    uint8_t byte = *(*at)++;
    if (byte == '%' && end - *at >= 2 && hex_digit((*at)[0]) < 16 && hex_digit((*at)[1]) < 16) {
        byte = (uint8_t)(hex_digit((*at)[0]) << 4 | hex_digit((*at)[1]));
        *at += 2;
    }
    if (byte == '~' && tilde && *at < end) {
        return next_byte(at, end, 0) == '1' ? '/' : '~';
    }
    return byte;
}

static uint32_t item_at(const weft_json_tape *tape, uint32_t array, const uint8_t *digits, uint32_t length) {
    uint32_t number = 0;
    uint32_t at = weft_json_first(tape, array);
    for (uint32_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9' || number > UINT32_MAX / 16) {
            return 0;
        }
        number = number * 10 + (digits[i] - (uint32_t)'0');
    }
    for (; at != weft_json_end(tape, array) && number != 0; number--) {
        at = weft_json_next(tape, at);
    }
    return length == 0 || at == weft_json_end(tape, array) ? 0 : at;
}

#define LONGEST_NAME 256

static int follow_pointer(const weft_json_tape *tape, uint32_t root, span pointer, uint32_t *target) {
    const uint8_t *at = pointer.at;
    const uint8_t *end = pointer.at + pointer.length;
    uint32_t here = root;
    while (at < end) {
        uint8_t name[LONGEST_NAME];
        uint32_t length = 0;
        for (at++; at < end && *at != '/' && length < LONGEST_NAME; length++) {
            name[length] = next_byte(&at, end, 1);
        }
        if (at < end && *at != '/') {
            return 0;
        }
        if (weft_json_kind_of(tape, here) == WEFT_JSON_ARRAY) {
            here = item_at(tape, here, name, length);
        } else if (!weft_json_find(tape, here, name, length, &here)) {
            return 0;
        }
        if (here == 0) {
            return 0;
        }
    }
    *target = here;
    return 1;
}

// The subschema of this resource whose $anchor (or, in draft 7, whose $id after a number sign) is `name`.
static int find_anchor(const weft_schema *schema, uint32_t resource, span name, uint32_t *target) {
    const weft_json_tape *tape = &schema->tape;
    for (uint32_t at = resource; at != weft_json_end(tape, resource); at++) {
        span found;
        int named = plain_member(tape, at, "$anchor", &found) || plain_member(tape, at, "$dynamicAnchor", &found);
        if (!named && schema->draft == SCHEMA_DRAFT_7 && plain_member(tape, at, "$id", &found) && found.length != 0 &&
            found.at[0] == '#') {
            named = 1;
            found = (span){found.at + 1, found.length - 1};
        }
        if (named && same_span(found, name) && resource_around(tape, at + 1) == resource) {
            *target = at;
            return 1;
        }
    }
    return 0;
}

static int find_resource(const weft_json_tape *tape, span address, uint32_t *target) {
    for (uint32_t at = 0; at < tape->count; at++) {
        span id;
        if (is_resource(tape, at, &id) && same_span(id, address)) {
            *target = at;
            return 1;
        }
    }
    return 0;
}

int weft_schema_resolve(const weft_schema *schema, uint32_t reference, uint32_t *target) {
    const weft_json_tape *tape = &schema->tape;
    span whole;
    if (!weft_json_string_plain(tape, reference, &whole.at, &whole.length)) {
        return 0;
    }
    const uint8_t *mark = whole.length == 0 ? NULL : memchr(whole.at, '#', whole.length);
    span address = {whole.at, mark == NULL ? whole.length : (uint32_t)(mark - whole.at)};
    span fragment = {mark, 0};
    if (mark != NULL) {
        fragment = (span){mark + 1, whole.length - address.length - 1};
    }
    uint32_t resource = resource_around(tape, reference);
    if (address.length != 0 && !find_resource(tape, address, &resource)) {
        return 0;
    }
    if (fragment.length == 0) {
        *target = resource;
        return 1;
    }
    return fragment.at[0] == '/' ? follow_pointer(tape, resource, fragment, target)
                                 : find_anchor(schema, resource, fragment, target);
}
