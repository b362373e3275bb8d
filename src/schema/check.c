// SPDX-License-Identifier: MIT
// Implements check.h: one check and its block.
#include "check.h"

#include <string.h>

#include "base/ops.h"

weft_status weft_checker_new(weft_memory *memory, const void *text, size_t length,
                             weft_checker **checker, weft_schema_error *error) {
    *checker = NULL;
    weft_checker *made = weft_memory_zeroed(memory, 1, sizeof(*made));
    if (made == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    made->memory = memory;
    weft_json_init(&made->tape, memory);
    weft_schema_result_init(&made->result, memory);
    weft_buffer_init(&made->block, memory);
    weft_status status = weft_schema_compile(
        memory, text, length, &(weft_schema_source){.wrapped = 1}, &made->schema, error);
    if (status != WEFT_OK) {
        weft_checker_free(made);
        return status;
    }
    *checker = made;
    return WEFT_OK;
}

void weft_checker_free(weft_checker *checker) {
    if (checker == NULL) {
        return;
    }
    weft_memory *memory = checker->memory;
    weft_memory_release(memory, checker->answers,
                        checker->answer_capacity * sizeof(*checker->answers));
    weft_schema_free(checker->schema);
    weft_schema_result_fini(&checker->result);
    weft_json_fini(&checker->tape);
    weft_buffer_fini(&checker->block);
    weft_memory_release(memory, checker, sizeof(*checker));
}

static void put_problems(weft_checker *c) {
    const weft_schema_result *result = &c->result;
    weft_buffer *out = &c->block;
    weft_buffer_u32(out, result->problem_count);
    for (uint32_t i = 0; i < result->problem_count; i++) {
        const weft_schema_problem *problem = &result->problems[i];
        uint32_t start = weft_buffer_begin_text(out);
        weft_schema_write_path(&c->tape, 0, problem->value, out);
        weft_buffer_end_text(out, start);
        start = weft_buffer_begin_text(out);
        weft_schema_write_keyword(c->schema, result, problem, out);
        weft_buffer_end_text(out, start);
        start = weft_buffer_begin_text(out);
        weft_schema_write_address(c->schema, problem, out);
        weft_buffer_end_text(out, start);
        start = weft_buffer_begin_text(out);
        weft_schema_write_finding(c->schema, &c->tape, problem, out);
        weft_buffer_end_text(out, start);
    }
}

static void put_questions(weft_checker *c) {
    const weft_schema_result *result = &c->result;
    weft_buffer *out = &c->block;
    weft_buffer_u32(out, result->question_count);
    for (uint32_t i = 0; i < result->question_count; i++) {
        const weft_schema_question *question = &result->questions[i];
        weft_buffer_u32(out, question->pattern);
        weft_buffer_u32(out, question->value);
        uint32_t start = weft_buffer_begin_text(out);
        weft_json_string_decode(weft_schema_tape(c->schema), question->pattern, out);
        weft_buffer_end_text(out, start);
        start = weft_buffer_begin_text(out);
        weft_json_string_decode(&c->tape, question->value, out);
        weft_buffer_end_text(out, start);
    }
}

static weft_status read_answers(weft_checker *c, const uint32_t *answers, uint32_t count,
                                weft_schema_options *options) {
    if (!weft_memory_reserve(c->memory, &c->answers, sizeof(*c->answers), &c->answer_capacity,
                             count)) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++, answers += 3) {
        c->answers[i] = (weft_schema_question){answers[0], answers[1], answers[2] != 0};
    }
    options->answers = c->answers;
    options->answer_count = count;
    return WEFT_OK;
}

static void put_json_error(weft_checker *c, const weft_json_limits *limits,
                           const weft_json_error *error) {
    weft_buffer_u32(&c->block, (uint32_t)error->status);
    weft_buffer_u32(&c->block, weft_json_error_number(limits, error));
    weft_buffer_text(&c->block, error->reason, (uint32_t)strlen(error->reason));
}

static void put_verdict(weft_checker *c, weft_status status) {
    weft_buffer *out = &c->block;
    weft_buffer_u32(out, (uint32_t)status);
    weft_buffer_u32(out, (uint32_t)c->result.valid);
    uint32_t start = weft_buffer_begin_text(out);
    if (status == WEFT_OK && c->result.fill_count != 0) {
        weft_schema_write_filled(c->schema, &c->tape, 0, &c->result, out);
    }
    weft_buffer_end_text(out, start);
    if (status == WEFT_OK || status == WEFT_ERR_NEEDS_HOST) {
        put_problems(c);
        put_questions(c);
    }
}

int weft_checker_check(weft_checker *c, const void *text, uint32_t length, uint32_t flags,
                       uint32_t seed, const uint32_t *answers, uint32_t answer_count) {
    weft_json_limits limits = weft_json_argument_limits(seed);
    weft_json_error error;
    weft_schema_options options = {.fill = (flags & WEFT_CHECK_FILL) != 0};
    weft_buffer_clear(&c->block);
    if (weft_json_read(&c->tape, text, length, &limits, &error) != WEFT_OK) {
        put_json_error(c, &limits, &error);
        return error.status == WEFT_ERR_NO_MEMORY ? WEFT_ERR_NO_MEMORY : (int)c->block.status;
    }
    WEFT_TRY(answer_count == 0 ? WEFT_OK : read_answers(c, answers, answer_count, &options));
    weft_status status = weft_schema_validate(c->schema, &c->tape, 0, &options, &c->result);
    if (status == WEFT_OK && c->result.valid && c->result.fill_count == 0) {
        return 1;
    }
    put_verdict(c, status);
    return status == WEFT_ERR_NO_MEMORY ? WEFT_ERR_NO_MEMORY : (int)c->block.status;
}
