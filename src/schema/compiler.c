// SPDX-License-Identifier: MIT
// Implements compiler.h: errors, and nodes that are still to be filled.
#include "compiler.h"

weft_status weft_schema_fail(weft_schema_compiler *c, weft_status status, uint32_t token,
                             const char *reason) {
    c->error->status = status;
    c->error->offset = c->tape->tokens[token].offset;
    c->error->token = token;
    c->error->reason = reason;
    return status;
}

weft_status weft_schema_want(weft_schema_compiler *c, uint32_t token, uint32_t resource) {
    weft_schema *schema = c->schema;
    weft_json_kind kind = weft_json_kind_of(c->tape, token);
    if (kind != WEFT_JSON_OBJECT && kind != WEFT_JSON_TRUE && kind != WEFT_JSON_FALSE) {
        return weft_schema_fail(c, WEFT_ERR_SCHEMA, token, "a schema is an object or a boolean");
    }
    if (schema->links[token] != 0) {
        return WEFT_OK;
    }
    if (!weft_memory_reserve(schema->memory, &schema->nodes, sizeof(*schema->nodes),
                             &schema->node_capacity, schema->node_count + 1)) {
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, token, "");
    }
    schema->nodes[schema->node_count++] =
        (weft_schema_node){.token = token, .resource = resource, .leaf = 1};
    schema->links[token] = schema->node_count;
    return WEFT_OK;
}
