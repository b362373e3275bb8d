// SPDX-License-Identifier: MIT
// Implements batch.h: reads numbers, bytes and texts.
#include "run/host/batch.h"

uint32_t weft_cursor_word(weft_cursor *cursor) {
    if (cursor->left == 0) {
        cursor->status = WEFT_ERR_BAD_EVENT;
        return 0;
    }
    cursor->left--;
    return *cursor->at++;
}

uint64_t weft_cursor_u64(weft_cursor *cursor) {
    uint64_t low = weft_cursor_word(cursor);
    return low | ((uint64_t)weft_cursor_word(cursor) << 32);
}

const uint8_t *weft_cursor_bytes(weft_cursor *cursor, uint32_t length) {
    uint32_t words = length / 4 + (length % 4 != 0);
    if (words > cursor->left) {
        cursor->status = WEFT_ERR_BAD_EVENT;
        cursor->left = 0;
        return NULL;
    }
    const uint8_t *bytes = (const uint8_t *)cursor->at;
    cursor->at += words;
    cursor->left -= words;
    return bytes;
}

const uint8_t *weft_cursor_text(weft_cursor *cursor, uint32_t *length) {
    *length = weft_cursor_word(cursor);
    const uint8_t *bytes = weft_cursor_bytes(cursor, *length);
    if (bytes == NULL) {
        *length = 0;
    }
    return bytes;
}

uint32_t weft_cursor_count(weft_cursor *cursor, uint32_t least) {
    uint32_t count = weft_cursor_word(cursor);
    if (least != 0 && count > cursor->left / least) {
        cursor->status = WEFT_ERR_BAD_EVENT;
        cursor->left = 0;
        return 0;
    }
    return count;
}
