// SPDX-License-Identifier: MIT
// Serves: the coder of wasm/unpack: a module comes back byte for byte, alone and behind another one; letters that are cut
// off or changed anywhere end in the trap, never outside the unpacker's memory and never late. An unpacker is one process,
// as it is one instance in JavaScript.
#define _DEFAULT_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PACK
#include "../../wasm/unpack/unpack.c"

uint32_t unpack(uint32_t length);

#define MEMORY_START 65536u
#define MEMORY_END (10u << 20)
#define ROOM_OF_MODULE 4096u

typedef struct module {
    uint8_t bytes[ROOM_OF_MODULE];
    uint32_t length;
} module;

static uint8_t texts[2][3 * ROOM_OF_MODULE];
static uint32_t text_lengths[2];
static uint8_t *memory;

static void put(module *to, uint32_t byte) { to->bytes[to->length++] = (uint8_t)byte; }

static void put_leb(module *to, uint32_t value) {
    for (; value > 127; value >>= 7) {
        put(to, value | 128);
    }
    put(to, value);
}

static module header(void) { return (module){.bytes = {0, 'a', 's', 'm', 1, 0, 0, 0}, .length = 8}; }

static void put_section(module *to, uint32_t kind, const module *body) {
    put(to, kind);
    put_leb(to, body->length);
    memcpy(to->bytes + to->length, body->bytes, body->length);
    to->length += body->length;
}

// A module of some functions, of instructions with every kind of operand, and a section of all bytes.
static module some_module(uint32_t seed) {
    module made = header(), code_body = {.length = 0}, data = {.length = 0};
    put_leb(&code_body, 20);
    for (uint32_t i = 0; i < 20; i++) {
        module one = {.length = 0};
        put(&one, 1);
        put_leb(&one, i);
        put(&one, 0x7f);
        for (uint32_t k = 0; k < 6; k++) {
            put(&one, 0x20);
            put_leb(&one, (i * seed + k) % 9);
            put(&one, 0x41);
            put_leb(&one, i * 1000 * seed);
            put(&one, k % 2 ? 0x6a : 0x28);
            if (k % 2 == 0) {
                put(&one, 2);
                put_leb(&one, k * 70);
            }
            put(&one, 0x02);
            put(&one, 0x40);
            put(&one, 0x0b);
        }
        put(&one, 0x0b);
        put_leb(&code_body, one.length);
        memcpy(code_body.bytes + code_body.length, one.bytes, one.length);
        code_body.length += one.length;
    }
    for (uint32_t i = 0; i < 256; i++) {
        put(&data, i * seed);
    }
    put_section(&made, 10, &code_body);
    put_section(&made, 11, &data);
    return made;
}

static void clear_models(void) { memset(memory, 0, MEMORY_END - MEMORY_START); }

static void map_memory(void) {
    if (memory == NULL) {
        memory = mmap((void *)(uintptr_t)MEMORY_START, MEMORY_END - MEMORY_START, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        CHECK(memory == (uint8_t *)(uintptr_t)MEMORY_START);
    }
    clear_models();
}

// In a process of its own, since the packer packs once; the letters come back through the memory. Returns an opcode that is
// unknown, else 0.
static int pack_both(const module *first, const module *second) {
    map_memory();
    uint32_t more = second == NULL ? 0 : second->length;
    uint8_t *input = (uint8_t *)(uintptr_t)INPUT;
    memcpy(input, first->bytes, first->length);
    if (second != NULL) {
        memcpy(input + first->length, second->bytes, more);
    }
    if (fork() == 0) {
        int32_t letter_count = pack(first->length, more, 0, 0);
        _exit(letter_count < 0 ? -letter_count : 0);
    }
    int status;
    wait(&status);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) != 0) {
        return WEXITSTATUS(status);
    }
    const uint8_t *letter = input + first->length + more;
    for (uint32_t i = 0; i < (second == NULL ? 1 : 2); i++, letter++) {
        for (text_lengths[i] = 0; *letter < 64; letter++) {
            texts[i][text_lengths[i]++] = (uint8_t)(*letter + 62 + (*letter >= 30));
        }
    }
    return 0;
}

// What becomes of the letters in a new unpacker: the length of the last module, which then lies behind them, or 0 for a trap.
static uint32_t unpack_texts(uint32_t count) {
    map_memory();
    uint32_t *answer = (uint32_t *)(uintptr_t)MEMORY_START;
    uint8_t *input = (uint8_t *)(uintptr_t)INPUT;
    if (fork() == 0) {
        alarm(20);
        uint32_t length = 0;
        for (uint32_t i = 0; i < count; i++) {
            memcpy(input, texts[i], text_lengths[i]);
            length = unpack(text_lengths[i]);
        }
        *answer = length;
        _exit(0);
    }
    int status;
    wait(&status);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP)) {
        return 0;
    }
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return *answer;
}

static bool comes_back(const module *expected, uint32_t count) {
    uint32_t length = unpack_texts(count);
    return length == expected->length && memcmp((uint8_t *)(uintptr_t)INPUT + text_lengths[count - 1], expected->bytes, length) == 0;
}

TEST(a_module_comes_back) {
    module none = header(), made = some_module(3);
    pack_both(&none, NULL);
    CHECK(comes_back(&none, 1));
    pack_both(&made, NULL);
    CHECK(comes_back(&made, 1));
}

TEST(a_second_module_goes_on_from_the_first) {
    module first = some_module(3), second = some_module(5);
    pack_both(&second, NULL);
    uint32_t alone = text_lengths[0];
    pack_both(&first, &second);
    CHECK(text_lengths[1] < alone);
    CHECK(comes_back(&first, 1));
    CHECK(comes_back(&second, 2));
    pack_both(&first, &first);
    CHECK(comes_back(&first, 2));
}

TEST(an_unknown_opcode_is_told) {
    module made = header(), body = {.bytes = {1, 3, 0, 0xfd, 0x0b}, .length = 5};
    put_section(&made, 10, &body);
    CHECK(pack_both(&made, NULL) == 0xfd);
}

TEST(letters_that_are_cut_off_or_changed_end_in_the_trap) {
    module made = some_module(7);
    pack_both(&made, NULL);
    uint32_t whole = text_lengths[0];
    // The last letters may say more than is asked for.
    for (uint32_t length = 0; length + 8 < whole; length += whole / 40 + 1) {
        text_lengths[0] = length;
        CHECK(unpack_texts(1) == 0);
    }
    text_lengths[0] = whole;
    for (uint32_t at = 0; at + 8 < whole; at += at < 24 ? 1 : whole / 40 + 1) {
        uint8_t was = texts[0][at];
        texts[0][at] = was == '>' ? '?' : '>';
        CHECK(unpack_texts(1) == 0);
        texts[0][at] = was;
    }
    CHECK(comes_back(&made, 1));
}

TEST(letters_of_nothing_but_noise_end_in_the_trap) {
    static const uint8_t fill[] = {'>', '~', 'a', 0, 255};
    text_lengths[0] = sizeof texts[0];
    for (uint32_t i = 0; i < sizeof fill; i++) {
        memset(texts[0], fill[i], sizeof texts[0]);
        CHECK(unpack_texts(1) == 0);
    }
    uint32_t state = 1;
    for (uint32_t round = 0; round < 12; round++) {
        for (uint32_t i = 0; i < sizeof texts[0]; i++) {
            state = state * 1664525u + 1013904223u;
            texts[0][i] = (uint8_t)('?' + (state >> 26));
        }
        CHECK(unpack_texts(1) == 0);
    }
}
