// SPDX-License-Identifier: MIT
// Reads and writes little-endian numbers at any alignment. Works byte by byte, which compilers turn
// into a single load or store.
#ifndef WEFT_BASE_BYTES_H
#define WEFT_BASE_BYTES_H

#include <stdint.h>

static inline uint32_t weft_load_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t weft_load_u64(const uint8_t *at) {
    return (uint64_t)weft_load_u32(at) | (uint64_t)weft_load_u32(at + 4) << 32;
}

static inline void weft_store_u32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    at[2] = (uint8_t)(value >> 16);
    at[3] = (uint8_t)(value >> 24);
}

static inline void weft_store_u64(uint8_t *at, uint64_t value) {
    weft_store_u32(at, (uint32_t)value);
    weft_store_u32(at + 4, (uint32_t)(value >> 32));
}

#endif
