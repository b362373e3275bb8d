// SPDX-License-Identifier: MIT
// States: random histories (namespaces, forks, keyframes, references, list operations, pending
// writes, hidden checkpoints) against a model that keeps every state whole. Serves
// docs/semantics.md 3 (checkpoints, pending writes, order of history), 11 (writes kept for a
// checkpoint) and docs/log-format.md 9 (each value's bytes occur once).
#include "test_log.h"

#define CHANNELS 6
#define NODES 4
#define SPACES 3
#define ITEMS 40
#define POINTS 200

typedef struct model_value {
    char text[12]; // inline bytes, or empty for a word
    uint32_t word;
    uint64_t seq;
    uint32_t index;
} model_value;

typedef struct model_channel {
    int present;
    weft_log_change_form form;
    uint64_t version;
    uint8_t mark;
    uint32_t count;
    model_value items[ITEMS]; // SET: the first; SENDS: args
    uint8_t names[ITEMS];     // NAMES_SET and SENDS: numbers of nodes
} model_channel;

typedef struct model_point {
    uint32_t ns, id;
    int parent; // point, or -1
    int hidden;
    model_channel channels[CHANNELS];
    uint64_t seen[NODES][CHANNELS];
    char writes[256];   // texts of its WRITES records
    char children[512]; // texts of writes inside its children
} model_point;

static const char *const spaces[SPACES] = {"", "sub", "sub|inner:1"};
static const char *const nodes[NODES] = {"a", "model", "tools", "a rather long name of a node"};
static const char *const channels[CHANNELS] = {"messages", "count",      "branch:to:a",
                                               "__tasks",  "join:a+b:c", "x"};
static model_point points[POINTS];
static uint32_t point_count;
static model_value pool[4096];
static uint32_t pool_count;
static uint32_t fresh;

// A new value: a word, new bytes, or bytes that are there; the log's form of it in `*value`.
static model_value invent(weft_log_value *value) {
    uint32_t how = chance(10);
    model_value made = {.text = "", .word = number_of((int32_t)chance(100000) - 50000).word};
    if (how < 3 || pool_count == 4096) {
        *value = word_of(made.word);
    } else if (how < 8 || pool_count == 0) {
        snprintf(made.text, sizeof(made.text), "\"v%u\"", (unsigned)fresh++);
        *value = (weft_log_value){.form = WEFT_LOG_INLINE, .length = (uint32_t)strlen(made.text)};
    } else {
        made = pool[chance(pool_count)];
        *value = reference_to(made.seq, made.index);
    }
    return made;
}

// Tells where a value's bytes went, so that later ones can refer to them.
static void settle(model_value *made, const weft_log_writer *w, uint32_t index) {
    if (index != WEFT_LOG_NONE) {
        made->seq = w->seq;
        made->index = index;
        pool[pool_count++] = *made;
    }
}

static void put_new(weft_log_writer *w, model_value *slot) {
    weft_log_value value;
    *slot = invent(&value);
    value.bytes = (const uint8_t *)slot->text;
    settle(slot, w, weft_log_put_value(w, &value));
}

static weft_log_value again(const model_value *made) {
    return made->text[0] != 0 ? reference_to(made->seq, made->index) : word_of(made->word);
}

static void change_list(weft_log_writer *w, model_channel *channel, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        weft_log_op op = {.kind = (weft_log_op_kind)chance(3)};
        model_value made = {.text = ""};
        if (i == 0 && channel->form != WEFT_LOG_LIST && channel->form != WEFT_LOG_UNSET) {
            op.kind = WEFT_LOG_CLEAR;
        } else if (channel->count == 0 || (op.kind == WEFT_LOG_REMOVE && chance(2))) {
            op.kind = WEFT_LOG_APPEND;
        }
        if (channel->count == ITEMS) {
            op.kind = WEFT_LOG_CLEAR;
        }
        op.index = channel->count == 0 ? 0 : chance(channel->count);
        if (op.kind == WEFT_LOG_APPEND || op.kind == WEFT_LOG_REPLACE) {
            made = invent(&op.value);
            op.value.bytes = (const uint8_t *)made.text;
            // An operation's inline value takes the next index.
            uint32_t index = op.value.form == WEFT_LOG_INLINE ? w->values : WEFT_LOG_NONE;
            settle(&made, w, index);
        }
        weft_log_put_op(w, &op);
        if (op.kind == WEFT_LOG_APPEND) {
            channel->items[channel->count++] = made;
        } else if (op.kind == WEFT_LOG_REPLACE) {
            channel->items[op.index] = made;
        } else if (op.kind == WEFT_LOG_CLEAR) {
            channel->count = 0;
        } else {
            channel->count--;
            memmove(&channel->items[op.index], &channel->items[op.index + 1],
                    (channel->count - op.index) * sizeof(model_value));
        }
        channel->form = WEFT_LOG_LIST;
    }
}

static void change_channel(weft_log_writer *w, model_channel *channel, uint32_t number,
                           uint64_t version) {
    uint32_t dice = chance(12);
    weft_log_change_form form = dice < 5 ? WEFT_LOG_LIST : (weft_log_change_form)chance(6);
    weft_log_change change = {text_of(channels[number]), version, form, (uint8_t)chance(32), 0};
    change.count = form >= WEFT_LOG_LIST ? 1 + chance(5) : 0;
    weft_log_put_change(w, &change);
    channel->version = version;
    channel->mark = change.mark;
    if (!channel->present) {
        channel->form = WEFT_LOG_UNSET;
        channel->present = 1;
    }
    if (form == WEFT_LOG_LIST) {
        channel->count = channel->form == WEFT_LOG_LIST ? channel->count : 0;
        change_list(w, channel, change.count);
        return;
    }
    if (form == WEFT_LOG_KEEP) {
        return;
    }
    channel->form = form;
    channel->count = form == WEFT_LOG_SET ? 1 : change.count;
    for (uint32_t i = 0; i < channel->count; i++) {
        channel->names[i] = (uint8_t)chance(NODES);
        if (form == WEFT_LOG_SET) {
            put_new(w, &channel->items[i]);
        } else if (form == WEFT_LOG_SENDS) {
            weft_log_send send = {.node = text_of(nodes[channel->names[i]])};
            uint32_t args;
            channel->items[i] = invent(&send.args);
            send.args.bytes = (const uint8_t *)channel->items[i].text;
            weft_log_put_send(w, &send, &args, NULL);
            settle(&channel->items[i], w, args);
        } else {
            weft_log_put_name(w, text_of(nodes[channel->names[i]]));
        }
    }
}

// A list in a keyframe: runs where the items' places follow each other.
static uint32_t put_whole_list(weft_log_writer *w, const model_channel *channel, int count_only) {
    uint32_t ops = 0;
    for (uint32_t i = 0; i < channel->count; ops++) {
        const model_value *first = &channel->items[i];
        uint32_t run = 1;
        while (first->text[0] != 0 && i + run < channel->count && first[run].text[0] != 0 &&
               first[run].seq == first->seq && first[run].index == first->index + run) {
            run++;
        }
        weft_log_op op = {.kind = WEFT_LOG_APPEND, .value = again(first)};
        if (first->text[0] != 0 && (run > 1 || chance(2) == 0)) {
            op = (weft_log_op){
                .kind = WEFT_LOG_RUN, .seq = first->seq, .index = first->index, .count = run};
        } else {
            run = 1;
        }
        if (!count_only) {
            weft_log_put_op(w, &op);
        }
        i += run;
    }
    return ops;
}

static void put_whole_channel(weft_log_writer *w, const model_channel *channel, uint32_t number) {
    uint64_t dice = chance_state;
    weft_log_change change = {text_of(channels[number]), channel->version, channel->form,
                              channel->mark, channel->count};
    if (channel->form == WEFT_LOG_LIST) {
        change.count = put_whole_list(w, channel, 1);
        chance_state = dice;
    }
    weft_log_put_change(w, &change);
    if (channel->form == WEFT_LOG_LIST) {
        put_whole_list(w, channel, 0);
        return;
    }
    for (uint32_t i = 0; channel->form != WEFT_LOG_UNSET && i < channel->count; i++) {
        weft_log_value value = again(&channel->items[i]);
        if (channel->form == WEFT_LOG_SET) {
            weft_log_put_value(w, &value);
        } else if (channel->form == WEFT_LOG_SENDS) {
            weft_log_send send = {.node = text_of(nodes[channel->names[i]]), .args = value};
            weft_log_put_send(w, &send, NULL, NULL);
        } else {
            weft_log_put_name(w, text_of(nodes[channel->names[i]]));
        }
    }
}

static void put_changes(weft_log_writer *w, model_point *point, int keyframe) {
    uint32_t picked[CHANNELS], count = 0;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        if (keyframe ? point->channels[i].present : chance(3) == 0) {
            picked[count++] = i;
        }
    }
    weft_log_put_count(w, count);
    for (uint32_t i = 0; i < count; i++) {
        if (keyframe) {
            put_whole_channel(w, &point->channels[picked[i]], picked[i]);
        } else {
            change_channel(w, &point->channels[picked[i]], picked[i], point->id);
        }
    }
    uint32_t node = chance(NODES), channel = chance(CHANNELS);
    if (!keyframe) {
        point->seen[node][channel] = point->id;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        uint32_t seens = 0;
        for (uint32_t n = 0; n < NODES; n++) {
            for (uint32_t c = 0; c < CHANNELS; c++) {
                if (keyframe ? point->seen[n][c] != 0 : n == node && c == channel) {
                    weft_log_seen seen = {text_of(nodes[n]), text_of(channels[c]),
                                          point->seen[n][c]};
                    seens++;
                    if (pass == 1) {
                        weft_log_put_seen(w, &seen);
                    }
                }
            }
        }
        if (pass == 0) {
            weft_log_put_count(w, seens);
        }
    }
}

// One task with one write, whose text is added to `into`.
static void put_one_task(weft_log_writer *w, char *into, size_t size) {
    weft_log_put_count(w, 1);
    weft_log_task task = {
        .key = {.kind = WEFT_LOG_TASK_PUSH, .index = 1, .node = text_of(nodes[1])}, .count = 1};
    weft_log_put_task(w, &task);
    char text[16];
    snprintf(text, sizeof(text), "<%u>", (unsigned)fresh++);
    weft_log_write write = {.channel = text_of("x"), .value = bytes_of(text)};
    weft_log_put_write(w, &write);
    strncat(into, text, size - strlen(into) - 1);
}

static int pick_parent(uint32_t ns) {
    int newest = -1, any = -1;
    for (uint32_t i = 0; i < point_count; i++) {
        if (points[i].ns == ns) {
            newest = (int)i;
            any = any < 0 || chance(4) == 0 ? (int)i : any;
        }
    }
    return chance(30) == 0 ? -1 : chance(5) == 0 ? any : newest;
}

static void add_point(test_log *log) {
    model_point *point = &points[point_count];
    uint32_t ns = chance(SPACES);
    int parent = pick_parent(ns);
    int keyframe = chance(10) == 0;
    if (parent >= 0) {
        *point = points[parent];
    } else {
        memset(point, 0, sizeof(*point));
    }
    point->ns = ns;
    point->id = 1000 + point_count;
    point->parent = parent;
    point->hidden = chance(12) == 0;
    point->writes[0] = 0;
    point->children[0] = 0;
    weft_log_writer *w = log_begin(log);
    weft_log_checkpoint head = head_of(
        spaces[ns], point->id, parent < 0 ? -1 : (int64_t)points[parent].id, (int64_t)point_count);
    head.keyframe = keyframe;
    head.hidden = point->hidden;
    weft_log_put_checkpoint(w, &head, 0);
    put_changes(w, point, keyframe);
    if (parent >= 0 && chance(2) == 0 && strlen(points[parent].children) < 450) {
        put_one_task(w, points[parent].children, sizeof(points[parent].children));
    } else {
        weft_log_put_count(w, 0);
    }
    REQUIRE_EQ(log_end(log, WEFT_LOG_CHECKPOINT), WEFT_OK);
    point_count++;
}

static void add_writes(test_log *log) {
    model_point *point = &points[chance(point_count)];
    if (strlen(point->writes) > 200) {
        return;
    }
    weft_log_writer *w = log_begin(log);
    weft_log_put_writes(w, text_of(spaces[point->ns]), id_of(point->id));
    put_one_task(w, point->writes, sizeof(point->writes));
    REQUIRE_EQ(log_end(log, WEFT_LOG_WRITES), WEFT_OK);
}

static void same_value(const weft_log_index *index, const weft_log_value *got,
                       const model_value *expected) {
    if (expected->text[0] == 0) {
        REQUIRE(got->form == WEFT_LOG_IMMEDIATE && got->word == expected->word);
        return;
    }
    REQUIRE_EQ(got->form, WEFT_LOG_INLINE);
    CHECK_TEXT(got->bytes, got->length, expected->text);
    weft_log_value value = reference_to(got->seq, got->index);
    REQUIRE_EQ(weft_log_index_resolve(index, &value), WEFT_OK);
    REQUIRE(value.bytes == got->bytes && value.length == got->length);
}

static void same_channel(const weft_log_index *index, const weft_log_channel *got,
                         const model_channel *expected) {
    REQUIRE_EQ(got->form, expected->form);
    REQUIRE_EQ(got->version, expected->version);
    REQUIRE_EQ(got->mark, expected->mark);
    if (got->form == WEFT_LOG_SET) {
        same_value(index, &got->value, &expected->items[0]);
    }
    if (got->form < WEFT_LOG_LIST) {
        return;
    }
    REQUIRE_EQ(got->count, expected->count);
    for (uint32_t i = 0; i < got->count; i++) {
        if (got->form == WEFT_LOG_LIST) {
            same_value(index, &got->items[i], &expected->items[i]);
        } else if (got->form == WEFT_LOG_SENDS) {
            same_value(index, &got->sends[i].args, &expected->items[i]);
            CHECK_TEXT(got->sends[i].node.bytes, got->sends[i].node.length,
                       nodes[expected->names[i]]);
        } else {
            CHECK_TEXT(got->names[i].bytes, got->names[i].length, nodes[expected->names[i]]);
        }
    }
}

static uint32_t number_in(const char *const *list, uint32_t count, weft_log_text name) {
    for (uint32_t i = 0; i < count; i++) {
        if (strlen(list[i]) == name.length && memcmp(list[i], name.bytes, name.length) == 0) {
            return i;
        }
    }
    test_fail(__FILE__, __LINE__, "a name that the history does not have");
    test_leave();
    return 0;
}

static void same_state(const weft_log_index *index, const weft_log_state *state,
                       const model_point *point) {
    uint32_t present = 0, seen = 0;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        present += point->channels[i].present ? 1 : 0;
        for (uint32_t n = 0; n < NODES; n++) {
            seen += point->seen[n][i] != 0;
        }
    }
    REQUIRE_EQ(state->channel_count, present);
    REQUIRE_EQ(state->seen_count, seen);
    for (uint32_t i = 0; i < state->channel_count; i++) {
        uint32_t number = number_in(channels, CHANNELS, state->channels[i].name);
        same_channel(index, &state->channels[i], &point->channels[number]);
    }
    for (uint32_t i = 0; i < state->seen_count; i++) {
        uint32_t node = number_in(nodes, NODES, state->seen[i].node);
        REQUIRE_EQ(state->seen[i].version,
                   point->seen[node][number_in(channels, CHANNELS, state->seen[i].channel)]);
    }
}

static void same_pending(const weft_log_index *index, uint32_t entry, const model_point *point) {
    char expected[800], got[800] = "";
    snprintf(expected, sizeof(expected), "%s%s", point->writes, point->children);
    weft_log_pending pending;
    weft_log_task task;
    weft_log_write write;
    weft_log_pending_init(&pending, index, entry);
    while (weft_log_pending_task(&pending, &task)) {
        REQUIRE_EQ(task.count, 1);
        while (weft_log_pending_write(&pending, &write)) {
            strncat(got, (const char *)write.value.bytes, write.value.length);
        }
    }
    REQUIRE_EQ(pending.status, WEFT_OK);
    CHECK_STR(got, expected);
}

static void same_history(const weft_log_index *index, uint32_t ns) {
    uint32_t entry = weft_log_index_newest(index, text_of(spaces[ns]));
    for (uint32_t i = point_count; i-- > 0;) {
        if (points[i].ns == ns && !points[i].hidden) {
            REQUIRE(entry != WEFT_LOG_NONE);
            CHECK_MEM(index->entries[entry].id, 16, id_of(points[i].id), 16);
            entry = weft_log_index_older(index, entry);
        }
    }
    CHECK_EQ(entry, WEFT_LOG_NONE);
}

static void compare_all(const test_log *log) {
    weft_log_index index;
    weft_arena arena;
    weft_log_state state;
    weft_arena_init(&arena, test_memory());
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 99);
    REQUIRE_EQ(weft_log_index_load(&index, log_span(log), log->chain.thread), WEFT_OK);
    CHECK(index.last.seq == log->chain.last.seq && index.last.crc == log->chain.last.crc);
    for (uint32_t i = 0; i < point_count; i++) {
        const model_point *point = &points[i];
        uint32_t entry = weft_log_index_find(&index, text_of(spaces[point->ns]), id_of(point->id));
        REQUIRE(entry != WEFT_LOG_NONE);
        CHECK_EQ(index.entries[entry].step, i);
        REQUIRE_EQ(weft_log_state_load(&index, entry, &arena, &state), WEFT_OK);
        same_state(&index, &state, point);
        same_pending(&index, entry, point);
        weft_arena_reset(&arena);
        CHECK_EQ(weft_log_index_find(&index, text_of(spaces[(point->ns + 1) % SPACES]),
                                     id_of(point->id)),
                 WEFT_LOG_NONE);
    }
    for (uint32_t ns = 0; ns < SPACES; ns++) {
        same_history(&index, ns);
    }
    CHECK_MEM(weft_log_index_newest_id(&index), 16, id_of(points[point_count - 1].id), 16);
    weft_log_index_fini(&index);
    weft_arena_fini(&arena);
}

TEST(random_histories_equal_the_model) {
    for (uint32_t round = 0; round < 60; round++) {
        test_log log;
        chance_state = 1000 + round;
        point_count = 0;
        pool_count = 0;
        log_start(&log, "thread");
        while (log.count < 30 + round * 2) {
            add_point(&log);
            if (chance(4) == 0) {
                add_writes(&log);
            }
        }
        compare_all(&log);
        weft_buffer_fini(&log.bytes);
    }
}
