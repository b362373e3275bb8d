// SPDX-License-Identifier: MIT
// The pattern matcher: verdicts equal to a JavaScript engine's (the table's numbers come from
// RegExp with the flag u), invalid patterns, time linear where backtracking is exponential and
// within the budget otherwise (T12), refused allocations (T3).
#include "test.h"

#include "schema/pattern.h"

static weft_text text_of(const char *bytes, size_t size) {
    return (weft_text){(const uint8_t *)bytes, (const uint8_t *)bytes + size, 0};
}

TEST(verdicts_are_those_of_javascript) {
    static const struct {
        const char *pattern;
        uint32_t pattern_size;
        const char *text;
        uint32_t size;
        int matches;
    } CASES[] = {
        {"abc", 3, "abc", 3, 1},
        {"abc", 3, "xabcx", 5, 1},
        {"abc", 3, "ab", 2, 0},
        {"abc", 3, "", 0, 0},
        {"^abc$", 5, "abc", 3, 1},
        {"^abc$", 5, "abcx", 4, 0},
        {"^abc$", 5, "xabc", 4, 0},
        {"", 0, "", 0, 1},
        {"", 0, "x", 1, 1},
        {"^$", 2, "", 0, 1},
        {"^$", 2, "x", 1, 0},
        {"a*", 2, "", 0, 1},
        {"a*", 2, "b", 1, 1},
        {"^a+$", 4, "", 0, 0},
        {"^a+$", 4, "a", 1, 1},
        {"^a+$", 4, "aaaa", 4, 1},
        {"^a+$", 4, "aab", 3, 0},
        {"^a?b$", 5, "b", 1, 1},
        {"^a?b$", 5, "ab", 2, 1},
        {"^a?b$", 5, "aab", 3, 0},
        {"^(?:ab|cd)+$", 12, "ab", 2, 1},
        {"^(?:ab|cd)+$", 12, "abcd", 4, 1},
        {"^(?:ab|cd)+$", 12, "abc", 3, 0},
        {"^(?:ab|cd)+$", 12, "", 0, 0},
        {"^(a|b|)c$", 9, "c", 1, 1},
        {"^(a|b|)c$", 9, "ac", 2, 1},
        {"^(a|b|)c$", 9, "bc", 2, 1},
        {"^(a|b|)c$", 9, "abc", 3, 0},
        {"^a{3}$", 6, "aa", 2, 0},
        {"^a{3}$", 6, "aaa", 3, 1},
        {"^a{3}$", 6, "aaaa", 4, 0},
        {"^a{2,}$", 7, "a", 1, 0},
        {"^a{2,}$", 7, "aa", 2, 1},
        {"^a{2,}$", 7, "aaaaa", 5, 1},
        {"^a{1,3}$", 8, "", 0, 0},
        {"^a{1,3}$", 8, "a", 1, 1},
        {"^a{1,3}$", 8, "aaa", 3, 1},
        {"^a{1,3}$", 8, "aaaa", 4, 0},
        {"^(ab){0,2}$", 11, "", 0, 1},
        {"^(ab){0,2}$", 11, "ab", 2, 1},
        {"^(ab){0,2}$", 11, "abab", 4, 1},
        {"^(ab){0,2}$", 11, "ababab", 6, 0},
        {"^a{0}$", 6, "", 0, 1},
        {"^a{0}$", 6, "a", 1, 0},
        {"^(?:){5}x$", 10, "x", 1, 1},
        {"^(a*)*$", 7, "aaa", 3, 1},
        {"^(a*)*$", 7, "b", 1, 0},
        {"^(a*)*$", 7, "", 0, 1},
        {"^(a+)+$", 7, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", 37, 0},
        {"^(a+)+$", 7, "aaaa", 4, 1},
        {"(x+x+)+y", 8, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 40, 0},
        {"(x+x+)+y", 8, "xxy", 3, 1},
        {"^\\d{4}-\\d{2}-\\d{2}$", 19, "2024-01-31", 10, 1},
        {"^\\d{4}-\\d{2}-\\d{2}$", 19, "24-1-1", 6, 0},
        {"^\\d{4}-\\d{2}-\\d{2}$", 19, "2024-01-311", 11, 0},
        {"^\\w+$", 5, "az_09", 5, 1},
        {"^\\w+$", 5, "a-b", 3, 0},
        {"^\\w+$", 5, "\303\251", 2, 0},
        {"^\\w+$", 5, "", 0, 0},
        {"^\\W$", 4, "-", 1, 1},
        {"^\\W$", 4, "a", 1, 0},
        {"^\\W$", 4, "\303\251", 2, 1},
        {"^\\s$", 4, " ", 1, 1},
        {"^\\s$", 4, "\011", 1, 1},
        {"^\\s$", 4, "\302\240", 2, 1},
        {"^\\s$", 4, "\357\273\277", 3, 1},
        {"^\\s$", 4, "\342\200\251", 3, 1},
        {"^\\s$", 4, "\341\240\216", 3, 0},
        {"^\\s$", 4, "a", 1, 0},
        {"^\\S+$", 5, "ab", 2, 1},
        {"^\\S+$", 5, "a b", 3, 0},
        {"^\\D$", 4, "a", 1, 1},
        {"^\\D$", 4, "1", 1, 0},
        {"\\bfoo\\b", 7, "a foo b", 7, 1},
        {"\\bfoo\\b", 7, "afoo", 4, 0},
        {"\\bfoo\\b", 7, "foo", 3, 1},
        {"\\bfoo\\b", 7, "foo_", 4, 0},
        {"\\Boo\\B", 6, "food", 4, 1},
        {"\\Boo\\B", 6, "foo", 3, 0},
        {"^.$", 3, "a", 1, 1},
        {"^.$", 3, "\012", 1, 0},
        {"^.$", 3, "\342\200\250", 3, 0},
        {"^.$", 3, "\360\237\230\200", 4, 1},
        {"^.$", 3, "ab", 2, 0},
        {"^..$", 4, "\360\237\230\200", 4, 0},
        {"^..$", 4, "\360\237\230\200\360\237\230\200", 8, 1},
        {"^[a-c]$", 7, "a", 1, 1},
        {"^[a-c]$", 7, "d", 1, 0},
        {"^[a-c]$", 7, "-", 1, 0},
        {"^[^a-c]$", 8, "a", 1, 0},
        {"^[^a-c]$", 8, "d", 1, 1},
        {"^[^a-c]$", 8, "\012", 1, 1},
        {"^[\\d\\-x]+$", 10, "1-x", 3, 1},
        {"^[\\d\\-x]+$", 10, "y", 1, 0},
        {"^[\\w.-]+@[\\w.-]+\\.\\w+$", 22, "a.b@c.de", 8, 1},
        {"^[\\w.-]+@[\\w.-]+\\.\\w+$", 22, "a@b", 3, 0},
        {"^[\\w.-]+@[\\w.-]+\\.\\w+$", 22, "@c.d", 4, 0},
        {"^[-a]$", 6, "-", 1, 1},
        {"^[-a]$", 6, "a", 1, 1},
        {"^[-a]$", 6, "b", 1, 0},
        {"^[a-]$", 6, "-", 1, 1},
        {"^[a-]$", 6, "a", 1, 1},
        {"^[a-]$", 6, "b", 1, 0},
        {"^[\\]]$", 6, "]", 1, 1},
        {"^[\\]]$", 6, "a", 1, 0},
        {"^[^]$", 5, "a", 1, 1},
        {"^[^]$", 5, "\012", 1, 1},
        {"^[]$", 4, "", 0, 0},
        {"^[]$", 4, "a", 1, 0},
        {"^[\\D]$", 6, "a", 1, 1},
        {"^[\\D]$", 6, "1", 1, 0},
        {"^[^\\D]$", 7, "a", 1, 0},
        {"^[^\\D]$", 7, "1", 1, 1},
        {"^[\\s\\S]$", 8, "a", 1, 1},
        {"^[\\s\\S]$", 8, "\012", 1, 1},
        {"^[\\b]$", 6, "\010", 1, 1},
        {"^[\\b]$", 6, "b", 1, 0},
        {"^[\\u{1F600}-\\u{1F64F}]$", 23, "\360\237\230\200", 4, 1},
        {"^[\\u{1F600}-\\u{1F64F}]$", 23, "a", 1, 0},
        {"^\\uD83D\\uDE00$", 14, "\360\237\230\200", 4, 1},
        {"^\\u{1F600}$", 11, "\360\237\230\200", 4, 1},
        {"^\\x41\\u0042\\cJ\\0$", 17, "AB\012\000", 4, 1},
        {"^\\x41\\u0042\\cJ\\0$", 17, "AB", 2, 0},
        {"^\\t\\n\\v\\f\\r$", 12, "\011\012\013\014\015", 5, 1},
        {"^\\/\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\\\$", 32, "/.*+?()[]{}|^$\\", 15, 1},
        {"^(?<year>\\d+)$", 14, "12", 2, 1},
        {"^(?<year>\\d+)$", 14, "x", 1, 0},
        {"^(?:(?:(?:a)))$", 15, "a", 1, 1},
        {"a|^b|c$", 7, "xa", 2, 1},
        {"a|^b|c$", 7, "b", 1, 1},
        {"a|^b|c$", 7, "xb", 2, 0},
        {"a|^b|c$", 7, "c", 1, 1},
        {"a|^b|c$", 7, "cx", 2, 0},
        {"^(?:a|b)*?c", 11, "abac", 4, 1},
        {"^(?:a|b)*?c", 11, "abad", 4, 0},
        {"^.*$", 4, "a\012b", 3, 0},
        {"^.*$", 4, "ab", 2, 1},
        {"\303\251+", 3, "\303\251\303\251", 4, 1},
        {"\303\251+", 3, "e", 1, 0},
        {"^[\303\240-\303\274]$", 9, "\303\251", 2, 1},
        {"^[\303\240-\303\274]$", 9, "z", 1, 0},
        {"^\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$", 32, "1", 1, 1},
        {"^\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$", 32, "1.5e-3", 6, 1},
        {"^\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$", 32, "1.", 2, 0},
        {"^\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$", 32, "e5", 2, 0},
        {"^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$", 67,
         "127.0.0.1", 9, 1},
        {"^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$", 67,
         "256.1.1.1", 9, 0},
        {"^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$", 67, "1.2.3",
         5, 0},
        {"^[0-9a-f]{8}-[0-9a-f]{4}$", 25, "0123abcd-00ff", 13, 1},
        {"^[0-9a-f]{8}-[0-9a-f]{4}$", 25, "0123abcd-00f", 12, 0},
        {"^(?=.*[A-Z])(?=.*\\d).{8,}$", 26, "Password1", 9, 1},
        {"^(?=.*[A-Z])(?=.*\\d).{8,}$", 26, "password1", 9, 0},
        {"^(?=.*[A-Z])(?=.*\\d).{8,}$", 26, "Pass1", 5, 0},
        {"^(?=.*[A-Z])(?=.*\\d).{8,}$", 26, "PASSWORD", 8, 0},
        {"^(?=.*[A-Z])(?=.*\\d).{8,}$", 26, "12345678A", 9, 1},
        {"^(?!.*(.)\\1).+$", 15, "abcab", 5, 1},
        {"^(?!.*(.)\\1).+$", 15, "abbc", 4, 0},
        {"a(?!b)", 6, "ab", 2, 0},
        {"a(?!b)", 6, "abac", 4, 1},
        {"a(?!b)", 6, "", 0, 0},
        {"(?<=a)b", 7, "ab", 2, 1},
        {"(?<=a)b", 7, "b", 1, 0},
        {"(?<=a)b", 7, "cab", 3, 1},
        {"(?<!a)b", 7, "ab", 2, 0},
        {"(?<!a)b", 7, "b", 1, 1},
        {"(?<!a)b", 7, "cab", 3, 0},
        {"(?<!a)b", 7, "abb", 3, 1},
        {"(?<=^a+)b", 9, "aab", 3, 1},
        {"(?<=^a+)b", 9, "b", 1, 0},
        {"(?<=^a+)b", 9, "caab", 4, 0},
        {"(?<=(?<!x)a)b(?=c(?!d))", 23, "abc", 3, 1},
        {"(?<=(?<!x)a)b(?=c(?!d))", 23, "xabc", 4, 0},
        {"(?<=(?<!x)a)b(?=c(?!d))", 23, "abcd", 4, 0},
        {"(?<=(?<!x)a)b(?=c(?!d))", 23, "yabce", 5, 1},
        {"^(a+)b\\1$", 9, "aabaa", 5, 1},
        {"^(a+)b\\1$", 9, "aaba", 4, 0},
        {"^(a+)b\\1$", 9, "aba", 3, 1},
        {"^(?<q>['\"]).*\\k<q>$", 19, "'a'", 3, 1},
        {"^(?<q>['\"]).*\\k<q>$", 19, "'a\"", 3, 0},
        {"^(?<q>['\"]).*\\k<q>$", 19, "\"\"", 2, 1},
        {"^(?:(a)|b)*\\1$", 14, "ab", 2, 1},
        {"^(?:(a)|b)*\\1$", 14, "aba", 3, 0},
        {"^(?:(a)|b)*\\1$", 14, "b", 1, 1},
        {"^(?:(a)|b)*\\1$", 14, "abaa", 4, 1},
        {"^\\1(a)$", 7, "a", 1, 1},
        {"^\\1(a)$", 7, "aa", 2, 0},
        {"^(?=(a+))a*b\\1$", 15, "aabaa", 5, 1},
        {"^(?=(a+))a*b\\1$", 15, "aaba", 4, 0},
        {"^(?=(a+))a*b\\1$", 15, "abab", 4, 0},
        {"^(?=(a+?))\\1b$", 14, "ab", 2, 1},
        {"^(?=(a+?))\\1b$", 14, "aab", 3, 0},
        {"^(?!(a)b)\\1", 11, "ac", 2, 1},
        {"^(?!(a)b)\\1", 11, "ab", 2, 0},
        {"^(a*)*b\\1$", 10, "aab", 3, 0},
        {"^(a*)*b\\1$", 10, "b", 1, 1},
        {"^(a*)*b\\1$", 10, "aabaa", 5, 1},
        {"(?=\\bfoo)", 9, "a foo", 5, 1},
        {"(?=\\bfoo)", 9, "afoo", 4, 0},
        {"^(?:(?=a)a|b)+$", 15, "abab", 4, 1},
        {"^(?:(?=a)a|b)+$", 15, "abc", 3, 0},
        {"^(.+)\\1$", 8, "\303\251\303\251", 4, 1},
        {"^(.+)\\1$", 8, "\303\251a", 3, 0},
        {"^(.+)\\1$", 8, "\360\237\230\200a\360\237\230\200a", 10, 1},
        {"(?:)(?=x|$)", 11, "", 0, 1},
        {"(?:)(?=x|$)", 11, "yy", 2, 1},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        weft_pattern *pattern;
        const char *reason;
        uint32_t budget = 100000;
        weft_status status = weft_pattern_compile(test_memory(), (const uint8_t *)CASES[i].pattern,
                                                  CASES[i].pattern_size, NULL, &pattern, &reason);
        if (status != WEFT_OK) {
            fprintf(stderr, "  %s: %s\n", CASES[i].pattern, reason);
        }
        REQUIRE_EQ(status, WEFT_OK);
        int verdict = weft_pattern_matches(pattern, test_memory(),
                                           text_of(CASES[i].text, CASES[i].size), &budget);
        if (verdict != CASES[i].matches) {
            fprintf(stderr, "  %s on %s\n", CASES[i].pattern, CASES[i].text);
        }
        CHECK_EQ(verdict, CASES[i].matches);
        weft_pattern_free(pattern);
    }
}

TEST(mistakes_are_told) {
    static const struct {
        const char *pattern;
        weft_status status;
    } CASES[] = {
        {"(", WEFT_ERR_PATTERN},
        {")", WEFT_ERR_PATTERN},
        {"a)", WEFT_ERR_PATTERN},
        {"[", WEFT_ERR_PATTERN},
        {"[a", WEFT_ERR_PATTERN},
        {"*", WEFT_ERR_PATTERN},
        {"a|*", WEFT_ERR_PATTERN},
        {"\\", WEFT_ERR_PATTERN},
        {"[\\", WEFT_ERR_PATTERN},
        {"a{2,1}", WEFT_ERR_PATTERN},
        {"[b-a]", WEFT_ERR_PATTERN},
        {"(?x)", WEFT_ERR_PATTERN},
        {"(?<n", WEFT_ERR_PATTERN},
        {"\\u12", WEFT_ERR_PATTERN},
        {"\\x1", WEFT_ERR_PATTERN},
        {"\\u{110000}", WEFT_ERR_PATTERN},
        {"\\u{}", WEFT_ERR_PATTERN},
        {"\\q", WEFT_ERR_PATTERN},
        {"\\c1", WEFT_ERR_PATTERN},
        {"\\01", WEFT_ERR_PATTERN},
        {"(?=a)", WEFT_OK},
        {"a(?!b)", WEFT_OK},
        {"(?<=a)b", WEFT_OK},
        {"(?<!a)b", WEFT_OK},
        {"(a)\\1", WEFT_OK},
        {"\\k<n>", WEFT_ERR_PATTERN},
        {"\\p{L}", WEFT_ERR_PATTERN},
        {"[\\p{L}]", WEFT_ERR_PATTERN},
        {"a{30000}", WEFT_OK},
        {"((a{100}){100}){100}", WEFT_ERR_PATTERN},
        {"(?:){999999999}", WEFT_OK},
        {"(?:a|){0,999999999}", WEFT_ERR_PATTERN},
        {"a{99999999999999999999}", WEFT_ERR_PATTERN},
        {"a{", WEFT_OK},
        {"a{x}", WEFT_OK},
        {"]", WEFT_OK},
        {"(?=a)*", WEFT_ERR_PATTERN},
        {"(?<!a){2}", WEFT_ERR_PATTERN},
        {"(?=(?=(?=(?=a))))", WEFT_OK},
        {"(?=(?=(?=(?=(?!a)))))", WEFT_ERR_PATTERN},
        {"(a)\\2", WEFT_ERR_PATTERN},
        {"(?<=a)(b)\\1", WEFT_ERR_PATTERN},
        {"\\1(a)", WEFT_OK},
        {"\\k<n>(?<n>a)", WEFT_OK},
        {"\\k<n>(?<m>a)", WEFT_ERR_PATTERN},
        {"(?<>a)", WEFT_ERR_PATTERN},
        {"\\k", WEFT_ERR_PATTERN},
        {"\\p", WEFT_ERR_PATTERN},
        {"\\p{L", WEFT_ERR_PATTERN},
        {"^.{1,65535}$", WEFT_OK},
        {"\\-\\@\\_", WEFT_OK},
        {"[a-\\d]", WEFT_OK},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        weft_pattern *pattern;
        const char *reason;
        size_t size = strlen(CASES[i].pattern);
        uint8_t *exact = malloc(size);
        memcpy(exact, CASES[i].pattern, size);
        weft_status status =
            weft_pattern_compile(test_memory(), exact, (uint32_t)size, NULL, &pattern, &reason);
        if (status != CASES[i].status) {
            fprintf(stderr, "  %s: %s\n", CASES[i].pattern, reason);
        }
        CHECK_EQ(status, CASES[i].status);
        CHECK_EQ(pattern != NULL, status == WEFT_OK);
        CHECK(status != WEFT_ERR_PATTERN || reason[0] != '\0');
        weft_pattern_free(pattern);
        free(exact);
    }
}

TEST(groups_nest_64_levels) {
    for (size_t depth = 63; depth <= 66; depth++) {
        char source[200];
        weft_pattern *pattern;
        const char *reason;
        memset(source, '(', depth);
        memset(source + depth, ')', depth);
        CHECK_EQ(weft_pattern_compile(test_memory(), (const uint8_t *)source, (uint32_t)(2 * depth),
                                      NULL, &pattern, &reason),
                 depth <= 64 ? WEFT_OK : WEFT_ERR_PATTERN);
        weft_pattern_free(pattern);
    }
}

static int run(const char *source, const char *text, size_t size, uint32_t *budget) {
    weft_pattern *pattern;
    const char *reason;
    REQUIRE_EQ(weft_pattern_compile(test_memory(), (const uint8_t *)source,
                                    (uint32_t)strlen(source), NULL, &pattern, &reason),
               WEFT_OK);
    int verdict = weft_pattern_matches(pattern, test_memory(), text_of(text, size), budget);
    weft_pattern_free(pattern);
    return verdict;
}

TEST(time_grows_with_the_text_alone) {
    static char text[200001];
    static const char *const EVIL[] = {"^(a+)+$",     "^(a|a)*$", "^(a|aa)+$",
                                       "^(.*a){20}$", "(a*)*b",   "^(?:a?){30}a{30}$"};
    memset(text, 'a', sizeof(text));
    for (size_t i = 0; i < sizeof(EVIL) / sizeof(EVIL[0]); i++) {
        text[1999] = text[199999] = '!';
        uint32_t small = 100000000, large = 100000000;
        CHECK_EQ(run(EVIL[i], text, 2000, &small), 0);
        text[1999] = 'a';
        CHECK_EQ(run(EVIL[i], text, 200000, &large), 0);
        CHECK(100000000 - large <= 101 * (uint64_t)(100000000 - small));
        CHECK(100000000 - small <= 2000u * 200);
    }
    uint32_t budget = 1000;
    CHECK_EQ(run("^(a+)+$", text, 200000, &budget), -1);
    CHECK_EQ(budget, 0);
    budget = 2;
    CHECK_EQ(run("(?:|||||||||||)a", "b", 1, &budget), -1);
}

TEST(lookaround_costs_its_budget) {
    static char text[5001];
    static const char *const EVIL[] = {"^(?=(a+)+$)(?!(a|aa)+b)(a+)+$", "(?=(?=(?=.*!).*!).*!)b",
                                       "(?<=(a+)+)!!", "(?<!^(a|a)*)a$", "^(?!((a*)*)*b)"};
    memset(text, 'a', sizeof(text));
    for (size_t i = 0; i < sizeof(EVIL) / sizeof(EVIL[0]); i++) {
        uint32_t small = 100000000;
        CHECK(run(EVIL[i], text, 40, &small) >= 0);
        CHECK(100000000 - small < 40u * 40 * 40 * 40);
        uint32_t budget = 1000000;
        int verdict = run(EVIL[i], text, 5000, &budget);
        CHECK(verdict >= 0 ? budget != 0 : verdict == -1 && budget == 0);
    }
    uint32_t budget = 1000000;
    CHECK_EQ(run("(?=(?=.*!).*!)b", text, 5000, &budget), -1);
}

TEST(back_references_end_in_the_budget) {
    static char text[201];
    static const char *const EVIL[] = {"^(a+)+\\1b", "^(?:(a*)*\\1)*b",
                                       "^(.*)(.*)(.*)(.*)(.*)\\1\\2\\3\\4\\5b",
                                       "^(?=(a|aa)+b|(a))\\2(a+)+!", "(?:(?=(a+))a)*\\1b"};
    memset(text, 'a', sizeof(text));
    for (size_t i = 0; i < sizeof(EVIL) / sizeof(EVIL[0]); i++) {
        uint32_t budget = 20000000;
        int verdict = run(EVIL[i], text, 200, &budget);
        CHECK(verdict == 0 ? budget != 0 : verdict == -1 && budget == 0);
    }
    uint32_t budget = 20000000;
    CHECK_EQ(run("^(?:(a+)+)+\\1b", text, 200, &budget), -1);
    budget = 10000;
    CHECK_EQ(run("^(a+)!\\1$", "aaaaaaaa!aaaaaaaa", 17, &budget), 1);
}

TEST(letters_with_properties_are_those_that_are_told) {
    static const char TABLE[] =
        "{\"Lu\":[65,90,192,222],\"All\":[0,1114111],\"None\":[],\"odd\":[5],\"turned\":[9,5],"
        "\"far\":[0,1114112],\"text\":[\"a\",5],\"no\":7}";
    static const struct {
        const char *pattern, *text;
        int verdict; // -1: a mistake
    } CASES[] = {
        {"^\\p{Lu}+$", "A\303\200Z", 1},
        {"^\\p{Lu}+$", "Aa", 0},
        {"^\\P{Lu}+$", "a[\303\237", 1},
        {"^\\P{Lu}+$", "aZ", 0},
        {"^[\\p{Lu}b]+$", "AbZ", 1},
        {"[^\\P{Lu}]", "a", 0},
        {"\\P{All}", "a", 0},
        {"^\\P{None}$", "a", 1},
        {"\\p{None}", "a", 0},
        {"\\p{Ll}", "", -1},
        {"\\p{turned}", "", -1},
        {"\\p{far}", "", -1},
        {"\\p{text}", "", -1},
        {"\\p{no}", "", -1},
        {"\\p{odd}", "a", 0},
    };
    weft_json_tape tape;
    weft_json_error error;
    weft_json_limits limits = weft_json_import_limits(0);
    weft_json_init(&tape, test_memory());
    REQUIRE_EQ(weft_json_read(&tape, TABLE, sizeof(TABLE) - 1, &limits, &error), WEFT_OK);
    const weft_pattern_letters letters = {&tape, 0};
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        weft_pattern *pattern;
        const char *reason;
        uint32_t budget = 100000;
        weft_status status =
            weft_pattern_compile(test_memory(), (const uint8_t *)CASES[i].pattern,
                                 (uint32_t)strlen(CASES[i].pattern), &letters, &pattern, &reason);
        CHECK_EQ(status, CASES[i].verdict < 0 ? WEFT_ERR_PATTERN : WEFT_OK);
        if (status == WEFT_OK) {
            CHECK_EQ(weft_pattern_matches(pattern, test_memory(),
                                          text_of(CASES[i].text, strlen(CASES[i].text)), &budget),
                     CASES[i].verdict);
        }
        weft_pattern_free(pattern);
    }
    weft_json_fini(&tape);
}

TEST(groups_that_match_nothing_cost_bounded_time) {
    enum { GROUPS = 100000 };
    char *source = malloc(2 * GROUPS + 20);
    weft_pattern *pattern;
    const char *reason;
    source[0] = '(';
    for (size_t i = 0; i < GROUPS; i++) {
        memcpy(source + 1 + 2 * i, "()", 2);
    }
    strcpy(source + 1 + 2 * (size_t)GROUPS, "){0,19000}");
    CHECK_EQ(weft_pattern_compile(test_memory(), (const uint8_t *)source, (uint32_t)strlen(source),
                                  NULL, &pattern, &reason),
             WEFT_ERR_PATTERN);
    weft_pattern_free(pattern);
    free(source);
}

TEST(letters_that_are_not_remembered_take_no_memory_each) {
    static char text[4000];
    uint32_t budget = 100000000;
    for (size_t i = 0; i < sizeof(text); i += 2) {
        memcpy(text + i, "\xd0\xb0", 2); // U+0430
    }
    test_fail_never();
    CHECK_EQ(run("^[\\u0400-\\u04ff]{1,2500}$", text, sizeof(text), &budget), 1);
    CHECK(test_allocations() < 100);
}

static void scenario(void *context) {
    const char *source = context;
    weft_pattern *pattern;
    const char *reason;
    uint32_t budget = 100000;
    weft_status status = weft_pattern_compile(test_memory(), (const uint8_t *)source,
                                              (uint32_t)strlen(source), NULL, &pattern, &reason);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    if (status == WEFT_OK) {
        int verdict = weft_pattern_matches(pattern, test_memory(), text_of("xxyz", 4), &budget);
        CHECK_EQ(verdict, test_has_failed() ? -2 : 1);
    }
    weft_pattern_free(pattern);
}

TEST(each_refused_allocation_is_reported) {
    char source[] = "^(?:[\\w\\D]|x|y{1,200}){1,9}z?$";
    char looking[] = "^(?=x{1,200}y)(?!.*(?<=yx))";
    char back[] = "^(?<n>x)\\k<n>(?:(y)|z)+?$";
    test_each_failure(scenario, source);
    test_each_failure(scenario, looking);
    test_each_failure(scenario, back);
}
