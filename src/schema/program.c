// SPDX-License-Identifier: MIT
// Implements program.h: freeing a schema and finding resources.
#include "program.h"

void weft_schema_free(weft_schema *schema) {
    if (schema == NULL) {
        return;
    }
    weft_memory *memory = schema->memory;
    for (uint32_t i = 0; i < schema->pattern_count; i++) {
        weft_pattern_free(schema->patterns[i].program);
    }
    weft_memory_release(memory, schema->anchors,
                        schema->anchor_capacity * sizeof(*schema->anchors));
    weft_memory_release(memory, schema->resources,
                        schema->resource_capacity * sizeof(*schema->resources));
    weft_memory_release(memory, schema->patterns,
                        schema->pattern_capacity * sizeof(*schema->patterns));
    weft_memory_release(memory, schema->instructions,
                        schema->instruction_capacity * sizeof(*schema->instructions));
    weft_memory_release(memory, schema->nodes, schema->node_capacity * sizeof(*schema->nodes));
    weft_memory_release(memory, schema->links, schema->link_count * sizeof(*schema->links));
    weft_memory_release(memory, schema->text, schema->text_size);
    weft_arena_fini(&schema->arena);
    weft_json_fini(&schema->tape);
    weft_memory_release(memory, schema, sizeof(*schema));
}

const weft_json_tape *weft_schema_tape(const weft_schema *schema) {
    return &schema->tape;
}

uint32_t weft_schema_resource_around(const weft_schema *schema, uint32_t token) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < schema->resource_count; i++) {
        uint32_t start = schema->resources[i].token;
        if (start <= token && weft_json_end(&schema->tape, start) > token &&
            (start >= schema->resources[found].token || schema->resources[found].token > token)) {
            found = i;
        }
    }
    return found;
}
