// SPDX-License-Identifier: MIT
// Implements cross_refs.h: finds inserted text in other values of the log, so that the patch refers
// to it instead of storing it again.
#include "cross_refs.h"

#include <string.h>

// Inserts a splice before number `at`; it takes over that splice's `keep` and `drop`.
static void cut(weft_log_splice *splices, uint32_t count, uint32_t at) {
    memmove(&splices[at + 1], &splices[at], (count - at) * sizeof(*splices));
    splices[at + 1].keep = splices[at + 1].drop = 0;
}

// Cuts each splice into up to three: the part that the source has, and the parts before and after
// it. Returns the number of splices.
static uint32_t take(const weft_log_value *source, weft_log_splice *splices, uint32_t count) {
    weft_log_text old = {source->bytes, source->length};
    for (uint32_t i = 0; i < count; i++) {
        weft_log_text text = splices[i].insert;
        uint32_t place, from, to;
        if (splices[i].from.seq != 0 || count + 2 > WEFT_LOG_SPLICES ||
            !weft_log_alike(old, text, &place, &from, &to)) {
            continue;
        }
        to = to - from > WEFT_LOG_CROSS_REF_MOST ? from + WEFT_LOG_CROSS_REF_MOST : to;
        if (to < text.length) {
            cut(splices, count++, i);
            splices[i++].insert = (weft_log_text){text.bytes + to, text.length - to};
        }
        if (from > 0) {
            cut(splices, count++, i);
            splices[i + 1].insert.length = from;
        }
        splices[i].insert = (weft_log_text){text.bytes + from, to - from};
        splices[i].from = (weft_log_op){.seq = source->seq, .index = source->index, .count = place};
    }
    return count;
}

uint32_t weft_log_cross_refs(const weft_log_value *sources, uint64_t seq,
                             weft_log_splice splices[WEFT_LOG_SPLICES], uint32_t count) {
    for (const weft_log_value *source = sources; source != NULL && source->length > 0; source++) {
        count = source->seq < seq ? take(source, splices, count) : count;
    }
    return count;
}
