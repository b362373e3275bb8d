// SPDX-License-Identifier: MIT
// Implements hash.h: XXH3-128 and the seeded hash of maps.
#include "bytes.h"
#include "hash.h"

#include <string.h>

#define P32_1 0x9e3779b1u
#define P32_2 0x85ebca77u
#define P32_3 0xc2b2ae3du
#define P64_1 UINT64_C(0x9e3779b185ebca87)
#define P64_2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define P64_3 UINT64_C(0x165667b19e3779f9)
#define P64_4 UINT64_C(0x85ebca77c2b2ae63)
#define P64_5 UINT64_C(0x27d4eb2f165667c5)

#define SECRET_BYTES 192
#define STRIPE_BYTES 64
#define BLOCK_STRIPES ((SECRET_BYTES - STRIPE_BYTES) / 8)

static const uint8_t SECRET[SECRET_BYTES] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

typedef struct pair {
    uint64_t low;
    uint64_t high;
} pair;

static uint32_t swap32(uint32_t x) {
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

static uint64_t swap64(uint64_t x) {
    return (uint64_t)swap32((uint32_t)x) << 32 | swap32((uint32_t)(x >> 32));
}

static pair multiply(uint64_t a, uint64_t b) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t middle = a1 * b0 + (low >> 32);
    uint64_t cross = a0 * b1 + (uint32_t)middle;
    return (pair){cross << 32 | (uint32_t)low, a1 * b1 + (middle >> 32) + (cross >> 32)};
}

static uint64_t fold(uint64_t a, uint64_t b) {
    pair product = multiply(a, b);
    return product.low ^ product.high;
}

// XXH64's final mix, which XXH3 uses for its shortest inputs.
static uint64_t avalanche64(uint64_t h) {
    h = (h ^ h >> 33) * P64_2;
    h = (h ^ h >> 29) * P64_3;
    return h ^ h >> 32;
}

static uint64_t avalanche(uint64_t h) {
    h = (h ^ h >> 37) * UINT64_C(0x165667919e3779f9);
    return h ^ h >> 32;
}

static pair hash_0(void) {
    return (pair){avalanche64(weft_load_u64(SECRET + 64) ^ weft_load_u64(SECRET + 72)),
                  avalanche64(weft_load_u64(SECRET + 80) ^ weft_load_u64(SECRET + 88))};
}

static pair hash_1_to_3(const uint8_t *in, size_t size) {
    uint32_t low =
        (uint32_t)in[0] << 16 | (uint32_t)in[size >> 1] << 24 | in[size - 1] | (uint32_t)size << 8;
    uint32_t high = swap32(low) << 13 | swap32(low) >> 19;
    return (pair){
        avalanche64(low ^ (uint64_t)(weft_load_u32(SECRET) ^ weft_load_u32(SECRET + 4))),
        avalanche64(high ^ (uint64_t)(weft_load_u32(SECRET + 8) ^ weft_load_u32(SECRET + 12)))};
}

static pair hash_4_to_8(const uint8_t *in, size_t size) {
    uint64_t both = weft_load_u32(in) + ((uint64_t)weft_load_u32(in + size - 4) << 32);
    pair h = multiply(both ^ weft_load_u64(SECRET + 16) ^ weft_load_u64(SECRET + 24),
                      P64_1 + ((uint64_t)size << 2));
    h.high += h.low << 1;
    h.low ^= h.high >> 3;
    h.low = (h.low ^ h.low >> 35) * UINT64_C(0x9fb21c651e98df25);
    h.low ^= h.low >> 28;
    h.high = avalanche(h.high);
    return h;
}

static pair hash_9_to_16(const uint8_t *in, size_t size) {
    uint64_t low = weft_load_u64(in);
    uint64_t high = weft_load_u64(in + size - 8);
    pair m = multiply(low ^ high ^ weft_load_u64(SECRET + 32) ^ weft_load_u64(SECRET + 40), P64_1);
    m.low += (uint64_t)(size - 1) << 54;
    high ^= weft_load_u64(SECRET + 48) ^ weft_load_u64(SECRET + 56);
    m.high += high + (uint64_t)(uint32_t)high * (P32_2 - 1);
    m.low ^= swap64(m.high);
    pair h = multiply(m.low, P64_2);
    h.high += m.high * P64_2;
    return (pair){avalanche(h.low), avalanche(h.high)};
}

static uint64_t mix_16(const uint8_t *in, const uint8_t *secret) {
    return fold(weft_load_u64(in) ^ weft_load_u64(secret),
                weft_load_u64(in + 8) ^ weft_load_u64(secret + 8));
}

static pair mix_32(pair acc, const uint8_t *first, const uint8_t *second, const uint8_t *secret) {
    acc.low =
        (acc.low + mix_16(first, secret)) ^ (weft_load_u64(second) + weft_load_u64(second + 8));
    acc.high = (acc.high + mix_16(second, secret + 16)) ^
               (weft_load_u64(first) + weft_load_u64(first + 8));
    return acc;
}

static pair hash_17_to_240(const uint8_t *in, size_t size) {
    pair acc = {size * P64_1, 0};
    if (size <= 128) {
        for (size_t i = (size - 1) / 32 + 1; i-- > 0;) {
            acc = mix_32(acc, in + 16 * i, in + size - 16 * (i + 1), SECRET + 32 * i);
        }
    } else {
        for (size_t i = 0; i < size / 32; i++) {
            acc = mix_32(acc, in + 32 * i, in + 32 * i + 16,
                         i < 4 ? SECRET + 32 * i : SECRET + 3 + 32 * (i - 4));
            if (i == 3) {
                acc = (pair){avalanche(acc.low), avalanche(acc.high)};
            }
        }
        acc = mix_32(acc, in + size - 16, in + size - 32, SECRET + 103);
    }
    return (pair){avalanche(acc.low + acc.high),
                  0 - avalanche(acc.low * P64_1 + acc.high * P64_4 + (uint64_t)size * P64_2)};
}

static void accumulate(uint64_t *acc, const uint8_t *in, const uint8_t *secret) {
    for (unsigned i = 0; i < 8; i++) {
        uint64_t word = weft_load_u64(in + 8 * i);
        uint64_t key = word ^ weft_load_u64(secret + 8 * i);
        acc[i ^ 1] += word;
        acc[i] += (uint64_t)(uint32_t)key * (key >> 32);
    }
}

static void scramble(uint64_t *acc) {
    for (unsigned i = 0; i < 8; i++) {
        acc[i] =
            (acc[i] ^ acc[i] >> 47 ^ weft_load_u64(SECRET + SECRET_BYTES - STRIPE_BYTES + 8 * i)) *
            P32_1;
    }
}

static uint64_t merge(const uint64_t *acc, const uint8_t *secret, uint64_t start) {
    for (unsigned i = 0; i < 4; i++) {
        start += fold(acc[2 * i] ^ weft_load_u64(secret + 16 * i),
                      acc[2 * i + 1] ^ weft_load_u64(secret + 16 * i + 8));
    }
    return avalanche(start);
}

static pair hash_long(const uint8_t *in, size_t size) {
    uint64_t acc[8] = {P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1};
    size_t stripes = (size - 1) / STRIPE_BYTES;
    for (size_t i = 0; i < stripes; i++) {
        accumulate(acc, in + STRIPE_BYTES * i, SECRET + 8 * (i % BLOCK_STRIPES));
        if (i % BLOCK_STRIPES == BLOCK_STRIPES - 1) {
            scramble(acc);
        }
    }
    accumulate(acc, in + size - STRIPE_BYTES, SECRET + SECRET_BYTES - STRIPE_BYTES - 7);
    return (pair){merge(acc, SECRET + 11, size * P64_1),
                  merge(acc, SECRET + SECRET_BYTES - STRIPE_BYTES - 11, ~(size * P64_2))};
}

static void write_big64(uint8_t *at, uint64_t word) {
    for (unsigned i = 0; i < 8; i++) {
        at[i] = (uint8_t)(word >> (56 - 8 * i));
    }
}

void weft_hash_xxh3_128(const void *bytes, size_t size, uint8_t digest[16]) {
    const uint8_t *in = bytes;
    pair h = size == 0     ? hash_0()
             : size <= 3   ? hash_1_to_3(in, size)
             : size <= 8   ? hash_4_to_8(in, size)
             : size <= 16  ? hash_9_to_16(in, size)
             : size <= 240 ? hash_17_to_240(in, size)
                           : hash_long(in, size);
    write_big64(digest, h.high);
    write_big64(digest + 8, h.low);
}

static uint64_t turned(uint64_t x, unsigned bits) {
    return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4]) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = turned(v[1], 13) ^ v[0];
    v[3] = turned(v[3], 16) ^ v[2];
    v[0] = turned(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = turned(v[1], 17) ^ v[2];
    v[3] = turned(v[3], 21) ^ v[0];
    v[2] = turned(v[2], 32);
}

uint32_t weft_hash_seeded(uint64_t seed, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    uint64_t other = seed ^ P64_1;
    uint64_t v[4] = {seed ^ UINT64_C(0x736f6d6570736575), other ^ UINT64_C(0x646f72616e646f6d),
                     seed ^ UINT64_C(0x6c7967656e657261), other ^ UINT64_C(0x7465646279746573)};
    uint64_t last = (uint64_t)size << 56;
    for (size_t left = size;; at += 8, left -= 8) {
        uint64_t word = last;
        if (left >= 8) {
            word = weft_load_u64(at);
        } else {
            for (size_t i = 0; i < left; i++) {
                word |= (uint64_t)at[i] << 8 * i;
            }
        }
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
        if (left < 8) {
            break;
        }
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++) {
        sip_round(v);
    }
    return (uint32_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}
