// SPDX-License-Identifier: MIT
// T11: hostile text at the guard. What is accepted is written in canonical form; that form is read
// again, equals the first value and is written as the same bytes. A document is made of it too, or
// refused for its strings. Beside it runs a second reader of RFC 8259, written from the grammar
// alone: what the guard takes is JSON, and what it calls none is none.
#include "fuzz.h"
#include "value/document.h"

// The grammar: each function reads one thing at `at` and returns where it ends, or NULL.
typedef const uint8_t *place;

static place skip_space(place at, place end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
        at++;
    }
    return at;
}

static place read_utf8(place at, place end) {
    static const struct {
        uint8_t from, to, least, most;
        int more;
    } forms[] = {
        {0x20, 0x7f, 0, 0, 0},       {0xc2, 0xdf, 0x80, 0xbf, 1}, {0xe0, 0xe0, 0xa0, 0xbf, 2},
        {0xe1, 0xec, 0x80, 0xbf, 2}, {0xed, 0xed, 0x80, 0x9f, 2}, {0xee, 0xef, 0x80, 0xbf, 2},
        {0xf0, 0xf0, 0x90, 0xbf, 3}, {0xf1, 0xf3, 0x80, 0xbf, 3}, {0xf4, 0xf4, 0x80, 0x8f, 3},
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        if (*at < forms[i].from || *at > forms[i].to) {
            continue;
        }
        if (end - at <= forms[i].more ||
            (forms[i].more > 0 && (at[1] < forms[i].least || at[1] > forms[i].most))) {
            return NULL;
        }
        for (int more = 2; more <= forms[i].more; more++) {
            if ((at[more] & 0xc0) != 0x80) {
                return NULL;
            }
        }
        return at + 1 + forms[i].more;
    }
    return NULL;
}

static place read_string(place at, place end) {
    if (at == end || *at++ != '"') {
        return NULL;
    }
    while (at != NULL && at < end && *at != '"') {
        if (*at != '\\') {
            at = read_utf8(at, end);
        } else if (end - at >= 2 && memchr("\"\\/bfnrt", at[1], 8) != NULL) {
            at += 2;
        } else if (end - at >= 6 && at[1] == 'u') {
            for (int i = 2; i < 6; i++) {
                if (memchr("0123456789abcdefABCDEF", at[i], 22) == NULL) {
                    return NULL;
                }
            }
            at += 6;
        } else {
            return NULL;
        }
    }
    return at == NULL || at == end ? NULL : at + 1;
}

static place read_digits(place at, place end) {
    place start = at;
    while (at < end && *at >= '0' && *at <= '9') {
        at++;
    }
    return at == start ? NULL : at;
}

static place read_number(place at, place end) {
    at += at < end && *at == '-';
    at = at < end && *at == '0' ? at + 1 : read_digits(at, end);
    if (at != NULL && at < end && *at == '.') {
        at = read_digits(at + 1, end);
    }
    if (at != NULL && at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at = read_digits(at + (at < end && (*at == '+' || *at == '-')), end);
    }
    return at;
}

static place read_value(place at, place end, int depth);

static place read_members(place at, place end, int depth, uint8_t close, int keys) {
    at = skip_space(at, end);
    if (at < end && *at == close) {
        return at + 1;
    }
    for (;;) {
        if (keys) {
            at = read_string(at, end);
            at = at == NULL ? NULL : skip_space(at, end);
            if (at == NULL || at == end || *at++ != ':') {
                return NULL;
            }
            at = skip_space(at, end);
        }
        at = read_value(at, end, depth + 1);
        at = at == NULL ? NULL : skip_space(at, end);
        if (at == NULL || at == end || (*at != ',' && *at != close)) {
            return NULL;
        }
        if (*at++ == close) {
            return at;
        }
        at = skip_space(at, end);
    }
}

static place read_word(place at, place end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

static place read_value(place at, place end, int depth) {
    if (at == end || depth > 200) {
        return NULL;
    }
    switch (*at) {
    case '{':
        return read_members(at + 1, end, depth, '}', 1);
    case '[':
        return read_members(at + 1, end, depth, ']', 0);
    case '"':
        return read_string(at, end);
    case 't':
        return read_word(at, end, "true");
    case 'f':
        return read_word(at, end, "false");
    case 'n':
        return read_word(at, end, "null");
    default:
        return read_number(at, end);
    }
}

static int is_json(const uint8_t *data, size_t size) {
    place end = data + size;
    place at = size == 0 ? NULL : read_value(skip_space(data, end), end, 0);
    return at != NULL && skip_space(at, end) == end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    weft_memory memory = fuzz_memory();
    weft_json_limits limits = weft_json_argument_limits(11);
    weft_json_tape tape, again;
    weft_json_error error;
    weft_buffer first, second;
    uint32_t budget = 1000000;
    weft_json_init(&tape, &memory);
    weft_json_init(&again, &memory);
    weft_buffer_init(&first, &memory);
    weft_buffer_init(&second, &memory);
    weft_status status = weft_json_read(&tape, data, size, &limits, &error);
    demand(status == error.status && error.offset <= size);
    if (status == WEFT_OK || status == WEFT_ERR_JSON_SYNTAX || status == WEFT_ERR_JSON_UTF8) {
        demand(is_json(data, size) == (status == WEFT_OK));
    }
    if (status == WEFT_OK) {
        weft_document *document;
        weft_json_write(&tape, 0, &first);
        demand(first.status == WEFT_OK);
        demand(weft_json_read(&again, first.bytes, first.length, &limits, &error) == WEFT_OK);
        weft_json_write(&again, 0, &second);
        demand(first.length == second.length &&
               memcmp(first.bytes, second.bytes, first.length) == 0);
        demand(weft_json_same(&tape, 0, &again, 0, &budget) == 1);
        status = weft_document_parse(&memory, data, size, &limits, &document, &error);
        demand(status == WEFT_OK || status == WEFT_ERR_BAD_STRING);
        weft_document_free(document);
    }
    weft_json_fini(&tape);
    weft_json_fini(&again);
    weft_buffer_fini(&first);
    weft_buffer_fini(&second);
    demand(memory.live == 0);
    return 0;
}
