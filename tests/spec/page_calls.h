// SPDX-License-Identifier: MIT
// Prints what blocks say of calls, of tools and of caches; a part of page.h.
#ifndef WEFT_TEST_PAGE_CALLS_H
#define WEFT_TEST_PAGE_CALLS_H

static void page_reply(page *p, uint32_t flags, const uint32_t *at, uint32_t count) {
    page_print(p, "REPLY");
    for (uint32_t i = 0; i < count; i++) {
        if (flags != 0 && i == 3) {
            page_print(p, " %s", page_value(p, at[i]));
        } else {
            page_print(p, " %u", at[i]);
        }
    }
    page_print(p, flags != 0 ? " restored\n" : "\n");
}

static void page_unknown(page *p, const uint32_t *at) {
    page_print(p, "UNKNOWN calls of %u:", at[0]);
    uint32_t count = at[1];
    at += 2;
    for (; count > 0; count--) {
        page_print(p, " %.*s", (int)at[0], (const char *)(at + 1));
        at += 1 + (at[0] + 3) / 4;
    }
    page_print(p, "\n");
}

static void page_look_up(page *p, const uint32_t *at, uint32_t count) {
    page_print(p, "LOOK_UP");
    for (uint32_t i = 0; i + 4 <= count; i += 4) {
        page_print(p, " %u of %u kind %u", at[i], at[i + 1], at[i + 2]);
        if (at[i + 2] == WEFT_TASK_PUSH) {
            page_print(p, " %s", page_value(p, at[i + 3]));
        } else if (at[i + 2] == WEFT_TASK_CALL) {
            page_print(p, " %u", at[i + 3]);
        }
    }
    page_print(p, "\n");
}

static void page_store(page *p, const uint32_t *at, uint32_t count) {
    uint32_t i = 2;
    page_print(p, "STORE %u answers", at[0]);
    for (; i < 2 + at[1]; i++) {
        page_print(p, " %s", page_value(p, at[i]));
    }
    for (; i + 4 <= count; i += 4) {
        page_print(p, " channel %u node %u", at[i], at[i + 1]);
        page_print(p, " %s", page_value(p, at[i + 2]));
        page_print(p, " %s", page_value(p, at[i + 3]));
    }
    page_print(p, "\n");
}

#endif
