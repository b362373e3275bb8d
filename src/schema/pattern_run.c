// SPDX-License-Identifier: MIT
#include "pattern_program.h"

#include <string.h>

#define FEW_STATES 128u
#define NO_POINT UINT32_MAX
#define RANGES_PER_STEP 16u

// All states the pattern can be in at once, each at most once: so the time is states times code points.
typedef struct run {
    const weft_pattern *pattern;
    uint32_t *now;
    uint32_t now_count;
    uint32_t *then;
    uint32_t then_count;
    uint32_t *stack;
    uint32_t *seen; // per state: the number of the position that last reached it
    uint32_t position;
    uint32_t before; // the code points around the position
    uint32_t after;
    int matched;
    uint32_t *budget;
} run;

static int is_word(uint32_t point) {
    return (point >= '0' && point <= '9') || (point >= 'A' && point <= 'Z') || (point >= 'a' && point <= 'z') || point == '_';
}

static void push(run *r, uint32_t *depth, uint32_t state) {
    if (r->seen[state] != r->position) {
        r->seen[state] = r->position;
        r->stack[(*depth)++] = state;
    }
}

// Adds `state` and what can be reached from it without a code point.
static void add(run *r, uint32_t state) {
    uint32_t depth = 0;
    push(r, &depth, state);
    while (depth != 0) {
        uint32_t at = r->stack[--depth];
        *r->budget -= *r->budget != 0;
        const weft_pattern_state *found = &r->pattern->states[at];
        int border = is_word(r->before) != is_word(r->after);
        int pass = (found->op == PATTERN_BEGIN && r->before == NO_POINT) || (found->op == PATTERN_END && r->after == NO_POINT) ||
                   (found->op == PATTERN_BORDER && border) || (found->op == PATTERN_INSIDE && !border);
        if (found->op == PATTERN_SPLIT) {
            push(r, &depth, found->b);
            push(r, &depth, found->a);
        } else if (found->op == PATTERN_JUMP) {
            push(r, &depth, found->a);
        } else if (found->op == PATTERN_MATCH) {
            r->matched = 1;
        } else if (pass) {
            push(r, &depth, at + 1);
        } else if (found->op <= PATTERN_SET) {
            r->then[r->then_count++] = at;
        }
    }
}

static int accepts(const run *r, const weft_pattern_state *state, uint32_t point) {
    if (state->op == PATTERN_CHAR) {
        return state->a == point;
    }
    if (state->op == PATTERN_ANY) {
        return point != '\n' && point != '\r' && point != 0x2028 && point != 0x2029;
    }
    int inside = 0;
    for (uint32_t i = 0; i < state->b >> 1 && !inside; i++) {
        const weft_pattern_range *range = &r->pattern->ranges[state->a + i];
        inside = point >= range->low && point <= range->high;
    }
    return inside != (int)(state->b & 1);
}

static uint32_t cost_of(const weft_pattern_state *state) {
    return 1 + (state->op == PATTERN_SET ? (state->b >> 1) / RANGES_PER_STEP : 0);
}

static int go(run *r, weft_text text) {
    int anchored = r->pattern->states[0].op == PATTERN_BEGIN;
    r->before = NO_POINT;
    for (r->position = 1;; r->position++) {
        weft_text ahead = text;
        r->after = ahead.at < ahead.end ? weft_text_next(&ahead) : NO_POINT;
        r->then_count = 0;
        for (uint32_t i = 0; i < r->now_count; i++) {
            const weft_pattern_state *state = &r->pattern->states[r->now[i]];
            uint32_t cost = cost_of(state);
            *r->budget -= *r->budget < cost ? *r->budget : cost;
            if (accepts(r, state, r->before)) {
                add(r, r->now[i] + 1);
            }
        }
        if (r->position == 1 || !anchored) {
            add(r, 0);
        }
        if (*r->budget == 0) {
            return -1;
        }
        if (r->matched || r->after == NO_POINT || (anchored && r->then_count == 0)) {
            return r->matched;
        }
        uint32_t *spare = r->now;
        r->now = r->then;
        r->now_count = r->then_count;
        r->then = spare;
        r->before = r->after;
        text = ahead;
    }
}

int weft_pattern_matches(const weft_pattern *pattern, weft_memory *memory, weft_text text, uint32_t *budget) {
    uint32_t few[4 * FEW_STATES];
    uint32_t count = pattern->state_count;
    uint32_t *room = count <= FEW_STATES ? few : weft_memory_alloc(memory, 4 * (size_t)count * sizeof(*room));
    if (room == NULL) {
        return -2;
    }
    run r = {.pattern = pattern, .now = room, .then = room + count, .stack = room + 2 * count, .seen = room + 3 * count,
             .budget = budget};
    memset(r.seen, 0, count * sizeof(*r.seen));
    int verdict = go(&r, text);
    if (room != few) {
        weft_memory_release(memory, room, 4 * (size_t)count * sizeof(*room));
    }
    return verdict;
}
