// SPDX-License-Identifier: MIT
// Where things of a compiled schema stand.
#ifndef WEFT_SCHEMA_LOCATE_H
#define WEFT_SCHEMA_LOCATE_H

#include "program.h"

// The number of the innermost resource around `token`.
uint32_t weft_schema_resource_around(const weft_schema *schema, uint32_t token);

#endif
