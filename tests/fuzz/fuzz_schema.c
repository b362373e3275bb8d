// SPDX-License-Identifier: MIT
// T11: a hostile schema and a hostile value, one text each, parted by the first line feed. The
// schema is taken bare, as a tool's, and wrapped, with documents and formats. Nothing but typed
// errors, the same verdict twice, problems exactly when the value is not valid, filled text that is
// JSON, and questions that end when they are answered.
#include "fuzz.h"
#include "schema/check.h"

#define MOST_ANSWERS 1000

static void check_texts(const weft_schema *schema, const weft_json_tape *tape,
                        const weft_schema_result *result) {
    weft_buffer text;
    weft_json_tape filled;
    weft_json_limits limits = weft_json_import_limits(1);
    weft_json_init(&filled, tape->memory);
    weft_buffer_init(&text, tape->memory);
    weft_schema_write_problems(schema, tape, result, &text);
    demand((text.length == 0) == (result->problem_count == 0));
    for (uint32_t i = 0; i < result->problem_count; i++) {
        weft_schema_write_keyword(schema, result, &result->problems[i], &text);
        weft_schema_write_address(schema, &result->problems[i], &text);
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
        demand(weft_schema_validate(schema, tape, 0, &options, &result) == WEFT_OK &&
               result.valid == valid);
    }
    weft_schema_result_fini(&result);
}

static uint32_t word_at(const weft_checker *checker, uint32_t at) {
    uint32_t word;
    demand(at + 4 <= checker->block.length);
    memcpy(&word, checker->block.bytes + at, sizeof(word));
    return word;
}

static uint32_t skip_text(const weft_checker *checker, uint32_t at) {
    uint32_t length = word_at(checker, at);
    demand(length <= checker->block.length - at - 4);
    return at + 4 + (length + 3) / 4 * 4;
}

// Reads the block as a host does; answers its questions. The number of answers, which grows until
// nothing is asked.
static uint32_t read_block(const weft_checker *checker, uint32_t *answers, uint32_t count) {
    int status = (int)word_at(checker, 0);
    if (status != WEFT_OK && status != WEFT_ERR_NEEDS_HOST) {
        return count;
    }
    uint32_t at = skip_text(checker, 8);
    uint32_t problems = word_at(checker, at);
    for (at += 4; problems > 0; problems--) {
        for (int i = 0; i < 4; i++) {
            at = skip_text(checker, at);
        }
    }
    uint32_t questions = word_at(checker, at);
    for (at += 4; questions > 0; questions--) {
        if (count < MOST_ANSWERS) {
            answers[3 * count] = word_at(checker, at);
            answers[3 * count + 1] = word_at(checker, at + 4);
            answers[3 * count++ + 2] = word_at(checker, at) & 1;
        }
        at = skip_text(checker, skip_text(checker, at + 8));
    }
    demand(at == checker->block.length);
    return count;
}

static void check_wrapped(weft_memory *memory, const uint8_t *schema, size_t size,
                          const uint8_t *text, uint32_t length) {
    static uint32_t answers[3 * MOST_ANSWERS];
    weft_buffer where;
    weft_checker *checker;
    weft_schema_error error = {.where = &where};
    weft_buffer_init(&where, memory);
    weft_status status = weft_checker_new(memory, schema, size, &checker, &error);
    demand((status == WEFT_OK) == (checker != NULL) && status != WEFT_ERR_NO_MEMORY);
    uint32_t count = 0;
    for (int round = 0; status == WEFT_OK && round < 8; round++) {
        uint32_t before = count;
        int verdict = weft_checker_check(checker, text, length, WEFT_CHECK_FILL, 7, answers, count);
        demand(verdict == 1 || verdict == 0);
        count = verdict == 1 ? count : read_block(checker, answers, count);
        if (count == before) {
            break;
        }
    }
    weft_checker_free(checker);
    weft_buffer_fini(&where);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    weft_memory memory = fuzz_memory();
    const uint8_t *cut = size == 0 ? NULL : memchr(data, '\n', size);
    weft_schema *schema;
    if (cut == NULL) {
        return 0;
    }
    size_t first = (size_t)(cut - data);
    weft_status status =
        weft_schema_compile(&memory, data, first, &(weft_schema_source){.seed = 5}, &schema, NULL);
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
    check_wrapped(&memory, data, first, cut + 1, (uint32_t)(size - first - 1));
    demand(memory.live == 0);
    return 0;
}
