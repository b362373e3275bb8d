// SPDX-License-Identifier: MIT
// Values that replace a slightly different one: stored as patches, read back unchanged, from any
// depth, after a rewrite, and refused when they do not fit. Serves the bound of storage by the
// change, docs/reliability.md 1, docs/log-format.md 1, T3.
#include "test_log.h"

#include "log/apply_patches.h"
#include "log/diff.h"
#include "log/rewrite.h"

#define TEXT 4096u

typedef struct text {
    uint8_t bytes[2 * TEXT];
    uint32_t length;
} text;

// Replaces up to 40 bytes somewhere, as long as there is room.
static void edit(text *at, uint32_t most_inserted) {
    uint32_t place = chance(at->length + 1);
    uint32_t drop = chance(41) % (at->length - place + 1);
    uint32_t insert = at->length > TEXT + TEXT / 2 ? 0 : chance(most_inserted + 1);
    memmove(at->bytes + place + insert, at->bytes + place + drop, at->length - place - drop);
    for (uint32_t i = 0; i < insert; i++) {
        at->bytes[place + i] = (uint8_t)('a' + chance(26));
    }
    at->length = at->length - drop + insert;
}

static text any_text(uint32_t length, uint32_t letters) {
    text made = {.length = length};
    for (uint32_t i = 0; i < length; i++) {
        made.bytes[i] = (uint8_t)('a' + chance(letters));
    }
    return made;
}

// Versions of a text, each with so many edits of the one before.
static void versions(text *texts, uint32_t count, uint32_t length, uint32_t edits) {
    texts[0] = any_text(length, 26);
    for (uint32_t i = 1; i < count; i++) {
        texts[i] = texts[i - 1];
        for (uint32_t n = 0; n < edits; n++) {
            edit(&texts[i], 10);
        }
    }
}

// One checkpoint that sets channel "a" to `value`, below the one before; what a patch inserts is
// taken from `sources`, or NULL.
static void put_made(test_log *log, const weft_log_value *value, const weft_log_value *sources) {
    uint32_t id = log->count + 1;
    weft_log_writer *w = log_begin(log);
    w->sources = sources;
    weft_log_checkpoint head = head_of("", id, id == 1 ? -1 : (int64_t)id - 1, id);
    weft_log_put_checkpoint(w, &head, 0);
    weft_log_put_count(w, 1);
    weft_log_change change = {text_of("a"), id, WEFT_LOG_SET, 0, 0};
    weft_log_put_change(w, &change);
    weft_log_put_value(w, value);
    weft_log_put_count(w, 0);
    weft_log_put_count(w, 0);
    REQUIRE_EQ(log_end(log, WEFT_LOG_CHECKPOINT), WEFT_OK);
}

static void put_checkpoint(test_log *log, const weft_log_value *value) {
    put_made(log, value, NULL);
}

// `texts` as versions of one channel, each a patch of the one before where that is smaller.
static test_log log_of(const text *texts, uint32_t count, uint32_t *patches) {
    test_log log;
    weft_log_value base = {.form = WEFT_LOG_INLINE};
    log_start(&log, "thread");
    for (uint32_t i = 0; i < count; i++) {
        weft_log_value value = {
            .form = WEFT_LOG_INLINE, .bytes = texts[i].bytes, .length = texts[i].length};
        value.base = i == 0 ? NULL : &base;
        put_checkpoint(&log, &value);
        *patches += log.writer.depth != 0;
        base = value;
        base.seq = i + 1;
        base.word = log.writer.depth;
    }
    return log;
}

static void index_of(const test_log *log, weft_log_index *index) {
    weft_log_index_init(index, test_memory(), (weft_log_anchor){0, 0}, 5);
    REQUIRE_EQ(weft_log_index_load(index, log_span(log), log->chain.thread), WEFT_OK);
}

// The text of channel "a" at a checkpoint.
static text text_at(const weft_log_index *index, uint32_t id) {
    weft_log_state state;
    weft_arena arena;
    text got = {.length = 0};
    uint64_t work = 0;
    uint32_t of_snapshot;
    weft_arena_init(&arena, test_memory());
    REQUIRE_EQ(weft_log_state_load(index, weft_log_index_find(index, text_of(""), id_of(id)),
                                   &arena, &state),
               WEFT_OK);
    const weft_log_value *value = &state.channels[0].value;
    got.length = value->length;
    if (value->form == WEFT_LOG_PATCH) {
        got.length = weft_log_patch_head(value).length;
        REQUIRE_EQ(weft_log_apply_patches(index, value, &work, got.bytes, &of_snapshot), WEFT_OK);
        CHECK_EQ(of_snapshot, 0);
    } else {
        memcpy(got.bytes, value->bytes, value->length);
    }
    weft_arena_fini(&arena);
    return got;
}

static int same(const text *a, const text *b) {
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

TEST(every_version_reads_as_it_was) {
    static text texts[LOG_FRAMES];
    for (int round = 0; round < 24; round++) {
        uint32_t count = 2 + chance(60), patches = 0;
        uint32_t letters = round % 3 == 0 ? 1 : round % 3 == 1 ? 2 : 26;
        texts[0] = any_text(200 + chance(TEXT), letters);
        for (uint32_t i = 1; i < count; i++) {
            texts[i] = texts[i - 1];
            for (uint32_t edits = chance(4); edits > 0; edits--) {
                edit(&texts[i], round % 2 == 0 ? 20 : 400);
            }
        }
        test_log log = log_of(texts, count, &patches);
        weft_log_index index;
        CHECK(patches > 0);
        index_of(&log, &index);
        for (uint32_t i = 0; i < count; i++) {
            text got = text_at(&index, i + 1);
            CHECK(same(&got, &texts[i]));
        }
        weft_log_index_fini(&index);
        weft_buffer_fini(&log.bytes);
    }
}

TEST(a_patch_costs_its_edits) {
    text old = any_text(TEXT, 26);
    for (uint32_t edits = 1; edits <= 4; edits++) {
        weft_log_splice splices[WEFT_LOG_SPLICES];
        text now = old;
        uint32_t inserted = 0;
        for (uint32_t i = 0; i < edits; i++) {
            memcpy(now.bytes + 100 + i * 1000, "12345", 5);
        }
        weft_log_text from = {old.bytes, old.length}, to = {now.bytes, now.length};
        uint32_t count = weft_log_diff(from, to, &(uint32_t){0}, splices);
        CHECK_EQ(count, edits);
        for (uint32_t i = 0; i < count; i++) {
            inserted += splices[i].insert.length;
        }
        CHECK_EQ(inserted, 5 * edits);
    }
    text other = any_text(TEXT, 26);
    weft_log_splice splices[WEFT_LOG_SPLICES];
    CHECK_EQ(weft_log_diff((weft_log_text){old.bytes, old.length},
                           (weft_log_text){other.bytes, other.length}, &(uint32_t){0}, splices),
             0);
}

// Texts that stand in a long one in their order are found far behind its start, as long as it is
// told where the last one ended.
TEST(texts_that_follow_one_another_are_found) {
    static text old;
    old = any_text(TEXT, 200);
    uint32_t place = 0;
    for (uint32_t at = 0; at + 300 <= old.length; at += 300) {
        weft_log_splice splices[WEFT_LOG_SPLICES];
        weft_log_text from = {old.bytes, old.length}, to = {old.bytes + at, 300};
        uint32_t count = weft_log_diff(from, to, &place, splices), inserted = 0, kept = old.length;
        for (uint32_t i = 0; i < count; i++) {
            inserted += splices[i].insert.length;
            kept -= splices[i].drop;
        }
        CHECK(count >= 1 && count <= 3);
        CHECK_EQ(inserted, 0);
        CHECK_EQ(kept, 300);
        CHECK_EQ(place, at + 300);
    }
}

TEST(frames_with_patches_are_of_format_2) {
    static text texts[3];
    uint32_t patches = 0;
    texts[0] = texts[1] = any_text(500, 26);
    edit(&texts[1], 5);
    texts[2] = any_text(500, 26);
    test_log log = log_of(texts, 3, &patches);
    CHECK_EQ(patches, 1);
    CHECK_EQ(log.bytes.bytes[4], WEFT_LOG_FORMAT);
    CHECK_EQ(log.bytes.bytes[log.ends[1] + 4], WEFT_LOG_FORMAT_PATCHED);
    CHECK_EQ(log.bytes.bytes[log.ends[2] + 4], WEFT_LOG_FORMAT);
    weft_buffer_fini(&log.bytes);
}

// What stays keeps its patches; the first one whose base goes becomes whole.
TEST(rewriting_carries_patches) {
    static text texts[40];
    uint32_t patches = 0;
    versions(texts, 40, 2000, 1);
    test_log log = log_of(texts, 40, &patches);
    CHECK_EQ(patches, 39);
    weft_log_index index, after;
    weft_log_rewritten counts;
    index_of(&log, &index);
    const weft_log_retention keep = {.last = 10, .since = UINT64_MAX};
    for (int mode = WEFT_LOG_REWRITE_COPY; mode <= WEFT_LOG_REWRITE_TRIM; mode++) {
        weft_log_chain chain = log.chain;
        if (mode != WEFT_LOG_REWRITE_TRIM) {
            chain.last = (weft_log_anchor){0, 0};
        }
        weft_log_anchor anchor = chain.last;
        weft_buffer out;
        weft_buffer_init(&out, test_memory());
        REQUIRE_EQ(
            weft_log_rewrite(&index, (weft_log_rewrite_mode)mode, &keep, &out, &chain, &counts),
            WEFT_OK);
        CHECK_EQ(counts.kept, 10);
        CHECK(out.length < 2000 + 10 * 300);
        weft_log_index_init(&after, test_memory(), anchor, 5);
        weft_log_span span = {out.bytes, out.length};
        REQUIRE_EQ(weft_log_index_load(&after, span, chain.thread), WEFT_OK);
        for (uint32_t i = 30; i < 40; i++) {
            text got = text_at(&after, i + 1);
            CHECK(same(&got, &texts[i]));
        }
        weft_log_index_fini(&after);
        weft_buffer_fini(&out);
    }
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

// A log of one text of 100 bytes and a patch of it as given: what the index says.
static weft_status with_patch(const uint8_t *patch, uint32_t length, uint64_t base,
                              uint32_t number) {
    static text first;
    uint32_t patches = 0;
    first = any_text(100, 26);
    test_log log = log_of(&first, 1, &patches);
    weft_log_value value = {
        .form = WEFT_LOG_PATCH, .bytes = patch, .length = length, .seq = base, .index = number};
    put_checkpoint(&log, &value);
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 5);
    weft_status status = weft_log_index_load(&index, log_span(&log), log.chain.thread);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
    return status;
}

TEST(patches_that_do_not_fit_are_refused) {
    static const struct {
        uint8_t bytes[12]; // depth, length, count, then keep, drop, insert
        uint32_t length;
        uint64_t base;
        uint32_t number;
        weft_status status;
    } rows[] = {
        {{1, 98, 1, 10, 3, 1, 'x'}, 7, 1, 0, WEFT_OK},
        {{1, 100, 0}, 3, 1, 0, WEFT_OK},
        {{1, 1, 1, 0, 100, 1, 'x'}, 7, 1, 0, WEFT_OK},
        {{1, 98, 1, 10, 3, 1, 'x'}, 7, 2, 0, WEFT_ERR_LOG_CORRUPT}, // of its own record
        {{1, 98, 1, 10, 3, 1, 'x'}, 7, 1, 1, WEFT_ERR_LOG_CORRUPT}, // no such value
        {{0, 98, 1, 10, 3, 1, 'x'}, 7, 1, 0, WEFT_ERR_LOG_CORRUPT}, // not deeper than its base
        {{1, 99, 1, 10, 3, 1, 'x'}, 7, 1, 0, WEFT_ERR_LOG_CORRUPT}, // another length
        {{1, 0, 1, 98, 3, 1, 'x'}, 7, 1, 0, WEFT_ERR_LOG_CORRUPT},  // more than the base has
        {{1, 98, 1, 10, 3, 9, 'x'}, 7, 1, 0, WEFT_ERR_LOG_CORRUPT}, // ends inside what it inserts
        {{1, 100, 17}, 3, 1, 0, WEFT_ERR_LOG_CORRUPT},              // too many splices
        {{0x81, 8, 100, 0}, 4, 1, 0, WEFT_ERR_LOG_CORRUPT},         // too deep: 1025
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CHECK_EQ(with_patch(rows[i].bytes, rows[i].length, rows[i].base, rows[i].number),
                 rows[i].status);
    }
}

#define TURNS 12u

static void append(text *to, const uint8_t *bytes, uint32_t length) {
    memcpy(&to->bytes[to->length], bytes, length);
    to->length += length;
}

// A talk: what is said stands in the log by itself, whole, then in the text of all that was said,
// between marks.
static test_log talk_of(text *texts) {
    test_log log;
    weft_log_value base = {.form = WEFT_LOG_INLINE}, sources[3];
    log_start(&log, "thread");
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        text *all = &texts[3 * turn + 2];
        *all = turn == 0 ? (text){.length = 0} : texts[3 * turn - 1];
        for (uint32_t i = 0; i < 2; i++) {
            text *said = &texts[3 * turn + i];
            *said = any_text(200, 26);
            sources[i] = (weft_log_value){
                .form = WEFT_LOG_INLINE, .bytes = said->bytes, .length = said->length};
            put_checkpoint(&log, &sources[i]);
            sources[i].seq = log.count;
            append(all, (const uint8_t *)"<>", 1 + i);
            append(all, &said->bytes[i], said->length - 3 * i);
        }
        sources[2].length = 0;
        weft_log_value value = {
            .form = WEFT_LOG_INLINE, .bytes = all->bytes, .length = all->length};
        value.base = turn == 0 ? NULL : &base;
        put_made(&log, &value, sources);
        base = value;
        base.seq = log.count;
        base.word = log.writer.depth;
    }
    return log;
}

TEST(what_a_patch_inserts_is_taken_from_other_values) {
    static text texts[3 * TURNS];
    test_log log = talk_of(texts);
    weft_log_index index, after;
    weft_log_rewritten counts;
    index_of(&log, &index);
    for (uint32_t i = 0; i < 3 * TURNS; i++) {
        text got = text_at(&index, i + 1);
        CHECK(same(&got, &texts[i]));
        CHECK_EQ(log.bytes.bytes[log.ends[i] + 4],
                 i > 2 && i % 3 == 2 ? WEFT_LOG_FORMAT_CROSS_REFS : WEFT_LOG_FORMAT);
        CHECK(i < 3 || i % 3 != 2 || log.ends[i + 1] - log.ends[i] < 200);
    }
    // What stays is taken from where the others stand by then; where one has gone, it is inserted.
    for (uint32_t last = 2; last <= 3 * TURNS; last += 5) {
        weft_log_chain chain = log.chain;
        chain.last = (weft_log_anchor){0, 0};
        weft_buffer out;
        weft_buffer_init(&out, test_memory());
        const weft_log_retention keep = {.last = last, .since = UINT64_MAX};
        REQUIRE_EQ(weft_log_rewrite(&index, WEFT_LOG_REWRITE_COPY, &keep, &out, &chain, &counts),
                   WEFT_OK);
        CHECK(last != 3 * TURNS || out.length == log.bytes.length);
        weft_log_index_init(&after, test_memory(), (weft_log_anchor){0, 0}, 5);
        REQUIRE_EQ(
            weft_log_index_load(&after, (weft_log_span){out.bytes, out.length}, chain.thread),
            WEFT_OK);
        for (uint32_t i = 3 * TURNS - last; i < 3 * TURNS; i++) {
            text got = text_at(&after, i + 1);
            CHECK(same(&got, &texts[i]));
        }
        weft_log_index_fini(&after);
        weft_buffer_fini(&out);
    }
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

// A text of 100 bytes, a patch of it, and one of the first as given: what applying the last says.
static weft_status with_copy(const uint8_t *patch, uint32_t length) {
    static text texts[2], got;
    uint32_t patches = 0, of_snapshot;
    uint64_t work = 0;
    texts[0] = texts[1] = any_text(100, 26);
    texts[1].bytes[50] = '!';
    test_log log = log_of(texts, 2, &patches);
    weft_log_value value = {.form = WEFT_LOG_PATCH, .bytes = patch, .length = length, .seq = 1};
    put_checkpoint(&log, &value);
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 5);
    weft_status status = weft_log_index_load(&index, log_span(&log), log.chain.thread);
    if (status == WEFT_OK) {
        value = (weft_log_value){.form = WEFT_LOG_REFERENCE, .seq = 3};
        REQUIRE_EQ(weft_log_index_resolve(&index, &value), WEFT_OK);
        status = weft_log_apply_patches(&index, &value, &work, got.bytes, &of_snapshot);
        CHECK(status != WEFT_OK || memcmp(&got.bytes[100], &texts[0].bytes[40], 10) == 0);
    }
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
    return status;
}

TEST(copies_that_are_not_there_are_refused) {
    static const struct {
        uint8_t bytes[16]; // depth, length, count, then keep, drop, how much, then record before,
                           // number, place
        uint32_t length;
        weft_status status;
    } rows[] = {
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 2, 0, 40}, 13, WEFT_OK},
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 2, 0, 91},
         13,
         WEFT_ERR_LOG_CORRUPT}, // more than it has
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 2, 0, 101},
         13,
         WEFT_ERR_LOG_CORRUPT}, // behind its end
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 2, 1, 40},
         13,
         WEFT_ERR_LOG_CORRUPT}, // no such value
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 1, 0, 40},
         13,
         WEFT_ERR_LOG_CORRUPT}, // a patch itself
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 0, 0, 40},
         13,
         WEFT_ERR_LOG_CORRUPT}, // of its own record
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 3, 0, 40},
         13,
         WEFT_ERR_LOG_CORRUPT}, // before the first
        {{1, 110, 1, 0, 0, 0x81, 0x80, 0x80, 0x82, 8, 2, 0, 40},
         13,
         WEFT_ERR_LOG_CORRUPT}, // more than may be
        {{1, 110, 1, 0, 0, 0x8a, 0x80, 0x80, 0x80, 8, 2, 0},
         12,
         WEFT_ERR_LOG_CORRUPT}, // ends inside it
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CHECK_EQ(with_copy(rows[i].bytes, rows[i].length), rows[i].status);
    }
}

TEST(a_chain_ends_at_its_limit) {
    text first = any_text(300, 26), second = first;
    second.bytes[7] = '!';
    weft_log_writer writer;
    weft_buffer buffer;
    weft_buffer_init(&buffer, test_memory());
    weft_log_value base = {
        .form = WEFT_LOG_INLINE, .bytes = first.bytes, .length = first.length, .seq = 1};
    weft_log_value value = {
        .form = WEFT_LOG_INLINE, .bytes = second.bytes, .length = second.length, .base = &base};
    for (uint32_t depth = WEFT_LOG_DEPTH - 1; depth <= WEFT_LOG_DEPTH; depth++) {
        base.word = depth;
        weft_log_writer_init(&writer, &buffer, 2);
        weft_log_put_value(&writer, &value);
        CHECK_EQ(writer.patched, depth < WEFT_LOG_DEPTH);
        CHECK_EQ(writer.depth, depth < WEFT_LOG_DEPTH ? WEFT_LOG_DEPTH : 0);
    }
    // Each edit counts: it is pieces that a reader goes over.
    second.bytes[200] = '!';
    for (uint32_t depth = WEFT_LOG_DEPTH - 2; depth < WEFT_LOG_DEPTH; depth++) {
        base.word = depth;
        weft_log_writer_init(&writer, &buffer, 2);
        weft_log_put_value(&writer, &value);
        CHECK_EQ(writer.depth, depth == WEFT_LOG_DEPTH - 2 ? WEFT_LOG_DEPTH : 0);
    }
    weft_buffer_fini(&buffer);
}

static void apply_patches_of_last(void *context) {
    const weft_log_index *index = context;
    weft_log_value value = {.form = WEFT_LOG_REFERENCE, .seq = index->last.seq};
    uint8_t got[2 * TEXT];
    uint64_t work = 0;
    uint32_t of_snapshot;
    REQUIRE_EQ(weft_log_index_resolve(index, &value), WEFT_OK);
    weft_status status = weft_log_apply_patches(index, &value, &work, got, &of_snapshot);
    CHECK(status == WEFT_OK || (status == WEFT_ERR_NO_MEMORY && test_has_failed()));
    work = WEFT_LOG_PATCH_WORK + (uint64_t)index->place_count * WEFT_LOG_PATCH_WORK_PER_VALUE;
    status = weft_log_apply_patches(index, &value, &work, got, &of_snapshot);
    CHECK(status == WEFT_ERR_LOG_CORRUPT || (status == WEFT_ERR_NO_MEMORY && test_has_failed()));
}

TEST(applying_patches_is_bounded_and_survives_refused_memory) {
    static text texts[30];
    uint32_t patches = 0;
    versions(texts, 30, 3000, 2);
    test_log log = log_of(texts, 30, &patches);
    weft_log_index index;
    index_of(&log, &index);
    test_each_failure(apply_patches_of_last, &index);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}
