// SPDX-License-Identifier: MIT
// Schemas in context: addresses (RFC 3986), documents, dialects, formats, and the checker's blocks.
// Each with refused allocations (T3). For verdicts of references see test_schema_suite.c.
#include "test.h"

#include "base/ops.h"
#include "schema/check.h"
#include "schema/uri.h"

TEST(references_are_resolved_as_rfc_3986_says) {
    static const char *const CASES[][3] = {
        // RFC 3986, 5.4, without fragments
        {"http://a/b/c/d;p?q", "g:h", "g:h"},
        {"http://a/b/c/d;p?q", "g", "http://a/b/c/g"},
        {"http://a/b/c/d;p?q", "./g", "http://a/b/c/g"},
        {"http://a/b/c/d;p?q", "g/", "http://a/b/c/g/"},
        {"http://a/b/c/d;p?q", "/g", "http://a/g"},
        {"http://a/b/c/d;p?q", "//g", "http://g"},
        {"http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y"},
        {"http://a/b/c/d;p?q", "g?y", "http://a/b/c/g?y"},
        {"http://a/b/c/d;p?q", "", "http://a/b/c/d;p?q"},
        {"http://a/b/c/d;p?q", ".", "http://a/b/c/"},
        {"http://a/b/c/d;p?q", "..", "http://a/b/"},
        {"http://a/b/c/d;p?q", "../g", "http://a/b/g"},
        {"http://a/b/c/d;p?q", "../..", "http://a/"},
        {"http://a/b/c/d;p?q", "../../g", "http://a/g"},
        {"http://a/b/c/d;p?q", "../../../g", "http://a/g"},
        {"http://a/b/c/d;p?q", "/../g", "http://a/g"},
        {"http://a/b/c/d;p?q", "g..", "http://a/b/c/g.."},
        {"http://a/b/c/d;p?q", "./g/.", "http://a/b/c/g/"},
        {"http://a/b/c/d;p?q", "g/../h", "http://a/b/c/h"},
        {"http://a/b/c/d;p?q", "g?y/../x", "http://a/b/c/g?y/../x"},
        {"http://a", "b", "http://a/b"},
        {"http://a?q", "b", "http://a/b"},
        {"urn:x:y", "", "urn:x:y"},
        {"urn:x:y", "urn:a:..:b", "urn:a:..:b"},
        {"file:///f/a.json", "b.json", "file:///f/b.json"},
        {"", "a/b.json", "a/b.json"},
        {"a/b.json", "../c.json", "/c.json"},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        uint8_t out[200];
        uint32_t base = (uint32_t)strlen(CASES[i][0]);
        uint32_t reference = (uint32_t)strlen(CASES[i][1]);
        uint32_t length = weft_uri_resolve((const uint8_t *)CASES[i][0], base,
                                           (const uint8_t *)CASES[i][1], reference, out);
        CHECK(length <= base + reference + 2);
        CHECK_TEXT(out, length, CASES[i][2]);
    }
}

// The verdict of the wrapped schema for `text`; the block is left in `*block` when there is one.
static int check(const char *wrapped, const char *text, uint32_t flags, const uint32_t *answers,
                 uint32_t count, weft_buffer *block) {
    weft_checker *checker;
    weft_schema_error error = {.where = NULL};
    weft_status status =
        weft_checker_new(test_memory(), wrapped, strlen(wrapped), &checker, &error);
    if (status != WEFT_OK) {
        fprintf(stderr, "  %s: %s at %" PRIu32 "\n", weft_status_code(status), error.reason,
                error.offset);
    }
    REQUIRE_EQ(status, WEFT_OK);
    int verdict =
        weft_checker_check(checker, text, (uint32_t)strlen(text), flags, 3, answers, count);
    if (verdict == 0 && block != NULL) {
        weft_buffer_append(block, checker->block.bytes, checker->block.length);
    }
    weft_checker_free(checker);
    return verdict;
}

static int fits(const char *wrapped, const char *text) {
    return check(wrapped, text, 0, NULL, 0, NULL);
}

TEST(documents_come_from_the_table) {
    static const char WRAPPED[] =
        "{\"schema\":{\"$id\":\"http://a/x/y\",\"properties\":{\"p\":{\"$ref\":\"../"
        "z#n\"},\"q\":{\"$ref\":\"w\"}}},"
        "\"remotes\":{\"http://a/z\":{\"$defs\":{\"m\":{\"$anchor\":\"n\",\"$ref\":\"x/w\"}}},"
        "\"elsewhere\":{\"$id\":\"http://a/x/w#\",\"type\":\"string\"}}}";
    CHECK_EQ(fits(WRAPPED, "{\"p\":\"s\",\"q\":\"s\"}"), 1);
    CHECK_EQ(fits(WRAPPED, "{\"p\":1}"), 0);
    CHECK_EQ(fits(WRAPPED, "{\"q\":1}"), 0);
}

TEST(the_draft_is_the_wrappings_where_the_schema_names_none) {
    CHECK_EQ(fits("{\"draft\":7,\"schema\":{\"prefixItems\":[false]}}", "[1]"), 1);
    CHECK_EQ(fits("{\"draft\":2020,\"schema\":{\"prefixItems\":[false]}}", "[1]"), 0);
    CHECK_EQ(fits("{\"draft\":7,\"schema\":{\"$schema\":\"https://json-schema.org/draft/2020-12/"
                  "schema#\",\"prefixItems\":[false]}}",
                  "[1]"),
             0);
    CHECK_EQ(fits("{\"draft\":2019,\"schema\":{\"unevaluatedItems\":false}}", "[1]"), 0);
}

TEST(formats_are_patterns_or_asked_of_the_host) {
    static const char WRAPPED[] =
        "{\"assert\":true,\"formats\":{\"a\":\"^a+$\",\"h\":null},"
        "\"schema\":{\"items\":[{\"format\":\"a\"},{\"format\":\"h\"},{\"format\":\"unknown\"}]}}";
    weft_buffer block;
    weft_buffer_init(&block, test_memory());
    CHECK_EQ(fits(WRAPPED, "[\"aa\"]"), 1);
    CHECK_EQ(fits(WRAPPED, "[\"b\"]"), 0);
    CHECK_EQ(check(WRAPPED, "[\"a\",\"x\",\"y\"]", 0, NULL, 0, &block), 0);
    const uint32_t *words = (const uint32_t *)(const void *)block.bytes;
    // {NEEDS_HOST, not valid, no text, no problems, 1 question: pattern, value, "h", "x"}
    REQUIRE_EQ(block.length, 4 * 11);
    CHECK_EQ((int)words[0], WEFT_ERR_NEEDS_HOST);
    CHECK_EQ(words[4], 1);
    CHECK(words[7] == 1 && memcmp(&words[8], "h", 2) == 0 && words[9] == 1 &&
          memcmp(&words[10], "x", 2) == 0);
    for (uint32_t answer = 0; answer < 2; answer++) {
        uint32_t answers[] = {words[5], words[6], answer};
        CHECK_EQ(check(WRAPPED, "[\"a\",\"x\",\"y\"]", 0, answers, 1, NULL), (int)answer);
    }
    weft_buffer_fini(&block);
    // Without "assert" a format says nothing.
    CHECK_EQ(fits("{\"formats\":{\"a\":\"^a+$\"},\"schema\":{\"format\":\"a\"}}", "\"b\""), 1);
}

TEST(properties_of_letters_are_told_beside_the_schema) {
    static const char WRAPPED[] =
        "{\"schema\":{\"patternProperties\":{\"^\\\\p{Lu}\":false}},\"letters\":{\"Lu\":[65,90]}}";
    CHECK_EQ(fits(WRAPPED, "{\"a\":1}"), 1);
    CHECK_EQ(fits(WRAPPED, "{\"A\":1}"), 0);
}

TEST(wrapped_schemas_that_cannot_be_used) {
    static const char *const CASES[][2] = {
        {"[]", ""},
        {"{}", ""},
        {"{\"schema\":{\"allOf\":[{\"type\":\"x\"}]}}", "/allOf/0/type"},
        {"{\"schema\":{\"$ref\":\"r\"},\"remotes\":{\"r\":{\"not\":5}}}", "/remotes/r/not"},
        {"{\"schema\":true,\"remotes\":[]}", "/remotes"},
        {"{\"schema\":true,\"formats\":1}", "/formats"},
        {"{\"schema\":{\"format\":\"f\"},\"formats\":{\"f\":\"(\"},\"assert\":true}", "/formats/f"},
        {"{\"schema\":{\"$schema\":\"m\"},\"remotes\":{\"m\":{\"$schema\":\"m\"}}}",
         "/remotes/m/$schema"},
        {"{\"schema\":{\"$id\":5}}", "/$id"},
        {"{\"schema\":true,\"letters\":[]}", "/letters"},
        {"{\"schema\":{\"pattern\":\"\\\\p{L}\"},\"letters\":{\"N\":[]}}", "/pattern"},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        weft_checker *checker;
        weft_buffer where;
        weft_schema_error error = {.where = &where};
        weft_buffer_init(&where, test_memory());
        weft_status status =
            weft_checker_new(test_memory(), CASES[i][0], strlen(CASES[i][0]), &checker, &error);
        CHECK(status == WEFT_ERR_SCHEMA || status == WEFT_ERR_PATTERN);
        CHECK(checker == NULL);
        if (CASES[i][1][0] != '\0') {
            CHECK_TEXT(where.bytes, where.length, CASES[i][1]);
        }
        weft_buffer_fini(&where);
    }
}

// What the text of the code names, for a definition that is refused with `status`.
static void check_told(const char *text, size_t size, weft_status status, const char *told) {
    weft_checker *checker;
    weft_buffer where;
    weft_schema_error error = {.where = &where};
    weft_buffer_init(&where, test_memory());
    CHECK_EQ(weft_checker_new(test_memory(), text, size, &checker, &error), status);
    CHECK_TEXT(where.bytes, where.length, told);
    weft_checker_free(checker);
    weft_buffer_fini(&where);
}

TEST(limits_and_places_in_the_text_are_told_as_numbers) {
    char deep[300];
    memset(deep, '[', sizeof(deep));
    check_told(deep, sizeof(deep), WEFT_ERR_JSON_DEPTH, "128");
    check_told("{\"a\":x}", 7, WEFT_ERR_JSON_SYNTAX, "5");
}

TEST(references_name_definitions_of_any_length) {
    static char text[4000];
    char name[1001];
    memset(name, 'n', 1000);
    name[1000] = '\0';
    sprintf(text, "{\"schema\":{\"$defs\":{\"%s\":{\"type\":\"null\"}},\"$ref\":\"#/$defs/%s\"}}",
            name, name);
    CHECK_EQ(fits(text, "null"), 1);
    CHECK_EQ(fits(text, "1"), 0);
}

TEST(documents_that_are_searched_again_and_again_end_in_the_budget) {
    enum { COUNT = 9000 };
    char *text = malloc(COUNT * 60);
    size_t size = (size_t)sprintf(text, "{\"schema\":{\"allOf\":[");
    for (int i = COUNT; i > 0; i--) {
        size += (size_t)sprintf(text + size, "{\"$ref\":\"r%d\"}%s", i, i == 1 ? "" : ",");
    }
    size += (size_t)sprintf(text + size, "]},\"remotes\":{");
    for (int i = 1; i <= COUNT; i++) {
        size += (size_t)sprintf(text + size, "\"r%d\":true%s", i, i == COUNT ? "" : ",");
    }
    size += (size_t)sprintf(text + size, "}}");
    check_told(text, size, WEFT_ERR_SCHEMA_BUDGET, "20000000");
    free(text);
}

TEST(many_references_in_a_large_schema_end_in_the_budget) {
    enum { COUNT = 9000 };
    char *text = malloc(COUNT * 80);
    size_t size = (size_t)sprintf(text, "{\"schema\":{\"$defs\":{");
    for (int i = 0; i < COUNT; i++) {
        size += (size_t)sprintf(text + size, "%s\"d%d\":{\"$anchor\":\"a%d\",\"$ref\":\"#a%d\"}",
                                i == 0 ? "" : ",", i, i, COUNT - 1 - i);
    }
    size += (size_t)sprintf(text + size, "}}}");
    weft_checker *checker;
    CHECK_EQ(weft_checker_new(test_memory(), text, size, &checker, NULL), WEFT_ERR_SCHEMA_BUDGET);
    weft_checker_free(checker);
    free(text);
}

TEST(references_past_many_items_end_in_the_budget) {
    enum { COUNT = 10000 };
    char *text = malloc(COUNT * 40);
    size_t size = (size_t)sprintf(text, "{\"schema\":{\"allOf\":[");
    for (int i = 0; i < COUNT; i++) {
        size += (size_t)sprintf(text + size, "{\"$ref\":\"#/allOf/%d\"},", COUNT);
    }
    size += (size_t)sprintf(text + size, "{}]}}");
    weft_checker *checker;
    CHECK_EQ(weft_checker_new(test_memory(), text, size, &checker, NULL), WEFT_ERR_SCHEMA_BUDGET);
    weft_checker_free(checker);
    free(text);
}

static void scenario(void *context) {
    (void)context;
    static const char WRAPPED[] =
        "{\"draft\":2020,\"schema\":{\"$id\":\"http:\\/\\/a/b\",\"$schema\":\"http://m/"
        "\",\"$dynamicAnchor\":\"t\",\"properties\":{"
        "\"n\":{\"$dynamicRef\":\"#t\"},\"r\":{\"$ref\":\"c\"},\"d\":{\"default\":1},\"e\":{"
        "\"type\":\"string\"}},"
        "\"unevaluatedProperties\":false,\"format\":\"h\"},\"remotes\":{\"http://a/"
        "c\":{\"format\":\"p\",\"items\":{\"format\":\"h\"}},"
        "\"http://m/\":{\"$schema\":\"https://json-schema.org/draft/2020-12/"
        "schema\",\"$vocabulary\":{"
        "\"https://json-schema.org/draft/2020-12/vocab/applicator\":true,\"https://json-schema.org/"
        "draft/2020-12/vocab/unevaluated\":true,"
        "\"https://json-schema.org/draft/2020-12/vocab/"
        "validation\":true}}},\"formats\":{\"p\":\"[a-z]{3,9}\\\\b\",\"h\":null},\"assert\":true}";
    static const char *const TEXTS[] = {"{\"n\":{\"n\":{\"q\":1}},\"e\":5}",
                                        "{\"n\":{}}",
                                        "{\"r\":[\"x\",\"y\"]}",
                                        "{\"r\":\"abc\"}",
                                        "[",
                                        "{\"d\":2}"};
    weft_checker *checker;
    weft_buffer where;
    weft_schema_error error = {.where = &where};
    weft_buffer_init(&where, test_memory());
    weft_status status =
        weft_checker_new(test_memory(), WRAPPED, sizeof(WRAPPED) - 1, &checker, &error);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    for (size_t i = 0; status == WEFT_OK && i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
        uint32_t answers[3] = {1, 2, 0};
        int failed = test_has_failed();
        int verdict = weft_checker_check(checker, TEXTS[i], (uint32_t)strlen(TEXTS[i]),
                                         WEFT_CHECK_FILL, 1, answers, i == 2);
        CHECK(verdict == 0 || verdict == 1 ||
              (verdict == WEFT_ERR_NO_MEMORY && (test_has_failed() || failed)));
    }
    weft_checker_free(checker);
    weft_buffer_fini(&where);
}

TEST(each_refused_allocation_is_reported) {
    test_each_failure(scenario, NULL);
}
