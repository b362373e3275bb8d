// SPDX-License-Identifier: MIT
// What the files of the compiler share: compile.c makes nodes and instructions, locate.c knows
// where schemas stand and what references mean. Nobody else includes this.
#ifndef WEFT_SCHEMA_COMPILER_H
#define WEFT_SCHEMA_COMPILER_H

#include <string.h>

#include "program.h"

#define WEFT_SCHEMA_PLACES 64

// References may look at each resource, anchor and document once; the product is bounded.
#define WEFT_SCHEMA_MOST_SEARCHES 20000000u

typedef struct weft_schema_compiler {
    weft_schema *schema;
    weft_json_tape *tape; // the schema's
    weft_schema_error *error;
    uint32_t draft;                      // where no $schema says another
    int asserts;                         // formats
    const weft_pattern_letters *letters; // NULL: none
    weft_pattern_letters own_letters;    // those that stand around the schema
    uint64_t steps;                      // of searches for what references name
    uint8_t first[WEFT_SCHEMA_PLACES];   // keywords by place: 1 + op, 0 = none
    uint8_t next[SCHEMA_OPS];
    const char *names[SCHEMA_OPS];
    uint32_t *waiting; // instructions whose reference is still to be followed
    uint32_t waiting_count, waiting_capacity;
} weft_schema_compiler;

weft_status weft_schema_fail(weft_schema_compiler *c, weft_status status, uint32_t token,
                             const char *reason);

// Fills the index of the names that keywords have.
void weft_schema_index_keywords(weft_schema_compiler *c);

// The values of an object's keywords, by op; the bits of those that are there.
uint64_t weft_schema_read_keywords(const weft_schema_compiler *c, uint32_t object, uint32_t *at);

// Gives the subschema at `token` a node, which is filled when its turn comes.
weft_status weft_schema_want(weft_schema_compiler *c, uint32_t token, uint32_t resource);

// A document: its resource, under `uri`, and its root's node.
weft_status weft_schema_add_document(weft_schema_compiler *c, uint32_t token, weft_schema_text uri);

// Notes what names the subschema of `node`, whose keywords' values are `at`: $id (then it is a
// resource), anchors.
weft_status weft_schema_place(weft_schema_compiler *c, uint32_t node, const uint32_t *at);

// Follows the reference at `value` seen from `resource`: the subschema's token in `*target`, or
// UINT32_MAX when a document had to be added first, whose nodes must be compiled before the next
// try. `*anchor`: 1 + the anchor that it went by, 0 = none.
weft_status weft_schema_follow(weft_schema_compiler *c, uint32_t value, uint32_t resource,
                               uint32_t *target, uint32_t *anchor);

#endif
