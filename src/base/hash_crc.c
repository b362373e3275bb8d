// SPDX-License-Identifier: MIT
// Implements hash.h: CRC-32C.
#include "bytes.h"
#include "hash.h"

// Row k, column n: the result of byte n at bit 8k after 32 steps of the register. CRC-32C is
// linear, so the four bytes of a word are looked up independently: the loads do not wait for each
// other. A thread computes them by its first use: as constants they would be 4 kB of every page,
// which no compression makes smaller.
static _Thread_local uint32_t BYTES[4][256];

static void fill(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (unsigned row = 4; row-- > 0;) {
            for (unsigned bit = 0; bit < 8; bit++) {
                crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
            }
            BYTES[row][byte] = crc;
        }
    }
}

static uint32_t word_step(uint32_t crc) {
    return BYTES[0][crc & 255] ^ BYTES[1][crc >> 8 & 255] ^ BYTES[2][crc >> 16 & 255] ^
           BYTES[3][crc >> 24];
}

uint32_t weft_hash_crc32c(uint32_t crc, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    // What is written last.
    if (BYTES[0][255] == 0) {
        fill();
    }
    crc = ~crc;
    for (; size >= 4; size -= 4, at += 4) {
        crc = word_step(crc ^ weft_load_u32(at));
    }
    for (; size > 0; size--, at++) {
        crc = crc >> 8 ^ BYTES[3][(crc ^ *at) & 255];
    }
    return ~crc;
}
