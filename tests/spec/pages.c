// SPDX-License-Identifier: MIT
// Plays one page's script from standard input and prints the log.
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

int main(void) {
    static char script[1 << 16];
    static page played;
    size_t length = fread(script, 1, sizeof(script) - 1, stdin);
    script[length] = '\0';
    weft_memory memory = {.alloc = heap_alloc, .resize = heap_resize, .release = heap_release};
    page_play(&played, &memory, script);
    fputs(played.out == NULL ? "" : played.out, stdout);
    if (memory.live != 0) {
        printf("LEAK %lu bytes\n", (unsigned long)memory.live);
    }
    free(played.out);
    return 0;
}
