// SPDX-License-Identifier: MIT
// Addresses: resolves a reference against a base, as RFC 3986 says. Does not depend on schemas.
#ifndef WEFT_SCHEMA_URI_H
#define WEFT_SCHEMA_URI_H

#include <stdint.h>

// Resolves `reference` against `base` (both without fragments) into `out`, which has room for base
// + reference + 2 bytes; returns the length.
uint32_t weft_uri_resolve(const uint8_t *base, uint32_t base_length, const uint8_t *reference,
                          uint32_t length, uint8_t *out);

#endif
