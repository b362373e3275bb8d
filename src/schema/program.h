// SPDX-License-Identifier: MIT
// The compiled schema, shared by the files of this room: nodes (one per subschema) of instructions (one per keyword).
// Arguments that are lists stay on the schema's tape; `link` leads from a token to its node or pattern.
#ifndef WEFT_SCHEMA_PROGRAM_H
#define WEFT_SCHEMA_PROGRAM_H

#include "pattern.h"
#include "schema.h"

typedef enum weft_schema_op {
#define X(name, text, argument, drafts) SCHEMA_##name,
#include "keywords.def"
#undef X
    SCHEMA_NOTHING, // the schema `false`
    SCHEMA_UNKNOWN
} weft_schema_op;

enum { SCHEMA_DRAFT_7 = 1, SCHEMA_DRAFT_2019 = 2, SCHEMA_DRAFT_2020 = 4 };

// Bits of `type`: one per weft_json_kind, and integers.
#define SCHEMA_TYPE_INTEGER (1u << 7)

typedef struct weft_schema_instruction {
    weft_schema_op op;
    uint32_t keyword; // token of its key (of the schema itself for SCHEMA_NOTHING)
    uint32_t a, b, c; // by op: see compile.c
    double number;
} weft_schema_instruction;

typedef struct weft_schema_node {
    uint32_t token; // of the subschema
    uint32_t first, count;
} weft_schema_node;

typedef struct weft_schema_pattern {
    uint32_t token;
    weft_pattern *program; // NULL: the host's
} weft_schema_pattern;

struct weft_schema {
    weft_memory *memory;
    uint8_t *text;
    size_t text_size;
    weft_json_tape tape;
    uint32_t draft;
    int tracks; // some keyword asks which members and items have been evaluated
    uint32_t *links; // per token: 1 + its node (schemas) or pattern (strings and keys), 0 = none
    uint32_t link_count;
    weft_schema_node *nodes;
    uint32_t node_count, node_capacity;
    weft_schema_instruction *instructions;
    uint32_t instruction_count, instruction_capacity;
    weft_schema_pattern *patterns;
    uint32_t pattern_count, pattern_capacity;
};

static inline uint32_t weft_schema_link(const weft_schema *schema, uint32_t token) { return schema->links[token] - 1; }

// The subschema that `reference` (token of the string of a $ref) names: its token in `*target`, or 0 when there is none.
int weft_schema_resolve(const weft_schema *schema, uint32_t reference, uint32_t *target);

// The keyword of a key token or of a boolean schema; SCHEMA_UNKNOWN for others.
weft_schema_op weft_schema_op_of(const weft_json_tape *tape, uint32_t token);

#endif
