// SPDX-License-Identifier: MIT
// Inside of a plan: one call as read from the batch, and what the texts of a refusal need. Private
// to this folder.
#ifndef WEFT_PREBUILT_CALL_H
#define WEFT_PREBUILT_CALL_H

#include "toolset.h"

// Calls of one message that are run; those behind them are refused.
#define WEFT_CALL_MOST 1000u

typedef struct weft_tool_call {
    uint32_t flags; // WEFT_CALL_*
    weft_log_text name, id, arguments;
} weft_tool_call;

// Append the text of a refusal. Of the call itself: no tool has the name, the id is taken, too many
// stand before it.
void weft_call_write_unknown(const weft_tool_call *call, weft_buffer *out);
void weft_call_write_twice(const weft_tool_call *call, weft_buffer *out);
void weft_call_write_many(weft_buffer *out);

// Of its arguments: no usable JSON, no object, what does not fit the schema.
void weft_call_write_json(const weft_json_error *error, const weft_json_limits *limits,
                          weft_buffer *out);
void weft_call_write_kind(weft_json_kind kind, weft_buffer *out);
void weft_call_write_problems(const weft_schema *schema, const weft_json_tape *tape,
                              const weft_schema_result *result, weft_buffer *out);

#endif
