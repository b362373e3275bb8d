// SPDX-License-Identifier: MIT
// What the three files of the pattern matcher share: the tree that the parser makes (pattern_parse.c), the program made
// from it (pattern_emit.c) and run (pattern_run.c). Nobody else includes this.
#ifndef WEFT_SCHEMA_PATTERN_PROGRAM_H
#define WEFT_SCHEMA_PATTERN_PROGRAM_H

#include "apart.h"
#include "pattern.h"

#define WEFT_PATTERN_NONE UINT32_MAX
#define WEFT_PATTERN_MOST_STATES 20000u
#define WEFT_PATTERN_MOST_DEPTH 64u

typedef enum weft_pattern_op {
    PATTERN_CHAR,     // a: the code point
    PATTERN_ANY,      // all but line ends
    PATTERN_SET,      // a: first range, b: ranges << 1 | negated
    PATTERN_BEGIN,
    PATTERN_END,
    PATTERN_BORDER,   // \b
    PATTERN_INSIDE,   // \B
    PATTERN_SEQUENCE, // tree only. a: first child, by `next`
    PATTERN_CHOICE,   // tree only. a: first child, by `next`
    PATTERN_REPEAT,   // tree only. a: child; min, max
    PATTERN_SPLIT,    // program only. a, b: states
    PATTERN_JUMP,     // program only. a: state
    PATTERN_MATCH     // program only
} weft_pattern_op;

typedef struct weft_pattern_node {
    weft_pattern_op op;
    uint32_t a, b;
    uint32_t min, max; // WEFT_PATTERN_NONE: no bound
    uint32_t next;
} weft_pattern_node;

typedef struct weft_pattern_state {
    weft_pattern_op op;
    uint32_t a, b;
} weft_pattern_state;

typedef struct weft_pattern_range {
    uint32_t low, high;
} weft_pattern_range;

// A set of states that the pattern has been in, and what is known of it.
typedef struct weft_pattern_place {
    uint32_t first, count; // in `sets`
    uint8_t matched;       // the pattern has matched
    uint8_t ends;          // it matches if the text ends here
    uint8_t stops;         // nothing behind it can change the verdict
} weft_pattern_place;

#define WEFT_PATTERN_ROW 128

struct weft_pattern {
    weft_memory *memory;
    weft_pattern_state *states;
    uint32_t state_count, state_capacity;
    weft_pattern_range *ranges;
    uint32_t range_count, range_capacity;
    // What pattern_run.c remembers of earlier texts: per place a row that leads from an ASCII letter to 1 + the next
    // place, 0 = not known yet.
    weft_pattern_place *places;
    uint32_t place_count, place_capacity;
    uint8_t *rows;
    uint32_t row_capacity;
    uint32_t *sets;
    uint32_t set_count, set_capacity;
    uint8_t borders; // has \b or \B, which look at both sides
};

typedef struct weft_pattern_tree {
    weft_pattern_node *nodes;
    uint32_t count, capacity;
    uint32_t root;
} weft_pattern_tree;

// Fills `tree` (caller frees its nodes) and the ranges of `pattern`.
weft_status weft_pattern_parse(weft_pattern *pattern, const uint8_t *source, uint32_t length, weft_pattern_tree *tree,
                               const char **reason);

#endif
