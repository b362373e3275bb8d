// SPDX-License-Identifier: MIT
// The script of a page, line by line:
//
//   graph JSON | thread ID | other [ID] (the other thread, with a store of its own, takes the
//   place) | start KIND words... | input ENTRIES | resume VALUE | go result TASK ATTEMPT ENTRIES |
//   error TASK ATTEMPT | interrupted TASK ATTEMPT VALUE | ask TASK ATTEMPT interrupt|id intend TASK
//   ATTEMPT CALL | doubt TASK ATTEMPT CALL (a tool call begins; it was in flight and is asked
//   about) inside TASK ATTEMPT CALL (it begins in a graph that the task called) found TASK ENTRIES
//   | miss TASK (what a cache holds of it) | cached TASK ATTEMPT NAME (a call that may be cached)
//   call TASK ATTEMPT NAME | aside TASK ATTEMPT NAME (a part of the task's own work)
//   limits MODELS TOOLS TOKENS COST MS REPEATED (- for none) | spend KIND AMOUNT CALL (prints what
//   forbids it) inner JSON (the graph of runs inside) | child TASK ATTEMPT KIND words... [stable]
//   [asks] [root] (from here on: that run) | outer (back) namespace | bubble TASK ATTEMPT (what
//   only passes through, as a Command for the graph around) shown TASK ATTEMPT (the same, beside
//   what the task wrote to its own graph) answers K VALUE... (Command.resume by id: the K-th
//   question) | asked TASK ATTEMPT K VALUE | failed TASK ATTEMPT ENTRIES script_more.h: rewrite,
//   head, tools, plan, schema, check, hash reopen (the thread is read from the store again) | tear
//   BYTES (the store loses its last bytes) | abort | end
#ifndef WEFT_TEST_SCRIPT_H
#define WEFT_TEST_SCRIPT_H

#include "page.h"

static int page_more_line(page *p, const char *verb, char **rest);

static void page_other(page *p, const char *id) {
    page_log here = {.thread = p->thread, .store = p->store, .stored = p->stored};
    memcpy(here.ends, p->ends, sizeof(here.ends));
    p->thread =
        p->other.thread != 0 ? p->other.thread : weft_engine_thread_open(p->engine, id, strlen(id));
    p->failed |= p->thread < 0;
    p->store = p->other.store;
    p->stored = p->other.stored;
    memcpy(p->ends, p->other.ends, sizeof(p->ends));
    p->other = here;
}

// The next word of the line, cut off in place; NULL at its end.
static char *page_next(char **line) {
    char *word = *line + strspn(*line, " ");
    if (*word == '\0') {
        *line = word;
        return NULL;
    }
    char *end = word + strcspn(word, " ");
    *line = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

static uint32_t page_number(char **line) {
    char *word = page_next(line);
    return word == NULL ? 0 : (uint32_t)strtoul(word, NULL, 10);
}

static void page_messages(page *p, char **line, uint32_t *count) {
    uint32_t channel = page_number(line);
    uint32_t flags = 0;
    uint32_t items = 0;
    page_put(p, WEFT_ENTRY_MESSAGES);
    page_put(p, channel);
    uint32_t at = p->words;
    page_put(p, 0);
    page_put(p, 0);
    for (char *word = page_next(line); word != NULL && strcmp(word, ";") != 0;
         word = page_next(line)) {
        uint32_t message =
            word[0] == '!' ? WEFT_MESSAGE_REMOVE : (word[0] == '*' ? WEFT_MESSAGE_REMOVE_ALL : 0u);
        const char *text = message ? word + 1 : word;
        page_put(p, page_word(p, text));
        page_put(p, message);
        page_text(p, text, (uint32_t)strlen(text));
        items++;
    }
    p->batch[at] = flags;
    p->batch[at + 1] = items;
    (*count)++;
}

// ENTRIES: write C V | overwrite C V | messages C ids... ; (!id removes, *x removes all) | goto N |
// send N V | within N V MS | branch B N | return V | edge C N (N = 0: nobody is named) |
// branch-send B N V | branch-within B N V MS
static void page_entries(page *p, char **line) {
    uint32_t mark = p->words;
    uint32_t count = 0;
    page_put(p, 0);
    for (char *kind = page_next(line); kind != NULL; kind = page_next(line)) {
        if (strcmp(kind, "messages") == 0) {
            page_messages(p, line, &count);
            continue;
        }
        count++;
        if (strcmp(kind, "return") == 0) {
            page_put(p, WEFT_ENTRY_RETURN);
            page_put(p, page_word(p, page_next(line)));
            continue;
        }
        uint32_t first = page_number(line);
        if (strcmp(kind, "goto") == 0) {
            page_put(p, WEFT_ENTRY_GOTO);
            page_put(p, first);
        } else if (strcmp(kind, "edge") == 0) {
            page_put(p, WEFT_ENTRY_EDGE);
            page_put(p, first);
            page_put(p, page_number(line));
        } else if (strncmp(kind, "branch", 6) == 0) {
            uint32_t sends = strcmp(kind, "branch") == 0        ? 0
                             : strcmp(kind, "branch-send") == 0 ? 1
                                                                : 2;
            uint32_t words[] = {WEFT_ENTRY_BRANCH, first, 1, sends, page_number(line)};
            for (uint32_t i = 0; i < 5 + sends; i++) {
                page_put(p, i < 5 ? words[i] : page_word(p, page_next(line)));
            }
        } else {
            page_put(p, strcmp(kind, "write") == 0    ? WEFT_ENTRY_WRITE
                        : strcmp(kind, "send") == 0   ? WEFT_ENTRY_SEND
                        : strcmp(kind, "within") == 0 ? WEFT_ENTRY_SEND_WITHIN
                                                      : WEFT_ENTRY_OVERWRITE);
            page_put(p, first);
            page_put(p, page_word(p, page_next(line)));
            if (strcmp(kind, "within") == 0) {
                page_put(p, page_word(p, page_next(line)));
            }
        }
    }
    p->batch[mark] = count;
}

#include "script_start.h"

// interrupted T A VALUE ENTRIES: what the task wrote before it asked.
static void page_outcome(page *p, uint32_t op, int known, char **line) {
    int shows = op == WEFT_EVENT_INTERRUPTED && strstr(*line, " write ") != NULL;
    uint32_t mark = page_open(p, op, shows ? WEFT_INTERRUPTED_ENTRIES : 0);
    page_put(p, page_number(line));
    page_put(p, page_number(line));
    if (op == WEFT_EVENT_RESULT) {
        page_entries(p, line);
    } else if (op == WEFT_EVENT_ERROR) {
        page_put(p, page_word(p, "{\"message\":\"boom\"}"));
    } else {
        static const uint32_t any[4] = {0x11111111u, 0x11111111u, 0x11111111u, 0x11111111u};
        page_put(p, 1);
        page_put_id(p, known ? p->asked[page_number(line) & 31] : any);
        page_put(p, page_word(p, page_next(line)));
        if (shows) {
            page_entries(p, line);
        }
    }
    page_close(p, mark);
}

// What a task wrote before it failed goes to its handler.
static void page_failed(page *p, char **line) {
    uint32_t mark = page_open(p, WEFT_EVENT_ERROR, WEFT_ERROR_ENTRIES | WEFT_ERROR_EDGES);
    page_put(p, page_number(line));
    page_put(p, page_number(line));
    page_put(p, page_word(p, "{\"message\":\"boom\"}"));
    page_entries(p, line);
    page_close(p, mark);
}

// answers K VALUE K VALUE...
static void page_answers(page *p, char **line) {
    uint32_t mark = page_open(p, WEFT_EVENT_RESUME_MAP, 0);
    uint32_t count = p->words;
    page_put(p, 0);
    for (char *word = page_next(line); word != NULL; word = page_next(line)) {
        page_put_id(p, p->asked[atoi(word) & 31]);
        page_put(p, page_word(p, page_next(line)));
        p->batch[count]++;
    }
    page_close(p, mark);
}

static void page_double(page *p, char **line) {
    char *word = page_next(line);
    double number = word == NULL ? 0 : atof(word);
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    page_put(p, (uint32_t)bits);
    page_put(p, (uint32_t)(bits >> 32));
}

// retry TASK ATTEMPT attempts jitter initial factor most | expired TASK ATTEMPT | bubble, shown,
// refused TASK ATTEMPT
static void page_verdict(page *p, uint32_t flags, char **line) {
    uint32_t mark = page_open(p, WEFT_EVENT_ERROR, flags);
    page_put(p, page_number(line));
    page_put(p, page_number(line));
    page_put(p, page_word(p, "{\"message\":\"boom\"}"));
    if (flags & WEFT_ERROR_RETRY) {
        page_put(p, page_number(line));
        page_put(p, page_number(line));
        for (uint32_t i = 0; i < 3; i++) {
            page_double(p, line);
        }
    }
    page_close(p, mark);
}

// woke TASK ATTEMPT | expire TASK ATTEMPT run idle elapsed quiet | ended ... (the same, behind an
// outcome)
static void page_clock(page *p, uint32_t op, uint32_t flags, char **line) {
    uint32_t mark = page_open(p, op, flags);
    page_put(p, page_number(line));
    page_put(p, page_number(line));
    for (uint32_t i = 0; i < 4 && op == WEFT_EVENT_EXPIRE; i++) {
        page_double(p, line);
    }
    page_close(p, mark);
}

static void page_ask(page *p, char **line) {
    uint32_t task = page_number(line);
    uint32_t attempt = page_number(line);
    char *what = page_next(line);
    uint32_t op = strcmp(what, "id") == 0           ? WEFT_ASK_TASK_ID
                  : strcmp(what, "steps") == 0      ? WEFT_ASK_STEPS
                  : strcmp(what, "checkpoint") == 0 ? WEFT_ASK_CHECKPOINT
                  : strcmp(what, "back") == 0       ? WEFT_ASK_REJECT
                                                    : WEFT_ASK_INTERRUPT;
    const uint32_t *answer =
        (const uint32_t *)(const void *)weft_engine_run_ask(p->engine, p->run, task, attempt, op);
    if (answer == NULL) {
        p->failed = 1;
        p->over = 1;
        return;
    }
    if (answer[5] > 0) {
        page_fill(p, answer[2] & ~7u, page_bytes(page_u64(answer + 3)), answer[5]);
    }
    switch (answer[1]) {
    case WEFT_ANSWER_RESUME:
        page_print(p, "ANSWER resume %s\n", page_value(p, answer[2]));
        break;
    case WEFT_ANSWER_FAIL:
        page_print(p, "ANSWER %s\n", page_status(p, (int32_t)answer[0]));
        break;
    case WEFT_ANSWER_STEPS:
        page_print(p, "ANSWER step %d, %u left\n", (int32_t)answer[2], answer[3]);
        break;
    default:
        page_print(p, answer[1] == WEFT_ANSWER_ID ? "ANSWER id " : "ANSWER throw ");
        if (answer[1] == WEFT_ANSWER_THROW) {
            page_note(p->asked, &p->asked_count, 32, answer + 6);
        }
        page_id(p, answer + 6);
        page_print(p, "\n");
    }
}

static void page_namespace(page *p) {
    const uint32_t *answer = (const uint32_t *)(const void *)weft_engine_run_ask(
        p->engine, p->run, 0, 0, WEFT_ASK_NAMESPACE);
    if (answer == NULL) {
        p->failed = 1;
        p->over = 1;
        return;
    }
    snprintf(p->space, sizeof(p->space), "%.*s", (int)answer[5],
             (const char *)page_bytes(page_u64(answer + 3)));
    page_print(p, "NAMESPACE %s\n", p->space);
}

static void page_graph(page *p, const char *json) {
    p->graph = weft_engine_graph_new(p->engine, json, strlen(json));
    if (p->graph > 0) {
        return;
    }
    p->failed = p->graph == WEFT_ERR_NO_MEMORY;
    const uint32_t *error = (const uint32_t *)(const void *)weft_engine_error(p->engine);
    page_print(p, "REFUSED %s", page_status(p, p->graph));
    if (error != NULL && error[1] > 0) {
        page_print(p, " \"%.*s\"", (int)error[2], (const char *)(error + 3));
    }
    page_print(p, "\n");
    p->graph = 0;
}

// intend TASK ATTEMPT ID | doubt TASK ATTEMPT ID | inside TASK ATTEMPT ID | asks TASK ATTEMPT ID |
// decided TASK ATTEMPT ID: as accepted. The digest of what is shown begins with a number that may
// follow, or 0; of a decision the number of the request may follow that it names.
static void page_intend(page *p, uint32_t flags, char **line) {
    uint32_t mark = page_open(p, WEFT_EVENT_INTENT, flags);
    page_put(p, page_number(line));
    page_put(p, page_number(line));
    char *call = page_next(line);
    page_text(p, call, (uint32_t)strlen(call));
    if ((flags & (WEFT_INTENT_ASKS | WEFT_INTENT_DECIDED)) != 0) {
        int decides = flags == WEFT_INTENT_DECIDED;
        if (decides) {
            page_put(p, 1);
        }
        page_put(p, page_number(line));
        for (int i = 0; i < 7; i++) {
            page_put(p, 0);
        }
        if (decides) {
            static const uint32_t none[4];
            uint32_t named = page_number(line);
            page_put_id(p, named == 0 ? none : p->requests[named & 7]);
            page_text(p, "{}", 2);
        }
    }
    page_close(p, mark);
}

// found TASK ENTRIES | miss TASK: one event for all that stand together
static void page_found(page *p, int miss, char **line) {
    uint32_t mark = page_open(p, WEFT_EVENT_FOUND, 0);
    page_put(p, page_number(line));
    if (miss) {
        page_put(p, 0xffffffffu);
    } else {
        page_entries(p, line);
    }
    page_close(p, mark);
}

static int page_policy_line(page *p, const char *verb, char **rest) {
    if (strcmp(verb, "retry") == 0) {
        page_verdict(p, WEFT_ERROR_RETRY, rest);
    } else if (strcmp(verb, "expired") == 0) {
        page_verdict(p, WEFT_ERROR_EXPIRED, rest);
    } else if (strcmp(verb, "bubble") == 0) {
        page_verdict(p, WEFT_ERROR_BUBBLE, rest);
    } else if (strcmp(verb, "shown") == 0) {
        page_verdict(p, WEFT_ERROR_BUBBLE | WEFT_ERROR_SHOWN, rest);
    } else if (strcmp(verb, "woke") == 0) {
        page_clock(p, WEFT_EVENT_WOKE, 0, rest);
    } else if (strcmp(verb, "expire") == 0 || strcmp(verb, "ended") == 0) {
        page_clock(p, WEFT_EVENT_EXPIRE, strcmp(verb, "ended") == 0 ? WEFT_EXPIRE_ENDED : 0, rest);
    } else if (strcmp(verb, "call") == 0 || strcmp(verb, "cached") == 0 ||
               strcmp(verb, "aside") == 0) {
        uint32_t flags = strcmp(verb, "cached") == 0  ? WEFT_CALL_CACHED
                         : strcmp(verb, "aside") == 0 ? WEFT_CALL_ASIDE
                                                      : 0;
        uint32_t mark = page_open(p, WEFT_EVENT_CALL, flags);
        page_put(p, page_number(rest));
        page_put(p, page_number(rest));
        page_text(p, *rest, (uint32_t)strlen(*rest));
        if (flags == WEFT_CALL_ASIDE) {
            page_put(p, 0);
        }
        page_close(p, mark);
    } else if (strcmp(verb, "intend") == 0 || strcmp(verb, "doubt") == 0) {
        page_intend(p, strcmp(verb, "doubt") == 0 ? WEFT_INTENT_DOUBT : 0, rest);
    } else if (strcmp(verb, "inside") == 0) {
        page_intend(p, WEFT_INTENT_INSIDE, rest);
    } else if (strcmp(verb, "decided") == 0) {
        page_intend(p, WEFT_INTENT_DECIDED, rest);
    } else if (strcmp(verb, "asks") == 0) {
        page_intend(p, WEFT_INTENT_ASKS, rest);
    } else if (strcmp(verb, "found") == 0 || strcmp(verb, "miss") == 0) {
        page_found(p, strcmp(verb, "miss") == 0, rest);
    } else if (strcmp(verb, "limits") == 0) {
        uint32_t mark = page_open(p, WEFT_EVENT_LIMITS, 0);
        for (uint32_t i = 0; i <= WEFT_LIMIT_REPEATED; i++) {
            char none[] = "inf", *infinite = none;
            int is_none = **rest == '-';
            page_double(p, is_none ? &infinite : rest);
            if (is_none) {
                page_next(rest);
            }
        }
        page_close(p, mark);
    } else if (strcmp(verb, "spend") == 0) {
        uint32_t kind = page_number(rest), amount = page_number(rest);
        int answer =
            weft_engine_run_spend(p->engine, p->run, kind, amount, *rest, (uint32_t)strlen(*rest));
        p->failed |= answer == WEFT_ERR_NO_MEMORY;
        page_print(p, "SPEND %d\n", answer);
    } else if (strcmp(verb, "drain") == 0) {
        page_close(p, page_open(p, WEFT_EVENT_DRAIN, 0));
    } else if (strcmp(verb, "step-timeout") == 0) {
        uint32_t mark = page_open(p, WEFT_EVENT_STEP_TIMEOUT, 0);
        page_double(p, rest);
        page_close(p, mark);
    } else {
        return 0;
    }
    return 1;
}

static void page_line(page *p, char *line) {
    char *rest = line;
    char *verb = page_next(&rest);
    if (verb == NULL || page_policy_line(p, verb, &rest) || page_more_line(p, verb, &rest)) {
        return;
    }
    if (strcmp(verb, "graph") == 0) {
        page_graph(p, rest);
    } else if (strcmp(verb, "thread") == 0) {
        p->stored = 0;
        p->thread = weft_engine_thread_open(p->engine, rest, strlen(rest));
        p->failed |= p->thread < 0;
    } else if (strcmp(verb, "other") == 0) {
        page_other(p, rest);
    } else if (strcmp(verb, "start") == 0) {
        page_start(p, &rest, -1, 0);
    } else if (strcmp(verb, "child") == 0) {
        uint32_t task = page_number(&rest), attempt = page_number(&rest);
        page_start(p, &rest, (int)task, attempt);
    } else if (strcmp(verb, "outer") == 0) {
        page_leave(p);
    } else if (strcmp(verb, "inner") == 0) {
        int graph = p->graph;
        page_graph(p, rest);
        p->inner = p->graph;
        p->graph = graph;
    } else if (strcmp(verb, "namespace") == 0) {
        page_namespace(p);
    } else if (strcmp(verb, "input") == 0) {
        uint32_t mark = page_open(p, WEFT_EVENT_INPUT, 0);
        page_entries(p, &rest);
        page_close(p, mark);
    } else if (strcmp(verb, "resume") == 0) {
        uint32_t mark = page_open(p, WEFT_EVENT_RESUME, 0);
        page_put(p, page_word(p, rest));
        page_close(p, mark);
    } else if (strcmp(verb, "result") == 0) {
        page_outcome(p, WEFT_EVENT_RESULT, 0, &rest);
    } else if (strcmp(verb, "error") == 0) {
        page_outcome(p, WEFT_EVENT_ERROR, 0, &rest);
    } else if (strcmp(verb, "interrupted") == 0 || strcmp(verb, "asked") == 0) {
        page_outcome(p, WEFT_EVENT_INTERRUPTED, strcmp(verb, "asked") == 0, &rest);
    } else if (strcmp(verb, "failed") == 0) {
        page_failed(p, &rest);
    } else if (strcmp(verb, "answers") == 0) {
        page_answers(p, &rest);
    } else if (strcmp(verb, "ask") == 0) {
        page_ask(p, &rest);
    } else if (strcmp(verb, "abort") == 0) {
        page_close(p, page_open(p, WEFT_EVENT_ABORT, 0));
    } else if (strcmp(verb, "reopen") == 0) {
        weft_engine_thread_reset(p->engine, p->thread);
    } else if (strcmp(verb, "tear") == 0) {
        p->stored -= page_number(&rest);
    } else if (strcmp(verb, "go") == 0) {
        page_run(p);
    } else {
        page_print(p, "NO SUCH LINE: %s\n", verb);
    }
}

#include "script_more.h"

static void page_prepare(page *p, weft_memory *memory) {
    memset(p, 0, sizeof(*p));
    p->next_slot = 2;
    p->tick = 17000000000000000u;
    p->engine = weft_engine_new(memory);
    p->failed = p->engine == NULL;
}

// Its lines, up to one that meets refused memory.
static void page_lines(page *p, const char *script) {
    char *copy = malloc(strlen(script) + 1);
    strcpy(copy, script);
    char *line = copy;
    while (line != NULL && p->engine != NULL && !p->failed) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        page_line(p, line);
        line = end == NULL ? NULL : end + 1;
    }
    free(copy);
}

// Everything but p->out is given back.
static void page_dispose(page *p) {
    if (p->engine != NULL) {
        while (p->run > 0) {
            page_leave(p);
        }
        page_print(p, "");
        weft_engine_free(p->engine);
    }
    for (uint32_t i = 0; i < PAGE_SLOTS; i++) {
        free(p->slots[i]);
    }
    free(p->store);
    free(p->other.store);
}

// Runs `script` in `memory`; p->out holds the log.
static inline void page_play(page *p, weft_memory *memory, const char *script) {
    page_prepare(p, memory);
    page_lines(p, script);
    page_dispose(p);
}

#endif
