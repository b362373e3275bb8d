// SPDX-License-Identifier: MIT
// Implements buffer.h: the growing byte buffer.
#include "buffer.h"

#include <string.h>

// Initial capacity in bytes.
#define LEAST 128

// Max capacity that a cleared buffer keeps: memory taken for one long text is better used
// elsewhere.
#define MOST_KEPT (1u << 20)

void weft_buffer_init(weft_buffer *buffer, weft_memory *memory) {
    buffer->memory = memory;
    buffer->bytes = NULL;
    buffer->length = 0;
    buffer->capacity = 0;
    buffer->status = WEFT_OK;
}

void weft_buffer_fini(weft_buffer *buffer) {
    weft_memory_release(buffer->memory, buffer->bytes, buffer->capacity);
    weft_buffer_init(buffer, buffer->memory);
}

void weft_buffer_clear(weft_buffer *buffer) {
    if (buffer->capacity > MOST_KEPT) {
        weft_buffer_fini(buffer);
    }
    buffer->length = 0;
    buffer->status = WEFT_OK;
}

// Slow path of extend: out of room.
static int grow(weft_buffer *buffer, uint32_t size) {
    uint32_t need = buffer->length + size;
    return size <= UINT32_MAX - buffer->length &&
           weft_memory_reserve(buffer->memory, &buffer->bytes, 1, &buffer->capacity,
                               need < LEAST ? LEAST : need);
}

uint8_t *weft_buffer_extend(weft_buffer *buffer, uint32_t size) {
    if (buffer->status != WEFT_OK) {
        return NULL;
    }
    if (size > buffer->capacity - buffer->length && !grow(buffer, size)) {
        buffer->status = WEFT_ERR_NO_MEMORY;
        return NULL;
    }
    uint8_t *at = buffer->bytes + buffer->length;
    buffer->length += size;
    return at;
}

void weft_buffer_append(weft_buffer *buffer, const void *bytes, uint32_t size) {
    if (size == 0) {
        return;
    }
    uint8_t *at = weft_buffer_extend(buffer, size);
    if (at != NULL) {
        memcpy(at, bytes, size);
    }
}

void weft_buffer_say(weft_buffer *buffer, const char *text) {
    weft_buffer_append(buffer, text, (uint32_t)strlen(text));
}

void weft_buffer_decimal(weft_buffer *buffer, int64_t number) {
    char digits[20];
    uint32_t at = sizeof(digits);
    uint64_t left = number < 0 ? (uint64_t)0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    weft_buffer_append(buffer, digits + at, (uint32_t)sizeof(digits) - at);
}

void weft_buffer_u8(weft_buffer *buffer, uint8_t value) {
    uint8_t *at = weft_buffer_extend(buffer, 1);
    if (at != NULL) {
        *at = value;
    }
}

void weft_buffer_u16(weft_buffer *buffer, uint16_t value) {
    weft_buffer_u8(buffer, (uint8_t)value);
    weft_buffer_u8(buffer, (uint8_t)(value >> 8));
}

static void store_u32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    at[2] = (uint8_t)(value >> 16);
    at[3] = (uint8_t)(value >> 24);
}

void weft_buffer_u32(weft_buffer *buffer, uint32_t value) {
    uint8_t *at = weft_buffer_extend(buffer, 4);
    if (at != NULL) {
        store_u32(at, value);
    }
}

void weft_buffer_u64(weft_buffer *buffer, uint64_t value) {
    weft_buffer_u32(buffer, (uint32_t)value);
    weft_buffer_u32(buffer, (uint32_t)(value >> 32));
}

void weft_buffer_varint(weft_buffer *buffer, uint64_t value) {
    // Reserves the longest encoding and gives back the unused rest.
    uint8_t *at = weft_buffer_extend(buffer, 10);
    if (at == NULL) {
        return;
    }
    for (; value > 0x7f; value >>= 7) {
        *at++ = (uint8_t)(value | 0x80);
    }
    *at++ = (uint8_t)value;
    buffer->length = (uint32_t)(at - buffer->bytes);
}

void weft_buffer_patch_u32(weft_buffer *buffer, uint32_t offset, uint32_t value) {
    if (buffer->status == WEFT_OK && offset + 4 <= buffer->length) {
        store_u32(buffer->bytes + offset, value);
    }
}

uint32_t weft_buffer_begin_text(weft_buffer *buffer) {
    weft_buffer_u32(buffer, 0);
    return buffer->length;
}

void weft_buffer_end_text(weft_buffer *buffer, uint32_t start) {
    static const uint8_t zeros[4] = {0};
    weft_buffer_patch_u32(buffer, start - 4, buffer->length - start);
    weft_buffer_append(buffer, zeros, (0u - buffer->length) % 4);
}

void weft_buffer_text(weft_buffer *buffer, const void *bytes, uint32_t length) {
    uint32_t start = weft_buffer_begin_text(buffer);
    weft_buffer_append(buffer, bytes, length);
    weft_buffer_end_text(buffer, start);
}
