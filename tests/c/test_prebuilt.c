// SPDX-License-Identifier: MIT
// docs/malformed-output.md "Tool calls": every row that the engine decides (unknown, homoglyph,
// missing, empty and duplicate id, text arguments, truncated, too large, too deep, 1,000 calls);
// docs/semantics.md 19: texts of ToolNode; the react agent's routes.
#include "test.h"

#include "base/ops.h"
#include "prebuilt/agent.h"
#include "prebuilt/plan.h"

static const char TOOLS[] =
    "[{\"name\":\"add\",\"schema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}"
    ","
    "\"b\":{\"type\":\"number\",\"default\":2}},\"required\":[\"a\"]}},"
    "{\"name\":\"free\",\"schema\":null},"
    "{\"name\":\"order\",\"schema\":{\"type\":\"object\"},\"digest\":true},"
    "{\"name\":\"word\",\"schema\":{\"properties\":{\"w\":{\"pattern\":\"^(?=x)\"}}}},"
    "{\"name\":\"add\",\"schema\":{\"type\":\"array\"}}]";

// A batch in the making.
typedef struct batch {
    weft_buffer bytes;
    uint32_t count;
} batch;

static void put_padded(weft_buffer *out, const char *text, size_t length) {
    weft_buffer_u32(out, (uint32_t)length);
    weft_buffer_append(out, text, (uint32_t)length);
    while (out->status == WEFT_OK && out->length % 4 != 0) {
        weft_buffer_u8(out, 0);
    }
}

static void batch_start(batch *b, uint32_t mode) {
    b->count = 0;
    weft_buffer_init(&b->bytes, test_memory());
    const uint32_t head[] = {0, mode, 7, 9};
    for (size_t i = 0; i < 4; i++) {
        weft_buffer_u32(&b->bytes, head[i]);
    }
    put_padded(&b->bytes, "message-1", 9);
}

static void batch_call_sized(batch *b, const char *name, const char *id, const char *arguments,
                             size_t length) {
    weft_buffer_u32(&b->bytes, (id == NULL ? 0u : WEFT_CALL_HAS_ID) |
                                   (arguments == NULL ? WEFT_CALL_UNREADABLE : 0u));
    put_padded(&b->bytes, name, strlen(name));
    put_padded(&b->bytes, id == NULL ? "" : id, id == NULL ? 0 : strlen(id));
    put_padded(&b->bytes, arguments == NULL ? "" : arguments, length);
    b->count++;
}

static void batch_call(batch *b, const char *name, const char *id, const char *arguments) {
    batch_call_sized(b, name, id, arguments, arguments == NULL ? 0 : strlen(arguments));
}

// What a plan says of one call.
typedef struct outcome {
    int status;
    uint32_t tool;
    const uint8_t *id, *text, *digest;
    uint32_t id_length, text_length, digest_length;
} outcome;

static uint32_t word_at(const weft_buffer *from, uint32_t *at) {
    uint32_t word;
    REQUIRE(*at + 4 <= from->length);
    memcpy(&word, from->bytes + *at, 4);
    *at += 4;
    return word;
}

static const uint8_t *text_at(const weft_buffer *from, uint32_t *at, uint32_t *length) {
    *length = word_at(from, at);
    const uint8_t *text = from->bytes + *at;
    *at += (*length + 3) / 4 * 4;
    REQUIRE(*at <= from->length);
    return text;
}

static outcome outcome_of(const weft_toolset *set, uint32_t index) {
    uint32_t at = 0;
    outcome o = {0};
    CHECK_EQ(word_at(&set->answer, &at), WEFT_OK);
    REQUIRE(index < word_at(&set->answer, &at));
    for (uint32_t i = 0; i <= index; i++) {
        o.status = (int)word_at(&set->answer, &at);
        o.tool = word_at(&set->answer, &at);
        o.id = text_at(&set->answer, &at, &o.id_length);
        o.text = text_at(&set->answer, &at, &o.text_length);
        o.digest = text_at(&set->answer, &at, &o.digest_length);
    }
    return o;
}

static weft_status plan(weft_toolset *set, batch *b) {
    weft_status status = b->bytes.status;
    if (status == WEFT_OK) {
        weft_buffer_patch_u32(&b->bytes, 0, b->count);
        status = weft_toolset_plan(set, (const uint32_t *)(const void *)b->bytes.bytes,
                                   b->bytes.length / 4);
    }
    weft_buffer_fini(&b->bytes);
    return status;
}

static weft_toolset *make_tools(const char *definition) {
    weft_toolset *set;
    weft_graph_error error;
    REQUIRE_EQ(weft_toolset_new(test_memory(), definition, strlen(definition), &set, &error),
               WEFT_OK);
    return set;
}

// One call under one mode: its status and text.
static void expect(weft_toolset *set, uint32_t mode, const char *name, const char *arguments,
                   int status, const char *text) {
    batch b;
    batch_start(&b, mode);
    batch_call(&b, name, "1", arguments);
    REQUIRE_EQ(plan(set, &b), WEFT_OK);
    outcome o = outcome_of(set, 0);
    CHECK_EQ(o.status, status);
    CHECK_TEXT(o.text, o.text_length, text);
    CHECK_EQ(o.id_length, 0);
}

#define FIX "\n Please fix your mistakes."
#define MISMATCH "Error: Received tool input did not match expected schema\n\n\xe2\x9c\x96 "

TEST(arguments_become_canonical_or_a_text) {
    weft_toolset *set = make_tools(TOOLS);
    expect(set, WEFT_PLAN_TOOLS, "add", " { \"a\" : 1.0e0 } ", 0, "{\"a\":1,\"b\":2}");
    expect(set, WEFT_PLAN_TOOLS, "free", "{\"x\":[null,\"\\u0041\"]}", 0, "{\"x\":[null,\"A\"]}");
    expect(set, WEFT_PLAN_TOOLS, "add", "{\"a\":\"x\"}", WEFT_ERR_TOOL_ARGUMENTS,
           MISMATCH "/a: expected number, found string \"x\"" FIX);
    expect(set, WEFT_PLAN_TOOLS, "add", "[1]", WEFT_ERR_TOOL_ARGUMENTS,
           MISMATCH "expected an object, found an array" FIX);
    expect(set, WEFT_PLAN_TOOLS, "free", "null", WEFT_ERR_TOOL_ARGUMENTS,
           MISMATCH "expected an object, found null" FIX);
    expect(set, WEFT_PLAN_TOOLS, "free", "\"{}\"", WEFT_ERR_TOOL_ARGUMENTS,
           MISMATCH "expected an object, found a string" FIX);
    expect(set, WEFT_PLAN_TOOLS, "nope", "{}", WEFT_ERR_UNKNOWN_TOOL,
           "Error: Tool \"nope\" not found." FIX);
    expect(set, WEFT_PLAN_RAW, "nope", "{}", WEFT_ERR_UNKNOWN_TOOL, "Tool \"nope\" not found.");
    expect(set, WEFT_PLAN_VALIDATE, "nope", "{}", WEFT_ERR_UNKNOWN_TOOL,
           "Tool \"nope\" not found.\n\nRespond after fixing all validation errors.");
    // A Cyrillic "а".
    expect(set, WEFT_PLAN_RAW,
           "\xd0\xb0"
           "dd",
           "{\"a\":1}", WEFT_ERR_UNKNOWN_TOOL,
           "Tool \"\xd0\xb0"
           "dd\" not found.");
    expect(set, WEFT_PLAN_RAW, "add", NULL, WEFT_ERR_JSON_SYNTAX,
           "Tool arguments are not valid JSON: they cannot be written as text.");
    weft_toolset_free(set);
}

static int status_of(weft_toolset *set, const char *arguments, size_t length) {
    batch b;
    batch_start(&b, WEFT_PLAN_TOOLS);
    batch_call_sized(&b, "free", "1", arguments, length);
    REQUIRE_EQ(plan(set, &b), WEFT_OK);
    outcome o = outcome_of(set, 0);
    CHECK(o.status == 0 || o.text_length < 200);
    return o.status;
}

TEST(broken_and_boundless_json_is_refused) {
    weft_toolset *set = make_tools(TOOLS);
    CHECK_EQ(status_of(set, "{\"a\":", 5), WEFT_ERR_JSON_SYNTAX);
    CHECK_EQ(status_of(set, "", 0), WEFT_ERR_JSON_SYNTAX);
    CHECK_EQ(status_of(set, "{}{}", 4), WEFT_ERR_JSON_SYNTAX);
    CHECK_EQ(status_of(set, "{\"a\":1e400}", 11), WEFT_ERR_JSON_NUMBER);
    CHECK_EQ(status_of(set, "{\"a\":1,\"a\":2}", 13), WEFT_ERR_JSON_KEY);
    CHECK_EQ(status_of(set, "{\"a\":\"\xff\"}", 9), WEFT_ERR_JSON_UTF8);
    char deep[400];
    memset(deep, '[', sizeof(deep));
    CHECK_EQ(status_of(set, deep, sizeof(deep)), WEFT_ERR_JSON_DEPTH);
    const size_t large = (2u << 20) + 1;
    char *text = malloc(large);
    REQUIRE(text != NULL);
    memset(text, ' ', large);
    text[0] = '{';
    text[large - 1] = '}';
    CHECK_EQ(status_of(set, text, large), WEFT_ERR_JSON_SIZE);
    text[large - 2] = '}';
    CHECK_EQ(status_of(set, text, large - 1), WEFT_OK);
    memset(text, '0', large);
    memcpy(text, "{\"a\":[", 6);
    for (size_t i = 7; i < 2 * 100001u + 7; i += 2) {
        text[i] = ',';
    }
    text[2 * 100001u + 7] = ']';
    text[2 * 100001u + 8] = '}';
    CHECK_EQ(status_of(set, text, 2 * 100001u + 9), WEFT_ERR_JSON_NODES);
    free(text);
    weft_toolset_free(set);
}

TEST(ids_are_single) {
    weft_toolset *set = make_tools(TOOLS);
    uint8_t first[64];
    for (int round = 0; round < 2; round++) {
        batch b;
        batch_start(&b, WEFT_PLAN_RAW);
        batch_call(&b, "free", "x", "{}");
        batch_call(&b, "free", "x", "{\"n\":2}");
        batch_call(&b, "free", NULL, "{}");
        batch_call(&b, "free", "", "{}");
        REQUIRE_EQ(plan(set, &b), WEFT_OK);
        outcome kept = outcome_of(set, 0), twice = outcome_of(set, 1), none = outcome_of(set, 2),
                empty = outcome_of(set, 3);
        CHECK_EQ(kept.status, WEFT_OK);
        CHECK_EQ(kept.id_length, 0);
        CHECK_EQ(twice.status, WEFT_ERR_TOOL_CALL);
        CHECK_TEXT(twice.text, twice.text_length,
                   "The id \"x\" belongs to an earlier tool call of the same message.");
        CHECK_EQ(none.status, WEFT_ERR_TOOL_CALL);
        CHECK_TEXT(none.text, none.text_length, "The tool call has no id.");
        CHECK_EQ(empty.status, WEFT_ERR_TOOL_CALL);
        CHECK_EQ(none.id_length, 37);
        CHECK(memcmp(none.id, "call_", 5) == 0);
        CHECK(memcmp(none.id, empty.id, 37) != 0 && memcmp(none.id, twice.id, 37) != 0);
        if (round == 0) {
            memcpy(first, none.id, 37);
        } else {
            CHECK_MEM(none.id, none.id_length, first, 37);
        }
    }
    weft_toolset_free(set);
}

TEST(the_thousand_and_first_call_is_refused) {
    weft_toolset *set = make_tools(TOOLS);
    batch b;
    batch_start(&b, WEFT_PLAN_RAW);
    for (int i = 0; i < 1001; i++) {
        char id[] = {(char)('a' + i / 100), (char)('0' + i / 10 % 10), (char)('0' + i % 10), 0};
        batch_call(&b, "free", id, "{}");
    }
    REQUIRE_EQ(plan(set, &b), WEFT_OK);
    CHECK_EQ(outcome_of(set, 999).status, WEFT_OK);
    CHECK_EQ(outcome_of(set, 1000).status, WEFT_ERR_TOOL_CALL);
    CHECK_EQ(outcome_of(set, 1000).id_length, 0);
    CHECK_TEXT(outcome_of(set, 1000).text, outcome_of(set, 1000).text_length,
               "Only the first 1000 tool calls of a message are run.");
    weft_toolset_free(set);
}

TEST(long_names_come_back_clipped) {
    weft_toolset *set = make_tools(TOOLS);
    char name[2001];
    memset(name, 0, sizeof(name));
    for (int i = 0; i < 1000; i++) {
        memcpy(name + 2 * i, "\xc3\xa9", 2);
    }
    batch b;
    batch_start(&b, WEFT_PLAN_RAW);
    batch_call(&b, name, "1", "{}");
    REQUIRE_EQ(plan(set, &b), WEFT_OK);
    outcome o = outcome_of(set, 0);
    CHECK_EQ(o.text_length, 256 + 3 + strlen("Tool \"\" not found."));
    weft_toolset_free(set);
}

TEST(digests_cover_call_tool_and_arguments) {
    weft_toolset *set = make_tools(TOOLS);
    static const char *const rows[][2] = {
        {"1", "{\"n\":1}"}, {"1", "{ \"n\":1.0 }"}, {"2", "{\"n\":1}"}, {"1", "{\"n\":2}"}};
    uint8_t digests[4][32];
    for (int i = 0; i < 4; i++) {
        batch b;
        batch_start(&b, WEFT_PLAN_TOOLS);
        batch_call(&b, "order", rows[i][0], rows[i][1]);
        REQUIRE_EQ(plan(set, &b), WEFT_OK);
        outcome o = outcome_of(set, 0);
        REQUIRE_EQ(o.digest_length, 32);
        memcpy(digests[i], o.digest, 32);
    }
    CHECK(memcmp(digests[0], digests[1], 32) == 0);
    CHECK(memcmp(digests[0], digests[2], 32) != 0);
    CHECK(memcmp(digests[0], digests[3], 32) != 0);
    weft_toolset_free(set);
}

// SHA-256 over what wasm/README.md names, computed by other means.
TEST(a_digest_is_what_is_written_down) {
    static const uint8_t expected[32] = {0xa2, 0xb7, 0x0b, 0x63, 0x0c, 0xca, 0x12, 0xae,
                                         0x05, 0x84, 0x7a, 0x71, 0x3f, 0x5d, 0x50, 0x31,
                                         0x58, 0x68, 0x51, 0x77, 0x4c, 0x38, 0xda, 0x5f,
                                         0x29, 0x8f, 0x9d, 0x1a, 0x2a, 0xc4, 0xa4, 0x06};
    weft_toolset *set = make_tools(TOOLS);
    batch b;
    batch_start(&b, WEFT_PLAN_TOOLS);
    batch_call(&b, "order", "1", "{\"x\":1}");
    REQUIRE_EQ(plan(set, &b), WEFT_OK);
    outcome o = outcome_of(set, 0);
    CHECK_MEM(o.digest, o.digest_length, expected, sizeof(expected));
    weft_toolset_free(set);
}

// What becomes of a call of `word` with these arguments.
static void expect_in(const char *tools, const char *arguments, int status) {
    weft_toolset *set = make_tools(tools);
    batch b;
    batch_start(&b, WEFT_PLAN_TOOLS);
    batch_call(&b, "word", "1", arguments);
    REQUIRE_EQ(plan(set, &b), WEFT_OK);
    CHECK_EQ(outcome_of(set, 0).status, status);
    weft_toolset_free(set);
}

TEST(lookaround_and_properties_of_letters_are_matched) {
    expect_in("{\"tools\":[{\"name\":\"word\",\"schema\":{\"properties\":{\"w\":{\"pattern\":\"^(?="
              "x)[^y]|^\\\\p{Lu}$\"}}}}],\"letters\":{\"Lu\":[65,90]}}",
              "{\"w\":\"xz\"}", WEFT_OK);
    expect_in("{\"tools\":[{\"name\":\"word\",\"schema\":{\"properties\":{\"w\":{\"pattern\":\"^(?="
              "x)[^y]|^\\\\p{Lu}$\"}}}}],\"letters\":{\"Lu\":[65,90]}}",
              "{\"w\":\"B\"}", WEFT_OK);
    expect_in(TOOLS, "{\"w\":\"xy\"}", WEFT_OK);
    expect_in(TOOLS, "{\"w\":\"yx\"}", WEFT_ERR_TOOL_ARGUMENTS);
}

TEST(batches_that_end_too_early_are_refused) {
    weft_toolset *set = make_tools(TOOLS);
    batch b;
    batch_start(&b, WEFT_PLAN_TOOLS);
    batch_call(&b, "add", "1", "{\"a\":1}");
    weft_buffer_patch_u32(&b.bytes, 0, 1);
    uint32_t words[64];
    uint32_t count = b.bytes.length / 4;
    REQUIRE(count < 63);
    memcpy(words, b.bytes.bytes, b.bytes.length);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_EQ(weft_toolset_plan(set, words, i), WEFT_ERR_BAD_EVENT);
        uint32_t at = 0;
        CHECK_EQ((int)word_at(&set->answer, &at), WEFT_ERR_BAD_EVENT);
    }
    CHECK_EQ(weft_toolset_plan(set, words, count), WEFT_OK);
    words[count] = 0;
    CHECK_EQ(weft_toolset_plan(set, words, count + 1), WEFT_ERR_BAD_EVENT);
    // Any word may be anything.
    for (uint32_t i = 0; i < count; i++) {
        uint32_t old = words[i];
        words[i] = UINT32_MAX;
        weft_status status = weft_toolset_plan(set, words, count);
        CHECK(status == WEFT_OK || status == WEFT_ERR_BAD_EVENT);
        words[i] = old;
    }
    weft_buffer_fini(&b.bytes);
    weft_toolset_free(set);
    // Not even the refusal has room.
    set = make_tools("[]");
    test_fail_from(1);
    CHECK_EQ(weft_toolset_plan(set, words, 0), WEFT_ERR_NO_MEMORY);
    test_fail_from(0);
    CHECK_EQ(weft_toolset_plan(set, words, 0), WEFT_ERR_BAD_EVENT);
    weft_toolset_free(set);
}

TEST(arguments_that_take_too_many_steps_are_told) {
    char definition[4096];
    size_t at = (size_t)sprintf(definition,
                                "[{\"name\":\"t\",\"schema\":{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 40; i++) {
        at += (size_t)sprintf(
            definition + at,
            "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]},", i,
            i + 1, i + 1);
    }
    strcpy(definition + at, "\"d40\":{}}}}]");
    weft_toolset *set = make_tools(definition);
    expect(set, WEFT_PLAN_TOOLS, "t", "{}", WEFT_ERR_SCHEMA_BUDGET,
           "Error: The validation of the tool arguments takes too many steps." FIX);
    weft_toolset_free(set);
}

TEST(definitions_that_cannot_be_used) {
    static const struct {
        const char *text;
        weft_status status;
        const char *word; // the first of two
    } rows[] = {
        {"{}", WEFT_ERR_BAD_DEFINITION, NULL},
        {"[1]", WEFT_ERR_BAD_DEFINITION, NULL},
        {"[{}]", WEFT_ERR_BAD_DEFINITION, NULL},
        {"[{\"name\":\"\"}]", WEFT_ERR_BAD_DEFINITION, NULL},
        {"[{\"name\":7}]", WEFT_ERR_BAD_DEFINITION, NULL},
        {"[", WEFT_ERR_JSON_SYNTAX, "1"},
        {"[{\"name\":\"t\",\"schema\":{\"type\":7}}]", WEFT_ERR_SCHEMA, "t/type"},
        {"[{\"name\":\"t\",\"schema\":{\"$ref\":\"#/nowhere\"}}]", WEFT_ERR_SCHEMA, "t/$ref"},
        {"[{\"name\":\"t\",\"schema\":5}]", WEFT_ERR_SCHEMA, "t"},
        {"[{\"name\":\"ok\",\"schema\":true},{\"name\":\"t\",\"schema\":{\"pattern\":\"(\"}}]",
         WEFT_ERR_PATTERN, "t/pattern"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        weft_toolset *set;
        weft_graph_error error;
        CHECK_EQ(weft_toolset_new(test_memory(), rows[i].text, strlen(rows[i].text), &set, &error),
                 rows[i].status);
        if (rows[i].word != NULL) {
            REQUIRE_EQ(error.count, 2);
            CHECK_TEXT(error.words[0].bytes, error.words[0].length, rows[i].word);
        }
        weft_toolset_free(set);
    }
}

TEST(a_limit_is_told_as_its_number) {
    size_t size = 3u << 20;
    char *text = malloc(size + 100);
    size_t at = (size_t)sprintf(text, "[{\"name\":\"t\",\"schema\":{\"title\":\"");
    memset(text + at, 'x', size - at);
    strcpy(text + size, "\"}}]");
    weft_toolset *set;
    weft_graph_error error;
    CHECK_EQ(weft_toolset_new(test_memory(), text, strlen(text), &set, &error), WEFT_ERR_JSON_SIZE);
    CHECK_TEXT(error.words[0].bytes, error.words[0].length, "2097152");
    weft_toolset_free(set);
    free(text);
}

static void make_and_plan(void *context) {
    (void)context;
    weft_toolset *set;
    weft_graph_error error;
    weft_status status = weft_toolset_new(test_memory(), TOOLS, strlen(TOOLS), &set, &error);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    if (status == WEFT_OK) {
        batch b;
        batch_start(&b, WEFT_PLAN_TOOLS);
        batch_call(&b, "add", "1", "{\"a\":1}");
        batch_call(&b, "add", "1", "{\"a\":1}");
        batch_call(&b, "add", "3", "{\"a\":\"x\"}");
        batch_call(&b, "word", "4", "{\"w\":\"x\"}");
        batch_call(&b, "order", "5", "{\"w\":\"x\"}");
        status = plan(set, &b);
        CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    }
    weft_toolset_free(set);
}

TEST(no_memory_is_reported_and_nothing_leaks) {
    test_each_failure(make_and_plan, NULL);
}

TEST(routes) {
    CHECK_EQ(weft_agent_after_model(WEFT_REACT_AI_LAST, 2), WEFT_ROUTE_TOOLS);
    CHECK_EQ(weft_agent_after_model(WEFT_REACT_AI_LAST | WEFT_REACT_SEND_EACH, 2), WEFT_ROUTE_SEND);
    CHECK_EQ(weft_agent_after_model(WEFT_REACT_AI_LAST, 0), WEFT_ROUTE_END);
    CHECK_EQ(weft_agent_after_model(0, 3), WEFT_ROUTE_END);
    CHECK_EQ(weft_agent_after_tools(0), WEFT_ROUTE_AGENT);
    CHECK_EQ(weft_agent_after_tools(WEFT_REACT_DIRECT_HIT), WEFT_ROUTE_END);
    CHECK_EQ(weft_agent_guard(WEFT_REACT_HAS_REMAINING, 1, 2), WEFT_ROUTE_AGENT);
    CHECK_EQ(weft_agent_guard(WEFT_REACT_HAS_REMAINING, 1, 1), WEFT_ROUTE_MORE_STEPS);
    CHECK_EQ(weft_agent_guard(WEFT_REACT_HAS_REMAINING, 0, 0), WEFT_ROUTE_AGENT);
    CHECK_EQ(weft_agent_guard(WEFT_REACT_HAS_REMAINING | WEFT_REACT_ALL_DIRECT, 1, 1),
             WEFT_ROUTE_AGENT);
    CHECK_EQ(weft_agent_guard(WEFT_REACT_HAS_REMAINING | WEFT_REACT_ALL_DIRECT, 1, 0),
             WEFT_ROUTE_MORE_STEPS);
    CHECK_EQ(weft_agent_guard(0, 1, -5), WEFT_ROUTE_AGENT);
}
