// SPDX-License-Identifier: MIT
#include "call.h"

#define LONGEST_NAME 256u
#define MISMATCH "Received tool input did not match expected schema"

// A model's own words go back to it, but not without end.
static void put_clipped(weft_log_text text, weft_buffer *out) {
    uint32_t length = text.length;
    if (length > LONGEST_NAME) {
        length = LONGEST_NAME;
        while (length > 0 && (text.bytes[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    weft_buffer_append(out, text.bytes, length);
    if (length < text.length) {
        weft_buffer_say(out, "\xe2\x80\xa6");
    }
}

void weft_call_write_unknown(const weft_tool_call *call, weft_buffer *out) {
    weft_buffer_say(out, "Tool \"");
    put_clipped(call->name, out);
    weft_buffer_say(out, "\" not found.");
}

void weft_call_write_twice(const weft_tool_call *call, weft_buffer *out) {
    weft_buffer_say(out, "The id \"");
    put_clipped(call->id, out);
    weft_buffer_say(out, "\" belongs to an earlier tool call of the same message.");
}

static void put_place(const char *text, const weft_json_error *error, weft_buffer *out) {
    weft_buffer_say(out, text);
    weft_buffer_say(out, " at byte ");
    weft_buffer_decimal(out, error->offset);
    if (error->reason != NULL && error->reason[0] != 0) {
        weft_buffer_say(out, ": ");
        weft_buffer_say(out, error->reason);
    }
    weft_buffer_say(out, ".");
}

static void put_limit(const char *before, uint32_t limit, const char *after, weft_buffer *out) {
    weft_buffer_say(out, before);
    weft_buffer_decimal(out, limit);
    weft_buffer_say(out, after);
}

void weft_call_write_json(const weft_json_error *error, const weft_json_limits *limits, weft_buffer *out) {
    switch (error->status) {
    case WEFT_ERR_JSON_DEPTH:
        put_limit("Tool arguments are nested deeper than ", limits->max_depth, " levels.", out);
        return;
    case WEFT_ERR_JSON_SIZE:
        put_limit("Tool arguments are larger than ", limits->max_bytes, " bytes.", out);
        return;
    case WEFT_ERR_JSON_NODES:
        put_limit("Tool arguments hold more than ", limits->max_nodes, " values.", out);
        return;
    case WEFT_ERR_JSON_NUMBER:
        put_place("Tool arguments hold a number that is not finite", error, out);
        return;
    case WEFT_ERR_JSON_KEY:
        put_place("Tool arguments hold a key that is not allowed", error, out);
        return;
    case WEFT_ERR_JSON_UTF8:
        put_place("Tool arguments are not valid UTF-8", error, out);
        return;
    default:
        put_place("Tool arguments are not valid JSON", error, out);
        return;
    }
}

void weft_call_write_kind(weft_json_kind kind, weft_buffer *out) {
    static const char *const names[] = {"null", "a boolean", "a boolean", "a number", "a string", "an array"};
    weft_buffer_say(out, MISMATCH "\n\n\xe2\x9c\x96 expected an object, found ");
    weft_buffer_say(out, names[kind]);
}

void weft_call_write_problems(const weft_schema *schema, const weft_json_tape *tape, const weft_schema_result *result,
                              weft_buffer *out) {
    weft_buffer_say(out, MISMATCH "\n");
    for (uint32_t i = 0; i < result->problem_count; i++) {
        weft_buffer_say(out, "\n\xe2\x9c\x96 ");
        weft_schema_write_problem(schema, tape, &result->problems[i], out);
    }
}
