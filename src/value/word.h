// SPDX-License-Identifier: MIT
// Value handles (words): how the engine refers to JavaScript values. A handle is an immediate or
// the number of a value (value.h). Bits only.
#ifndef WEFT_VALUE_WORD_H
#define WEFT_VALUE_WORD_H

#include <stdint.h>

typedef uint32_t weft_word;

// Low 3 bits: 0 special, 1 small signed integer (29 bits), 2 value number.
#define WEFT_WORD_ABSENT 0u
#define WEFT_WORD_UNDEFINED 8u
#define WEFT_WORD_NULL 16u
#define WEFT_WORD_FALSE 24u
#define WEFT_WORD_TRUE 32u

#define WEFT_WORD_TAG_INT 1u
#define WEFT_WORD_TAG_VALUE 2u
#define WEFT_WORD_TAG_NODE 3u // inside the engine only: the name of a node of the current graph

static inline int weft_word_is_value(weft_word word) {
    return (word & 7u) == WEFT_WORD_TAG_VALUE;
}
static inline uint32_t weft_word_number(weft_word word) {
    return word >> 3;
}
static inline weft_word weft_word_of_value(uint32_t number) {
    return (number << 3) | WEFT_WORD_TAG_VALUE;
}

// Returns true for a handle that may cross the border: a known special, an integer or a value
// number.
static inline int weft_word_is_sound(weft_word word) {
    uint32_t tag = word & 7u;
    return tag == 0 ? word <= WEFT_WORD_TRUE : tag <= WEFT_WORD_TAG_VALUE;
}

#endif
