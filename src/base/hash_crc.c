// SPDX-License-Identifier: MIT
#include "hash.h"

// CRC-32C is linear, so four bytes are looked up as eight nibbles: the loads do not wait for each other, and the table
// is 512 bytes of constant data. Row k, column n: what the nibble n at bit 4k becomes after 32 steps of the register.
#define NIBBLE(a, b, c, d)                                                                              \
    0, a, b, (a) ^ (b), c, (a) ^ (c), (b) ^ (c), (a) ^ (b) ^ (c), d, (a) ^ (d), (b) ^ (d),              \
        (a) ^ (b) ^ (d), (c) ^ (d), (a) ^ (c) ^ (d), (b) ^ (c) ^ (d), (a) ^ (b) ^ (c) ^ (d)

static const uint32_t NIBBLES[8][16] = {
    {NIBBLE(0xdd45aab8u, 0xbf672381u, 0x7b2231f3u, 0xf64463e6u)},
    {NIBBLE(0xe964b13du, 0xd725148bu, 0xaba65fe7u, 0x52a0c93fu)},
    {NIBBLE(0xa541927eu, 0x4f6f520du, 0x9edea41au, 0x38513ec5u)},
    {NIBBLE(0x70a27d8au, 0xe144fb14u, 0xc76580d9u, 0x8b277743u)},
    {NIBBLE(0x13a29877u, 0x274530eeu, 0x4e8a61dcu, 0x9d14c3b8u)},
    {NIBBLE(0x3fc5f181u, 0x7f8be302u, 0xff17c604u, 0xfbc3faf9u)},
    {NIBBLE(0xf26b8303u, 0xe13b70f7u, 0xc79a971fu, 0x8ad958cfu)},
    {NIBBLE(0x105ec76fu, 0x20bd8edeu, 0x417b1dbcu, 0x82f63b78u)},
};

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
