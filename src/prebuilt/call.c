// SPDX-License-Identifier: MIT
// Implements call.h: texts of refusals.
#include "call.h"

#define LONGEST_NAME 256u
#define MISMATCH "Received tool input did not match expected schema"

// Appends the model's own text, clipped to LONGEST_NAME bytes.
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

void weft_call_write_many(weft_buffer *out) {
    weft_buffer_say(out, "Only the first ");
    weft_buffer_decimal(out, WEFT_CALL_MOST);
    weft_buffer_say(out, " tool calls of a message are run.");
}

void weft_call_write_json(const weft_json_error *error, const weft_json_limits *limits,
                          weft_buffer *out) {
    const char *before = "are not valid JSON at byte ";
    const char *after = "";
    switch (error->status) {
    case WEFT_ERR_JSON_DEPTH:
        before = "are nested deeper than ";
        after = " levels";
        break;
    case WEFT_ERR_JSON_SIZE:
        before = "are larger than ";
        after = " bytes";
        break;
    case WEFT_ERR_JSON_NODES:
        before = "hold more than ";
        after = " values";
        break;
    case WEFT_ERR_JSON_NUMBER:
        before = "hold a number that is not finite at byte ";
        break;
    case WEFT_ERR_JSON_KEY:
        before = "hold a key that is not allowed at byte ";
        break;
    case WEFT_ERR_JSON_UTF8:
        before = "are not valid UTF-8 at byte ";
        break;
    default:
        break;
    }
    weft_buffer_say(out, "Tool arguments ");
    weft_buffer_say(out, before);
    weft_buffer_decimal(out, weft_json_error_number(limits, error));
    weft_buffer_say(out, after);
    weft_buffer_say(out, error->reason[0] == 0 ? "" : ": ");
    weft_buffer_say(out, error->reason);
    weft_buffer_say(out, ".");
}

void weft_call_write_kind(weft_json_kind kind, weft_buffer *out) {
    static const char *const names[] = {"null",     "a boolean", "a boolean",
                                        "a number", "a string",  "an array"};
    weft_buffer_say(out, MISMATCH "\n\n\xe2\x9c\x96 expected an object, found ");
    weft_buffer_say(out, names[kind]);
}

void weft_call_write_problems(const weft_schema *schema, const weft_json_tape *tape,
                              const weft_schema_result *result, weft_buffer *out) {
    weft_buffer_say(out, MISMATCH "\n");
    for (uint32_t i = 0; i < result->problem_count; i++) {
        weft_buffer_say(out, "\n\xe2\x9c\x96 ");
        weft_schema_write_problem(schema, tape, &result->problems[i], out);
    }
}
