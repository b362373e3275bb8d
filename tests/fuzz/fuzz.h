// SPDX-License-Identifier: MIT
// What the fuzz targets share: memory with a budget, an assertion that the fuzzer sees, and a
// reader of its bytes.
#ifndef WEFT_FUZZ_H
#define WEFT_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/ops.h"
#include "base/status.h"

#define FUZZ_UNUSED __attribute__((unused))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// T11's planted bug: blocks are a byte too short.
static inline size_t fuzz_short_by(void) {
    const char *broken = getenv("WEFT_BREAK");
    return broken != NULL && strcmp(broken, "T11") == 0;
}

static void *fuzz_take(void *user, size_t size) {
    (void)user;
    return malloc(size - fuzz_short_by());
}

static void *fuzz_resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(block, new_size - fuzz_short_by());
}

static void fuzz_give(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

// 64 MB: what no input may need more than.
static inline weft_memory fuzz_memory(void) {
    return (weft_memory){
        .alloc = fuzz_take, .resize = fuzz_resize, .release = fuzz_give, .budget = 64u << 20};
}

static inline void demand(int holds) {
    if (!holds) {
        abort();
    }
}

// The fuzzer's bytes, taken from the front; zeros when there are none left.
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

FUZZ_UNUSED static uint32_t fuzz_byte(fuzz_bytes *from) {
    if (from->left == 0) {
        return 0;
    }
    from->left--;
    return *from->at++;
}

FUZZ_UNUSED static uint32_t fuzz_short(fuzz_bytes *from) {
    uint32_t low = fuzz_byte(from);
    return low | fuzz_byte(from) << 8;
}

FUZZ_UNUSED static uint32_t fuzz_word(fuzz_bytes *from) {
    uint32_t low = fuzz_short(from);
    return low | fuzz_short(from) << 16;
}

// At most `most` bytes of what is left.
FUZZ_UNUSED static const uint8_t *fuzz_some(fuzz_bytes *from, size_t most, uint32_t *length) {
    const uint8_t *bytes = from->at;
    *length = (uint32_t)(from->left < most ? from->left : most);
    from->at += *length;
    from->left -= *length;
    return bytes;
}

#endif
