// SPDX-License-Identifier: MIT
// A closed set of tools that a model may call: names, compiled schemas, digests of the definitions.
// Built once from JSON. Owns its names and schemas, and the answer to the last plan (plan.h). Does
// not depend on messages or on who runs a tool.
#ifndef WEFT_PREBUILT_TOOLSET_H
#define WEFT_PREBUILT_TOOLSET_H

#include "base/arena.h"
#include "base/map.h"
#include "graph/graph.h"
#include "schema/schema.h"

typedef struct weft_tool {
    weft_log_text name;
    weft_schema *schema;  // NULL: the host checks the arguments
    uint8_t wants_digest; // calls may need approval: a plan contains the digest of the call
    uint8_t digest[32];   // of the definition's own text
} weft_tool;

typedef struct weft_toolset {
    weft_memory *memory;
    weft_arena arena; // names
    weft_tool *tools;
    uint32_t count;
    weft_map names; // of two tools with one name the first is used
    weft_buffer answer;
} weft_toolset;

// Builds a toolset from `[{"name", "schema": JSON Schema | null, "digest"?: true, ...}]`, whose
// other members count for the digest, or from `{"tools": that list, "letters"?: see
// schema/pattern.h}`. BAD_DEFINITION, the JSON codes and SCHEMA_BUDGET (words: number, reason),
// BAD_SCHEMA and BAD_PATTERN (words: the tool's name and the place in its schema, reason),
// NO_MEMORY; then `*set` only owns the words of `error` and must still be freed.
weft_status weft_toolset_new(weft_memory *memory, const void *definition, size_t length,
                             weft_toolset **set, weft_graph_error *error);
void weft_toolset_free(weft_toolset *set);

#endif
