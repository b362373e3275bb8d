// SPDX-License-Identifier: MIT
// Whole numbers of at most 4,160 bits, for the exact conversions of number_read.c and
// number_write.c only. The callers make sure that their numbers fit. Lives on the stack.
#ifndef WEFT_VALUE_BIG_H
#define WEFT_VALUE_BIG_H

#include <stddef.h>
#include <stdint.h>

#define WEFT_BIG_LIMBS 130

typedef struct weft_big {
    uint32_t count; // limbs in use, the topmost is not 0; 0 for the number 0
    uint32_t limbs[WEFT_BIG_LIMBS];
} weft_big;

void weft_big_set(weft_big *big, uint64_t value);
// big = big * factor + more
void weft_big_scale(weft_big *big, uint32_t factor, uint32_t more);
void weft_big_scale_ten(weft_big *big, uint32_t power);
void weft_big_shift(weft_big *big, uint32_t bits);
// big = big - factor * other, which must not be negative
void weft_big_take(weft_big *big, const weft_big *other, uint32_t factor);
// Returns the sign of (a + more) - b; `more` may be NULL.
int weft_big_compare(const weft_big *a, const weft_big *more, const weft_big *b);

#endif
