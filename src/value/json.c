// SPDX-License-Identifier: MIT
// Implements json.h: one pass over the text, without recursion.
#include "json.h"

#include <string.h>

#include "number.h"

#define NONE UINT32_MAX
#define MALFORMED "a number is not well formed"

// State of one read. While a container is open, its token's `next` is the parent container and
// `extra` counts its children.
typedef struct reader {
    weft_json_tape *tape;
    const uint8_t *end;
    const weft_json_limits *limits;
    uint32_t max_depth;
    uint32_t open;
    uint32_t depth;
    uint32_t nodes;
    uint32_t flags; // of the string or number read last
    weft_json_error error;
} reader;

// Position in the text. A function that reads takes the start and returns the position after it, or
// NULL after a failure.
typedef const uint8_t *place;

static __attribute__((noinline)) place fail(reader *r, weft_status status, place where,
                                            const char *reason) {
    r->error = (weft_json_error){status, (uint32_t)(where - r->tape->text), reason};
    return NULL;
}

static __attribute__((noinline)) place fail_syntax(reader *r, place at, const char *reason) {
    return fail(r, WEFT_ERR_JSON_SYNTAX, at, at == r->end ? "the text ends too early" : reason);
}

static inline place skip_space(const reader *r, place at) {
    while (at < r->end && *at <= ' ' && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        at++;
    }
    return at;
}

// Appends a token; read_all has made room.
static inline void add_token(reader *r, weft_json_kind kind, place start, place end) {
    weft_json_tape *tape = r->tape;
    weft_json_token *token = &tape->tokens[tape->count++];
    *token = (weft_json_token){.kind = (uint8_t)kind,
                               .flags = (uint8_t)r->flags,
                               .offset = (uint32_t)(start - tape->text),
                               .length = (uint32_t)(end - start),
                               .next = tape->count};
}

// Counts a value that is complete, or a container that opens. Returns NULL above max_nodes, else
// `end`.
static inline place add_value(reader *r, weft_json_kind kind, place start, place end) {
    if (r->nodes++ == r->limits->max_nodes) {
        return fail(r, WEFT_ERR_JSON_NODES, start, "");
    }
    if (r->open != NONE) {
        r->tape->tokens[r->open].extra++;
    }
    add_token(r, kind, start, end);
    return end;
}

static place open_container(reader *r, place at) {
    weft_json_kind kind = *at == '{' ? WEFT_JSON_OBJECT : WEFT_JSON_ARRAY;
    if (r->depth++ == r->max_depth) {
        return fail(r, WEFT_ERR_JSON_DEPTH, at, "");
    }
    r->flags = 0;
    if (add_value(r, kind, at, at) == NULL) {
        return NULL;
    }
    r->tape->tokens[r->tape->count - 1].next = r->open;
    r->open = r->tape->count - 1;
    return at + 1;
}

static place close_container(reader *r, place at) {
    weft_json_tape *tape = r->tape;
    uint32_t closed = r->open;
    weft_json_token *token = &tape->tokens[closed];
    at++;
    r->open = token->next;
    r->depth--;
    token->length = (uint32_t)(at - tape->text) - token->offset;
    token->next = tape->count;
    if (token->kind == WEFT_JSON_OBJECT && token->extra > 1) {
        uint32_t twice = 0;
        weft_status status = weft_json_index(tape, closed, &twice);
        if (status != WEFT_OK) {
            return fail(r, status, at, "");
        }
        if (twice != 0) {
            return fail(r, WEFT_ERR_JSON_KEY, tape->text + tape->tokens[twice].offset,
                        "it occurs twice");
        }
    }
    return at;
}

// Returns the bytes of the UTF-8 sequence at `at` (not ASCII), 0 when it is not valid.
static size_t sequence(place at, place end) {
    uint8_t lead = *at;
    size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (lead < 0xc2 || lead > 0xf4 || (size_t)(end - at) < size || at[1] < low || at[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < size; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return size;
}

// Skips an escape or a byte above ASCII.
static __attribute__((noinline)) place skip_odd(reader *r, place at) {
    static const char LETTERS[] = "\"\\/bfnrt";
    if (at == r->end || *at < ' ') {
        return fail_syntax(r, at, "a control character in a string");
    }
    if (*at != '\\') {
        size_t size = sequence(at, r->end);
        return size == 0 ? fail(r, WEFT_ERR_JSON_UTF8, at, "") : at + size;
    }
    r->flags |= WEFT_JSON_ESCAPED;
    if (r->end - at >= 2 && memchr(LETTERS, at[1], sizeof(LETTERS) - 1) != NULL) {
        return at + 2;
    }
    int32_t unit = weft_text_unit(at, r->end);
    if (unit < 0) {
        return fail_syntax(r, at, "an unknown escape in a string");
    }
    r->flags |= unit == 0 ? WEFT_JSON_NUL : 0;
    at += 6;
    if (unit >> 11 == 0xd800 >> 11) {
        int32_t second = unit < 0xdc00 ? weft_text_unit(at, r->end) : -1;
        if (second >> 10 == 0xdc00 >> 10) {
            return at + 6;
        }
        r->flags |= WEFT_JSON_LONE;
    }
    return at;
}

// Skips plain bytes, eight at a time (least significant first): stops at a quote, a backslash, a
// control character or a byte above ASCII.
static inline place skip_plain(place at, place end) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (; end - at >= 8; at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof(word));
        uint64_t quote = (word ^ ones * '"') - ones;
        uint64_t slash = (word ^ ones * '\\') - ones;
        uint64_t found = (word | (word - ones * ' ') | quote | slash) & ones * 0x80;
        if (found != 0) {
            // Borrows propagate upwards, so the lowest mark is right.
            return at + (uint32_t)__builtin_ctzll(found) / 8;
        }
    }
    while (at < end && *at >= ' ' && *at < 0x80 && *at != '"' && *at != '\\') {
        at++;
    }
    return at;
}

static __attribute__((noinline)) place skip_string(reader *r, place at) {
    r->flags = 0;
    for (at++;;) {
        at = skip_plain(at, r->end);
        if (at < r->end && *at == '"') {
            return at + 1;
        }
        at = skip_odd(r, at);
        if (at == NULL) {
            return NULL;
        }
    }
}

static place read_key(reader *r, place start) {
    if (start == r->end || *start != '"') {
        return fail_syntax(r, start, "a key is expected");
    }
    place at = skip_string(r, start);
    if (at == NULL) {
        return NULL;
    }
    if ((r->flags & WEFT_JSON_NUL) != 0) {
        return fail(r, WEFT_ERR_JSON_KEY, start, "it holds U+0000");
    }
    add_token(r, WEFT_JSON_STRING, start, at);
    at = skip_space(r, at);
    if (at == r->end || *at != ':') {
        return fail_syntax(r, at, "a colon is expected");
    }
    return skip_space(r, at + 1);
}

// Reads at least one digit.
static place read_digits(reader *r, place start) {
    place at = start;
    while (at < r->end && (uint8_t)(*at - '0') <= 9) {
        at++;
    }
    return at == start ? fail_syntax(r, at, MALFORMED) : at;
}

static place read_number(reader *r, place start) {
    place first = start + (*start == '-');
    place at = read_digits(r, first);
    int large = at - first > 300;
    r->flags = WEFT_JSON_INTEGER;
    if (at != NULL && at - first > 1 && *first == '0') {
        return fail_syntax(r, first + 1, MALFORMED);
    }
    if (at != NULL && at < r->end && *at == '.') {
        r->flags = 0;
        at = read_digits(r, at + 1);
    }
    if (at != NULL && at < r->end && (*at | 0x20) == 'e') {
        r->flags = 0;
        large = 1;
        at++;
        at = read_digits(r, at + (at < r->end && (*at == '-' || *at == '+')));
    }
    if (at != NULL && large) {
        double value = weft_number_read(start, (uint32_t)(at - start));
        if (value - value != 0) {
            return fail(r, WEFT_ERR_JSON_NUMBER, start, "");
        }
    }
    return at;
}

// Reads a literal; WORDS is in the order of the kinds.
static place read_literal(reader *r, place start, weft_json_kind *kind) {
    static const char WORDS[][6] = {"null", "false", "true"};
    for (uint32_t i = 0; i < 3; i++) {
        size_t length = strlen(WORDS[i]);
        if ((size_t)(r->end - start) >= length && memcmp(start, WORDS[i], length) == 0) {
            *kind = (weft_json_kind)i;
            return start + length;
        }
    }
    return fail_syntax(r, start, "a value is expected");
}

static place read_scalar(reader *r, place start) {
    weft_json_kind kind = WEFT_JSON_STRING;
    place at;
    uint8_t letter = start < r->end ? *start : 0;
    if (letter == '"') {
        at = skip_string(r, start);
    } else if (letter == '-' || (uint8_t)(letter - '0') <= 9) {
        kind = WEFT_JSON_NUMBER;
        at = read_number(r, start);
    } else {
        r->flags = 0;
        at = read_literal(r, start, &kind);
    }
    return at == NULL ? NULL : add_value(r, kind, start, at);
}

// Closes the containers that end at `at`. Returns the position of the next item or key, or NULL at
// the end of the text and after a failure.
static place read_end(reader *r, place at) {
    for (;;) {
        at = skip_space(r, at);
        if (r->open == NONE) {
            return at == r->end ? NULL : fail_syntax(r, at, "the text goes on after its value");
        }
        uint8_t closing = r->tape->tokens[r->open].kind == WEFT_JSON_OBJECT ? '}' : ']';
        if (at < r->end && *at == ',') {
            return skip_space(r, at + 1);
        }
        if (at == r->end || *at != closing) {
            return fail_syntax(r, at, "a comma or a closing bracket is expected");
        }
        at = close_container(r, at);
        if (at == NULL) {
            return NULL;
        }
    }
}

static void read_all(reader *r, place at) {
    weft_json_tape *tape = r->tape;
    at = skip_space(r, at);
    while (at != NULL) {
        // Room for a key and a value.
        if (tape->capacity - tape->count < 2 &&
            !weft_memory_reserve(tape->memory, &tape->tokens, sizeof(*tape->tokens),
                                 &tape->capacity, tape->count + 2)) {
            fail(r, WEFT_ERR_NO_MEMORY, at, "");
            return;
        }
        if (r->open != NONE && tape->tokens[r->open].kind == WEFT_JSON_OBJECT) {
            at = read_key(r, at);
        }
        if (at != NULL && at < r->end && (*at | 0x20) == '{') {
            uint8_t closing = *at + 2;
            at = open_container(r, at);
            if (at != NULL) {
                at = skip_space(r, at);
                at = at < r->end && *at == closing ? read_end(r, at) : at;
            }
        } else if (at != NULL) {
            at = read_scalar(r, at);
            at = at == NULL ? NULL : read_end(r, at);
        }
    }
}

weft_status weft_json_read(weft_json_tape *tape, const void *text, size_t length,
                           const weft_json_limits *limits, weft_json_error *error) {
    uint32_t max_depth =
        limits->max_depth < WEFT_JSON_MOST_DEPTH ? limits->max_depth : WEFT_JSON_MOST_DEPTH;
    reader r = {.tape = tape, .limits = limits, .max_depth = max_depth, .open = NONE};
    r.error = (weft_json_error){WEFT_OK, 0, ""};
    tape->text = text;
    tape->count = 0;
    tape->index_length = 0;
    tape->seed = limits->seed;
    if (length > limits->max_bytes) {
        r.error.status = WEFT_ERR_JSON_SIZE;
    } else if (length == 0) {
        r.error = (weft_json_error){WEFT_ERR_JSON_SYNTAX, 0, "the text is empty"};
    } else {
        r.end = tape->text + length;
        read_all(&r, tape->text);
    }
    if (r.error.status != WEFT_OK) {
        tape->count = 0;
    }
    if (error != NULL) {
        *error = r.error;
    }
    return r.error.status;
}

uint32_t weft_json_error_number(const weft_json_limits *limits, const weft_json_error *error) {
    switch (error->status) {
    case WEFT_ERR_JSON_DEPTH:
        return limits->max_depth;
    case WEFT_ERR_JSON_SIZE:
        return limits->max_bytes;
    case WEFT_ERR_JSON_NODES:
        return limits->max_nodes;
    default:
        return error->offset;
    }
}
