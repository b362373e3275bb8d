// SPDX-License-Identifier: MIT
// T12: every hostile input of docs/reliability.md 2 that reaches the engine, in one engine with a
// budget of 64 MB that has a thread. Prints for each row what became of it, the most memory that it
// took and the processor's time; behind each row the engine holds what it held before, and the
// thread's state is what it was.
#include <time.h>

#ifdef __wasi__
__attribute__((import_module("host"), import_name("cpu_ms"))) extern double host_cpu_ms(void);
#endif

#define PAGE_SLOTS 8192
#define PAGE_WORDS (1u << 19)
#include "script.h"

#include "base/hash.h"
#include "hostile_rows.h"
#include "log/index.h"
#include "log/writer.h"

#define BUDGET (64u << 20)

static weft_memory memory;
static size_t most;
static weft_engine *engine;
static uint32_t *area;
static uint32_t area_words;

static void *heap_alloc(void *user, size_t size) {
    (void)user;
    most = memory.live + size > most ? memory.live + size : most;
    return malloc(size);
}

static void *heap_resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    size_t live = memory.live - old_size + new_size;
    most = live > most ? live : most;
    return realloc(block, new_size);
}

static void heap_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

// Milliseconds of the process on the processor.
static double clock_ms(void) {
#ifdef __wasi__
    return host_cpu_ms();
#else
    return (double)clock() * 1000 / CLOCKS_PER_SEC;
#endif
}

// ---- texts

static char *made;
static size_t made_length, made_capacity;

static void add(const char *text, size_t length) {
    if (made_length + length > made_capacity) {
        made_capacity = (made_length + length) * 2;
        made = realloc(made, made_capacity);
    }
    if (length > 0) {
        memcpy(made + made_length, text, length);
    }
    made_length += length;
}

static void add_times(part unit, uint32_t times, int numbers) {
    for (uint32_t i = 0; i < times; i++) {
        size_t done = 0;
        for (size_t at = 0; numbers && at < unit.length; at++) {
            if (unit.text[at] == '%' || unit.text[at] == '@') {
                char digits[16];
                int length =
                    snprintf(digits, sizeof(digits), "%u", (unsigned)(i + (unit.text[at] == '@')));
                add(unit.text + done, at - done);
                add(digits, (size_t)length);
                done = at + 1;
            }
        }
        add(unit.text + done, unit.length - done);
    }
}

static void make_text(const text_row *row) {
    made_length = 0;
    add(row->before.text, row->before.length);
    add_times(row->unit, row->times, 1);
    add(row->middle.text, row->middle.length);
    add_times(row->close, row->times, 0);
    add(row->after.text, row->after.length);
}

// ---- batches

static void put(uint32_t word) {
    area = realloc(area, (area_words + 1u) * sizeof(*area));
    area[area_words++] = word;
}

static void put_bytes(const char *text, size_t length) {
    put((uint32_t)length);
    area = realloc(area, (area_words + length / 4 + 1) * sizeof(*area));
    area[area_words + length / 4] = 0;
    memcpy(area + area_words, text, length);
    area_words += (uint32_t)(length + 3) / 4;
}

static const uint32_t *words_of(const uint8_t *lent) {
    return (const uint32_t *)(const void *)lent;
}

// ---- rows

static double worst_ms;
static size_t worst_bytes;
static int wrong;
static page host;

static double began;
static size_t held;

static void print_state(char out[256]) {
    size_t before = host.out_size;
    char line[64] = "start state";
    page_line(&host, line);
    strcpy(line, "input");
    page_line(&host, line);
    page_run(&host);
    snprintf(out, 256, "%s", host.out + before);
    host.out_size = before;
    while (host.run > 0) {
        page_leave(&host);
    }
}

static void begin(void) {
    held = most = memory.live;
    began = clock_ms();
}

static void end(const char *title, const char *expected, const char *outcome) {
    static char state[256];
    char now[256];
    double took = clock_ms() - began;
    size_t bytes = most - held;
    int grew = memory.live > held + 1024; // the words of the last error are kept
    print_state(now);
    int moved = state[0] != '\0' && strcmp(state, now) != 0;
    strcpy(state, now);
    int other = strncmp(expected, outcome, strlen(expected)) != 0;
    wrong += other || grew || moved;
    worst_ms = took > worst_ms ? took : worst_ms;
    worst_bytes = bytes > worst_bytes ? bytes : worst_bytes;
    printf("%s | %s%s%s%s%s | %.1f ms | %lu bytes\n", title, outcome, other ? ", expected " : "",
           other ? expected : "", grew ? ", and memory is kept" : "",
           moved ? ", and the state is another" : "", took, (unsigned long)bytes);
}

static const char *code_of(int status) {
    return status >= 0 ? "runs" : weft_status_code((weft_status)status);
}

static void plan_row(const text_row *row) {
    static const char tools[] = "[{\"name\":\"any\",\"schema\":{\"type\":\"object\"}}]";
    make_text(row);
    area_words = 0;
    uint32_t head[] = {1, WEFT_PLAN_RAW, 1, 2, 0, WEFT_CALL_HAS_ID};
    for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++) {
        put(head[i]);
    }
    put_bytes("any", 3);
    put_bytes("1", 1);
    put_bytes(made, made_length);
    begin();
    int set = weft_engine_toolset_new(engine, tools, sizeof(tools) - 1);
    const uint8_t *plan = weft_engine_toolset_plan(engine, set, area, area_words);
    const char *outcome =
        plan == NULL ? "MEMORY_LIMIT"
                     : code_of((int32_t)words_of(plan)[0] != 0 ? (int32_t)words_of(plan)[0]
                                                               : (int32_t)words_of(plan)[2]);
    weft_engine_toolset_free(engine, set);
    end(row->title, row->expected, outcome);
}

static const char *verdict_of(int schema, uint32_t length) {
    const uint8_t *block = NULL;
    int verdict = weft_engine_schema_check(engine, schema, area, length, 0, 3, 0, &block);
    if (verdict != 0) {
        return verdict == 1 ? "fits" : code_of(verdict);
    }
    return words_of(block)[0] != 0 ? code_of((int32_t)words_of(block)[0])
           : words_of(block)[1]    ? "fits"
                                   : "does not fit";
}

static void schema_row_of(const schema_row *row) {
    make_text(&row->value);
    area_words = 0;
    put_bytes(made, made_length);
    memmove(area, area + 1, (area_words - 1) * sizeof(*area));
    uint32_t length = (uint32_t)made_length;
    make_text(&row->schema);
    char *wrapped = malloc(made_length + 16);
    int size = snprintf(wrapped, 12, "{\"schema\":");
    memcpy(wrapped + size, made, made_length);
    wrapped[(size_t)size + made_length] = '}';
    begin();
    int schema = weft_engine_schema_new(engine, wrapped, (size_t)size + made_length + 1);
    const char *outcome = schema < 0 ? code_of(schema) : verdict_of(schema, length);
    if (schema > 0) {
        weft_engine_schema_free(engine, schema);
    }
    free(wrapped);
    end(row->schema.title, row->schema.expected, outcome);
}

#include "hostile_runs.h"

static const char opening[] = "graph "
                              "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"},{\"name\":\"s\","
                              "\"kind\":\"binop\",\"default\":true}],\"nodes\":[{\"name\":\"a\"},"
                              "{\"name\":\"b\"}],\"edges\":[[\"__start__\",\"a\"],[\"a\",\"b\"]],"
                              "\"branches\":[{\"from\":\"b\",\"ends\":null}],\"output\":[\"n\"]}\n"
                              "thread t\nstart invoke\ninput write 2 1\ngo\nresult 0 1 write 0 "
                              "1\ngo\nresult 0 1 write 0 2\ngo\n";

int main(void) {
    memory = (weft_memory){
        .alloc = heap_alloc, .resize = heap_resize, .release = heap_release, .budget = BUDGET};
    host.next_slot = 2;
    host.tick = 17000000000000000u;
    engine = host.engine = weft_engine_new(&memory);
    say_all(opening);
    for (size_t i = 0; i < sizeof(arguments) / sizeof(*arguments); i++) {
        plan_row(&arguments[i]);
    }
    for (size_t i = 0; i < sizeof(schemas) / sizeof(*schemas); i++) {
        schema_row_of(&schemas[i]);
    }
    run_rows();
    printf("%d wrong, worst %.1f ms, %lu bytes\n", wrong, worst_ms, (unsigned long)worst_bytes);
    return wrong != 0;
}
