// SPDX-License-Identifier: MIT
// Implements pattern_program.h: one state: which positions it passes, which code points it accepts,
// its cost.
#include "pattern_program.h"

#define RANGES_PER_STEP 16u

static int is_word(uint32_t point) {
    return (point >= '0' && point <= '9') || (point >= 'A' && point <= 'Z') ||
           (point >= 'a' && point <= 'z') || point == '_';
}

int weft_pattern_passes(const weft_pattern_state *state, uint32_t before, uint32_t after) {
    switch (state->op) {
    case PATTERN_BEGIN:
        return before == WEFT_PATTERN_NONE;
    case PATTERN_END:
        return after == WEFT_PATTERN_NONE;
    default:
        return (is_word(before) != is_word(after)) == (state->op == PATTERN_BORDER);
    }
}

int weft_pattern_accepts(const weft_pattern *pattern, const weft_pattern_state *state,
                         uint32_t point) {
    if (state->op == PATTERN_CHAR) {
        return state->a == point;
    }
    if (state->op == PATTERN_ANY) {
        return point != '\n' && point != '\r' && point != 0x2028 && point != 0x2029;
    }
    int inside = 0;
    for (uint32_t i = 0; i < state->b >> 1 && !inside; i++) {
        const weft_pattern_range *range = &pattern->ranges[state->a + i];
        inside = point >= range->low && point <= range->high;
    }
    return inside != (int)(state->b & 1);
}

uint32_t weft_pattern_cost(const weft_pattern_state *state) {
    return 1 + (state->op == PATTERN_SET ? (state->b >> 1) / RANGES_PER_STEP : 0);
}
