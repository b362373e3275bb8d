// SPDX-License-Identifier: MIT
// Serves: what WebAssembly computes when an instance begins is, to the bit, what is written down as constants elsewhere.
#include "test.h"

#include "base/tables.h"

static uint32_t crc32c[4][256], sha256[64], sha256_start[8];
static double tens[23];

static void compare(const void *got, const void *expected, size_t size) { CHECK_MEM(got, size, expected, size); }

static void computed(void);

TEST(the_computed_tables_are_the_constants) {
    computed();
    compare(crc32c, weft_table_crc32c, sizeof crc32c);
    compare(sha256, weft_table_sha256, sizeof sha256);
    compare(sha256_start, weft_table_sha256_start, sizeof sha256_start);
    compare(tens, weft_table_tens, sizeof tens);
}

#define AT_BEGINNING
#define weft_table_crc32c crc32c
#define weft_table_sha256 sha256
#define weft_table_sha256_start sha256_start
#define weft_table_tens tens
#include "../../wasm/tables.c"

static void computed(void) { compute_tables(); }
