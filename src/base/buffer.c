// SPDX-License-Identifier: MIT
#include "buffer.h"

#include <string.h>

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
    buffer->length = 0;
    buffer->status = WEFT_OK;
}

uint8_t *weft_buffer_extend(weft_buffer *buffer, uint32_t size) {
    if (buffer->status != WEFT_OK) {
        return NULL;
    }
    if (size > UINT32_MAX - buffer->length ||
        !weft_memory_reserve(buffer->memory, &buffer->bytes, 1, &buffer->capacity, buffer->length + size)) {
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

void weft_buffer_u8(weft_buffer *buffer, uint8_t value) { weft_buffer_append(buffer, &value, 1); }

void weft_buffer_u16(weft_buffer *buffer, uint16_t value) {
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    weft_buffer_append(buffer, bytes, sizeof(bytes));
}

void weft_buffer_u32(weft_buffer *buffer, uint32_t value) {
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    weft_buffer_append(buffer, bytes, sizeof(bytes));
}

void weft_buffer_u64(weft_buffer *buffer, uint64_t value) {
    weft_buffer_u32(buffer, (uint32_t)value);
    weft_buffer_u32(buffer, (uint32_t)(value >> 32));
}

void weft_buffer_varint(weft_buffer *buffer, uint64_t value) {
    uint8_t bytes[10];
    uint32_t count = 0;
    do {
        bytes[count] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
        count++;
    } while (value != 0);
    weft_buffer_append(buffer, bytes, count);
}

void weft_buffer_patch_u32(weft_buffer *buffer, uint32_t offset, uint32_t value) {
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (buffer->status == WEFT_OK && offset + 4 <= buffer->length) {
        memcpy(buffer->bytes + offset, bytes, sizeof(bytes));
    }
}
