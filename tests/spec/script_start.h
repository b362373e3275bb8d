// SPDX-License-Identifier: MIT
// The beginning of a run in a script; a part of script.h.
#ifndef WEFT_TEST_SCRIPT_START_H
#define WEFT_TEST_SCRIPT_START_H

static void page_leave(page *p) {
    weft_engine_run_free(p->engine, p->run);
    p->run = p->depth > 0 ? p->above[--p->depth] : 0;
    p->words = 0;
    p->over = 0;
}

// The run of a START: a root run, or (`task` >= 0) one inside a task of the run so far.
static void page_make_run(page *p, int task, uint32_t attempt, uint32_t flags) {
    if (task < 0) {
        while (p->run != 0) {
            page_leave(p);
        }
        p->run = weft_engine_run_new(p->engine, p->graph, p->thread);
    } else {
        int parent = p->run;
        int thread = (flags & WEFT_CHILD_MAY_ASK) != 0 ? 0 : p->thread;
        p->above[p->depth++] = parent;
        p->run = weft_engine_run_child(p->engine, p->inner == 0 ? p->graph : p->inner, thread,
                                       parent, (uint32_t)task, attempt, flags);
    }
    p->words = 0;
    p->over = 0;
    if (p->run >= 0) {
        return;
    }
    p->failed = p->run == WEFT_ERR_NO_MEMORY;
    page_print(p, "REFUSED %s\n", page_status(p, p->run));
    p->run = p->depth > 0 ? p->above[--p->depth] : 0;
    p->over = p->run == 0;
}

// What START is told.
typedef struct page_told {
    uint32_t number, set, child, durability, limit, before, after, history;
    uint32_t as[8], as_count;
    uint32_t from, past, map; // numbers of checkpoints
    uint32_t defaults[8][2], default_count;
} page_told;

static uint32_t page_as(const char *word) {
    static const char *const names[] = {"default", "end", "input", "copy"};
    for (uint32_t i = 0; i < 4; i++) {
        if (strcmp(word, names[i]) == 0) {
            return i;
        }
    }
    return WEFT_AS_NODE + (uint32_t)atoi(word);
}

// before=all before=N (a node) after=... from=K (that checkpoint) past=K (older than it) map=K
// (what runs in the namespace starts from it) there (look in the namespace told last) as=X also=X
// (another update) default=C:VALUE
static void page_told_word(page *p, page_told *told, char *word) {
    static const struct {
        const char *word;
        uint32_t flag;
    } flags[] = {{"values", WEFT_START_WANT_VALUES},  {"updates", WEFT_START_WANT_UPDATES},
                 {"tasks", WEFT_START_WANT_TASKS},    {"checkpoints", WEFT_START_WANT_CHECKPOINTS},
                 {"heads", WEFT_START_WANT_HEADS},    {"cache", WEFT_START_HAS_CACHE},
                 {"null", WEFT_START_NULL_INPUT},     {"command", WEFT_START_COMMAND_INPUT},
                 {"mirror", WEFT_START_HAS_MIRROR},   {"as-tasks", WEFT_START_AS_TASKS},
                 {"there", WEFT_START_HAS_NAMESPACE}, {"from=", WEFT_START_HAS_CHECKPOINT_ID},
                 {"past=", WEFT_START_HAS_BEFORE_ID}, {"map=", WEFT_START_HAS_MAP}};
    const char *value = strchr(word, '=') == NULL ? "" : strchr(word, '=') + 1;
    uint32_t number = (uint32_t)atoi(value);
    size_t key = value[0] == '\0' ? strlen(word) + 1 : (size_t)(value - word);
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        told->set |= strncmp(word, flags[i].word, key) == 0 ? flags[i].flag : 0;
    }
    told->durability =
        strcmp(word, "sync") == 0 ? 1u : (strcmp(word, "exit") == 0 ? 2u : told->durability);
    told->child |= strcmp(word, "stable") == 0 ? WEFT_CHILD_STABLE : 0u;
    told->child |= strcmp(word, "asks") == 0 ? WEFT_CHILD_MAY_ASK : 0u;
    told->child |= strcmp(word, "root") == 0 ? WEFT_CHILD_ROOT : 0u;
    told->before = strcmp(word, "before=all") == 0      ? 0xfffffffeu
                   : strncmp(word, "before=", key) == 0 ? number
                                                        : told->before;
    told->after = strcmp(word, "after=all") == 0      ? 0xfffffffeu
                  : strncmp(word, "after=", key) == 0 ? number
                                                      : told->after;
    told->limit = strncmp(word, "limit=", key) == 0 ? number : told->limit;
    told->history = strncmp(word, "count=", key) == 0 ? number : told->history;
    told->from = strncmp(word, "from=", key) == 0 ? number : told->from;
    told->past = strncmp(word, "past=", key) == 0 ? number : told->past;
    told->map = strncmp(word, "map=", key) == 0 ? number : told->map;
    if (strncmp(word, "as=", key) == 0 || page_as(word) < WEFT_AS_NODE) {
        told->as[0] = page_as(*value == '\0' ? word : value);
    } else if (strncmp(word, "also=", key) == 0) {
        told->as[told->as_count++ & 7] = page_as(value);
    } else if (strncmp(word, "default=", key) == 0) {
        told->defaults[told->default_count][0] = number;
        told->defaults[told->default_count++ & 7][1] = page_word(p, strchr(value, ':') + 1);
    }
}

static void page_put_id(page *p, const uint32_t *id) {
    for (uint32_t i = 0; i < 4; i++) {
        page_put(p, id[i]);
    }
}

// Those of the graph, all, or one node and one that is not there.
static void page_put_stops(page *p, uint32_t node) {
    int is_list = node < 0xfffffffeu;
    page_put(p, is_list ? 2 : node);
    for (int i = 0; i < 2 && is_list; i++) {
        page_put(p, i == 0 ? 1000 : node);
    }
}

static void page_put_start(page *p, const page_told *told) {
    uint32_t mark = page_open(p, WEFT_EVENT_START, told->set);
    uint32_t words[] = {told->number, told->durability, told->limit, told->as_count};
    for (uint32_t i = 0; i < 4 + told->as_count; i++) {
        page_put(p, i < 4 ? words[i] : told->as[i - 4]);
    }
    page_put(p, told->history);
    for (uint32_t i = 1; i <= 8; i++) {
        page_put(p, i);
    }
    page_put_stops(p, told->before);
    page_put_stops(p, told->after);
    if (told->set & WEFT_START_HAS_CHECKPOINT_ID) {
        page_put_id(p, p->ids[told->from & 63]);
    }
    if (told->set & WEFT_START_HAS_BEFORE_ID) {
        page_put_id(p, p->ids[told->past & 63]);
    }
    if (told->set & WEFT_START_HAS_NAMESPACE) {
        page_text(p, p->space, (uint32_t)strlen(p->space));
    }
    if (told->set & WEFT_START_HAS_MAP) {
        page_put(p, 1);
        page_text(p, p->space, (uint32_t)strlen(p->space));
        page_put_id(p, p->ids[told->map & 63]);
    }
    page_put(p, told->default_count);
    for (uint32_t i = 0; i < told->default_count; i++) {
        page_put(p, told->defaults[i][0]);
        page_put(p, told->defaults[i][1]);
    }
    page_close(p, mark);
}

static void page_start(page *p, char **line, int task, uint32_t attempt) {
    static const char *kinds[] = {"invoke", "state", "history", "update"};
    page_told told = {.limit = 25,
                      .before = 0xffffffffu,
                      .after = 0xffffffffu,
                      .as = {WEFT_AS_DEFAULT},
                      .as_count = 1};
    char *kind = page_next(line);
    for (char *word = page_next(line); word != NULL; word = page_next(line)) {
        page_told_word(p, &told, word);
    }
    while (told.number < 3 && strcmp(kind, kinds[told.number]) != 0) {
        told.number++;
    }
    int depth = p->depth;
    page_make_run(p, task, attempt, told.child);
    if (p->run != 0 && (task < 0 || p->depth != depth)) {
        page_put_start(p, &told);
    }
}

#endif
