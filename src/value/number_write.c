// SPDX-License-Identifier: MIT
// Implements number.h: double to text.
#include <string.h>

#include "base/tables.h"
#include "big.h"
#include "number.h"

#define MOST_DIGITS 17

// Digits d1 d2 ... of 0.d1d2... * 10^point.
typedef struct decimal {
    char digits[MOST_DIGITS + 3];
    int count;
    int point;
} decimal;

static void whole_digits(decimal *out, uint64_t value, int point) {
    char reversed[20];
    int count = 0;
    for (; value != 0; value /= 10) {
        reversed[count++] = (char)('0' + value % 10);
    }
    int zeros = 0;
    while (zeros < count && reversed[zeros] == '0') {
        zeros++;
    }
    out->count = count - zeros;
    out->point = count - point;
    for (int i = 0; i < out->count; i++) {
        out->digits[i] = reversed[count - 1 - i];
    }
}

// Handles numbers of at most 15 digits: a decimal of 15 digits that reads back as `value` is
// unique, hence the shortest. The powers of ten of the product and the quotient are exact, so the
// quotient is the value that a reader gets.
static int short_digits(decimal *out, double value) {
    if (value >= 1e15 || value < 1e-7) {
        return 0;
    }
    int before = 0;
    while (before < 15 && weft_table_tens[before] <= value) {
        before++;
    }
    int after = 15 - before;
    uint64_t scaled = (uint64_t)(value * weft_table_tens[after] + 0.5);
    if ((double)scaled / weft_table_tens[after] != value) {
        return 0;
    }
    whole_digits(out, scaled, after);
    return 1;
}

typedef struct ratio {
    weft_big rest; // value = rest / unit
    weft_big unit;
    weft_big below; // half the distance to the smaller neighbour, in the same unit
    weft_big above; // half the distance to the greater one
    int even;       // whether a reader rounds a tie to this value
} ratio;

static void scale_all(ratio *r) {
    weft_big_scale(&r->rest, 10, 0);
    weft_big_scale(&r->below, 10, 0);
    weft_big_scale(&r->above, 10, 0);
}

static int reaches_above(const ratio *r) {
    return weft_big_compare(&r->rest, &r->above, &r->unit) >= (r->even ? 0 : 1);
}

static int reaches_below(const ratio *r) {
    return weft_big_compare(&r->rest, NULL, &r->below) <= (r->even ? 0 : -1);
}

static uint32_t bits_of(uint64_t value) {
    uint32_t bits = 0;
    for (; value != 0; value >>= 1) {
        bits++;
    }
    return bits;
}

// Sets up value = fraction * 2^exponent; the power of ten is estimated (never too high) and
// corrected. Returns the decimal point.
static int set_ratio(ratio *r, uint64_t fraction, int exponent, uint32_t narrow) {
    uint32_t up = exponent > 0 ? (uint32_t)exponent : 0;
    uint32_t down = exponent < 0 ? (uint32_t)-exponent : 0;
    double log = ((double)exponent + (double)bits_of(fraction) - 1) * 0.30102999566398120 - 1e-10;
    int point = (int)log + (log > 0);
    weft_big_set(&r->rest, fraction);
    weft_big_set(&r->unit, 1);
    weft_big_set(&r->below, 1);
    weft_big_shift(&r->rest, up + 1 + narrow);
    weft_big_shift(&r->unit, down + 1 + narrow);
    weft_big_shift(&r->below, up);
    if (point >= 0) {
        weft_big_scale_ten(&r->unit, (uint32_t)point);
    } else {
        weft_big_scale_ten(&r->rest, (uint32_t)-point);
        weft_big_scale_ten(&r->below, (uint32_t)-point);
    }
    // The digit estimate below needs the unit's top limb filled up to bit 27: ten times the unit
    // still fits.
    uint32_t top = bits_of(r->unit.limbs[r->unit.count - 1]);
    uint32_t lift = (60 - top) % 32;
    weft_big_shift(&r->unit, lift);
    weft_big_shift(&r->rest, lift);
    weft_big_shift(&r->below, lift);
    r->above = r->below;
    weft_big_shift(&r->above, narrow);
    if (reaches_above(r)) {
        point++;
    } else {
        scale_all(r);
    }
    return point;
}

static char next_digit(ratio *r) {
    uint32_t top = r->unit.count - 1;
    uint32_t digit = r->rest.count > top ? r->rest.limbs[top] / (r->unit.limbs[top] + 1) : 0;
    weft_big_take(&r->rest, &r->unit, digit);
    if (weft_big_compare(&r->rest, NULL, &r->unit) >= 0) {
        weft_big_take(&r->rest, &r->unit, 1);
        digit++;
    }
    return (char)('0' + digit);
}

// Produces digits one by one until the rest is within half the distance to a neighbour.
static void exact_digits(decimal *out, uint64_t fraction, int exponent, uint32_t narrow) {
    ratio r;
    r.even = (fraction & 1) == 0;
    out->point = set_ratio(&r, fraction, exponent, narrow);
    out->count = 0;
    for (;;) {
        char digit = next_digit(&r);
        int low = reaches_below(&r);
        int high = reaches_above(&r);
        if (low || high) {
            int half = weft_big_compare(&r.rest, &r.rest, &r.unit);
            int up = low && high ? half > 0 || (half == 0 && (digit & 1) != 0) : high;
            out->digits[out->count++] = (char)(digit + up);
            return;
        }
        out->digits[out->count++] = digit;
        scale_all(&r);
    }
}

static uint32_t put_exponent(char *text, int exponent) {
    uint32_t at = 0;
    text[at++] = 'e';
    text[at++] = exponent < 0 ? '-' : '+';
    uint32_t left = (uint32_t)(exponent < 0 ? -exponent : exponent);
    if (left >= 100) {
        text[at++] = (char)('0' + left / 100);
    }
    if (left >= 10) {
        text[at++] = (char)('0' + left / 10 % 10);
    }
    text[at++] = (char)('0' + left % 10);
    return at;
}

// Formats as ECMAScript's Number::toString: plain from 1e-6 up to 1e21, else with an exponent.
static uint32_t lay_out(const decimal *number, char *text) {
    uint32_t at = 0;
    int point = number->point;
    int plain = point > -6 && point <= 21;
    if (plain && point <= 0) {
        text[at++] = '0';
        text[at++] = '.';
        for (int i = point; i < 0; i++) {
            text[at++] = '0';
        }
    }
    int dot = plain ? point : 1;
    for (int i = 0; i < number->count || (plain && i < point); i++) {
        if (i == dot && dot > 0) {
            text[at++] = '.';
        }
        text[at++] = i < number->count ? number->digits[i] : '0';
    }
    return plain ? at : at + put_exponent(text + at, point - 1);
}

uint32_t weft_number_write(double value, char text[WEFT_NUMBER_TEXT]) {
    uint64_t bits;
    decimal number;
    uint32_t sign = value < 0;
    memcpy(&bits, &value, sizeof(bits));
    if (value == 0) {
        text[0] = '0';
        return 1;
    }
    text[0] = '-';
    if (!short_digits(&number, sign ? -value : value)) {
        uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
        int exponent = (int)(bits >> 52 & 0x7ff);
        uint32_t narrow = fraction == 0 && exponent > 1;
        if (exponent != 0) {
            fraction |= UINT64_C(1) << 52;
            exponent--;
        }
        exact_digits(&number, fraction, exponent - 1074, narrow);
    }
    return sign + lay_out(&number, text + sign);
}
