// SPDX-License-Identifier: MIT
// Functions that replace wasi-libc's, which read words at a time: searches here are short.
#include <stdint.h>
#include <string.h>

__attribute__((no_builtin)) void *memchr(const void *bytes, int value, size_t size) {
    for (const unsigned char *at = bytes; size > 0; size--, at++) {
        if (*at == (unsigned char)value) {
            return (void *)(size_t)at;
        }
    }
    return NULL;
}

typedef uint64_t __attribute__((may_alias, aligned(1))) word;

// Compares equal bytes eight at a time.
__attribute__((no_builtin)) int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *one = a;
    const unsigned char *other = b;
    for (; size >= 8 && *(const word *)one == *(const word *)other; size -= 8) {
        one += 8;
        other += 8;
    }
    for (; size > 0; size--, one++, other++) {
        if (*one != *other) {
            return *one - *other;
        }
    }
    return 0;
}

__attribute__((no_builtin)) size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length] != '\0') {
        length++;
    }
    return length;
}

__attribute__((no_builtin)) int strncmp(const char *a, const char *b, size_t size) {
    for (; size > 0; size--, a++, b++) {
        if (*a != *b || *a == '\0') {
            return (unsigned char)*a - (unsigned char)*b;
        }
    }
    return 0;
}

__attribute__((no_builtin)) int strcmp(const char *a, const char *b) {
    return strncmp(a, b, (size_t)-1);
}
