// SPDX-License-Identifier: MIT
// Serves: the allocator of engine.wasm (wasm/heap.c), run over a memory that only simulates growth:
// blocks are aligned, do not overlap and keep their bytes; freed blocks are joined and reused; out
// of memory is reported.
#include "test.h"

#define PAGE 65536u
#define MOST_PAGES 2048u

static _Alignas(8) uint8_t ground[(size_t)PAGE * MOST_PAGES];
static uint32_t pages = 2;
static uint32_t pages_allowed = MOST_PAGES;

static bool grow_ground(uint32_t more) {
    if (more > pages_allowed - pages) {
        return false;
    }
    pages += more;
    return true;
}

#define HEAP_BASE ((uintptr_t)ground)
#define HEAP_START 1001u
#define HEAP_GROW(more) grow_ground(more)
#define HEAP_PAGES pages
#define malloc heap_malloc
#define free heap_free
#define realloc heap_realloc
#include "../../wasm/heap.c"
#undef malloc
#undef free
#undef realloc

#define SLOTS 4000u

typedef struct slot {
    uint8_t *bytes;
    uint32_t size;
    uint8_t mark;
} slot;

static slot slots[SLOTS];
static size_t live_bytes;
static uint32_t state = 12345;

static uint32_t draw(uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * below) >> 32);
}

// Mostly small, some of many kB, as texts, arrays and arenas are.
static uint32_t draw_size(void) {
    uint32_t kind = draw(100);
    return 1 + (kind < 70 ? draw(200) : kind < 97 ? draw(5000) : draw(200000));
}

static void start_heap(uint32_t most) {
    memset(lists, 0, sizeof(lists));
    memset(filled, 0, sizeof(filled));
    memset(slots, 0, sizeof(slots));
    last = 0;
    live_bytes = 0;
    pages = 2;
    pages_allowed = most;
}

// Both ways through the heap: heads and sizes meet, no two free blocks touch, the lists hold
// exactly the free ones.
static void check_heap(void) {
    uint32_t free_blocks = 0;
    uint32_t listed = 0;
    bool after_free = false;
    uint32_t at = (HEAP_START + 11) / 8 * 8 - 4;
    while (at < last) {
        uint32_t size = size_at(at);
        REQUIRE(size >= LEAST && size <= last - at);
        REQUIRE_EQ((*word(at) & AFTER_FREE) != 0, after_free);
        bool is_free = *word(at) & FREE;
        REQUIRE(!(is_free && after_free));
        REQUIRE(!is_free || *word(at + size - 4) == size);
        free_blocks += is_free;
        after_free = is_free;
        at += size;
    }
    REQUIRE_EQ(at, last);
    for (uint32_t class = 0; class < WORDS * 32; class ++) {
        REQUIRE_EQ(lists[class] != 0, filled[class / 32] >> class % 32 & 1);
        for (uint32_t one = lists[class]; one != 0; one = word(one)[1]) {
            REQUIRE_EQ(class_of(size_at(one)), class);
            listed++;
        }
    }
    REQUIRE_EQ(listed, free_blocks);
}

static void check_slot(const slot *s) {
    for (uint32_t i = 0; i < s->size; i++) {
        REQUIRE_EQ(s->bytes[i], s->mark);
    }
}

static bool fill_slot(slot *s, uint32_t size) {
    s->bytes = heap_malloc(size);
    if (s->bytes == NULL) {
        return false;
    }
    REQUIRE_EQ((uintptr_t)s->bytes % 8, 0);
    REQUIRE(s->bytes + size <= ground + (size_t)pages * PAGE);
    s->size = size;
    s->mark = (uint8_t)draw(256);
    memset(s->bytes, s->mark, size);
    live_bytes += size;
    return true;
}

static void empty_slot(slot *s) {
    check_slot(s);
    heap_free(s->bytes);
    live_bytes -= s->size;
    *s = (slot){0};
}

static bool resize_slot(slot *s, uint32_t size) {
    uint8_t *moved = heap_realloc(s->bytes, size);
    if (moved == NULL) {
        check_slot(s);
        return false;
    }
    uint32_t kept = size < s->size ? size : s->size;
    live_bytes += size - s->size;
    s->bytes = moved;
    s->size = kept;
    check_slot(s);
    s->size = size;
    memset(moved, s->mark, size);
    return true;
}

static void empty_all(void) {
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (slots[i].bytes != NULL) {
            empty_slot(&slots[i]);
        }
    }
}

TEST(random_blocks_stay_apart_and_memory_follows_what_lives) {
    start_heap(MOST_PAGES);
    size_t peak = 0;
    for (uint32_t turn = 0; turn < 200000; turn++) {
        slot *s = &slots[draw(SLOTS)];
        if (s->bytes == NULL) {
            REQUIRE(fill_slot(s, draw_size()));
        } else if (draw(3) == 0) {
            REQUIRE(resize_slot(s, draw(2) ? draw_size() : s->size + draw(64)));
        } else {
            empty_slot(s);
        }
        peak = live_bytes > peak ? live_bytes : peak;
        if (turn % 5000 == 0) {
            check_heap();
        }
    }
    CHECK((size_t)pages * PAGE < peak + peak / 4 + 2 * PAGE);
    empty_all();
    check_heap();
    CHECK_EQ(*word(last - 4),
             last - ((HEAP_START + 11) / 8 * 8 - 4)); // one free block: the whole heap
}

TEST(what_a_big_load_gave_back_serves_the_next_one) {
    start_heap(MOST_PAGES);
    uint32_t after_first = 0;
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < SLOTS; i++) {
            REQUIRE(fill_slot(&slots[i], 100 + 37 * round + draw(3000)));
        }
        slot whole = {0};
        REQUIRE(fill_slot(&whole, 4u << 20));
        if (round == 0) {
            after_first = pages;
        }
        empty_slot(&whole);
        empty_all();
    }
    CHECK(pages <= after_first + after_first / 2); // the sizes of the rounds grow by 43 % in all
    check_heap();
}

TEST(a_growing_buffer_at_the_end_grows_in_place) {
    start_heap(MOST_PAGES);
    slot s = {0};
    REQUIRE(fill_slot(&s, 4096));
    uint8_t *first = s.bytes;
    for (uint32_t size = 8192; size <= 32u << 20; size *= 2) {
        REQUIRE(resize_slot(&s, size));
    }
    CHECK(s.bytes == first);
    CHECK(pages <= 32 * 16 + 2);
    REQUIRE(resize_slot(&s, 10));
    CHECK(s.bytes == first);
    check_heap();
    empty_slot(&s);
    check_heap();
}

TEST(no_room_is_answered_and_leaves_everything_as_it_was) {
    start_heap(40);
    uint32_t refused = 0;
    for (uint32_t turn = 0; turn < 60000; turn++) {
        slot *s = &slots[draw(SLOTS)];
        if (s->bytes == NULL) {
            refused += !fill_slot(s, draw_size());
        } else if (draw(2)) {
            refused += !resize_slot(s, draw_size());
        } else {
            empty_slot(s);
        }
    }
    CHECK(refused > 100);
    check_heap();
    empty_all();
    CHECK(heap_malloc((size_t)1 << 31) == NULL);
    CHECK(heap_malloc(SIZE_MAX) == NULL);
    heap_free(NULL);
    slot s = {0};
    REQUIRE(fill_slot(&s, 38 * PAGE));
    CHECK(heap_realloc(s.bytes, SIZE_MAX) == NULL);
    empty_slot(&s);
    check_heap();
}
