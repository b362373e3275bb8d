// SPDX-License-Identifier: MIT
#include "json.h"

#include <string.h>

#include "number.h"

#define NONE UINT32_MAX

typedef enum state { VALUE, FIRST_ITEM, FIRST_KEY, KEY, AFTER, DONE } state;

// While a container is open, its token's `next` names the container around it and `extra` counts what it holds.
typedef struct reader {
    weft_json_tape *tape;
    const uint8_t *at;
    const uint8_t *end;
    const weft_json_limits *limits;
    uint32_t max_depth;
    uint32_t open;
    uint32_t depth;
    uint32_t nodes;
    weft_json_error error;
} reader;

static state fail(reader *r, weft_status status, const uint8_t *where, const char *reason) {
    r->error = (weft_json_error){status, (uint32_t)(where - r->tape->text), reason};
    return DONE;
}

static state fail_syntax(reader *r, const char *reason) {
    return fail(r, WEFT_ERR_JSON_SYNTAX, r->at, r->at == r->end ? "the text ends too early" : reason);
}

static void skip_space(reader *r) {
    while (r->at < r->end && *r->at <= ' ' && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t')) {
        r->at++;
    }
}

static weft_json_token *add_token(reader *r, weft_json_kind kind, const uint8_t *start) {
    weft_json_tape *tape = r->tape;
    if (tape->count == tape->capacity &&
        !weft_memory_reserve(tape->memory, &tape->tokens, sizeof(*tape->tokens), &tape->capacity, tape->count + 1)) {
        fail(r, WEFT_ERR_NO_MEMORY, start, "");
        return NULL;
    }
    weft_json_token *token = &tape->tokens[tape->count++];
    *token = (weft_json_token){.kind = (uint8_t)kind,
                               .offset = (uint32_t)(start - tape->text),
                               .length = (uint32_t)(r->at - start),
                               .next = tape->count};
    return token;
}

// A value that is complete, or opened: counts it.
static weft_json_token *add_value(reader *r, weft_json_kind kind, const uint8_t *start) {
    if (r->nodes == r->limits->max_nodes) {
        fail(r, WEFT_ERR_JSON_NODES, start, "");
        return NULL;
    }
    r->nodes++;
    if (r->open != NONE) {
        r->tape->tokens[r->open].extra++;
    }
    return add_token(r, kind, start);
}

static state open_container(reader *r, weft_json_kind kind) {
    const uint8_t *start = r->at++;
    if (r->depth == r->max_depth) {
        return fail(r, WEFT_ERR_JSON_DEPTH, start, "");
    }
    weft_json_token *token = add_value(r, kind, start);
    if (token == NULL) {
        return DONE;
    }
    token->next = r->open;
    r->open = r->tape->count - 1;
    r->depth++;
    return kind == WEFT_JSON_OBJECT ? FIRST_KEY : FIRST_ITEM;
}

static state close_container(reader *r) {
    uint32_t closed = r->open;
    weft_json_token *token = &r->tape->tokens[closed];
    r->at++;
    r->open = token->next;
    r->depth--;
    token->length = (uint32_t)(r->at - r->tape->text) - token->offset;
    token->next = r->tape->count;
    if (token->kind == WEFT_JSON_OBJECT && token->extra > 1) {
        uint32_t twice = 0;
        weft_status status = weft_json_index(r->tape, closed, &twice);
        if (status != WEFT_OK) {
            return fail(r, status, r->at, "");
        }
        if (twice != 0) {
            return fail(r, WEFT_ERR_JSON_KEY, r->tape->text + r->tape->tokens[twice].offset, "it occurs twice");
        }
    }
    return AFTER;
}

static int continuation(const uint8_t *at, const uint8_t *end, uint8_t low, uint8_t high) {
    return at < end && *at >= low && *at <= high;
}

// Bytes of the UTF-8 sequence at `at` (not ASCII), 0 when it is not valid.
static uint32_t sequence(const uint8_t *at, const uint8_t *end) {
    uint8_t lead = *at;
    if (lead < 0xc2 || lead > 0xf4) {
        return 0;
    }
    if (lead < 0xe0) {
        return continuation(at + 1, end, 0x80, 0xbf) ? 2 : 0;
    }
    if (lead < 0xf0) {
        uint8_t low = lead == 0xe0 ? 0xa0 : 0x80;
        uint8_t high = lead == 0xed ? 0x9f : 0xbf;
        return continuation(at + 1, end, low, high) && continuation(at + 2, end, 0x80, 0xbf) ? 3 : 0;
    }
    uint8_t low = lead == 0xf0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xf4 ? 0x8f : 0xbf;
    return continuation(at + 1, end, low, high) && continuation(at + 2, end, 0x80, 0xbf) &&
                   continuation(at + 3, end, 0x80, 0xbf)
               ? 4
               : 0;
}

// The unit of an escape \uXXXX at `at`, -1 when there is none.
static int32_t unit_at(const uint8_t *at, const uint8_t *end) {
    int32_t unit = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u') {
        return -1;
    }
    for (int i = 2; i < 6; i++) {
        uint8_t letter = at[i] | 0x20;
        if (at[i] >= '0' && at[i] <= '9') {
            unit = unit * 16 + (at[i] - '0');
        } else if (letter >= 'a' && letter <= 'f') {
            unit = unit * 16 + (letter - 'a' + 10);
        } else {
            return -1;
        }
    }
    return unit;
}

// Moves behind the escape at r->at and returns its flags; 0 when it is none.
static uint8_t skip_escape(reader *r) {
    static const char LETTERS[] = "\"\\/bfnrt";
    if (r->end - r->at >= 2 && memchr(LETTERS, r->at[1], sizeof(LETTERS) - 1) != NULL) {
        r->at += 2;
        return WEFT_JSON_ESCAPED;
    }
    int32_t unit = unit_at(r->at, r->end);
    if (unit < 0) {
        return 0;
    }
    r->at += 6;
    if (unit >= 0xd800 && unit <= 0xdfff) {
        int32_t second = unit < 0xdc00 ? unit_at(r->at, r->end) : -1;
        if (second < 0xdc00 || second > 0xdfff) {
            return WEFT_JSON_ESCAPED | WEFT_JSON_LONE;
        }
        r->at += 6;
    }
    return (uint8_t)(WEFT_JSON_ESCAPED | (unit == 0 ? WEFT_JSON_NUL : 0));
}

// Skips bytes that stand for themselves, eight at a time (least significant first): stops at a quote, a backslash, a control character
// or a byte above ASCII.
static void skip_plain(reader *r) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (; r->end - r->at >= 8; r->at += 8) {
        uint64_t word;
        memcpy(&word, r->at, sizeof(word));
        uint64_t quote = (word ^ ones * '"') - ones;
        uint64_t slash = (word ^ ones * '\\') - ones;
        uint64_t found = (word | (word - ones * ' ') | quote | slash) & ones * 0x80;
        if (found != 0) {
            // Borrows run upwards: the lowest mark is right.
            r->at += (uint32_t)__builtin_ctzll(found) / 8;
            return;
        }
    }
    while (r->at < r->end && *r->at >= ' ' && *r->at < 0x80 && *r->at != '"' && *r->at != '\\') {
        r->at++;
    }
}

// Moves behind the string that starts at r->at; its flags, or -1 after a failure.
static int skip_string(reader *r) {
    uint8_t flags = 0;
    r->at++;
    for (;;) {
        skip_plain(r);
        if (r->at == r->end || *r->at < ' ') {
            fail_syntax(r, "a control character in a string");
            return -1;
        }
        if (*r->at == '"') {
            r->at++;
            return flags;
        }
        if (*r->at == '\\') {
            uint8_t escape = skip_escape(r);
            if (escape == 0) {
                fail_syntax(r, "an unknown escape in a string");
                return -1;
            }
            flags |= escape;
            continue;
        }
        uint32_t size = sequence(r->at, r->end);
        if (size == 0) {
            fail(r, WEFT_ERR_JSON_UTF8, r->at, "");
            return -1;
        }
        r->at += size;
    }
}

static state read_string(reader *r) {
    const uint8_t *start = r->at;
    int flags = skip_string(r);
    weft_json_token *token = flags < 0 ? NULL : add_value(r, WEFT_JSON_STRING, start);
    if (token == NULL) {
        return DONE;
    }
    token->flags = (uint8_t)flags;
    return AFTER;
}

static state read_key(reader *r) {
    const uint8_t *start = r->at;
    if (r->at == r->end || *r->at != '"') {
        return fail_syntax(r, "a key is expected");
    }
    int flags = skip_string(r);
    if (flags < 0) {
        return DONE;
    }
    if ((flags & WEFT_JSON_NUL) != 0) {
        return fail(r, WEFT_ERR_JSON_KEY, start, "it holds U+0000");
    }
    weft_json_token *token = add_token(r, WEFT_JSON_STRING, start);
    if (token == NULL) {
        return DONE;
    }
    token->flags = (uint8_t)flags;
    skip_space(r);
    if (r->at == r->end || *r->at != ':') {
        return fail_syntax(r, "a colon is expected");
    }
    r->at++;
    return VALUE;
}

static uint32_t skip_digits(reader *r) {
    const uint8_t *start = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
        r->at++;
    }
    return (uint32_t)(r->at - start);
}

static state read_number(reader *r) {
    static const char REASON[] = "a number is not well formed";
    const uint8_t *start = r->at;
    uint8_t flags = WEFT_JSON_INTEGER;
    r->at += *r->at == '-';
    const uint8_t *first = r->at;
    uint32_t digits = skip_digits(r);
    int large = digits > 300;
    if (digits == 0 || (digits > 1 && *first == '0')) {
        r->at = digits == 0 ? r->at : first + 1;
        return fail_syntax(r, REASON);
    }
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        flags = 0;
        if (skip_digits(r) == 0) {
            return fail_syntax(r, REASON);
        }
    }
    if (r->at < r->end && (*r->at | 0x20) == 'e') {
        r->at++;
        flags = 0;
        large = 1;
        r->at += r->at < r->end && (*r->at == '-' || *r->at == '+');
        if (skip_digits(r) == 0) {
            return fail_syntax(r, REASON);
        }
    }
    if (large) {
        double value = weft_number_read(start, (uint32_t)(r->at - start));
        if (value - value != 0) {
            return fail(r, WEFT_ERR_JSON_NUMBER, start, "");
        }
    }
    weft_json_token *token = add_value(r, WEFT_JSON_NUMBER, start);
    if (token == NULL) {
        return DONE;
    }
    token->flags = flags;
    return AFTER;
}

static state read_literal(reader *r, const char *text, size_t length, weft_json_kind kind) {
    const uint8_t *start = r->at;
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0) {
        return fail_syntax(r, "a value is expected");
    }
    r->at += length;
    return add_value(r, kind, start) == NULL ? DONE : AFTER;
}

static state read_value(reader *r) {
    switch (r->at == r->end ? 0 : *r->at) {
    case '{':
        return open_container(r, WEFT_JSON_OBJECT);
    case '[':
        return open_container(r, WEFT_JSON_ARRAY);
    case '"':
        return read_string(r);
    case 't':
        return read_literal(r, "true", 4, WEFT_JSON_TRUE);
    case 'f':
        return read_literal(r, "false", 5, WEFT_JSON_FALSE);
    case 'n':
        return read_literal(r, "null", 4, WEFT_JSON_NULL);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return read_number(r);
    default:
        return fail_syntax(r, "a value is expected");
    }
}

static state after_value(reader *r) {
    if (r->open == NONE) {
        return r->at == r->end ? DONE : fail_syntax(r, "the text goes on after its value");
    }
    int object = r->tape->tokens[r->open].kind == WEFT_JSON_OBJECT;
    if (r->at < r->end && *r->at == ',') {
        r->at++;
        return object ? KEY : VALUE;
    }
    if (r->at < r->end && *r->at == (object ? '}' : ']')) {
        return close_container(r);
    }
    return fail_syntax(r, "a comma or a closing bracket is expected");
}

static void read_all(reader *r) {
    state now = VALUE;
    while (now != DONE) {
        skip_space(r);
        switch (now) {
        case FIRST_ITEM:
            now = r->at < r->end && *r->at == ']' ? close_container(r) : read_value(r);
            break;
        case FIRST_KEY:
            now = r->at < r->end && *r->at == '}' ? close_container(r) : read_key(r);
            break;
        case KEY:
            now = read_key(r);
            break;
        case AFTER:
            now = after_value(r);
            break;
        case VALUE:
        case DONE:
            now = read_value(r);
            break;
        }
    }
}

weft_status weft_json_read(weft_json_tape *tape, const void *text, size_t length, const weft_json_limits *limits,
                           weft_json_error *error) {
    uint32_t max_depth = limits->max_depth < WEFT_JSON_MOST_DEPTH ? limits->max_depth : WEFT_JSON_MOST_DEPTH;
    reader r = {.tape = tape, .at = text, .limits = limits, .max_depth = max_depth, .open = NONE};
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
        r.end = r.at + length;
        read_all(&r);
    }
    if (r.error.status != WEFT_OK) {
        tape->count = 0;
    }
    if (error != NULL) {
        *error = r.error;
    }
    return r.error.status;
}
