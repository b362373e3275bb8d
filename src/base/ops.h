// SPDX-License-Identifier: MIT
// Codes that cross the border, from ops.def: WEFT_COMMAND_TASK, WEFT_ENTRY_WRITE, ...
#ifndef WEFT_BASE_OPS_H
#define WEFT_BASE_OPS_H

enum weft_ops {
#define X(group, name, number) WEFT_##group##_##name = (number),
#include "ops.def"
#undef X
};

#endif
