// SPDX-License-Identifier: MIT
// Schemas: texts of problems, defaults, formats that the host checks, invalid schemas, budgets
// (T12: the schema rows of the hostile inputs) and refused allocations (T3). For verdicts see
// test_schema_suite.c.
#include "test.h"

#include "schema/schema.h"

static weft_schema *compile(const char *text) {
    weft_schema *schema;
    weft_schema_error error = {.where = NULL};
    weft_status status = weft_schema_compile(test_memory(), text, strlen(text),
                                             &(weft_schema_source){.seed = 3}, &schema, &error);
    if (status != WEFT_OK) {
        fprintf(stderr, "  %s: %s at %" PRIu32 "\n", weft_status_code(status), error.reason,
                error.offset);
    }
    REQUIRE_EQ(status, WEFT_OK);
    return schema;
}

static void read_json(weft_json_tape *tape, const char *text, size_t size) {
    weft_json_limits limits = weft_json_argument_limits(4);
    weft_json_init(tape, test_memory());
    REQUIRE_EQ(weft_json_read(tape, text, size, &limits, NULL), WEFT_OK);
}

static weft_status validate(const char *schema_text, const char *text,
                            const weft_schema_options *options, int *valid) {
    weft_schema *schema = compile(schema_text);
    weft_json_tape tape;
    weft_schema_result result;
    read_json(&tape, text, strlen(text));
    weft_schema_result_init(&result, test_memory());
    weft_status status = weft_schema_validate(schema, &tape, 0, options, &result);
    *valid = result.valid;
    weft_schema_result_fini(&result);
    weft_json_fini(&tape);
    weft_schema_free(schema);
    return status;
}

TEST(problems_name_path_expectation_and_finding) {
    static const char *const CASES[][3] = {
        {"{\"type\":\"string\"}", "5", "(root): expected string, found number 5"},
        {"{\"type\":[\"string\",\"null\"]}", "[1]",
         "(root): expected string or null, found an array of 1 item"},
        {"{\"properties\":{\"a~b/c\":{\"items\":{\"type\":\"integer\"}}}}",
         "{\"x\":1,\"a~b/c\":[1,2.5]}", "/a~0b~1c/1: expected integer, found number 2.5"},
        {"{\"required\":[\"a\",\"b\"]}", "{\"a\":1}",
         "(root): expected the property \"b\", found none"},
        {"{\"properties\":{\"a\":true,\"b\":true},\"additionalProperties\":false}",
         "{\"a\":1,\"c\":2}", "(root): expected only the properties \"a\" and \"b\", found \"c\""},
        {"{\"additionalProperties\":false}", "{\"c\":2}",
         "(root): expected no other property, found \"c\""},
        {"{\"enum\":[\"a\",\"b\",3,null]}", "\"c\"",
         "(root): expected one of \"a\", \"b\", 3 or null, found string \"c\""},
        {"{\"const\":true}", "false", "(root): expected true, found false"},
        {"{\"multipleOf\":0.5}", "0.7", "(root): expected a multiple of 0.5, found number 0.7"},
        {"{\"exclusiveMinimum\":0}", "-0", "(root): expected more than 0, found number 0"},
        {"{\"maximum\":1e3}", "1001", "(root): expected at most 1000, found number 1001"},
        {"{\"maxLength\":2}", "\"\\ud83d\\ude00bc\"",
         "(root): expected at most 2 characters, found 3"},
        {"{\"pattern\":\"^a+$\"}", "\"b\"",
         "(root): expected text that matches the pattern \"^a+$\", found string \"b\""},
        {"{\"minItems\":2}", "[1]", "(root): expected at least 2 items, found 1"},
        {"{\"uniqueItems\":true}", "[{\"a\":1,\"b\":2},3,{\"b\":2,\"a\":1.0}]",
         "(root): expected items that all differ, found twice an object of 2 properties"},
        {"{\"contains\":{\"type\":\"string\"}}", "[1]",
         "(root): expected another number of items that fit \"contains\", found 0"},
        {"{\"propertyNames\":{\"maxLength\":1}}", "{\"ab\":1}",
         "/ab: expected at most 1 characters, found 2"},
        {"{\"not\":{\"type\":\"null\"}}", "null",
         "(root): expected a value that does not fit \"not\", found null"},
        {"{\"properties\":{\"a\":false}}", "{\"a\":{}}",
         "/a: expected no value, found an object of 0 properties"},
        {"{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":9}]}", "1",
         "(root): expected a value that fits one of 2 alternatives, found number 1\n(root): "
         "expected string, found number 1\n"
         "(root): expected at least 9, found number 1"},
        {"{\"oneOf\":[{\"type\":\"number\"},{\"minimum\":0}]}", "1",
         "(root): expected a value that fits exactly one of 2 alternatives, found number 1, which "
         "fits several"},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
         "(root): expected the property \"b\", found none"},
        {"{\"type\":\"null\"}",
         "\"0123456789012345678901234567890123456789012345678901234567890123456789\"",
         "(root): expected null, found string "
         "\"012345678901234567890123456789012345678901234567890123456789\xe2\x80\xa6\""},
        {"{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"properties\":{\"next\":{\"$ref\":\"#/$defs/"
         "n\"},\"v\":{\"type\":\"string\"}}}}}",
         "{\"next\":{\"next\":{\"v\":7}}}", "/next/next/v: expected string, found number 7"},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        weft_schema *schema = compile(CASES[i][0]);
        weft_json_tape tape;
        weft_schema_result result;
        weft_buffer out;
        read_json(&tape, CASES[i][1], strlen(CASES[i][1]));
        weft_schema_result_init(&result, test_memory());
        weft_buffer_init(&out, test_memory());
        CHECK_EQ(weft_schema_validate(schema, &tape, 0, NULL, &result), WEFT_OK);
        CHECK_EQ(result.valid, 0);
        weft_schema_write_problems(schema, &tape, &result, &out);
        CHECK_TEXT(out.bytes, out.length, CASES[i][2]);
        weft_buffer_clear(&out);
        weft_schema_write_keyword(schema, &result, &result.problems[0], &out);
        CHECK(out.length > 1 && out.bytes[0] == '/');
        weft_buffer_fini(&out);
        weft_schema_result_fini(&result);
        weft_json_fini(&tape);
        weft_schema_free(schema);
    }
}

TEST(problems_are_bounded) {
    weft_schema *schema = compile("{\"items\":{\"type\":\"string\"}}");
    weft_json_tape tape;
    weft_schema_result result;
    static const char TEXT[] = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]";
    weft_schema_options options = {.max_problems = 3};
    read_json(&tape, TEXT, sizeof(TEXT) - 1);
    weft_schema_result_init(&result, test_memory());
    CHECK_EQ(weft_schema_validate(schema, &tape, 0, NULL, &result), WEFT_OK);
    CHECK_EQ(result.problem_count, 16);
    CHECK_EQ(weft_schema_validate(schema, &tape, 0, &options, &result), WEFT_OK);
    CHECK_EQ(result.problem_count, 3);
    CHECK_EQ(result.valid, 0);
    // Any value of the tape can be the root.
    CHECK_EQ(weft_schema_validate(schema, &tape, 1, &options, &result), WEFT_OK);
    CHECK_EQ(result.valid, 1);
    weft_schema_result_fini(&result);
    weft_json_fini(&tape);
    weft_schema_free(schema);
}

static void check_filled(const char *schema_text, const char *text, int valid,
                         const char *expected) {
    weft_schema *schema = compile(schema_text);
    weft_json_tape tape;
    weft_schema_result result;
    weft_schema_options options = {.fill = 1};
    weft_buffer out;
    read_json(&tape, text, strlen(text));
    weft_schema_result_init(&result, test_memory());
    weft_buffer_init(&out, test_memory());
    CHECK_EQ(weft_schema_validate(schema, &tape, 0, &options, &result), WEFT_OK);
    CHECK_EQ(result.valid, valid);
    weft_schema_write_filled(schema, &tape, 0, &result, &out);
    CHECK_TEXT(out.bytes, out.length, expected);
    CHECK_EQ(weft_schema_validate(schema, &tape, 0, NULL, &result), WEFT_OK);
    CHECK_EQ(result.fill_count, 0);
    weft_buffer_fini(&out);
    weft_schema_result_fini(&result);
    weft_json_fini(&tape);
    weft_schema_free(schema);
}

TEST(defaults_fill_absent_properties) {
    static const char SCHEMA[] =
        "{\"properties\":{\"a\":{\"default\":1},\"b\":{\"default\":{\"x\":[null]}},"
        "\"l\":{\"items\":{\"properties\":{\"k\\n\":{\"default\":\"v\"}}}}},\"required\":[\"a\"]}";
    check_filled(SCHEMA, "{}", 1, "{\"a\":1,\"b\":{\"x\":[null]}}");
    check_filled(SCHEMA, "{\"b\":2}", 1, "{\"b\":2,\"a\":1}");
    check_filled(SCHEMA, "{\"a\":0,\"b\":0,\"l\":[{},{\"k\\n\":1},{}]}", 1,
                 "{\"a\":0,\"b\":0,\"l\":[{\"k\\n\":\"v\"},{\"k\\n\":1},{\"k\\n\":\"v\"}]}");
    check_filled(SCHEMA, "[]", 1, "[]");
    check_filled("{\"\":1,\"t\":2,\"properties\":{\"a\":{\"\":0,\"default\":1}}}", "{}", 1,
                 "{\"a\":1}");
    check_filled("{\"allOf\":[{\"properties\":{\"a\":{\"default\":1}}},{\"properties\":{\"a\":{"
                 "\"default\":2}}}]}",
                 "{}", 1, "{\"a\":1}");
    check_filled("{\"anyOf\":[{\"properties\":{\"a\":{\"default\":1}}}]}", "{}", 1, "{}");
    check_filled("{\"not\":{\"properties\":{\"a\":{\"default\":1}},\"required\":[\"a\"]}}", "{}", 1,
                 "{}");
    check_filled("{\"properties\":{\"a\":{\"default\":1}},\"required\":[\"c\"]}", "{}", 0,
                 "{\"a\":1}");
}

TEST(the_host_answers_what_no_pattern_tells) {
    static const char SCHEMA[] =
        "{\"formats\":{\"f\":null,\"g\":null},\"assert\":true,\"schema\":{\"properties\":{\"a\":{"
        "\"format\":\"f\"},"
        "\"b\":{\"format\":\"g\"}},\"propertyNames\":{\"anyOf\":[{\"format\":\"f\"},true]}}}";
    static const char TEXT[] = "{\"a\":\"xy\",\"b\":\"zz\"}";
    weft_schema *schema;
    weft_json_tape tape;
    weft_schema_result result;
    REQUIRE_EQ(weft_schema_compile(test_memory(), SCHEMA, sizeof(SCHEMA) - 1,
                                   &(weft_schema_source){.wrapped = 1}, &schema, NULL),
               WEFT_OK);
    read_json(&tape, TEXT, sizeof(TEXT) - 1);
    weft_schema_result_init(&result, test_memory());
    REQUIRE_EQ(weft_schema_validate(schema, &tape, 0, NULL, &result), WEFT_ERR_NEEDS_HOST);
    CHECK_EQ(result.valid, 0);
    REQUIRE_EQ(result.question_count, 4);
    CHECK(weft_json_string_is(weft_schema_tape(schema), result.questions[1].pattern, "g", 1));
    CHECK(weft_json_string_is(&tape, result.questions[1].value, "zz", 2));
    CHECK(weft_json_string_is(&tape, result.questions[3].value, "b", 1));
    weft_schema_question answers[4];
    memcpy(answers, result.questions, sizeof(answers));
    for (uint32_t wrong = 0; wrong < 5; wrong++) {
        for (size_t i = 0; i < 4; i++) {
            answers[i].answer = i + 1 != wrong;
        }
        weft_schema_options options = {.answers = answers, .answer_count = 4};
        CHECK_EQ(weft_schema_validate(schema, &tape, 0, &options, &result), WEFT_OK);
        CHECK_EQ(result.valid, wrong != 1 && wrong != 2);
        CHECK_EQ(result.question_count, 0);
    }
    weft_schema_result_fini(&result);
    weft_json_fini(&tape);
    weft_schema_free(schema);
}

TEST(patterns_without_a_bound_end_in_the_budget) {
    int valid = 1;
    char text[3003];
    memset(text, 'a', sizeof(text));
    text[0] = text[3001] = '"';
    text[3002] = '\0';
    CHECK_EQ(validate("{\"pattern\":\"^(?:(a+)+)+\\\\1b\"}", text, NULL, &valid),
             WEFT_ERR_SCHEMA_BUDGET);
    CHECK_EQ(validate("{\"pattern\":\"(?=(?=(?=.*b).*b).*b)c\"}", text, NULL, &valid),
             WEFT_ERR_SCHEMA_BUDGET);
    CHECK_EQ(validate("{\"pattern\":\"^(?=(a+)+$)(a|aa)+$\"}", text, NULL, &valid), WEFT_OK);
    CHECK_EQ(valid, 1);
    CHECK_EQ(validate("{\"patternProperties\":{\"^(?=a)(a+)+$\":false}}",
                      "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\":1}", NULL,
                      &valid),
             WEFT_OK);
    CHECK_EQ(valid, 1);
}

TEST(schemas_that_cannot_be_used) {
    static const struct {
        const char *text;
        weft_status status;
        uint32_t offset;
    } CASES[] = {
        {"", WEFT_ERR_JSON_SYNTAX, 0},
        {"{\"type\":\"string\"", WEFT_ERR_JSON_SYNTAX, 16},
        {"5", WEFT_ERR_SCHEMA, 0},
        {"{\"type\":\"strin\"}", WEFT_ERR_SCHEMA, 8},
        {"{\"type\":[\"null\",5]}", WEFT_ERR_SCHEMA, 16},
        {"{\"required\":\"a\"}", WEFT_ERR_SCHEMA, 12},
        {"{\"required\":[1]}", WEFT_ERR_SCHEMA, 13},
        {"{\"properties\":[]}", WEFT_ERR_SCHEMA, 14},
        {"{\"properties\":{\"a\":1}}", WEFT_ERR_SCHEMA, 19},
        {"{\"items\":\"x\"}", WEFT_ERR_SCHEMA, 9},
        {"{\"allOf\":{}}", WEFT_ERR_SCHEMA, 9},
        {"{\"enum\":1}", WEFT_ERR_SCHEMA, 8},
        {"{\"minLength\":-1}", WEFT_ERR_SCHEMA, 13},
        {"{\"minLength\":\"1\"}", WEFT_ERR_SCHEMA, 13},
        {"{\"multipleOf\":0}", WEFT_ERR_SCHEMA, 14},
        {"{\"uniqueItems\":1}", WEFT_ERR_SCHEMA, 15},
        {"{\"pattern\":\"(\"}", WEFT_ERR_PATTERN, 11},
        {"{\"patternProperties\":{\"[\":{}}}", WEFT_ERR_PATTERN, 22},
        {"{\"$ref\":\"#/nowhere\"}", WEFT_ERR_SCHEMA, 8},
        {"{\"$ref\":\"http://other/\"}", WEFT_ERR_SCHEMA, 8},
        {"{\"$ref\":\"#/allOf/1\",\"allOf\":[{}]}", WEFT_ERR_SCHEMA, 8},
        {"{\"$ref\":\"#/required\",\"required\":[]}", WEFT_ERR_SCHEMA, 32},
        {"{\"$dynamicRef\":\"#a\"}", WEFT_ERR_SCHEMA, 15},
        {"{\"$schema\":\"http://example.com/own\"}", WEFT_ERR_SCHEMA, 11},
        {"{\"not\":{\"if\":{\"then\":1},\"then\":1}}", WEFT_ERR_SCHEMA, 31},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        weft_schema *schema;
        weft_schema_error error = {.where = NULL};
        CHECK_EQ(weft_schema_compile(test_memory(), CASES[i].text, strlen(CASES[i].text),
                                     &(weft_schema_source){.seed = 0}, &schema, &error),
                 CASES[i].status);
        CHECK(schema == NULL);
        CHECK_EQ(error.status, CASES[i].status);
        if (error.offset != CASES[i].offset) {
            fprintf(stderr, "  %s: %s\n", CASES[i].text, error.reason);
        }
        CHECK_EQ(error.offset, CASES[i].offset);
        CHECK(error.reason[0] != '\0');
        weft_schema_free(schema);
    }
}

// The first `count` permutations of 0 to 7, as an array of arrays.
static const char *permutations(char *text, int count) {
    size_t size = (size_t)sprintf(text, "[");
    for (int i = 0; i < count; i++) {
        int left[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        size += (size_t)sprintf(text + size, i == 0 ? "[" : "],[");
        for (int k = 8, rest = i; k > 0; rest /= k, k--) {
            int taken = rest % k;
            size += (size_t)sprintf(text + size, k == 8 ? "%d" : ",%d", left[taken]);
            left[taken] = left[k - 1];
        }
    }
    sprintf(text + size, "]]");
    return text;
}

TEST(hostile_schemas_and_values_end_in_the_budget) {
    static char schema[9000], text[600000];
    int valid = 1;
    // Thirty times two references to the next one: 2^30 ways from 2 KB.
    strcpy(schema, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 30; i++) {
        sprintf(schema + strlen(schema),
                "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]},", i,
                i + 1, i + 1);
    }
    strcat(schema, "\"d30\":{\"type\":\"null\"}}}");
    CHECK_EQ(validate(schema, "null", NULL, &valid), WEFT_ERR_SCHEMA_BUDGET);
    CHECK_EQ(valid, 0);
    CHECK_EQ(validate("{\"$ref\":\"#\"}", "null", NULL, &valid), WEFT_ERR_SCHEMA_BUDGET);
    CHECK_EQ(validate("{\"not\":{\"$ref\":\"#\"}}", "null", NULL, &valid), WEFT_ERR_SCHEMA_BUDGET);
    // 30,000 objects that differ pass; permutations of one array, whose hashes are equal, use up
    // the budget.
    size_t size = 1;
    text[0] = '[';
    for (int i = 0; i < 30000; i++) {
        size += (size_t)sprintf(text + size, "%s{\"id\":%d}", i == 0 ? "" : ",", i);
    }
    strcpy(text + size, "]");
    CHECK_EQ(validate("{\"uniqueItems\":true}", text, NULL, &valid), WEFT_OK);
    CHECK_EQ(valid, 1);
    CHECK_EQ(validate("{\"uniqueItems\":true}", permutations(text, 3000), NULL, &valid),
             WEFT_ERR_SCHEMA_BUDGET);
    CHECK_EQ(validate("{\"uniqueItems\":true}", permutations(text, 500), NULL, &valid), WEFT_OK);
    CHECK_EQ(valid, 1);
    // Work in time linear in the text, for patterns too.
    memset(text, 'a', 100000);
    text[0] = text[99999] = '"';
    text[99998] = '!';
    text[100000] = '\0';
    CHECK_EQ(validate("{\"pattern\":\"^(a+)+$\"}", text, NULL, &valid), WEFT_OK);
    CHECK_EQ(valid, 0);
    weft_schema_options few = {.max_steps = 5000};
    CHECK_EQ(validate("{\"pattern\":\"^(a+)+$\"}", text, &few, &valid), WEFT_ERR_SCHEMA_BUDGET);
}

TEST(what_has_been_evaluated_is_known_at_once) {
    static char text[200010];
    int valid = 0;
    text[0] = '[';
    for (size_t i = 0; i < 99000; i++) {
        memcpy(text + 1 + 2 * i, "1,", 2);
    }
    strcpy(text + 1 + 2 * 98999 + 1, "]");
    CHECK_EQ(
        validate("{\"allOf\":[{\"items\":true}],\"unevaluatedItems\":false}", text, NULL, &valid),
        WEFT_OK);
    CHECK_EQ(valid, 1);
    CHECK_EQ(validate("{\"prefixItems\":[true],\"unevaluatedItems\":{\"type\":\"number\"}}", text,
                      NULL, &valid),
             WEFT_OK);
    CHECK_EQ(valid, 1);
    // What an alternative that did not fit has evaluated is taken back, what stood before it stays.
    static const char TAKEN_BACK[] = "{\"prefixItems\":[true],\"anyOf\":[{\"allOf\":[{"
                                     "\"prefixItems\":[true,true]},false]},true],"
                                     "\"unevaluatedItems\":false}";
    CHECK_EQ(validate(TAKEN_BACK, "[1]", NULL, &valid), WEFT_OK);
    CHECK_EQ(valid, 1);
    CHECK_EQ(validate(TAKEN_BACK, "[1,1]", NULL, &valid), WEFT_OK);
    CHECK_EQ(valid, 0);
}

// Each item fails one alternative behind 200 references and fits the other: nothing of that is
// kept.
TEST(references_to_problems_that_were_taken_back_are_too) {
    static char schema[10000], text[4010];
    strcpy(schema, "{\"allOf\":[{\"$ref\":\"#/$defs/d0\"}],\"not\":{},\"$defs\":{");
    for (int i = 0; i < 200; i++) {
        sprintf(schema + strlen(schema), "\"d%d\":{\"$ref\":\"#/$defs/d%d\"},", i, i + 1);
    }
    strcat(schema,
           "\"d200\":{\"items\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]}}}}");
    text[0] = '[';
    for (size_t i = 0; i < 2000; i++) {
        memcpy(text + 1 + 2 * i, "1,", 2);
    }
    strcpy(text + 1 + 2 * 1999 + 1, "]");
    weft_schema *compiled = compile(schema);
    weft_json_tape tape;
    weft_schema_result result;
    read_json(&tape, text, strlen(text));
    weft_schema_result_init(&result, test_memory());
    CHECK_EQ(weft_schema_validate(compiled, &tape, 0, NULL, &result), WEFT_OK);
    CHECK_EQ(result.problem_count, 1);
    CHECK(result.hop_capacity < 1000);
    weft_schema_result_fini(&result);
    weft_json_fini(&tape);
    weft_schema_free(compiled);
}

static void scenario(void *context) {
    (void)context;
    static const char SCHEMA[] =
        "{\"$defs\":{\"n\":{\"properties\":{\"n\":{\"$ref\":\"#/$defs/"
        "n\"},\"d\":{\"default\":1}}}},\"$ref\":\"#/$defs/n\","
        "\"patternProperties\":{\"^[a-z]{1,300}$\":{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"("
        "?=q)\"},"
        "{\"type\":\"object\"},{\"uniqueItems\":true}]}},\"required\":[\"z\"],"
        "\"unevaluatedProperties\":{\"type\":\"array\"}}";
    static const char TEXT[] =
        "{\"n\":{\"n\":{\"n\":{\"n\":{}}}},\"9\":[],\"l\":[1,2,1],\"s\":\"q\"}";
    weft_schema *schema;
    weft_schema_error error = {.where = NULL};
    weft_status status = weft_schema_compile(test_memory(), SCHEMA, sizeof(SCHEMA) - 1,
                                             &(weft_schema_source){.seed = 1}, &schema, &error);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    if (status != WEFT_OK) {
        return;
    }
    weft_json_tape tape;
    weft_schema_result result;
    weft_buffer out;
    weft_schema_options options = {.fill = 1};
    weft_json_limits limits = weft_json_argument_limits(4);
    weft_json_init(&tape, test_memory());
    weft_schema_result_init(&result, test_memory());
    weft_buffer_init(&out, test_memory());
    if (weft_json_read(&tape, TEXT, sizeof(TEXT) - 1, &limits, NULL) == WEFT_OK) {
        status = weft_schema_validate(schema, &tape, 0, &options, &result);
        CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
        CHECK_EQ(result.valid, 0);
        weft_schema_write_problems(schema, &tape, &result, &out);
        weft_schema_write_filled(schema, &tape, 0, &result, &out);
        CHECK_EQ(out.status,
                 test_has_failed() && out.status != WEFT_OK ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    }
    weft_buffer_fini(&out);
    weft_schema_result_fini(&result);
    weft_json_fini(&tape);
    weft_schema_free(schema);
}

TEST(each_refused_allocation_is_reported) {
    test_each_failure(scenario, NULL);
}
