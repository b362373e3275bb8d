// SPDX-License-Identifier: MIT
// What the files of the border share: how a function is exported, the instance's engine and its
// input area. Owns nothing; abi.c has both. Must not know what crosses the border.
#ifndef WEFT_WASM_ABI_H
#define WEFT_WASM_ABI_H

#include "weft.h"

#ifdef __wasm__
#define WEFT_API(name) __attribute__((export_name(#name)))
#else
#define WEFT_API(name) __attribute__((visibility("default")))
#endif

// The engine of this instance; NULL before weft_init.
weft_engine *abi_engine(void);

// The area that the last weft_input lent to the host, 8-aligned.
const void *abi_area(void);

// A length in bytes or in words as a host tells it, cut off at the end of the area.
uint32_t abi_within(uint32_t bytes);
uint32_t abi_words(uint32_t words);

#endif
