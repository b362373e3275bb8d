// SPDX-License-Identifier: MIT
// Implements record.h and recorder.h: writes list snapshots, and patches built from them. The items
// of a list in the log are numbered when a subgraph receives the list or returns it. Each snapshot
// continues the one before, and later records refer to it.
#include "log/list_snapshot.h"
#include "log/diff.h"
#include "run/record/record.h"
#include "run/record/recorder.h"
#include "run/state/run.h"
#include "run/state/thread.h"

#define LEAST_GAIN 128u // min bytes that a patch must save
#define BACK 8u         // min items of a list that a task returns, for a list snapshot to be made

static uint32_t take_items(weft_log_text *items, const weft_list_snapshot *snapshot, uint32_t from,
                           uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        const weft_value *value = weft_values_get(snapshot->values, snapshot->words[i]);
        *items++ = (weft_log_text){value->text, value->length};
    }
    return to - from;
}

// Builds the snapshot's text, with `list` (or NULL) among its items. Returns 0 when there is no
// memory.
static int build(weft_list_snapshot *snapshot, const weft_list_snapshot *list) {
    weft_arena arena;
    if (snapshot->text.length > 0) {
        return 1;
    }
    uint32_t before = list == NULL ? snapshot->count : snapshot->shared,
             listed = list == NULL ? 0 : list->count;
    weft_arena_init(&arena, snapshot->values->memory);
    weft_log_text *items =
        weft_arena_alloc(&arena, (snapshot->count + listed + 1u) * sizeof(*items));
    if (items != NULL) {
        uint32_t count = take_items(items, snapshot, 0, before);
        count += listed == 0 ? 0 : take_items(&items[count], list, 0, listed);
        count += take_items(&items[count], snapshot, before, snapshot->count);
        weft_log_list_snapshot_text(&snapshot->text, snapshot->name, items, count);
    }
    weft_arena_fini(&arena);
    if (snapshot->text.status != WEFT_OK) {
        weft_buffer_fini(&snapshot->text);
    }
    return snapshot->text.length > 0;
}

static void put_runs(weft_log_writer *writer, const weft_list_snapshot *snapshot, uint32_t shared) {
    weft_log_op run = {.count = 0};
    for (uint32_t i = 0; i <= snapshot->count; i++) {
        weft_log_op item = {
            .seq = snapshot->base, .index = snapshot->from + i - snapshot->first, .count = 1};
        if (i == snapshot->count) {
            item.seq = 0;
        } else if (i - snapshot->first >= shared) {
            const weft_value *value = weft_values_get(snapshot->values, snapshot->words[i]);
            item.seq = value->seq;
            item.index = value->index;
        }
        if (run.count > 0 && item.seq == run.seq && item.index == run.index + run.count) {
            run.count++;
            continue;
        }
        if (run.count > 0) {
            weft_log_put_run(writer, run.seq, run.index, run.count);
        }
        run = item;
    }
}

static weft_status end_snapshot(weft_run *run, weft_log_writer *writer, uint32_t mark,
                                weft_list_snapshot *snapshot) {
    WEFT_TRY(weft_log_writer_end(writer));
    WEFT_TRY(weft_log_frame_end(&run->recording.frames, mark, WEFT_LOG_LIST_SNAPSHOT,
                                &run->thread->chain));
    snapshot->seq = run->thread->chain.last.seq;
    return WEFT_OK;
}

static uint32_t begin_snapshot(weft_run *run, weft_log_writer *writer,
                               const weft_list_snapshot *snapshot) {
    weft_log_list_snapshot head = {
        .name = snapshot->name, .depth = snapshot->depth, .length = snapshot->text.length};
    uint32_t mark = weft_record_begin(run, writer);
    weft_log_put_list_snapshot(writer, &head);
    return mark;
}

static weft_status record_list(weft_run *run, int comes_back) {
    weft_list_snapshot *snapshot = run->recording.snapshot;
    if (snapshot == NULL || snapshot->seq != 0) {
        return WEFT_OK;
    }
    // A new text at least half as long as the snapshot may be the list.
    if ((run->recording.longest < snapshot->length / 2 && !comes_back) || !build(snapshot, NULL)) {
        return WEFT_OK;
    }
    uint32_t shared = snapshot->base_depth < WEFT_LOG_DEPTH ? snapshot->shared : 0;
    snapshot->depth = shared > 0 ? snapshot->base_depth + 1 : 1;
    weft_log_writer writer;
    uint32_t mark = begin_snapshot(run, &writer, snapshot);
    put_runs(&writer, snapshot, shared);
    return end_snapshot(run, &writer, mark, snapshot);
}

// Counts the bytes that a patch of `base` would insert; all bytes if a patch saves too little.
static uint32_t brought(const weft_log_value *value, const weft_log_value *base) {
    weft_log_splice splices[WEFT_LOG_SPLICES];
    uint32_t from = 0;
    uint32_t count = weft_log_diff((weft_log_text){base->bytes, base->length},
                                   (weft_log_text){value->bytes, value->length}, &from, splices);
    uint32_t sum = count > 0 ? 0 : value->length;
    for (uint32_t i = 0; i < count; i++) {
        sum += splices[i].insert.length;
    }
    return sum;
}

static uint32_t brought_to(const weft_log_value *value, const uint8_t *bytes, uint32_t length) {
    return brought(value, &(weft_log_value){.bytes = bytes, .length = length});
}

// Returns whether the longest new text is built from several siblings, or from the snapshot and
// siblings.
static int is_of_many(const weft_run *run, weft_list_snapshot *siblings, weft_list_snapshot *list) {
    weft_word word = run->recording.longest_word;
    int is_there = weft_word_is_value(word) && weft_word_number(word) < run->values->capacity;
    const weft_value *come = is_there ? weft_values_get(run->values, word) : NULL;
    if (come == NULL || come->text == NULL) {
        return 0;
    }
    weft_log_value value = {.bytes = come->text, .length = come->length};
    const weft_log_value *sent = &run->thread->last_sent;
    uint32_t least = sent->bytes == NULL ? value.length : brought(&value, sent);
    if (list != NULL) {
        uint32_t bytes =
            build(list, NULL) ? brought_to(&value, list->text.bytes, list->text.length) : 0;
        least = bytes < least ? bytes : least;
    }
    for (uint32_t i = 0; i < siblings->count && least >= WEFT_PATCHED_LEAST; i++) {
        const weft_value *one = weft_values_get(run->values, siblings->words[i]);
        uint32_t bytes = brought_to(&value, one->text, one->length);
        least = bytes < least ? bytes : least;
    }
    return least >= WEFT_PATCHED_LEAST && build(siblings, list) &&
           brought_to(&value, siblings->text.bytes, siblings->text.length) <
               least - WEFT_PATCHED_LEAST / 2;
}

static weft_status record_siblings(weft_run *run) {
    weft_list_snapshot *siblings = run->recording.siblings;
    weft_list_snapshot *list = run->recording.snapshot != NULL && run->recording.snapshot->seq != 0
                                   ? run->recording.snapshot
                                   : NULL;
    if (siblings != NULL && siblings->depth != 0) {
        weft_list_snapshot_release(siblings);
        run->recording.siblings = siblings = NULL;
    }
    if (siblings == NULL) {
        return WEFT_OK;
    }
    siblings->depth = WEFT_LOG_DEPTH; // no list continues it
    int is_deep = list != NULL && list->depth == WEFT_LOG_DEPTH;
    if (run->recording.longest < WEFT_PATCHED_LEAST || is_deep ||
        !is_of_many(run, siblings, list)) {
        return WEFT_OK;
    }
    weft_log_writer writer;
    uint32_t mark = begin_snapshot(run, &writer, siblings);
    for (uint32_t i = 0; i <= siblings->count; i++) {
        if (i == siblings->shared && list != NULL) {
            weft_log_put_run(&writer, list->seq, 0, list->count);
        }
        if (i < siblings->count) {
            const weft_value *value = weft_values_get(run->values, siblings->words[i]);
            weft_log_put_run(&writer, value->seq, value->index, 1);
        }
    }
    return end_snapshot(run, &writer, mark, siblings);
}

// Counts the messages of a write that are items of its list and already in the log.
static uint32_t come_back(const weft_run *run, const weft_write *write) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < write->count; i++) {
        count += (uint32_t)weft_list_stands(run->state->channels[write->channel].list,
                                            &write->messages[i]);
    }
    return count;
}

static int task_gives_back(const weft_run *run, const weft_task *task) {
    for (uint32_t i = 0; i < task->write_count && !task->saved; i++) {
        const weft_write *write = &task->writes[i];
        if (write->form == WEFT_WRITE_LIST && write->count >= BACK &&
            come_back(run, write) >= BACK) {
            return 1;
        }
    }
    return 0;
}

// Returns whether a task that is about to be saved, or the input, returns many items of a list.
static int is_given_back(const weft_run *run) {
    int is = run->step.input.count > 0 && task_gives_back(run, &run->step.input.items[0]);
    uint32_t end =
        run->step.end_ended < run->step.tasks.count ? run->step.end_ended : run->step.tasks.count;
    for (uint32_t i = run->step.first_ended; i < end && !is; i++) {
        is = task_gives_back(run, &run->step.tasks.items[i]);
    }
    return is;
}

// Returns a channel's value as a sibling of a list snapshot, or WEFT_WORD_ABSENT.
static weft_word sibling_of(const weft_run *of, uint32_t channel) {
    weft_word word = weft_channel_held(&of->state->channels[channel]);
    const weft_value *held = weft_values_base(of->values, word);
    int is_long =
        held != NULL && held->length >= WEFT_PATCHED_LEAST && held->depth < WEFT_VALUE_OF_SNAPSHOT;
    return is_long ? word : WEFT_WORD_ABSENT;
}

// Takes the long values beside the list of the run's snapshot, which is channel `list` of `of`,
// unless one value alone is enough.
static void take_siblings(weft_run *run, const weft_run *of, uint32_t list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < of->graph->user_channels; i++) {
        count += sibling_of(of, i) != WEFT_WORD_ABSENT;
    }
    weft_list_snapshot_release(run->recording.siblings);
    run->recording.siblings = NULL;
    if (count + (run->recording.snapshot != NULL) < 2) {
        return;
    }
    weft_log_text name = run->recording.snapshot == NULL ? of->graph->channels[0].name
                                                         : run->recording.snapshot->name;
    weft_list_snapshot *siblings = weft_list_snapshot_new(run->values, name, count);
    for (uint32_t i = 0; i < of->graph->user_channels && siblings != NULL; i++) {
        weft_word word = sibling_of(of, i);
        if (word != WEFT_WORD_ABSENT) {
            weft_values_retain(run->values, word);
            siblings->words[siblings->count++] = word;
            siblings->shared += i < list;
        }
    }
    run->recording.siblings = siblings;
}

void weft_record_take_list(weft_run *run, weft_run *of) {
    weft_list_snapshot *longest = of->recording.snapshot;
    uint32_t at = 0;
    for (uint32_t i = 0; i < of->graph->user_channels; i++) {
        weft_list *list = of->state->channels[i].list;
        weft_list_snapshot *snapshot =
            list == NULL
                ? NULL
                : weft_list_take_snapshot(list, of->graph->channels[i].name, of->recording.snapshot,
                                          run == of && !run->recording.sends);
        if (snapshot != NULL &&
            (longest == of->recording.snapshot || snapshot->length > longest->length)) {
            longest = snapshot;
            at = i;
        }
    }
    if (longest != NULL) {
        longest->refs++;
    }
    weft_list_snapshot_release(run->recording.snapshot);
    run->recording.snapshot = longest;
    take_siblings(run, of, at);
}

// Writes snapshots: a Send's argument is often a list of its sender, or the whole state.
weft_status weft_record_list_snapshot(weft_run *run) {
    int comes_back = run->recording.longest >= WEFT_PATCHED_LEAST / 4 && is_given_back(run);
    if (comes_back || (run->recording.sends && run->recording.longest >= WEFT_PATCHED_LEAST)) {
        weft_record_take_list(run, run);
    }
    WEFT_TRY(record_list(run, comes_back));
    weft_status status = record_siblings(run);
    run->recording.longest = run->recording.sends = 0;
    return status;
}

void weft_record_texts(recorder *rec, weft_word word, weft_value *value) {
    weft_thread *thread = rec->run->thread;
    const weft_state *state = rec->run->state;
    for (uint32_t i = 0; value->seq == 0 && i < rec->run->graph->channel_count; i++) {
        if (weft_values_stands(rec->run->values, word, weft_channel_held(&state->channels[i]))) {
            return;
        }
    }
    for (uint32_t i = 0; value->seq == 0 && i < WEFT_TEXTS && i < thread->text_count; i++) {
        if (weft_values_stands(thread->values, word, thread->texts[i])) {
            return;
        }
    }
    if (value->seq != 0) {
        // A short patch of a list snapshot is known by that snapshot; so is one of last_sent.
        int is_known = rec->writer.depth > 0 && rec->base.bytes != thread->last_sent.bytes &&
                       rec->writer.buffer->length - rec->from < WEFT_PATCH_SHORT;
        rec->last_sent = rec->from == 0 || is_known ? rec->last_sent : word;
        rec->from = 0;
        weft_word *place = &thread->texts[thread->text_count++ % WEFT_TEXTS];
        thread->values = rec->run->values;
        weft_values_retain(thread->values, word);
        weft_values_release(thread->values, *place);
        *place = word;
        rec->writer.sources = NULL;
    }
}

// Lets patches copy from the long texts that were saved last, if these are stored whole.
static void take_sources(recorder *rec) {
    weft_thread *thread = rec->run->thread;
    uint32_t count = 0;
    for (uint32_t i = 0; i < WEFT_TEXTS && i < thread->text_count; i++) {
        const weft_value *value = weft_values_get(thread->values, thread->texts[i]);
        if (value->depth == 0) {
            thread->sources[count++] =
                (weft_log_value){.bytes = value->text, .length = value->length, .seq = value->seq};
            thread->sources[count - 1].index = value->index;
        }
    }
    thread->sources[count].length = 0;
    rec->writer.sources = thread->sources;
}

static int has_list(const weft_run *run) {
    uint32_t channel = 0;
    while (channel < run->graph->user_channels && run->state->channels[channel].list == NULL) {
        channel++;
    }
    return channel < run->graph->user_channels;
}

void weft_record_note_sent(const recorder *rec, uint32_t mark) {
    weft_run *run = rec->run;
    weft_thread *thread = run->thread;
    if (rec->last_sent != WEFT_WORD_ABSENT) {
        weft_thread_set_last_sent(thread, weft_values_get(run->values, rec->last_sent));
    }
    if (run->identity.nested || thread->packer != NULL) {
        weft_log_pack(&thread->packer, thread->memory, &run->recording.frames, mark,
                      rec->writer.seq);
    }
}

static weft_log_value base_of(const weft_list_snapshot *snapshot, uint32_t count) {
    weft_log_value base = {.word = WEFT_VALUE_OF_SNAPSHOT,
                           .bytes = snapshot->text.bytes,
                           .length = snapshot->text.length,
                           .seq = snapshot->seq};
    base.index = count;
    return base;
}

void weft_record_rebase_made(recorder *rec, weft_log_value *value, weft_record_made made) {
    weft_list_snapshot *snapshot = rec->run->recording.snapshot,
                       *siblings = rec->run->recording.siblings;
    weft_log_value bases[3] = {rec->run->thread->last_sent};
    uint32_t least = value->base == NULL ? UINT32_MAX : brought(value, value->base);
    if (value->length < WEFT_PATCHED_LEAST) {
        bases[0].bytes = NULL;
    } else if (made == WEFT_RECORD_SENT) {
        rec->from = rec->writer.buffer->length;
    }
    if (snapshot != NULL && snapshot->seq != 0 && value->length >= snapshot->length / 2 &&
        build(snapshot, NULL)) {
        bases[1] = base_of(snapshot, snapshot->count);
    }
    if (siblings != NULL && siblings->seq != 0) {
        int is_listed = snapshot != NULL && snapshot->seq != 0;
        bases[2] = base_of(siblings, siblings->count + (is_listed ? snapshot->count : 0));
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t bytes = bases[i].bytes == NULL ? UINT32_MAX : brought(value, &bases[i]);
        if (bytes < least) {
            least = bytes;
            rec->base = bases[i];
            value->base = &rec->base;
        }
    }
    // A poor patch is stored whole, so that later patches can copy from it. Not with lists, whose
    // messages are copied from no value.
    if (value->base != NULL && value->length - least < LEAST_GAIN && !has_list(rec->run)) {
        value->base = NULL;
    }
    take_sources(rec);
    // A text built from siblings is kept as last_sent: no later snapshot may number it, so it is
    // the base for the next one.
    if (rec->from != 0 && value->base == &rec->base && bases[2].bytes != NULL &&
        rec->base.bytes == bases[2].bytes) {
        rec->from ^= WEFT_RECORD_AFAR;
    }
}

// Returns the list's own snapshot, or that of the run.
static const weft_list_snapshot *snapshot_of(const recorder *rec, const weft_list *list) {
    return list->snapshot != NULL && list->snapshot->seq != 0 ? list->snapshot
                                                              : rec->run->recording.snapshot;
}

uint32_t weft_record_many(recorder *rec, const weft_list *list, const weft_word *words,
                          size_t stride, uint32_t most, weft_log_value *many) {
    const weft_list_snapshot *snapshot = snapshot_of(rec, list);
    uint32_t count = weft_list_snapshot_find(snapshot, words, stride, most, &rec->snapshot_item);
    *many = (weft_log_value){.form = WEFT_LOG_MANY, .index = rec->snapshot_item, .length = count};
    rec->snapshot_item += count;
    if (count < 2) {
        return 1;
    }
    many->seq = snapshot->seq;
    return count;
}

// Gives the items that a list snapshot has its places in the log.
static void place_many(const recorder *rec, const weft_list *list, const weft_list_step *steps,
                       const weft_log_value *many) {
    const weft_word *snapshot_item = &snapshot_of(rec, list)->words[many->index];
    for (uint32_t i = 0; i < many->length; i++) {
        weft_values_place(weft_values_get(rec->run->values, steps[i].word),
                          weft_values_get(rec->run->values, snapshot_item[i]));
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
    uint32_t count = weft_record_many(rec, list, &list->steps[at].word,
                                      sizeof(weft_list_step) / sizeof(weft_word), most - at, &many);
    if (put && count > 1) {
        weft_log_op op = {
            .kind = WEFT_LOG_RUN, .seq = many.seq, .index = many.index, .count = count};
        weft_log_put_op(&rec->writer, &op);
        place_many(rec, list, &list->steps[at], &many);
    }
    return count;
}
