// SPDX-License-Identifier: MIT
// Implements compiler.h: looks up keywords by name.
#include "compiler.h"

// All names, each NUL-terminated.
static const char NAMES_OF_KEYWORDS[] = {
#define X(name, text, argument, drafts, vocabulary, expected) text "\0"
#include "keywords.def"
#undef X
};

weft_schema_op weft_schema_op_of(const weft_json_tape *tape, uint32_t token) {
    if (weft_json_kind_of(tape, token) == WEFT_JSON_FALSE) {
        return SCHEMA_NOTHING;
    }
    const char *name = NAMES_OF_KEYWORDS;
    for (uint32_t i = 0; i < SCHEMA_OPS; i++) {
        uint32_t length = (uint32_t)strlen(name);
        if (weft_json_string_is(tape, token, name, length)) {
            return (weft_schema_op)i;
        }
        name += length + 1;
    }
    return SCHEMA_UNKNOWN;
}

// Returns a name's slot in the index: a hash of its length and outer letters. No slot has more than
// two names.
static uint32_t place_of(const uint8_t *text, uint32_t length) {
    return (length + 10u * text[1] + (text + length)[-1]) % WEFT_SCHEMA_PLACES;
}

void weft_schema_index_keywords(weft_schema_compiler *c) {
    const char *name = NAMES_OF_KEYWORDS;
    for (uint32_t i = 0; i < SCHEMA_OPS; i++) {
        uint32_t length = (uint32_t)strlen(name);
        uint8_t *first = &c->first[place_of((const uint8_t *)name, length)];
        c->names[i] = name;
        name += length + 1;
        c->next[i] = *first;
        *first = (uint8_t)(i + 1);
    }
}

uint64_t weft_schema_read_keywords(const weft_schema_compiler *c, uint32_t object, uint32_t *at) {
    const weft_json_tape *tape = c->tape;
    uint64_t seen = 0;
    for (uint32_t key = weft_json_first(tape, object); key != weft_json_end(tape, object);
         key = weft_json_next(tape, key + 1)) {
        const weft_json_token *token = &tape->tokens[key];
        if ((token->flags & WEFT_JSON_ESCAPED) != 0) {
            weft_schema_op op = weft_schema_op_of(tape, key);
            if (op != SCHEMA_UNKNOWN) {
                at[op] = key + 1;
                seen |= UINT64_C(1) << op;
            }
            continue;
        }
        const uint8_t *name = tape->text + token->offset + 1;
        uint32_t length = token->length - 2;
        for (uint32_t i = c->first[place_of(name, length)]; i != 0; i = c->next[i - 1]) {
            if (strncmp(c->names[i - 1], (const char *)name, length) == 0 &&
                c->names[i - 1][length] == '\0') {
                at[i - 1] = key + 1;
                seen |= UINT64_C(1) << (i - 1);
                break;
            }
        }
    }
    return seen;
}
