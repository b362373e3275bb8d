// SPDX-License-Identifier: MIT
// Implements number.h: text to double.
#include <string.h>

#include "base/tables.h"
#include "big.h"
#include "number.h"

// Enough digits to round exactly: a double's halfway points have at most 767 digits. Of longer
// numbers it only matters that more digits follow.
#define MOST_DIGITS 800
#define SHORT_DIGITS 19
#define INFINITE 0x800 // as a biased exponent for assemble()

// The number's digits without leading zeros, cut after SHORT_DIGITS: value = leading * 10^power (+
// the digits cut off).
typedef struct scan {
    const uint8_t *digits; // the first one that is not 0
    const uint8_t *end;    // after the last digit of the fraction
    uint64_t leading;
    int64_t power;
    int64_t count; // number of digits from `digits` on
} scan;

// 10^(2^i) and 10^-(2^i), the topmost 64 bits rounded to nearest.
static const uint64_t POWERS[2][9] = {
    {UINT64_C(0xa000000000000000), UINT64_C(0xc800000000000000), UINT64_C(0x9c40000000000000),
     UINT64_C(0xbebc200000000000), UINT64_C(0x8e1bc9bf04000000), UINT64_C(0x9dc5ada82b70b59e),
     UINT64_C(0xc2781f49ffcfa6d5), UINT64_C(0x93ba47c980e98ce0), UINT64_C(0xaa7eebfb9df9de8e)},
    {UINT64_C(0xcccccccccccccccd), UINT64_C(0xa3d70a3d70a3d70a), UINT64_C(0xd1b71758e219652c),
     UINT64_C(0xabcc77118461cefd), UINT64_C(0xe69594bec44de15b), UINT64_C(0xcfb11ead453994ba),
     UINT64_C(0xa87fea27a539e9a5), UINT64_C(0xddd0467c64bce4a1), UINT64_C(0xc0314325637a193a)},
};

static int64_t read_exponent(const uint8_t *at, const uint8_t *end) {
    int64_t value = 0;
    int negative = 0;
    if (at < end) {
        at++;
        negative = *at == '-';
        at += *at == '-' || *at == '+';
    }
    for (; at < end; at++) {
        value = value < INT64_C(1) << 40 ? value * 10 + (*at - '0') : value;
    }
    return negative ? -value : value;
}

static void read_digits(scan *found, const uint8_t *at, const uint8_t *end) {
    int64_t after_point = 0;
    int in_fraction = 0;
    *found = (scan){.digits = end, .end = end};
    for (; at < end && (*at | 0x20) != 'e'; at++) {
        if (*at == '.') {
            in_fraction = 1;
            continue;
        }
        after_point += in_fraction;
        if (*at == '0' && found->count == 0) {
            continue;
        }
        found->digits = found->count == 0 ? at : found->digits;
        found->count++;
        if (found->count <= SHORT_DIGITS) {
            found->leading = found->leading * 10 + (uint64_t)(*at - '0');
        }
    }
    found->end = at;
    int64_t cut = found->count > SHORT_DIGITS ? found->count - SHORT_DIGITS : 0;
    found->power = read_exponent(at, end) - after_point + cut;
}

static double assemble(uint64_t mantissa, int biased) {
    uint64_t bits = mantissa + ((uint64_t)(biased - 1) << 52);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// Returns the sign of (the number) - (2 * mantissa + 1) * 2^exponent, exactly.
static int compare_halfway(const scan *found, uint64_t mantissa, int exponent) {
    weft_big decimal, halfway;
    int64_t taken = 0;
    int64_t power = found->power - (found->count > SHORT_DIGITS ? found->count - SHORT_DIGITS : 0);
    weft_big_set(&decimal, 0);
    for (const uint8_t *at = found->digits; at < found->end && taken < MOST_DIGITS; at++) {
        if (*at != '.') {
            weft_big_scale(&decimal, 10, (uint32_t)(*at - '0'));
            taken++;
        }
    }
    if (taken < found->count) {
        weft_big_scale(&decimal, 10, 1);
        power += found->count - taken - 1;
    }
    weft_big_set(&halfway, 2 * mantissa + 1);
    if (power >= 0) {
        weft_big_scale_ten(&decimal, (uint32_t)power);
    } else {
        weft_big_scale_ten(&halfway, (uint32_t)-power);
    }
    if (exponent >= 0) {
        weft_big_shift(&halfway, (uint32_t)exponent);
    } else {
        weft_big_shift(&decimal, (uint32_t)-exponent);
    }
    return weft_big_compare(&decimal, NULL, &halfway);
}

static uint64_t multiply_high(uint64_t a, uint64_t b) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t cross = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (cross >> 32);
}

// Computes 64 bits of the value by at most nine multiplications, with an error bound; where the
// bound leaves the rounding open, the exact comparison decides.
static double read_approximately(const scan *found) {
    uint64_t m = found->leading;
    int exponent = 63;
    uint64_t error = found->count > SHORT_DIGITS ? 48 : 24;
    for (; m >> 63 == 0; m <<= 1) {
        exponent--;
    }
    uint32_t steps = (uint32_t)(found->power < 0 ? -found->power : found->power);
    for (int i = 0; i < 9; i++) {
        if ((steps >> i & 1) == 0) {
            continue;
        }
        int power = found->power < 0 ? -(1 << i) : 1 << i;
        m = multiply_high(m, POWERS[found->power < 0][i]);
        exponent += (power * 217706 >> 16) + 1;
        if (m >> 63 == 0) {
            m <<= 1;
            exponent--;
        }
    }
    if (exponent > 1023) {
        return assemble(0, INFINITE);
    }
    int biased = exponent >= -1022 ? exponent + 1023 : 1;
    int dropped = exponent >= -1022 ? 11 : 11 - 1022 - exponent;
    uint64_t mantissa = 0;
    int side = 0;
    if (dropped < 64) {
        uint64_t rest = m & ((UINT64_C(1) << dropped) - 1);
        uint64_t half = UINT64_C(1) << (dropped - 1);
        mantissa = m >> dropped;
        side = rest + error < half ? -1 : rest > half + error ? 1 : 0;
    }
    if (side == 0) {
        side = compare_halfway(found, mantissa, exponent - 63 + dropped - 1);
    }
    return assemble(mantissa + (side > 0 || (side == 0 && (mantissa & 1) != 0)), biased);
}

static double read_positive(const scan *found) {
    if (found->leading <= UINT64_C(1) << 53 && found->count <= SHORT_DIGITS &&
        found->power >= -22 && found->power <= 22) {
        double value = (double)found->leading;
        return found->power < 0 ? value / weft_table_tens[-found->power]
                                : value * weft_table_tens[found->power];
    }
    int64_t digits = found->count < SHORT_DIGITS ? found->count : SHORT_DIGITS;
    if (found->count == 0 || found->power + digits <= -324) {
        return 0;
    }
    if (found->power + digits > 309) {
        return assemble(0, INFINITE);
    }
    return read_approximately(found);
}

double weft_number_read(const uint8_t *text, uint32_t length) {
    scan found;
    int negative = length != 0 && *text == '-';
    read_digits(&found, text + negative, text + length);
    double value = read_positive(&found);
    return negative ? -value : value;
}
