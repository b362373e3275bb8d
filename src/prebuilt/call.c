// SPDX-License-Identifier: MIT
#include <string.h>

#include "call.h"

#define LONGEST_NAME 256u
#define MISMATCH "Received tool input did not match expected schema"

void weft_call_write(const char *text, weft_buffer *out) { weft_buffer_append(out, text, (uint32_t)strlen(text)); }

static void put_count(uint32_t count, weft_buffer *out) {
    char digits[10];
    uint32_t at = sizeof(digits);
    do {
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count != 0);
    weft_buffer_append(out, digits + at, (uint32_t)sizeof(digits) - at);
}

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
        weft_call_write("\xe2\x80\xa6", out);
    }
}

void weft_call_write_unknown(const weft_tool_call *call, weft_buffer *out) {
    weft_call_write("Tool \"", out);
    put_clipped(call->name, out);
    weft_call_write("\" not found.", out);
}

void weft_call_write_twice(const weft_tool_call *call, weft_buffer *out) {
    weft_call_write("The id \"", out);
    put_clipped(call->id, out);
    weft_call_write("\" belongs to an earlier tool call of the same message.", out);
}

static void put_place(const char *text, const weft_json_error *error, weft_buffer *out) {
    weft_call_write(text, out);
    weft_call_write(" at byte ", out);
    put_count(error->offset, out);
    if (error->reason != NULL && error->reason[0] != 0) {
        weft_call_write(": ", out);
        weft_call_write(error->reason, out);
    }
    weft_call_write(".", out);
}

static void put_limit(const char *before, uint32_t limit, const char *after, weft_buffer *out) {
    weft_call_write(before, out);
    put_count(limit, out);
    weft_call_write(after, out);
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
    weft_call_write(MISMATCH "\n\n\xe2\x9c\x96 expected an object, found ", out);
    weft_call_write(names[kind], out);
}

void weft_call_write_problems(const weft_schema *schema, const weft_json_tape *tape, const weft_schema_result *result,
                              weft_buffer *out) {
    weft_call_write(MISMATCH "\n", out);
    for (uint32_t i = 0; i < result->problem_count; i++) {
        weft_call_write("\n\xe2\x9c\x96 ", out);
        weft_schema_write_problem(schema, tape, &result->problems[i], out);
    }
}
