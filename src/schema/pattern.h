// SPDX-License-Identifier: MIT
// Regular expressions of ECMAScript (unicode mode), matched without backtracking: compiled to a
// program of states, run in time linear in the text. Each level of lookaround adds a factor of the
// text's length, and back references need backtracking; a budget bounds everything. Owns the
// compiled program; does not depend on schemas.
#ifndef WEFT_SCHEMA_PATTERN_H
#define WEFT_SCHEMA_PATTERN_H

#include "base/memory.h"
#include "base/status.h"
#include "value/json.h"

typedef struct weft_pattern weft_pattern;

// Properties for \p{…}: an object whose members are lists of code point ranges [first, last, first,
// last, …] in rising order. The host provides it, since there are many properties and they grow
// with Unicode.
typedef struct weft_pattern_letters {
    const weft_json_tape *tape;
    uint32_t table; // its token
} weft_pattern_letters;

// Compiles the pattern in `source` (decoded UTF-8). WEFT_OK, WEFT_ERR_PATTERN with a static
// `*reason` for an invalid or too large pattern, or WEFT_ERR_NO_MEMORY. `letters` is borrowed
// during the call; NULL: no properties.
weft_status weft_pattern_compile(weft_memory *memory, const uint8_t *source, uint32_t length,
                                 const weft_pattern_letters *letters, weft_pattern **pattern,
                                 const char **reason);
void weft_pattern_free(weft_pattern *pattern);

// Returns whether the pattern matches anywhere in `text`: 1, 0, or -1 when `*budget` (one per state
// and code point) is used up, -2 without memory. Caches transitions in the pattern.
int weft_pattern_matches(weft_pattern *pattern, weft_memory *memory, weft_text text,
                         uint32_t *budget);

#endif
