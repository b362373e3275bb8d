// SPDX-License-Identifier: MIT
// Regular expressions of ECMAScript (unicode mode) that a machine without backtracking can match: compiled to a program
// of states, run in time linear in the text. Lookaround and back references are told apart from mistakes: they are the
// host's. Owns the compiled program; knows no schemas.
#ifndef WEFT_SCHEMA_PATTERN_H
#define WEFT_SCHEMA_PATTERN_H

#include "base/memory.h"
#include "base/status.h"
#include "value/text.h"

typedef struct weft_pattern weft_pattern;

// Compiles the pattern in `source` (decoded UTF-8). WEFT_OK, WEFT_ERR_NEEDS_HOST for what only the host can match,
// WEFT_ERR_PATTERN with a static `*reason` for what is no pattern or too large, or WEFT_ERR_NO_MEMORY.
weft_status weft_pattern_compile(weft_memory *memory, const uint8_t *source, uint32_t length, weft_pattern **pattern,
                                 const char **reason);
void weft_pattern_free(weft_pattern *pattern);

// Whether the pattern matches anywhere in `text`: 1, 0, or -1 when `*budget` (one per state and code point) is used up,
// -2 without memory.
// Remembers what it finds out about the pattern.
int weft_pattern_matches(weft_pattern *pattern, weft_memory *memory, weft_text text, uint32_t *budget);

#endif
