// SPDX-License-Identifier: MIT
#include "text.h"

static uint32_t read_unit(const uint8_t *hex) {
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        unit = unit << 4 | (hex[i] <= '9' ? hex[i] - (uint32_t)'0' : (hex[i] | 0x20) - (uint32_t)'a' + 10);
    }
    return unit;
}

static uint32_t next_escape(weft_text *text) {
    uint8_t letter = text->at[1];
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
    uint32_t unit = read_unit(text->at);
    text->at += 4;
    if (unit >> 10 == 0xd800 >> 10 && text->end - text->at >= 6 && text->at[0] == '\\' && text->at[1] == 'u') {
        uint32_t second = read_unit(text->at + 2);
        if (second >> 10 == 0xdc00 >> 10) {
            text->at += 6;
            return 0x10000 + ((unit & 0x3ff) << 10 | (second & 0x3ff));
        }
    }
    return unit;
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
