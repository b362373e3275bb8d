// SPDX-License-Identifier: MIT
// Documents: cJSON after the strict reader. T3: each refused allocation; T12: cases that cJSON
// alone gets wrong (case of keys, half surrogate pairs, U+0000).
#include "test.h"

#include "value/document.h"

static weft_status parse(const char *text, weft_document **document, weft_json_error *error) {
    weft_json_limits limits = weft_json_import_limits(3);
    return weft_document_parse(test_memory(), text, strlen(text), &limits, document, error);
}

TEST(a_document_is_read_by_its_accessors) {
    weft_document *document;
    uint32_t length = 0;
    REQUIRE_EQ(parse("{\"Cmd\":\"ls\",\"cmd\":\"r\\u00e9\\n\",\"list\":[1,true,false,null,{\"x\":{}"
                     "}],\"n\":-2.5}",
                     &document, NULL),
               WEFT_OK);
    const weft_document_node *root = weft_document_root(document);
    CHECK_EQ(weft_document_kind(root), WEFT_JSON_OBJECT);
    CHECK_EQ(weft_document_size(root), 4);
    CHECK_STR(weft_document_string(weft_document_get(root, "Cmd"), NULL), "ls");
    CHECK_STR(weft_document_string(weft_document_get(root, "cmd"), &length), "r\xc3\xa9\n");
    CHECK_EQ(length, 4);
    CHECK(weft_document_get(root, "CMD") == NULL);
    const weft_document_node *list = weft_document_get(root, "list");
    CHECK_STR(weft_document_key(list, &length), "list");
    CHECK_EQ(length, 4);
    CHECK_EQ(weft_document_kind(list), WEFT_JSON_ARRAY);
    CHECK(weft_document_get(list, "x") == NULL);
    static const weft_json_kind KINDS[] = {WEFT_JSON_NUMBER, WEFT_JSON_TRUE, WEFT_JSON_FALSE,
                                           WEFT_JSON_NULL, WEFT_JSON_OBJECT};
    const weft_document_node *item = weft_document_first(list);
    for (size_t i = 0; i < 5; i++) {
        CHECK_EQ(weft_document_kind(item), KINDS[i]);
        CHECK_EQ(weft_document_true(item), i == 1);
        CHECK(weft_document_key(item, NULL) == NULL);
        CHECK(weft_document_string(item, &length) == NULL && length == 0);
        item = weft_document_next(item);
    }
    CHECK(item == NULL);
    weft_document_free(document);
}

TEST(absent_nodes_are_empty) {
    CHECK_EQ(weft_document_kind(NULL), WEFT_JSON_NULL);
    CHECK(weft_document_get(NULL, "a") == NULL);
    CHECK(weft_document_first(NULL) == NULL && weft_document_next(NULL) == NULL);
    CHECK_EQ(weft_document_size(NULL), 0);
    CHECK(weft_document_key(NULL, NULL) == NULL && weft_document_string(NULL, NULL) == NULL);
    CHECK_EQ(weft_document_true(NULL), 0);
    weft_document_free(NULL);
}

// What stands for strtod in engine.wasm's cJSON.
TEST(the_end_of_a_number_is_found) {
    static const char *const CASES[][2] = {{"-1.5e+3,2", ",2"}, {"0]", "]"}, {"7", ""}, {"x", "x"}};
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        char *end = NULL;
        CHECK(weft_document_strtod(CASES[i][0], &end) == 0);
        CHECK_STR(end, CASES[i][1]);
    }
}

TEST(what_the_guard_or_well_formedness_refuses) {
    static const struct {
        const char *text;
        weft_status status;
        uint32_t offset;
    } CASES[] = {
        {"{\"a\":1,\"a\":2}", WEFT_ERR_JSON_KEY, 7},
        {"[01]", WEFT_ERR_JSON_SYNTAX, 2},
        {"{} x", WEFT_ERR_JSON_SYNTAX, 3},
        {"[\"\\ud800\"]", WEFT_ERR_BAD_STRING, 1},
        {"[1,\"a\\u0000b\"]", WEFT_ERR_BAD_STRING, 3},
        {"{\"\\udc00\":1}", WEFT_ERR_BAD_STRING, 1},
        {"[\"\xff\"]", WEFT_ERR_JSON_UTF8, 2},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        weft_document *document;
        weft_json_error error;
        CHECK_EQ(parse(CASES[i].text, &document, &error), CASES[i].status);
        CHECK(document == NULL);
        CHECK_EQ(error.status, CASES[i].status);
        CHECK_EQ(error.offset, CASES[i].offset);
    }
}

TEST(documents_nest_128_levels) {
    for (size_t depth = 127; depth <= 129; depth++) {
        char text[300] = "";
        weft_document *document;
        weft_json_limits limits = weft_json_import_limits(0);
        limits.max_depth = 200;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        CHECK_EQ(weft_document_parse(test_memory(), text, 2 * depth, &limits, &document, NULL),
                 depth <= 128 ? WEFT_OK : WEFT_ERR_JSON_DEPTH);
        weft_document_free(document);
    }
}

static void parse_scenario(void *context) {
    weft_document *document;
    weft_json_error error;
    weft_status status = parse(context, &document, &error);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    CHECK_EQ(error.status, status);
    CHECK_EQ(document != NULL, status == WEFT_OK);
    weft_document_free(document);
}

TEST(each_refused_allocation_is_reported) {
    static char text[20000] = "{\"nodes\":[";
    for (int i = 0; i < 150; i++) {
        sprintf(text + strlen(text), "%s{\"name\":\"node %d\",\"retry\":{\"max\":3.5}}",
                i == 0 ? "" : ",", i);
    }
    strcat(text, "]}");
    test_each_failure(parse_scenario, text);
}

TEST(the_budget_bounds_a_document) {
    weft_document *document;
    test_memory()->budget = 2000;
    CHECK_EQ(parse("[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
                   &document, NULL),
             WEFT_ERR_NO_MEMORY);
    CHECK_EQ(test_memory()->live, 0);
}
