// SPDX-License-Identifier: MIT
#include <string.h>

#include "machine.h"

#define EXACT (9007199254740992.0) // 2^53: doubles from here on are whole

static int is_whole(double value) {
    return value >= EXACT || value <= -EXACT || (double)(int64_t)value == value;
}

static int has_type(const weft_schema_machine *m, uint32_t value, uint32_t mask) {
    weft_json_kind kind = weft_json_kind_of(m->tape, value);
    if ((mask >> kind & 1) != 0) {
        return 1;
    }
    return kind == WEFT_JSON_NUMBER && (mask & SCHEMA_TYPE_INTEGER) != 0 &&
           ((m->tape->tokens[value].flags & WEFT_JSON_INTEGER) != 0 || is_whole(weft_json_number(m->tape, value)));
}

static int same(weft_schema_machine *m, uint32_t value, uint32_t expected) {
    int verdict = weft_json_same(m->tape, value, &m->schema->tape, expected, &m->steps);
    if (verdict < 0) {
        weft_schema_spend(m, 1);
    }
    return verdict == 1;
}

static int is_one_of(weft_schema_machine *m, uint32_t value, uint32_t list) {
    const weft_json_tape *tape = &m->schema->tape;
    for (uint32_t at = weft_json_first(tape, list); at != weft_json_end(tape, list); at = weft_json_next(tape, at)) {
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
    case SCHEMA_EXCLUSIVE_MINIMUM:
        return value > bound;
    default: {
        double quotient = value / bound;
        return quotient - quotient == 0 && is_whole(quotient);
    }
    }
}

// A value's hash that does not depend on the order of what it holds: equal values have equal hashes.
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

// The second of two equal items, or 0. `table` has room for twice the items: pairs of hash and token.
static uint32_t find_equal(weft_schema_machine *m, uint32_t array, uint32_t *table, uint32_t mask) {
    const weft_json_tape *tape = m->tape;
    for (uint32_t at = weft_json_first(tape, array); at != weft_json_end(tape, array); at = weft_json_next(tape, at)) {
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

static void assert_unique(weft_schema_machine *m, weft_schema_frame *frame, const weft_schema_instruction *run) {
    uint32_t count = weft_json_count(m->tape, frame->value);
    uint32_t size = 16;
    if (run->a == 0 || count < 2) {
        return;
    }
    while (size < 2 * count) {
        size *= 2;
    }
    uint32_t *table = weft_memory_zeroed(m->result->memory, size, 2 * sizeof(*table));
    if (table == NULL) {
        m->status = WEFT_ERR_NO_MEMORY;
        return;
    }
    uint32_t twice = find_equal(m, frame->value, table, size - 1);
    weft_memory_release(m->result->memory, table, (size_t)size * 2 * sizeof(*table));
    if (twice != 0) {
        weft_schema_reject(m, frame, frame->value, run->keyword, twice);
    }
}

static int fits_length(weft_schema_machine *m, const weft_schema_frame *frame, const weft_schema_instruction *run,
                       uint32_t *points) {
    weft_schema_spend(m, 1 + m->tape->tokens[frame->value].length / 64);
    *points = weft_json_string_points(m->tape, frame->value);
    return run->op == SCHEMA_MAX_LENGTH ? *points <= run->number : *points >= run->number;
}

static void assert_string(weft_schema_machine *m, weft_schema_frame *frame, const weft_schema_instruction *run) {
    uint32_t points = 0;
    int fits = run->op == SCHEMA_PATTERN ? weft_schema_match(m, run->a, frame->value) : fits_length(m, frame, run, &points);
    if (!fits) {
        weft_schema_reject(m, frame, frame->value, run->keyword, points);
    }
}

static void assert_count(weft_schema_machine *m, weft_schema_frame *frame, const weft_schema_instruction *run) {
    uint32_t count = weft_json_count(m->tape, frame->value);
    if (run->op == SCHEMA_MAX_ITEMS ? count > run->number : count < run->number) {
        weft_schema_reject(m, frame, frame->value, run->keyword, count);
    }
}

void weft_schema_assert(weft_schema_machine *m, weft_schema_frame *frame, const weft_schema_instruction *run) {
    weft_json_kind kind = weft_json_kind_of(m->tape, frame->value);
    int fits = 1;
    switch (run->op) {
    case SCHEMA_TYPE:
        fits = has_type(m, frame->value, run->a);
        break;
    case SCHEMA_CONST:
        fits = same(m, frame->value, run->keyword + 1);
        break;
    case SCHEMA_ENUM:
        fits = is_one_of(m, frame->value, run->keyword + 1);
        break;
    case SCHEMA_MAX_LENGTH:
    case SCHEMA_MIN_LENGTH:
    case SCHEMA_PATTERN:
        if (kind == WEFT_JSON_STRING) {
            assert_string(m, frame, run);
        }
        return;
    case SCHEMA_MAX_ITEMS:
    case SCHEMA_MIN_ITEMS:
        if (kind == WEFT_JSON_ARRAY) {
            assert_count(m, frame, run);
        }
        return;
    case SCHEMA_UNIQUE_ITEMS:
        if (kind == WEFT_JSON_ARRAY) {
            assert_unique(m, frame, run);
        }
        return;
    default:
        fits = kind != WEFT_JSON_NUMBER || fits_number(run->op, weft_json_number(m->tape, frame->value), run->number);
        break;
    }
    if (!fits) {
        weft_schema_reject(m, frame, frame->value, run->keyword, 0);
    }
}
