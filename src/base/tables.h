// SPDX-License-Identifier: MIT
// Constant tables, each with the formula that it comes from.
#ifndef WEFT_BASE_TABLES_H
#define WEFT_BASE_TABLES_H

#include <stdint.h>

// First 32 bits of the fractions of the cube roots of the first 64 primes, and of the square roots
// of the first 8.
extern const uint32_t weft_table_sha256[64], weft_table_sha256_start[8];

// Powers of ten that a double represents exactly.
extern const double weft_table_tens[23];

#endif
