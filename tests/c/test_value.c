// SPDX-License-Identifier: MIT
// The table of values: handles that the host may not send, texts that are set once, values that
// leave their slot. Serves docs/reliability.md 1 (5): input from the host is never trusted.
#include "test.h"

#include "value/value.h"
#include "value/word.h"

static weft_word slot_of(uint32_t number) {
    return weft_word_of_value(number);
}

TEST(a_word_that_is_none_is_refused) {
    weft_values values;
    weft_word mine;
    weft_values_init(&values, test_memory());
    for (weft_word tag = 3; tag < 8; tag++) {
        CHECK_EQ(weft_values_adopt(&values, tag),
                 WEFT_ERR_BAD_EVENT); // 3 names a node, and only the engine says so
    }
    CHECK_EQ(weft_values_adopt(&values, WEFT_WORD_TRUE + 8), WEFT_ERR_BAD_EVENT);
    CHECK_EQ(weft_values_adopt(&values, UINT32_MAX << 3 | WEFT_WORD_TAG_VALUE), WEFT_ERR_BAD_EVENT);
    // Odd numbers are the engine's: only those that it gave out.
    CHECK_EQ(weft_values_adopt(&values, slot_of(1)), WEFT_ERR_BAD_EVENT);
    REQUIRE_EQ(weft_values_new(&values, (const uint8_t *)"x", 1, &mine), WEFT_OK);
    CHECK_EQ(mine, slot_of(1));
    CHECK_EQ(weft_values_adopt(&values, slot_of(3)), WEFT_ERR_BAD_EVENT);
    CHECK_EQ(weft_values_adopt(&values, slot_of(1)), WEFT_OK);
    CHECK_EQ(weft_values_get(&values, mine)->refs, 2);
    CHECK_EQ(weft_values_adopt(&values, slot_of(2)), WEFT_OK);
    CHECK_EQ(weft_values_adopt(&values, slot_of(2)), WEFT_OK);
    CHECK(weft_values_get(&values, slot_of(2))->refs == 2);
    values.next_odd = 1u << 29 | 1;
    CHECK_EQ(weft_values_new(&values, (const uint8_t *)"x", 1, &mine), WEFT_ERR_NO_MEMORY);
    weft_values_fini(&values);
}

TEST(a_text_is_set_once) {
    weft_values values;
    weft_values_init(&values, test_memory());
    REQUIRE_EQ(weft_values_adopt(&values, slot_of(2)), WEFT_OK);
    CHECK_EQ(weft_values_set_text(&values, WEFT_WORD_NULL, (const uint8_t *)"a", 1), WEFT_OK);
    CHECK_EQ(weft_values_set_text(&values, slot_of(1000), (const uint8_t *)"a", 1), WEFT_OK);
    CHECK_EQ(weft_values_set_text(&values, slot_of(0), (const uint8_t *)"a", 1), WEFT_OK);
    CHECK(!values.items[0].used && values.items[0].text == NULL && values.bare == 1);
    CHECK_EQ(weft_values_set_text(&values, slot_of(2), (const uint8_t *)"first", 5), WEFT_OK);
    CHECK_EQ(weft_values_set_text(&values, slot_of(2), (const uint8_t *)"again", 5), WEFT_OK);
    CHECK_TEXT(weft_values_get(&values, slot_of(2))->text,
               weft_values_get(&values, slot_of(2))->length, "first");
    CHECK_EQ(values.bare, 0);
    // Nothing is a blank: it has an address.
    REQUIRE_EQ(weft_values_adopt(&values, slot_of(4)), WEFT_OK);
    CHECK_EQ(weft_values_set_text(&values, slot_of(4), NULL, 0), WEFT_OK);
    CHECK_TEXT(weft_values_get(&values, slot_of(4))->text,
               weft_values_get(&values, slot_of(4))->length, " ");
    weft_values_fini(&values);
}

TEST(values_are_the_same_by_their_texts) {
    weft_values values;
    weft_word words[4];
    static const char *texts[] = {"one", "one", "two", "three"};
    weft_values_init(&values, test_memory());
    for (int i = 0; i < 4; i++) {
        REQUIRE_EQ(weft_values_new(&values, (const uint8_t *)texts[i], (uint32_t)strlen(texts[i]),
                                   &words[i]),
                   WEFT_OK);
    }
    REQUIRE_EQ(weft_values_adopt(&values, slot_of(2)), WEFT_OK);
    CHECK(weft_values_same(&values, words[0], words[0]));
    CHECK(weft_values_same(&values, words[0], words[1]));
    CHECK(!weft_values_same(&values, words[0], words[2]));
    CHECK(!weft_values_same(&values, words[0], words[3]));
    CHECK(!weft_values_same(&values, words[0], WEFT_WORD_NULL));
    CHECK(!weft_values_same(&values, WEFT_WORD_NULL, words[0]));
    CHECK(weft_values_same(&values, WEFT_WORD_NULL, WEFT_WORD_NULL));
    CHECK(!weft_values_same(&values, words[0], slot_of(2)) &&
          !weft_values_same(&values, slot_of(2), words[0]));
    weft_values_fini(&values);
}

static void detach(void *context) {
    (void)context;
    weft_values values;
    weft_word word = slot_of(2), null = WEFT_WORD_NULL;
    weft_values_init(&values, test_memory());
    if (weft_values_adopt(&values, word) == WEFT_OK) {
        CHECK(weft_values_detach(&values, &null) && null == WEFT_WORD_NULL);
        CHECK(!weft_values_detach(&values, &word) && word == slot_of(2)); // no text yet
        if (weft_values_set_text(&values, word, (const uint8_t *)"text", 4) == WEFT_OK) {
            weft_values_get(&values, word)->seq = 7;
            weft_values_get(&values, word)->index = 8;
            weft_values_get(&values, word)->depth = 9;
            int done = weft_values_detach(&values, &word);
            CHECK_EQ(done, !test_has_failed());
            CHECK_EQ(word == slot_of(2), !done);
            const weft_value *value = weft_values_get(&values, word);
            CHECK_TEXT(value->text, value->length, "text");
            CHECK(value->seq == 7 && value->index == 8 && value->depth == 9 && value->refs == 1);
            // What has no slot stays as it is, and the host is told of the one that went.
            weft_word same = word;
            CHECK(!done || (weft_values_detach(&values, &word) && word == same &&
                            values.released_count == 1));
        }
    }
    weft_values_fini(&values);
}

TEST(a_value_leaves_its_slot_or_keeps_it) {
    test_each_failure(detach, NULL);
}
