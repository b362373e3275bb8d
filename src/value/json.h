// SPDX-License-Identifier: MIT
// The strict JSON reader, the only entry for JSON text from outside. One pass, no recursion, RFC
// 8259 and UTF-8, limits, no duplicate keys, no U+0000 in keys, no number that is not finite. Keeps
// lone surrogates (as escapes) and U+0000 in values. Fills the caller's tape.
#ifndef WEFT_VALUE_JSON_H
#define WEFT_VALUE_JSON_H

#include "tape.h"

typedef struct weft_json_limits {
    uint32_t max_bytes;
    uint32_t max_depth; // nesting of arrays and objects
    uint32_t max_nodes; // values, keys not counted
    uint64_t seed;      // seed of the key index; from the host's entropy for untrusted text
} weft_json_limits;

// Limits of tool arguments (2 MiB, depth 128, 100,000 values) and of imports (16 MiB, 128,
// 2,000,000).
static inline weft_json_limits weft_json_argument_limits(uint64_t seed) {
    return (weft_json_limits){
        .max_bytes = 2u << 20, .max_depth = 128, .max_nodes = 100000, .seed = seed};
}
static inline weft_json_limits weft_json_import_limits(uint64_t seed) {
    return (weft_json_limits){
        .max_bytes = 16u << 20, .max_depth = 128, .max_nodes = 2000000, .seed = seed};
}

typedef struct weft_json_error {
    weft_status status;
    uint32_t offset;    // of the first offending byte
    const char *reason; // static text, "" where the status says everything
} weft_json_error;

// Reads `length` bytes of text into `tape` (initialised; its old contents are dropped, its capacity
// is kept). The text must live as long as the tape is read. Returns WEFT_OK, or a code of the JSON
// band or WEFT_ERR_NO_MEMORY with `*error` (may be NULL) filled and the tape empty.
weft_status weft_json_read(weft_json_tape *tape, const void *text, size_t length,
                           const weft_json_limits *limits, weft_json_error *error);

// Returns the number in the message of a JSON error: the exceeded limit, or the byte offset.
uint32_t weft_json_error_number(const weft_json_limits *limits, const weft_json_error *error);

#endif
