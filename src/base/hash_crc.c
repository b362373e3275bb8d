// SPDX-License-Identifier: MIT
#include "hash.h"
#include "tables.h"

// CRC-32C is linear, so four bytes are looked up as eight nibbles: the loads do not wait for each other, and the table
// has 512 bytes.
#define NIBBLES weft_table_crc32c

static uint32_t word_step(uint32_t crc) {
    return NIBBLES[0][crc & 15] ^ NIBBLES[1][crc >> 4 & 15] ^ NIBBLES[2][crc >> 8 & 15] ^
           NIBBLES[3][crc >> 12 & 15] ^ NIBBLES[4][crc >> 16 & 15] ^ NIBBLES[5][crc >> 20 & 15] ^
           NIBBLES[6][crc >> 24 & 15] ^ NIBBLES[7][crc >> 28];
}

// The two topmost rows are the classical byte table: eight steps instead of 32.
static uint32_t byte_step(uint32_t crc) {
    return crc >> 8 ^ NIBBLES[6][crc & 15] ^ NIBBLES[7][crc >> 4 & 15];
}

uint32_t weft_hash_crc32c(uint32_t crc, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    crc = ~crc;
    for (; size >= 4; size -= 4, at += 4) {
        crc = word_step(crc ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24));
    }
    for (; size > 0; size--, at++) {
        crc = byte_step(crc ^ *at);
    }
    return ~crc;
}
