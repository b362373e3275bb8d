// SPDX-License-Identifier: MIT
// The hostile inputs of docs/reliability.md 2 that are runs, logs and answers. A part of hostile.c.
#ifndef WEFT_TEST_HOSTILE_RUNS_H
#define WEFT_TEST_HOSTILE_RUNS_H

static void say(const char *text) {
    char line[512];
    strcpy(line, text);
    page_line(&host, line);
}

static void say_all(const char *script) {
    char line[512];
    while (*script != '\0') {
        size_t length = strcspn(script, "\n");
        memcpy(line, script, length);
        line[length] = '\0';
        page_line(&host, line);
        script += length + (script[length] == '\n');
    }
}

// What the page's log says: the code of FAIL or STATUS, else its last line.
static const char *ending(size_t from) {
    static char code[64];
    char *line = host.out + from, *last = line;
    for (; line != NULL && *line != '\0' && strncmp(last, "FAIL ", 5) != 0 &&
           strncmp(last, "STATUS ", 7) != 0;
         line = strchr(line, '\n') == NULL ? NULL : strchr(line, '\n') + 1) {
        last = line;
    }
    size_t length = strcspn(last, "\n");
    length = length < sizeof(code) - 1 ? length : sizeof(code) - 1;
    memcpy(code, last, length);
    code[length] = '\0';
    return strncmp(code, "FAIL ", 5) == 0     ? strtok(code + 5, " ")
           : strncmp(code, "STATUS ", 7) == 0 ? code + 7
                                              : code;
}

// ---- runs of a thread of their own, which the row throws away

typedef struct run_row {
    const char *title, *expected, *script;
} run_row;

#define START "thread u\nstart invoke\ninput write 2 1\ngo\n"

#define ASKED START "interrupted 0 1 7\ngo\nstart invoke null\ninput\nresume 1\ngo\n"
#define LOOP                                                                                       \
    "graph "                                                                                       \
    "{\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],\"nodes\":[{\"name\":\"a\"}],\"edges\":[[" \
    "\"__start__\",\"a\"],[\"a\",\"a\"]],\"output\":[\"n\"]}\n"

static const run_row runs[] = {
    {"a result of a task that is none", "BAD_EVENT", START "result 9 1 write 0 1\ngo"},
    {"a result of an old attempt", "BAD_EVENT", START "result 0 7 write 0 1\ngo"},
    {"a write to no channel", "BAD_EVENT", START "result 0 1 write 99 1\ngo"},
    {"a write to a channel of the engine's", "BAD_EVENT", START "result 0 1 write 6 1\ngo"},
    {"a list for a channel of one value", "BAD_EVENT", START "result 0 1 messages 0 1 ;\ngo"},
    {"a Send to no node", "BAD_EVENT", START "result 0 1 send 99 1\ngo"},
    {"a Command to no node", "BAD_EVENT", START "result 0 1 goto 99\ngo"},
    {"an answer to another thread's question", "EMPTY_INPUT",
     "thread u\nstart invoke null\ninput\nresume 1\ngo"},
    {"an answer used twice", "ANSWER throw", ASKED "ask 0 1 interrupt\nask 0 1 interrupt"},
    {"an answer asked for by no task", "ANSWER BAD_EVENT", ASKED "ask 7 1 interrupt"},
    {"an answer asked for by an old attempt", "ANSWER BAD_EVENT", ASKED "ask 0 9 interrupt"},
    {"a decision about nothing", "INTENDED 1", START "decided 0 1 x\ngo"},
    {"a tool call of an old attempt", "INTENDED", START "intend 0 7 x\ngo"},
    {"a loop without an end", "GRAPH_RECURSION_LIMIT",
     LOOP "thread u\nstart invoke limit=2\ninput write 1 1\ngo\nresult 0 1\ngo\nresult 0 "
          "1\ngo\nresult 0 1\ngo"},
};

static void run_row_of(const run_row *row) {
    int thread = host.thread, graph = host.graph;
    uint8_t *store = host.store;
    uint32_t stored = host.stored, ends[64];
    memcpy(ends, host.ends, sizeof(ends));
    size_t from = host.out_size;
    host.store = NULL;
    host.stored = 0;
    begin();
    say_all(row->script);
    const char *outcome = ending(from);
    while (host.run > 0) {
        page_leave(&host);
    }
    if (host.graph != graph) {
        weft_engine_graph_free(engine, host.graph);
        host.graph = graph;
    }
    weft_engine_thread_free(engine, host.thread);
    free(host.store);
    host.thread = thread;
    host.store = store;
    host.stored = stored;
    memcpy(host.ends, ends, sizeof(ends));
    host.out_size = from;
    end(row->title, row->expected, outcome);
}

// A node that sends to 100,000 others.
static void many_sends(void) {
    int thread = host.thread;
    host.thread = 0;
    size_t from = host.out_size;
    begin();
    say("start invoke limit=5");
    say("input write 2 1");
    say("go");
    uint32_t mark = page_open(&host, WEFT_EVENT_RESULT, 0);
    page_put(&host, 0);
    page_put(&host, 1);
    page_put(&host, 100000);
    for (uint32_t i = 0; i < 100000; i++) {
        page_put(&host, WEFT_ENTRY_SEND);
        page_put(&host, 2);
        page_put(&host, i << 3 | 1);
    }
    page_close(&host, mark);
    page_run(&host);
    const char *outcome = ending(from);
    page_leave(&host);
    host.thread = thread;
    host.out_size = from;
    end("100,000 Sends", "TASK 100000 attempt 1 node 1 kind 0 trigger 3 absent", outcome);
}

// ---- logs

static uint8_t *log_bytes;
static uint32_t log_length;

static void seal_header(uint8_t *frame) {
    uint32_t crc = weft_hash_crc32c(0, frame, 40);
    memcpy(frame + 40, &crc, 4);
}

static void put_word(uint8_t *at, uint32_t word) {
    memcpy(at, &word, 4);
}

static void seal_body(uint8_t *frame, uint32_t length) {
    put_word(frame + 44 + length,
             weft_hash_crc32c(weft_hash_crc32c(0, frame, 40), frame + 44, length));
}

static void wrong_magic(uint8_t *log) {
    log[0] ^= 1;
}

static void newer_format(uint8_t *log) {
    log[4] = WEFT_LOG_FORMAT_TIMED + 1;
    seal_header(log);
}

static void unknown_kind(uint8_t *log) {
    log[5] = 99;
    seal_header(log);
}

static void endless(uint8_t *log) {
    put_word(log + 8, 0xffffffffu);
    seal_header(log);
}

static uint8_t *last_frame(uint8_t *log) {
    uint8_t *at = log;
    for (;;) {
        uint32_t length;
        memcpy(&length, at + 8, 4);
        if (at + 48 + length >= log + log_length) {
            return at;
        }
        at += 48 + length;
    }
}

static void last_endless(uint8_t *log) {
    endless(last_frame(log));
}

// The body is read by someone who knows the sums: a body of ones, in a frame that is sound.
static void huge_counts(uint8_t *log) {
    uint8_t *at = last_frame(log);
    uint32_t length;
    memcpy(&length, at + 8, 4);
    memset(at + 44, 0xff, length);
    seal_body(at, length);
}

// The last record names another one before it.
static void fork_of(uint8_t *log) {
    uint8_t *at = last_frame(log);
    uint32_t length;
    memcpy(&length, at + 8, 4);
    put_word(at + 36, 0x12345678u);
    seal_header(at);
    seal_body(at, length);
}

static void other_thread(uint8_t *log) {
    log[20] ^= 1;
    seal_header(log);
}

static const struct {
    const char *title, *expected;
    void (*damage)(uint8_t *log);
} damages[] = {
    {"a log with a wrong magic", "CORRUPT_LOG", wrong_magic},
    {"a log of a newer format", "LOG_FORMAT", newer_format},
    {"a record of an unknown kind", "LOG_FORMAT", unknown_kind},
    {"a first record without an end", "CORRUPT_LOG", endless},
    {"a last record without an end", "DONE", last_endless},
    {"counts that overflow", "CORRUPT_LOG", huge_counts},
    {"a record of another fork", "CORRUPT_LOG", fork_of},
    {"a record of another thread", "WRONG_THREAD", other_thread},
};

// The log is opened, and its end told: `log_bytes` is what became of it.
static const char *read_log(void) {
    uint8_t *store = host.store;
    uint32_t stored = host.stored;
    size_t from = host.out_size;
    int thread = host.thread;
    host.store = log_bytes;
    host.stored = log_length;
    host.thread = weft_engine_thread_open(engine, "t", 1);
    say("start state");
    say("input");
    say("go");
    const char *outcome = host.failed ? "MEMORY_LIMIT" : ending(from);
    while (host.run > 0) {
        page_leave(&host);
    }
    weft_engine_thread_free(engine, host.thread);
    log_bytes = host.store;
    host.thread = thread;
    host.store = store;
    host.stored = stored;
    host.out_size = from;
    host.failed = 0;
    return outcome;
}

static void open_log(const char *title, const char *expected) {
    begin();
    const char *outcome = read_log();
    end(title, expected, outcome);
}

// A log of records that each say nearly nothing.
static void tiny_records(uint32_t count) {
    weft_memory own = {.alloc = heap_alloc, .resize = heap_resize, .release = heap_release};
    weft_buffer buffer;
    weft_log_chain chain;
    uint8_t hash[WEFT_LOG_THREAD_BYTES];
    weft_buffer_init(&buffer, &own);
    weft_log_thread_hash("t", 1, hash);
    weft_log_chain_init(&chain, hash, (weft_log_anchor){0, 0});
    for (uint32_t i = 0; i < count; i++) {
        weft_log_writer writer;
        uint32_t mark = weft_log_frame_begin(&buffer);
        weft_log_writer_init(&writer, &buffer, chain.last.seq + 1);
        weft_log_put_trim(&writer, (weft_log_anchor){0, 0});
        weft_log_frame_end(&buffer, mark, WEFT_LOG_TRIM, &chain);
    }
    log_length = buffer.length;
    log_bytes = malloc(log_length);
    memcpy(log_bytes, buffer.bytes, log_length);
    weft_buffer_fini(&buffer);
}

// The thread's log, to which records of writes are put.
typedef struct longer_log {
    weft_memory memory;
    weft_buffer buffer;
    weft_log_chain chain;
    uint8_t on[16];
} longer_log;

static void longer_begin(longer_log *log) {
    weft_log_index index;
    uint8_t hash[WEFT_LOG_THREAD_BYTES];
    log->memory =
        (weft_memory){.alloc = heap_alloc, .resize = heap_resize, .release = heap_release};
    weft_log_thread_hash("t", 1, hash);
    weft_log_index_init(&index, &log->memory, (weft_log_anchor){0, 0}, 1);
    wrong += weft_log_index_load(&index, (weft_log_span){host.store, host.stored}, hash) != WEFT_OK;
    weft_log_chain_init(&log->chain, hash, index.last);
    memcpy(log->on, weft_log_index_newest_id(&index), 16);
    weft_buffer_init(&log->buffer, &log->memory);
    weft_buffer_append(&log->buffer, host.store, host.stored);
    weft_log_index_fini(&index);
}

// A write that waits at the newest checkpoint.
static void longer_put(longer_log *log, weft_log_write write) {
    weft_log_writer writer;
    weft_log_task task = {.key = {.kind = WEFT_LOG_TASK_NULL}, .count = 1};
    uint32_t mark = weft_log_frame_begin(&log->buffer);
    weft_log_writer_init(&writer, &log->buffer, log->chain.last.seq + 1);
    weft_log_put_writes(&writer, (weft_log_text){(const uint8_t *)"", 0}, log->on);
    weft_log_put_count(&writer, 1);
    weft_log_put_task(&writer, &task);
    weft_log_put_write(&writer, &write);
    if (writer.patched) {
        weft_log_frame_patched(&log->buffer, mark, writer.patched);
    }
    wrong += weft_log_frame_end(&log->buffer, mark, WEFT_LOG_WRITES, &log->chain) != WEFT_OK;
}

static void longer_open(longer_log *log, const char *title, const char *expected) {
    log_length = log->buffer.length;
    log_bytes = malloc(log_length);
    memcpy(log_bytes, log->buffer.bytes, log_length);
    weft_buffer_fini(&log->buffer);
    // The table of values keeps the size that it grew to.
    read_log();
    open_log(title, expected);
    free(log_bytes);
}

// A record of writes that go on with a list that never began.
static void lost_list(void) {
    longer_log log;
    longer_begin(&log);
    longer_put(&log, (weft_log_write){.channel = {(const uint8_t *)"n", 1},
                                      .index = -1,
                                      .value = {.form = WEFT_LOG_IMMEDIATE, .word = 9}});
    longer_open(&log, "a write that goes on with no list", "DONE");
}

#include "hostile_patches.h"

static void log_rows(void) {
    lost_list();
    patch_rows();
    for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
        log_length = host.stored;
        log_bytes = malloc(log_length);
        memcpy(log_bytes, host.store, log_length);
        damages[i].damage(log_bytes);
        open_log(damages[i].title, damages[i].expected);
        free(log_bytes);
    }
    tiny_records(100000);
    open_log("100,000 tiny records", "DONE");
    free(log_bytes);
    tiny_records(1000000);
    open_log("1,000,000 tiny records", "MEMORY_LIMIT");
    free(log_bytes);
}

static void run_rows(void) {
    for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
        run_row_of(&runs[i]);
    }
    many_sends();
    log_rows();
}

#endif
