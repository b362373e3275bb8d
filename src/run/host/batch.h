// SPDX-License-Identifier: MIT
// Reads a batch of the host. A cursor's first error is sticky; everything read after it is 0.
#ifndef WEFT_RUN_HOST_BATCH_H
#define WEFT_RUN_HOST_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct weft_cursor {
    const uint32_t *at;
    uint32_t left; // words of 32 bits
    weft_status status;
} weft_cursor;

uint32_t weft_cursor_word(weft_cursor *cursor);
uint64_t weft_cursor_u64(weft_cursor *cursor);
const uint8_t *weft_cursor_bytes(weft_cursor *cursor, uint32_t length);
const uint8_t *weft_cursor_text(weft_cursor *cursor, uint32_t *length);
// Reads a count of elements of at least `least` words each.
uint32_t weft_cursor_count(weft_cursor *cursor, uint32_t least);

#endif
