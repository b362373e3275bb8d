// SPDX-License-Identifier: MIT
// Implements compiler.h: finds the dialect of a JSON Schema, its $ids and anchors, and the target
// of each reference.
#include "compiler.h"
#include "uri.h"

typedef weft_schema_compiler compiler;
typedef weft_schema_text span;

#define NOTHING UINT32_MAX
#define MOST_DIALECTS 8 // chain of metaschemas

static weft_status spend(compiler *c, uint64_t cost, uint32_t token) {
    c->steps += cost;
    return c->steps <= WEFT_SCHEMA_MOST_SEARCHES
               ? WEFT_OK
               : weft_schema_fail(c, WEFT_ERR_SCHEMA_BUDGET, token,
                                  "too many references in too large a schema");
}

// Reads the decoded text of a string or key: borrowed from the schema's text or from its arena.
static weft_status read_text(compiler *c, uint32_t token, span *text) {
    weft_buffer decoded;
    if (weft_json_string_plain(c->tape, token, &text->at, &text->length)) {
        return WEFT_OK;
    }
    weft_buffer_init(&decoded, c->schema->memory);
    weft_json_string_decode(c->tape, token, &decoded);
    uint8_t *kept =
        decoded.status == WEFT_OK ? weft_arena_alloc(&c->schema->arena, decoded.length + 1) : NULL;
    if (kept != NULL && decoded.length != 0) {
        memcpy(kept, decoded.bytes, decoded.length);
    }
    *text = (span){kept, decoded.length};
    weft_buffer_fini(&decoded);
    return kept == NULL ? weft_schema_fail(c, WEFT_ERR_NO_MEMORY, token, "") : WEFT_OK;
}

// Cuts `whole` at its number sign.
static span cut_fragment(span *whole) {
    const uint8_t *mark = whole->length == 0 ? NULL : memchr(whole->at, '#', whole->length);
    if (mark == NULL) {
        return (span){whole->at, 0};
    }
    uint32_t length = (uint32_t)(mark - whole->at);
    span fragment = {mark + 1, whole->length - length - 1};
    whole->length = length;
    return fragment;
}

static weft_status resolve(compiler *c, span base, span reference, uint32_t token, span *uri) {
    uint8_t *bytes =
        weft_arena_alloc(&c->schema->arena, (size_t)base.length + reference.length + 2);
    if (bytes == NULL) {
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, token, "");
    }
    *uri = (span){bytes,
                  weft_uri_resolve(base.at, base.length, reference.at, reference.length, bytes)};
    return WEFT_OK;
}

// ---- dialects

// Returns which of `ends`, each NUL-terminated, `text` ends with: 1, 2, ...; 0 for none.
static uint32_t end_of(span text, const char *ends) {
    for (uint32_t number = 1; *ends != '\0'; number++) {
        size_t size = strlen(ends);
        if (text.length >= size && memcmp(text.at + text.length - size, ends, size) == 0) {
            return number;
        }
        ends += size + 1;
    }
    return 0;
}

// Reads the draft from an address. Drafts 4 and 6 are read as 7: schemas use what they have in
// common.
static uint8_t known_draft(span uri) {
    static const uint8_t DRAFTS[] = {0,
                                     SCHEMA_DRAFT_7,
                                     SCHEMA_DRAFT_7,
                                     SCHEMA_DRAFT_7,
                                     SCHEMA_DRAFT_2019,
                                     SCHEMA_DRAFT_2020,
                                     SCHEMA_DRAFT_2020};
    return DRAFTS[end_of(uri, "//json-schema.org/draft-07/schema\0"
                              "//json-schema.org/draft-06/schema\0"
                              "//json-schema.org/draft-04/schema\0"
                              "//json-schema.org/draft/2019-09/schema\0"
                              "//json-schema.org/draft/2020-12/schema\0"
                              "//json-schema.org/schema\0")];
}

static weft_status read_vocabularies(compiler *c, uint32_t table, weft_schema_resource *to) {
    static const uint8_t BITS[] = {0,
                                   VOCABULARY_CORE,
                                   VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED,
                                   VOCABULARY_APPLICATOR,
                                   VOCABULARY_UNEVALUATED,
                                   VOCABULARY_VALIDATION,
                                   VOCABULARY_FORMAT,
                                   0,
                                   0,
                                   0,
                                   0};
    uint8_t bits = VOCABULARY_CORE;
    for (uint32_t key = weft_json_first(c->tape, table); key != weft_json_end(c->tape, table);
         key = weft_json_next(c->tape, key + 1)) {
        span name;
        WEFT_TRY(read_text(c, key, &name));
        uint32_t known = end_of(name, "/vocab/core\0"
                                      "2019-09/vocab/applicator\0"
                                      "2020-12/vocab/applicator\0"
                                      "/vocab/unevaluated\0"
                                      "/vocab/validation\0"
                                      "/vocab/format-assertion\0"
                                      "/vocab/format\0"
                                      "/vocab/format-annotation\0"
                                      "/vocab/meta-data\0"
                                      "/vocab/content\0");
        if (known == 0 && weft_json_kind_of(c->tape, key + 1) == WEFT_JSON_TRUE) {
            return weft_schema_fail(c, WEFT_ERR_SCHEMA, key, "an unknown vocabulary is required");
        }
        bits |= BITS[known];
    }
    to->vocabularies = bits | (to->vocabularies & VOCABULARY_FORMAT);
    return WEFT_OK;
}

// Finds the document under this address, 0 when there is none. Looks at all documents; the next
// reference checks the budget.
static uint32_t find_remote(compiler *c, span uri) {
    uint32_t table = c->schema->remotes;
    if (table == 0) {
        return 0;
    }
    c->steps += weft_json_count(c->tape, table);
    for (uint32_t key = weft_json_first(c->tape, table); key != weft_json_end(c->tape, table);
         key = weft_json_next(c->tape, key + 1)) {
        span name, id = {NULL, 0};
        uint32_t value = weft_json_kind_of(c->tape, key + 1) == WEFT_JSON_OBJECT
                             ? weft_json_member(c->tape, key + 1, "$id")
                             : 0;
        int plain = weft_json_string_plain(c->tape, key, &name.at, &name.length);
        if (value != 0 && weft_json_kind_of(c->tape, value) == WEFT_JSON_STRING) {
            weft_json_string_plain(c->tape, value, &id.at, &id.length);
        }
        if (plain) {
            cut_fragment(&name);
        }
        cut_fragment(&id);
        if ((plain && weft_schema_same_text(name, uri)) ||
            (id.length != 0 && weft_schema_same_text(id, uri))) {
            return key + 1;
        }
    }
    return 0;
}

// Reads the dialect that `$schema` names. Vocabularies come from the first metaschema, the draft
// from the first known one.
static weft_status read_dialect(compiler *c, uint32_t value, weft_schema_resource *to) {
    int vocabularies = 0;
    for (int i = 0;
         i < MOST_DIALECTS && value != 0 && weft_json_kind_of(c->tape, value) == WEFT_JSON_STRING;
         i++) {
        span uri;
        WEFT_TRY(read_text(c, value, &uri));
        cut_fragment(&uri);
        uint8_t draft = known_draft(uri);
        if (draft != 0) {
            to->draft = draft;
            return WEFT_OK;
        }
        uint32_t metaschema = find_remote(c, uri);
        WEFT_TRY(spend(c, 0, value));
        if (metaschema == 0) {
            break;
        }
        uint32_t table = weft_json_member(c->tape, metaschema, "$vocabulary");
        if (!vocabularies && table != 0 && weft_json_kind_of(c->tape, table) == WEFT_JSON_OBJECT) {
            WEFT_TRY(read_vocabularies(c, table, to));
            vocabularies = 1;
        }
        value = weft_json_member(c->tape, metaschema, "$schema");
    }
    return weft_schema_fail(c, WEFT_ERR_SCHEMA, value, "an unknown dialect");
}

// ---- places

static weft_status add_resource(compiler *c, weft_schema_resource made, uint32_t dialect,
                                uint32_t *number) {
    weft_schema *schema = c->schema;
    if (dialect != 0) {
        WEFT_TRY(read_dialect(c, dialect, &made));
    }
    if (!weft_memory_reserve(schema->memory, &schema->resources, sizeof(*schema->resources),
                             &schema->resource_capacity, schema->resource_count + 1)) {
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, made.token, "");
    }
    *number = schema->resource_count++;
    schema->resources[*number] = made;
    return WEFT_OK;
}

weft_status weft_schema_add_document(compiler *c, uint32_t token, span uri) {
    uint32_t number;
    int object = weft_json_kind_of(c->tape, token) == WEFT_JSON_OBJECT;
    weft_schema_resource made = {.token = token, .uri = uri, .draft = (uint8_t)c->draft};
    made.vocabularies = (uint8_t)(VOCABULARY_USUAL | (c->asserts ? VOCABULARY_FORMAT : 0));
    WEFT_TRY(
        add_resource(c, made, object ? weft_json_member(c->tape, token, "$schema") : 0, &number));
    return weft_schema_want(c, token, number);
}

static weft_status add_anchor(compiler *c, weft_schema_anchor made) {
    weft_schema *schema = c->schema;
    if (!weft_memory_reserve(schema->memory, &schema->anchors, sizeof(*schema->anchors),
                             &schema->anchor_capacity, schema->anchor_count + 1)) {
        return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, made.token, "");
    }
    schema->anchors[schema->anchor_count++] = made;
    return WEFT_OK;
}

static weft_status place_id(compiler *c, uint32_t node, const uint32_t *at) {
    weft_schema *schema = c->schema;
    uint32_t token = schema->nodes[node].token;
    weft_schema_resource made = schema->resources[schema->nodes[node].resource];
    span id;
    WEFT_TRY(read_text(c, at[SCHEMA_ID], &id));
    span fragment = cut_fragment(&id);
    if (id.length != 0) {
        int same = made.token == token; // a document whose $schema was already read
        WEFT_TRY(resolve(c, made.uri, id, at[SCHEMA_ID], &made.uri));
        made.token = token;
        made.recursive = 0;
        WEFT_TRY(
            add_resource(c, made, same ? 0 : at[SCHEMA_SCHEMA], &schema->nodes[node].resource));
    }
    if (fragment.length == 0) {
        return WEFT_OK;
    }
    uint32_t resource = schema->resources[schema->nodes[node].resource].token;
    return add_anchor(c,
                      (weft_schema_anchor){.resource = resource, .token = token, .name = fragment});
}

weft_status weft_schema_place(compiler *c, uint32_t node, const uint32_t *at) {
    static const weft_schema_op NAMES[] = {SCHEMA_ANCHOR, SCHEMA_DYNAMIC_ANCHOR};
    weft_schema *schema = c->schema;
    uint32_t draft = schema->resources[schema->nodes[node].resource].draft;
    if (at[SCHEMA_ID] != 0 && (draft != SCHEMA_DRAFT_7 || at[SCHEMA_REF] == 0)) {
        WEFT_TRY(place_id(c, node, at));
    }
    weft_schema_resource *in = &schema->resources[schema->nodes[node].resource];
    in->recursive |= in->draft == SCHEMA_DRAFT_2019 && in->token == schema->nodes[node].token &&
                     at[SCHEMA_RECURSIVE_ANCHOR] != 0 &&
                     weft_json_kind_of(c->tape, at[SCHEMA_RECURSIVE_ANCHOR]) == WEFT_JSON_TRUE;
    for (int i = 0; i < 2 && in->draft != SCHEMA_DRAFT_7; i++) {
        if (at[NAMES[i]] != 0) {
            weft_schema_anchor made = {
                .resource = in->token, .token = schema->nodes[node].token, .dynamic = i};
            WEFT_TRY(read_text(c, at[NAMES[i]], &made.name));
            WEFT_TRY(add_anchor(c, made));
        }
    }
    return WEFT_OK;
}

// ---- references

static uint32_t hex_digit(uint8_t letter) {
    return letter >= '0' && letter <= '9'                     ? letter - (uint32_t)'0'
           : (letter | 0x20) >= 'a' && (letter | 0x20) <= 'f' ? (letter | 0x20) - (uint32_t)'a' + 10
                                                              : 16;
}

// Returns the next byte of a pointer's token: decodes %xx, then ~0 and ~1.
static uint8_t next_byte(const uint8_t **at, const uint8_t *end, int tilde) {
    uint8_t byte = *(*at)++;
    if (byte == '%' && end - *at >= 2 && hex_digit((*at)[0]) < 16 && hex_digit((*at)[1]) < 16) {
        byte = (uint8_t)(hex_digit((*at)[0]) << 4 | hex_digit((*at)[1]));
        *at += 2;
    }
    if (byte == '~' && tilde && *at < end) {
        return next_byte(at, end, 0) == '1' ? '/' : '~';
    }
    return byte;
}

// Finds an item. The items before it count as steps; the next reference checks the budget.
static uint32_t item_at(compiler *c, uint32_t array, const uint8_t *digits, uint32_t length) {
    const weft_json_tape *tape = c->tape;
    uint32_t number = 0;
    uint32_t at = weft_json_first(tape, array);
    for (uint32_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9' || number > UINT32_MAX / 16) {
            return 0;
        }
        number = number * 10 + (digits[i] - (uint32_t)'0');
    }
    for (; at != weft_json_end(tape, array) && number != 0; number--) {
        at = weft_json_next(tape, at);
        c->steps++;
    }
    return length == 0 || at == weft_json_end(tape, array) ? 0 : at;
}

// Finds the value that the pointer names below `root`, NOTHING when there is none. `name` has room
// for the longest of its names.
static uint32_t follow_pointer(compiler *c, uint32_t root, span pointer, uint8_t *name) {
    const weft_json_tape *tape = c->tape;
    const uint8_t *at = pointer.at;
    const uint8_t *end = pointer.at + pointer.length;
    uint32_t here = root;
    while (at < end) {
        uint32_t length = 0;
        for (at++; at < end && *at != '/'; length++) {
            name[length] = next_byte(&at, end, 1);
        }
        if (weft_json_kind_of(tape, here) == WEFT_JSON_ARRAY) {
            here = item_at(c, here, name, length);
        } else if (!weft_json_find(tape, here, name, length, &here)) {
            return NOTHING;
        }
        if (here == 0) {
            return NOTHING;
        }
    }
    return here;
}

// Finds the number of the resource under this address, NOTHING when there is none.
static uint32_t find_resource(const weft_schema *schema, span uri) {
    for (uint32_t i = 0; i < schema->resource_count; i++) {
        if (weft_schema_same_text(schema->resources[i].uri, uri)) {
            return i;
        }
    }
    return NOTHING;
}

weft_status weft_schema_follow(compiler *c, uint32_t value, uint32_t resource, uint32_t *target,
                               uint32_t *anchor) {
    weft_schema *schema = c->schema;
    span uri;
    *target = NOTHING;
    *anchor = 0;
    WEFT_TRY(read_text(c, value, &uri));
    span fragment = cut_fragment(&uri);
    WEFT_TRY(spend(c, 1 + schema->resource_count + schema->anchor_count, value));
    if (uri.length != 0) {
        WEFT_TRY(resolve(c, schema->resources[resource].uri, uri, value, &uri));
        resource = find_resource(schema, uri);
    }
    if (resource == NOTHING) {
        uint32_t document = find_remote(c, uri);
        return document == 0 ? weft_schema_fail(c, WEFT_ERR_SCHEMA, value,
                                                "the reference names no document that is given")
                             : weft_schema_add_document(c, document, uri);
    }
    uint32_t root = schema->resources[resource].token;
    *target = root;
    if (fragment.length != 0 && fragment.at[0] == '/') {
        uint8_t *bytes = weft_arena_alloc(&schema->arena, fragment.length);
        if (bytes == NULL) {
            return weft_schema_fail(c, WEFT_ERR_NO_MEMORY, value, "");
        }
        *target = follow_pointer(c, root, fragment, bytes);
    } else if (fragment.length != 0) {
        *target = NOTHING;
        for (uint32_t i = 0; i < schema->anchor_count && *target == NOTHING; i++) {
            if (schema->anchors[i].resource == root &&
                weft_schema_same_text(schema->anchors[i].name, fragment)) {
                *target = schema->anchors[i].token;
                *anchor = i + 1;
            }
        }
    }
    return fragment.length == 0 || *target != NOTHING
               ? WEFT_OK
               : weft_schema_fail(c, WEFT_ERR_SCHEMA, value,
                                  "the reference names nothing inside this schema");
}
