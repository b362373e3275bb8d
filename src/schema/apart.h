// SPDX-License-Identifier: MIT
// Where data stands that nothing outside this room reads: in a segment of its own, which goes with the room when the engine
// is cut (tools/split.mjs).
#ifndef WEFT_SCHEMA_APART_H
#define WEFT_SCHEMA_APART_H

#ifdef __wasm__
#define APART __attribute__((section("apart")))
#else
#define APART
#endif

// A literal that stands apart.
#define TEXT_APART(text) (__extension__({ static const char apart[] APART = text; apart; }))

#endif
