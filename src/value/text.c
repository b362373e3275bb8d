// SPDX-License-Identifier: MIT
// Implements text.h: code points, escapes and UTF-8.
#include "text.h"

int32_t weft_text_unit(const uint8_t *at, const uint8_t *end) {
    int32_t unit = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u') {
        return -1;
    }
    for (int i = 2; i < 6; i++) {
        int32_t digit = at[i] <= '9' ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10;
        if (digit < (at[i] <= '9' ? 0 : 10) || digit > 15) {
            return -1;
        }
        unit = unit << 4 | digit;
    }
    return unit;
}

static uint32_t next_escape(weft_text *text) {
    uint8_t letter = text->at[1];
    int32_t unit = weft_text_unit(text->at, text->end);
    text->at += 2;
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        break;
    default:
        return letter;
    }
    text->at += 4;
    int32_t second = unit >> 10 == 0xd800 >> 10 ? weft_text_unit(text->at, text->end) : -1;
    if (second >> 10 == 0xdc00 >> 10) {
        text->at += 6;
        return 0x10000 + ((uint32_t)unit & 0x3ff) * 0x400 + ((uint32_t)second & 0x3ff);
    }
    return (uint32_t)unit;
}

uint32_t weft_text_next(weft_text *text) {
    const uint8_t *at = text->at;
    uint32_t lead = *at;
    if (lead < 0x80) {
        if (lead == '\\' && text->escaped) {
            return next_escape(text);
        }
        text->at = at + 1;
        return lead;
    }
    if (lead < 0xe0) {
        text->at = at + 2;
        return (lead & 0x1f) << 6 | (at[1] & 0x3fu);
    }
    if (lead < 0xf0) {
        text->at = at + 3;
        return (lead & 0x0f) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    }
    text->at = at + 4;
    return (lead & 0x07) << 18 | (at[1] & 0x3fu) << 12 | (at[2] & 0x3fu) << 6 | (at[3] & 0x3fu);
}

uint32_t weft_text_encode(uint32_t point, uint8_t bytes[4]) {
    if (point < 0x80) {
        bytes[0] = (uint8_t)point;
        return 1;
    }
    if (point < 0x800) {
        bytes[0] = (uint8_t)(0xc0 | point >> 6);
        bytes[1] = (uint8_t)(0x80 | (point & 0x3f));
        return 2;
    }
    if (point < 0x10000) {
        bytes[0] = (uint8_t)(0xe0 | point >> 12);
        bytes[1] = (uint8_t)(0x80 | (point >> 6 & 0x3f));
        bytes[2] = (uint8_t)(0x80 | (point & 0x3f));
        return 3;
    }
    bytes[0] = (uint8_t)(0xf0 | point >> 18);
    bytes[1] = (uint8_t)(0x80 | (point >> 12 & 0x3f));
    bytes[2] = (uint8_t)(0x80 | (point >> 6 & 0x3f));
    bytes[3] = (uint8_t)(0x80 | (point & 0x3f));
    return 4;
}
