// SPDX-License-Identifier: MIT
// Implements pack.h: a window of recent bodies and a hash table of their bytes.
#include "pack.h"

#include "base/bytes.h"

#include <string.h>

#define ROOM 4096u
#define BODIES 32u
#define SLOTS 1024u
#define SAMPLE 8u // bytes loaded for a slot; only the first LEAST are hashed
#define LEAST 6u  // min bytes of a run: its numbers take up to five

struct weft_log_packer {
    uint32_t count;
    uint64_t seqs[BODIES];
    uint32_t starts[BODIES + 1]; // in `bytes`; the last one is the end
    uint16_t slots[SLOTS];       // 1 + last position of such bytes, or 0
    uint8_t bytes[ROOM];
};

static uint16_t *slot_of(weft_log_packer *packer, const uint8_t *sample) {
    return &packer->slots[(weft_load_u64(sample) << 8 * (SAMPLE - LEAST)) * 0x9e3779b97f4a7c15u >>
                          54];
}

static void note(weft_log_packer *packer, uint32_t body) {
    for (uint32_t at = packer->starts[body]; at + SAMPLE <= packer->starts[body + 1]; at++) {
        *slot_of(packer, packer->bytes + at) = (uint16_t)(at + 1);
    }
}

// Makes room by dropping the older half, as often as needed.
static void reserve(weft_log_packer *packer, uint32_t need) {
    while (packer->count == BODIES || packer->starts[packer->count] + need > ROOM) {
        uint32_t gone = (packer->count + 1) / 2, from = packer->starts[gone];
        packer->count -= gone;
        memmove(packer->bytes, packer->bytes + from, packer->starts[packer->count + gone] - from);
        memset(packer->slots, 0, sizeof(packer->slots));
        for (uint32_t i = 0; i <= packer->count; i++) {
            packer->seqs[i] = i < packer->count ? packer->seqs[i + gone] : 0;
            packer->starts[i] = packer->starts[i + gone] - from;
        }
        for (uint32_t i = 0; i < packer->count; i++) {
            note(packer, i);
        }
    }
}

static void keep(weft_log_packer *packer, const uint8_t *body, uint32_t length, uint64_t seq) {
    uint32_t kept = length < WEFT_LOG_PACKED_NEAR ? length : WEFT_LOG_PACKED_NEAR;
    reserve(packer, kept);
    uint32_t start = packer->starts[packer->count];
    memcpy(packer->bytes + start, body, kept);
    packer->seqs[packer->count] = seq;
    packer->starts[packer->count + 1] = start + kept;
    note(packer, packer->count++);
}

// Counts how many of the `left` bytes of `text` a body has, and finds that body and place.
static uint32_t find(weft_log_packer *packer, const uint8_t *text, uint32_t left, uint32_t *body,
                     uint32_t *place) {
    uint32_t count = 0, at = left < SAMPLE ? 0 : *slot_of(packer, text);
    if (at == 0) {
        return 0;
    }
    *body = packer->count - 1;
    while (packer->starts[*body] >= at) {
        (*body)--;
    }
    *place = --at - packer->starts[*body];
    while (count < left && at + count < packer->starts[*body + 1] &&
           packer->bytes[at + count] == text[count]) {
        count++;
    }
    return count;
}

static void put_own(weft_buffer *buffer, uint32_t from, uint32_t count) {
    weft_buffer_varint(buffer, count);
    uint8_t *to = weft_buffer_extend(buffer, count);
    if (to != NULL) {
        memcpy(to, buffer->bytes + from, count);
    }
}

// Appends the packed body after the body.
static void put_packed(weft_log_packer *packer, weft_buffer *buffer, uint32_t start,
                       uint32_t length, uint64_t seq) {
    uint32_t own = 0, body, place;
    weft_buffer_varint(buffer, length);
    for (uint32_t at = 0, count; at < length && buffer->status == WEFT_OK; at += count) {
        count = find(packer, buffer->bytes + start + at, length - at, &body, &place);
        if (count < LEAST || seq - packer->seqs[body] > WEFT_LOG_PACKED_NEAR) {
            count = 1;
            own++;
            continue;
        }
        put_own(buffer, start + at - own, own);
        own = 0;
        weft_buffer_varint(buffer, seq - packer->seqs[body]);
        weft_buffer_varint(buffer, place);
        weft_buffer_varint(buffer, count);
    }
    if (own > 0) {
        put_own(buffer, start + length - own, own);
    }
}

// Makes the packer if there is none; returns 0 without memory.
static int has_packer(weft_log_packer **packer, weft_memory *memory) {
    *packer = *packer != NULL ? *packer : weft_memory_zeroed(memory, 1, sizeof(**packer));
    return *packer != NULL;
}

void weft_log_pack(weft_log_packer **packer, weft_memory *memory, weft_buffer *buffer,
                   uint32_t mark, uint64_t seq) {
    uint32_t start = mark + WEFT_LOG_HEADER_BYTES, length = buffer->length - start;
    if (!has_packer(packer, memory)) {
        buffer->status = WEFT_ERR_NO_MEMORY;
    }
    if (buffer->status != WEFT_OK || length > WEFT_LOG_PACKED_MOST) {
        return;
    }
    put_packed(*packer, buffer, start, length, seq);
    if (buffer->status != WEFT_OK) {
        return;
    }
    uint8_t *body = buffer->bytes + start;
    uint32_t size = buffer->length - start - length;
    keep(*packer, body, length, seq);
    if (size < length) {
        memmove(body, body + length, size);
        buffer->bytes[mark + 4] = WEFT_LOG_FORMAT_PACKED;
    }
    buffer->length = start + (size < length ? size : length);
}

weft_status weft_log_packer_begin(weft_log_packer **packer, weft_memory *memory,
                                  const weft_log_index *index) {
    weft_memory_release(memory, *packer, sizeof(**packer));
    *packer = NULL;
    if (index == NULL || index->bodies.chunks == NULL) {
        return WEFT_OK;
    }
    if (!has_packer(packer, memory)) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = index->record_count < BODIES ? 0 : index->record_count - BODIES;
         i < index->record_count; i++) {
        const weft_log_record *record = &index->records[i];
        if (record->kind <= WEFT_LOG_WRITES) {
            keep(*packer, record->body, record->length, weft_log_index_seq(index, i));
        }
    }
    return WEFT_OK;
}
