// SPDX-License-Identifier: MIT
// Plays the scripts on standard input, which form feeds part, and prints their logs, parted the
// same way.
#include "script.h"

static void *heap_alloc(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *heap_resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(block, new_size);
}

static void heap_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

static void play(const char *script) {
    static page played;
    weft_memory memory = {.alloc = heap_alloc, .resize = heap_resize, .release = heap_release};
    page_play(&played, &memory, script);
    fputs(played.out == NULL ? "" : played.out, stdout);
    if (memory.live != 0) {
        printf("LEAK %lu bytes\n", (unsigned long)memory.live);
    }
    free(played.out);
}

static char *read_all(void) {
    size_t capacity = 1 << 14, length = 0;
    char *text = malloc(capacity);
    for (size_t count;
         text != NULL && (count = fread(text + length, 1, capacity - length - 1, stdin)) > 0;) {
        length += count;
        if (capacity - length == 1) {
            capacity *= 2;
            text = realloc(text, capacity);
        }
    }
    if (text == NULL) {
        abort();
    }
    text[length] = '\0';
    return text;
}

int main(void) {
    char *scripts = read_all();
    char *script = scripts;
    for (char *end = strchr(script, '\f'); end != NULL; end = strchr(script, '\f')) {
        *end = '\0';
        play(script);
        putchar('\f');
        script = end + 1;
    }
    play(script);
    free(scripts);
    return 0;
}
