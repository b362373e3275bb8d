// SPDX-License-Identifier: MIT
// The hostile texts of docs/reliability.md 2 that can be said in one line each: `before`, `unit`
// again and again, `middle`, `close` as often, `after`. A `%` in a unit is its number, an `@` the
// next one. A part of hostile.c.
#ifndef WEFT_TEST_HOSTILE_ROWS_H
#define WEFT_TEST_HOSTILE_ROWS_H

typedef struct part {
    const char *text;
    size_t length;
} part;

#define P(text)                                                                                    \
    { "" text, sizeof("" text) - 1 }

typedef struct text_row {
    const char *title, *expected;
    part before, unit;
    uint32_t times;
    part middle, close, after;
} text_row;

// Arguments of a tool call.
static const text_row arguments[] = {
    {"128 levels", "runs", P("{\"x\":"), P("["), 127, P(""), P("]"), P("}")},
    {"129 levels", "JSON_DEPTH", P("{\"x\":"), P("["), 128, P(""), P("]"), P("}")},
    {"1,001 levels", "JSON_DEPTH", P("{\"x\":"), P("["), 1000, P(""), P("]"), P("}")},
    {"100,000 open brackets", "JSON_DEPTH", P("{\"x\":"), P("["), 100000, P(""), P(""), P("")},
    {"an array of 1,000,000", "JSON_NODES", P("{\"x\":["), P("1,"), 999999, P("1]}"), P(""), P("")},
    {"an object of 100,001 keys", "JSON_NODES", P("{"), P("\"k%\":1,"), 100001, P("\"z\":1}"),
     P(""), P("")},
    {"an object of 90,000 keys", "runs", P("{"), P("\"k%\":1,"), 90000, P("\"z\":1}"), P(""),
     P("")},
    {"a text of 16 MB", "JSON_SIZE", P("{\"x\":\""), P("xxxxxxxxxxxxxxxx"), 1 << 20, P("\"}"),
     P(""), P("")},
    {"1,000,000 escapes", "JSON_SIZE", P("{\"x\":\""), P("\\u0041"), 1000000, P("\"}"), P(""),
     P("")},
    {"300,000 escapes", "runs", P("{\"x\":\""), P("\\u0041"), 300000, P("\"}"), P(""), P("")},
    {"10 MB", "JSON_SIZE", P("{\"x\":\""), P("xxxxxxxxxx"), 1 << 20, P("\"}"), P(""), P("")},
    {"a number of 1,000,000 digits", "JSON_NUMBER", P("{\"x\":"), P("9"), 1000000, P("}"), P(""),
     P("")},
    {"1,000,000 digits behind the point", "runs", P("{\"x\":0."), P("3"), 1000000, P("}"), P(""),
     P("")},
    {"1e400", "JSON_NUMBER", P("{\"x\":1e400}"), P(""), 0, P(""), P(""), P("")},
    {"-1e400", "JSON_NUMBER", P("{\"x\":-1e400}"), P(""), 0, P(""), P(""), P("")},
    {"NaN", "JSON_SYNTAX", P("{\"x\":NaN}"), P(""), 0, P(""), P(""), P("")},
    {"2^53 + 1", "runs", P("{\"x\":9007199254740993}"), P(""), 0, P(""), P(""), P("")},
    {"the largest of 64 bits", "runs", P("{\"x\":18446744073709551615}"), P(""), 0, P(""), P(""),
     P("")},
    {"a snowflake id", "runs", P("{\"x\":1234567890123456789}"), P(""), 0, P(""), P(""), P("")},
    {"-0", "runs", P("{\"x\":-0}"), P(""), 0, P(""), P(""), P("")},
    {"5e-324", "runs", P("{\"x\":5e-324}"), P(""), 0, P(""), P(""), P("")},
    {"01", "JSON_SYNTAX", P("{\"x\":01}"), P(""), 0, P(""), P(""), P("")},
    {"1.", "JSON_SYNTAX", P("{\"x\":1.}"), P(""), 0, P(""), P(""), P("")},
    {".5", "JSON_SYNTAX", P("{\"x\":.5}"), P(""), 0, P(""), P(""), P("")},
    {"+1", "JSON_SYNTAX", P("{\"x\":+1}"), P(""), 0, P(""), P(""), P("")},
    {"1.e5", "JSON_SYNTAX", P("{\"x\":1.e5}"), P(""), 0, P(""), P(""), P("")},
    {"garbage behind", "JSON_SYNTAX", P("{}x"), P(""), 0, P(""), P(""), P("")},
    {"a second document", "JSON_SYNTAX", P("{}{}"), P(""), 0, P(""), P(""), P("")},
    {"a byte order mark", "JSON_SYNTAX", P("\xef\xbb\xbf{}"), P(""), 0, P(""), P(""), P("")},
    {"a raw control character", "JSON_SYNTAX", P("{\"x\":\"\x01\"}"), P(""), 0, P(""), P(""),
     P("")},
    {"NUL inside", "JSON_SYNTAX", P("{\"x\":\"a\0b\"}"), P(""), 0, P(""), P(""), P("")},
    {"NUL outside", "JSON_SYNTAX", P("{}\0"), P(""), 0, P(""), P(""), P("")},
    {"\\u0000 in a key", "JSON_KEY", P("{\"a\\u0000\":1}"), P(""), 0, P(""), P(""), P("")},
    {"\\u0000 in a value", "runs", P("{\"x\":\"\\u0000\"}"), P(""), 0, P(""), P(""), P("")},
    {"\\uZZZZ", "JSON_SYNTAX", P("{\"x\":\"\\uZZZZ\"}"), P(""), 0, P(""), P(""), P("")},
    {"UTF-8: a lone follower", "JSON_UTF8", P("{\"x\":\"\x80\"}"), P(""), 0, P(""), P(""), P("")},
    {"UTF-8: no follower", "JSON_UTF8", P("{\"x\":\"\xc3\"}"), P(""), 0, P(""), P(""), P("")},
    {"UTF-8: 2 bytes for 1", "JSON_UTF8", P("{\"x\":\"\xc0\xaf\"}"), P(""), 0, P(""), P(""), P("")},
    {"UTF-8: 3 bytes for 2", "JSON_UTF8", P("{\"x\":\"\xe0\x80\xaf\"}"), P(""), 0, P(""), P(""),
     P("")},
    {"UTF-8: 4 bytes for 3", "JSON_UTF8", P("{\"x\":\"\xf0\x80\x80\xaf\"}"), P(""), 0, P(""), P(""),
     P("")},
    {"UTF-8: a surrogate", "JSON_UTF8", P("{\"x\":\"\xed\xa0\x80\"}"), P(""), 0, P(""), P(""),
     P("")},
    {"UTF-8: above U+10FFFF", "JSON_UTF8", P("{\"x\":\"\xf4\x90\x80\x80\"}"), P(""), 0, P(""),
     P(""), P("")},
    {"UTF-8: 0xff", "JSON_UTF8", P("{\"x\":\"\xff\"}"), P(""), 0, P(""), P(""), P("")},
    {"a lone high surrogate", "runs", P("{\"x\":\"\\ud800\"}"), P(""), 0, P(""), P(""), P("")},
    {"a lone low surrogate", "runs", P("{\"x\":\"\\udc00\"}"), P(""), 0, P(""), P(""), P("")},
    {"surrogates turned round", "runs", P("{\"x\":\"\\udc00\\ud800\"}"), P(""), 0, P(""), P(""),
     P("")},
    {"a high one before a letter", "runs", P("{\"x\":\"\\ud800a\"}"), P(""), 0, P(""), P(""),
     P("")},
    {"two high ones", "runs", P("{\"x\":\"\\ud800\\ud800\"}"), P(""), 0, P(""), P(""), P("")},
    {"a lone one in a key", "runs", P("{\"\\ud800\":1}"), P(""), 0, P(""), P(""), P("")},
    {"a key twice", "JSON_KEY", P("{\"x\":1,\"x\":2}"), P(""), 0, P(""), P(""), P("")},
    {"a key twice, once escaped", "JSON_KEY", P("{\"x\":1,\"\\u0078\":2}"), P(""), 0, P(""), P(""),
     P("")},
    {"keys that differ by case", "runs", P("{\"x\":1,\"X\":2}"), P(""), 0, P(""), P(""), P("")},
    {"__proto__ as a key", "runs", P("{\"__proto__\":{},\"constructor\":1}"), P(""), 0, P(""),
     P(""), P("")},
    {"an array for arguments", "TOOL_ARGUMENTS", P("[1]"), P(""), 0, P(""), P(""), P("")},
    {"a text of JSON", "TOOL_ARGUMENTS", P("\"{}\""), P(""), 0, P(""), P(""), P("")},
    {"truncated JSON", "JSON_SYNTAX", P("{\"x\":[1,2"), P(""), 0, P(""), P(""), P("")},
};

// A schema, and what it is asked about.
typedef struct schema_row {
    text_row schema, value;
} schema_row;

#define SCHEMA(title, expected, ...)                                                               \
    {                                                                                              \
        { title, expected, __VA_ARGS__ }
#define VALUE(...)                                                                                 \
    { "", "", __VA_ARGS__ }                                                                        \
    }

static const schema_row schemas[] = {
    SCHEMA("^(a+)+$", "does not fit", P("{\"pattern\":\"^(a+)+$\"}"), P(""), 0, P(""), P(""),
           P("")),
    VALUE(P("\""), P("a"), 100000, P("!\""), P(""), P("")),
    SCHEMA("^(?=(a+)+$)(a|aa)+$", "does not fit", P("{\"pattern\":\"^(?=(a+)+$)(a|aa)+$\"}"), P(""),
           0, P(""), P(""), P("")),
    VALUE(P("\""), P("a"), 20000, P("!\""), P(""), P("")),
    SCHEMA("lookaround in lookaround", "SCHEMA_BUDGET",
           P("{\"pattern\":\"(?=(?=(?=.*b).*b).*b)c\"}"), P(""), 0, P(""), P(""), P("")),
    VALUE(P("\""), P("a"), 100000, P("\""), P(""), P("")),
    SCHEMA("a back reference in loops", "SCHEMA_BUDGET", P("{\"pattern\":\"^(?:(a+)+)+\\\\1b\"}"),
           P(""), 0, P(""), P(""), P("")),
    VALUE(P("\""), P("a"), 100000, P("\""), P(""), P("")),
    SCHEMA("a pattern of 200 KB", "BAD_PATTERN", P("{\"pattern\":\""), P("a?"), 100000, P("\"}"),
           P(""), P("")),
    VALUE(P("\"a\""), P(""), 0, P(""), P(""), P("")),
    SCHEMA("a pattern of 32,768 groups", "BAD_PATTERN", P("{\"pattern\":\""), P("("), 32768, P(""),
           P(")"), P("\"}")),
    VALUE(P("\"a\""), P(""), 0, P(""), P(""), P("")),
    SCHEMA("a circle of references", "SCHEMA_BUDGET",
           P("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/"
             "b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}"),
           P(""), 0, P(""), P(""), P("")),
    VALUE(P("1"), P(""), 0, P(""), P(""), P("")),
    SCHEMA("a reference to itself", "SCHEMA_BUDGET", P("{\"$ref\":\"#\"}"), P(""), 0, P(""), P(""),
           P("")),
    VALUE(P("1"), P(""), 0, P(""), P(""), P("")),
    SCHEMA("30 doublings by allOf", "SCHEMA_BUDGET", P("{\"$ref\":\"#/$defs/d0\",\"$defs\":{"),
           P("\"d%\":{\"allOf\":[{\"$ref\":\"#/$defs/d@\"},{\"$ref\":\"#/$defs/d@\"}]},"), 30,
           P("\"d30\":{\"type\":\"null\"}}}"), P(""), P("")),
    VALUE(P("null"), P(""), 0, P(""), P(""), P("")),
    SCHEMA("oneOf of 1,000", "fits", P("{\"oneOf\":["), P("{\"const\":%},"), 999,
           P("{\"const\":-1}]}"), P(""), P("")),
    VALUE(P("998"), P(""), 0, P(""), P(""), P("")),
    SCHEMA("uniqueItems on 40,000 objects", "fits", P("{\"uniqueItems\":true}"), P(""), 0, P(""),
           P(""), P("")),
    VALUE(P("["), P("{\"i\":%},"), 40000, P("0]"), P(""), P("")),
    SCHEMA("uniqueItems on 100,000 objects", "JSON_NODES", P("{\"uniqueItems\":true}"), P(""), 0,
           P(""), P(""), P("")),
    VALUE(P("["), P("{\"i\":%},"), 100000, P("0]"), P(""), P("")),
    SCHEMA("a reference to another site", "BAD_SCHEMA", P("{\"$ref\":\"https://example.com/x\"}"),
           P(""), 0, P(""), P(""), P("")),
    VALUE(P("1"), P(""), 0, P(""), P(""), P("")),
    SCHEMA("1,000 levels", "JSON_DEPTH", P(""), P("{\"not\":"), 1000, P("{}"), P("}"), P("")),
    VALUE(P("1"), P(""), 0, P(""), P(""), P("")),
};

#endif
