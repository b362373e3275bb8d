// SPDX-License-Identifier: MIT
// Every event, cut short after any number of words, before a run began and while it works: the
// result is an error or no effect, no memory after it is read, none leaks, and the engine still
// works. Serves: docs/reliability.md 1 (5), T16.
#include "figure.h"

#include "../spec/script.h"
#include "base/hash.h"
#include "log/frame.h"

#define MOST_WORDS 24

static void say(page *p, const char *script) {
    char text[512];
    strcpy(text, script);
    for (char *line = text, *end; line != NULL; line = end == NULL ? NULL : end + 1) {
        end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        page_line(p, line);
    }
}

static void reset(page *p) {
    weft_engine_thread_reset(p->engine, p->thread);
    p->stored = p->ends[0] = 0;
    p->out_size = 0;
    p->failed = 0;
    p->next_slot = 2;
}

// The second word is the attempt wherever a task is spoken of.
static int32_t feed(page *p, uint32_t op, uint32_t flags, uint32_t words, uint32_t fill) {
    uint32_t mark = page_open(p, op, flags);
    for (uint32_t i = 0; i < words; i++) {
        page_put(p, i == 1 ? 1 : fill);
    }
    page_close(p, mark);
    uint32_t length = p->words;
    p->words = 0;
    p->batch[0] = length - 4;
    p->batch[1] = 1000;
    p->batch[2] = 0x3c6580;
    p->batch[3] = 0;
    // Of its own size, so that the sanitizer sees what is read behind it.
    uint32_t *batch = malloc(length * sizeof(*batch));
    memcpy(batch, p->batch, length * sizeof(*batch));
    const uint8_t *block = weft_engine_run_feed(p->engine, p->run, batch, length);
    free(batch);
    REQUIRE(block != NULL);
    int32_t status = ((const int32_t *)(const void *)block)[3];
    CHECK(status == WEFT_OK ||
          (status < 0 && status != WEFT_ERR_NO_MEMORY && status != WEFT_ERR_INTERNAL));
    return status;
}

// The words that the shortest event about a call has: place, attempt, an empty call; with what is
// shown; with a verdict, the request that is named and empty arguments.
static uint32_t words_of_call(uint32_t flags) {
    return flags == WEFT_INTENT_ASKS ? 11 : flags == WEFT_INTENT_DECIDED ? 17 : 3;
}

static void close_page(page *p) {
    while (p->run > 0) {
        page_leave(p);
    }
    weft_engine_free(p->engine);
    for (uint32_t i = 0; i < PAGE_SLOTS; i++) {
        free(p->slots[i]);
    }
    free(p->store);
    free(p->out);
}

TEST(events_cut_short_are_refused) {
    static page host;
    static const uint32_t flags[] = {0, 1, 2, 4, 8};
    static const uint32_t fills[] = {0, 1, 3, 0xffffffffu};
    size_t fed = 0;
    host.engine = weft_engine_new(test_memory());
    REQUIRE(host.engine != NULL);
    host.tick = 17000000000000000u;
    say(&host, "graph "
               "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"},{\"name\":\"m\",\"kind\":"
               "\"messages\"}],\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
               "\"edges\":[[\"__start__\",\"a\"],[\"a\",\"b\"]],\"output\":[\"n\"]}");
    say(&host, "thread t");
    for (uint32_t op = 0; op <= WEFT_EVENT_FOUND + 1; op++) {
        for (uint32_t n = 0; n < MOST_WORDS * 5 * 4; n++) {
            for (int works = 0; works < 2; works++) {
                reset(&host);
                say(&host, works ? "start invoke\ninput write 2 1\ngo\nresult 0 1\ngo"
                                 : "start invoke\ninput write 2 1");
                int32_t status = feed(&host, op, flags[n % 5], n / 20, fills[n / 5 % 4]);
                CHECK(op != WEFT_EVENT_INTENT || !works || n / 20 >= words_of_call(flags[n % 5]) ||
                      status == WEFT_ERR_BAD_EVENT);
                page_leave(&host);
                fed++;
            }
        }
    }
    reset(&host);
    say(&host, "start invoke\ninput write 2 1\ngo\nresult 0 1\ngo");
    CHECK(strstr(host.out, "TASK 0 attempt 1 node 1") != NULL);
    close_page(&host);
    CHECK(fed > 40000);
}

// A call of a log that was written before checkpoints stood in its records.
TEST(a_call_of_no_known_checkpoint_is_told_of) {
    static page host;
    host.engine = weft_engine_new(test_memory());
    REQUIRE(host.engine != NULL);
    host.tick = 17000000000000000u;
    reset(&host);
    say(&host, "graph "
               "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],\"nodes\":[{\"name\":\"a\"}],"
               "\"edges\":[[\"__start__\",\"a\"]],\"output\":[\"n\"]}");
    say(&host, "thread t");
    say(&host, "start invoke\ninput write 1 1\ngo\nresult 0 1\ngo\nstart state\ngo\nstart invoke "
               "null\ngo");
    uint32_t from = host.stored;
    say(&host, "intend 0 1 pay\ngo");
    REQUIRE(host.id_count == 1 && host.stored > from + WEFT_LOG_HEADER_BYTES);
    uint8_t *header = host.store + from, *body = header + WEFT_LOG_HEADER_BYTES,
            *end = host.store + host.stored - 4;
    uint8_t *at = body;
    while (at + 16 < end && memcmp(at, host.ids[0], 16) != 0) {
        at++;
    }
    REQUIRE(at + 16 < end);
    memset(at, 0, 16);
    uint32_t crc = weft_hash_crc32c(weft_hash_crc32c(0, header, 40), body, (size_t)(end - body));
    for (int i = 0; i < 4; i++) {
        end[i] = (uint8_t)(crc >> (8 * i));
    }
    say(&host, "reopen\nstart invoke null\ngo");
    CHECK(strstr(host.out, "UNKNOWN calls of 0: pay") != NULL);
    close_page(&host);
}
