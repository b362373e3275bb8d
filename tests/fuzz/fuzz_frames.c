// SPDX-License-Identifier: MIT
// T4, T11: records that nobody wrote in frames whose sums are right: what a checksum cannot find,
// reading must. The bytes are {kind (and 128: packed), length, 2 bytes, body} again and again, each
// put into the next frame of the chain.
#include "log.h"

static uint32_t put_frames(weft_buffer *made, weft_log_chain *chain, fuzz_bytes *from) {
    uint32_t frames = 0;
    for (; from->left > 0 && frames < 200; frames++) {
        uint32_t head = fuzz_byte(from);
        weft_log_kind kind = (weft_log_kind)((head & 127u) % 7 + 1);
        uint32_t length = fuzz_short(from);
        const uint8_t *body = fuzz_some(from, length, &length);
        uint32_t mark = weft_log_frame_begin(made);
        weft_buffer_append(made, body, length);
        made->bytes[mark + 4] = (head & 128u) != 0 ? WEFT_LOG_FORMAT_PACKED : WEFT_LOG_FORMAT;
        demand(weft_log_frame_end(made, mark, kind, chain) == WEFT_OK);
    }
    return frames;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes from = {data, size};
    weft_memory memory = fuzz_memory();
    weft_buffer made;
    weft_log_chain chain;
    weft_log_recovery found;
    weft_buffer_init(&made, &memory);
    weft_log_chain_init(&chain, log_thread(), (weft_log_anchor){0, 0});
    uint32_t frames = put_frames(&made, &chain, &from);
    weft_log_span span = {made.bytes, made.length};
    weft_log_recover(&span, 1, log_thread(), &chain.last, &found);
    demand(found.verdict == WEFT_LOG_OK && found.frames == frames);
    log_examine(&memory, &span, 1, &chain.last);
    log_open(&memory, made.bytes, made.length);
    weft_buffer_fini(&made);
    demand(memory.live == 0);
    return 0;
}
