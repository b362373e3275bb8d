// SPDX-License-Identifier: MIT
// T4, T11: any bytes as a thread's log, in one piece or in several, with and without a witness:
// recovered, indexed, read, written anew, opened by the engine. The first byte says how many
// pieces, then come the places to cut at.
#include "log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes from = {data, size};
    weft_memory memory = fuzz_memory();
    weft_log_span spans[LOG_SPANS];
    uint32_t head = fuzz_byte(&from);
    uint32_t count = head % LOG_SPANS, done = 0;
    uint32_t cuts[LOG_SPANS];
    weft_log_anchor witness = {head >> 4, 0};
    for (uint32_t i = 0; i < count; i++) {
        cuts[i] = fuzz_short(&from);
    }
    uint32_t length;
    const uint8_t *bytes = fuzz_some(&from, 1u << 16, &length);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece = i + 1 == count || cuts[i] > length - done ? length - done : cuts[i];
        spans[i] = (weft_log_span){bytes + done, piece};
        done += piece;
    }
    if (log_examine(&memory, spans, count, NULL) > 0 || length < 64) {
        log_open(&memory, bytes, length);
    }
    log_examine(&memory, spans, count, &witness);
    demand(memory.live == 0);
    return 0;
}
