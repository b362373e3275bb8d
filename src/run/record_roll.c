// SPDX-License-Identifier: MIT
// Lists that stand in the log already, where a graph inside is given them or gives them back: each call numbers what is new
// (a ROLL, made of the one before), and refers to it.
#include "log/roll.h"

#include "recorder.h"

// The roll's text. 0 when there is no memory.
static int build(weft_roll *roll) {
    weft_arena arena;
    if (roll->text.length > 0) {
        return 1;
    }
    weft_arena_init(&arena, roll->values->memory);
    weft_log_text *items = weft_arena_alloc(&arena, (roll->count + 1u) * sizeof(*items));
    for (uint32_t i = 0; i < roll->count && items != NULL; i++) {
        const weft_value *value = weft_values_get(roll->values, roll->words[i]);
        items[i] = (weft_log_text){value->text, value->length};
    }
    if (items != NULL) {
        weft_log_roll_text(&roll->text, roll->name, items, roll->count);
    }
    weft_arena_fini(&arena);
    if (roll->text.status != WEFT_OK) {
        weft_buffer_fini(&roll->text);
    }
    return roll->text.length > 0;
}

static void put_runs(weft_log_writer *writer, const weft_roll *roll, uint32_t shared) {
    uint64_t seq = roll->base;
    uint32_t first = 0, count = shared;
    for (uint32_t i = shared; i < roll->count; i++) {
        const weft_value *value = weft_values_get(roll->values, roll->words[i]);
        if (count > 0 && value->seq == seq && value->index == first + count) {
            count++;
            continue;
        }
        if (count > 0) {
            weft_log_put_run(writer, seq, first, count);
        }
        seq = value->seq;
        first = value->index;
        count = 1;
    }
    weft_log_put_run(writer, seq, first, count);
}

// Something as long as half the roll is set: it may be the list.
static int is_wanted(const weft_run *run) {
    for (uint32_t i = 0; i < run->state->touched_count; i++) {
        const weft_value *value = weft_values_get(run->values, run->state->channels[run->state->touched[i]].value);
        if (value != NULL && value->seq == 0 && value->length >= run->roll->length / 2) {
            return 1;
        }
    }
    return 0;
}

weft_status weft_record_roll(weft_run *run) {
    weft_roll *roll = run->roll;
    if (roll == NULL || roll->seq != 0 || !is_wanted(run) || !build(roll)) {
        return WEFT_OK;
    }
    uint32_t shared = roll->base_depth < WEFT_LOG_DEPTH ? roll->shared : 0;
    roll->depth = shared > 0 ? roll->base_depth + 1 : 1;
    weft_log_writer writer;
    weft_log_roll head = {.name = roll->name, .depth = roll->depth, .length = roll->text.length};
    uint32_t mark = weft_record_begin(run, &writer);
    weft_log_put_roll(&writer, &head);
    put_runs(&writer, roll, shared);
    WEFT_TRY(weft_log_writer_end(&writer));
    WEFT_TRY(weft_log_frame_end(&run->frames, mark, WEFT_LOG_ROLL, &run->thread->chain));
    roll->seq = run->thread->chain.last.seq;
    return WEFT_OK;
}

static uint64_t apart(uint64_t a, uint64_t b) { return a < b ? b - a : a - b; }

void weft_record_rebase_set(recorder *rec, const weft_channel *channel, weft_log_value *value) {
    weft_roll *roll = rec->run->roll;
    weft_record_rebase(rec, weft_record_held(channel), value);
    if (value->form != WEFT_LOG_INLINE || roll == NULL || roll->seq == 0 || value->length < roll->length / 2 ||
        (value->base != NULL && apart(value->base->length, value->length) <= apart(roll->length, value->length)) || !build(roll)) {
        return;
    }
    rec->base = (weft_log_value){.bytes = roll->text.bytes, .length = roll->text.length, .seq = roll->seq, .index = roll->count};
    value->base = &rec->base;
}

uint32_t weft_record_many(recorder *rec, const weft_list *list, const weft_word *words, size_t stride, uint32_t most,
                          weft_log_value *many) {
    const weft_roll *roll = list->roll != NULL ? list->roll : rec->run->roll;
    uint32_t count = weft_roll_find(roll, words, stride, most, &rec->rolled);
    *many = (weft_log_value){.form = WEFT_LOG_MANY, .index = rec->rolled, .length = count};
    rec->rolled += count;
    if (count < 2) {
        return 1;
    }
    many->seq = roll->seq;
    return count;
}

// The items that a roll has stand there from now on.
static void place_many(const recorder *rec, const weft_list *list, const weft_list_step *steps, const weft_log_value *many) {
    const weft_word *rolled = &(list->roll != NULL ? list->roll : rec->run->roll)->words[many->index];
    for (uint32_t i = 0; i < many->length; i++) {
        weft_value *value = weft_values_get(rec->run->values, steps[i].word);
        const weft_value *item = weft_values_get(rec->run->values, rolled[i]);
        value->seq = item->seq;
        value->index = item->index;
        value->depth = item->depth;
    }
}

uint32_t weft_record_put_many(recorder *rec, const weft_list *list, uint32_t at, int put) {
    weft_log_value many;
    uint32_t most = at;
    while (most < list->step_count && list->steps[most].kind == WEFT_LIST_APPEND) {
        most++;
    }
    if (most - at < 2) {
        return 1;
    }
    uint32_t count = weft_record_many(rec, list, &list->steps[at].word, sizeof(weft_list_step) / sizeof(weft_word), most - at, &many);
    if (put && count > 1) {
        weft_log_op op = {.kind = WEFT_LOG_RUN, .seq = many.seq, .index = many.index, .count = count};
        weft_log_put_op(&rec->writer, &op);
        place_many(rec, list, &list->steps[at], &many);
    }
    return count;
}
