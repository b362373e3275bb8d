// SPDX-License-Identifier: MIT
// Implements schema.h: messages, paths and filled texts.
#include <string.h>

#include "program.h"
#include "value/number.h"

#define MOST_POINTS 60
#define MOST_NAMES 20

static void put_count(weft_buffer *out, double count) {
    char text[WEFT_NUMBER_TEXT];
    weft_buffer_append(out, text, weft_number_write(count, text));
}

// Appends a string as JSON, cut after MOST_POINTS code points.
static void put_string(weft_buffer *out, const weft_json_tape *tape, uint32_t value) {
    uint8_t bytes[4 * MOST_POINTS + 4];
    uint32_t length = 0;
    weft_text text = weft_json_text(tape, value);
    for (int i = 0; i < MOST_POINTS && text.at < text.end; i++) {
        length += weft_text_encode(weft_text_next(&text), bytes + length);
    }
    if (text.at < text.end) {
        length += weft_text_encode(0x2026, bytes + length);
    }
    weft_json_write_string(bytes, length, out);
}

// Appends a value of the schema: scalars as JSON, containers by their kind.
static void put_value(weft_buffer *out, const weft_json_tape *tape, uint32_t value) {
    switch (weft_json_kind_of(tape, value)) {
    case WEFT_JSON_STRING:
        put_string(out, tape, value);
        return;
    case WEFT_JSON_ARRAY:
        weft_buffer_say(out, "an array of ");
        put_count(out, weft_json_count(tape, value));
        weft_buffer_say(out, weft_json_count(tape, value) == 1 ? " item" : " items");
        return;
    case WEFT_JSON_OBJECT:
        weft_buffer_say(out, "an object of ");
        put_count(out, weft_json_count(tape, value));
        weft_buffer_say(out, weft_json_count(tape, value) == 1 ? " property" : " properties");
        return;
    default:
        weft_json_write(tape, value, out);
        return;
    }
}

static void put_found(weft_buffer *out, const weft_json_tape *tape, uint32_t value) {
    weft_json_kind kind = weft_json_kind_of(tape, value);
    weft_buffer_say(out, kind == WEFT_JSON_STRING   ? "string "
                         : kind == WEFT_JSON_NUMBER ? "number "
                                                    : "");
    put_value(out, tape, value);
}

// Appends items of an array, or keys of an object, as a list.
static void put_list(weft_buffer *out, const weft_json_tape *tape, uint32_t list,
                     const char *last) {
    int keys = weft_json_kind_of(tape, list) == WEFT_JSON_OBJECT;
    uint32_t count = weft_json_count(tape, list);
    uint32_t at = weft_json_first(tape, list);
    for (uint32_t i = 0; i < count; i++) {
        weft_buffer_say(out, i == 0 ? "" : i + 1 == count ? last : ", ");
        if (i == MOST_NAMES) {
            weft_buffer_say(out, "\xe2\x80\xa6");
            return;
        }
        put_value(out, tape, at);
        at = weft_json_next(tape, at + (keys ? 1 : 0));
    }
}

static void put_types(weft_buffer *out, const weft_json_tape *tape, uint32_t types) {
    if (weft_json_kind_of(tape, types) == WEFT_JSON_STRING) {
        weft_json_string_decode(tape, types, out);
        return;
    }
    for (uint32_t at = weft_json_first(tape, types); at != weft_json_end(tape, types);
         at = weft_json_next(tape, at)) {
        weft_buffer_say(out, at == weft_json_first(tape, types) ? "" : " or ");
        weft_json_string_decode(tape, at, out);
    }
}

static const char EXPECTED[] = {
#define X(name, text, argument, drafts, vocabulary, expected) expected "\0"
#include "keywords.def"
#undef X
    "no value" // SCHEMA_NOTHING
};

static void put_allowed(weft_buffer *out, const weft_json_tape *schema, uint32_t keyword) {
    // `properties` is beside additionalProperties, in the object that contains it.
    uint32_t around = 0;
    for (uint32_t at = 0; at < keyword;) {
        around = weft_json_end(schema, at) > keyword ? at : around;
        at = weft_json_end(schema, at) > keyword ? at + 1 : weft_json_next(schema, at);
    }
    uint32_t properties = weft_json_member(schema, around, "properties");
    if (properties == 0 || weft_json_count(schema, properties) == 0) {
        weft_buffer_say(out, "no other property");
        return;
    }
    weft_buffer_say(out, "only the properties ");
    put_list(out, schema, properties, " and ");
}

static void put_expected(weft_buffer *out, const weft_json_tape *schema,
                         const weft_schema_problem *problem, weft_schema_op op) {
    uint32_t value = problem->keyword + 1;
    const char *text = EXPECTED;
    if (op == SCHEMA_TYPE) {
        put_types(out, schema, value);
        return;
    }
    if (op == SCHEMA_ENUM) {
        weft_buffer_say(out, weft_json_count(schema, value) > 1 ? "one of " : "");
        put_list(out, schema, value, " or ");
        return;
    }
    if (op == SCHEMA_ADDITIONAL_PROPERTIES) {
        put_allowed(out, schema, problem->keyword);
        return;
    }
    for (uint32_t i = 0; i < op; i++) {
        text += strlen(text) + 1;
    }
    for (; *text != '\0'; text++) {
        if (*text == '%') {
            put_value(out, schema, value);
        } else if (*text == '@') {
            put_string(out, schema, problem->detail);
        } else if (*text == '#') {
            put_count(out, weft_json_count(schema, value));
        } else {
            weft_buffer_append(out, text, 1);
        }
    }
}

static void put_what_was_found(weft_buffer *out, const weft_json_tape *tape,
                               const weft_schema_problem *problem, weft_schema_op op) {
    switch (op) {
    case SCHEMA_MAX_LENGTH:
    case SCHEMA_MIN_LENGTH:
    case SCHEMA_MAX_ITEMS:
    case SCHEMA_MIN_ITEMS:
    case SCHEMA_MAX_PROPERTIES:
    case SCHEMA_MIN_PROPERTIES:
    case SCHEMA_CONTAINS:
        put_count(out, problem->detail);
        return;
    case SCHEMA_REQUIRED:
    case SCHEMA_DEPENDENT_REQUIRED:
    case SCHEMA_DEPENDENCIES:
        weft_buffer_say(out, "none");
        return;
    case SCHEMA_ADDITIONAL_PROPERTIES:
        put_string(out, tape, problem->detail);
        return;
    case SCHEMA_UNIQUE_ITEMS:
        weft_buffer_say(out, "twice ");
        put_found(out, tape, problem->detail);
        return;
    default:
        put_found(out, tape, problem->value);
        weft_buffer_say(out,
                        op == SCHEMA_ONE_OF && problem->detail == 2 ? ", which fits several" : "");
        return;
    }
}

void weft_schema_write_path(const weft_json_tape *tape, uint32_t from, uint32_t token,
                            weft_buffer *out) {
    uint32_t at = from;
    while (at != token) {
        int object = weft_json_kind_of(tape, at) == WEFT_JSON_OBJECT;
        uint32_t child = weft_json_first(tape, at);
        uint32_t number = 0;
        while (weft_json_end(tape, object ? child + 1 : child) <= token) {
            child = weft_json_next(tape, object ? child + 1 : child);
            number++;
        }
        weft_buffer_say(out, "/");
        if (!object) {
            put_count(out, number);
            at = child;
            continue;
        }
        for (weft_text text = weft_json_text(tape, child); text.at < text.end;) {
            uint8_t bytes[4];
            uint32_t point = weft_text_next(&text);
            if (point == '~' || point == '/') {
                weft_buffer_say(out, point == '~' ? "~0" : "~1");
            } else {
                weft_buffer_append(out, bytes, weft_text_encode(point, bytes));
            }
        }
        at = child == token ? child : child + 1;
    }
}

void weft_schema_write_keyword(const weft_schema *schema, const weft_schema_result *result,
                               const weft_schema_problem *problem, weft_buffer *out) {
    uint32_t from = schema->root;
    for (uint32_t i = 0; i < problem->hop_count; i++) {
        const weft_schema_hop *hop = &result->hops[problem->hops + i];
        weft_schema_write_path(&schema->tape, from, hop->reference, out);
        from = hop->node;
    }
    weft_schema_write_path(&schema->tape, from, problem->keyword, out);
}

void weft_schema_write_address(const weft_schema *schema, const weft_schema_problem *problem,
                               weft_buffer *out) {
    const weft_schema_resource *in =
        &schema->resources[weft_schema_resource_around(schema, problem->keyword)];
    if (in->uri.length != 0) {
        weft_buffer_append(out, in->uri.at, in->uri.length);
        weft_buffer_say(out, "#");
        weft_schema_write_path(&schema->tape, in->token, problem->keyword, out);
    }
}

void weft_schema_write_finding(const weft_schema *schema, const weft_json_tape *tape,
                               const weft_schema_problem *problem, weft_buffer *out) {
    weft_schema_op op = weft_schema_op_of(&schema->tape, problem->keyword);
    weft_buffer_say(out, "expected ");
    put_expected(out, &schema->tape, problem, op);
    weft_buffer_say(out, ", found ");
    put_what_was_found(out, tape, problem, op);
}

void weft_schema_write_problem(const weft_schema *schema, const weft_json_tape *tape,
                               const weft_schema_problem *problem, weft_buffer *out) {
    if (problem->value == 0) {
        weft_buffer_say(out, "(root)");
    }
    weft_schema_write_path(tape, 0, problem->value, out);
    weft_buffer_say(out, ": ");
    weft_schema_write_finding(schema, tape, problem, out);
}

void weft_schema_write_problems(const weft_schema *schema, const weft_json_tape *tape,
                                const weft_schema_result *result, weft_buffer *out) {
    for (uint32_t i = 0; i < result->problem_count; i++) {
        weft_buffer_say(out, i == 0 ? "" : "\n");
        weft_schema_write_problem(schema, tape, &result->problems[i], out);
    }
}

typedef struct filling {
    const weft_schema *schema;
    const weft_json_tape *tape;
    const weft_schema_result *result;
} filling;

static void put_fills(void *context, uint32_t end, int comma, weft_buffer *out) {
    const filling *with = context;
    for (uint32_t i = 0; i < with->result->fill_count; i++) {
        const weft_schema_fill *fill = &with->result->fills[i];
        const weft_json_token *object = &with->tape->tokens[fill->object];
        if (object->offset + object->length == end) {
            weft_buffer_say(out, comma ? "," : "");
            weft_json_write(&with->schema->tape, fill->key, out);
            weft_buffer_say(out, ":");
            weft_json_write(&with->schema->tape, fill->value, out);
            comma = 1;
        }
    }
}

void weft_schema_write_filled(const weft_schema *schema, const weft_json_tape *tape, uint32_t root,
                              const weft_schema_result *result, weft_buffer *out) {
    filling with = {schema, tape, result};
    weft_json_write_more(tape, root, put_fills, &with, out);
}
