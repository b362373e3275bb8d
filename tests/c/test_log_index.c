// SPDX-License-Identifier: MIT
// The index: the tool ledger and approvals, writes before their checkpoint, hidden checkpoints that
// become visible later, valid frames with wrong content (missing parents, references, runs), and
// refused memory from the first frame to the loaded state (T3). Serves docs/log-format.md 2 (ledger
// key, hidden checkpoints) and docs/reliability.md 1 (promise 3).
#include "test_log.h"

static weft_log_index index_of(const test_log *log) {
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 3);
    return weft_log_index_load(&index, log_span(log), log->chain.thread) == WEFT_OK
               ? index
               : (weft_log_index){0};
}

static void put_point(test_log *log, weft_log_checkpoint head, const char *value) {
    weft_log_writer *w = log_begin(log);
    weft_log_put_checkpoint(w, &head, 0);
    weft_log_put_count(w, value != NULL ? 1 : 0);
    if (value != NULL) {
        weft_log_change change = {text_of("x"), 1, WEFT_LOG_SET, 0, 0};
        weft_log_value bytes = bytes_of(value);
        weft_log_put_change(w, &change);
        weft_log_put_value(w, &bytes);
    }
    weft_log_put_count(w, 0);
    weft_log_put_count(w, 0);
    log_end(log, WEFT_LOG_CHECKPOINT);
}

static weft_log_ledger call_of(const char *call, uint32_t generation) {
    weft_log_ledger ledger = {
        .key = {.ns = text_of("sub"), .call = text_of(call), .generation = generation}};
    ledger.key.task = (weft_log_task_key){.kind = WEFT_LOG_TASK_STORED};
    memcpy(ledger.key.task.id, id_of(50), WEFT_LOG_ID_BYTES);
    memset(ledger.key.digest, 0x33, sizeof(ledger.key.digest));
    return ledger;
}

static uint64_t put_call(test_log *log, weft_log_kind kind, const weft_log_ledger *ledger) {
    weft_log_put_ledger(log_begin(log), ledger);
    log_end(log, kind);
    return log->chain.last.seq;
}

static uint64_t seq_of(const weft_log_index *index, uint32_t record) {
    return record == WEFT_LOG_NONE ? 0 : weft_log_index_seq(index, record);
}

TEST(the_ledger_finds_calls_by_their_whole_key) {
    test_log log;
    log_start(&log, "thread");
    weft_log_ledger first = call_of("call_1", 0), second = call_of("call_2", 0),
                    again = call_of("call_1", 1);
    uint64_t intent = put_call(&log, WEFT_LOG_INTENT, &first);
    put_call(&log, WEFT_LOG_INTENT, &second);
    weft_log_ledger done = first;
    done.payload = bytes_of("\"sunny\"");
    uint64_t result = put_call(&log, WEFT_LOG_RESULT, &done);
    uint64_t replay = put_call(&log, WEFT_LOG_INTENT, &again);
    weft_log_index index = index_of(&log);
    weft_log_call call;
    REQUIRE_EQ(weft_log_index_call(&index, &first.key, &call), WEFT_OK);
    CHECK_EQ(seq_of(&index, call.intent), intent);
    CHECK_EQ(seq_of(&index, call.result), result);
    CHECK_EQ(call.decision, WEFT_LOG_NONE);
    REQUIRE_EQ(weft_log_index_call(&index, &second.key, &call), WEFT_OK);
    CHECK(call.intent != WEFT_LOG_NONE && call.result == WEFT_LOG_NONE);
    REQUIRE_EQ(weft_log_index_call(&index, &again.key, &call), WEFT_OK);
    CHECK(seq_of(&index, call.intent) == replay && call.result == WEFT_LOG_NONE);
    weft_log_ledger_key other = first.key;
    other.digest[31] ^= 1;
    REQUIRE_EQ(weft_log_index_call(&index, &other, &call), WEFT_OK);
    CHECK(call.intent == WEFT_LOG_NONE && call.result == WEFT_LOG_NONE);
    weft_log_value value = reference_to(result, 0);
    REQUIRE_EQ(weft_log_index_resolve(&index, &value), WEFT_OK);
    CHECK_TEXT(value.bytes, value.length, "\"sunny\"");
    value = reference_to(result, 1);
    CHECK_EQ(weft_log_index_resolve(&index, &value), WEFT_ERR_LOG_CORRUPT);
    value = reference_to(log.chain.last.seq + 1, 0);
    CHECK_EQ(weft_log_index_resolve(&index, &value), WEFT_ERR_LOG_CORRUPT);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

TEST(the_first_decision_of_an_approval_stays) {
    test_log log;
    log_start(&log, "thread");
    weft_log_ledger decision = call_of("call_1", 0);
    decision.has_approval = 1;
    memcpy(decision.approval, id_of(60), WEFT_LOG_ID_BYTES);
    put_call(&log, WEFT_LOG_DECISION, &decision); // asks
    decision.verdict = 1;
    uint64_t first = put_call(&log, WEFT_LOG_DECISION, &decision);
    decision.verdict = 2;
    put_call(&log, WEFT_LOG_DECISION, &decision);
    weft_log_index index = index_of(&log);
    CHECK_EQ(seq_of(&index, weft_log_index_decision(&index, id_of(60))), first);
    CHECK_EQ(weft_log_index_decision(&index, id_of(61)), WEFT_LOG_NONE);
    weft_log_call call;
    REQUIRE_EQ(weft_log_index_call(&index, &decision.key, &call), WEFT_OK);
    CHECK_EQ(seq_of(&index, call.decision), first);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

TEST(writes_may_come_before_their_checkpoint) {
    test_log log;
    log_start(&log, "thread");
    weft_log_writer *w = log_begin(&log);
    weft_log_put_writes(w, text_of(""), id_of(5));
    weft_log_put_count(w, 0);
    log_end(&log, WEFT_LOG_WRITES);
    weft_log_index index = index_of(&log);
    CHECK_EQ(weft_log_index_find(&index, text_of(""), id_of(5)), WEFT_LOG_NONE);
    CHECK_EQ(weft_log_index_newest(&index, text_of("")), WEFT_LOG_NONE);
    CHECK_MEM(weft_log_index_newest_id(&index), 16, id_of(5),
              16); // the next id must not be one that writes wait for
    weft_arena arena;
    weft_log_state state;
    weft_arena_init(&arena, test_memory());
    CHECK_EQ(weft_log_state_load(&index, 0, &arena, &state), WEFT_ERR_ARGUMENT);
    CHECK_EQ(weft_log_state_load(&index, 1, &arena, &state), WEFT_ERR_ARGUMENT);
    weft_log_index_fini(&index);
    put_point(&log, head_of("", 5, -1, 0), NULL);
    put_point(&log, head_of("", 4, -1, 0), NULL); // falls behind what is there, and comes once more
    put_point(&log, head_of("", 4, -1, 0), NULL);
    index = index_of(&log);
    CHECK_EQ(index.entry_count, 2);
    CHECK_MEM(weft_log_index_newest_id(&index), 16, id_of(5), 16);
    uint32_t entry = weft_log_index_find(&index, text_of(""), id_of(5));
    REQUIRE(entry != WEFT_LOG_NONE);
    CHECK_EQ(weft_log_index_older(&index, weft_log_index_newest(&index, text_of(""))), entry);
    CHECK_EQ(index.entries[entry].first_writes, 0);
    weft_log_index_fini(&index);
    weft_arena_fini(&arena);
    weft_buffer_fini(&log.bytes);
}

TEST(a_hidden_checkpoint_is_shown_by_a_second_record) {
    test_log log;
    log_start(&log, "thread");
    weft_log_checkpoint hidden = head_of("", 2, 1, 1);
    hidden.hidden = 1;
    put_point(&log, head_of("", 1, -1, 0), "1");
    put_point(&log, hidden, "2");
    weft_log_index index = index_of(&log);
    CHECK_MEM(index.entries[weft_log_index_newest(&index, text_of(""))].id, 16, id_of(1), 16);
    CHECK_MEM(weft_log_index_newest_id(&index), 16, id_of(2), 16);
    weft_log_index_fini(&index);
    put_point(&log, head_of("", 2, 1, 1), "3");
    index = index_of(&log);
    uint32_t newest = weft_log_index_newest(&index, text_of(""));
    CHECK_MEM(index.entries[newest].id, 16, id_of(2), 16);
    CHECK_EQ(index.namespaces[0].count, 2);
    weft_arena arena;
    weft_log_state state;
    weft_arena_init(&arena, test_memory());
    REQUIRE_EQ(weft_log_state_load(&index, newest, &arena, &state), WEFT_OK);
    CHECK_TEXT(state.channels[0].value.bytes, state.channels[0].value.length, "3");
    CHECK_EQ(state.chain, 2);
    weft_arena_fini(&arena);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

static void put_list(test_log *log, uint32_t id, int64_t parent, const weft_log_op *op) {
    weft_log_writer *w = log_begin(log);
    weft_log_checkpoint head = head_of("", id, parent, id);
    weft_log_put_checkpoint(w, &head, 0);
    weft_log_put_count(w, 1);
    weft_log_change change = {text_of("x"), 1, WEFT_LOG_LIST, 0, 1};
    weft_log_put_change(w, &change);
    weft_log_put_op(w, op);
    weft_log_put_count(w, 0);
    weft_log_put_count(w, 0);
    REQUIRE_EQ(log_end(log, WEFT_LOG_CHECKPOINT), WEFT_OK);
}

// Checkpoint 1 holds one value; frame 2 is what is asked about. The index must stay as it was after
// a refusal.
static weft_status second_frame(void (*put)(test_log *, const void *), const void *argument) {
    test_log log;
    log_start(&log, "thread");
    put_point(&log, head_of("", 1, -1, 0), "1");
    put(&log, argument);
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 3);
    weft_status status = weft_log_index_load(&index, log_span(&log), log.chain.thread);
    CHECK_EQ(index.record_count, status == WEFT_OK ? 2 : 1);
    CHECK_EQ(index.last.seq, index.record_count);
    CHECK_EQ(index.place_count >= 1, 1);
    CHECK_EQ(weft_log_index_newest(&index, text_of("")) < index.entry_count, 1);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
    return status;
}

static void put_op(test_log *log, const void *op) {
    put_list(log, 2, -1, op);
}
static void put_head(test_log *log, const void *head) {
    put_point(log, *(const weft_log_checkpoint *)head, NULL);
}
static void put_trim(test_log *log, const void *dropped) {
    weft_log_put_trim(log_begin(log), *(const weft_log_anchor *)dropped);
    log_end(log, WEFT_LOG_TRIM);
}

TEST(what_is_not_there_cannot_be_named) {
    weft_log_op op = {.kind = WEFT_LOG_APPEND, .value = reference_to(1, 0)};
    CHECK_EQ(second_frame(put_op, &op), WEFT_OK);
    op.value.index = 1;
    CHECK_EQ(second_frame(put_op, &op), WEFT_ERR_LOG_CORRUPT);
    op = (weft_log_op){.kind = WEFT_LOG_RUN, .seq = 1, .index = 0, .count = 1};
    CHECK_EQ(second_frame(put_op, &op), WEFT_OK);
    op.count = 2;
    CHECK_EQ(second_frame(put_op, &op), WEFT_ERR_LOG_CORRUPT);
    op = (weft_log_op){.kind = WEFT_LOG_RUN, .seq = 1, .index = 1, .count = 1};
    CHECK_EQ(second_frame(put_op, &op), WEFT_ERR_LOG_CORRUPT);
    op.count = 0;
    CHECK_EQ(second_frame(put_op, &op), WEFT_OK);

    weft_log_checkpoint head = head_of("", 3, 2, 0);
    CHECK_EQ(second_frame(put_head, &head), WEFT_ERR_LOG_CORRUPT);
    head.keyframe = 1;
    CHECK_EQ(second_frame(put_head, &head), WEFT_OK);
    head = head_of("other", 3, 1, 0);
    CHECK_EQ(second_frame(put_head, &head), WEFT_ERR_LOG_CORRUPT);
    head = head_of("", 1, 1, 0);
    CHECK_EQ(second_frame(put_head, &head), WEFT_ERR_LOG_CORRUPT);

    weft_log_anchor dropped = {1, 5};
    CHECK_EQ(second_frame(put_trim, &dropped), WEFT_OK);
    dropped.seq = 2;
    CHECK_EQ(second_frame(put_trim, &dropped), WEFT_ERR_LOG_CORRUPT);
}

static weft_status load_list(weft_log_op op, weft_log_change_form before) {
    test_log log;
    log_start(&log, "thread");
    if (before == WEFT_LOG_SET) {
        put_point(&log, head_of("", 1, -1, 0), "1");
    } else {
        weft_log_op first = {.kind = WEFT_LOG_APPEND, .value = number_of(4)};
        put_list(&log, 1, -1, &first);
    }
    put_list(&log, 2, 1, &op);
    weft_log_index index = index_of(&log);
    weft_arena arena;
    weft_log_state state;
    weft_arena_init(&arena, test_memory());
    weft_status status = weft_log_state_load(
        &index, weft_log_index_find(&index, text_of(""), id_of(2)), &arena, &state);
    weft_arena_fini(&arena);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
    return status;
}

TEST(operations_must_fit_the_list) {
    weft_log_op remove = {.kind = WEFT_LOG_REMOVE, .index = 0};
    CHECK_EQ(load_list(remove, WEFT_LOG_LIST), WEFT_OK);
    CHECK_EQ(load_list(remove, WEFT_LOG_SET), WEFT_ERR_LOG_CORRUPT);
    remove.index = 1;
    CHECK_EQ(load_list(remove, WEFT_LOG_LIST), WEFT_ERR_LOG_CORRUPT);
    weft_log_op replace = {.kind = WEFT_LOG_REPLACE, .index = 1, .value = number_of(1)};
    CHECK_EQ(load_list(replace, WEFT_LOG_LIST), WEFT_ERR_LOG_CORRUPT);
    weft_log_op clear = {.kind = WEFT_LOG_CLEAR};
    CHECK_EQ(load_list(clear, WEFT_LOG_SET), WEFT_OK);
}

TEST(frames_must_follow_each_other) {
    test_log log;
    log_start(&log, "thread");
    put_point(&log, head_of("", 1, -1, 0), "1");
    put_point(&log, head_of("", 2, 1, 1), "2");
    weft_log_index index;
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 3);
    weft_log_span second = {log.bytes.bytes + log.ends[1], log.ends[2] - log.ends[1]};
    CHECK_EQ(weft_log_index_load(&index, second, log.chain.thread), WEFT_ERR_LOG_CORRUPT);
    weft_log_frame frame = {.seq = 2, .kind = WEFT_LOG_CHECKPOINT};
    CHECK_EQ(weft_log_index_add(&index, &frame), WEFT_ERR_LOG_CORRUPT);
    CHECK_EQ(index.record_count, 0);
    weft_log_index_fini(&index);
    weft_buffer_fini(&log.bytes);
}

static void put_everything(test_log *log) {
    log_start(log, "thread");
    for (uint32_t i = 1; i <= 12; i++) {
        weft_log_op op = {.kind = WEFT_LOG_APPEND, .value = bytes_of("\"item\"")};
        put_list(log, i, i == 1 ? -1 : (int64_t)i - 1, &op);
        char ns[8];
        snprintf(ns, sizeof(ns), "ns%u", (unsigned)i);
        put_point(log, head_of(ns, i, -1, 0), "1");
    }
    weft_log_writer *w = log_begin(log);
    weft_log_put_writes(w, text_of("late"), id_of(99));
    weft_log_put_count(w, 0);
    log_end(log, WEFT_LOG_WRITES);
    weft_log_ledger decision = call_of("call_1", 0);
    decision.has_approval = 1;
    decision.verdict = 1;
    put_call(log, WEFT_LOG_DECISION, &decision);
}

// A refused frame leaves no trace: added again it goes in, and the whole index answers as if
// nothing had happened.
static weft_status add_all(weft_log_index *index, const test_log *log) {
    weft_log_scan scan;
    weft_log_frame frame;
    weft_log_scan_init(&scan, log_span(log), log->chain.thread, (weft_log_anchor){0, 0});
    while (weft_log_scan_next(&scan, &frame)) {
        uint32_t entries = index->entry_count, spaces = index->namespace_count,
                 calls = index->call_count;
        weft_status status = weft_log_index_add(index, &frame);
        if (status == WEFT_ERR_NO_MEMORY) {
            CHECK(test_has_failed());
            CHECK(index->entry_count == entries && index->namespace_count == spaces &&
                  index->call_count == calls);
            CHECK(index->by_namespace.used == spaces && index->by_call.used == calls);
            CHECK_EQ(index->last.seq, frame.seq - 1);
            status = weft_log_index_add(index, &frame);
        }
        WEFT_TRY(status);
    }
    return WEFT_OK;
}

static void load_everything(void *context) {
    const test_log *log = context;
    weft_log_index index;
    weft_arena arena;
    weft_log_state state = {.chain = 0};
    weft_arena_init(&arena, test_memory());
    weft_log_index_init(&index, test_memory(), (weft_log_anchor){0, 0}, 3);
    weft_status status = add_all(&index, log);
    if (status == WEFT_OK) {
        uint32_t entry = weft_log_index_find(&index, text_of(""), id_of(12));
        status = weft_log_state_load(&index, entry, &arena, &state);
    }
    weft_log_ledger decision = call_of("call_1", 0);
    weft_log_call call;
    if (status == WEFT_OK) {
        status = weft_log_index_call(&index, &decision.key, &call);
    }
    if (status == WEFT_OK) {
        CHECK(state.channel_count == 1 && state.channels[0].count == 12);
        CHECK_EQ(seq_of(&index, call.decision), log->chain.last.seq);
        CHECK_EQ(index.record_count, log->count);
    } else {
        CHECK(status == WEFT_ERR_NO_MEMORY && test_has_failed());
    }
    weft_log_index_fini(&index);
    weft_arena_fini(&arena);
}

TEST(refused_memory_leaves_the_index_as_it_was) {
    test_log log;
    put_everything(&log);
    test_each_failure(load_everything, &log);
    weft_buffer_fini(&log.bytes);
}
