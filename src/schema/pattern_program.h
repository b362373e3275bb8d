// SPDX-License-Identifier: MIT
// Shared by the pattern matcher's files only: the tree that the parser makes (pattern_parse.c), and
// the program made from it (pattern_emit.c) and run (pattern_run.c, pattern_back.c).
#ifndef WEFT_SCHEMA_PATTERN_PROGRAM_H
#define WEFT_SCHEMA_PATTERN_PROGRAM_H

#include "pattern.h"

#define WEFT_PATTERN_NONE UINT32_MAX
#define WEFT_PATTERN_MOST_STATES 140000u // enough for {1,65535} of a letter, which has 131,069
#define WEFT_PATTERN_MOST_RANGES 100000u
#define WEFT_PATTERN_MOST_DEPTH 64u
#define WEFT_PATTERN_MOST_GROUPS 1000u // in patterns with back references
#define WEFT_PATTERN_MOST_LOOKS 4u     // max nesting of lookaround

// Kinds of PATTERN_LOOK, as bits.
enum { WEFT_PATTERN_NOT = 1, WEFT_PATTERN_BEHIND = 2 };

typedef enum weft_pattern_op {
    PATTERN_CHAR, // a: the code point
    PATTERN_ANY,  // all but line ends
    PATTERN_SET,  // a: first range, b: ranges << 1 | negated
    PATTERN_BEGIN,
    PATTERN_END,
    PATTERN_BORDER, // \b
    PATTERN_INSIDE, // \B
    PATTERN_LOOK,  // b: its kind. tree: a: child. program: the lookaround's states begin two states
                   // on, after a jump over them
    PATTERN_BACK,  // b: number of the group, from 1
    PATTERN_SAVE,  // program only. a: the slot that stores the position
    PATTERN_RESET, // program only. a: the first slot to empty, b: how many
    PATTERN_MOVED, // program only. a: a slot; passes if its position is not the current one
    PATTERN_GROUP, // tree only. a: child; b: number, from 1
    PATTERN_SEQUENCE, // tree only. a: first child, by `next`
    PATTERN_CHOICE,   // tree only. a: first child, by `next`
    PATTERN_REPEAT,   // tree only. a: child; b: 1 = lazy; min, max; groups in it: first, last
    PATTERN_SPLIT,    // program only. a, b: states
    PATTERN_LAZY,     // program only. a, b: states, b is tried first
    PATTERN_JUMP,     // program only. a: state
    PATTERN_MATCH     // program only
} weft_pattern_op;

typedef struct weft_pattern_node {
    weft_pattern_op op;
    uint32_t a, b;
    uint32_t min, max; // WEFT_PATTERN_NONE: no bound. Of a named back reference: its place in the
                       // source and its length
    uint32_t first, last; // numbers of groups: first < last if there are any
    uint32_t next;
} weft_pattern_node;

typedef struct weft_pattern_state {
    weft_pattern_op op;
    uint32_t a, b;
} weft_pattern_state;

typedef struct weft_pattern_range {
    uint32_t low, high;
} weft_pattern_range;

// A cached set of states of the matcher (a state of the DFA).
typedef struct weft_pattern_place {
    uint32_t first, count; // in `sets`
    uint8_t matched;       // the pattern has matched
    uint8_t ends;          // it matches if the text ends here
    uint8_t stops;         // the rest of the text cannot change the verdict
} weft_pattern_place;

#define WEFT_PATTERN_ROW 128

struct weft_pattern {
    weft_memory *memory;
    weft_pattern_state *states;
    uint32_t state_count, state_capacity;
    weft_pattern_range *ranges;
    uint32_t range_count, range_capacity;
    // pattern_run.c's cache: one row per place, from an ASCII letter to 1 + the next place, 0 =
    // unknown.
    weft_pattern_place *places;
    uint32_t place_count, place_capacity;
    uint8_t *rows;
    uint32_t row_capacity;
    uint32_t *sets;
    uint32_t set_count, set_capacity;
    uint8_t borders; // has \b, \B or lookaround, which look at both sides of a position
    uint8_t looks;   // levels of lookaround
    uint8_t backs;   // has back references: then groups are saved, and pattern_back.c runs it
    uint8_t behind;  // has lookbehind
    uint32_t groups; // number of groups; `slots`: two for each group, one for each loop
    uint32_t slots;
};

typedef struct weft_pattern_tree {
    weft_pattern_node *nodes;
    uint32_t count, capacity;
    uint32_t root;
} weft_pattern_tree;

// Returns the first of the two slots of group `number`.
static inline uint32_t weft_pattern_slot(uint32_t number) {
    return 2 * (number - 1);
}

// Returns whether a state that consumes nothing lets pass between these code points,
// WEFT_PATTERN_NONE at the ends.
int weft_pattern_passes(const weft_pattern_state *state, uint32_t before, uint32_t after);
// Return whether a state that consumes a code point accepts this one, and the budget that this
// costs.
int weft_pattern_accepts(const weft_pattern *pattern, const weft_pattern_state *state,
                         uint32_t point);
uint32_t weft_pattern_cost(const weft_pattern_state *state);

// As weft_pattern_matches, with backtracking.
int weft_pattern_backtrack(const weft_pattern *pattern, weft_memory *memory, weft_text text,
                           uint32_t *budget);

// Fills `tree` (the caller frees its nodes) and the ranges of `pattern`.
weft_status weft_pattern_parse(weft_pattern *pattern, const uint8_t *source, uint32_t length,
                               const weft_pattern_letters *letters, weft_pattern_tree *tree,
                               const char **reason);

#endif
