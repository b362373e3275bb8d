// SPDX-License-Identifier: MIT
// Growing byte buffer with little-endian writers. Its first failure is sticky, so a series of
// appends needs one check at the end. Owns its bytes.
#ifndef WEFT_BASE_BUFFER_H
#define WEFT_BASE_BUFFER_H

#include "memory.h"
#include "status.h"

typedef struct weft_buffer {
    weft_memory *memory;
    uint8_t *bytes;
    uint32_t length;
    uint32_t capacity;
    weft_status status; // WEFT_OK, or WEFT_ERR_NO_MEMORY once an append failed
} weft_buffer;

// Init takes no memory yet; fini frees what the buffer took.
void weft_buffer_init(weft_buffer *buffer, weft_memory *memory);
void weft_buffer_fini(weft_buffer *buffer);

// Clears the contents and the failure; keeps the capacity, up to 1 MiB.
void weft_buffer_clear(weft_buffer *buffer);

// Returns `size` writable bytes at the end (uninitialised), valid until the next append; NULL when
// there is no memory.
uint8_t *weft_buffer_extend(weft_buffer *buffer, uint32_t size);

// Copies `size` bytes to the end.
void weft_buffer_append(weft_buffer *buffer, const void *bytes, uint32_t size);

// Appends a text without its terminating zero, or a number in decimal digits.
void weft_buffer_say(weft_buffer *buffer, const char *text);
void weft_buffer_decimal(weft_buffer *buffer, int64_t number);

void weft_buffer_u8(weft_buffer *buffer, uint8_t value);
void weft_buffer_u16(weft_buffer *buffer, uint16_t value);
void weft_buffer_u32(weft_buffer *buffer, uint32_t value);
void weft_buffer_u64(weft_buffer *buffer, uint64_t value);

// Appends unsigned LEB128, at most 5 (u32) or 10 (u64) bytes.
void weft_buffer_varint(weft_buffer *buffer, uint64_t value);

// Appends a text padded to whole words: a u32 byte length, the bytes, zeros. begin and end wrap
// what is appended between them in such a text; begin returns its start. The buffer must be
// word-aligned before it.
void weft_buffer_text(weft_buffer *buffer, const void *bytes, uint32_t length);
uint32_t weft_buffer_begin_text(weft_buffer *buffer);
void weft_buffer_end_text(weft_buffer *buffer, uint32_t start);

// Overwrites the four existing bytes at `offset` with `value`.
void weft_buffer_patch_u32(weft_buffer *buffer, uint32_t offset, uint32_t value);

#endif
