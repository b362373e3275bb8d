// SPDX-License-Identifier: MIT
// Iterates the inside of a JSON string as code points: UTF-8 and, if `escaped`, escapes. The text
// must be well formed. A surrogate without its partner is a code point of its own and three bytes
// when encoded.
#ifndef WEFT_VALUE_TEXT_H
#define WEFT_VALUE_TEXT_H

#include <stdint.h>

typedef struct weft_text {
    const uint8_t *at;
    const uint8_t *end;
    int escaped; // whether a backslash starts an escape
} weft_text;

// Returns the code point at the front, which must exist, and moves past it.
uint32_t weft_text_next(weft_text *text);

// Returns the unit of an escape \uXXXX at `at`, -1 when there is none.
int32_t weft_text_unit(const uint8_t *at, const uint8_t *end);

// Writes `point` as UTF-8; returns the number of bytes, 1 to 4.
uint32_t weft_text_encode(uint32_t point, uint8_t bytes[4]);

#endif
