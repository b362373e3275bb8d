// SPDX-License-Identifier: MIT
// Constant tables that can be computed. As data they are what no packing makes smaller, so that WebAssembly computes them
// when an instance begins (wasm/tables.c), before anything of the engine runs; elsewhere they are constants.
#ifndef WEFT_BASE_TABLES_H
#define WEFT_BASE_TABLES_H

#include <stdint.h>

#ifdef __wasm__
#define WEFT_TABLE extern
#else
#define WEFT_TABLE extern const
#endif

// Row k, column n: what the byte n at bit 8k becomes after 32 steps of CRC-32C's register.
WEFT_TABLE uint32_t weft_table_crc32c[4][256];

// The first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square roots of the first 8.
WEFT_TABLE uint32_t weft_table_sha256[64], weft_table_sha256_start[8];

// The powers of ten that a double holds exactly.
WEFT_TABLE double weft_table_tens[23];

#endif
