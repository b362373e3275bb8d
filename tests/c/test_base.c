// SPDX-License-Identifier: MIT
// Base: hashes against published vectors and other programs' output (xxhsum, OpenSSL), the map
// against a plain model, arena, buffer and the byte budget. Serves T3 (refused allocations) for
// base, and the map's share of section 7 of the reliability programme (crafted keys).
#include "test.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/map.h"

static uint8_t sample[4096];

static void fill_sample(void) {
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof(sample); i++) {
        x = x * 1103515245u + 12345u;
        sample[i] = (uint8_t)(x >> 16);
    }
}

static void check_hex(const uint8_t *digest, size_t size, const char *expected) {
    char text[64];
    weft_hash_hex(digest, size, text);
    CHECK_TEXT(text, 2 * size, expected);
}

TEST(crc32c_has_the_published_values) {
    uint8_t bytes[32];
    CHECK_EQ(weft_hash_crc32c(0, "123456789", 9), 0xe3069283u);
    CHECK_EQ(weft_hash_crc32c(0, NULL, 0), 0);
    memset(bytes, 0, sizeof(bytes));
    CHECK_EQ(weft_hash_crc32c(0, bytes, 32), 0x8a9136aau);
    memset(bytes, 0xff, sizeof(bytes));
    CHECK_EQ(weft_hash_crc32c(0, bytes, 32), 0x62a8ab43u);
    for (uint8_t i = 0; i < 32; i++) {
        bytes[i] = i;
    }
    CHECK_EQ(weft_hash_crc32c(0, bytes, 32), 0x46dd794eu);
    for (uint8_t i = 0; i < 32; i++) {
        bytes[i] = (uint8_t)(31 - i);
    }
    CHECK_EQ(weft_hash_crc32c(0, bytes, 32), 0x113fdb5cu);
    fill_sample();
    CHECK_EQ(weft_hash_crc32c(0, sample, sizeof(sample)), 0x43491be8u);
}

TEST(crc32c_can_be_fed_in_pieces) {
    fill_sample();
    for (size_t cut = 0; cut < 70; cut++) {
        uint32_t crc = weft_hash_crc32c(0, sample, cut);
        CHECK_EQ(weft_hash_crc32c(crc, sample + cut, 70 - cut), weft_hash_crc32c(0, sample, 70));
    }
}

static void sha1(const void *bytes, size_t size, uint8_t digest[20]) {
    weft_hash_sha1_state state;
    weft_hash_sha1_init(&state);
    weft_hash_sha1_update(&state, bytes, size);
    weft_hash_sha1_final(&state, digest);
}

static void sha256(const void *bytes, size_t size, uint8_t digest[32]) {
    weft_hash_sha256_state state;
    weft_hash_sha256_init(&state);
    weft_hash_sha256_update(&state, bytes, size);
    weft_hash_sha256_final(&state, digest);
}

TEST(sha1_has_the_published_values) {
    static uint8_t all[300 * 20];
    uint8_t digest[20];
    sha1("", 0, digest);
    check_hex(digest, 20, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    sha1("abc", 3, digest);
    check_hex(digest, 20, "a9993e364706816aba3e25717850c26c9cd0d89d");
    sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, digest);
    check_hex(digest, 20, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    fill_sample();
    for (size_t size = 0; size < 300; size++) {
        sha1(sample, size, all + 20 * size);
    }
    sha1(all, sizeof(all), digest);
    check_hex(digest, 20, "c323c74c134d4f04cce99521966adfca41f99ca2");
}

TEST(sha256_has_the_published_values) {
    static uint8_t all[300 * 32];
    uint8_t digest[32];
    sha256("", 0, digest);
    check_hex(digest, 32, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256("abc", 3, digest);
    check_hex(digest, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, digest);
    check_hex(digest, 32, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    fill_sample();
    for (size_t size = 0; size < 300; size++) {
        sha256(sample, size, all + 32 * size);
    }
    sha256(all, sizeof(all), digest);
    check_hex(digest, 32, "b5e94ea86a270877a2b0557bd53b08cf19c491e1e92470cd0af982e5727b6ec8");
}

TEST(sha_can_be_fed_in_pieces) {
    uint8_t whole[32], pieces[32], whole1[20], pieces1[20];
    fill_sample();
    sha256(sample, 200, whole);
    sha1(sample, 200, whole1);
    for (size_t first = 0; first <= 130; first++) {
        weft_hash_sha256_state state;
        weft_hash_sha1_state state1;
        weft_hash_sha256_init(&state);
        weft_hash_sha1_init(&state1);
        const size_t cuts[5] = {0, first, first, first + 7, 200};
        for (size_t i = 0; i < 4; i++) {
            weft_hash_sha256_update(&state, sample + cuts[i], cuts[i + 1] - cuts[i]);
            weft_hash_sha1_update(&state1, sample + cuts[i], cuts[i + 1] - cuts[i]);
        }
        weft_hash_sha256_final(&state, pieces);
        weft_hash_sha1_final(&state1, pieces1);
        CHECK_MEM(pieces, 32, whole, 32);
        CHECK_MEM(pieces1, 20, whole1, 20);
    }
}

TEST(sha256_of_a_million_letters) {
    uint8_t digest[32];
    char thousand[1000];
    weft_hash_sha256_state state;
    memset(thousand, 'a', sizeof(thousand));
    weft_hash_sha256_init(&state);
    for (size_t i = 0; i < 1000; i++) {
        weft_hash_sha256_update(&state, thousand, sizeof(thousand));
    }
    weft_hash_sha256_final(&state, digest);
    check_hex(digest, 32, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(xxh3_equals_xxhsum_at_each_border_of_its_cases) {
    static const struct {
        size_t size;
        const char *digest;
    } VECTORS[] = {
        {0, "99aa06d3014798d86001c324468d497f"},    {1, "9a0f174ae92e6df2e5e62017e96f839c"},
        {3, "da47c2149249db69d3bcc83c6f14e70f"},    {4, "504303785d7b5ac9e267cf807951fe26"},
        {8, "e4f1bc54c38ed231ec0b5b60d4670d0e"},    {9, "046e6473695659653b1764b161f03ecd"},
        {16, "82d56864b86d46550c85c3b7b344cfaf"},   {17, "e07226299d418421ee80c12e2eaa110d"},
        {32, "064ad1b44ce81ec6f852b8182febef65"},   {33, "79222b34b5dc6369b28082a9aad3b9d5"},
        {64, "960fca3c66b39991f2a2091b45bbd9cf"},   {65, "4b9f9e58c4d9eeff841f3ad04f518ac7"},
        {96, "1bf14e85181e761ee9b8a9102806d5c0"},   {97, "98434fe44be46805b0673de5ad089029"},
        {128, "4a4e39fcfa4515aa08d61631b87e5395"},  {129, "5d41bb88ee7f7e4511b15591bb767e79"},
        {160, "601f389dcff5cb81e72a6d6e8527b950"},  {240, "f92b835add69c25d4627a2b0d94e7351"},
        {241, "80610486edf872df5c56141c894cd97e"},  {256, "242daf7771ae05e6cdb34974678d6687"},
        {1024, "dcc4b2941cb5e5e40551dea22e104ea8"}, {1025, "2e457d89ed1973d3dbe2ed3c377d9922"},
        {2048, "700fc6dc214ea9e40e137a69a82b62c0"}, {2200, "6da491a3511a80cfef2d73b68a06938e"},
    };
    fill_sample();
    for (size_t i = 0; i < sizeof(VECTORS) / sizeof(VECTORS[0]); i++) {
        uint8_t digest[16];
        weft_hash_xxh3_128(sample, VECTORS[i].size, digest);
        check_hex(digest, 16, VECTORS[i].digest);
    }
}

// The expected digest is the SHA-256 of what `xxhsum -H2` prints for the same 2,201 files, as
// bytes.
TEST(xxh3_equals_xxhsum_for_each_length_up_to_2200) {
    static uint8_t all[2201 * 16];
    uint8_t digest[32];
    fill_sample();
    for (size_t size = 0; size <= 2200; size++) {
        uint8_t *exact = malloc(size + 1);
        REQUIRE(exact != NULL);
        memcpy(exact, sample, size);
        weft_hash_xxh3_128(exact, size, all + 16 * size);
        free(exact);
    }
    sha256(all, sizeof(all), digest);
    check_hex(digest, 32, "52c021f3ce051e8b0934e227ba4a470f6c54577bf21f4ae0aada3904026f7cf3");
}

TEST(seeded_hash_depends_on_each_byte_the_length_and_the_seed) {
    uint8_t bytes[24] = {0};
    for (size_t size = 0; size <= 24; size++) {
        uint32_t plain = weft_hash_seeded(7, bytes, size);
        CHECK(plain != weft_hash_seeded(8, bytes, size));
        CHECK(size == 24 || plain != weft_hash_seeded(7, bytes, size + 1));
        for (size_t at = 0; at < size; at++) {
            bytes[at] = 1;
            CHECK(plain != weft_hash_seeded(7, bytes, size));
            bytes[at] = 0;
        }
    }
}

// 40,960 operations on 512 keys, each answer compared with a plain array's.
TEST(map_behaves_as_a_plain_array_of_keys) {
    static char keys[512][8];
    static int64_t model[512];
    weft_map map;
    uint32_t x = 17, count = 0;
    weft_map_init(&map, test_memory(), 42);
    for (size_t i = 0; i < 512; i++) {
        snprintf(keys[i], sizeof(keys[i]), "k%zu", i);
        model[i] = -1;
    }
    for (uint32_t round = 0; round < 40960; round++) {
        x = x * 1103515245u + 12345u;
        size_t i = x >> 8 & 511;
        uint32_t length = (uint32_t)strlen(keys[i]);
        if ((x >> 20 & 3) != 0) {
            CHECK_EQ(weft_map_set(&map, keys[i], length, round), WEFT_OK);
            count += model[i] < 0;
            model[i] = round;
        } else {
            CHECK_EQ(weft_map_remove(&map, keys[i], length), model[i] >= 0);
            count -= model[i] >= 0;
            model[i] = -1;
        }
        uint32_t value = 0;
        size_t other = x >> 17 & 511;
        int found = weft_map_get(&map, keys[other], (uint32_t)strlen(keys[other]), &value);
        CHECK_EQ(found, model[other] >= 0);
        CHECK(!found || value == model[other]);
        CHECK_EQ(map.used, count);
        CHECK(map.capacity <= 2048);
    }
    weft_map_clear(&map);
    CHECK_EQ(weft_map_get(&map, "k1", 2, &x), 0);
    CHECK_EQ(weft_map_set(&map, "", 0, 5), WEFT_OK);
    CHECK_EQ(weft_map_get(&map, NULL, 0, &x), 1);
    CHECK_EQ(x, 5);
    weft_map_fini(&map);
}

TEST(map_set_takes_the_new_key_pointer) {
    char first[] = "key", second[] = "key";
    weft_map map;
    uint32_t value = 0;
    weft_map_init(&map, test_memory(), 0);
    CHECK_EQ(weft_map_set(&map, first, 3, 1), WEFT_OK);
    CHECK_EQ(weft_map_set(&map, second, 3, 2), WEFT_OK);
    memset(first, 'x', 3);
    CHECK_EQ(weft_map_get(&map, "key", 3, &value), 1);
    CHECK_EQ(value, 2);
    CHECK_EQ(map.used, 1);
    weft_map_fini(&map);
}

static void map_scenario(void *context) {
    (void)context;
    static char keys[200][8];
    weft_map map;
    uint32_t stored = 0, value = 0;
    weft_map_init(&map, test_memory(), 3);
    for (uint32_t i = 0; i < 200; i++) {
        snprintf(keys[i], sizeof(keys[i]), "%u", i);
        weft_status status = weft_map_set(&map, keys[i], (uint32_t)strlen(keys[i]), i);
        int found = weft_map_get(&map, keys[i], (uint32_t)strlen(keys[i]), &value);
        CHECK(status == WEFT_OK || status == WEFT_ERR_NO_MEMORY);
        CHECK_EQ(found, status == WEFT_OK);
        CHECK(status == WEFT_OK || test_has_failed());
        stored += status == WEFT_OK;
    }
    CHECK_EQ(map.used, stored);
    CHECK(test_has_failed() || stored == 200);
    weft_map_fini(&map);
}

TEST(map_survives_each_refused_allocation) {
    test_each_failure(map_scenario, NULL);
}

TEST(arena_blocks_are_apart_aligned_and_reused) {
    weft_arena arena;
    unsigned char *blocks[300];
    weft_arena_init(&arena, test_memory());
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 300; i++) {
            blocks[i] = weft_arena_alloc(&arena, i * 7);
            REQUIRE(blocks[i] != NULL);
            CHECK_EQ((uintptr_t)blocks[i] & 7, 0);
            memset(blocks[i], (int)(i & 255), i * 7);
        }
        for (size_t i = 0; i < 300; i++) {
            for (size_t k = 0; k < i * 7; k++) {
                REQUIRE(blocks[i][k] == (i & 255));
            }
        }
        weft_arena_reset(&arena);
        CHECK_EQ(test_live_blocks(), 1);
    }
    CHECK(weft_arena_alloc(&arena, SIZE_MAX - 5) == NULL);
    CHECK(weft_arena_zeroed(&arena, SIZE_MAX / 4, 8) == NULL);
    unsigned char *zeroed = weft_arena_zeroed(&arena, 100, 3);
    REQUIRE(zeroed != NULL);
    for (size_t i = 0; i < 300; i++) {
        CHECK_EQ(zeroed[i], 0);
    }
    weft_arena_fini(&arena);
}

static void arena_scenario(void *context) {
    (void)context;
    weft_arena arena;
    weft_arena_init(&arena, test_memory());
    for (size_t i = 0; i < 40; i++) {
        unsigned char *block = weft_arena_alloc(&arena, 1000 * i);
        CHECK(block != NULL || test_has_failed());
        if (block != NULL) {
            memset(block, 1, 1000 * i);
        }
    }
    weft_arena_fini(&arena);
}

TEST(arena_survives_each_refused_allocation) {
    test_each_failure(arena_scenario, NULL);
}

TEST(buffer_writes_little_endian_and_varints) {
    weft_buffer buffer;
    weft_buffer_init(&buffer, test_memory());
    weft_buffer_u8(&buffer, 1);
    weft_buffer_u16(&buffer, 0x0302);
    weft_buffer_u32(&buffer, 0);
    weft_buffer_u64(&buffer, UINT64_C(0x0f0e0d0c0b0a0908));
    weft_buffer_varint(&buffer, 0);
    weft_buffer_varint(&buffer, 127);
    weft_buffer_varint(&buffer, 300);
    weft_buffer_varint(&buffer, UINT64_MAX);
    weft_buffer_patch_u32(&buffer, 3, 0x07060504);
    weft_buffer_patch_u32(&buffer, buffer.length - 3, 0);
    static const uint8_t EXPECTED[] = {1,    2,    3,    4,    5,    6,    7,    8,    9, 10,
                                       11,   12,   13,   14,   15,   0,    0x7f, 0xac, 2, 0xff,
                                       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
    CHECK_MEM(buffer.bytes, buffer.length, EXPECTED, sizeof(EXPECTED));
    CHECK_EQ(buffer.status, WEFT_OK);
    weft_buffer_fini(&buffer);
}

TEST(buffer_says_texts_and_decimal_numbers) {
    weft_buffer buffer;
    weft_buffer_init(&buffer, test_memory());
    static const int64_t NUMBERS[] = {0, 9, 10, -1, 4294967295, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++) {
        weft_buffer_say(&buffer, i == 0 ? "" : " ");
        weft_buffer_decimal(&buffer, NUMBERS[i]);
    }
    static const char EXPECTED[] = "0 9 10 -1 4294967295 9223372036854775807 -9223372036854775808";
    CHECK_MEM(buffer.bytes, buffer.length, EXPECTED, sizeof(EXPECTED) - 1);
    weft_buffer_fini(&buffer);
}

static void buffer_scenario(void *context) {
    (void)context;
    weft_buffer buffer;
    weft_buffer_init(&buffer, test_memory());
    for (uint32_t i = 0; i < 1000; i++) {
        weft_buffer_u32(&buffer, i);
    }
    CHECK_EQ(buffer.status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    for (uint32_t i = 0; i < buffer.length / 4; i++) {
        CHECK_EQ(buffer.bytes[4 * i] | buffer.bytes[4 * i + 1] << 8, i);
    }
    weft_buffer_clear(&buffer);
    CHECK_EQ(buffer.status, WEFT_OK);
    weft_buffer_fini(&buffer);
}

TEST(buffer_remembers_its_first_failure) {
    test_each_failure(buffer_scenario, NULL);
}

TEST(buffer_refuses_to_pass_4_gib) {
    weft_buffer buffer;
    weft_buffer_init(&buffer, test_memory());
    weft_buffer_u8(&buffer, 1);
    CHECK(weft_buffer_extend(&buffer, UINT32_MAX) == NULL);
    CHECK_EQ(buffer.status, WEFT_ERR_NO_MEMORY);
    CHECK_EQ(buffer.length, 1);
    weft_buffer_fini(&buffer);
}

TEST(memory_keeps_its_budget) {
    weft_memory *memory = test_memory();
    memory->budget = 100;
    void *first = weft_memory_alloc(memory, 60);
    REQUIRE(first != NULL);
    CHECK(weft_memory_alloc(memory, 41) == NULL);
    CHECK(weft_memory_resize(memory, first, 60, 101) == NULL);
    CHECK_EQ(memory->live, 60);
    void *second = weft_memory_alloc(memory, 40);
    CHECK(second != NULL);
    CHECK(weft_memory_alloc(memory, 1) == NULL);
    first = weft_memory_resize(memory, first, 60, 10);
    CHECK_EQ(memory->live, 50);
    weft_memory_release(memory, first, 10);
    weft_memory_release(memory, second, 40);
    weft_memory_release(memory, NULL, 5);
    CHECK_EQ(memory->live, 0);
    CHECK(weft_memory_zeroed(memory, SIZE_MAX / 2, 3) == NULL);
}

TEST(what_no_memory_could_hold_is_refused) {
    weft_memory *memory = test_memory();
    weft_arena arena;
    uint32_t capacity = 0;
    uint8_t *items = NULL;
    weft_arena_init(&arena, memory);
    CHECK(weft_memory_zeroed(memory, SIZE_MAX, 2) == NULL);
    CHECK(weft_arena_zeroed(&arena, SIZE_MAX / 2, 3) == NULL);
    CHECK(!weft_memory_reserve(memory, &items, 1, &capacity, UINT32_MAX));
    CHECK(!weft_memory_reserve(memory, &items, SIZE_MAX / 2, &capacity, 4));
    CHECK(items == NULL && capacity == 0);
    // Nothing at all still has an address.
    uint8_t *nothing = weft_memory_zeroed(memory, 0, 8);
    REQUIRE(nothing != NULL);
    CHECK_EQ(memory->live, 1);
    weft_memory_release(memory, nothing, 1);
    // More than the whole budget, and more than what is left of it.
    memory->budget = 100;
    CHECK(weft_memory_alloc(memory, 101) == NULL);
    void *half = weft_memory_alloc(memory, 60);
    CHECK(half != NULL && weft_memory_alloc(memory, 41) == NULL);
    weft_memory_release(memory, half, 60);
    memory->budget = 0;
    weft_arena_fini(&arena);
}

TEST(memory_reserve_grows_by_doubling_and_leaves_the_array_when_refused) {
    weft_memory *memory = test_memory();
    uint32_t *items = NULL, capacity = 0;
    CHECK(weft_memory_reserve(memory, &items, sizeof(*items), &capacity, 3));
    CHECK_EQ(capacity, 4);
    items[3] = 9;
    CHECK(weft_memory_reserve(memory, &items, sizeof(*items), &capacity, 17));
    CHECK_EQ(capacity, 32);
    CHECK_EQ(items[3], 9);
    uint32_t *before = items;
    test_fail_at(1);
    CHECK(!weft_memory_reserve(memory, &items, sizeof(*items), &capacity, 33));
    test_fail_never();
    CHECK(items == before && capacity == 32);
    CHECK(!weft_memory_reserve(memory, &items, sizeof(*items), &capacity, UINT32_MAX));
    weft_memory_release(memory, items, capacity * sizeof(*items));
}
