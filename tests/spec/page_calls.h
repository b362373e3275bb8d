// SPDX-License-Identifier: MIT
// Prints what blocks say of calls, of tools, of caches and of snapshots; a part of page.h.
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

static void page_calls(page *p, const uint32_t *at) {
    uint32_t count = *at++;
    for (; count > 0; count--) {
        page_print(p, " %.*s", (int)at[0], (const char *)(at + 1));
        at += 1 + (at[0] + 3) / 4;
    }
    page_print(p, "\n");
}

static void page_unknown(page *p, uint32_t flags, const uint32_t *at) {
    page_print(p, flags == 0 ? "UNKNOWN calls of %u:" : "UNKNOWN with flags, calls of %u:", at[0]);
    page_calls(p, at + 1);
}

static void page_asked(page *p, uint32_t flags, const uint32_t *at) {
    uint32_t count = *at++;
    page_print(p, flags == 0 ? "ASKED" : "ASKED in this step");
    for (; count > 0; count--) {
        const uint32_t *by = at + 1 + (at[0] + 3) / 4;
        page_print(p, " %.*s%s", (int)at[0], (const char *)(at + 1), *by == 1 ? "" : " (a part)");
        at = by + 1;
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

// What a task wrote to the state; returns what follows.
static const uint32_t *page_entries_of(page *p, const uint32_t *at) {
    for (uint32_t i = *at++; i > 0; i--) {
        uint32_t kind = at[0];
        page_print(p, " wrote %u=%s", at[1],
                   kind == WEFT_ENTRY_MESSAGES ? "[" : page_value(p, at[2]));
        uint32_t items = kind == WEFT_ENTRY_MESSAGES ? at[3] : 0;
        at += kind == WEFT_ENTRY_MESSAGES ? 4 : 3;
        for (uint32_t n = 0; n < items; n++) {
            page_print(p, n ? " %s" : "%s", page_value(p, at[0]));
            at += 3 + (at[2] + 3) / 4;
        }
        page_print(p, kind == WEFT_ENTRY_MESSAGES ? "]" : "");
    }
    return at;
}

static void page_snapshot(page *p, uint32_t flags, const uint32_t *at) {
    if (flags & WEFT_SNAPSHOT_EMPTY) {
        page_print(p, "SNAPSHOT empty\n");
        return;
    }
    page_note(p->ids, &p->id_count, 64, at);
    at += 10;
    page_print(p, "SNAPSHOT%s step %d source %u values",
               flags & WEFT_SNAPSHOT_LOADED ? " loaded" : "", (int32_t)at[0], at[1]);
    uint32_t count = at[2];
    at += 3;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t items = at[1] ? at[2] : 0;
        page_print(p, " %u=%s", at[0], at[1] ? "[" : page_value(p, at[2]));
        uint32_t is_list = at[1];
        at += 3;
        for (uint32_t n = 0; n < items; n++) {
            page_print(p, n ? " %s" : "%s", page_value(p, *at++));
        }
        page_print(p, is_list ? "]" : "");
    }
    page_print(p, " next");
    for (uint32_t i = *at++; i > 0; i--) {
        page_print(p, " %u", *at++);
    }
    for (uint32_t i = *at++; i > 0; i--) {
        page_print(p, " task %u%s", at[4], at[7] ? " error" : "");
        uint32_t interrupts = at[8];
        at += 9;
        for (uint32_t n = 0; n < interrupts; n++) {
            page_print(p, " interrupt %s", page_value(p, at[4]));
            at += 5;
        }
        at = page_entries_of(p, at);
    }
    page_print(p, "\n");
}

#endif
