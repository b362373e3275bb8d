// SPDX-License-Identifier: MIT
// Implements schema.h: compiles a schema to nodes and instructions.
#include "compiler.h"

#define ALL (SCHEMA_DRAFT_7 | SCHEMA_DRAFT_2019 | SCHEMA_DRAFT_2020)
#define SINCE_2019 (SCHEMA_DRAFT_2019 | SCHEMA_DRAFT_2020)
#define SINCE_2020 SCHEMA_DRAFT_2020
#define UNTIL_2019 (SCHEMA_DRAFT_7 | SCHEMA_DRAFT_2019)
#define ONLY_2019 SCHEMA_DRAFT_2019

typedef weft_schema_compiler compiler;

typedef enum argument {
    REFERENCE,
    TYPES,
    ANYTHING,
    ARRAY,
    POSITIVE,
    NUMBER,
    COUNT,
    PATTERN,
    FORMAT,
    FLAG,
    SCHEMA,
    SCHEMAS,
    SCHEMA_OR_SCHEMAS,
    SCHEMA_MAP,
    PATTERN_MAP,
    NAMES,
    NAMES_MAP,
    MIXED_MAP
} argument;

typedef struct keyword {
    uint8_t argument;
    uint8_t drafts;
    uint8_t vocabulary;
} keyword;

static const keyword KEYWORDS[] = {
#define X(name, text, argument, drafts, vocabulary, expected)                                      \
    {argument, drafts, VOCABULARY_##vocabulary},
#include "keywords.def"
#undef X
};

static weft_status add_pattern(compiler *c, uint32_t link, weft_schema_pattern made) {
    weft_schema *schema = c->schema;
    if (!weft_memory_reserve(schema->memory, &schema->patterns, sizeof(*schema->patterns),
                             &schema->pattern_capacity, schema->pattern_count + 1)) {
        weft_pattern_free(made.program);
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, made.token, "");
    }
    schema->patterns[schema->pattern_count++] = made;
    schema->links[link] = schema->pattern_count;
    return WEFT_OK;
}

// Compiles the pattern in the string or key `token`, once.
static weft_status want_pattern(compiler *c, uint32_t token) {
    weft_schema *schema = c->schema;
    weft_schema_pattern made = {.token = token};
    const char *reason = "";
    weft_buffer source;
    if (schema->links[token] != 0) {
        return WEFT_OK;
    }
    weft_buffer_init(&source, schema->memory);
    weft_json_string_decode(c->tape, token, &source);
    weft_status status = source.status;
    if (status == WEFT_OK) {
        status = weft_pattern_compile(schema->memory, source.bytes, source.length, c->letters,
                                      &made.program, &reason);
    }
    weft_buffer_fini(&source);
    if (status != WEFT_OK) {
        return weft_schema_fail(c, status, token, reason);
    }
    return add_pattern(c, token, made);
}

// Resolves a format in the table of formats to a pattern or a question for the host; `*number`: 1 +
// its pattern, 0 for other formats.
static weft_status want_format(compiler *c, uint32_t name, uint32_t *number) {
    weft_schema *schema = c->schema;
    uint32_t value;
    if (weft_json_kind_of(c->tape, name) != WEFT_JSON_STRING || schema->formats == 0 ||
        !weft_json_find_same(c->tape, schema->formats, c->tape, name, &value)) {
        return WEFT_OK;
    }
    if (weft_json_kind_of(c->tape, value) == WEFT_JSON_STRING) {
        WEFT_TRY(want_pattern(c, value));
    } else if (schema->links[value] == 0) {
        WEFT_TRY(add_pattern(c, value, (weft_schema_pattern){.token = value - 1}));
    }
    *number = schema->links[value];
    return WEFT_OK;
}

static weft_status expect_kind(compiler *c, uint32_t token, weft_json_kind kind,
                               const char *reason) {
    return weft_json_kind_of(c->tape, token) == kind
               ? WEFT_OK
               : weft_schema_fail(c, WEFT_ERR_SCHEMA, token, reason);
}

static weft_status check_names(compiler *c, uint32_t list) {
    WEFT_TRY(expect_kind(c, list, WEFT_JSON_ARRAY, "an array of names is expected"));
    for (uint32_t at = weft_json_first(c->tape, list); at != weft_json_end(c->tape, list);
         at = weft_json_next(c->tape, at)) {
        WEFT_TRY(expect_kind(c, at, WEFT_JSON_STRING, "an array of names is expected"));
    }
    return WEFT_OK;
}

static weft_status want_list(compiler *c, uint32_t list, uint32_t resource) {
    WEFT_TRY(expect_kind(c, list, WEFT_JSON_ARRAY, "an array of schemas is expected"));
    for (uint32_t at = weft_json_first(c->tape, list); at != weft_json_end(c->tape, list);
         at = weft_json_next(c->tape, at)) {
        WEFT_TRY(weft_schema_want(c, at, resource));
    }
    return WEFT_OK;
}

// Compiles an object whose values are schemas or lists of names.
static weft_status want_map(compiler *c, uint32_t map, argument values, uint32_t resource) {
    WEFT_TRY(expect_kind(c, map, WEFT_JSON_OBJECT, "an object is expected"));
    for (uint32_t key = weft_json_first(c->tape, map); key != weft_json_end(c->tape, map);
         key = weft_json_next(c->tape, key + 1)) {
        int names = values == NAMES_MAP ||
                    (values == MIXED_MAP && weft_json_kind_of(c->tape, key + 1) == WEFT_JSON_ARRAY);
        WEFT_TRY(names ? check_names(c, key + 1) : weft_schema_want(c, key + 1, resource));
        if (values == PATTERN_MAP) {
            WEFT_TRY(want_pattern(c, key));
        }
    }
    return WEFT_OK;
}

static weft_status add_type(compiler *c, uint32_t token, uint32_t *mask) {
    static const struct {
        char name[8];
        uint8_t length, bits;
    } TYPES_BY_NAME[] = {
        {"string", 6, 1u << WEFT_JSON_STRING},
        {"object", 6, 1u << WEFT_JSON_OBJECT},
        {"number", 6, 1u << WEFT_JSON_NUMBER},
        {"integer", 7, SCHEMA_TYPE_INTEGER},
        {"boolean", 7, 1u << WEFT_JSON_FALSE | 1u << WEFT_JSON_TRUE},
        {"array", 5, 1u << WEFT_JSON_ARRAY},
        {"null", 4, 1u << WEFT_JSON_NULL},
    };
    for (size_t i = 0; i < sizeof(TYPES_BY_NAME) / sizeof(TYPES_BY_NAME[0]); i++) {
        if (weft_json_string_is(c->tape, token, TYPES_BY_NAME[i].name, TYPES_BY_NAME[i].length)) {
            *mask |= TYPES_BY_NAME[i].bits;
            return WEFT_OK;
        }
    }
    return weft_schema_fail(c, WEFT_ERR_SCHEMA, token, "an unknown type");
}

static weft_status read_types(compiler *c, uint32_t value, uint32_t *mask) {
    if (weft_json_kind_of(c->tape, value) != WEFT_JSON_ARRAY) {
        return add_type(c, value, mask);
    }
    for (uint32_t at = weft_json_first(c->tape, value); at != weft_json_end(c->tape, value);
         at = weft_json_next(c->tape, at)) {
        WEFT_TRY(add_type(c, at, mask));
    }
    return WEFT_OK;
}

static weft_status read_number(compiler *c, uint32_t value, argument kind, double *number) {
    WEFT_TRY(expect_kind(c, value, WEFT_JSON_NUMBER, "a number is expected"));
    *number = weft_json_number(c->tape, value);
    if (kind != NUMBER && (*number < 0 || (kind == POSITIVE && *number == 0))) {
        return weft_schema_fail(c, WEFT_ERR_SCHEMA, value,
                                kind == COUNT ? "a count cannot be negative"
                                              : "a positive number is expected");
    }
    return WEFT_OK;
}

// Reads an instruction's argument into a: node of a schema, pattern, mask of types, flag.
static weft_status read_argument(compiler *c, argument kind, uint32_t resource,
                                 weft_schema_instruction *made) {
    uint32_t value = made->keyword + 1;
    switch (kind) {
    case REFERENCE:
        return expect_kind(c, value, WEFT_JSON_STRING, "a reference is a string");
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
    case FORMAT:
        return want_format(c, value, &made->a);
    case FLAG:
        made->a = weft_json_kind_of(c->tape, value) == WEFT_JSON_TRUE;
        return made->a ? WEFT_OK : expect_kind(c, value, WEFT_JSON_FALSE, "a boolean is expected");
    case SCHEMA_OR_SCHEMAS:
    case SCHEMAS:
        if (kind == SCHEMAS || weft_json_kind_of(c->tape, value) == WEFT_JSON_ARRAY) {
            return want_list(c, value, resource);
        }
        break;
    case SCHEMA_MAP:
    case PATTERN_MAP:
    case NAMES_MAP:
    case MIXED_MAP:
        return want_map(c, value, kind, resource);
    case NAMES:
        return check_names(c, value);
    case SCHEMA:
        break;
    }
    WEFT_TRY(weft_schema_want(c, value, resource));
    made->a = weft_schema_link(c->schema, value);
    return WEFT_OK;
}

// Returns the properties that `required` names, as bits by their positions in `properties`; 0 when
// one has no position.
static uint32_t required_bits(const weft_json_tape *tape, uint32_t list, uint32_t map) {
    uint32_t bits = 0;
    if (map == 0 || weft_json_count(tape, map) > WEFT_SCHEMA_COUNTED) {
        return 0;
    }
    for (uint32_t at = weft_json_first(tape, list); at != weft_json_end(tape, list);
         at = weft_json_next(tape, at)) {
        uint32_t place = 0;
        uint32_t key = weft_json_first(tape, map);
        while (key != weft_json_end(tape, map) && !weft_json_string_same(tape, key, tape, at)) {
            key = weft_json_next(tape, key + 1);
            place++;
        }
        if (key == weft_json_end(tape, map)) {
            return 0;
        }
        bits |= 1u << place;
    }
    return bits;
}

static uint32_t linked(const compiler *c, uint32_t token) {
    return token == 0 ? 0 : c->schema->links[token];
}

// Adds what an instruction needs from other keywords of its schema. b of `items`: number of items
// before it. b, c of `additionalProperties`: `properties` and `patternProperties`; of `if`: 1 + the
// nodes of its branches. number, b of `contains`: min matches, token of the max (0: no bound); c:
// matches count as evaluated. b of `properties`: too many to count. c of `required`: see
// required_bits.
static void add_neighbours(const compiler *c, const uint32_t *at, uint32_t draft,
                           weft_schema_instruction *made) {
    const weft_json_tape *tape = c->tape;
    uint32_t beside = 0;
    switch (made->op) {
    case SCHEMA_ITEMS:
        if (weft_json_kind_of(tape, made->keyword + 1) == WEFT_JSON_ARRAY) {
            made->op = SCHEMA_PREFIX_ITEMS;
            return;
        }
        beside = draft == SCHEMA_DRAFT_2020 ? at[SCHEMA_PREFIX_ITEMS] : 0;
        made->b = beside == 0 ? 0 : weft_json_count(tape, beside);
        return;
    case SCHEMA_ADDITIONAL_ITEMS:
        beside = at[SCHEMA_ITEMS];
        made->op = SCHEMA_ITEMS;
        // Without an array of items the keyword has no effect: no array is that long.
        made->b = UINT32_MAX;
        if (beside != 0 && weft_json_kind_of(tape, beside) == WEFT_JSON_ARRAY) {
            made->b = weft_json_count(tape, beside);
        }
        return;
    case SCHEMA_CONTAINS:
        made->number = draft == SCHEMA_DRAFT_7 || at[SCHEMA_MIN_CONTAINS] == 0
                           ? 1
                           : weft_json_number(tape, at[SCHEMA_MIN_CONTAINS]);
        made->b = draft == SCHEMA_DRAFT_7 ? 0 : at[SCHEMA_MAX_CONTAINS];
        made->c = draft == SCHEMA_DRAFT_2020;
        return;
    case SCHEMA_ADDITIONAL_PROPERTIES:
        made->b = at[SCHEMA_PROPERTIES];
        made->c = at[SCHEMA_PATTERN_PROPERTIES];
        return;
    case SCHEMA_PROPERTIES:
        made->b = weft_json_count(tape, made->keyword + 1) > WEFT_SCHEMA_COUNTED;
        return;
    case SCHEMA_REQUIRED:
        made->c = required_bits(tape, made->keyword + 1, at[SCHEMA_PROPERTIES]);
        return;
    case SCHEMA_IF:
        made->b = linked(c, at[SCHEMA_THEN]);
        made->c = linked(c, at[SCHEMA_ELSE]);
        return;
    default:
        return;
    }
}

static weft_status add_instruction(compiler *c, uint32_t node, weft_schema_instruction made) {
    weft_schema *schema = c->schema;
    int waits = made.op <= SCHEMA_RECURSIVE_REF;
    if (!weft_memory_reserve(schema->memory, &schema->instructions, sizeof(*schema->instructions),
                             &schema->instruction_capacity, schema->instruction_count + 1) ||
        (waits && !weft_memory_reserve(schema->memory, &c->waiting, sizeof(*c->waiting),
                                       &c->waiting_capacity, c->waiting_count + 1))) {
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, made.keyword, "");
    }
    if (waits) {
        c->waiting[c->waiting_count++] = schema->instruction_count;
    }
    schema->nodes[node].tracks |=
        made.op == SCHEMA_UNEVALUATED_ITEMS || made.op == SCHEMA_UNEVALUATED_PROPERTIES;
    schema->tracks |= schema->nodes[node].tracks;
    schema->nodes[node].leaf &= (uint8_t)weft_schema_looks_alone(made.op);
    schema->instructions[schema->instruction_count++] = made;
    schema->nodes[node].count++;
    return WEFT_OK;
}

// Returns whether the keyword has an effect in this resource. Draft 7 ignores keywords beside a
// reference; schemas in definitions can still be named.
static int speaks(const weft_schema_resource *in, weft_schema_op op, const uint32_t *at) {
    int alone = in->draft == SCHEMA_DRAFT_7 && at[SCHEMA_REF] != 0;
    return (KEYWORDS[op].drafts & in->draft) != 0 &&
           (KEYWORDS[op].vocabulary & in->vocabularies) != 0 &&
           (!alone || op == SCHEMA_REF || op == SCHEMA_DEFS || op == SCHEMA_DEFINITIONS);
}

static weft_status compile_node(compiler *c, uint32_t node) {
    weft_schema *schema = c->schema;
    uint32_t token = schema->nodes[node].token;
    uint32_t at[SCHEMA_OPS] = {0};
    schema->nodes[node].first = schema->instruction_count;
    if (weft_json_kind_of(c->tape, token) == WEFT_JSON_FALSE) {
        return add_instruction(c, node,
                               (weft_schema_instruction){.op = SCHEMA_NOTHING, .keyword = token});
    }
    if (weft_json_kind_of(c->tape, token) == WEFT_JSON_TRUE) {
        return WEFT_OK;
    }
    uint64_t left = weft_schema_read_keywords(c, token, at);
    for (uint64_t names = left >> SCHEMA_ID; names != 0; names &= names - 1) {
        uint32_t op = SCHEMA_ID + (uint32_t)__builtin_ctzll(names);
        WEFT_TRY(op == SCHEMA_RECURSIVE_ANCHOR
                     ? WEFT_OK
                     : expect_kind(c, at[op], WEFT_JSON_STRING, "a name is a string"));
    }
    if (left >> SCHEMA_ID != 0) {
        WEFT_TRY(weft_schema_place(c, node, at));
    }
    const weft_schema_resource in = schema->resources[schema->nodes[node].resource];
    // The branches first: `if` needs their nodes.
    static const weft_schema_op BRANCHES[] = {SCHEMA_THEN, SCHEMA_ELSE};
    for (int i = 0; i < 2; i++) {
        if (at[BRANCHES[i]] != 0 && speaks(&in, BRANCHES[i], at)) {
            WEFT_TRY(weft_schema_want(c, at[BRANCHES[i]], schema->nodes[node].resource));
        }
    }
    for (; left != 0; left &= left - 1) {
        weft_schema_op op = (weft_schema_op)__builtin_ctzll(left);
        if (op >= SCHEMA_ID || !speaks(&in, op, at)) {
            continue;
        }
        weft_schema_instruction made = {.op = op, .keyword = at[op] - 1};
        WEFT_TRY(
            read_argument(c, (argument)KEYWORDS[op].argument, schema->nodes[node].resource, &made));
        if (op < SCHEMA_LAST_TO_RUN && (op != SCHEMA_FORMAT || made.a-- != 0)) {
            add_neighbours(c, at, in.draft, &made);
            WEFT_TRY(add_instruction(c, node, made));
        }
    }
    return WEFT_OK;
}

// Compiles nodes until there are no new ones.
static weft_status compile_nodes(compiler *c, uint32_t *done) {
    while (*done < c->schema->node_count) {
        WEFT_TRY(compile_node(c, (*done)++));
    }
    return WEFT_OK;
}

// Follows a reference. a: the target node. b of dynamic references: 1 + the anchor, or 1 for
// recursive ones, when another node may replace the target.
static weft_status follow_one(compiler *c, uint32_t number) {
    weft_schema *schema = c->schema;
    weft_schema_instruction made = schema->instructions[number];
    uint32_t resource = weft_schema_resource_around(schema, made.keyword);
    uint32_t anchor = 0;
    uint32_t target;
    WEFT_TRY(weft_schema_follow(c, made.keyword + 1, resource, &target, &anchor));
    if (target == UINT32_MAX) {
        return WEFT_OK;
    }
    WEFT_TRY(weft_schema_want(c, target, weft_schema_resource_around(schema, target)));
    made.a = weft_schema_link(schema, target);
    if (made.op == SCHEMA_DYNAMIC_REF && anchor != 0 && schema->anchors[anchor - 1].dynamic) {
        made.b = anchor;
    }
    made.b |= made.op == SCHEMA_RECURSIVE_REF &&
              schema->resources[weft_schema_resource_around(schema, target)].recursive;
    made.c = 1;
    schema->dynamic |= made.b != 0;
    schema->instructions[number] = made;
    return WEFT_OK;
}

// Finds the hints of weft_schema_node.
static void find_hints(weft_schema *schema, weft_schema_node *node) {
    const weft_json_tape *tape = &schema->tape;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        uint32_t list = schema->instructions[i].keyword + 1;
        if (schema->instructions[i].op == SCHEMA_REQUIRED && weft_json_count(tape, list) != 0) {
            node->needs = weft_json_first(tape, list);
        } else if (schema->instructions[i].op == SCHEMA_PROPERTIES) {
            for (uint32_t key = weft_json_first(tape, list);
                 key != weft_json_end(tape, list) && node->tag == 0;
                 key = weft_json_next(tape, key + 1)) {
                const weft_schema_node *property =
                    &schema->nodes[weft_schema_link(schema, key + 1)];
                const weft_schema_instruction *first = &schema->instructions[property->first];
                // The constant, alone or after `type`.
                first += property->count == 2 && first->op == SCHEMA_TYPE;
                if (property->count != 0 && first->op == SCHEMA_CONST) {
                    node->tag = key;
                    node->tag_value = first->keyword + 1;
                }
            }
        }
    }
}

// Compiles everything. References are followed after all reachable schemas were compiled, when
// every $id and anchor is known.
static weft_status compile_all(compiler *c) {
    uint32_t done = 0;
    WEFT_TRY(weft_schema_add_document(c, c->schema->root, (weft_schema_text){NULL, 0}));
    WEFT_TRY(compile_nodes(c, &done));
    for (uint32_t i = 0; i < c->waiting_count;) {
        WEFT_TRY(follow_one(c, c->waiting[i]));
        i += c->schema->instructions[c->waiting[i]].c != 0;
        WEFT_TRY(compile_nodes(c, &done));
    }
    for (uint32_t i = 0; i < c->schema->node_count; i++) {
        find_hints(c->schema, &c->schema->nodes[i]);
    }
    return WEFT_OK;
}

// Reads the object around the schema: {"schema", "draft"?: 7 | 2019 | 2020, "remotes"?, "formats"?,
// "assert"?: true}.
static weft_status read_wrapping(compiler *c) {
    weft_schema *schema = c->schema;
    schema->root = weft_json_member(c->tape, 0, "schema");
    schema->remotes = weft_json_member(c->tape, 0, "remotes");
    schema->formats = weft_json_member(c->tape, 0, "formats");
    uint32_t draft = weft_json_member(c->tape, 0, "draft");
    uint32_t letters = weft_json_member(c->tape, 0, "letters");
    uint32_t asserts = weft_json_member(c->tape, 0, "assert");
    if (schema->root == 0) {
        return weft_schema_fail(c, WEFT_ERR_SCHEMA, 0, "there is none");
    }
    if (draft != 0) {
        double number = weft_json_kind_of(c->tape, draft) == WEFT_JSON_NUMBER
                            ? weft_json_number(c->tape, draft)
                            : 0;
        c->draft = number == 7      ? SCHEMA_DRAFT_7
                   : number == 2019 ? SCHEMA_DRAFT_2019
                                    : SCHEMA_DRAFT_2020;
    }
    c->asserts = asserts != 0 && weft_json_kind_of(c->tape, asserts) == WEFT_JSON_TRUE;
    uint32_t tables[] = {schema->remotes, schema->formats, letters};
    for (int i = 0; i < 3; i++) {
        WEFT_TRY(tables[i] == 0
                     ? WEFT_OK
                     : expect_kind(c, tables[i], WEFT_JSON_OBJECT, "an object is expected"));
    }
    c->own_letters = (weft_pattern_letters){c->tape, letters};
    c->letters = letters == 0 ? NULL : &c->own_letters;
    return WEFT_OK;
}

static weft_status compile_text(compiler *c, size_t length, uint64_t seed, int wrapped) {
    weft_schema *schema = c->schema;
    weft_json_limits limits =
        wrapped ? weft_json_import_limits(seed) : weft_json_argument_limits(seed);
    weft_status status = weft_json_read(c->tape, schema->text, length, &limits, &c->error->json);
    if (status != WEFT_OK) {
        c->error->status = status;
        c->error->offset = c->error->json.offset;
        c->error->reason = c->error->json.reason;
        if (c->error->where != NULL && status != WEFT_ERR_NO_MEMORY) {
            weft_buffer_decimal(c->error->where, weft_json_error_number(&limits, &c->error->json));
        }
        return status;
    }
    WEFT_TRY(wrapped ? read_wrapping(c) : WEFT_OK);
    schema->links = weft_memory_zeroed(schema->memory, c->tape->count, sizeof(*schema->links));
    if (schema->links == NULL) {
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, 0, "");
    }
    schema->link_count = c->tape->count;
    weft_schema_index_keywords(c);
    // A good estimate of the final size, so that the list need not move as it grows.
    if (!weft_memory_reserve(schema->memory, &schema->instructions, sizeof(*schema->instructions),
                             &schema->instruction_capacity, c->tape->count / 4)) {
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, 0, "");
    }
    status = compile_all(c);
    weft_memory_release(schema->memory, c->waiting, c->waiting_capacity * sizeof(*c->waiting));
    return status;
}

weft_status weft_schema_compile(weft_memory *memory, const void *text, size_t length,
                                const weft_schema_source *source, weft_schema **schema,
                                weft_schema_error *error) {
    weft_schema_error unwanted = {.where = NULL};
    error = error == NULL ? &unwanted : error;
    *error = (weft_schema_error){.status = WEFT_ERR_NO_MEMORY,
                                 .json = {WEFT_OK, 0, ""},
                                 .reason = "",
                                 .where = error->where};
    *schema = NULL;
    weft_schema *made = weft_memory_zeroed(memory, 1, sizeof(*made));
    if (made == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    made->memory = memory;
    weft_json_init(&made->tape, memory);
    weft_arena_init(&made->arena, memory);
    made->text = weft_memory_alloc(memory, length + 1);
    if (made->text == NULL) {
        weft_schema_free(made);
        return WEFT_ERR_NO_MEMORY;
    }
    made->text_size = length + 1;
    if (length != 0) {
        memcpy(made->text, text, length);
    }
    compiler c = {.schema = made,
                  .tape = &made->tape,
                  .error = error,
                  .draft = SCHEMA_DRAFT_2020,
                  .letters = source->letters};
    weft_status status = compile_text(&c, length, source->seed, source->wrapped);
    if (status != WEFT_OK) {
        if (error->where != NULL && status == WEFT_ERR_SCHEMA_BUDGET) {
            weft_buffer_decimal(error->where, WEFT_SCHEMA_MOST_SEARCHES);
        } else if (error->where != NULL &&
                   (status == WEFT_ERR_SCHEMA || status == WEFT_ERR_PATTERN)) {
            int inside =
                error->token >= made->root && error->token < weft_json_end(&made->tape, made->root);
            weft_schema_write_path(&made->tape, inside ? made->root : 0, error->token,
                                   error->where);
        }
        weft_schema_free(made);
        return status;
    }
    error->status = WEFT_OK;
    *schema = made;
    return WEFT_OK;
}
