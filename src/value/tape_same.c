// SPDX-License-Identifier: MIT
// Implements tape.h: equality of values.
#include "tape.h"

typedef struct frame {
    uint32_t at; // in a: the next item or key
    uint32_t end;
    uint32_t other; // in b: the next item, or the object
    int object;
} frame;

typedef struct comparison {
    const weft_json_tape *a;
    const weft_json_tape *b;
    uint32_t depth;
    frame frames[WEFT_JSON_MOST_DEPTH + 1];
} comparison;

// Compares two values without their children; opens a frame for a container's children.
static int same_shallow(comparison *c, uint32_t first, uint32_t second) {
    weft_json_kind kind = weft_json_kind_of(c->a, first);
    if (kind != weft_json_kind_of(c->b, second)) {
        return 0;
    }
    if (kind == WEFT_JSON_NUMBER) {
        return weft_json_number(c->a, first) == weft_json_number(c->b, second);
    }
    if (kind == WEFT_JSON_STRING) {
        return weft_json_string_same(c->a, first, c->b, second);
    }
    if (kind == WEFT_JSON_ARRAY || kind == WEFT_JSON_OBJECT) {
        if (weft_json_count(c->a, first) != weft_json_count(c->b, second)) {
            return 0;
        }
        int object = kind == WEFT_JSON_OBJECT;
        uint32_t other = object ? second : weft_json_first(c->b, second);
        c->frames[c->depth++] =
            (frame){weft_json_first(c->a, first), weft_json_end(c->a, first), other, object};
    }
    return 1;
}

int weft_json_same(const weft_json_tape *a, uint32_t first, const weft_json_tape *b,
                   uint32_t second, uint32_t *budget) {
    comparison c;
    c.a = a;
    c.b = b;
    c.depth = 0;
    if (!same_shallow(&c, first, second)) {
        return 0;
    }
    while (c.depth != 0) {
        frame *top = &c.frames[c.depth - 1];
        if (top->at == top->end) {
            c.depth--;
            continue;
        }
        if (*budget == 0) {
            return -1;
        }
        --*budget;
        uint32_t mine = top->at;
        uint32_t theirs = top->other;
        if (top->object) {
            if (!weft_json_find_same(b, top->other, a, mine, &theirs)) {
                return 0;
            }
            mine++;
        } else {
            top->other = weft_json_next(b, theirs);
        }
        top->at = weft_json_next(a, mine);
        if (!same_shallow(&c, mine, theirs)) {
            return 0;
        }
    }
    return 1;
}
