// SPDX-License-Identifier: MIT
// A host that follows a script: the commands of an engine as text. Pages (tests/spec/*.md) are run
// with it natively and in WebAssembly; the C tests run the same scripts while allocations fail.
// Answers LOAD, ENCODE, HEADERS, SAVE and REDUCE by itself: its store is a byte buffer, its reducer
// adds integers, a message's id is its text.
#ifndef WEFT_TEST_PAGE_H
#define WEFT_TEST_PAGE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ops.h"
#include "base/status.h"
#include "weft.h"

#ifndef PAGE_SLOTS
#define PAGE_SLOTS 512
#define PAGE_WORDS 8192
#endif

// A store by itself, of one thread.
typedef struct page_log {
    int thread;
    uint8_t *store;
    uint32_t stored;
    uint32_t ends[64]; // of the store after the commit that ended with this sequence number
} page_log;

typedef struct page {
    weft_engine *engine;
    int graph, thread, run;
    int inner;    // the graph of runs inside, 0: the same one
    int above[4]; // the runs around this one
    int depth;
    uint32_t batch[PAGE_WORDS];
    uint32_t words;
    char *slots[PAGE_SLOTS];
    uint32_t next_slot;
    uint8_t *store;
    uint32_t stored;
    uint32_t ends[64]; // of the store after the commit that ended with this sequence number
    uint64_t tick;
    uint32_t ids[64][4];     // of checkpoints, in the order in which they were first told
    uint32_t asked[32][4];   // of questions, the same way
    uint32_t requests[8][4]; // of approvals, from 1 on
    uint32_t id_count, asked_count, request_count;
    page_log other;  // what `other` changes places with
    char space[256]; // the namespace that was told last
    int tools, schema;
    char *out;
    size_t out_size, out_capacity;
    int over;
    int failed; // the engine said MEMORY_LIMIT
    int broken; // it said INTERNAL
} page;

static void page_print(page *p, const char *format, ...) {
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    size_t need = p->out_size + (size_t)length + 1;
    if (need > p->out_capacity) {
        p->out_capacity = need * 2;
        p->out = realloc(p->out, p->out_capacity);
    }
    memcpy(p->out + p->out_size, line, (size_t)length + 1);
    p->out_size += (size_t)length;
}

// The name of a status of the engine's, to be printed.
static const char *page_status(page *p, int32_t status) {
    p->broken |= status == WEFT_ERR_INTERNAL;
    return weft_status_code((weft_status)status);
}

// ---- values

static const char *page_value(page *p, uint32_t word) {
    static char texts[8][1024];
    static int turn;
    char *text = texts[turn++ & 7];
    if ((word & 7u) == 1) {
        snprintf(text, sizeof(texts[0]), "%d", (int32_t)word >> 3);
    } else if ((word & 7u) == 2) {
        const char *slot = word >> 3 < PAGE_SLOTS ? p->slots[word >> 3] : NULL;
        snprintf(text, sizeof(texts[0]), "%s", slot == NULL ? "(no slot)" : slot);
    } else {
        static const char *specials[] = {"absent", "undefined", "null", "false", "true"};
        snprintf(text, sizeof(texts[0]), "%s", word / 8 < 5 ? specials[word / 8] : "?");
    }
    return text;
}

static void page_fill(page *p, uint32_t word, const uint8_t *bytes, uint32_t length) {
    uint32_t slot = word >> 3;
    if (slot >= PAGE_SLOTS) {
        abort();
    }
    free(p->slots[slot]);
    p->slots[slot] = malloc(length + 1u);
    memcpy(p->slots[slot], bytes, length);
    p->slots[slot][length] = '\0';
}

static uint32_t page_word(page *p, const char *text) {
    static const char *specials[] = {"absent", "undefined", "null", "false", "true"};
    for (uint32_t i = 0; i < 5; i++) {
        if (strcmp(text, specials[i]) == 0) {
            return i * 8;
        }
    }
    if (text[0] == '-' || (text[0] >= '0' && text[0] <= '9')) {
        return ((uint32_t)atoi(text) << 3) | 1u;
    }
    uint32_t slot = p->next_slot;
    p->next_slot += 2;
    page_fill(p, slot << 3, (const uint8_t *)text, (uint32_t)strlen(text));
    return (slot << 3) | 2u;
}

// ---- batches

static void page_put(page *p, uint32_t word) {
    if (p->words >= PAGE_WORDS) {
        abort();
    }
    p->batch[p->words++] = word;
}

static uint32_t page_open(page *p, uint32_t op, uint32_t flags) {
    if (p->words == 0) {
        p->words = 4;
    }
    page_put(p, op | (flags << 16));
    page_put(p, 0);
    return p->words;
}

static void page_close(page *p, uint32_t mark) {
    p->batch[mark - 1] = p->words - mark;
}

static void page_text(page *p, const char *text, uint32_t length) {
    page_put(p, length);
    for (uint32_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        memcpy(&word, text + i, length - i < 4 ? length - i : 4);
        page_put(p, word);
    }
}

// ---- commands

static void page_run(page *p);

static uint64_t page_u64(const uint32_t *at) {
    return at[0] | ((uint64_t)at[1] << 32);
}

static void page_append(page *p, const uint8_t *bytes, uint32_t length) {
    p->store = realloc(p->store, p->stored + length + 1u);
    memcpy(p->store + p->stored, bytes, length);
    p->stored += length;
}

static const uint8_t *page_bytes(uint64_t address) {
    return (const uint8_t *)(uintptr_t)address;
}

static void page_save(page *p, uint32_t flags, const uint32_t *at) {
    page_print(p, "SAVE %u..%u%s%s\n", at[0], at[2], flags & WEFT_SAVE_FIRST ? " first" : "",
               flags & WEFT_SAVE_AWAIT ? " await" : "");
    p->stored = p->ends[at[5] & 63]; // what lies behind the expected head was never acknowledged
    page_append(p, page_bytes(page_u64(at + 8)), at[10]);
    p->ends[at[2] & 63] = p->stored;
    if (flags & WEFT_SAVE_AWAIT) {
        page_close(p, page_open(p, WEFT_EVENT_SAVED, 0));
    }
}

static void page_load(page *p) {
    page_print(p, "LOAD %s\n", p->stored == 0 ? "nothing" : "log");
    uint8_t *capacity = weft_engine_run_load(p->engine, p->run, p->stored);
    if (capacity == NULL) {
        p->failed = 1;
        p->over = 1;
        return;
    }
    if (p->stored > 0) {
        memcpy(capacity, p->store, p->stored);
    }
    uint32_t mark = page_open(p, WEFT_EVENT_LOADED, 0);
    uint64_t address = (uint64_t)(uintptr_t)capacity;
    uint32_t values[] = {
        (uint32_t)address, (uint32_t)(address >> 32), p->stored, 0, 0, 0, 0, p->stored > 0,
        p->stored};
    for (uint32_t i = 0; i < (p->stored > 0 ? 9u : 8u); i++) {
        page_put(p, values[i]);
    }
    page_close(p, mark);
}

static void page_encode(page *p, const uint32_t *at, uint32_t count) {
    page_print(p, "ENCODE");
    uint32_t mark = page_open(p, WEFT_EVENT_ENCODED, 0);
    page_put(p, at[0]);
    for (uint32_t i = 1; i < count; i++) {
        const char *text = page_value(p, at[i]);
        page_print(p, " %s", text);
        page_put(p, at[i]);
        page_text(p, text, (uint32_t)strlen(text));
    }
    page_close(p, mark);
    page_print(p, "\n");
}

static void page_headers(page *p, const uint32_t *at, uint32_t count) {
    page_print(p, "HEADERS");
    uint32_t mark = page_open(p, WEFT_EVENT_HEADERS, 0);
    page_put(p, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = page_value(p, at[i]);
        page_print(p, " %s", text);
        page_put(p, 0);
        page_text(p, text, (uint32_t)strlen(text));
    }
    page_close(p, mark);
    page_print(p, "\n");
}

// A channel of the host's own (flags) adds too; it counts the steps that pass it by ones, is
// emptied by the task that it triggers, and the end of the run makes it readable.
static void page_reduce(page *p, uint32_t flags, const uint32_t *at) {
    int32_t sum = (int32_t)at[1] >> 3;
    page_print(p, "REDUCE %u: %s", at[0], page_value(p, at[1]));
    for (uint32_t i = 0; i < at[2]; i++) {
        page_print(p, " + %s", page_value(p, at[3 + i]));
        sum += (int32_t)at[3 + i] >> 3;
    }
    int host = flags != 0;
    uint32_t told = host && (flags & WEFT_REDUCE_CONSUME) != 0 ? WEFT_REDUCED_CONSUMED : 0;
    told |= host && (at[2] > 0 || (flags & WEFT_REDUCE_FINISH) != 0) ? WEFT_REDUCED_UPDATED : 0;
    told |= (flags & WEFT_REDUCE_FINISH) != 0 || (host && sum > 5) ? WEFT_REDUCED_AVAILABLE : 0;
    if (host) {
        page_print(p, "%s%s%s", flags & WEFT_REDUCE_CONSUME ? " consume" : "",
                   flags & WEFT_REDUCE_STEP ? " step" : "",
                   flags & WEFT_REDUCE_FINISH ? " finish" : "");
    }
    page_print(p, "\n");
    uint32_t mark = page_open(p, WEFT_EVENT_REDUCED, told);
    page_put(p, at[0]);
    page_put(p, ((uint32_t)sum << 3) | 1u);
    page_close(p, mark);
}

static void page_list(page *p, const uint32_t *at) {
    page_print(p, "LIST %u", at[0]);
    for (uint32_t i = 0; i < at[1]; i++) {
        const uint32_t *step = at + 2 + i * 3;
        switch (step[0]) {
        case WEFT_LIST_APPEND:
            page_print(p, " +%s", page_value(p, step[1]));
            break;
        case WEFT_LIST_REPLACE:
            page_print(p, " %u=%s", step[1], page_value(p, step[2]));
            break;
        case WEFT_LIST_REMOVE:
            page_print(p, " -%u", step[1]);
            break;
        default:
            page_print(p, " clear");
        }
    }
    page_print(p, "\n");
}

static void page_id(page *p, const uint32_t *at) {
    const uint8_t *bytes = (const uint8_t *)at;
    for (uint32_t i = 0; i < 16; i++) {
        page_print(p, "%02x", bytes[i]);
    }
}

// The number of an id among those told so far.
static void page_note(uint32_t (*ids)[4], uint32_t *count, uint32_t most, const uint32_t *id) {
    for (uint32_t i = 0; i < *count; i++) {
        if (memcmp(ids[i], id, 16) == 0) {
            return;
        }
    }
    if (*count < most) {
        memcpy(ids[(*count)++], id, 16);
    }
}

static void page_intended(page *p, uint32_t flags, const uint32_t *at, uint32_t count) {
    page_print(p, "INTENDED");
    if (flags == WEFT_INTENT_DECIDED) {
        page_print(p, " %u", at[0]);
    } else if (flags == WEFT_INTENT_ASKS && count == 11) {
        page_print(p, " ");
        page_id(p, at);
        page_print(p, " asked under ");
        page_id(p, at + 4);
        if (at[8] != 0 || at[9] != 0) {
            page_print(p, " until %llu", (unsigned long long)at[9] << 32 | at[8]);
        }
        if (at[10] != 0) {
            page_print(p, " expired");
        }
        memcpy(p->requests[++p->request_count & 7], at, sizeof(p->requests[0]));
    } else if (flags != WEFT_INTENT_ASKS && flags != 0) {
        page_print(p, " flags %u", flags);
    }
    page_print(p, "\n");
}

static void page_fail(page *p, const uint32_t *at) {
    page_print(p, "FAIL %s", page_status(p, (int32_t)at[0]));
    uint32_t tasks = at[1];
    at += 2;
    for (uint32_t i = 0; i < tasks; i++) {
        page_print(p, " task %u", *at++);
    }
    for (uint32_t i = *at++; i > 0; i--) {
        uint32_t length = *at++;
        page_print(p, " \"%.*s\"", (int)length, (const char *)at);
        at += (length + 3) / 4;
    }
    for (uint32_t i = *at++; i > 0; i--) {
        page_print(p, " %s", page_value(p, *at++));
    }
    page_print(p, "\n");
    p->over = 1;
}

static void page_planned(page *p, const uint32_t *at, uint32_t count) {
    page_print(p, "PLANNED step %d", (int32_t)at[0]);
    for (uint32_t i = 1; i + 9 <= count; i += 9) {
        page_print(p, " | %u node %u kind %u by %u %s", at[i], at[i + 5], at[i + 6], at[i + 7],
                   page_value(p, at[i + 8]));
    }
    page_print(p, "\n");
}

static void page_interrupts(page *p, const uint32_t *at) {
    page_print(p, "INTERRUPTS");
    for (uint32_t i = 0; i < at[0]; i++) {
        page_print(p, " ");
        page_note(p->asked, &p->asked_count, 32, at + 1 + i * 5);
        page_id(p, at + 1 + i * 5);
        page_print(p, " %s", page_value(p, at[5 + i * 5]));
    }
    page_print(p, "\n");
}

static void page_texts(page *p, const uint32_t *at, uint32_t count) {
    for (uint32_t i = 0; i < count; i += 4) {
        page_fill(p, at[i] & ~7u, page_bytes(page_u64(at + i + 1)), at[i + 3]);
    }
}

static void page_release(page *p, const uint32_t *at, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        free(p->slots[at[i] >> 3]);
        p->slots[at[i] >> 3] = NULL;
    }
}

static void page_sleep(page *p, const uint32_t *at) {
    uint64_t bits = page_u64(at + 2);
    double ms;
    memcpy(&ms, &bits, sizeof(ms));
    page_print(p, "SLEEP %d attempt %u for %.2f\n", (int32_t)at[0], at[1], ms);
}

#include "page_calls.h"

static void page_command(page *p, uint32_t op, uint32_t flags, const uint32_t *at, uint32_t count) {
    switch (op) {
    case WEFT_COMMAND_TEXT:
        page_texts(p, at, count);
        break;
    case WEFT_COMMAND_SET:
        page_print(p, "SET %u %s\n", at[0], page_value(p, at[1]));
        break;
    case WEFT_COMMAND_LIST:
        page_list(p, at);
        break;
    case WEFT_COMMAND_TASK:
        page_print(p, "TASK %u attempt %u node %u kind %u trigger %u %s", at[0], at[1], at[2],
                   at[3], at[4], page_value(p, at[5]));
        if (flags & WEFT_TASK_AGAIN) {
            page_print(p, " again");
        }
        if (flags & WEFT_TASK_WITHIN) {
            page_print(p, " within %s", page_value(p, at[6]));
        } else if (at[3] == WEFT_TASK_HANDLER) {
            page_print(p, " for node %u kind %u ", at[6], at[7]);
            page_id(p, at + 10);
            page_print(p, " %s", page_value(p, at[9]));
        }
        page_print(p, "\n");
        break;
    case WEFT_COMMAND_SLEEP:
        page_sleep(p, at);
        break;
    case WEFT_COMMAND_EXPIRED:
        page_print(p, "EXPIRED %u attempt %u %s\n", at[0], at[1],
                   at[2] == WEFT_EXPIRED_RUN ? "run" : "idle");
        break;
    case WEFT_COMMAND_REDUCE:
        page_reduce(p, flags, at);
        break;
    case WEFT_COMMAND_ENCODE:
        page_encode(p, at, count);
        break;
    case WEFT_COMMAND_SAVE:
        page_save(p, flags, at);
        break;
    case WEFT_COMMAND_VALUES:
        page_print(p, "VALUES\n");
        break;
    case WEFT_COMMAND_UPDATES:
        page_print(p, "UPDATES %u%s%s\n", at[0], flags & WEFT_UPDATES_CACHED ? " cached" : "",
                   flags & WEFT_UPDATES_NONE    ? " none"
                   : flags & WEFT_UPDATES_LATER ? " later"
                                                : "");
        break;
    case WEFT_COMMAND_PLANNED:
        page_planned(p, at, count);
        break;
    case WEFT_COMMAND_CHECKPOINT:
        page_note(p->ids, &p->id_count, 64, at);
        page_print(p, "CHECKPOINT step %d source %u%s\n", (int32_t)at[8], at[9],
                   flags ? " parent" : "");
        break;
    case WEFT_COMMAND_RESTORED:
        page_print(p, "RESTORED %u node %u entries %u\n", at[0], at[1], at[2]);
        break;
    case WEFT_COMMAND_REPLY:
        page_reply(p, flags, at, count);
        break;
    case WEFT_COMMAND_INTERRUPTS:
        page_interrupts(p, at);
        break;
    case WEFT_COMMAND_CANCEL:
        page_print(p, "CANCEL\n");
        break;
    case WEFT_COMMAND_DONE:
        page_print(p, "DONE%s%s\n", flags & WEFT_DONE_INTERRUPTED ? " interrupted" : "",
                   flags & WEFT_DONE_HAS_VALUES ? " values" : "");
        p->over = 1;
        break;
    case WEFT_COMMAND_FAIL:
        page_fail(p, at);
        break;
    case WEFT_COMMAND_RELEASE:
        page_release(p, at, count);
        break;
    case WEFT_COMMAND_LOAD:
        page_load(p);
        break;
    case WEFT_COMMAND_HEADERS:
        page_headers(p, at, count);
        break;
    case WEFT_COMMAND_SNAPSHOT:
        page_snapshot(p, flags, at);
        break;
    case WEFT_COMMAND_INTENDED:
        page_intended(p, flags, at, count);
        break;
    case WEFT_COMMAND_LOOK_UP:
        page_look_up(p, at, count);
        break;
    case WEFT_COMMAND_STORE:
        page_store(p, at, count);
        break;
    case WEFT_COMMAND_UNKNOWN:
        page_unknown(p, flags, at);
        break;
    case WEFT_COMMAND_ASKED:
        page_asked(p, flags, at);
        break;
    default:
        page_print(p, "UNKNOWN %u\n", op);
    }
}

// Feeds the batch, carries out the block, and again while the block asked for something or has
// MORE.
static void page_run(page *p) {
    int more = 1;
    while (more && !p->over) {
        if (p->words == 0) {
            p->words = 4;
        }
        p->tick += 1000;
        p->batch[0] = p->words - 4;
        p->batch[1] = (uint32_t)p->tick;
        p->batch[2] = (uint32_t)(p->tick >> 32);
        p->batch[3] = 0;
        uint32_t words = p->words;
        p->words = 0;
        const uint8_t *lent = weft_engine_run_feed(p->engine, p->run, p->batch, words);
        if (lent == NULL || ((const int32_t *)(const void *)lent)[3] != 0) {
            int32_t status =
                lent == NULL ? WEFT_ERR_NO_MEMORY : ((const int32_t *)(const void *)lent)[3];
            page_print(p, "STATUS %s\n", page_status(p, status));
            p->failed = status == WEFT_ERR_NO_MEMORY;
            p->over = 1;
            if (lent == NULL) {
                return;
            }
        }
        const uint32_t *block = (const uint32_t *)(const void *)lent;
        for (uint32_t at = 4; at < block[0] + 4; at += block[at + 1] + 2) {
            page_command(p, block[at] & 0xffffu, block[at] >> 16, block + at + 2, block[at + 1]);
        }
        more = p->words > 0 || (block[1] & WEFT_BLOCK_MORE) != 0;
    }
}

#endif
