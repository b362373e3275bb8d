// SPDX-License-Identifier: MIT
// One tool call as read from the batch, and the texts of refusals. Private to this folder.
#ifndef WEFT_PREBUILT_CALL_H
#define WEFT_PREBUILT_CALL_H

#include "toolset.h"

// Max calls of one message that run; later ones are refused.
#define WEFT_CALL_MOST 1000u

typedef struct weft_tool_call {
    uint32_t flags; // WEFT_CALL_*
    weft_log_text name, id, arguments;
} weft_tool_call;

// Append the text of a refused call: unknown tool, id already used, too many calls.
void weft_call_write_unknown(const weft_tool_call *call, weft_buffer *out);
void weft_call_write_twice(const weft_tool_call *call, weft_buffer *out);
void weft_call_write_many(weft_buffer *out);

// Append the text of refused arguments: no valid JSON, no object, a mismatch with the schema.
void weft_call_write_json(const weft_json_error *error, const weft_json_limits *limits,
                          weft_buffer *out);
void weft_call_write_kind(weft_json_kind kind, weft_buffer *out);
void weft_call_write_problems(const weft_schema *schema, const weft_json_tape *tape,
                              const weft_schema_result *result, weft_buffer *out);

#endif
