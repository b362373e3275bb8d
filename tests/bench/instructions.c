// SPDX-License-Identifier: MIT
// What the engine does for a chain and a loop, played by the host of the spec pages, for callgrind
// to count: memory and the copying of it are its own, so that no C library's and no processor's
// version of them changes the count. Usage: instructions chain|loop plain|saved STEPS
#include "../spec/script.h"

__attribute__((no_builtin)) void *memcpy(void *restrict to, const void *restrict from,
                                         size_t size) {
    for (size_t i = 0; i < size; i++) {
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
    return to;
}

__attribute__((no_builtin)) void *memmove(void *to, const void *from, size_t size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    if (target < source) {
        for (size_t i = 0; i < size; i++) {
            target[i] = source[i];
        }
    } else {
        for (size_t i = size; i > 0; i--) {
            target[i - 1] = source[i - 1];
        }
    }
    return to;
}

__attribute__((no_builtin)) void *memset(void *to, int value, size_t size) {
    for (size_t i = 0; i < size; i++) {
        ((unsigned char *)to)[i] = (unsigned char)value;
    }
    return to;
}

__attribute__((no_builtin)) int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *left = a;
    const unsigned char *right = b;
    for (size_t i = 0; i < size; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

// Blocks of powers of two, each size with a list of its free ones.
static void *unused[64];

static unsigned class_of(size_t size) {
    return size <= 16 ? 4 : 64 - (unsigned)__builtin_clzl(size - 1);
}

static void *count_alloc(void *user, size_t size) {
    (void)user;
    void **block = unused[class_of(size)];
    if (block == NULL) {
        return malloc((size_t)1 << class_of(size));
    }
    unused[class_of(size)] = *block;
    return block;
}

static void count_release(void *user, void *block, size_t size) {
    (void)user;
    *(void **)block = unused[class_of(size)];
    unused[class_of(size)] = block;
}

static void *count_resize(void *user, void *block, size_t old_size, size_t new_size) {
    if (class_of(old_size) == class_of(new_size)) {
        return block;
    }
    void *larger = count_alloc(user, new_size);
    memcpy(larger, block, old_size < new_size ? old_size : new_size);
    count_release(user, block, old_size);
    return larger;
}

static char script[1 << 20];
static size_t length;

__attribute__((format(printf, 1, 2))) static void write_line(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(script + length, sizeof(script) - length, format, arguments);
    va_end(arguments);
}

static void write_chain(int steps) {
    write_line("graph {\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],\"nodes\":[");
    for (int i = 1; i <= steps; i++) {
        write_line("%s{\"name\":\"n%d\"}", i == 1 ? "" : ",", i);
    }
    write_line("],\"edges\":[[\"__start__\",\"n1\"]");
    for (int i = 1; i < steps; i++) {
        write_line(",[\"n%d\",\"n%d\"]", i, i + 1);
    }
    write_line(",[\"n%d\",\"__end__\"]],\"output\":[\"n\"]}\n", steps);
}

static void write_loop(void) {
    write_line(
        "graph {\"channels\":[{\"name\":\"n\",\"kind\":\"last\"}],\"nodes\":[{\"name\":\"a\"}],"
        "\"edges\":[[\"__start__\",\"a\"]],\"branches\":[{\"from\":\"a\",\"ends\":null}],"
        "\"output\":[\"n\"]}\n");
}

int main(int count, char **arguments) {
    static page played;
    if (count != 4) {
        return 2;
    }
    int is_loop = strcmp(arguments[1], "loop") == 0;
    int steps = atoi(arguments[3]);
    if (is_loop) {
        write_loop();
    } else {
        write_chain(steps);
    }
    write_line("%sstart invoke limit=%d\ninput write 1 0\ngo\nresult 0 1 write 0 0\ngo\n",
               strcmp(arguments[2], "saved") == 0 ? "thread t\n" : "", steps + 10);
    for (int i = 1; i <= steps; i++) {
        write_line("result 0 1 write 0 %d", i);
        write_line(is_loop && i < steps ? " branch 0 1\ngo\n" : "\ngo\n");
    }
    weft_memory memory = {.alloc = count_alloc, .resize = count_resize, .release = count_release};
    page_play(&played, &memory, script);
    const char *end = played.out == NULL ? NULL : strstr(played.out, "\nDONE");
    if (end == NULL || played.failed || memory.live != 0) {
        fputs(played.out == NULL ? "nothing ran\n" : played.out, stderr);
        return 1;
    }
    free(played.out);
    return 0;
}
