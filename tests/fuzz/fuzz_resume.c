// SPDX-License-Identifier: MIT
// T11: any sequence of results, questions, answers, tool calls, crashes and new runs, in and out of
// season. What the engine made a host save can be read again, whatever came before.
#include "host.h"

#define MOST 64

// T: a task, A: an attempt, V: a value, N: a node.
static const char *const lines[] = {
    "go",
    "result T A write 0 V",
    "result T A write 0 V write 2 V branch 0 N",
    "result T A messages 1 V V ; send N V",
    "result T A goto N overwrite 2 V",
    "error T A",
    "interrupted T A V",
    "ask T A interrupt",
    "ask T A id",
    "intend T A cV",
    "doubt T A cV",
    "decided T A cV",
    "reopen",
    "start invoke null\ninput",
    "start invoke null\ninput\nresume V",
    "start invoke null exit\ninput\nresume V",
    "start invoke updates\ninput write 4 V",
    "start invoke sync before=all\ninput write 4 V",
    "start state\ninput",
    "start history\ninput",
    "start update as=N\ninput write 0 V",
    "start update copy\ninput",
    "resume V",
    "abort",
    "call T A fV",
    "aside T A fV",
    "retry T A 2 0 1 1 1",
    "woke T A",
    "expire T A 1 1 2 2",
    "bubble T A",
    "shown T A",
    "child T A invoke null asks\ninput",
    "child T A invoke stable\ninput write 4 V",
    "outer",
    "drain",
    "spend 1 1 x",
    "namespace",
};

// The log of the page shows the lines too: it is printed when the demand is not met.
static void say(page *host, const char *pattern, fuzz_bytes *from) {
    char line[256];
    uint32_t length = 0;
    uint32_t choice = fuzz_byte(from);
    for (const char *at = pattern; *at != '\0'; at++) {
        int plain =
            at != pattern && at[-1] != ' ' && at[-1] != 'c' && at[-1] != 'f' && at[-1] != '=';
        int number = *at == 'T'   ? (int)(choice & 3)
                     : *at == 'A' ? 1 + (int)(choice >> 2 & 1)
                     : *at == 'V' ? (int)(choice >> 3 & 3)
                     : *at == 'N' ? (int)(choice >> 5 & 3)
                                  : -1;
        line[length++] = (char)(number < 0 || plain ? *at : '0' + number);
    }
    line[length] = '\0';
    page_print(host, "> %s\n", line);
    page_say(host, line);
}

// RESUME_MAP for the question with the id that page_outcome gives, or for another.
static void answer_by_id(page *host, fuzz_bytes *from) {
    uint32_t mark = page_open(host, WEFT_EVENT_RESUME_MAP, 0);
    page_put(host, 1);
    uint32_t id = fuzz_byte(from) & 1 ? 0x11111111u : 0;
    for (int i = 0; i < 4; i++) {
        page_put(host, id);
    }
    page_put(host, 9);
    page_close(host, mark);
}

static void step(page *host, fuzz_bytes *from) {
    uint32_t op = fuzz_byte(from) % (sizeof(lines) / sizeof(*lines) + 1);
    if (op == sizeof(lines) / sizeof(*lines)) {
        answer_by_id(host, from);
        return;
    }
    const char *line = lines[op];
    int starts = strncmp(line, "start", 5) == 0 || strcmp(line, "reopen") == 0;
    int inner = strncmp(line, "child", 5) == 0;
    if ((host->run <= 0 && !starts) || (host->over && !starts && strcmp(line, "outer") != 0) ||
        (inner && host->depth >= 3) || (strcmp(line, "outer") == 0 && host->depth == 0)) {
        return;
    }
    // A process that dies takes its runs with it.
    while (strcmp(line, "reopen") == 0 && host->run > 0) {
        page_leave(host);
    }
    say(host, line, from);
    if (starts && host->run > 0 && !host->over) {
        page_run(host);
    }
}

// A new process reads the thread; a failure that it tells must be the allowed one.
static void read_again(page *host, const char *line, const char *allowed) {
    size_t before = host->out_size;
    page_say(host, "reopen");
    page_say(host, line);
    page_say(host, "input\ngo");
    const char *told = host->out + before;
    int fails = strstr(told, "FAIL") != NULL && (allowed == NULL || strstr(told, allowed) == NULL);
    if (fails || strstr(told, "STATUS") != NULL || host->broken) {
        fprintf(stderr, "%s", host->out);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes from = {data, size};
    weft_memory memory = fuzz_memory();
    page *host = page_of(&memory);
    page_say(host, HOST_GRAPH);
    page_say(host, "thread t");
    page_say(host, "start invoke\ninput write 4 1\ngo");
    for (uint32_t i = 0; i < MOST && from.left > 0 && !host->failed; i++) {
        step(host, &from);
    }
    demand(!host->failed);
    page_print(host, "\nAT THE END\n");
    read_again(host, "start history", NULL);
    // The state shows the finished tasks' writes as the step's end would apply them: two of them to
    // one channel cannot be.
    read_again(host, "start state", "FAIL INVALID_CONCURRENT_GRAPH_UPDATE");
    page_end(host);
    demand(memory.live == 0);
    return 0;
}
