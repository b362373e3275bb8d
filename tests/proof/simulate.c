// SPDX-License-Identifier: MIT
// T9 of the engine alone: random graphs, natively, hundreds of times as fast as with JavaScript around it. A seed's thread is
// run by processes that die between any two events, whose last commit is torn, and to which memory is refused; what must hold
// is checked where it would break. Usage: simulate <first seed> <seeds>; prints counts, or the violation and its seed.
#define PAGE_SLOTS 4096
#define PAGE_WORDS (1u << 15)
#include "../spec/script.h"

#define NODES 8u
#define TASKS 64u
#define KEYS 512u
#define PROCESSES 400u

typedef enum kind { PLAIN, ASKS, CALLS, SENDS } kind;

typedef struct task {
    uint32_t place, attempt, node, argument;
} task;

typedef struct world {
    page host;
    weft_memory memory;
    uint32_t random, seed, nodes;
    kind kinds[NODES];
    char graph[2048];
    int is_calm;
    uint32_t refuse; // the allocation that is refused, counted from now; 0: none
    task out[TASKS];
    uint32_t out_count;
    uint8_t given[KEYS], saved[KEYS];
    int is_asked;
    char end[512];
} world;

static uint64_t seeds, runs, deaths, refusals, tears, saves, tasks, questions;
static int broken; // the planted bug: what was acknowledged is torn too

static uint32_t below(world *w, uint32_t most) {
    w->random = w->random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(w->random >> 8) * most) >> 24);
}

static void violate(const world *w, const char *what) {
    printf("T9: %s (build/native/proof/simulate %u 1)\n%s\n%s", what, w->seed, w->graph, w->host.out);
    exit(1);
}

static int is_refused(world *w) {
    if (w->refuse == 0 || --w->refuse > 0) {
        return 0;
    }
    refusals++;
    w->refuse = below(w, 2); // once, or all from here on
    return 1;
}

static void *take(void *user, size_t size) { return is_refused(user) ? NULL : malloc(size); }

static void *resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)old_size;
    return is_refused(user) ? NULL : realloc(block, new_size);
}

static void give_back(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

// ---- plans

// A graph without loops, so that each node runs once: w is called by Sends. At most one node asks.
static void make_plan(world *w) {
    char *at = w->graph;
    int asks = 0;
    w->nodes = 2 + below(w, NODES - 3);
    at += sprintf(at, "graph {\"channels\":[{\"name\":\"s\",\"kind\":\"binop\",\"default\":true},{\"name\":\"m\",\"kind\":\"messages\"}],\"nodes\":[");
    for (uint32_t i = 0; i < w->nodes; i++) {
        w->kinds[i] = (kind)below(w, 4);
        w->kinds[i] = w->kinds[i] == ASKS && asks++ ? PLAIN : w->kinds[i];
        at += sprintf(at, "{\"name\":\"n%u\"%s},", i, below(w, 8) == 0 ? ",\"defer\":true" : "");
    }
    w->kinds[below(w, w->nodes)] = SENDS;
    at += sprintf(at, "{\"name\":\"w\"}],\"edges\":[[\"__start__\",\"n0\"]");
    uint32_t joined = w->nodes > 3 && below(w, 2) ? w->nodes - 1 : 0;
    for (uint32_t i = 1; i < w->nodes; i++) {
        uint32_t from = below(w, i + 1);
        if (i != joined) {
            at += from == i ? sprintf(at, ",[\"__start__\",\"n%u\"]", i) : sprintf(at, ",[\"n%u\",\"n%u\"]", from, i);
        }
    }
    at += sprintf(at, "],\"joins\":[");
    if (joined != 0) {
        at += sprintf(at, "[[\"n%u\",\"n%u\"],\"n%u\"]", joined - 1, joined - 2, joined);
    }
    at += sprintf(at, "],\"branches\":[");
    for (uint32_t i = 0, any = 0; i < w->nodes; i++) {
        if (w->kinds[i] == SENDS) {
            at += sprintf(at, "%s{\"from\":\"n%u\",\"ends\":null}", any++ ? "," : "", i);
        }
    }
    sprintf(at, "],\"output\":[\"s\",\"m\"]}");
}

// ---- what a process does

static void say(world *w, const char *format, ...) {
    char line[2560];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    page_line(&w->host, line);
}

static uint32_t key_of(const task *at) { return at->node * 32 + at->argument; }

static void take_task(world *w, const char *line) {
    task at = {0};
    unsigned kind_of, trigger;
    char value[64];
    if (sscanf(line, "TASK %u attempt %u node %u kind %u trigger %u %63s", &at.place, &at.attempt, &at.node, &kind_of, &trigger, value) != 6) {
        return;
    }
    at.argument = at.node == w->nodes + 1 ? (uint32_t)atoi(value) & 31 : 0;
    if (at.node != 0 && w->saved[key_of(&at)]) {
        violate(w, "a task whose result was saved runs again");
    }
    tasks++;
    w->out[w->out_count++ % TASKS] = at;
}

// Lets the engine go on; tells of what is out, what is safe, and whether the run is over: 1 when the thread is at its end.
static int go(world *w) {
    size_t from = w->host.out_size;
    w->refuse = !w->is_calm && below(w, 10) == 0 ? 1 + below(w, 30) : 0;
    page_run(&w->host);
    w->refuse = 0;
    int is_done = 0, is_saved = 0;
    for (const char *line = w->host.out + from; line != NULL && *line != '\0'; line = strchr(line, '\n') == NULL ? NULL : strchr(line, '\n') + 1) {
        take_task(w, line);
        if (strncmp(line, "SAVE ", 5) == 0) {
            saves++;
            is_saved = 1;
        }
        w->is_asked |= strncmp(line, "DONE interrupted", 16) == 0;
        is_done |= strncmp(line, "DONE", 4) == 0 && strncmp(line, "DONE interrupted", 16) != 0;
        if (strncmp(line, "FAIL ", 5) == 0 || (strncmp(line, "STATUS ", 7) == 0 && strncmp(line + 7, "MEMORY_LIMIT", 12) != 0)) {
            violate(w, "an error that nobody injected");
        }
    }
    // Where memory ran out, some of it may not have been said.
    if (is_saved && !w->host.failed) {
        memcpy(w->saved, w->given, sizeof(w->saved));
    }
    return is_done;
}

static void answer(world *w, const task *at) {
    char sends[128] = "";
    uint32_t node = at->node - 1;
    kind of = node < w->nodes ? w->kinds[node] : PLAIN;
    if (at->node == 0) {
        say(w, "result %u %u", at->place, at->attempt);
        return;
    }
    if (of == ASKS) {
        size_t from = w->host.out_size;
        say(w, "ask %u %u interrupt", at->place, at->attempt);
        if (strstr(w->host.out + from, "ANSWER throw") != NULL) {
            questions++;
            say(w, "interrupted %u %u 7", at->place, at->attempt);
            return;
        }
    }
    if (of == CALLS) {
        say(w, "intend %u %u c%u", at->place, at->attempt, key_of(at));
    }
    for (uint32_t i = 0; of == SENDS && i <= node % 3; i++) {
        sprintf(sends + strlen(sends), " send %u %u", w->nodes + 1, node * 3 + i);
    }
    say(w, "result %u %u write 0 %u messages 1 m%u ;%s", at->place, at->attempt, at->node * 7 + at->argument, key_of(at), sends);
    w->given[key_of(at)] = 1;
}

// A process dies; the commit that it was at may have left a part of itself.
static void die(world *w) {
    page *host = &w->host;
    while (host->run > 0) {
        page_leave(host);
    }
    host->failed = host->over = 0;
    host->words = 0;
    memcpy(w->given, w->saved, sizeof(w->given));
    weft_engine_thread_reset(host->engine, host->thread);
    if (broken && host->stored > 0) {
        host->stored -= 1 + below(w, host->stored);
    } else if (!w->is_calm && host->stored > 48 && below(w, 3) == 0) {
        // As the last commit begins, so may the next one have.
        uint32_t torn = 1 + below(w, 40);
        host->store = realloc(host->store, host->stored + torn + 1u);
        memcpy(host->store + host->stored, host->store, torn);
        host->stored += torn;
        tears++;
    }
}

static void begin(world *w) {
    static const char *const durabilities[] = {"sync", "async"};
    const char *durability = durabilities[below(w, 2)];
    w->out_count = 0;
    runs++;
    if (w->host.stored == 0) {
        say(w, "start invoke %s", durability);
        say(w, "input write 2 1");
    } else {
        say(w, "start invoke null %s", durability);
        say(w, "input");
        if (w->is_asked) {
            say(w, "resume 5");
        }
    }
    w->is_asked = 0;
}

// One process: until the thread is over (1), asks, or the process dies.
static int live(world *w) {
    begin(w);
    for (;;) {
        if (go(w)) {
            return 1;
        }
        if (w->host.over || w->host.failed || (!w->is_calm && below(w, 7) == 0)) {
            deaths += !w->host.over;
            return 0;
        }
        uint32_t left = 0, done = 0;
        for (uint32_t i = 0; i < w->out_count; i++) {
            if (below(w, 3) == 0 && (done > 0 || i + 1 < w->out_count)) {
                w->out[left++] = w->out[i];
            } else {
                done++;
                answer(w, &w->out[i]);
            }
        }
        w->out_count = left;
    }
}

static void live_all(world *w, uint32_t seed, int is_calm) {
    memset(&w->host, 0, sizeof(w->host));
    memset(w->given, 0, sizeof(w->given));
    memset(w->saved, 0, sizeof(w->saved));
    w->memory = (weft_memory){.user = w, .alloc = take, .resize = resize, .release = give_back};
    w->random = seed * 2654435761u + 1u + (uint32_t)is_calm;
    w->is_calm = 1;
    w->is_asked = 0;
    w->host.next_slot = 2;
    w->host.tick = 17000000000000000u;
    w->host.engine = weft_engine_new(&w->memory);
    say(w, "%s", w->graph);
    say(w, "thread t");
    w->is_calm = is_calm;
    uint32_t processes = 0;
    while (!live(w)) {
        if (++processes > PROCESSES) {
            violate(w, "the thread does not come to its end");
        }
        w->is_calm |= processes > PROCESSES / 2;
        die(w);
    }
    w->is_calm = 1;
    die(w);
    size_t from = w->host.out_size;
    say(w, "start state");
    say(w, "input");
    page_run(&w->host);
    const char *line = strstr(w->host.out + from, " values ");
    snprintf(w->end, sizeof(w->end), "%.*s", line == NULL ? 0 : (int)strcspn(line, "\n"), line == NULL ? "" : line);
}

static void close_world(world *w) {
    page *host = &w->host;
    while (host->run > 0) {
        page_leave(host);
    }
    weft_engine_free(host->engine);
    for (uint32_t i = 0; i < PAGE_SLOTS; i++) {
        free(host->slots[i]);
    }
    free(host->store);
    free(host->out);
    if (w->memory.live != 0) {
        violate(w, "memory is kept");
    }
}

int main(int count, char **words) {
    static world w;
    uint32_t first = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1;
    uint32_t most = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 1;
    broken = count > 3;
    for (w.seed = first; w.seed < first + most; w.seed++, seeds++) {
        char expected[sizeof(w.end)], *trace = NULL;
        w.random = w.seed * 2246822519u + 7u;
        make_plan(&w);
        live_all(&w, w.seed, 1);
        strcpy(expected, w.end);
        close_world(&w);
        if (w.seed % 16 == 0) {
            live_all(&w, w.seed, 0);
            trace = w.host.out;
            w.host.out = NULL;
            close_world(&w);
        }
        live_all(&w, w.seed, 0);
        if (trace != NULL && strcmp(trace, w.host.out) != 0) {
            violate(&w, "a seed happened in two ways");
        }
        free(trace);
        if (strcmp(expected, w.end) != 0 || expected[0] == '\0') {
            printf("expected %s\nended with %s\n", expected, w.end);
            violate(&w, "the thread ended with another state");
        }
        close_world(&w);
    }
    printf("{\"seeds\":%llu,\"runs\":%llu,\"deaths\":%llu,\"tears\":%llu,\"refusals\":%llu,\"saves\":%llu,\"tasks\":%llu,\"questions\":%llu}\n",
           (unsigned long long)seeds, (unsigned long long)runs, (unsigned long long)deaths, (unsigned long long)tears,
           (unsigned long long)refusals, (unsigned long long)saves, (unsigned long long)tasks, (unsigned long long)questions);
    return 0;
}
