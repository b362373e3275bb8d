// SPDX-License-Identifier: MIT
// Shared by the compiler's files only: compile.c makes nodes and instructions, resolve_refs.c finds
// schemas and the targets of references.
#ifndef WEFT_SCHEMA_COMPILER_H
#define WEFT_SCHEMA_COMPILER_H

#include <string.h>

#include "program.h"

#define WEFT_SCHEMA_PLACES 64

// Budget of reference searches. A search may visit each resource, anchor and document once; this
// bounds the total.
#define WEFT_SCHEMA_MOST_SEARCHES 20000000u

typedef struct weft_schema_compiler {
    weft_schema *schema;
    weft_json_tape *tape; // the schema's
    weft_schema_error *error;
    uint32_t draft;                      // default where no $schema names one
    int asserts;                         // `format` asserts
    const weft_pattern_letters *letters; // NULL: no \p{...}
    weft_pattern_letters own_letters;    // letters from the object around the schema
    uint64_t steps;                      // of searches for targets of references
    uint8_t first[WEFT_SCHEMA_PLACES];   // keywords by place: 1 + op, 0 = none
    uint8_t next[SCHEMA_OPS];
    const char *names[SCHEMA_OPS];
    uint32_t *waiting; // instructions whose references are not followed yet
    uint32_t waiting_count, waiting_capacity;
} weft_schema_compiler;

weft_status weft_schema_fail(weft_schema_compiler *c, weft_status status, uint32_t token,
                             const char *reason);

// Fills the index of keyword names.
void weft_schema_index_keywords(weft_schema_compiler *c);

// Reads the values of an object's keywords, by op; returns bits of the present ones.
uint64_t weft_schema_read_keywords(const weft_schema_compiler *c, uint32_t object, uint32_t *at);

// Gives the subschema at `token` a node, which is filled later.
weft_status weft_schema_want(weft_schema_compiler *c, uint32_t token, uint32_t resource);

// Adds a document: its resource, under `uri`, and its root's node.
weft_status weft_schema_add_document(weft_schema_compiler *c, uint32_t token, weft_schema_text uri);

// Notes the names of the subschema of `node`, whose keywords' values are `at`: $id (which makes it
// a resource), anchors.
weft_status weft_schema_place(weft_schema_compiler *c, uint32_t node, const uint32_t *at);

// Follows the reference at `value` in `resource`: writes the subschema's token to `*target`, or
// UINT32_MAX when a document had to be added first, whose nodes must be compiled before the next
// try. `*anchor`: 1 + the anchor it used, 0 = none.
weft_status weft_schema_follow(weft_schema_compiler *c, uint32_t value, uint32_t resource,
                               uint32_t *target, uint32_t *anchor);

#endif
