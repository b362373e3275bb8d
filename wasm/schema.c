// SPDX-License-Identifier: MIT
// The border's schemas: made once, used for many checks.
#include "abi.h"

WEFT_API(weft_schema_new) int abi_schema_new(uint32_t length) {
    return weft_engine_schema_new(abi_engine(), abi_area(), abi_within(length));
}

WEFT_API(weft_schema_free) int abi_schema_free(int schema) {
    return weft_engine_schema_free(abi_engine(), schema);
}

// Returns 0: no memory, or a stale handle; odd: valid without defaults to fill in, 1 + the tape's
// address; else the block's address.
WEFT_API(weft_schema_check)
const void *abi_schema_check(int schema, uint32_t length, uint32_t flags, uint32_t seed,
                             uint32_t answers) {
    const uint8_t *block = NULL;
    uint32_t capacity = abi_within(UINT32_MAX);
    answers = answers < capacity / 12 ? answers : capacity / 12;
    length = length < capacity - 12 * answers ? length : capacity - 12 * answers;
    int verdict = weft_engine_schema_check(abi_engine(), schema, abi_area(), length, flags, seed,
                                           answers, &block);
    return verdict == 1 ? block + 1 : verdict == 0 ? block : NULL;
}
