// SPDX-License-Identifier: MIT
// The compiled schema, shared by the files of this folder: nodes (one per subschema) of
// instructions (one per keyword). Arguments that are lists stay on the schema's tape; `link` maps a
// token to its node or pattern.
#ifndef WEFT_SCHEMA_PROGRAM_H
#define WEFT_SCHEMA_PROGRAM_H

#include <string.h>

#include "base/arena.h"
#include "pattern.h"
#include "schema.h"

typedef enum weft_schema_op {
#define X(name, text, argument, drafts, vocabulary, expected) SCHEMA_##name,
#include "keywords.def"
#undef X
    SCHEMA_OPS,
    SCHEMA_NOTHING = SCHEMA_OPS, // the schema `false`
    SCHEMA_UNKNOWN
} weft_schema_op;

enum { SCHEMA_DRAFT_7 = 1, SCHEMA_DRAFT_2019 = 2, SCHEMA_DRAFT_2020 = 4 };

// Vocabularies that a metaschema's $vocabulary enables.
enum {
    VOCABULARY_CORE = 1,
    VOCABULARY_APPLICATOR = 2,
    VOCABULARY_UNEVALUATED = 4,
    VOCABULARY_VALIDATION = 8,
    VOCABULARY_FORMAT = 16, // `format` asserts
    VOCABULARY_USUAL =
        VOCABULARY_CORE | VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED | VOCABULARY_VALIDATION
};

// Bits of `type`: one per weft_json_kind, and integers.
#define SCHEMA_TYPE_INTEGER (1u << 7)

// Number of properties of a schema that have a bit each while an object is checked.
#define WEFT_SCHEMA_COUNTED 32u

typedef struct weft_schema_text {
    const uint8_t *at;
    uint32_t length;
} weft_schema_text;

typedef struct weft_schema_instruction {
    weft_schema_op op;
    uint32_t keyword; // token of its key (of the schema itself for SCHEMA_NOTHING)
    uint32_t a, b, c; // by op: see compile.c
    double number;
} weft_schema_instruction;

typedef struct weft_schema_node {
    uint32_t token; // token of the subschema
    uint32_t first, count;
    uint32_t resource; // the resource that contains it
    uint8_t leaf;      // no instruction runs another node
    uint8_t tracks;    // some instruction needs to know which members and items were evaluated
    // Hints that usually decide between alternatives, checked first: a required property, and a
    // property with a constant value (tokens of its name and of the value). 0 = none.
    uint32_t needs, tag, tag_value;
} weft_schema_node;

// A schema with its own address: a document, or a subschema with $id.
typedef struct weft_schema_resource {
    uint32_t token;
    weft_schema_text uri; // without fragment
    uint8_t draft;
    uint8_t vocabularies;
    uint8_t recursive; // has "$recursiveAnchor": true
} weft_schema_resource;

typedef struct weft_schema_anchor {
    uint32_t resource; // its token
    uint32_t token;    // token of the subschema
    weft_schema_text name;
    int dynamic;
} weft_schema_anchor;

typedef struct weft_schema_pattern {
    uint32_t token;
    weft_pattern *program; // NULL: a format that the host checks; `token` is its name
} weft_schema_pattern;

struct weft_schema {
    weft_memory *memory;
    weft_arena arena; // addresses and names
    uint8_t *text;
    size_t text_size;
    weft_json_tape tape;
    uint32_t root;    // token of the schema
    uint32_t remotes; // token of the table of other documents, 0 = none
    uint32_t formats; // token of the table of formats, 0 = none
    int dynamic;      // the target of some reference depends on the referring schema
    int tracks;       // some node has `tracks`
    uint32_t *links;  // per token: 1 + its node (schemas) or pattern (strings and keys), 0 = none
    uint32_t link_count;
    weft_schema_node *nodes;
    uint32_t node_count, node_capacity;
    weft_schema_instruction *instructions;
    uint32_t instruction_count, instruction_capacity;
    weft_schema_pattern *patterns;
    uint32_t pattern_count, pattern_capacity;
    weft_schema_resource *resources;
    uint32_t resource_count, resource_capacity;
    weft_schema_anchor *anchors;
    uint32_t anchor_count, anchor_capacity;
};

static inline uint32_t weft_schema_link(const weft_schema *schema, uint32_t token) {
    return schema->links[token] - 1;
}

static inline int weft_schema_same_text(weft_schema_text a, weft_schema_text b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

// Returns whether the keyword only looks at the value itself.
static inline int weft_schema_looks_alone(weft_schema_op op) {
    return (op >= SCHEMA_TYPE && op <= SCHEMA_UNIQUE_ITEMS) || op == SCHEMA_NOTHING;
}

// Returns the number of the innermost resource that contains `token`.
uint32_t weft_schema_resource_around(const weft_schema *schema, uint32_t token);

// Returns the keyword of a key token or of a boolean schema; SCHEMA_UNKNOWN for others.
weft_schema_op weft_schema_op_of(const weft_json_tape *tape, uint32_t token);

#endif
