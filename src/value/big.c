// SPDX-License-Identifier: MIT
// Implements big.h: limbs of 32 bits, lowest first.
#include "big.h"

#include "base/tables.h"

#include <string.h>

static void trim(weft_big *big) {
    while (big->count != 0 && big->limbs[big->count - 1] == 0) {
        big->count--;
    }
}

void weft_big_set(weft_big *big, uint64_t value) {
    big->limbs[0] = (uint32_t)value;
    big->limbs[1] = (uint32_t)(value >> 32);
    big->count = 2;
    trim(big);
}

void weft_big_scale(weft_big *big, uint32_t factor, uint32_t more) {
    uint64_t carry = more;
    for (uint32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        big->limbs[big->count++] = (uint32_t)carry;
    }
}

void weft_big_scale_ten(weft_big *big, uint32_t power) {
    for (; power >= 9; power -= 9) {
        weft_big_scale(big, 1000000000u, 0);
    }
    weft_big_scale(big, (uint32_t)weft_table_tens[power], 0);
}

void weft_big_shift(weft_big *big, uint32_t bits) {
    uint32_t limbs = bits / 32;
    weft_big_scale(big, 1u << (bits % 32), 0);
    if (big->count != 0 && limbs != 0) {
        memmove(big->limbs + limbs, big->limbs, big->count * sizeof(*big->limbs));
        memset(big->limbs, 0, limbs * sizeof(*big->limbs));
        big->count += limbs;
    }
}

void weft_big_take(weft_big *big, const weft_big *other, uint32_t factor) {
    uint64_t product = 0;
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < big->count; i++) {
        product += i < other->count ? (uint64_t)other->limbs[i] * factor : 0;
        uint64_t left = (uint64_t)big->limbs[i] - (uint32_t)product - borrow;
        big->limbs[i] = (uint32_t)left;
        borrow = left >> 63;
        product >>= 32;
    }
    trim(big);
}

static uint32_t limb_at(const weft_big *big, uint32_t i) {
    return big != NULL && i < big->count ? big->limbs[i] : 0;
}

int weft_big_compare(const weft_big *a, const weft_big *more, const weft_big *b) {
    uint32_t most = a->count > b->count ? a->count : b->count;
    int sign = 0;
    uint64_t carry = 0;
    for (uint32_t i = 0; i < most; i++) {
        carry += (uint64_t)limb_at(a, i) + limb_at(more, i);
        uint32_t limb = (uint32_t)carry;
        if (limb != limb_at(b, i)) {
            sign = limb > limb_at(b, i) ? 1 : -1;
        }
        carry >>= 32;
    }
    return carry != 0 ? 1 : sign;
}
