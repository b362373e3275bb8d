// SPDX-License-Identifier: MIT
// Implements hash.h: CRC-32C.
#include "bytes.h"
#include "hash.h"
#include "tables.h"

// CRC-32C is linear, so the four bytes of a word are looked up independently: the loads do not wait
// for each other.
#define BYTES weft_table_crc32c

static uint32_t word_step(uint32_t crc) {
    return BYTES[0][crc & 255] ^ BYTES[1][crc >> 8 & 255] ^ BYTES[2][crc >> 16 & 255] ^
           BYTES[3][crc >> 24];
}

uint32_t weft_hash_crc32c(uint32_t crc, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    crc = ~crc;
    for (; size >= 4; size -= 4, at += 4) {
        crc = word_step(crc ^ weft_load_u32(at));
    }
    for (; size > 0; size--, at++) {
        crc = crc >> 8 ^ BYTES[3][(crc ^ *at) & 255];
    }
    return ~crc;
}
