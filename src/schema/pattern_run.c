// SPDX-License-Identifier: MIT
// Implements pattern.h: runs all states of the program at once, and caches sets of states.
#include "pattern_program.h"

#include <string.h>

#define FEW_STATES 128u
#define NO_POINT WEFT_PATTERN_NONE
#define POSITION_COST 2u
#define STATES_CLEARED 16u // cleared states that cost as much as a visited one
#define MOST_PLACES 254u   // a row has bytes
#define TOO_MANY 256u
#define NO_MEMORY 257u
#define MOST_REMEMBERED 20000u // max states in all places

// All states that the pattern can be in at once, each at most once: so the time is states times
// code points.
typedef struct run {
    weft_pattern *pattern;
    uint32_t *now;
    uint32_t now_count;
    uint32_t *then;
    uint32_t then_count;
    uint32_t *stack;
    uint32_t *seen; // per state: the last position that reached it
    uint32_t position;
    uint32_t start;  // the program's first state
    weft_text whole; // and the rest after the position
    weft_text ahead;
    uint32_t before; // code points around the position
    uint32_t after;
    int matched;
    int lost; // out of memory
    uint32_t *budget;
    struct run *inner; // for lookaround; NULL at the deepest level
} run;

static int holds(run *r, uint32_t look);

static void push(run *r, uint32_t *depth, uint32_t state) {
    if (r->seen[state] != r->position) {
        r->seen[state] = r->position;
        r->stack[(*depth)++] = state;
    }
}

// Adds `state` and all states reachable from it without consuming a code point.
static void add(run *r, uint32_t state) {
    uint32_t depth = 0;
    push(r, &depth, state);
    while (depth != 0) {
        uint32_t at = r->stack[--depth];
        *r->budget -= *r->budget != 0;
        const weft_pattern_state *found = &r->pattern->states[at];
        if (found->op == PATTERN_LOOK) {
            if (*r->budget != 0 && holds(r, at)) {
                push(r, &depth, at + 1);
            }
            continue;
        }
        if (found->op == PATTERN_SPLIT || found->op == PATTERN_LAZY) {
            push(r, &depth, found->b);
            push(r, &depth, found->a);
        } else if (found->op == PATTERN_JUMP) {
            push(r, &depth, found->a);
        } else if (found->op == PATTERN_MATCH) {
            r->matched = 1;
        } else if (found->op <= PATTERN_SET) {
            r->then[r->then_count++] = at;
        } else if (weft_pattern_passes(found, r->before, r->after)) {
            push(r, &depth, at + 1);
        }
    }
}

// Moves from the states in `now` over the code point `before` to those in `then`, and notes whether
// one of them matches.
static void step(run *r, int begins) {
    r->then_count = 0;
    r->matched = 0;
    for (uint32_t i = 0; i < r->now_count; i++) {
        const weft_pattern_state *state = &r->pattern->states[r->now[i]];
        uint32_t cost = weft_pattern_cost(state);
        *r->budget -= *r->budget < cost ? *r->budget : cost;
        if (weft_pattern_accepts(r->pattern, state, r->before)) {
            add(r, r->now[i] + 1);
        }
    }
    if (begins) {
        add(r, r->start);
    }
}

// Returns whether the states from r->start on match at r->ahead, after the code point r->before, or
// anywhere after it unless `anchored`. With `end` the match must end there.
static int go(run *r, int anchored, const uint8_t *end) {
    r->now_count = 0;
    for (int begins = 1;; begins = !anchored) {
        weft_text ahead = r->ahead;
        r->after = ahead.at < ahead.end ? weft_text_next(&ahead) : NO_POINT;
        r->position++;
        *r->budget -= *r->budget < POSITION_COST ? *r->budget : POSITION_COST;
        step(r, begins);
        if (*r->budget == 0) {
            return -1;
        }
        if ((r->matched && end == NULL) || r->ahead.at == end || r->after == NO_POINT ||
            (anchored && r->then_count == 0)) {
            return r->matched;
        }
        uint32_t *spare = r->now;
        r->now = r->then;
        r->now_count = r->then_count;
        r->then = spare;
        r->before = r->after;
        r->ahead = ahead;
    }
}

// Returns whether the lookaround `look` holds here. Each is evaluated once per position.
static int holds(run *r, uint32_t look) {
    uint32_t kind = r->pattern->states[look].b;
    int behind = (kind & WEFT_PATTERN_BEHIND) != 0;
    run *in = r->inner;
    in->start = look + 2;
    in->ahead = behind ? r->whole : r->ahead;
    in->before = behind ? NO_POINT : r->before;
    int found = go(in, !behind, behind ? r->ahead.at : NULL);
    return found != ((kind & WEFT_PATTERN_NOT) != 0);
}

// ---- places: cached sets of states, which make a letter one table lookup

// Returns 1 + the place of the states in `then`, made if it is new; 0 when there are too many, or
// (r->lost) no memory.
static uint32_t place_of(run *r, int matched, int ends) {
    weft_pattern *to = r->pattern;
    for (uint32_t i = 0; i < to->place_count; i++) {
        const weft_pattern_place *known = &to->places[i];
        if (known->count == r->then_count && known->matched == matched && known->ends == ends &&
            (known->count == 0 ||
             memcmp(to->sets + known->first, r->then, known->count * sizeof(*r->then)) == 0)) {
            return i + 1;
        }
    }
    uint32_t number = to->place_count;
    if (number == MOST_PLACES || to->set_count + r->then_count > MOST_REMEMBERED) {
        return 0;
    }
    if (!weft_memory_reserve(to->memory, &to->places, sizeof(*to->places), &to->place_capacity,
                             number + 1) ||
        !weft_memory_reserve(to->memory, &to->rows, 1, &to->row_capacity,
                             (number + 1) * WEFT_PATTERN_ROW) ||
        !weft_memory_reserve(to->memory, &to->sets, sizeof(*to->sets), &to->set_capacity,
                             to->set_count + r->then_count)) {
        r->lost = 1;
        return 0;
    }
    uint8_t stops = matched || (to->states[0].op == PATTERN_BEGIN && r->then_count == 0);
    to->places[number] =
        (weft_pattern_place){to->set_count, r->then_count, (uint8_t)matched, (uint8_t)ends, stops};
    memset(to->rows + number * WEFT_PATTERN_ROW, 0, WEFT_PATTERN_ROW);
    if (r->then_count != 0) {
        memcpy(to->sets + to->set_count, r->then, r->then_count * sizeof(*r->then));
    }
    to->set_count += r->then_count;
    to->place_count++;
    return number + 1;
}

// Returns 1 + the place that `point` leads to from place `from` (NO_POINT: the start of a text).
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
    int begins = !anchored || point == NO_POINT;
    r->after = NO_POINT;
    r->position = 1;
    step(r, begins);
    int ends = r->matched;
    r->after = 0;
    r->position = 2;
    step(r, begins);
    return place_of(r, r->matched, ends);
}

// Sets up a run for find_place or go, and `looks` more for lookaround; returns the number of
// states, or 0 without memory.
static uint32_t with_room(weft_pattern *pattern, weft_memory *memory, uint32_t *budget, run *runs,
                          uint32_t looks, uint32_t *few) {
    uint32_t count = pattern->state_count;
    uint32_t *capacity =
        count * (looks + 1) <= FEW_STATES
            ? few
            : weft_memory_alloc(memory, 4 * (size_t)count * (looks + 1) * sizeof(*capacity));
    if (capacity == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i <= looks; i++, capacity += 4 * (size_t)count) {
        runs[i] = (run){.pattern = pattern,
                        .now = capacity,
                        .then = capacity + count,
                        .stack = capacity + 2 * (size_t)count,
                        .seen = capacity + 3 * (size_t)count,
                        .budget = budget,
                        .before = NO_POINT,
                        .inner = i < looks ? &runs[i + 1] : NULL};
        memset(runs[i].seen, 0, count * sizeof(*capacity));
        *budget -= *budget < count / STATES_CLEARED ? *budget : count / STATES_CLEARED;
    }
    return count;
}

static void without_room(run *runs, weft_memory *memory, uint32_t looks, const uint32_t *few) {
    uint32_t *capacity = runs->now < runs->then ? runs->now : runs->then; // go swaps them
    if (capacity != few) {
        weft_memory_release(memory, capacity,
                            4 * (size_t)runs->pattern->state_count * (looks + 1) *
                                sizeof(*capacity));
    }
}

// Returns 1 + the next place, TOO_MANY or NO_MEMORY.
static uint32_t explore(weft_pattern *pattern, weft_memory *memory, uint32_t from, uint32_t point,
                        int anchored, uint32_t *budget) {
    uint32_t few[4 * FEW_STATES];
    run r;
    if (with_room(pattern, memory, budget, &r, 0, few) == 0) {
        return NO_MEMORY;
    }
    uint32_t found = find_place(&r, from, point, anchored);
    without_room(&r, memory, 0, few);
    return r.lost ? NO_MEMORY : found == 0 ? TOO_MANY : found;
}

static int run_without_places(weft_pattern *pattern, weft_memory *memory, weft_text text,
                              int anchored, uint32_t *budget) {
    uint32_t few[4 * FEW_STATES];
    run runs[1 + WEFT_PATTERN_MOST_LOOKS];
    if (with_room(pattern, memory, budget, runs, pattern->looks, few) == 0) {
        return -2;
    }
    for (uint32_t i = 0; i <= pattern->looks; i++) {
        runs[i].whole = text;
    }
    runs->ahead = text;
    int verdict = *budget == 0 ? -1 : go(runs, anchored, NULL);
    without_room(runs, memory, pattern->looks, few);
    return verdict;
}

int weft_pattern_matches(weft_pattern *pattern, weft_memory *memory, weft_text text,
                         uint32_t *budget) {
    const weft_text whole = text;
    int anchored = pattern->states[0].op == PATTERN_BEGIN;
    uint32_t at = 1;
    if (*budget <= (size_t)(text.end - text.at)) {
        *budget = 0;
        return -1;
    }
    *budget -= (uint32_t)(text.end - text.at);
    if (pattern->backs) {
        return weft_pattern_backtrack(pattern, memory, text, budget);
    }
    if (pattern->borders) {
        at = TOO_MANY;
    } else if (pattern->place_count == 0) {
        at = explore(pattern, memory, 0, NO_POINT, anchored, budget);
    }
    while (at < TOO_MANY && *budget != 0) {
        // Follows known transitions. Rows of places that stop are empty; a backslash may be an
        // escape.
        const uint8_t *letter = text.at;
        uint32_t next = 0;
        while (letter < text.end && *letter < WEFT_PATTERN_ROW &&
               (*letter != '\\' || !text.escaped) &&
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
            at = TOO_MANY; // it would not be cached, and many states need memory each time
            break;
        }
        at = explore(pattern, memory, from, point, anchored, budget);
        if (at < TOO_MANY && point < WEFT_PATTERN_ROW) {
            pattern->rows[from * WEFT_PATTERN_ROW + point] = (uint8_t)at;
        }
    }
    return *budget == 0      ? -1
           : at == NO_MEMORY ? -2
                             : run_without_places(pattern, memory, whole, anchored, budget);
}
