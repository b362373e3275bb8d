// SPDX-License-Identifier: MIT
// What an engine does beside runs, as lines of a script; a part of script.h.
//   head (of the thread) | hash KIND TEXT | stored (how much, and its hash)
//   rewrite copy|import|trim [last=N] [since=K] [pin=K]... (K: the checkpoint whose time, or which,
//   stays; the store holds what came of it) tools JSON | plan MODE (NAME ID ARGUMENTS)... (- is
//   nothing) schema JSON | check FLAGS JSON
#ifndef WEFT_TEST_SCRIPT_MORE_H
#define WEFT_TEST_SCRIPT_MORE_H

static void page_head(page *p) {
    uint64_t seq = 0;
    uint32_t crc = 0;
    int known = weft_engine_thread_head(p->engine, p->thread, &seq, &crc);
    page_print(p, "HEAD %d %u %08x\n", known, (uint32_t)seq, crc);
}

static void page_hash(page *p, uint32_t kind, const void *bytes, size_t length) {
    static const uint32_t sizes[] = {4, 20, 32, 16};
    const uint8_t *digest = weft_engine_hash(p->engine, kind, bytes, length);
    page_print(p, "HASH ");
    for (uint32_t i = 0; i < sizes[kind & 3]; i++) {
        page_print(p, "%02x", digest[i]);
    }
    page_print(p, "\n");
}

static uint64_t page_time_of(const uint32_t *id) {
    // A UUID v6: 60 bits of time, most significant first, in 100 ns since 1582.
    const uint8_t *b = (const uint8_t *)id;
    uint64_t ticks = 0;
    for (int i = 0; i < 6; i++) {
        ticks = (ticks << 8) | b[i];
    }
    ticks = (ticks << 12) | ((b[6] & 15u) << 8) | b[7];
    return ticks;
}

static void page_rewrite(page *p, char **rest) {
    char *name = page_next(rest);
    uint32_t mode =
        strcmp(name, "copy") == 0
            ? 0
            : (strcmp(name, "import") == 0 ? 1u : (strcmp(name, "trim") == 0 ? 2u : 3u));
    uint32_t has_keep = 0, last = 0, pins[8], pinned = 0;
    uint64_t since = UINT64_MAX;
    for (char *word = page_next(rest); word != NULL; word = page_next(rest)) {
        uint32_t number = (uint32_t)atoi(strchr(word, '=') + 1);
        has_keep = 1;
        if (word[0] == 'l') {
            last = number;
        } else if (word[0] == 's') {
            since = page_time_of(p->ids[number & 63]);
        } else {
            pins[pinned++ & 7] = number;
        }
    }
    p->words = 0;
    uint32_t words[] = {mode, has_keep, last, (uint32_t)since, (uint32_t)(since >> 32), pinned};
    for (uint32_t i = 0; i < 6; i++) {
        page_put(p, words[i]);
    }
    for (uint32_t i = 0; i < pinned; i++) {
        page_put_id(p, p->ids[pins[i] & 63]);
    }
    page_put(p, p->stored > 0);
    if (p->stored > 0) {
        page_text(p, (const char *)p->store, p->stored);
    }
    const uint32_t *answer = (const uint32_t *)(const void *)weft_engine_thread_rewrite(
        p->engine, p->thread, p->batch, p->words);
    p->words = 0;
    if (answer == NULL) {
        p->failed = 1;
        return;
    }
    if (answer[0] != 0) {
        page_print(p, "REWRITE %s\n", page_status(p, (int32_t)answer[0]));
        return;
    }
    page_print(p, "REWRITE %u..%u kept %u dropped %u%s\n", answer[1], answer[3], answer[6],
               answer[7], answer[8] < p->stored ? " smaller" : "");
    if (mode < 2) {
        p->stored = 0;
    }
    page_append(p, (const uint8_t *)(answer + 9), answer[8]);
    p->ends[answer[3] & 63] = p->stored;
    weft_engine_thread_reset(p->engine, p->thread);
}

// A handle, or why there is none.
static int page_made(page *p, int made) {
    if (made > 0) {
        return made;
    }
    static const uint32_t none[2];
    const uint32_t *error = (const uint32_t *)(const void *)weft_engine_error(p->engine);
    error = error == NULL ? none : error;
    page_print(p, "REFUSED %s", page_status(p, made));
    uint32_t count = error[1];
    p->failed = made == WEFT_ERR_NO_MEMORY || count == 0; // no memory for the words
    for (const uint32_t *at = error + 2; count > 0; count--) {
        page_print(p, " \"%.*s\"", (int)at[0], (const char *)(at + 1));
        at += 1 + (at[0] + 3) / 4;
    }
    page_print(p, "\n");
    return 0;
}

// A string of a block, printed; returns what follows.
static const uint32_t *page_string(page *p, const uint32_t *at) {
    page_print(p, " %.*s", (int)at[0], (const char *)(at + 1));
    return at + 1 + (at[0] + 3) / 4;
}

static void page_planned_calls(page *p, const uint32_t *at) {
    uint32_t calls = at[1];
    page_print(p, "PLAN %s\n", page_status(p, (int32_t)at[0]));
    at += 2;
    for (uint32_t call = 0; call < calls; call++) {
        page_print(p, "  %s tool %d id", page_status(p, (int32_t)at[0]), (int32_t)at[1]);
        at = page_string(p, at + 2);
        page_print(p, " text");
        at = page_string(p, at);
        page_print(p, " digest ");
        for (uint32_t i = 0; i < at[0]; i++) {
            page_print(p, "%02x", ((const uint8_t *)(at + 1))[i]);
        }
        at += 1 + (at[0] + 3) / 4;
        page_print(p, "\n");
    }
}

static uint32_t page_mode(const char *word) {
    uint32_t mode = strstr(word, "raw") != NULL
                        ? WEFT_PLAN_RAW
                        : (strstr(word, "validate") != NULL ? WEFT_PLAN_VALIDATE : WEFT_PLAN_TOOLS);
    return mode | (strstr(word, "digest") != NULL ? WEFT_PLAN_DIGEST : 0u);
}

static void page_plan(page *p, char **rest) {
    uint32_t mode = page_mode(page_next(rest));
    char *words[3 * 16];
    uint32_t calls = 0;
    for (char *word = page_next(rest); word != NULL && calls < 16;
         word = page_next(rest), calls++) {
        words[3 * calls] = word;
        words[3 * calls + 1] = page_next(rest);
        words[3 * calls + 2] = page_next(rest);
    }
    p->words = 0;
    uint32_t head[] = {calls, mode, 7, 0};
    for (uint32_t i = 0; i < 4; i++) {
        page_put(p, head[i]);
    }
    page_text(p, "t|task|message", 14);
    for (uint32_t i = 0; i < calls; i++) {
        int has_id = strcmp(words[3 * i + 1], "-") != 0,
            has_text = strcmp(words[3 * i + 2], "-") != 0;
        page_put(p, (has_id ? WEFT_CALL_HAS_ID : 0u) | (has_text ? 0u : WEFT_CALL_UNREADABLE));
        page_text(p, words[3 * i], (uint32_t)strlen(words[3 * i]));
        page_text(p, words[3 * i + 1], has_id ? (uint32_t)strlen(words[3 * i + 1]) : 0);
        page_text(p, words[3 * i + 2], has_text ? (uint32_t)strlen(words[3 * i + 2]) : 0);
    }
    const uint8_t *plan = weft_engine_toolset_plan(p->engine, p->tools, p->batch, p->words);
    p->words = 0;
    if (plan == NULL) {
        p->failed = 1;
        return;
    }
    page_planned_calls(p, (const uint32_t *)(const void *)plan);
}

// What a block of a check says; its questions go to `answers` as {pattern, value, 1}. Returns how
// many there are now.
static uint32_t page_verdict_of(page *p, const uint32_t *at, uint32_t *answers, uint32_t count) {
    page_print(p, "CHECK %s", page_status(p, (int32_t)at[0]));
    if ((int32_t)at[0] != WEFT_OK && (int32_t)at[0] != WEFT_ERR_NEEDS_HOST) {
        if ((int32_t)at[0] != WEFT_ERR_SCHEMA_BUDGET) {
            page_print(p, " %u", at[1]);
            page_string(p, at + 2);
        }
        page_print(p, "\n");
        return count;
    }
    page_print(p, " %s", at[1] ? "valid" : "invalid");
    at = page_string(p, at + 2);
    for (uint32_t problems = *at++; problems > 0; problems--) {
        page_print(p, " |");
        for (int i = 0; i < 4; i++) {
            at = page_string(p, at);
        }
    }
    for (uint32_t questions = *at++; questions > 0 && count < 16; questions--, count++) {
        uint32_t answer[] = {at[0], at[1], 1};
        memcpy(answers + 3 * count, answer, sizeof(answer));
        page_print(p, " format");
        at = page_string(p, page_string(p, at + 2));
    }
    page_print(p, "\n");
    return count;
}

static void page_check(page *p, char **rest) {
    uint32_t flags = page_number(rest);
    uint32_t answers[48], count = 0, before = UINT32_MAX;
    uint32_t length = (uint32_t)strlen(*rest);
    while (count != before) {
        before = count;
        p->words = 0;
        for (uint32_t i = 0; i < 3 * count; i++) {
            page_put(p, answers[i]);
        }
        page_text(p, *rest, length);
        // The text begins where its length was put.
        memmove(p->batch + 3 * count, p->batch + 3 * count + 1, (length + 3) / 4 * 4);
        p->words = 0;
        const uint8_t *block = NULL;
        int verdict = weft_engine_schema_check(p->engine, p->schema, p->batch, length, flags, 7,
                                               count, &block);
        if (verdict == WEFT_ERR_NO_MEMORY || verdict == WEFT_ERR_STALE_HANDLE) {
            p->failed = verdict == WEFT_ERR_NO_MEMORY;
            return;
        }
        if (verdict == 1) {
            page_print(p, "CHECK valid\n");
            return;
        }
        count = page_verdict_of(p, (const uint32_t *)(const void *)block, answers, count);
    }
}

static int page_more_line(page *p, const char *verb, char **rest) {
    if (strcmp(verb, "head") == 0) {
        page_head(p);
    } else if (strcmp(verb, "hash") == 0) {
        uint32_t kind = page_number(rest);
        page_hash(p, kind, *rest, strlen(*rest));
    } else if (strcmp(verb, "stored") == 0) {
        page_print(p, "STORED %u ", p->stored);
        page_hash(p, 2, p->store, p->stored);
    } else if (strcmp(verb, "rewrite") == 0) {
        page_rewrite(p, rest);
    } else if (strcmp(verb, "tools") == 0) {
        p->tools = page_made(p, weft_engine_toolset_new(p->engine, *rest, strlen(*rest)));
    } else if (strcmp(verb, "plan") == 0) {
        page_plan(p, rest);
    } else if (strcmp(verb, "schema") == 0) {
        p->schema = page_made(p, weft_engine_schema_new(p->engine, *rest, strlen(*rest)));
    } else if (strcmp(verb, "check") == 0) {
        page_check(p, rest);
    } else {
        return 0;
    }
    return 1;
}

#endif
