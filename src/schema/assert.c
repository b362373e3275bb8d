// SPDX-License-Identifier: MIT
// Implements machine.h: keywords that only look at the value itself.
#include "machine.h"

#define EXACT (9007199254740992.0) // 2^53: doubles from here on are whole
#define MOST_DIGITS UINT64_C(1000000000000000000)
#define MOST_POWER 10000

static int is_whole(double value) {
    return value >= EXACT || value <= -EXACT || (double)(int64_t)value == value;
}

static int has_type(const weft_schema_machine *m, uint32_t value, uint32_t mask) {
    weft_json_kind kind = weft_json_kind_of(m->tape, value);
    if ((mask >> kind & 1) != 0) {
        return 1;
    }
    return kind == WEFT_JSON_NUMBER && (mask & SCHEMA_TYPE_INTEGER) != 0 &&
           ((m->tape->tokens[value].flags & WEFT_JSON_INTEGER) != 0 ||
            is_whole(weft_json_number(m->tape, value)));
}

static int same(weft_schema_machine *m, uint32_t value, uint32_t expected) {
    weft_json_kind kind = weft_json_kind_of(&m->schema->tape, expected);
    if (kind != weft_json_kind_of(m->tape, value)) {
        return 0;
    }
    if (kind == WEFT_JSON_STRING) {
        return weft_json_string_same(m->tape, value, &m->schema->tape, expected);
    }
    int verdict = weft_json_same(m->tape, value, &m->schema->tape, expected, &m->steps);
    if (verdict < 0) {
        weft_schema_spend(m, 1);
    }
    return verdict == 1;
}

static int is_one_of(weft_schema_machine *m, uint32_t value, uint32_t list) {
    const weft_json_tape *tape = &m->schema->tape;
    for (uint32_t at = weft_json_first(tape, list); at != weft_json_end(tape, list);
         at = weft_json_next(tape, at)) {
        if (same(m, value, at) || !weft_schema_spend(m, 1)) {
            return 1;
        }
    }
    return 0;
}

static int fits_number(weft_schema_op op, double value, double bound) {
    switch (op) {
    case SCHEMA_MAXIMUM:
        return value <= bound;
    case SCHEMA_EXCLUSIVE_MAXIMUM:
        return value < bound;
    case SCHEMA_MINIMUM:
        return value >= bound;
    default:
        return value > bound;
    }
}

// Reads a number as written: digits * 10^power; returns 0 when it has too many digits.
static int read_decimal(const weft_json_tape *tape, uint32_t value, uint64_t *digits,
                        int64_t *power) {
    const uint8_t *at = tape->text + tape->tokens[value].offset;
    const uint8_t *end = at + tape->tokens[value].length;
    int fraction = 0;
    *digits = 0;
    *power = 0;
    for (at += *at == '-'; at < end && (*at | 0x20) != 'e'; at++) {
        if (*at == '.') {
            fraction = 1;
            continue;
        }
        if (*digits > MOST_DIGITS / 10 - 1) {
            return 0;
        }
        *digits = *digits * 10 + (uint64_t)(*at - '0');
        *power -= fraction;
    }
    if (at < end) {
        int negative = at[1] == '-';
        int64_t exponent = 0;
        for (at += at[1] == '-' || at[1] == '+' ? 2 : 1; at < end && exponent < MOST_POWER; at++) {
            exponent = exponent * 10 + (*at - '0');
        }
        *power += negative ? -exponent : exponent;
    }
    return 1;
}

// Checks multipleOf in decimal digits, so that 19.99 is a multiple of 0.01; by division when there
// are too many digits.
static int is_multiple(weft_schema_machine *m, uint32_t value, const weft_schema_instruction *run) {
    uint64_t digits, step;
    int64_t power, step_power;
    if (!read_decimal(m->tape, value, &digits, &power) ||
        !read_decimal(&m->schema->tape, run->keyword + 1, &step, &step_power)) {
        double quotient = weft_json_number(m->tape, value) / run->number;
        return quotient - quotient == 0 && is_whole(quotient);
    }
    for (; power < step_power && step <= digits; step_power--) {
        step *= 10;
    }
    if (power < step_power) {
        return digits == 0;
    }
    for (digits %= step; power > step_power && digits != 0; power--) {
        digits = digits * 10 % step;
    }
    return digits == 0;
}

// Hashes a value regardless of the order of members: equal values have equal hashes.
static uint32_t hash_value(const weft_json_tape *tape, uint32_t value) {
    uint32_t hash = 0;
    for (uint32_t at = value; at != weft_json_end(tape, value); at++) {
        weft_json_kind kind = weft_json_kind_of(tape, at);
        uint64_t part = (uint64_t)kind * 31 + 7;
        if (kind == WEFT_JSON_NUMBER) {
            double number = weft_json_number(tape, at) + 0.0;
            memcpy(&part, &number, sizeof(part));
        } else if (kind == WEFT_JSON_STRING) {
            part += weft_json_string_hash(tape, at);
        }
        part *= UINT64_C(0x9e3779b97f4a7c15);
        hash += (uint32_t)(part >> 32) ^ (uint32_t)part;
    }
    return hash;
}

// Finds the second of two equal items, or 0. `table` has room for twice the items: pairs of hash
// and token.
static uint32_t find_equal(weft_schema_machine *m, uint32_t array, uint32_t *table, uint32_t mask) {
    const weft_json_tape *tape = m->tape;
    for (uint32_t at = weft_json_first(tape, array); at != weft_json_end(tape, array);
         at = weft_json_next(tape, at)) {
        uint32_t hash = hash_value(tape, at);
        uint32_t place = hash & mask;
        if (!weft_schema_spend(m, 1 + (weft_json_end(tape, at) - at) / 8)) {
            return 0;
        }
        for (; table[2 * place + 1] != 0; place = (place + 1) & mask) {
            if (!weft_schema_spend(m, 1)) {
                return 0;
            }
            if (table[2 * place] == hash) {
                int verdict = weft_json_same(tape, at, tape, table[2 * place + 1], &m->steps);
                if (verdict > 0 || (verdict < 0 && !weft_schema_spend(m, 1))) {
                    return verdict > 0 ? at : 0;
                }
            }
        }
        table[2 * place] = hash;
        table[2 * place + 1] = at;
    }
    return 0;
}

// Finds the second of two equal items; 0 when all differ.
static uint32_t find_twice(weft_schema_machine *m, uint32_t array) {
    uint32_t count = weft_json_count(m->tape, array);
    uint32_t size = 16;
    if (count < 2) {
        return 0;
    }
    while (size < 2 * count) {
        size *= 2;
    }
    uint32_t *table = weft_memory_zeroed(m->result->memory, size, 2 * sizeof(*table));
    if (table == NULL) {
        return (uint32_t)weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
    }
    uint32_t twice = find_equal(m, array, table, size - 1);
    weft_memory_release(m->result->memory, table, (size_t)size * 2 * sizeof(*table));
    return twice;
}

static int assert_string(weft_schema_machine *m, uint32_t value, const weft_schema_instruction *run,
                         uint32_t *detail) {
    if (run->op == SCHEMA_PATTERN || run->op == SCHEMA_FORMAT) {
        return weft_schema_match(m, run->a, value);
    }
    uint32_t bytes = m->tape->tokens[value].length - 2;
    // A code point has one to twelve bytes, so most strings need no counting.
    if (run->op == SCHEMA_MAX_LENGTH ? bytes <= run->number : bytes >= run->number * 12) {
        return 1;
    }
    weft_schema_spend(m, bytes / 64);
    *detail = weft_json_string_points(m->tape, value);
    return run->op == SCHEMA_MAX_LENGTH ? *detail <= run->number : *detail >= run->number;
}

static int assert_array(weft_schema_machine *m, uint32_t value, const weft_schema_instruction *run,
                        uint32_t *detail) {
    if (run->op == SCHEMA_UNIQUE_ITEMS) {
        *detail = run->a ? find_twice(m, value) : 0;
        return *detail == 0;
    }
    *detail = weft_json_count(m->tape, value);
    return run->op == SCHEMA_MAX_ITEMS ? *detail <= run->number : *detail >= run->number;
}

int weft_schema_assert(weft_schema_machine *m, uint32_t value, const weft_schema_instruction *run,
                       uint32_t *detail) {
    weft_json_kind kind = weft_json_kind_of(m->tape, value);
    switch (run->op) {
    case SCHEMA_NOTHING:
        return 0;
    case SCHEMA_TYPE:
        return has_type(m, value, run->a);
    case SCHEMA_CONST:
        return same(m, value, run->keyword + 1);
    case SCHEMA_ENUM:
        return is_one_of(m, value, run->keyword + 1);
    case SCHEMA_MAX_LENGTH:
    case SCHEMA_MIN_LENGTH:
    case SCHEMA_PATTERN:
    case SCHEMA_FORMAT:
        return kind != WEFT_JSON_STRING || assert_string(m, value, run, detail);
    case SCHEMA_MAX_ITEMS:
    case SCHEMA_MIN_ITEMS:
    case SCHEMA_UNIQUE_ITEMS:
        return kind != WEFT_JSON_ARRAY || assert_array(m, value, run, detail);
    case SCHEMA_MULTIPLE_OF:
        return kind != WEFT_JSON_NUMBER || is_multiple(m, value, run);
    case SCHEMA_MINIMUM:
        // The most common minimum is "not negative".
        if (run->number <= 0 && kind == WEFT_JSON_NUMBER &&
            m->tape->text[m->tape->tokens[value].offset] != '-') {
            return 1;
        }
        // fall through
    default:
        return kind != WEFT_JSON_NUMBER ||
               fits_number(run->op, weft_json_number(m->tape, value), run->number);
    }
}
