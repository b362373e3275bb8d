// SPDX-License-Identifier: MIT
// Implements tape.h: canonical text.
#include <string.h>

#include "number.h"
#include "tape.h"

// Integers of up to 15 digits are their own canonical text (a sign and these digits), except -0.
#define PLAIN_INTEGER 15

static void put(weft_buffer *out, char letter) {
    weft_buffer_u8(out, (uint8_t)letter);
}

static void put_escape(weft_buffer *out, uint32_t unit) {
    static const char HEX[] = "0123456789abcdef";
    static const char SHORT[] = "btn_fr";
    char text[6] = {
        '\\', 'u', HEX[unit >> 12 & 15], HEX[unit >> 8 & 15], HEX[unit >> 4 & 15], HEX[unit & 15]};
    if (unit == '"' || unit == '\\') {
        text[1] = (char)unit;
    } else if (unit >= '\b' && unit <= '\r' && unit != '\v') {
        text[1] = SHORT[unit - '\b'];
    }
    weft_buffer_append(out, text, text[1] == 'u' ? 6 : 2);
}

static void put_text(weft_buffer *out, weft_text text) {
    put(out, '"');
    while (text.at < text.end) {
        const uint8_t *start = text.at;
        uint32_t point = weft_text_next(&text);
        if (point < ' ' || point == '"' || point == '\\' || (point >= 0xd800 && point <= 0xdfff)) {
            put_escape(out, point);
        } else if (*start != '\\') {
            weft_buffer_append(out, start, (uint32_t)(text.at - start));
        } else {
            uint8_t bytes[4];
            weft_buffer_append(out, bytes, weft_text_encode(point, bytes));
        }
    }
    put(out, '"');
}

void weft_json_write_string(const void *bytes, uint32_t length, weft_buffer *out) {
    const uint8_t *at = bytes;
    put_text(out, (weft_text){at, length == 0 ? at : at + length, 0});
}

static void put_scalar(const weft_json_tape *tape, const weft_json_token *token, weft_buffer *out) {
    const uint8_t *text = tape->text + token->offset;
    if (token->kind == WEFT_JSON_STRING && (token->flags & WEFT_JSON_ESCAPED) != 0) {
        put_text(out, (weft_text){text + 1, text + token->length - 1, 1});
        return;
    }
    if (token->kind == WEFT_JSON_NUMBER &&
        ((token->flags & WEFT_JSON_INTEGER) == 0 || token->length > PLAIN_INTEGER ||
         (text[0] == '-' && text[1] == '0'))) {
        char number[WEFT_NUMBER_TEXT];
        weft_buffer_append(out, number,
                           weft_number_write(weft_number_read(text, token->length), number));
        return;
    }
    weft_buffer_append(out, text, token->length);
}

void weft_json_write(const weft_json_tape *tape, uint32_t value, weft_buffer *out) {
    weft_json_write_more(tape, value, NULL, NULL, out);
}

// Copies the bytes between tokens, except white space.
void weft_json_write_more(const weft_json_tape *tape, uint32_t value, weft_json_more *more,
                          void *context, weft_buffer *out) {
    static const char BETWEEN[] = "{[:,]}";
    const weft_json_token *token = &tape->tokens[value];
    const uint8_t *at = tape->text + token->offset;
    const uint8_t *end = at + token->length;
    uint8_t last = 0;
    while (at < end && out->status == WEFT_OK) {
        uint8_t letter = *at;
        if (letter <= ' ') {
            at++;
            continue;
        }
        if (memchr(BETWEEN, letter, sizeof(BETWEEN) - 1) == NULL) {
            put_scalar(tape, token, out);
            at += token++->length;
        } else {
            at++;
            if (letter == '}' && more != NULL) {
                more(context, (uint32_t)(at - tape->text), last != '{', out);
            }
            weft_buffer_u8(out, letter);
            token += (letter | 0x20) == '{';
        }
        last = letter;
    }
}
