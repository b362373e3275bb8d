// SPDX-License-Identifier: MIT
// Implements diff.h: greedy search by sampled blocks.
#include "diff.h"

#include <string.h>

#define BLOCK 16u // bytes of a sample
#define ALIKE 64u // min equal bytes for a match: JSON repeats itself in short stretches
#define SLOTS 1024u
#define NEAR                                                                                       \
    4096u // bytes after an edit that are searched first, since equal text may also occur far away
#define SPLICE_COST 12u // upper estimate of the numbers of a splice, in bytes
#define PATCH_COST 24u

// A part of the old text and the part of the new text that replaces it.
typedef struct edit {
    uint32_t old, old_end, text, text_end;
} edit;

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Counts equal bytes from `a` and `b` on, or (`mask` all ones) before them.
static uint32_t same(const uint8_t *a, const uint8_t *b, uint32_t most, int32_t mask) {
    uint32_t count = 0;
    for (; most - count >= 8; count += 8) {
        int64_t at = (int64_t)((int32_t)count ^ mask) - (mask & 7);
        if (memcmp(a + at, b + at, 8) != 0) {
            break;
        }
    }
    while (count < most && a[(int32_t)count ^ mask] == b[(int32_t)count ^ mask]) {
        count++;
    }
    return count;
}

static uint32_t slot_of(const uint8_t *block) {
    uint64_t half[2];
    memcpy(half, block, BLOCK);
    return (uint32_t)((half[0] + half[1] * 31) * 0x9e3779b97f4a7c15u >> 54);
}

// Finds the first place in the rest of the new text that the rest of the old text also has; writes
// the gap before it to `gap`. Samples the old text, and steps wider the longer the search fails; an
// odd sample distance keeps steps of two from missing every sample.
static int find_again(const uint8_t *old, const uint8_t *text, const edit *rest, edit *gap) {
    uint16_t slots[SLOTS] = {0};
    uint32_t step = ((rest->old_end - rest->old) / (SLOTS / 2) + BLOCK) | 1u;
    uint32_t number = 0;
    for (uint32_t at = rest->old; rest->old_end - at >= BLOCK;
         at += lesser(step, rest->old_end - at)) {
        uint16_t *slot = &slots[slot_of(old + at)];
        number++;
        *slot = *slot == 0 ? (uint16_t)number : *slot;
    }
    uint32_t stride = SLOTS;
    for (uint32_t at = rest->text; rest->text_end - at >= BLOCK;
         at += lesser(stride++ / SLOTS, rest->text_end - at)) {
        uint32_t found = slots[slot_of(text + at)];
        uint32_t place = rest->old + (found - 1) * step;
        if (found == 0 || memcmp(old + place, text + at, BLOCK) != 0) {
            continue;
        }
        uint32_t back =
            same(old + place, text + at, lesser(place - rest->old, at - rest->text), -1);
        uint32_t most = lesser(rest->old_end - place, rest->text_end - at);
        if (back + same(old + place, text + at, lesser(most, ALIKE), 0) >= ALIKE) {
            *gap = (edit){rest->old, place - back, rest->text, at - back};
            return 1;
        }
    }
    return 0;
}

static uint32_t find_edits(weft_log_text old, weft_log_text text, uint32_t from,
                           edit edits[WEFT_LOG_SPLICES]) {
    uint32_t most = lesser(old.length, text.length);
    uint32_t first = same(old.bytes, text.bytes, most, 0);
    uint32_t last = same(old.bytes + old.length, text.bytes + text.length, most - first, -1);
    edit rest = {first, old.length - last, first, text.length - last};
    uint32_t count = 0;
    while (count < WEFT_LOG_SPLICES - 1 && rest.text_end - rest.text > ALIKE) {
        edit near = rest;
        near.old = from < rest.old || from > rest.old_end ? rest.old : from;
        near.old_end = lesser(rest.old_end - near.old, NEAR) + near.old;
        near.text_end = lesser(rest.text_end - rest.text, NEAR) + rest.text;
        if (!find_again(old.bytes, text.bytes, &near, &edits[count]) &&
            !find_again(old.bytes, text.bytes, &rest, &edits[count])) {
            break;
        }
        edit *gap = &edits[count++];
        gap->old = rest.old;
        most = lesser(rest.old_end - gap->old_end, rest.text_end - gap->text_end);
        uint32_t kept = same(old.bytes + gap->old_end, text.bytes + gap->text_end, most, 0);
        rest.old = gap->old_end + kept;
        rest.text = gap->text_end + kept;
    }
    edits[count++] = rest;
    return count;
}

uint32_t weft_log_diff(weft_log_text old, weft_log_text text, uint32_t *place,
                       weft_log_splice splices[WEFT_LOG_SPLICES]) {
    edit edits[WEFT_LOG_SPLICES];
    uint32_t count = find_edits(old, text, *place, edits);
    *place = edits[count - 1].old;
    uint64_t size = PATCH_COST;
    uint32_t behind = old.length;
    for (uint32_t i = 0; i < count; i++) {
        const edit *from = &edits[count - 1 - i];
        uint32_t length = from->text_end - from->text;
        splices[i].keep = behind - from->old_end;
        splices[i].drop = from->old_end - from->old;
        splices[i].insert = (weft_log_text){text.bytes + from->text, length};
        splices[i].from.seq = 0;
        behind = from->old;
        size += length + SPLICE_COST;
    }
    return size < text.length ? count : 0;
}

int weft_log_alike(weft_log_text old, weft_log_text text, uint32_t *place, uint32_t *from,
                   uint32_t *to) {
    edit gap, rest = {0, old.length, 0, text.length};
    if (text.length < ALIKE || !find_again(old.bytes, text.bytes, &rest, &gap)) {
        return 0;
    }
    uint32_t most = lesser(old.length - gap.old_end, text.length - gap.text_end);
    *place = gap.old_end;
    *from = gap.text_end;
    *to = gap.text_end + same(old.bytes + gap.old_end, text.bytes + gap.text_end, most, 0);
    return 1;
}
