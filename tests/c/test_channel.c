// SPDX-License-Identifier: MIT
// Channels by kind, and the messages reducer against a naive model.
// Serves: docs/semantics.md 4 (update, empty list, availability, consume, finish, Overwrite), 19
// (messagesStateReducer).
#include "test.h"

#include "base/hash.h"
#include "base/ops.h"
#include "channel/channel.h"

static weft_values values;

static weft_word integer(int32_t number) {
    return ((uint32_t)number << 3) | WEFT_WORD_TAG_INT;
}

static weft_channel make(const weft_channel_rule *rule) {
    weft_channel channel;
    weft_values_init(&values, test_memory());
    REQUIRE_EQ(weft_channel_init(&channel, rule, &values), WEFT_OK);
    return channel;
}

static void drop(weft_channel *channel, const weft_channel_rule *rule) {
    weft_channel_fini(channel, rule, &values);
    CHECK_EQ(values.live, 0);
    weft_values_fini(&values);
}

// Writes the integers of a zero-ended list as one step.
static weft_status step(weft_channel *channel, const weft_channel_rule *rule,
                        const int32_t *numbers, int *changed) {
    static weft_write writes[8];
    weft_write *failed;
    uint32_t count = 0;
    for (; numbers[count] != 0; count++) {
        writes[count] = (weft_write){.word = integer(numbers[count])};
        if (count > 0) {
            writes[count - 1].next = &writes[count];
        }
    }
    return weft_channel_update(channel, rule, &values, writes, changed, &failed);
}

#define STEP(...) step(&channel, &rule, (int32_t[]){__VA_ARGS__, 0}, &changed)

TEST(last_value_takes_exactly_one) {
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_LAST};
    weft_channel channel = make(&rule);
    int changed = 0;
    CHECK(!weft_channel_available(&channel, &rule));
    CHECK_EQ(STEP(4), WEFT_OK);
    CHECK(changed && weft_channel_available(&channel, &rule));
    CHECK_EQ(STEP(5, 6), WEFT_ERR_CONCURRENT_UPDATE);
    CHECK(!weft_channel_pass(&channel, &rule, &values));
    CHECK(!weft_channel_consume(&channel, &rule, &values));
    CHECK_EQ(channel.value, integer(4));
    drop(&channel, &rule);
}

TEST(ephemeral_lasts_one_step) {
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_EPHEMERAL};
    weft_channel channel = make(&rule);
    int changed = 0;
    CHECK_EQ(STEP(1, 2), WEFT_OK);
    CHECK_EQ(channel.value, integer(2));
    CHECK_EQ(weft_channel_pass(&channel, &rule, &values), 1);
    CHECK(!weft_channel_available(&channel, &rule));
    CHECK(!weft_channel_pass(&channel, &rule, &values));
    rule.guard = 1;
    CHECK_EQ(STEP(1, 2), WEFT_ERR_CONCURRENT_UPDATE);
    drop(&channel, &rule);
}

TEST(any_value_takes_the_last_and_passes) {
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_ANY};
    weft_channel channel = make(&rule);
    int changed = 0;
    CHECK_EQ(STEP(1, 2, 3), WEFT_OK);
    CHECK_EQ(channel.value, integer(3));
    CHECK_EQ(weft_channel_pass(&channel, &rule, &values), 1);
    CHECK(!weft_channel_available(&channel, &rule));
    drop(&channel, &rule);
}

TEST(a_deferred_value_waits_for_the_end) {
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_LAST_AFTER_FINISH};
    weft_channel channel = make(&rule);
    int changed = 0;
    CHECK(!weft_channel_finish(&channel, &rule));
    CHECK_EQ(STEP(1, 2), WEFT_OK);
    CHECK(!weft_channel_available(&channel, &rule));
    CHECK(!weft_channel_consume(&channel, &rule, &values));
    CHECK(weft_channel_finish(&channel, &rule));
    CHECK(!weft_channel_finish(&channel, &rule));
    CHECK(weft_channel_available(&channel, &rule));
    CHECK(weft_channel_consume(&channel, &rule, &values));
    CHECK(!weft_channel_available(&channel, &rule));
    drop(&channel, &rule);
}

static int see(weft_channel *channel, const weft_channel_rule *rule, uint32_t position) {
    weft_write write = {.form = WEFT_WRITE_NAME, .node = position};
    weft_write *failed;
    int changed = 0;
    CHECK_EQ(weft_channel_update(channel, rule, &values, &write, &changed, &failed), WEFT_OK);
    return changed;
}

TEST(a_barrier_opens_once_all_were_seen_and_starts_again) {
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_BARRIER, .names = 2};
    weft_channel channel = make(&rule);
    CHECK(see(&channel, &rule, 1));
    CHECK(!see(&channel, &rule, 1));
    CHECK(!weft_channel_available(&channel, &rule));
    CHECK(!weft_channel_consume(&channel, &rule, &values));
    CHECK(see(&channel, &rule, 0));
    CHECK(weft_channel_available(&channel, &rule));
    CHECK(weft_channel_consume(&channel, &rule, &values));
    CHECK(!weft_channel_available(&channel, &rule));
    CHECK(see(&channel, &rule, 1));
    drop(&channel, &rule);
}

TEST(pending_sends_are_replaced_and_pass) {
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_TASKS};
    weft_channel channel = make(&rule);
    weft_write second = {.form = WEFT_WRITE_SEND, .node = 2, .word = integer(20)};
    weft_write first = {.form = WEFT_WRITE_SEND, .node = 1, .word = integer(10), .next = &second};
    weft_write *failed;
    int changed = 0;
    CHECK_EQ(weft_channel_update(&channel, &rule, &values, &first, &changed, &failed), WEFT_OK);
    CHECK_EQ(channel.send_count, 2);
    CHECK_EQ(channel.sends[1].node, 2);
    first.next = NULL;
    CHECK_EQ(weft_channel_update(&channel, &rule, &values, &first, &changed, &failed), WEFT_OK);
    CHECK_EQ(channel.send_count, 1);
    CHECK_EQ(weft_channel_pass(&channel, &rule, &values), 1);
    CHECK(!weft_channel_available(&channel, &rule));
    drop(&channel, &rule);
}

// ---- messages: small ids, so that replacing and removing happen often

#define IDS 12u
#define LONGEST 4000u

typedef struct model {
    uint8_t ids[LONGEST];
    int32_t numbers[LONGEST];
    uint32_t count;
} model;

static uint32_t random_state;

static uint32_t random_below(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

// messagesStateReducer as docs/semantics.md 19 says it, on arrays. Returns 0 when a removal names
// nobody.
static int model_merge(model *state, const weft_message *messages, uint32_t count) {
    uint8_t removed[LONGEST] = {0};
    for (uint32_t i = count; i > 0; i--) {
        if (messages[i - 1].flags & WEFT_MESSAGE_REMOVE_ALL) {
            state->count = 0;
            for (uint32_t n = i; n < count; n++) {
                state->ids[state->count] = messages[n].id[0];
                state->numbers[state->count++] = (int32_t)messages[n].word >> 3;
            }
            return 1;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = state->count;
        for (uint32_t n = 0; n < state->count; n++) {
            at = state->ids[n] == messages[i].id[0] ? n : at;
        }
        if (messages[i].flags & WEFT_MESSAGE_REMOVE) {
            if (at == state->count) {
                return 0;
            }
            removed[at] = 1;
            continue;
        }
        removed[at] = 0;
        state->ids[at] = messages[i].id[0];
        state->numbers[at] = (int32_t)messages[i].word >> 3;
        state->count += at == state->count;
    }
    uint32_t kept = 0;
    for (uint32_t n = 0; n < state->count; n++) {
        if (!removed[n]) {
            state->ids[kept] = state->ids[n];
            state->numbers[kept++] = state->numbers[n];
        }
    }
    state->count = kept;
    return 1;
}

static uint32_t random_messages(weft_message *messages, uint8_t *ids) {
    uint32_t count = random_below(5);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t turn = random_below(20);
        ids[i] = (uint8_t)('a' + random_below(IDS));
        messages[i] = (weft_message){
            .word = integer((int32_t)random_below(1000)), .id = &ids[i], .id_length = 1};
        messages[i].flags =
            turn == 0 ? WEFT_MESSAGE_REMOVE_ALL : (turn < 4 ? WEFT_MESSAGE_REMOVE : 0u);
    }
    return count;
}

// The steps that the list notes must rebuild it elsewhere: that is what the host's mirror and the
// log do.
static void replay(model *mirror, const weft_list *list) {
    for (uint32_t i = 0; i < list->step_count; i++) {
        const weft_list_step *noted = &list->steps[i];
        if (noted->kind == WEFT_LIST_APPEND) {
            mirror->numbers[mirror->count++] = (int32_t)noted->word >> 3;
        } else if (noted->kind == WEFT_LIST_REPLACE) {
            mirror->numbers[noted->index] = (int32_t)noted->word >> 3;
        } else if (noted->kind == WEFT_LIST_REMOVE) {
            memmove(&mirror->numbers[noted->index], &mirror->numbers[noted->index + 1],
                    (mirror->count - noted->index - 1) * sizeof(int32_t));
            mirror->count--;
        } else {
            mirror->count = 0;
        }
    }
}

TEST(messages_merge_as_the_model_does) {
    static model expected, mirror;
    uint32_t refused = 0;
    random_state = 7;
    for (uint32_t round = 0; round < 400; round++) {
        weft_values_init(&values, test_memory());
        weft_list list;
        weft_list_init(&list, &values, 1);
        expected.count = mirror.count = 0;
        for (uint32_t turn = 0; turn < 30; turn++) {
            weft_message messages[8];
            uint8_t ids[8];
            uint32_t failed;
            uint32_t count = random_messages(messages, ids);
            int allowed = model_merge(&expected, messages, count);
            weft_status status = weft_list_merge(&list, messages, count, &failed);
            CHECK_EQ(status, allowed ? WEFT_OK : WEFT_ERR_DELETE_MESSAGE);
            if (!allowed) {
                refused++;
                break; // the run fails: the list is not used again
            }
            replay(&mirror, &list);
            weft_list_settle(&list);
            REQUIRE_EQ(list.count, expected.count);
            REQUIRE_EQ(mirror.count, expected.count);
            for (uint32_t n = 0; n < list.count; n++) {
                CHECK_EQ(list.items[n].word, integer(expected.numbers[n]));
                CHECK_EQ(mirror.numbers[n], expected.numbers[n]);
            }
        }
        weft_list_fini(&list);
        weft_values_fini(&values);
    }
    CHECK(refused > 100);
}

#define CRAFTED 256u

// How many places of its map the crafted ids begin at, in a list of a memory with this seed.
static uint32_t places_of(uint64_t seed, const char ids[CRAFTED][12]) {
    static uint8_t begun[2048];
    uint32_t places = 0, failed;
    test_memory()->seed = seed;
    weft_values_init(&values, test_memory());
    weft_list list;
    weft_list_init(&list, &values, 1);
    for (uint32_t i = 0; i < CRAFTED; i++) {
        weft_message message = {
            .word = integer((int32_t)i), .id = (const uint8_t *)ids[i], .id_length = 11};
        CHECK_EQ(weft_list_merge(&list, &message, 1, &failed), WEFT_OK);
    }
    REQUIRE_EQ(list.count, CRAFTED);
    memset(begun, 0, sizeof(begun));
    REQUIRE(list.by_id.capacity <= sizeof(begun));
    for (uint32_t i = 0; i < list.by_id.capacity; i++) {
        const weft_map_entry *entry = &list.by_id.entries[i];
        uint32_t home = entry->hash & (list.by_id.capacity - 1);
        places += entry->state == 1 && !begun[home];
        begun[home] |= entry->state == 1;
    }
    for (uint32_t i = 0; i < CRAFTED; i++) {
        CHECK_EQ(list.items[i].word, integer((int32_t)i));
    }
    weft_list_fini(&list);
    weft_values_fini(&values);
    test_memory()->seed = 0;
    return places;
}

TEST(ids_that_share_a_place_under_one_seed_share_none_under_another) {
    static char ids[CRAFTED][12];
    char id[20];
    uint32_t found = 0;
    for (uint32_t n = 0; found < CRAFTED; n++) {
        snprintf(id, sizeof(id), "m%010u", (unsigned)n);
        if ((weft_hash_seeded(1, id, 11) & 2047) == 5) {
            memcpy(ids[found++], id, 12);
        }
    }
    CHECK_EQ(places_of(1, ids), 1);
    CHECK(places_of(2, ids) > CRAFTED / 2);
}

TEST(an_overwrite_shuts_out_the_rest_of_the_step) {
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_MESSAGES};
    weft_channel channel = make(&rule);
    weft_message one = {.word = integer(1), .id = (const uint8_t *)"x", .id_length = 1};
    weft_message two = {.word = integer(2), .id = (const uint8_t *)"y", .id_length = 1};
    weft_write last = {.form = WEFT_WRITE_LIST, .messages = &one, .count = 1};
    weft_write middle = {
        .form = WEFT_WRITE_LIST, .messages = &two, .count = 1, .overwrite = 1, .next = &last};
    weft_write first = {.form = WEFT_WRITE_LIST, .messages = &one, .count = 1, .next = &middle};
    weft_write *failed;
    int changed = 0;
    CHECK_EQ(weft_channel_update(&channel, &rule, &values, &first, &changed, &failed), WEFT_OK);
    CHECK_EQ(channel.list->count, 1);
    CHECK_EQ(channel.list->items[0].word, integer(2));
    last.overwrite = 1;
    CHECK_EQ(weft_channel_update(&channel, &rule, &values, &first, &changed, &failed),
             WEFT_ERR_OVERWRITE_TWICE);
    drop(&channel, &rule);
}

static void fill_channels(void *context) {
    (void)context;
    weft_channel_rule rule = {.kind = WEFT_CHANNEL_MESSAGES};
    weft_channel channel;
    weft_values_init(&values, test_memory());
    if (weft_channel_init(&channel, &rule, &values) == WEFT_OK) {
        weft_message message = {.word = integer(1), .id = (const uint8_t *)"x", .id_length = 1};
        uint32_t failed;
        for (uint32_t i = 0; i < 6; i++) {
            uint8_t id[2] = {(uint8_t)('a' + i), 0};
            message.id = id;
            if (weft_list_merge(channel.list, &message, 1, &failed) != WEFT_OK) {
                break;
            }
        }
        message.flags = WEFT_MESSAGE_REMOVE;
        message.id = (const uint8_t *)"a";
        (void)weft_list_merge(channel.list, &message, 1, &failed);
        weft_channel_fini(&channel, &rule, &values);
    }
    weft_values_fini(&values);
}

TEST(refused_memory_leaves_nothing_behind) {
    test_each_failure(fill_channels, NULL);
}
