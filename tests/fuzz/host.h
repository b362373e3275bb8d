// SPDX-License-Identifier: MIT
// The pages' host (tests/spec/page.h) for fuzz targets: more slots than a page needs, a graph with
// most kinds of channels.
#ifndef WEFT_FUZZ_HOST_H
#define WEFT_FUZZ_HOST_H

#include "fuzz.h"

#define PAGE_SLOTS 8192
#define PAGE_WORDS (1u << 17)
#include "../spec/script.h"

static const char HOST_GRAPH[] =
    "graph "
    "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"},{\"name\":\"m\",\"kind\":\"messages\"},{"
    "\"name\":\"s\",\"kind\":"
    "\"binop\",\"default\":true},{\"name\":\"o\",\"kind\":\"topic\",\"accumulate\":true}],"
    "\"nodes\":[{\"name\":\"a\"},{\"name\":"
    "\"b\"},{\"name\":\"c\"}],\"edges\":[[\"__start__\",\"a\"],[\"c\",\"__end__\"]],\"joins\":[[["
    "\"a\",\"b\"],\"c\"]],"
    "\"branches\":[{\"from\":\"a\",\"ends\":null}],\"output\":[\"n\"]}";

static page *page_of(weft_memory *memory) {
    static page host; // its slots and its batch are as the last one left them: empty
    host.engine = weft_engine_new(memory);
    demand(host.engine != NULL);
    host.next_slot = 2;
    host.tick = 17000000000000000u;
    return &host;
}

// Script lines, parted by line feeds.
static void page_say(page *host, const char *script) {
    char text[1024];
    demand(strlen(script) < sizeof(text));
    strcpy(text, script);
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        page_line(host, line);
        line = end == NULL ? NULL : end + 1;
    }
}

static void page_end(page *host) {
    while (host->run > 0) {
        page_leave(host);
    }
    weft_engine_free(host->engine);
    // The host's slots are even and given out in order; the engine's are odd and reused.
    for (uint32_t i = 0, free_run = 0; i < PAGE_SLOTS && (free_run < 256 || i < host->next_slot);
         i++) {
        free_run = host->slots[i] == NULL ? free_run + 1 : 0;
        free(host->slots[i]);
        host->slots[i] = NULL;
    }
    free(host->store);
    free(host->out);
    host->engine = NULL;
    host->store = NULL;
    host->out = NULL;
    host->out_size = host->out_capacity = 0;
    host->stored = host->words = 0;
    host->graph = host->thread = host->run = host->depth = host->over = host->failed =
        host->broken = host->inner = 0;
}

#endif
