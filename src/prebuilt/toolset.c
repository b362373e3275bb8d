// SPDX-License-Identifier: MIT
// Implements toolset.h: reads a toolset's definition.
#include <string.h>

#include "base/hash.h"
#include "toolset.h"

void weft_toolset_free(weft_toolset *set) {
    if (set == NULL) {
        return;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->tools[i].schema !=
            NULL) { // a split engine may lack this function (tools/split.mjs)
            weft_schema_free(set->tools[i].schema);
        }
    }
    weft_memory_release(set->memory, set->tools, set->count * sizeof(*set->tools));
    weft_map_fini(&set->names);
    weft_buffer_fini(&set->answer);
    weft_arena_fini(&set->arena);
    weft_memory_release(set->memory, set, sizeof(*set));
}

static weft_status refuse(weft_graph_error *error, weft_status status, weft_log_text first,
                          const char *second) {
    error->count = 0;
    if (first.bytes != NULL) {
        error->words[error->count++] = first;
    }
    if (second != NULL) {
        error->words[error->count++] =
            (weft_log_text){(const uint8_t *)second, (uint32_t)strlen(second)};
    }
    return status;
}

static weft_status refuse_definition(weft_graph_error *error, const char *reason) {
    return refuse(error, WEFT_ERR_BAD_DEFINITION, (weft_log_text){0}, reason);
}

static weft_status refuse_text(weft_toolset *set, const weft_json_limits *limits,
                               const weft_json_error *why, weft_graph_error *error) {
    weft_buffer_decimal(&set->answer, weft_json_error_number(limits, why));
    if (why->status == WEFT_ERR_NO_MEMORY || set->answer.status != WEFT_OK) {
        return WEFT_ERR_NO_MEMORY;
    }
    return refuse(error, why->status, (weft_log_text){set->answer.bytes, set->answer.length},
                  why->reason);
}

// Reads the name and keeps it decoded, so that calls match by text, however it is escaped.
static weft_status read_name(weft_toolset *set, const weft_json_tape *tape, uint32_t item,
                             weft_tool *tool, weft_graph_error *error) {
    uint32_t name = weft_json_member(tape, item, "name");
    if (name == 0 || weft_json_kind_of(tape, name) != WEFT_JSON_STRING ||
        tape->tokens[name].length == 2) {
        return refuse_definition(error, "a tool has no name");
    }
    weft_buffer decoded;
    weft_buffer_init(&decoded, set->memory);
    weft_json_string_decode(tape, name, &decoded);
    uint8_t *kept =
        decoded.status == WEFT_OK ? weft_arena_alloc(&set->arena, decoded.length) : NULL;
    if (kept != NULL) {
        memcpy(kept, decoded.bytes, decoded.length);
        tool->name = (weft_log_text){kept, decoded.length};
    }
    weft_buffer_fini(&decoded);
    return kept == NULL ? WEFT_ERR_NO_MEMORY : WEFT_OK;
}

static weft_status read_schema(weft_toolset *set, const weft_json_tape *tape, uint32_t item,
                               const weft_schema_source *source, weft_tool *tool,
                               weft_graph_error *error) {
    uint32_t schema = weft_json_member(tape, item, "schema");
    if (schema == 0 || weft_json_kind_of(tape, schema) == WEFT_JSON_NULL) {
        return WEFT_OK;
    }
    const weft_json_token *token = &tape->tokens[schema];
    weft_buffer *where = &set->answer; // nothing is planned yet
    weft_schema_error why = {.where = where};
    weft_buffer_clear(where);
    weft_buffer_append(where, tool->name.bytes, tool->name.length);
    weft_status status = weft_schema_compile(set->memory, tape->text + token->offset, token->length,
                                             source, &tool->schema, &why);
    if (where->status != WEFT_OK) {
        return WEFT_ERR_NO_MEMORY;
    }
    if (status == WEFT_OK || status == WEFT_ERR_NO_MEMORY) {
        return status;
    }
    // A JSON Pointer follows the tool's name; a number stands alone.
    uint32_t from = status == WEFT_ERR_SCHEMA || status == WEFT_ERR_PATTERN ? 0 : tool->name.length;
    return refuse(error, status, (weft_log_text){where->bytes + from, where->length - from},
                  why.reason);
}

static weft_status read_tool(weft_toolset *set, const weft_json_tape *tape, uint32_t item,
                             const weft_schema_source *source, weft_tool *tool,
                             weft_graph_error *error) {
    uint32_t known;
    if (weft_json_kind_of(tape, item) != WEFT_JSON_OBJECT) {
        return refuse_definition(error, "a tool is no object");
    }
    WEFT_TRY(read_name(set, tape, item, tool, error));
    uint32_t wants = weft_json_member(tape, item, "digest");
    tool->wants_digest = wants != 0 && weft_json_kind_of(tape, wants) == WEFT_JSON_TRUE;
    weft_hash_sha256_state hash;
    weft_hash_sha256_init(&hash);
    weft_hash_sha256_update(&hash, tape->text + tape->tokens[item].offset,
                            tape->tokens[item].length);
    weft_hash_sha256_final(&hash, tool->digest);
    if (!weft_map_get(&set->names, tool->name.bytes, tool->name.length, &known)) {
        WEFT_TRY(weft_map_set(&set->names, tool->name.bytes, tool->name.length,
                              (uint32_t)(tool - set->tools)));
    }
    return read_schema(set, tape, item, source, tool, error);
}

static weft_status read_tools(weft_toolset *set, const weft_json_tape *tape, uint64_t seed,
                              weft_graph_error *error) {
    int wrapped = weft_json_kind_of(tape, 0) == WEFT_JSON_OBJECT;
    uint32_t list = wrapped ? weft_json_member(tape, 0, "tools") : 0;
    weft_pattern_letters letters = {tape, wrapped ? weft_json_member(tape, 0, "letters") : 0};
    int has_letters =
        letters.table != 0 && weft_json_kind_of(tape, letters.table) == WEFT_JSON_OBJECT;
    const weft_schema_source source = {.seed = seed, .letters = has_letters ? &letters : NULL};
    if ((wrapped && list == 0) || weft_json_kind_of(tape, list) != WEFT_JSON_ARRAY) {
        return refuse_definition(error, "the tools are no list");
    }
    uint32_t count = weft_json_count(tape, list);
    if (count == 0) {
        return WEFT_OK;
    }
    set->tools = weft_memory_zeroed(set->memory, count, sizeof(*set->tools));
    if (set->tools == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    set->count = count;
    uint32_t item = weft_json_first(tape, list);
    for (uint32_t i = 0; i < count; i++) {
        WEFT_TRY(read_tool(set, tape, item, &source, &set->tools[i], error));
        item = weft_json_next(tape, item);
    }
    return WEFT_OK;
}

weft_status weft_toolset_new(weft_memory *memory, const void *definition, size_t length,
                             weft_toolset **made, weft_graph_error *error) {
    error->count = 0;
    *made = NULL;
    weft_toolset *set = weft_memory_zeroed(memory, 1, sizeof(*set));
    if (set == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    *made = set;
    set->memory = memory;
    weft_arena_init(&set->arena, memory);
    weft_buffer_init(&set->answer, memory);
    // The definition is the developer's own text: its keys need no secret seed.
    weft_map_init(&set->names, memory, 0);
    weft_json_limits limits = weft_json_import_limits(0);
    weft_json_error why = {.reason = NULL};
    weft_json_tape tape;
    weft_json_init(&tape, memory);
    weft_status status = weft_json_read(&tape, definition, length, &limits, &why);
    if (status == WEFT_OK) {
        status = read_tools(set, &tape, 0, error);
    } else {
        status = refuse_text(set, &limits, &why, error);
    }
    weft_json_fini(&tape);
    return status;
}
