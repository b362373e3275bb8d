// SPDX-License-Identifier: MIT
// Addresses: a reference resolved against a base, as RFC 3986 says. Knows no schemas; owns nothing.
#ifndef WEFT_SCHEMA_URI_H
#define WEFT_SCHEMA_URI_H

#include <stdint.h>

// Writes what `reference` means seen from `base` (both without fragments) to `out`, which has room
// for base + reference + 2 bytes, and returns the length.
uint32_t weft_uri_resolve(const uint8_t *base, uint32_t base_length, const uint8_t *reference,
                          uint32_t length, uint8_t *out);

#endif
