// SPDX-License-Identifier: MIT
// T11: a hostile schema and a hostile value, one text each, parted by the first line feed. Nothing but typed errors, the
// same verdict twice, problems exactly when the value is not valid, and filled text that is JSON.
#include <stdlib.h>
#include <string.h>

#include "schema/schema.h"

static void *take(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(block, new_size);
}

static void give(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

static void demand(int holds) {
    if (!holds) {
        abort();
    }
}

static void check_texts(const weft_schema *schema, const weft_json_tape *tape, const weft_schema_result *result) {
    weft_buffer text;
    weft_json_tape filled;
    weft_json_limits limits = weft_json_import_limits(1);
    weft_json_init(&filled, tape->memory);
    weft_buffer_init(&text, tape->memory);
    weft_schema_write_problems(schema, tape, result, &text);
    demand((text.length == 0) == (result->problem_count == 0));
    for (uint32_t i = 0; i < result->problem_count; i++) {
        weft_schema_write_path(weft_schema_tape(schema), result->problems[i].keyword, &text);
    }
    weft_buffer_clear(&text);
    weft_schema_write_filled(schema, tape, 0, result, &text);
    weft_status status = weft_json_read(&filled, text.bytes, text.length, &limits, NULL);
    demand(status == WEFT_OK || status == WEFT_ERR_JSON_DEPTH);
    weft_json_fini(&filled);
    weft_buffer_fini(&text);
}

static void validate(const weft_schema *schema, const weft_json_tape *tape) {
    weft_schema_result result;
    weft_schema_options options = {.fill = 1, .max_steps = 100000};
    weft_schema_result_init(&result, tape->memory);
    weft_status status = weft_schema_validate(schema, tape, 0, &options, &result);
    demand(status == WEFT_OK || status == WEFT_ERR_SCHEMA_BUDGET || status == WEFT_ERR_NEEDS_HOST);
    if (status == WEFT_OK) {
        int valid = result.valid;
        demand(valid == (result.problem_count == 0));
        check_texts(schema, tape, &result);
        demand(weft_schema_validate(schema, tape, 0, &options, &result) == WEFT_OK && result.valid == valid);
    }
    weft_schema_result_fini(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    weft_memory memory = {.alloc = take, .resize = resize, .release = give, .budget = 64u << 20};
    const uint8_t *cut = size == 0 ? NULL : memchr(data, '\n', size);
    weft_schema *schema;
    if (cut == NULL) {
        return 0;
    }
    size_t first = (size_t)(cut - data);
    weft_status status = weft_schema_compile(&memory, data, first, &(weft_schema_source){.seed = 5}, &schema, NULL);
    demand((status == WEFT_OK) == (schema != NULL) && status != WEFT_ERR_NO_MEMORY);
    if (status == WEFT_OK) {
        weft_json_limits limits = weft_json_argument_limits(7);
        weft_json_tape tape;
        weft_json_init(&tape, &memory);
        if (weft_json_read(&tape, cut + 1, size - first - 1, &limits, NULL) == WEFT_OK) {
            validate(schema, &tape);
        }
        weft_json_fini(&tape);
    }
    weft_schema_free(schema);
    demand(memory.live == 0);
    return 0;
}
