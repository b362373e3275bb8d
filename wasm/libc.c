// SPDX-License-Identifier: MIT
// Functions of the C library in place of wasi-libc's, which read words at a time: what is searched here is short.
#include <string.h>

__attribute__((no_builtin)) void *memchr(const void *bytes, int value, size_t size) {
    for (const unsigned char *at = bytes; size > 0; size--, at++) {
        if (*at == (unsigned char)value) {
            return (void *)(size_t)at;
        }
    }
    return NULL;
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

__attribute__((no_builtin)) int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }
