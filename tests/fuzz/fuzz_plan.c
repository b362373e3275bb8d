// SPDX-License-Identifier: MIT
// T11, T12: hostile tool calls. Any words are a batch that is planned or refused; a readable plan
// is the same the second time, its lengths lie inside it, and what runs is JSON that the guard
// takes.
#include "fuzz.h"
#include "prebuilt/plan.h"

static const char TOOLS[] = "[{\"name\":\"a\",\"schema\":{\"type\":\"object\",\"properties\":{"
                            "\"x\":{\"type\":\"number\",\"default\":1},"
                            "\"s\":{\"pattern\":\"^(?=x)\"},\"l\":{\"items\":{\"$ref\":\"#\"}}}}},{"
                            "\"name\":\"b\",\"schema\":null,\"digest\":true}]";

static uint32_t word_at(const weft_buffer *from, uint32_t *at) {
    uint32_t word;
    demand(*at + 4 <= from->length);
    memcpy(&word, from->bytes + *at, 4);
    *at += 4;
    return word;
}

static const uint8_t *text_at(const weft_buffer *from, uint32_t *at, uint32_t *length) {
    *length = word_at(from, at);
    const uint8_t *text = from->bytes + *at;
    demand(*length <= from->length - *at);
    *at += (*length + 3) / 4 * 4;
    return text;
}

static void check_call(weft_memory *memory, const weft_buffer *plan, uint32_t *at, int digests) {
    weft_json_limits limits = weft_json_import_limits(5);
    uint32_t length;
    int status = (int)word_at(plan, at);
    uint32_t tool = word_at(plan, at);
    text_at(plan, at, &length);
    const uint8_t *text = text_at(plan, at, &length);
    if (status == WEFT_OK) {
        weft_json_tape tape;
        demand(tool < 2);
        weft_json_init(&tape, memory);
        demand(weft_json_read(&tape, text, length, &limits, NULL) == WEFT_OK);
        weft_json_fini(&tape);
    }
    text_at(plan, at, &length);
    demand(length == (status == WEFT_OK && (tool == 1 || digests) ? 32 : 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    weft_memory memory = fuzz_memory();
    weft_toolset *set;
    weft_graph_error error;
    weft_buffer first;
    demand(weft_toolset_new(&memory, TOOLS, sizeof(TOOLS) - 1, &set, &error) == WEFT_OK);
    uint32_t words = (uint32_t)(size / 4);
    uint32_t *batch = malloc(words * sizeof(*batch) + 1);
    demand(batch != NULL);
    memcpy(batch, data, words * sizeof(*batch));
    weft_status status = weft_toolset_plan(set, batch, words);
    demand(status == WEFT_OK || status == WEFT_ERR_BAD_EVENT || status == WEFT_ERR_NO_MEMORY);
    if (status == WEFT_OK) {
        uint32_t at = 0;
        demand(word_at(&set->answer, &at) == WEFT_OK);
        for (uint32_t calls = word_at(&set->answer, &at); calls > 0; calls--) {
            check_call(&memory, &set->answer, &at, (batch[1] & WEFT_PLAN_DIGEST) != 0);
        }
        demand(at == set->answer.length);
        weft_buffer_init(&first, &memory);
        weft_buffer_append(&first, set->answer.bytes, set->answer.length);
        demand(weft_toolset_plan(set, batch, words) == WEFT_OK);
        demand(first.length == set->answer.length &&
               memcmp(first.bytes, set->answer.bytes, first.length) == 0);
        weft_buffer_fini(&first);
    }
    free(batch);
    weft_toolset_free(set);
    demand(memory.live == 0);
    return 0;
}
