// SPDX-License-Identifier: MIT
// Implements hash.h: SHA-1, SHA-256 and hex digits.
#include "hash.h"
#include "tables.h"

#include <string.h>

typedef void compress_function(uint32_t *h, const uint8_t *block);

// A macro: as a function it is neither shorter nor faster in builds that avoid inlining.
#define ROTATE_LEFT(word, by) ((word) << (by) | (word) >> (32 - (by)))

static uint32_t read_big(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void write_big(uint8_t *at, uint32_t word) {
    at[0] = (uint8_t)(word >> 24);
    at[1] = (uint8_t)(word >> 16);
    at[2] = (uint8_t)(word >> 8);
    at[3] = (uint8_t)word;
}

// Feeds a hash. Both hashes cut their input into blocks of 64 bytes and end it with 0x80, zeros and
// the length in bits.
static void absorb(compress_function *compress, uint32_t *h, uint64_t *total, uint8_t *block,
                   const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    size_t have = (size_t)(*total & 63);
    *total += size;
    if (have != 0) {
        size_t take = size < 64 - have ? size : 64 - have;
        if (take != 0) {
            memcpy(block + have, at, take);
            at += take;
            size -= take;
        }
        if (have + take < 64) {
            return;
        }
        compress(h, block);
    }
    for (; size >= 64; size -= 64, at += 64) {
        compress(h, at);
    }
    if (size != 0) {
        memcpy(block, at, size);
    }
}

static void finish(compress_function *compress, uint32_t *h, uint64_t total, uint8_t *block) {
    size_t have = (size_t)(total & 63);
    block[have++] = 0x80;
    if (have > 56) {
        memset(block + have, 0, 64 - have);
        compress(h, block);
        have = 0;
    }
    memset(block + have, 0, 56 - have);
    write_big(block + 56, (uint32_t)(total >> 29));
    write_big(block + 60, (uint32_t)(total << 3));
    compress(h, block);
}

static void sha1_compress(uint32_t *h, const uint8_t *block) {
    static const uint32_t K[4] = {0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};
    uint32_t w[16];
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (unsigned i = 0; i < 80; i++) {
        if (i < 16) {
            w[i] = read_big(block + 4 * i);
        } else {
            uint32_t mixed = w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[i & 15];
            w[i & 15] = ROTATE_LEFT(mixed, 1);
        }
        uint32_t f = i < 20              ? (d ^ (b & (c ^ d)))
                     : i >= 40 && i < 60 ? ((b & c) | (d & (b | c)))
                                         : (b ^ c ^ d);
        uint32_t next = ROTATE_LEFT(a, 5) + f + e + K[i / 20] + w[i & 15];
        e = d;
        d = c;
        c = ROTATE_LEFT(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

static void sha256_compress(uint32_t *state, const uint8_t *block) {
    uint32_t w[16];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned i = 0; i < 64; i++) {
        if (i < 16) {
            w[i] = read_big(block + 4 * i);
        } else {
            uint32_t far = w[(i + 1) & 15];
            uint32_t near = w[(i + 14) & 15];
            w[i & 15] += (ROTATE_LEFT(far, 25) ^ ROTATE_LEFT(far, 14) ^ far >> 3) +
                         w[(i + 9) & 15] +
                         (ROTATE_LEFT(near, 15) ^ ROTATE_LEFT(near, 13) ^ near >> 10);
        }
        uint32_t one = h + (ROTATE_LEFT(e, 26) ^ ROTATE_LEFT(e, 21) ^ ROTATE_LEFT(e, 7)) +
                       (g ^ (e & (f ^ g))) + weft_table_sha256[i] + w[i & 15];
        uint32_t two = (ROTATE_LEFT(a, 30) ^ ROTATE_LEFT(a, 19) ^ ROTATE_LEFT(a, 10)) +
                       ((a & b) | (c & (a | b)));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    const uint32_t last[8] = {a, b, c, d, e, f, g, h};
    for (unsigned i = 0; i < 8; i++) {
        state[i] += last[i];
    }
}

void weft_hash_sha1_init(weft_hash_sha1_state *state) {
    static const uint32_t START[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u,
                                      0xc3d2e1f0u};
    memcpy(state->h, START, sizeof(START));
    state->total = 0;
}

void weft_hash_sha1_update(weft_hash_sha1_state *state, const void *bytes, size_t size) {
    absorb(sha1_compress, state->h, &state->total, state->block, bytes, size);
}

void weft_hash_sha1_final(weft_hash_sha1_state *state, uint8_t digest[20]) {
    finish(sha1_compress, state->h, state->total, state->block);
    for (unsigned i = 0; i < 5; i++) {
        write_big(digest + 4 * i, state->h[i]);
    }
}

void weft_hash_sha256_init(weft_hash_sha256_state *state) {
    memcpy(state->h, weft_table_sha256_start, sizeof(weft_table_sha256_start));
    state->total = 0;
}

void weft_hash_sha256_update(weft_hash_sha256_state *state, const void *bytes, size_t size) {
    absorb(sha256_compress, state->h, &state->total, state->block, bytes, size);
}

void weft_hash_sha256_final(weft_hash_sha256_state *state, uint8_t digest[32]) {
    finish(sha256_compress, state->h, state->total, state->block);
    for (unsigned i = 0; i < 8; i++) {
        write_big(digest + 4 * i, state->h[i]);
    }
}

void weft_hash_hex(const uint8_t *bytes, size_t size, char *text) {
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
}
