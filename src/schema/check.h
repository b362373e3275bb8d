// SPDX-License-Identifier: MIT
// A compiled schema with everything to check texts repeatedly: JSON text in, a block of verdict,
// problems and questions out (wasm/README.md, "Schemas"). Owns its schema, the tape's memory and
// the last block. Does not depend on tools.
#ifndef WEFT_SCHEMA_CHECK_H
#define WEFT_SCHEMA_CHECK_H

#include "schema.h"

typedef struct weft_checker {
    weft_memory *memory;
    weft_schema *schema;
    weft_json_tape tape;
    weft_schema_result result;
    weft_schema_question *answers;
    uint32_t answer_capacity;
    weft_buffer block;
} weft_checker;

// Makes a checker from the wrapped schema in `text` (see weft_schema_source); fails as
// weft_schema_compile, with `*checker` NULL.
weft_status weft_checker_new(weft_memory *memory, const void *text, size_t length,
                             weft_checker **checker, weft_schema_error *error);
void weft_checker_free(weft_checker *checker);

// Checks `text`: returns 1 when it is valid and needs no defaults, 0 when the block has more, or
// NO_MEMORY. `seed` seeds the text's key index; `answers` are {pattern, value, 0 | 1} of earlier
// questions.
int weft_checker_check(weft_checker *checker, const void *text, uint32_t length, uint32_t flags,
                       uint32_t seed, const uint32_t *answers, uint32_t answer_count);

#endif
