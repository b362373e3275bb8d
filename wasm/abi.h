// SPDX-License-Identifier: MIT
// Shared by the border's files: how a function is exported, the instance's engine and its input
// area, both owned by abi.c. Does not depend on what crosses the border.
#ifndef WEFT_WASM_ABI_H
#define WEFT_WASM_ABI_H

#include "weft.h"

#ifdef __wasm__
#define WEFT_API(name) __attribute__((export_name(#name)))
#else
#define WEFT_API(name) __attribute__((visibility("default")))
#endif

// Returns the engine of this instance; NULL before weft_init.
weft_engine *abi_engine(void);

// Returns the area of the last weft_input, 8-aligned.
const void *abi_area(void);

// Clamp a length from the host, in bytes or words, to the end of the area.
uint32_t abi_within(uint32_t bytes);
uint32_t abi_words(uint32_t words);

#endif
