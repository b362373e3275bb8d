// SPDX-License-Identifier: MIT
// Hashes by their published definitions: CRC-32C (log frames), SHA-1 (UUIDv5 task ids), SHA-256
// (digests, ids from a seed), XXH3-128 with seed 0 (interrupt ids, cache keys). Pure functions over
// byte spans.
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Continues a CRC-32C (Castagnoli, reflected, as iSCSI). Start with crc 0; pass the previous result
// with the next piece.
uint32_t weft_hash_crc32c(uint32_t crc, const void *bytes, size_t size);

typedef struct weft_hash_sha1_state {
    uint32_t h[5];
    uint64_t total;
    uint8_t block[64];
} weft_hash_sha1_state;
void weft_hash_sha1_init(weft_hash_sha1_state *state);
void weft_hash_sha1_update(weft_hash_sha1_state *state, const void *bytes, size_t size);
void weft_hash_sha1_final(weft_hash_sha1_state *state, uint8_t digest[20]);

typedef struct weft_hash_sha256_state {
    uint32_t h[8];
    uint64_t total;
    uint8_t block[64];
} weft_hash_sha256_state;
void weft_hash_sha256_init(weft_hash_sha256_state *state);
void weft_hash_sha256_update(weft_hash_sha256_state *state, const void *bytes, size_t size);
void weft_hash_sha256_final(weft_hash_sha256_state *state, uint8_t digest[32]);

// Computes XXH3 128 bits, seed 0; `digest` in canonical (big-endian, high half first) byte order,
// so that its hex is the usual text.
void weft_hash_xxh3_128(const void *bytes, size_t size, uint8_t digest[16]);

// Computes SipHash-1-3, cut to 32 bits, with a key derived from the seed. Without the seed nobody
// can craft keys that collide in a map.
uint32_t weft_hash_seeded(uint64_t seed, const void *bytes, size_t size);

// Writes 2 * size lowercase hex digits (no terminator).
void weft_hash_hex(const uint8_t *bytes, size_t size, char *text);

#endif
