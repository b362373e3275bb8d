// SPDX-License-Identifier: MIT
// T9 of the engine alone: random graphs, natively, hundreds of times as fast as with JavaScript
// around it. A seed's thread is run by processes, often two at once, that die between any two
// events, whose last commit is torn, and to which memory is refused; of two that write one is
// fenced. What must hold is checked where it would break. Usage: simulate <first seed> <seeds>
// [torn | unfenced, the planted bugs]; prints counts, or the violation and its seed.
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
    int is_begun; // its call
} task;

// What is safe of the work that a key names.
enum { SAVED = 1, BEGUN = 2, PERHAPS_BEGUN = 4 };

typedef struct process {
    page host;
    task out[TASKS];
    uint32_t out_count;
    uint8_t known[KEYS]; // what was safe when it last read or wrote the thread
    uint8_t given[KEYS]; // and what is with its next commit
    uint32_t version;    // of the store then
    uint32_t told;       // the place of the task that the engine tells of calls next, and one more
    int is_alive;
} process;

typedef struct world {
    process both[2];
    weft_memory memory;
    uint32_t random, seed, nodes;
    kind kinds[NODES];
    char graph[2048];
    int is_calm;
    uint32_t refuse; // the allocation that is refused, counted from now; 0: none
    uint8_t *store;
    uint32_t stored, acknowledged, ends[64], version;
    uint8_t safe[KEYS];
    int is_asked;
    uint64_t trace; // of all that the engines said
    char end[512];
} world;

static uint64_t seeds, runs, deaths, refusals, tears, saves, tasks, questions, rivals, fenced,
    calls, unknown;
static enum {
    SOUND,
    TORN,
    UNFENCED
} broken; // what was acknowledged is torn too; who is late writes all the same

static uint32_t below(world *w, uint32_t most) {
    w->random = w->random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(w->random >> 8) * most) >> 24);
}

static void violate(const world *w, const char *what) {
    printf("T9: %s (build/native/proof/simulate %u 1)\n%s\n", what, w->seed, w->graph);
    printf("%s---- and the other one:\n%s", w->both[0].host.out,
           w->both[1].host.out == NULL ? "" : w->both[1].host.out);
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

static void *take(void *user, size_t size) {
    return is_refused(user) ? NULL : malloc(size);
}

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
    at += sprintf(at, "graph "
                      "{\"channels\":[{\"name\":\"s\",\"kind\":\"binop\",\"default\":true},{"
                      "\"name\":\"m\",\"kind\":\"messages\"}],\"nodes\":[");
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
            at += from == i ? sprintf(at, ",[\"__start__\",\"n%u\"]", i)
                            : sprintf(at, ",[\"n%u\",\"n%u\"]", from, i);
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

static void say(process *p, const char *format, ...) {
    char line[2560];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    page_line(&p->host, line);
}

static uint32_t key_of(const task *at) {
    return at->node * 32 + at->argument;
}

static void take_task(world *w, process *p, const char *line) {
    task at = {0};
    unsigned kind_of, trigger;
    char value[64];
    if (sscanf(line, "UNKNOWN calls of %u: c", &at.place) == 1) {
        p->told = at.place + 1;
        unknown++;
    }
    if (sscanf(line, "TASK %u attempt %u node %u kind %u trigger %u %63s", &at.place, &at.attempt,
               &at.node, &kind_of, &trigger, value) != 6) {
        return;
    }
    at.argument = at.node == w->nodes + 1 ? (uint32_t)atoi(value) & 31 : 0;
    uint8_t known = p->known[key_of(&at)];
    int is_told = p->told == at.place + 1;
    p->told = 0;
    if (at.node != 0 && (known & SAVED) != 0) {
        violate(w, "a task whose result was saved runs again");
    }
    if ((known & BEGUN) != 0 && !is_told) {
        violate(w, "nobody was told of a call in flight");
    }
    if (is_told && (known & (BEGUN | PERHAPS_BEGUN)) == 0) {
        violate(w, "a call that did not begin is told of");
    }
    tasks++;
    p->out[p->out_count++ % TASKS] = at;
}

static void note(world *w, const char *text) {
    for (; *text != '\0'; text++) {
        w->trace = (w->trace ^ (uint8_t)*text) * 0x100000001b3u;
    }
}

// What the process wrote is the store's, unless somebody else wrote since it read.
static void commit(world *w, process *p) {
    if (p->version != w->version && broken != UNFENCED) {
        fenced++;
        p->is_alive = 0;
        return;
    }
    if (p->host.stored < w->acknowledged ||
        (w->acknowledged > 0 && memcmp(w->store, p->host.store, w->acknowledged) != 0)) {
        violate(w, "an acknowledged commit is lost");
    }
    w->store = realloc(w->store, p->host.stored + 1u);
    memcpy(w->store, p->host.store, p->host.stored);
    w->stored = w->acknowledged = p->host.stored;
    memcpy(w->ends, p->host.ends, sizeof(w->ends));
    p->version = ++w->version;
    // Where memory ran out, some of it may not have been said.
    for (uint32_t i = 0; i < KEYS; i++) {
        uint8_t perhaps = (p->given[i] & BEGUN) != 0 ? PERHAPS_BEGUN : 0;
        p->known[i] |= p->host.failed ? perhaps : p->given[i];
    }
    memcpy(w->safe, p->known, sizeof(w->safe));
}

// Lets the engine go on; tells of what is out, what is safe, and whether the run is over: 1 when
// the thread is at its end.
static int go(world *w, process *p) {
    size_t from = p->host.out_size;
    w->refuse = !w->is_calm && below(w, 10) == 0 ? 1 + below(w, 30) : 0;
    page_run(&p->host);
    w->refuse = 0;
    int is_done = 0, is_saved = 0, begins = 0, asks = 0;
    note(w, p->host.out + from);
    for (const char *line = p->host.out + from; line != NULL && *line != '\0';
         line = strchr(line, '\n') == NULL ? NULL : strchr(line, '\n') + 1) {
        take_task(w, p, line);
        if (strncmp(line, "SAVE ", 5) == 0) {
            saves++;
            is_saved = 1;
        }
        begins |= strncmp(line, "INTENDED", 8) == 0;
        asks |= strncmp(line, "DONE interrupted", 16) == 0;
        is_done |= strncmp(line, "DONE", 4) == 0 && strncmp(line, "DONE interrupted", 16) != 0;
        if (strncmp(line, "FAIL ", 5) == 0 ||
            (strncmp(line, "STATUS ", 7) == 0 && strncmp(line + 7, "MEMORY_LIMIT", 12) != 0)) {
            violate(w, "an error that nobody injected");
        }
    }
    if (begins && !is_saved && !p->host.failed) {
        violate(w, "a call begins before the log says so");
    }
    if (is_saved) {
        commit(w, p);
    }
    w->is_asked |= asks && p->is_alive;
    return is_done && p->is_alive;
}

static void answer(world *w, process *p, task *at) {
    char sends[128] = "";
    uint32_t node = at->node - 1;
    kind of = node < w->nodes ? w->kinds[node] : PLAIN;
    if (at->node == 0) {
        say(p, "result %u %u", at->place, at->attempt);
        return;
    }
    if (of == ASKS) {
        size_t from = p->host.out_size;
        say(p, "ask %u %u interrupt", at->place, at->attempt);
        if (strstr(p->host.out + from, "ANSWER throw") != NULL) {
            questions++;
            say(p, "interrupted %u %u 7", at->place, at->attempt);
            return;
        }
    }
    // Most calls take their time: the process may die before they end.
    if (of == CALLS && !at->is_begun) {
        int was_begun = (p->known[key_of(at)] & BEGUN) != 0;
        calls++;
        say(p, "%s %u %u c%u", was_begun && below(w, 2) ? "doubt" : "intend", at->place,
            at->attempt, key_of(at));
        p->given[key_of(at)] |= BEGUN;
        at->is_begun = 1;
        if (below(w, 4) > 0) {
            p->out[p->out_count++ % TASKS] = *at;
            return;
        }
    }
    for (uint32_t i = 0; of == SENDS && i <= node % 3; i++) {
        sprintf(sends + strlen(sends), " send %u %u", w->nodes + 1, node * 3 + i);
    }
    say(p, "result %u %u write 0 %u messages 1 m%u ;%s", at->place, at->attempt,
        at->node * 7 + at->argument, key_of(at), sends);
    p->given[key_of(at)] |= SAVED;
}

// A process dies; the commit that it was at may have left a part of itself.
static void die(world *w, process *p) {
    page *host = &p->host;
    while (host->run > 0) {
        page_leave(host);
    }
    host->failed = host->over = 0;
    host->words = 0;
    p->is_alive = 0;
    weft_engine_thread_reset(host->engine, host->thread);
    if (p->version != w->version) {
        return;
    }
    if (broken == TORN && w->stored > 0) {
        w->stored -= 1 + below(w, w->stored);
    } else if (!w->is_calm && w->stored > 48 && below(w, 3) == 0) {
        // As the last commit begins, so may the next one have.
        uint32_t torn = 1 + below(w, 40);
        w->store = realloc(w->store, w->stored + torn + 1u);
        memcpy(w->store + w->stored, w->store, torn);
        w->stored += torn;
        tears++;
    }
}

static void read_store(world *w, process *p) {
    page *host = &p->host;
    host->store = realloc(host->store, w->stored + 1u);
    host->stored = w->stored;
    if (w->stored > 0) {
        memcpy(host->store, w->store, w->stored);
    }
    memcpy(host->ends, w->ends, sizeof(w->ends));
    memcpy(p->known, w->safe, sizeof(w->safe));
    memset(p->given, 0, sizeof(p->given));
    p->version = w->version;
    p->out_count = p->told = 0;
    p->is_alive = 1;
}

static void begin(world *w, process *p, int is_asked) {
    static const char *const durabilities[] = {"sync", "async"};
    const char *durability = durabilities[below(w, 2)];
    read_store(w, p);
    runs++;
    if (w->stored == 0) {
        say(p, "start invoke %s", durability);
        say(p, "input write 2 1");
        return;
    }
    say(p, "start invoke null %s", durability);
    say(p, "input");
    if (is_asked) {
        say(p, "resume 5");
    }
}

// A process goes on for a while: until the thread is over (1), it asks, dies, is fenced, or waits
// for somebody.
static int live(world *w, process *p) {
    if (go(w, p)) {
        return 1;
    }
    if (p->host.over || p->host.failed || !p->is_alive || (!w->is_calm && below(w, 7) == 0)) {
        deaths += !p->host.over && p->is_alive;
        die(w, p);
        return 0;
    }
    task out[TASKS];
    uint32_t count = p->out_count, done = 0;
    memcpy(out, p->out, sizeof(out));
    p->out_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (below(w, 3) == 0 && (done > 0 || i + 1 < count)) {
            p->out[p->out_count++] = out[i];
        } else {
            done++;
            answer(w, p, &out[i]);
        }
    }
    return 0;
}

// One process or two at once, until each is dead or waits for a person; returns whether the thread
// is over.
static int live_both(world *w) {
    int is_asked = w->is_asked;
    uint32_t count = !w->is_calm && w->stored > 0 && below(w, 3) == 0 ? 2 : 1;
    w->is_asked = 0;
    rivals += count - 1;
    for (uint32_t i = 0; i < count; i++) {
        begin(w, &w->both[i], is_asked);
    }
    int is_over = 0;
    while (!is_over && (w->both[0].is_alive || w->both[1].is_alive)) {
        process *p = &w->both[count > 1 ? below(w, 2) : 0];
        is_over = p->is_alive && live(w, p);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (w->both[i].is_alive) {
            die(w, &w->both[i]);
        }
    }
    return is_over;
}

static void open_world(world *w, uint32_t seed, int is_calm) {
    memset(w->both, 0, sizeof(w->both));
    memset(w->safe, 0, sizeof(w->safe));
    memset(w->ends, 0, sizeof(w->ends));
    w->memory = (weft_memory){.user = w, .alloc = take, .resize = resize, .release = give_back};
    w->random = seed * 2654435761u + 1u + (uint32_t)is_calm;
    w->is_calm = 1;
    w->stored = w->acknowledged = w->version = 0;
    w->is_asked = 0;
    w->trace = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < 2 - (uint32_t)is_calm; i++) {
        page *host = &w->both[i].host;
        host->next_slot = 2;
        host->tick = 17000000000000000u;
        host->engine = weft_engine_new(&w->memory);
        say(&w->both[i], "%s", w->graph);
        say(&w->both[i], "thread t");
    }
    w->is_calm = is_calm;
}

static void live_all(world *w, uint32_t seed, int is_calm) {
    open_world(w, seed, is_calm);
    uint32_t count = 0;
    while (!live_both(w)) {
        if (++count > PROCESSES) {
            violate(w, "the thread does not come to its end");
        }
        w->is_calm |= count > PROCESSES / 2;
    }
    w->is_calm = 1;
    process *reader = &w->both[0];
    read_store(w, reader);
    size_t from = reader->host.out_size;
    say(reader, "start state");
    say(reader, "input");
    page_run(&reader->host);
    const char *line = strstr(reader->host.out + from, " values ");
    snprintf(w->end, sizeof(w->end), "%.*s", line == NULL ? 0 : (int)strcspn(line, "\n"),
             line == NULL ? "" : line);
}

static void close_world(world *w) {
    for (uint32_t n = 0; n < 2; n++) {
        page *host = &w->both[n].host;
        while (host->run > 0) {
            page_leave(host);
        }
        if (host->engine != NULL) {
            weft_engine_free(host->engine);
        }
        for (uint32_t i = 0; i < PAGE_SLOTS; i++) {
            free(host->slots[i]);
        }
        free(host->store);
        free(host->out);
        host->out = NULL;
    }
    free(w->store);
    w->store = NULL;
    if (w->memory.live != 0) {
        violate(w, "memory is kept");
    }
}

static void print_counts(void) {
    const struct {
        const char *what;
        uint64_t count;
    } counts[] = {{"seeds", seeds},   {"runs", runs},           {"deaths", deaths},
                  {"tears", tears},   {"refusals", refusals},   {"saves", saves},
                  {"tasks", tasks},   {"questions", questions}, {"rivals", rivals},
                  {"fenced", fenced}, {"calls", calls},         {"unknown", unknown}};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        printf("%s\"%s\":%llu", i == 0 ? "{" : ",", counts[i].what,
               (unsigned long long)counts[i].count);
    }
    printf("}\n");
}

int main(int count, char **words) {
    static world w;
    uint32_t first = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1;
    uint32_t most = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 1;
    broken = count < 4 ? SOUND : strcmp(words[3], "torn") == 0 ? TORN : UNFENCED;
    for (w.seed = first; w.seed < first + most; w.seed++, seeds++) {
        char expected[sizeof(w.end)];
        w.random = w.seed * 2246822519u + 7u;
        make_plan(&w);
        live_all(&w, w.seed, 1);
        strcpy(expected, w.end);
        close_world(&w);
        live_all(&w, w.seed, 0);
        if (strcmp(expected, w.end) != 0 || expected[0] == '\0') {
            printf("expected %s\nended with %s\n", expected, w.end);
            violate(&w, "the thread ended with another state");
        }
        uint64_t trace = w.trace;
        close_world(&w);
        if (w.seed % 16 == 0) {
            live_all(&w, w.seed, 0);
            if (trace != w.trace) {
                violate(&w, "a seed happened in two ways");
            }
            close_world(&w);
        }
    }
    print_counts();
    return 0;
}
