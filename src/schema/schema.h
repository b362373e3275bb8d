// SPDX-License-Identifier: MIT
// JSON Schema: compiled once to a flat program, run over a token tape without recursion and within
// a step budget. Owns its copy of the schema's text and everything compiled from it; borrows the
// validated tape during the call only. Does not depend on tools or messages. Drafts 7, 2019-09 and
// 2020-12 differ by their tables of keywords.
#ifndef WEFT_SCHEMA_SCHEMA_H
#define WEFT_SCHEMA_SCHEMA_H

#include "pattern.h"

typedef struct weft_schema weft_schema;

typedef struct weft_schema_error {
    weft_status status;
    weft_json_error json; // of a text that is not JSON
    uint32_t offset;      // in the schema's text: the keyword or value that cannot be used
    uint32_t token;       // its token
    const char *reason;   // static text
    weft_buffer *where;   // NULL, or receives the variable part of the message: the JSON Pointer of
                          // the token for SCHEMA and PATTERN, a number for the JSON codes and
                          // SCHEMA_BUDGET, nothing for NO_MEMORY
} weft_schema_error;

typedef struct weft_schema_source {
    uint64_t seed; // of the schema's key index
    const weft_pattern_letters
        *letters; // of a text that is not wrapped; NULL = none. Borrowed during the call
    int wrapped;  // the text is {"schema", "draft"?: 7 | 2019 | 2020, "remotes"?: {uri: schema},
                  // "formats"?: {name: pattern | null = ask the host}, "assert"?: true, "letters"?:
                  // see pattern.h}
} weft_schema_source;

// Compiles the schema in `text` (copied). WEFT_OK, a JSON code, WEFT_ERR_SCHEMA,
// WEFT_ERR_SCHEMA_BUDGET, WEFT_ERR_PATTERN or WEFT_ERR_NO_MEMORY; on failure `*schema` is NULL and
// `*error` (may be NULL, else `where` is read) filled. `$schema` chooses the draft, 2020-12 without
// it; references can only name schemas in the text and its remotes.
weft_status weft_schema_compile(weft_memory *memory, const void *text, size_t length,
                                const weft_schema_source *source, weft_schema **schema,
                                weft_schema_error *error);
void weft_schema_free(weft_schema *schema);

typedef struct weft_schema_problem {
    uint32_t value;           // token of the value (or key) that does not fit
    uint32_t keyword;         // token of the keyword in the schema
    uint32_t detail;          // more data for the message, by keyword
    uint32_t hops, hop_count; // in the result's hops: the references that led to the keyword
} weft_schema_problem;

// A followed reference: from the subschema `node` (token) by the keyword `reference` below it.
typedef struct weft_schema_hop {
    uint32_t node, reference;
} weft_schema_hop;

// A format that only the host can check: ask it and validate again with the answer.
typedef struct weft_schema_question {
    uint32_t pattern; // token of the format's name in the schema
    uint32_t value;   // token of the string or key in the validated tape
    int answer;       // 1: fits, 0: does not
} weft_schema_question;

// A member that `default` adds to an object.
typedef struct weft_schema_fill {
    uint32_t object; // token in the validated tape
    uint32_t key;    // token in the schema; its property's schema follows it
    uint32_t value;  // token in the schema
} weft_schema_fill;

typedef struct weft_schema_options {
    uint32_t max_steps;    // 0: 1,000,000
    uint32_t max_problems; // 0: 16
    int fill; // record defaults of absent properties; such a property counts as present
    const weft_schema_question *answers;
    uint32_t answer_count;
} weft_schema_options;

typedef struct weft_schema_result {
    weft_memory *memory;
    int valid; // valid after WEFT_OK only
    weft_schema_problem *problems;
    uint32_t problem_count, problem_capacity;
    weft_schema_hop *hops;
    uint32_t hop_count, hop_capacity;
    weft_schema_question *questions;
    uint32_t question_count, question_capacity;
    weft_schema_fill *fills;
    uint32_t fill_count, fill_capacity;
    struct weft_schema_frame *frames; // the validator's stack, kept for the next validation
    uint32_t frame_capacity;
} weft_schema_result;

// Init takes no memory yet; fini frees what the result took.
void weft_schema_result_init(weft_schema_result *result, weft_memory *memory);
void weft_schema_result_fini(weft_schema_result *result);

// Validates value `root` of `tape`. `options` may be NULL. WEFT_OK with the verdict in `result`
// (whose old contents are dropped), WEFT_ERR_SCHEMA_BUDGET, WEFT_ERR_NEEDS_HOST with the questions,
// or WEFT_ERR_NO_MEMORY.
weft_status weft_schema_validate(const weft_schema *schema, const weft_json_tape *tape,
                                 uint32_t root, const weft_schema_options *options,
                                 weft_schema_result *result);

// Appends a message for a person or a model to correct the value: `/path: expected …, found …` for
// one problem.
void weft_schema_write_problem(const weft_schema *schema, const weft_json_tape *tape,
                               const weft_schema_problem *problem, weft_buffer *out);
// As weft_schema_write_problem, without the path: `expected …, found …`.
void weft_schema_write_finding(const weft_schema *schema, const weft_json_tape *tape,
                               const weft_schema_problem *problem, weft_buffer *out);
// Appends all problems, joined by "\n".
void weft_schema_write_problems(const weft_schema *schema, const weft_json_tape *tape,
                                const weft_schema_result *result, weft_buffer *out);

// Appends the JSON Pointer from the value `from` of `tape` to `token` inside it.
void weft_schema_write_path(const weft_json_tape *tape, uint32_t from, uint32_t token,
                            weft_buffer *out);

// Append the location of a problem's keyword: the path through the references that led to it
// ("/items/$ref/type"), and its address (nothing when the schema has none).
void weft_schema_write_keyword(const weft_schema *schema, const weft_schema_result *result,
                               const weft_schema_problem *problem, weft_buffer *out);
void weft_schema_write_address(const weft_schema *schema, const weft_schema_problem *problem,
                               weft_buffer *out);

// Returns the schema's own tape, borrowed, for the JSON Pointer of a problem's keyword and the name
// of a format.
const weft_json_tape *weft_schema_tape(const weft_schema *schema);

// Appends the canonical text of `root` with the members that the result's fills add, in the
// schema's order.
void weft_schema_write_filled(const weft_schema *schema, const weft_json_tape *tape, uint32_t root,
                              const weft_schema_result *result, weft_buffer *out);

#endif
