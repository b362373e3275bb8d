// SPDX-License-Identifier: MIT
// Inside of a plan: one call as read from the batch, and what the texts of a refusal need. Private to this room.
#ifndef WEFT_PREBUILT_CALL_H
#define WEFT_PREBUILT_CALL_H

#include "toolset.h"

typedef struct weft_tool_call {
    uint32_t flags; // WEFT_CALL_*
    weft_log_text name, id, arguments;
} weft_tool_call;

// Append the text of a refusal: of the call itself, of arguments that are no usable JSON, of arguments that are no
// object, and of arguments that do not fit the schema.
void weft_call_write_unknown(const weft_tool_call *call, weft_buffer *out);
void weft_call_write_json(const weft_json_error *error, const weft_json_limits *limits, weft_buffer *out);
void weft_call_write_kind(weft_json_kind kind, weft_buffer *out);
void weft_call_write_problems(const weft_schema *schema, const weft_json_tape *tape, const weft_schema_result *result,
                              weft_buffer *out);
void weft_call_write_twice(const weft_tool_call *call, weft_buffer *out);

#endif
