// SPDX-License-Identifier: MIT
#include "pattern_program.h"

#include <string.h>

#define FEW_STATES 128u
#define NO_POINT UINT32_MAX
#define RANGES_PER_STEP 16u
#define MOST_PLACES 254u // a row holds bytes
#define TOO_MANY 256u
#define NO_MEMORY 257u
#define MOST_REMEMBERED 20000u // states in all places

// All states the pattern can be in at once, each at most once: so the time is states times code points.
typedef struct run {
    weft_pattern *pattern;
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
    int lost; // memory was refused
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

// From the states in `now` over the code point `before` to those in `then`, and whether a match is among them.
static void step(run *r, int anchored) {
    r->then_count = 0;
    r->matched = 0;
    for (uint32_t i = 0; i < r->now_count; i++) {
        const weft_pattern_state *state = &r->pattern->states[r->now[i]];
        uint32_t cost = cost_of(state);
        *r->budget -= *r->budget < cost ? *r->budget : cost;
        if (accepts(r, state, r->before)) {
            add(r, r->now[i] + 1);
        }
    }
    if (r->before == NO_POINT || !anchored) {
        add(r, 0);
    }
}

static int go(run *r, weft_text text, int anchored) {
    r->before = NO_POINT;
    for (r->position = 1;; r->position++) {
        weft_text ahead = text;
        r->after = ahead.at < ahead.end ? weft_text_next(&ahead) : NO_POINT;
        step(r, anchored);
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

// ---- places: sets of states that are remembered, so that a letter costs a look into a table

// 1 + the place of the states in `then`, made if it is new; 0 when there are too many, and in r->lost without memory.
static uint32_t place_of(run *r, int matched, int ends) {
    weft_pattern *to = r->pattern;
    for (uint32_t i = 0; i < to->place_count; i++) {
        const weft_pattern_place *known = &to->places[i];
        if (known->count == r->then_count && known->matched == matched && known->ends == ends &&
            (known->count == 0 || memcmp(to->sets + known->first, r->then, known->count * sizeof(*r->then)) == 0)) {
            return i + 1;
        }
    }
    uint32_t number = to->place_count;
    if (number == MOST_PLACES || to->set_count + r->then_count > MOST_REMEMBERED) {
        return 0;
    }
    if (!weft_memory_reserve(to->memory, &to->places, sizeof(*to->places), &to->place_capacity, number + 1) ||
        !weft_memory_reserve(to->memory, &to->rows, 1, &to->row_capacity, (number + 1) * WEFT_PATTERN_ROW) ||
        !weft_memory_reserve(to->memory, &to->sets, sizeof(*to->sets), &to->set_capacity, to->set_count + r->then_count)) {
        r->lost = 1;
        return 0;
    }
    uint8_t stops = matched || (to->states[0].op == PATTERN_BEGIN && r->then_count == 0);
    to->places[number] = (weft_pattern_place){to->set_count, r->then_count, (uint8_t)matched, (uint8_t)ends, stops};
    memset(to->rows + number * WEFT_PATTERN_ROW, 0, WEFT_PATTERN_ROW);
    if (r->then_count != 0) {
        memcpy(to->sets + to->set_count, r->then, r->then_count * sizeof(*r->then));
    }
    to->set_count += r->then_count;
    to->place_count++;
    return number + 1;
}

// 1 + where `point` leads from place `from` (NO_POINT: where a text starts).
static uint32_t find_place(run *r, uint32_t from, uint32_t point, int anchored) {
    r->before = point;
    r->now_count = 0;
    if (point != NO_POINT) {
        const weft_pattern_place *place = &r->pattern->places[from];
        r->now_count = place->count;
        if (place->count != 0) {
            memcpy(r->now, r->pattern->sets + place->first, place->count * sizeof(*r->now));
        }
    }
    r->after = NO_POINT;
    r->position = 1;
    step(r, anchored);
    int ends = r->matched;
    r->after = 0;
    r->position = 2;
    step(r, anchored);
    return place_of(r, r->matched, ends);
}

// Sets a run up for find_place or go.
static uint32_t with_room(weft_pattern *pattern, weft_memory *memory, uint32_t *budget, run *r, uint32_t *few) {
    uint32_t count = pattern->state_count;
    uint32_t *room = count <= FEW_STATES ? few : weft_memory_alloc(memory, 4 * (size_t)count * sizeof(*room));
    if (room != NULL) {
        *r = (run){.pattern = pattern, .now = room, .then = room + count, .stack = room + 2 * count, .seen = room + 3 * count,
                   .budget = budget};
        memset(r->seen, 0, count * sizeof(*r->seen));
    }
    return room == NULL ? 0 : count;
}

static void without_room(run *r, weft_memory *memory, const uint32_t *few) {
    uint32_t *room = r->now < r->then ? r->now : r->then; // they take turns
    if (room != few) {
        weft_memory_release(memory, room, 4 * (size_t)r->pattern->state_count * sizeof(*room));
    }
}

// 1 + the next place, TOO_MANY or NO_MEMORY.
static uint32_t explore(weft_pattern *pattern, weft_memory *memory, uint32_t from, uint32_t point, int anchored, uint32_t *budget) {
    uint32_t few[4 * FEW_STATES];
    run r;
    if (with_room(pattern, memory, budget, &r, few) == 0) {
        return NO_MEMORY;
    }
    uint32_t found = find_place(&r, from, point, anchored);
    without_room(&r, memory, few);
    return r.lost ? NO_MEMORY : found == 0 ? TOO_MANY : found;
}

static int run_without_places(weft_pattern *pattern, weft_memory *memory, weft_text text, int anchored, uint32_t *budget) {
    uint32_t few[4 * FEW_STATES];
    run r;
    if (with_room(pattern, memory, budget, &r, few) == 0) {
        return -2;
    }
    int verdict = go(&r, text, anchored);
    without_room(&r, memory, few);
    return verdict;
}

int weft_pattern_matches(weft_pattern *pattern, weft_memory *memory, weft_text text, uint32_t *budget) {
    const weft_text whole = text;
    int anchored = pattern->states[0].op == PATTERN_BEGIN;
    uint32_t at = 1;
    if (*budget <= (size_t)(text.end - text.at)) {
        *budget = 0;
        return -1;
    }
    *budget -= (uint32_t)(text.end - text.at);
    if (pattern->borders) {
        at = TOO_MANY;
    } else if (pattern->place_count == 0) {
        at = explore(pattern, memory, 0, NO_POINT, anchored, budget);
    }
    while (at < TOO_MANY && *budget != 0) {
        // Along what is known. Rows of places that stop know nothing; a backslash may be an escape.
        const uint8_t *letter = text.at;
        uint32_t next = 0;
        while (letter < text.end && *letter < WEFT_PATTERN_ROW && (*letter != '\\' || !text.escaped) &&
               (next = pattern->rows[(at - 1) * WEFT_PATTERN_ROW + *letter]) != 0) {
            at = next;
            letter++;
        }
        text.at = letter;
        const weft_pattern_place *place = &pattern->places[at - 1];
        if (place->stops || text.at == text.end) {
            return place->matched || (text.at == text.end && place->ends);
        }
        uint32_t from = at - 1;
        uint32_t point = weft_text_next(&text);
        if (point >= WEFT_PATTERN_ROW && pattern->state_count > FEW_STATES) {
            at = TOO_MANY; // it would not be remembered, and many states cost memory each time
            break;
        }
        at = explore(pattern, memory, from, point, anchored, budget);
        if (at < TOO_MANY && point < WEFT_PATTERN_ROW) {
            pattern->rows[from * WEFT_PATTERN_ROW + point] = (uint8_t)at;
        }
    }
    return *budget == 0 ? -1 : at == NO_MEMORY ? -2 : run_without_places(pattern, memory, whole, anchored, budget);
}
