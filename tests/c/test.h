// SPDX-License-Identifier: MIT
// The test harness of the C folders: one tests/c/test_<name>.c is one program and includes this
// once. TEST(name) { ... } registers a test; main() is here. Memory comes from test_memory(), which
// counts blocks, checks the sizes passed to release, and fails allocations on demand; a test that
// leaves a block alive fails. Depends on weft_memory only. A program takes names of tests as
// arguments.
#ifndef WEFT_TEST_H
#define WEFT_TEST_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define TEST_UNUSED __attribute__((unused))

typedef struct test_case {
    const char *name;
    void (*run)(void);
    struct test_case *next;
} test_case;

// Header before each block: its size, and a canary that detects underruns.
typedef struct test_block {
    size_t size;
    uint64_t canary;
} test_block;

#define TEST_CANARY UINT64_C(0x57454654424c4f43)

static struct {
    test_case *first, *last;
    size_t failures; // of the current test
    jmp_buf leave;
    size_t live, live_bytes;   // blocks and bytes not released
    size_t count;              // allocations since the last test_fail_*
    size_t fail_at, fail_from; // 1-based, 0 = never
    bool failed;               // an allocation was refused since the last test_fail_*
    char figures[512];         // printed last, by figure.h
} test_state;

TEST_UNUSED static void test_register(test_case *entry) {
    if (test_state.last)
        test_state.last->next = entry;
    else
        test_state.first = entry;
    test_state.last = entry;
}

#define TEST(name)                                                                                 \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void test_register_##name(void) {                          \
        static test_case entry = {#name, name, NULL};                                              \
        test_register(&entry);                                                                     \
    }                                                                                              \
    static void name(void)

TEST_UNUSED static void test_fail(const char *file, int line, const char *text) {
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    test_state.failures++;
}

TEST_UNUSED static void test_leave(void) {
    longjmp(test_state.leave, 1);
}

// CHECK* report a failure and continue; REQUIRE* report it and leave the test (from any call
// depth).
#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, "not true: " #condition))
#define REQUIRE(condition)                                                                         \
    ((condition) ? (void)0 : (test_fail(__FILE__, __LINE__, "not true: " #condition), test_leave()))

// Compare integers of any width and sign, as long as both fit in 64 bits.
#define CHECK_EQ(got, expected)                                                                    \
    ((void)test_equal(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(expected)))
#define REQUIRE_EQ(got, expected)                                                                  \
    (test_equal(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(expected)) ? (void)0           \
                                                                               : test_leave())

TEST_UNUSED static bool test_equal(const char *file, int line, const char *text, int64_t got,
                                   int64_t expected) {
    if (got == expected)
        return true;
    fprintf(stderr, "%s:%d: %s is %" PRId64 ", expected %" PRId64 "\n", file, line, text, got,
            expected);
    test_state.failures++;
    return false;
}

TEST_UNUSED static void test_print_bytes(const char *label, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    fprintf(stderr, "  %s (%zu bytes): ", label, size);
    for (size_t i = 0; at && i < size && i < 160; i++)
        fprintf(stderr, at[i] >= 32 && at[i] < 127 ? "%c" : "\\x%02x", at[i]);
    fprintf(stderr, "%s\n", at ? (size > 160 ? "..." : "") : "NULL");
}

// Compares bytes; a NULL pointer equals only zero bytes.
#define CHECK_MEM(got, got_size, expected, expected_size)                                          \
    test_same_bytes(__FILE__, __LINE__, #got, (got), (got_size), (expected), (expected_size))

TEST_UNUSED static bool test_same_bytes(const char *file, int line, const char *text,
                                        const void *got, size_t got_size, const void *expected,
                                        size_t expected_size) {
    if (got_size == expected_size &&
        (!got_size || (got && expected && memcmp(got, expected, got_size) == 0)))
        return true;
    fprintf(stderr, "%s:%d: %s differs\n", file, line, text);
    test_print_bytes("got     ", got, got_size);
    test_print_bytes("expected", expected, expected_size);
    test_state.failures++;
    return false;
}

// Compares NUL-terminated strings.
#define CHECK_STR(got, expected) test_same_string(__FILE__, __LINE__, #got, (got), (expected))
// Compares bytes with a length to a NUL-terminated string.
#define CHECK_TEXT(got, got_size, expected)                                                        \
    test_same_bytes(__FILE__, __LINE__, #got, (got), (got_size), (expected), strlen(expected))

TEST_UNUSED static bool test_same_string(const char *file, int line, const char *text,
                                         const char *got, const char *expected) {
    if (got && expected)
        return test_same_bytes(file, line, text, got, strlen(got), expected, strlen(expected));
    if (got == expected)
        return true;
    fprintf(stderr, "%s:%d: %s is %s, expected %s\n", file, line, text, got ? got : "NULL",
            expected ? expected : "NULL");
    test_state.failures++;
    return false;
}

TEST_UNUSED static bool test_refuses(void) {
    test_state.count++;
    bool refuse = test_state.count == test_state.fail_at ||
                  (test_state.fail_from && test_state.count >= test_state.fail_from);
    test_state.failed |= refuse;
    return refuse;
}

TEST_UNUSED static void *test_alloc(void *user, size_t size) {
    (void)user;
    if (test_refuses())
        return NULL;
    test_block *block = malloc(sizeof *block + size);
    if (!block) {
        fprintf(stderr, "the machine itself is out of memory\n");
        exit(2);
    }
    *block = (test_block){size, TEST_CANARY};
    memset(block + 1, 0xa5, size);
    test_state.live++;
    test_state.live_bytes += size;
    return block + 1;
}

TEST_UNUSED static void test_release(void *user, void *memory, size_t size) {
    (void)user;
    if (!memory) {
        CHECK_EQ(size, 0);
        return;
    }
    test_block *block = (test_block *)memory - 1;
    REQUIRE(block->canary == TEST_CANARY);
    CHECK_EQ(size, block->size);
    test_state.live--;
    test_state.live_bytes -= block->size;
    block->canary = 0;
    free(block);
}

// Always moves, so that the sanitizer finds pointers kept across a resize.
TEST_UNUSED static void *test_resize(void *user, void *old, size_t old_size, size_t new_size) {
    void *moved = test_alloc(user, new_size);
    if (!moved)
        return NULL;
    if (old) {
        memcpy(moved, old, old_size < new_size ? old_size : new_size);
        test_release(user, old, old_size);
    }
    return moved;
}

// Returns the allocator of the current test; reset for each test, budget unlimited.
TEST_UNUSED static weft_memory *test_memory(void) {
    static weft_memory memory;
    return &memory;
}

// Refuses no allocation; counting restarts at 1 with the next one (a resize is one).
TEST_UNUSED static void test_fail_never(void) {
    test_state.count = test_state.fail_at = test_state.fail_from = 0;
    test_state.failed = false;
}
// Refuses the n-th allocation from here, once.
TEST_UNUSED static void test_fail_at(size_t n) {
    test_fail_never();
    test_state.fail_at = n;
}
// Refuses the n-th allocation from here and all later ones.
TEST_UNUSED static void test_fail_from(size_t n) {
    test_fail_never();
    test_state.fail_from = n;
}
// Returns whether an allocation was refused since the last test_fail_*.
TEST_UNUSED static bool test_has_failed(void) {
    return test_state.failed;
}
TEST_UNUSED static size_t test_allocations(void) {
    return test_state.count;
}
TEST_UNUSED static size_t test_live_blocks(void) {
    return test_state.live;
}
TEST_UNUSED static size_t test_live_bytes(void) {
    return test_state.live_bytes;
}

// A scenario with more allocations makes them as the engine does, with spare capacity.
#define TEST_MOST_EXACT 1000

// Runs scenario again and again: with the 1st, 2nd, ... allocation refused once, then with all from
// the n-th on, until a round has no refusal. Each round must release all its memory; the scenario
// calls test_has_failed() to know which outcome to require.
TEST_UNUSED static void test_each_failure(void (*scenario)(void *), void *context) {
    const size_t before = test_state.live;
    test_memory()->exact = 1;
    test_fail_never();
    scenario(context);
    test_memory()->exact = test_state.count <= TEST_MOST_EXACT;
    for (int persistent = 0; persistent < 2; persistent++) {
        for (size_t n = 1;; n++) {
            if (persistent)
                test_fail_from(n);
            else
                test_fail_at(n);
            scenario(context);
            const bool refused = test_state.failed;
            test_fail_never();
            if (test_state.live != before) {
                fprintf(stderr, "allocation %zu refused (%s):\n", n,
                        persistent ? "and all later ones" : "once");
                REQUIRE_EQ(test_state.live, before);
            }
            if (!refused)
                break;
            REQUIRE(n < 1000000);
        }
    }
}

TEST_UNUSED static bool test_run(const test_case *entry) {
    *test_memory() =
        (weft_memory){.alloc = test_alloc, .resize = test_resize, .release = test_release};
    test_fail_never();
    test_state.failures = test_state.live = test_state.live_bytes = 0;
    if (setjmp(test_state.leave) == 0)
        entry->run();
    if (test_state.live) {
        fprintf(stderr, "%zu blocks (%zu bytes) left alive\n", test_state.live,
                test_state.live_bytes);
        test_state.failures++;
    }
    printf("%s %s\n", test_state.failures ? "FAIL" : "ok  ", entry->name);
    fflush(stdout);
    return test_state.failures == 0;
}

static bool test_wanted(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc < 2;
}

int main(int argc, char **argv) {
    size_t passed = 0, failed = 0;
    for (const test_case *entry = test_state.first; entry; entry = entry->next)
        if (test_wanted(entry->name, argc, argv)) {
            if (test_run(entry))
                passed++;
            else
                failed++;
        }
    printf("%zu passed, %zu failed\n", passed, failed);
    if (test_state.figures[0] != '\0') {
        const char *told = getenv("WEFT_FIGURES"); // a long run prints them again
        FILE *file = told == NULL ? NULL : fopen(told, "a");
        printf("%s\n", test_state.figures);
        if (file != NULL) {
            fprintf(file, "%s\n", test_state.figures);
            fclose(file);
        }
    }
    fflush(stdout); // the leak checker exits without flushing
    return failed || !passed ? 1 : 0;
}

#endif
