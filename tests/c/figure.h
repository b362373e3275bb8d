// SPDX-License-Identifier: MIT
// Figures of the test programme in C tests: counts of injected faults, compared with
// tests/figures.json and printed last; and whether WEFT_BREAK plants a part's bug. Part of test.h.
#ifndef WEFT_TEST_FIGURE_H
#define WEFT_TEST_FIGURE_H

#include "test.h"

// Returns whether the part's bug is planted: WEFT_BREAK=T4 plants T4's, and its test must fail.
TEST_UNUSED static bool test_is_broken(const char *part) {
    const char *broken = getenv("WEFT_BREAK");
    return broken != NULL && strcmp(broken, part) == 0;
}

// Returns the committed figure; SIZE_MAX when there is none.
TEST_UNUSED static size_t test_committed(const char *part, const char *what) {
    static char text[1 << 14];
    char name[64];
    FILE *file = fopen("tests/figures.json", "rb");
    if (file == NULL)
        return SIZE_MAX;
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    snprintf(name, sizeof(name), "\"%s\":", part);
    const char *at = strstr(text, name);
    const char *end = at == NULL ? NULL : strchr(at, '}');
    snprintf(name, sizeof(name), "\"%s\":", what);
    const char *found = at == NULL ? NULL : strstr(at, name);
    return found == NULL || end == NULL || found > end
               ? SIZE_MAX
               : (size_t)strtoull(found + strlen(name), NULL, 10);
}

// Notes a figure, printed after everything else. Less than the committed figure is a failure.
TEST_UNUSED static void test_figure(const char *part, const char *what, size_t count) {
    const size_t least = test_committed(part, what);
    size_t used = strlen(test_state.figures);
    if (count < least) {
        fprintf(stderr, "%s: %zu %s, tests/figures.json has %zu\n", part, count, what, least);
        test_state.failures++;
    }
    snprintf(test_state.figures + used, sizeof(test_state.figures) - used, "%s%s%zu %s",
             used == 0 ? part : "", used == 0 ? ": " : ", ", count, what);
}

#endif
