// SPDX-License-Identifier: MIT
// Implements pattern_program.h: backtracking for patterns with back references, in the order of
// ECMAScript. Only the budget bounds its time.
#include "pattern_program.h"

#define MOST_ENTRIES 500000u // saved alternatives and slots; more of them count as a used-up budget
#define WAY UINT32_MAX
#define STEP 8u // budget of one step here, in steps of pattern_run.c

// A saved alternative (slot WAY), or the old content of a slot.
typedef struct entry {
    uint32_t slot;
    uint32_t value; // position of an alternative, or the slot's content
    uint32_t state, before;
} entry;

typedef struct walk {
    const weft_pattern *pattern;
    weft_memory *memory;
    weft_text text;
    uint32_t *slots; // positions in the text, WEFT_PATTERN_NONE when empty
    entry *entries;
    uint32_t count, capacity;
    uint32_t *budget;
    int lost; // out of memory
} walk;

// Current position of a walk.
typedef struct place {
    uint32_t state, position, before;
} place;

static weft_text text_from(const walk *w, uint32_t position) {
    weft_text text = w->text;
    text.at += position;
    return text;
}

static uint32_t position_of(const walk *w, weft_text text) {
    return (uint32_t)(text.at - w->text.at);
}

static void keep(walk *w, entry made) {
    if (w->count == MOST_ENTRIES) {
        *w->budget = 0;
    } else if (!weft_memory_reserve(w->memory, &w->entries, sizeof(*w->entries), &w->capacity,
                                    w->count + 1)) {
        w->lost = 1;
    } else {
        w->entries[w->count++] = made;
    }
}

static void set_slot(walk *w, uint32_t slot, uint32_t value) {
    keep(w, (entry){slot, w->slots[slot], 0, 0});
    w->slots[slot] = value;
}

// Goes back to the newest alternative above `base`, and restores the slots; returns 0 when there is
// none.
static int go_back(walk *w, uint32_t base, place *to) {
    while (w->count > base) {
        const entry *last = &w->entries[--w->count];
        if (last->slot == WAY) {
            *to = (place){last->state, last->value, last->before};
            return 1;
        }
        w->slots[last->slot] = last->value;
    }
    return 0;
}

// Matches a group's text again at this place; an unset group matches nothing.
static int take_again(walk *w, uint32_t group, place *at) {
    uint32_t from = w->slots[weft_pattern_slot(group)];
    uint32_t to = w->slots[weft_pattern_slot(group) + 1];
    weft_text here = text_from(w, at->position);
    if (from == WEFT_PATTERN_NONE || to == WEFT_PATTERN_NONE) {
        return 1;
    }
    weft_text then = text_from(w, from);
    while (position_of(w, then) < to) {
        *w->budget -= *w->budget != 0;
        if (here.at >= here.end) {
            return 0;
        }
        at->before = weft_text_next(&here);
        if (at->before != weft_text_next(&then)) {
            return 0;
        }
    }
    at->position = position_of(w, here);
    return 1;
}

static int walk_from(walk *w, place at);

// Runs a lookahead. What it matched stays in the slots, and its other alternatives are dropped.
static int look_ahead(walk *w, const place *at) {
    uint32_t base = w->count;
    uint32_t kept = base;
    int wanted = (w->pattern->states[at->state].b & WEFT_PATTERN_NOT) == 0;
    int found = walk_from(w, (place){at->state + 2, at->position, at->before});
    place none;
    if (!wanted) {
        while (go_back(w, base, &none)) {
        }
    }
    for (uint32_t i = base; i < w->count; i++) {
        if (w->entries[i].slot != WAY) {
            w->entries[kept++] = w->entries[i];
        }
    }
    w->count = kept;
    return found == wanted;
}

// Runs one state and moves `at` past it; returns 0 when this alternative fails.
static int take(walk *w, place *at) {
    const weft_pattern_state *state = &w->pattern->states[at->state];
    weft_text ahead = text_from(w, at->position);
    uint32_t after = ahead.at < ahead.end ? weft_text_next(&ahead) : WEFT_PATTERN_NONE;
    uint32_t here = at->state++;
    switch (state->op) {
    case PATTERN_CHAR:
    case PATTERN_ANY:
    case PATTERN_SET:
        at->position = position_of(w, ahead);
        at->before = after;
        return after != WEFT_PATTERN_NONE && weft_pattern_accepts(w->pattern, state, after);
    case PATTERN_BACK:
        return take_again(w, state->b, at);
    case PATTERN_SAVE:
        set_slot(w, state->a, at->position);
        return 1;
    case PATTERN_RESET:
        for (uint32_t i = 0; i < state->b; i++) {
            set_slot(w, state->a + i, WEFT_PATTERN_NONE);
        }
        return 1;
    case PATTERN_MOVED:
        return w->slots[state->a] != at->position;
    case PATTERN_SPLIT:
    case PATTERN_LAZY:
        keep(w, (entry){WAY, at->position, state->op == PATTERN_SPLIT ? state->b : state->a,
                        at->before});
        at->state = state->op == PATTERN_SPLIT ? state->a : state->b;
        return 1;
    case PATTERN_JUMP:
        at->state = state->a;
        return 1;
    case PATTERN_LOOK:
        return look_ahead(w, &(place){here, at->position, at->before});
    default:
        return weft_pattern_passes(state, at->before, after);
    }
}

// Returns whether the program matches from `at` on. Untried alternatives stay on the stack above
// the earlier ones.
static int walk_from(walk *w, place at) {
    uint32_t base = w->count;
    for (;;) {
        const weft_pattern_state *state = &w->pattern->states[at.state];
        uint32_t cost =
            STEP * weft_pattern_cost(state) + (state->op == PATTERN_RESET ? state->b : 0);
        if (*w->budget <= cost || w->lost) {
            *w->budget = 0;
            return 0;
        }
        *w->budget -= cost;
        if (state->op == PATTERN_MATCH) {
            return 1;
        }
        if (!take(w, &at) && !go_back(w, base, &at)) {
            return 0;
        }
    }
}

int weft_pattern_backtrack(const weft_pattern *pattern, weft_memory *memory, weft_text text,
                           uint32_t *budget) {
    walk w = {.pattern = pattern, .memory = memory, .text = text, .budget = budget};
    int anchored = pattern->states[0].op == PATTERN_BEGIN;
    int matched = 0;
    place start = {0, 0, WEFT_PATTERN_NONE};
    w.slots = weft_memory_alloc(memory, (pattern->slots + 1) * sizeof(*w.slots));
    if (w.slots == NULL) {
        return -2;
    }
    for (uint32_t i = 0; i < pattern->slots; i++) {
        w.slots[i] = WEFT_PATTERN_NONE;
    }
    // A failed walk has restored all slots.
    for (weft_text ahead = text;;) {
        matched = walk_from(&w, start);
        if (matched || *budget == 0 || anchored || ahead.at >= ahead.end) {
            break;
        }
        start.before = weft_text_next(&ahead);
        start.position = position_of(&w, ahead);
    }
    weft_memory_release(memory, w.entries, w.capacity * sizeof(*w.entries));
    weft_memory_release(memory, w.slots, (pattern->slots + 1) * sizeof(*w.slots));
    return w.lost ? -2 : *budget == 0 && !matched ? -1 : matched;
}
