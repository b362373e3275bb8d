// SPDX-License-Identifier: MIT
// Reads documents outside the hot path (graph definitions, imports) as trees: the strict reader
// (json.h) checks the text first, then cJSON parses it. No other folder uses cJSON. A document owns
// one arena with all its nodes; nodes are valid until it is freed.
#ifndef WEFT_VALUE_DOCUMENT_H
#define WEFT_VALUE_DOCUMENT_H

#include "json.h"

typedef struct weft_document weft_document;
typedef struct cJSON weft_document_node;

// Parses `length` bytes. Names and texts of documents must be well formed: U+0000 and lone
// surrogates are refused with WEFT_ERR_BAD_STRING. Returns WEFT_OK, the reader's codes, or
// WEFT_ERR_NO_MEMORY; on failure `*document` is NULL and `*error` (may be NULL) is filled.
weft_status weft_document_parse(weft_memory *memory, const void *bytes, size_t length,
                                const weft_json_limits *limits, weft_document **document,
                                weft_json_error *error);

// Frees the document and all its nodes; NULL is ignored.
void weft_document_free(weft_document *document);

const weft_document_node *weft_document_root(const weft_document *document);

// The functions below take NULL for "absent": then the kind is WEFT_JSON_NULL, and the others
// return what they return for a node of the wrong kind.
weft_json_kind weft_document_kind(const weft_document_node *node);

// Finds the member under `key` (case-sensitive), NULL when there is none. Linear: for objects with
// few members.
const weft_document_node *weft_document_get(const weft_document_node *node, const char *key);

// Return the first item or member, and the one after it; NULL at the end.
const weft_document_node *weft_document_first(const weft_document_node *node);
const weft_document_node *weft_document_next(const weft_document_node *node);

// Counts items or members, in linear time.
uint32_t weft_document_size(const weft_document_node *node);

// Returns a member's key, NUL-terminated; NULL for an item of an array. `*length` (may be NULL)
// receives its bytes.
const char *weft_document_key(const weft_document_node *node, uint32_t *length);

// Returns a string's text, NUL-terminated; NULL for other kinds. `*length` (may be NULL) receives
// its bytes.
const char *weft_document_string(const weft_document_node *node, uint32_t *length);

// Returns 1 for true, 0 for anything else.
int weft_document_true(const weft_document_node *node);

// Replaces strtod when cJSON is compiled into engine.wasm; strtod would link the C library's number
// parser. Only finds the end of the number: no caller reads a number's value from a document.
double weft_document_strtod(const char *text, char **end);

#endif
