// SPDX-License-Identifier: MIT
// Computes the tables of src/base/tables.h when an instance begins. Knows nothing of who reads them.
#include "base/tables.h"

// tests/c/test_tables.c brings tables of its own, to compare them with the constants.
#ifdef __wasm__
uint32_t weft_table_crc32c[4][256], weft_table_sha256[64], weft_table_sha256_start[8];
double weft_table_tens[23];
#define AT_BEGINNING __attribute__((constructor))
#endif

static uint32_t fraction(double value) { return (uint32_t)((value - (uint32_t)value) * 4294967296.0); }

static int is_prime(uint32_t number) {
    for (uint32_t divisor = 2; divisor * divisor <= number; divisor++) {
        if (number % divisor == 0) {
            return 0;
        }
    }
    return 1;
}

static void compute_sha256(void) {
    uint32_t count = 0;
    for (uint32_t number = 2; count < 64; number++) {
        if (!is_prime(number)) {
            continue;
        }
        double root = 7; // of the greatest
        for (uint32_t round = 0; round < 16; round++) {
            root -= (root - number / (root * root)) / 3;
        }
        if (count < 8) {
            weft_table_sha256_start[count] = fraction(__builtin_sqrt(number));
        }
        weft_table_sha256[count++] = fraction(root);
    }
}

static void compute_crc32c(uint32_t (*rows)[256]) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t crc = n;
        for (uint32_t step = 32; step > 0; step--) {
            crc = crc >> 1 ^ (crc & 1) * 0x82f63b78u;
            rows[(step - 1) / 8][n] = crc;
        }
    }
}

AT_BEGINNING static void compute_tables(void) {
    compute_sha256();
    compute_crc32c(weft_table_crc32c);
    // Else the compiler computes it all, and writes down what it got.
    volatile double one = 1;
    double ten = one;
    for (uint32_t i = 0; i < 23; i++, ten *= 10) {
        weft_table_tens[i] = ten;
    }
}
