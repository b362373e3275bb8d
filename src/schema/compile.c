// SPDX-License-Identifier: MIT
#include <string.h>

#include "program.h"

#define ALL (SCHEMA_DRAFT_7 | SCHEMA_DRAFT_2019 | SCHEMA_DRAFT_2020)
#define SINCE_2019 (SCHEMA_DRAFT_2019 | SCHEMA_DRAFT_2020)
#define SINCE_2020 SCHEMA_DRAFT_2020
#define UNTIL_2019 (SCHEMA_DRAFT_7 | SCHEMA_DRAFT_2019)
#define ONLY_7 SCHEMA_DRAFT_7
#define ONLY_2019 SCHEMA_DRAFT_2019

typedef enum argument {
    REFERENCE,
    TYPES,
    ANYTHING,
    ARRAY,
    POSITIVE,
    NUMBER,
    COUNT,
    PATTERN,
    FLAG,
    SCHEMA,
    SCHEMAS,
    SCHEMA_OR_SCHEMAS,
    SCHEMA_MAP,
    PATTERN_MAP,
    NAMES,
    NAMES_MAP,
    MIXED_MAP,
    UNSUPPORTED
} argument;

typedef struct keyword {
    const char *text;
    uint8_t argument;
    uint8_t drafts;
} keyword;

static const keyword KEYWORDS[] = {
#define X(name, text, argument, drafts) {text, argument, drafts},
#include "keywords.def"
#undef X
};

#define KEYWORD_COUNT (sizeof(KEYWORDS) / sizeof(KEYWORDS[0]))

// A reference may look at each token once; the product is bounded.
#define MOST_STEPS UINT64_C(200000000)

typedef struct compiler {
    weft_schema *schema;
    weft_json_tape *tape;
    weft_schema_error *error;
    uint64_t steps;
} compiler;

static weft_status fail(compiler *c, weft_status status, uint32_t token, const char *reason) {
    c->error->status = status;
    c->error->offset = c->tape->tokens[token].offset;
    c->error->reason = reason;
    return status;
}

weft_schema_op weft_schema_op_of(const weft_json_tape *tape, uint32_t token) {
    if (weft_json_kind_of(tape, token) == WEFT_JSON_FALSE) {
        return SCHEMA_NOTHING;
    }
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        if (weft_json_string_is(tape, token, KEYWORDS[i].text, (uint32_t)strlen(KEYWORDS[i].text))) {
            return (weft_schema_op)i;
        }
    }
    return SCHEMA_UNKNOWN;
}

// Gives the subschema at `token` a node, which is filled when its turn comes.
static weft_status want_node(compiler *c, uint32_t token) {
    weft_schema *schema = c->schema;
    weft_json_kind kind = weft_json_kind_of(c->tape, token);
    if (kind != WEFT_JSON_OBJECT && kind != WEFT_JSON_TRUE && kind != WEFT_JSON_FALSE) {
        return fail(c, WEFT_ERR_SCHEMA, token, "a schema is an object or a boolean");
    }
    if (schema->links[token] != 0) {
        return WEFT_OK;
    }
    if (!weft_memory_reserve(schema->memory, &schema->nodes, sizeof(*schema->nodes), &schema->node_capacity,
                             schema->node_count + 1)) {
        return fail(c, WEFT_ERR_NO_MEMORY, token, "");
    }
    schema->nodes[schema->node_count++] = (weft_schema_node){.token = token};
    schema->links[token] = schema->node_count;
    return WEFT_OK;
}

static weft_status want_pattern(compiler *c, uint32_t token) {
    weft_schema *schema = c->schema;
    weft_schema_pattern made = {token, NULL};
    const char *reason;
    weft_buffer source;
    if (schema->links[token] != 0) {
        return WEFT_OK;
    }
    if (!weft_memory_reserve(schema->memory, &schema->patterns, sizeof(*schema->patterns), &schema->pattern_capacity,
                             schema->pattern_count + 1)) {
        return fail(c, WEFT_ERR_NO_MEMORY, token, "");
    }
    weft_buffer_init(&source, schema->memory);
    weft_json_string_decode(c->tape, token, &source);
    weft_status status = source.status;
    if (status == WEFT_OK) {
        status = weft_pattern_compile(schema->memory, source.bytes, source.length, &made.program, &reason);
    } else {
        reason = "";
    }
    weft_buffer_fini(&source);
    if (status != WEFT_OK && status != WEFT_ERR_NEEDS_HOST) {
        return fail(c, status, token, reason);
    }
    schema->patterns[schema->pattern_count++] = made;
    schema->links[token] = schema->pattern_count;
    return WEFT_OK;
}

static weft_status expect_kind(compiler *c, uint32_t token, weft_json_kind kind, const char *reason) {
    return weft_json_kind_of(c->tape, token) == kind ? WEFT_OK : fail(c, WEFT_ERR_SCHEMA, token, reason);
}

static weft_status check_names(compiler *c, uint32_t list) {
    WEFT_TRY(expect_kind(c, list, WEFT_JSON_ARRAY, "an array of names is expected"));
    for (uint32_t at = weft_json_first(c->tape, list); at != weft_json_end(c->tape, list); at = weft_json_next(c->tape, at)) {
        WEFT_TRY(expect_kind(c, at, WEFT_JSON_STRING, "an array of names is expected"));
    }
    return WEFT_OK;
}

static weft_status want_list(compiler *c, uint32_t list) {
    WEFT_TRY(expect_kind(c, list, WEFT_JSON_ARRAY, "an array of schemas is expected"));
    for (uint32_t at = weft_json_first(c->tape, list); at != weft_json_end(c->tape, list); at = weft_json_next(c->tape, at)) {
        WEFT_TRY(want_node(c, at));
    }
    return WEFT_OK;
}

// Objects of schemas or names. `*defaults` tells whether one of the schemas has a default.
static weft_status want_map(compiler *c, uint32_t map, argument values, uint32_t *defaults) {
    WEFT_TRY(expect_kind(c, map, WEFT_JSON_OBJECT, "an object is expected"));
    for (uint32_t key = weft_json_first(c->tape, map); key != weft_json_end(c->tape, map);
         key = weft_json_next(c->tape, key + 1)) {
        int names = values == NAMES_MAP || (values == MIXED_MAP && weft_json_kind_of(c->tape, key + 1) == WEFT_JSON_ARRAY);
        WEFT_TRY(names ? check_names(c, key + 1) : want_node(c, key + 1));
        if (values == PATTERN_MAP) {
            WEFT_TRY(want_pattern(c, key));
        }
        *defaults |= values == SCHEMA_MAP && weft_json_member(c->tape, key + 1, "default") != 0;
    }
    return WEFT_OK;
}

static weft_status add_type(compiler *c, uint32_t token, uint32_t *mask) {
    static const struct {
        const char *name;
        uint32_t bits;
    } TYPES_BY_NAME[] = {
        {"null", 1u << WEFT_JSON_NULL},
        {"boolean", 1u << WEFT_JSON_FALSE | 1u << WEFT_JSON_TRUE},
        {"number", 1u << WEFT_JSON_NUMBER},
        {"string", 1u << WEFT_JSON_STRING},
        {"array", 1u << WEFT_JSON_ARRAY},
        {"object", 1u << WEFT_JSON_OBJECT},
        {"integer", SCHEMA_TYPE_INTEGER},
    };
    for (size_t i = 0; i < sizeof(TYPES_BY_NAME) / sizeof(TYPES_BY_NAME[0]); i++) {
        if (weft_json_string_is(c->tape, token, TYPES_BY_NAME[i].name, (uint32_t)strlen(TYPES_BY_NAME[i].name))) {
            *mask |= TYPES_BY_NAME[i].bits;
            return WEFT_OK;
        }
    }
    return fail(c, WEFT_ERR_SCHEMA, token, "an unknown type");
}

static weft_status read_types(compiler *c, uint32_t value, uint32_t *mask) {
    if (weft_json_kind_of(c->tape, value) != WEFT_JSON_ARRAY) {
        return add_type(c, value, mask);
    }
    for (uint32_t at = weft_json_first(c->tape, value); at != weft_json_end(c->tape, value); at = weft_json_next(c->tape, at)) {
        WEFT_TRY(add_type(c, at, mask));
    }
    return WEFT_OK;
}

static weft_status read_number(compiler *c, uint32_t value, argument kind, double *number) {
    WEFT_TRY(expect_kind(c, value, WEFT_JSON_NUMBER, "a number is expected"));
    *number = weft_json_number(c->tape, value);
    if (kind != NUMBER && (*number < 0 || (kind == POSITIVE && *number == 0))) {
        return fail(c, WEFT_ERR_SCHEMA, value, kind == COUNT ? "a count cannot be negative" : "a positive number is expected");
    }
    return WEFT_OK;
}

// a: node of a schema or reference, pattern, mask of types, flag, whether properties have defaults.
static weft_status read_argument(compiler *c, argument kind, weft_schema_instruction *made) {
    uint32_t value = made->keyword + 1;
    uint32_t target = value;
    switch (kind) {
    case REFERENCE:
        WEFT_TRY(expect_kind(c, value, WEFT_JSON_STRING, "a reference is a string"));
        c->steps += c->tape->count;
        if (c->steps > MOST_STEPS) {
            return fail(c, WEFT_ERR_SCHEMA_BUDGET, value, "too many references in too large a schema");
        }
        if (!weft_schema_resolve(c->schema, value, &target)) {
            return fail(c, WEFT_ERR_SCHEMA, value, "the reference names nothing inside this schema");
        }
        break;
    case TYPES:
        return read_types(c, value, &made->a);
    case ANYTHING:
        return WEFT_OK;
    case ARRAY:
        return expect_kind(c, value, WEFT_JSON_ARRAY, "an array is expected");
    case POSITIVE:
    case NUMBER:
    case COUNT:
        return read_number(c, value, kind, &made->number);
    case PATTERN:
        WEFT_TRY(expect_kind(c, value, WEFT_JSON_STRING, "a pattern is a string"));
        WEFT_TRY(want_pattern(c, value));
        made->a = weft_schema_link(c->schema, value);
        return WEFT_OK;
    case FLAG:
        made->a = weft_json_kind_of(c->tape, value) == WEFT_JSON_TRUE;
        return made->a ? WEFT_OK : expect_kind(c, value, WEFT_JSON_FALSE, "a boolean is expected");
    case SCHEMA_OR_SCHEMAS:
        if (weft_json_kind_of(c->tape, value) == WEFT_JSON_ARRAY) {
            return want_list(c, value);
        }
        break;
    case SCHEMAS:
        return want_list(c, value);
    case SCHEMA_MAP:
    case PATTERN_MAP:
    case NAMES_MAP:
    case MIXED_MAP:
        return want_map(c, value, kind, &made->a);
    case NAMES:
        return check_names(c, value);
    case UNSUPPORTED:
        return fail(c, WEFT_ERR_SCHEMA, made->keyword, "this keyword is not supported");
    case SCHEMA:
        break;
    }
    WEFT_TRY(want_node(c, target));
    made->a = weft_schema_link(c->schema, target);
    return WEFT_OK;
}

// The node + 1 of the branch of an `if`, 0 when there is none.
static weft_status want_branch(compiler *c, uint32_t token, const char *name, uint32_t *link) {
    uint32_t branch = weft_json_member(c->tape, token, name);
    if (branch != 0) {
        WEFT_TRY(want_node(c, branch));
        *link = c->schema->links[branch];
    }
    return WEFT_OK;
}

// What keywords need of their neighbours. b of `items`: the items before it. b, c of `additionalProperties`: the maps
// beside it; of `if`: its branches. number, b of `contains`: the least matches, the token of the most (0: no bound).
static weft_status add_neighbours(compiler *c, uint32_t token, weft_schema_instruction *made) {
    uint32_t beside = 0;
    switch (made->op) {
    case SCHEMA_ITEMS:
        if (weft_json_kind_of(c->tape, made->keyword + 1) == WEFT_JSON_ARRAY) {
            made->op = SCHEMA_PREFIX_ITEMS;
            return WEFT_OK;
        }
        beside = c->schema->draft == SCHEMA_DRAFT_2020 ? weft_json_member(c->tape, token, "prefixItems") : 0;
        made->b = beside == 0 ? 0 : weft_json_count(c->tape, beside);
        return WEFT_OK;
    case SCHEMA_ADDITIONAL_ITEMS:
        beside = weft_json_member(c->tape, token, "items");
        made->op = SCHEMA_ITEMS;
        // Without an array of items the keyword says nothing: no array is that long.
        made->b = UINT32_MAX;
        if (beside != 0 && weft_json_kind_of(c->tape, beside) == WEFT_JSON_ARRAY) {
            made->b = weft_json_count(c->tape, beside);
        }
        return WEFT_OK;
    case SCHEMA_CONTAINS:
        made->number = 1;
        if (c->schema->draft != SCHEMA_DRAFT_7) {
            double unused;
            beside = weft_json_member(c->tape, token, "minContains");
            WEFT_TRY(beside == 0 ? WEFT_OK : read_number(c, beside, COUNT, &made->number));
            made->b = weft_json_member(c->tape, token, "maxContains");
            WEFT_TRY(made->b == 0 ? WEFT_OK : read_number(c, made->b, COUNT, &unused));
        }
        return WEFT_OK;
    case SCHEMA_ADDITIONAL_PROPERTIES:
        made->b = weft_json_member(c->tape, token, "properties");
        made->c = weft_json_member(c->tape, token, "patternProperties");
        return WEFT_OK;
    case SCHEMA_IF:
        WEFT_TRY(want_branch(c, token, "then", &made->b));
        return want_branch(c, token, "else", &made->c);
    default:
        return WEFT_OK;
    }
}

static weft_status add_instruction(compiler *c, uint32_t node, weft_schema_instruction made) {
    weft_schema *schema = c->schema;
    if (!weft_memory_reserve(schema->memory, &schema->instructions, sizeof(*schema->instructions),
                             &schema->instruction_capacity, schema->instruction_count + 1)) {
        return fail(c, WEFT_ERR_NO_MEMORY, made.keyword, "");
    }
    schema->instructions[schema->instruction_count++] = made;
    schema->nodes[node].count++;
    return WEFT_OK;
}

static weft_status compile_node(compiler *c, uint32_t node) {
    weft_schema *schema = c->schema;
    uint32_t token = schema->nodes[node].token;
    schema->nodes[node].first = schema->instruction_count;
    if (weft_json_kind_of(c->tape, token) == WEFT_JSON_FALSE) {
        return add_instruction(c, node, (weft_schema_instruction){.op = SCHEMA_NOTHING, .keyword = token});
    }
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        uint32_t value = (KEYWORDS[i].drafts & schema->draft) == 0 ? 0 : weft_json_member(c->tape, token, KEYWORDS[i].text);
        if (value == 0) {
            continue;
        }
        weft_schema_instruction made = {.op = (weft_schema_op)i, .keyword = value - 1};
        WEFT_TRY(read_argument(c, (argument)KEYWORDS[i].argument, &made));
        WEFT_TRY(add_neighbours(c, token, &made));
        WEFT_TRY(add_instruction(c, node, made));
        schema->tracks |= made.op == SCHEMA_UNEVALUATED_ITEMS || made.op == SCHEMA_UNEVALUATED_PROPERTIES;
        if (made.op == SCHEMA_REF && schema->draft == SCHEMA_DRAFT_7) {
            return WEFT_OK; // draft 7 ignores what stands beside a reference
        }
    }
    return WEFT_OK;
}

static int contains(const uint8_t *text, uint32_t length, const char *part) {
    size_t size = strlen(part);
    for (uint32_t at = 0; at + size <= length; at++) {
        if (memcmp(text + at, part, size) == 0) {
            return 1;
        }
    }
    return 0;
}

// Drafts 4 and 6 are read as 7: what they have in common is what they are used for. Other dialects are refused, since
// their vocabularies may give keywords another meaning.
static weft_status find_draft(compiler *c) {
    static const struct {
        const char *mark;
        uint32_t draft;
    } DRAFTS[] = {{"json-schema.org/draft-07/", SCHEMA_DRAFT_7},        {"json-schema.org/draft-06/", SCHEMA_DRAFT_7},
                  {"json-schema.org/draft-04/", SCHEMA_DRAFT_7},        {"json-schema.org/draft/2019-09/", SCHEMA_DRAFT_2019},
                  {"json-schema.org/draft/2020-12/", SCHEMA_DRAFT_2020}, {"json-schema.org/schema", SCHEMA_DRAFT_2020}};
    uint32_t value = weft_json_member(c->tape, 0, "$schema");
    const weft_json_token *token = &c->tape->tokens[value];
    c->schema->draft = SCHEMA_DRAFT_2020;
    if (value == 0) {
        return WEFT_OK;
    }
    for (size_t i = 0; i < sizeof(DRAFTS) / sizeof(DRAFTS[0]); i++) {
        if (contains(c->tape->text + token->offset, token->length, DRAFTS[i].mark)) {
            c->schema->draft = DRAFTS[i].draft;
            return WEFT_OK;
        }
    }
    return fail(c, WEFT_ERR_SCHEMA, value, "an unknown dialect");
}

static weft_status compile_text(compiler *c, size_t length, uint64_t seed) {
    weft_schema *schema = c->schema;
    weft_json_limits limits = weft_json_argument_limits(seed);
    weft_status status = weft_json_read(c->tape, schema->text, length, &limits, &c->error->json);
    if (status != WEFT_OK) {
        c->error->status = status;
        c->error->offset = c->error->json.offset;
        c->error->reason = c->error->json.reason;
        return status;
    }
    WEFT_TRY(find_draft(c));
    schema->links = weft_memory_zeroed(schema->memory, c->tape->count, sizeof(*schema->links));
    if (schema->links == NULL) {
        return fail(c, WEFT_ERR_NO_MEMORY, 0, "");
    }
    schema->link_count = c->tape->count;
    WEFT_TRY(want_node(c, 0));
    for (uint32_t i = 0; i < schema->node_count; i++) {
        WEFT_TRY(compile_node(c, i));
    }
    return WEFT_OK;
}

weft_status weft_schema_compile(weft_memory *memory, const void *text, size_t length, uint64_t seed, weft_schema **schema,
                                weft_schema_error *error) {
    weft_schema_error unwanted;
    error = error == NULL ? &unwanted : error;
    *error = (weft_schema_error){.status = WEFT_ERR_NO_MEMORY, .json = {WEFT_OK, 0, ""}, .reason = ""};
    *schema = NULL;
    weft_schema *made = weft_memory_zeroed(memory, 1, sizeof(*made));
    if (made == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    made->memory = memory;
    weft_json_init(&made->tape, memory);
    made->text = weft_memory_alloc(memory, length + 1);
    if (made->text == NULL) {
        weft_schema_free(made);
        return WEFT_ERR_NO_MEMORY;
    }
    made->text_size = length + 1;
    if (length != 0) {
        memcpy(made->text, text, length);
    }
    compiler c = {made, &made->tape, error, 0};
    weft_status status = compile_text(&c, length, seed);
    if (status != WEFT_OK) {
        weft_schema_free(made);
        return status;
    }
    error->status = WEFT_OK;
    *schema = made;
    return WEFT_OK;
}

void weft_schema_free(weft_schema *schema) {
    if (schema == NULL) {
        return;
    }
    weft_memory *memory = schema->memory;
    for (uint32_t i = 0; i < schema->pattern_count; i++) {
        weft_pattern_free(schema->patterns[i].program);
    }
    weft_memory_release(memory, schema->patterns, schema->pattern_capacity * sizeof(*schema->patterns));
    weft_memory_release(memory, schema->instructions, schema->instruction_capacity * sizeof(*schema->instructions));
    weft_memory_release(memory, schema->nodes, schema->node_capacity * sizeof(*schema->nodes));
    weft_memory_release(memory, schema->links, schema->link_count * sizeof(*schema->links));
    weft_memory_release(memory, schema->text, schema->text_size);
    weft_json_fini(&schema->tape);
    weft_memory_release(memory, schema, sizeof(*schema));
}

const weft_json_tape *weft_schema_tape(const weft_schema *schema) { return &schema->tape; }
