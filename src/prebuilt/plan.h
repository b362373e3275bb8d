// SPDX-License-Identifier: MIT
// Plans the tool calls of one message: run with canonical arguments, or answer with an error text.
// Calls come from a model and are untrusted. The toolset owns the answer. Does not depend on
// messages or hosts.
#ifndef WEFT_PREBUILT_PLAN_H
#define WEFT_PREBUILT_PLAN_H

#include "toolset.h"

// Plans the calls in `batch` (layout: wasm/README.md, "Tools"). The block is in `set->answer`, also
// for BAD_EVENT (a batch that cannot be read); NO_MEMORY.
weft_status weft_toolset_plan(weft_toolset *set, const uint32_t *batch, uint32_t words);

#endif
