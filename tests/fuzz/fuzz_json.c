// SPDX-License-Identifier: MIT
// T11: hostile text at the guard. What is accepted is written in canonical form; that form is read again, equals the
// first value and is written as the same bytes. A document is made of it too, or refused for its strings.
#include <stdlib.h>
#include <string.h>

#include "value/document.h"

static void *take(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(block, new_size);
}

static void give(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

static void demand(int holds) {
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    weft_memory memory = {.alloc = take, .resize = resize, .release = give, .budget = 64u << 20};
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
    if (status == WEFT_OK) {
        weft_document *document;
        weft_json_write(&tape, 0, &first);
        demand(first.status == WEFT_OK);
        demand(weft_json_read(&again, first.bytes, first.length, &limits, &error) == WEFT_OK);
        weft_json_write(&again, 0, &second);
        demand(first.length == second.length && memcmp(first.bytes, second.bytes, first.length) == 0);
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
