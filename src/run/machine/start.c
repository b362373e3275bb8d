// SPDX-License-Identifier: MIT
// Implements start.h (docs/semantics.md 6, 7).
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "log/recover.h"
#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/machine/start.h"
#include "run/restore/restore.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/state/thread.h"
#include "run/task/child.h"
#include "run/task/entries.h"
#include "run/task/ledger.h"
#include "run/task/limit.h"
#include "sched/plan.h"

#define NODES_OF_GRAPH 0xffffffffu
#define NODES_ALL 0xfffffffeu

static weft_status read_nodes(weft_run *run, weft_cursor *cursor, uint32_t **nodes,
                              uint32_t *count) {
    *count = weft_cursor_word(cursor);
    if (*count == NODES_OF_GRAPH || *count == NODES_ALL) {
        return cursor->status;
    }
    if (*count > cursor->left) {
        return WEFT_ERR_BAD_EVENT;
    }
    *nodes = weft_arena_zeroed(&run->lasting, *count + 1u, sizeof(uint32_t));
    if (*nodes == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < *count; i++) {
        (*nodes)[i] = weft_cursor_word(cursor);
    }
    return cursor->status;
}

// Reads in whose name updates write; an update without a list writes as the default node.
static weft_status read_updates(weft_run *run, weft_cursor *cursor) {
    run->options.update_count = weft_cursor_count(cursor, 1);
    if (run->options.update_count == 0) {
        return cursor->status;
    }
    run->options.updates =
        weft_arena_zeroed(&run->lasting, run->options.update_count, sizeof(uint32_t));
    if (run->options.updates == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < run->options.update_count; i++) {
        run->options.updates[i] = weft_cursor_word(cursor);
    }
    return cursor->status;
}

static weft_status read_id(weft_cursor *cursor, uint8_t id[16]) {
    const uint8_t *bytes = weft_cursor_bytes(cursor, 16);
    if (bytes == NULL) {
        return WEFT_ERR_BAD_EVENT;
    }
    memcpy(id, bytes, 16);
    return WEFT_OK;
}

// Reads defaults, kept as writes of a pseudo task until the state is loaded.
static weft_status read_defaults(weft_run *run, weft_cursor *cursor, weft_task *input) {
    uint32_t count = weft_cursor_count(cursor, 2);
    input->writes = weft_arena_zeroed(&run->lasting, count + 1u, sizeof(weft_write));
    if (input->writes == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t channel = weft_cursor_word(cursor);
        weft_word word = weft_cursor_word(cursor);
        if (channel >= run->graph->user_channels) {
            return WEFT_ERR_BAD_EVENT;
        }
        WEFT_TRY(weft_values_adopt(run->values, word));
        input->writes[input->write_count++] = (weft_write){.channel = channel, .word = word};
    }
    return cursor->status;
}

weft_status weft_start_read(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    if (run->step.input.count > 0) {
        return WEFT_ERR_BAD_EVENT;
    }
    run->options.flags = flags;
    run->options.kind = weft_cursor_word(cursor);
    run->options.durability = weft_cursor_word(cursor);
    run->options.recursion_limit = weft_cursor_word(cursor);
    WEFT_TRY(read_updates(run, cursor));
    run->options.history_limit = weft_cursor_word(cursor);
    const uint8_t *seed = weft_cursor_bytes(cursor, 32);
    WEFT_TRY(cursor->status);
    weft_hash_sha256_state hash;
    uint8_t digest[32];
    weft_hash_sha256_init(&hash);
    weft_hash_sha256_update(&hash, seed, 32);
    weft_hash_sha256_final(&hash, digest);
    memcpy(run->options.seed, seed, sizeof(run->options.seed));
    memcpy(run->identity.node_id, digest, 6);
    memcpy(&run->step.chance, digest + 8, 8);
    run->memory->seed += weft_load_u64(digest + 16);
    WEFT_TRY(read_nodes(run, cursor, &run->options.stop_before, &run->options.stop_before_count));
    WEFT_TRY(read_nodes(run, cursor, &run->options.stop_after, &run->options.stop_after_count));
    if ((flags & WEFT_START_HAS_CHECKPOINT_ID) != 0) {
        WEFT_TRY(read_id(cursor, run->options.checkpoint_id));
    }
    if ((flags & WEFT_START_HAS_BEFORE_ID) != 0) {
        WEFT_TRY(read_id(cursor, run->options.before_id));
    }
    if ((flags & WEFT_START_HAS_NAMESPACE) != 0) {
        WEFT_TRY(weft_child_read_namespace(run, cursor));
    }
    if ((flags & WEFT_START_HAS_MAP) != 0) {
        WEFT_TRY(weft_child_read_map(run, cursor));
    }
    if (run->options.kind > WEFT_RUN_UPDATE || run->options.durability > WEFT_DURABILITY_EXIT) {
        return WEFT_ERR_BAD_EVENT;
    }
    // Two pseudo tasks: the input's own, and the defaults.
    weft_task *input = weft_tasks_add(&run->step.input, run->memory);
    weft_task *defaults = weft_tasks_add(&run->step.input, run->memory);
    if (input == NULL || defaults == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    run->step.input.items[0].kind = WEFT_TASK_INPUT;
    run->step.input.items[0].status = WEFT_TASK_DONE;
    return read_defaults(run, cursor, defaults);
}

weft_status weft_start_read_input(weft_run *run, weft_cursor *cursor) {
    if (run->step.input.count == 0) {
        return WEFT_ERR_BAD_EVENT;
    }
    uint32_t count = weft_cursor_word(cursor);
    return weft_entries_read(run, cursor, count, &run->step.input.items[0], 0);
}

weft_status weft_start_read_resume(weft_run *run, weft_cursor *cursor) {
    weft_word word = weft_cursor_word(cursor);
    if (run->resume.has_plain && !run->identity.nested) {
        return WEFT_ERR_BAD_EVENT;
    }
    WEFT_TRY(weft_values_adopt(run->values, word));
    weft_values_release(run->values, run->resume.plain);
    run->resume.plain = word;
    run->resume.has_plain = 1;
    run->resume.is_given = 1;
    return cursor->status;
}

weft_status weft_start_read_resume_map(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    uint32_t count = weft_cursor_count(cursor, 5);
    for (uint32_t i = 0; i < run->resume.map_count; i++) {
        weft_values_release(run->values, run->resume.map[i].word);
    }
    run->resume.map_count = 0;
    run->resume.map = weft_arena_zeroed(&run->lasting, count + 1u, sizeof(*run->resume.map));
    if (run->resume.map == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        WEFT_TRY(read_id(cursor, run->resume.map[i].id));
        weft_word word = weft_cursor_word(cursor);
        WEFT_TRY(weft_values_adopt(run->values, word));
        run->resume.map[i].word = word;
        run->resume.map_count = i + 1;
    }
    run->resume.map_is_plain = (flags & WEFT_RESUME_MAP_PLAIN) != 0;
    run->resume.is_given = 1;
    return cursor->status;
}

// Notes initial values for a new thread's first checkpoint, so that it can be read without the
// graph.
static void note_beginnings(weft_run *run) {
    for (uint32_t i = 0; i < run->graph->channel_count; i++) {
        const weft_channel *channel = &run->state->channels[i];
        if (channel->list != NULL || channel->seen != NULL || channel->value != WEFT_WORD_ABSENT) {
            weft_state_touch(run->state, i);
        }
    }
}

weft_verdict weft_start_open(weft_run *run) {
    weft_restore_defaults(run);
    if (run->thread != NULL && !run->state->has_id) {
        note_beginnings(run);
    }
    weft_task_fini(&run->step.input.items[1], run->values);
    run->step.input.count = 1;
    return run->options.kind == WEFT_RUN_STATE    ? WEFT_VERDICT_SHOWS
           : run->options.kind == WEFT_RUN_UPDATE ? WEFT_VERDICT_UPDATES
                                                  : WEFT_VERDICT_DONE;
}

static weft_verdict begin_empty(weft_run *run) {
    WEFT_TRY(weft_state_new(run->memory, run->values, run->graph, &run->state));
    return WEFT_VERDICT_DONE;
}

static weft_verdict begin_without_thread(weft_run *run) {
    weft_status refused = run->options.kind != WEFT_RUN_INVOKE ? WEFT_ERR_NO_SAVER
                          : run->resume.is_given               ? WEFT_ERR_RESUME_NO_SAVER
                                                               : WEFT_OK;
    if (refused == WEFT_OK) {
        return begin_empty(run);
    }
    weft_emit_fail(run, refused, NULL, 0);
    return WEFT_VERDICT_FAILED;
}

weft_verdict weft_start_begin(weft_run *run) {
    if (run->step.input.count == 0) {
        return WEFT_ERR_BAD_EVENT;
    }
    if (run->thread == NULL) {
        return begin_without_thread(run);
    }
    if (run->identity.nested) {
        weft_child_use_map(run);
    }
    if (run->identity.fresh && run->thread->known &&
        (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) == 0) {
        return begin_empty(run);
    }
    int takes = run->options.kind == WEFT_RUN_INVOKE && run->identity.ns.length == 0;
    takes =
        takes && (!run->thread->counts || !weft_limit_goes_on(run)); // the counts are in the log
    if (takes && (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) == 0) {
        run->state = weft_thread_take(run->thread, run->graph);
        if (run->state != NULL) {
            run->state->updated_known = 0;
            run->resume.kept = 1;
            return WEFT_VERDICT_DONE;
        }
    }
    if (run->options.kind == WEFT_RUN_INVOKE && (run->options.flags & WEFT_START_NO_LOG) != 0 &&
        !run->thread->known) {
        run->thread->known = 1;
        return begin_empty(run);
    }
    return WEFT_VERDICT_LOADS;
}

weft_verdict weft_start_load(weft_run *run) {
    weft_block_open(run, WEFT_COMMAND_LOAD, 0);
    weft_block_close(run);
    run->waits = WEFT_WAIT_LOADED;
    return WEFT_VERDICT_WAITS;
}

static void fail_recovery(weft_run *run, const weft_log_recovery *recovery, weft_status status) {
    uint8_t digits[WEFT_BLOCK_DIGITS];
    uint64_t number =
        recovery->verdict == WEFT_LOG_DATA_LOSS ? recovery->lost : recovery->last.seq + 1;
    static const char reason[] = "its bytes are not those that were stored; exportThread with "
                                 "onDamage gives what is before it";
    static const char newer[] = "above 5", read[] = "1 to 5";
    int is_newer = status == WEFT_ERR_LOG_FORMAT;
    weft_log_text words[3] = {
        {run->thread->id, run->thread->id_length},
        is_newer ? (weft_log_text){(const uint8_t *)newer, sizeof(newer) - 1}
                 : weft_block_digits(number, digits),
        is_newer ? (weft_log_text){(const uint8_t *)read, sizeof(read) - 1}
                 : (weft_log_text){(const uint8_t *)reason, sizeof(reason) - 1},
    };
    weft_emit_fail(run, status, words, 3);
}

// Returns whether another process has continued the thread since a writing run of this one began:
// that run's next commit is fenced, and so is this run.
static int is_overtaken(const weft_run *run, weft_log_anchor found, uint32_t flags) {
    const weft_log_anchor *last = &run->thread->chain.last;
    int writes = run->options.kind == WEFT_RUN_INVOKE || run->options.kind == WEFT_RUN_UPDATE;
    int is_other = found.seq > last->seq || (found.seq == last->seq && found.crc != last->crc);
    return writes && run->thread->known && (flags & WEFT_LOADED_SHARED) != 0 && is_other;
}

static weft_verdict read_spans(weft_run *run, weft_cursor *cursor, uint32_t flags,
                               weft_log_recovery *recovery) {
    weft_log_anchor witness;
    witness.seq = weft_cursor_u64(cursor);
    witness.crc = weft_cursor_word(cursor);
    uint32_t count = weft_cursor_count(cursor, 1);
    weft_log_span *spans = weft_arena_zeroed(&run->lasting, count + 1u, sizeof(*spans));
    if (spans == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = weft_cursor_word(cursor);
        if (length > run->source.size - at) {
            return WEFT_ERR_BAD_EVENT;
        }
        spans[i] = (weft_log_span){run->source.bytes + at, length};
        at += length;
    }
    WEFT_TRY(cursor->status);
    const uint8_t *hash = run->thread->chain.thread;
    weft_log_recover(spans, count, hash, (flags & WEFT_LOADED_WITNESS) != 0 ? &witness : NULL,
                     recovery);
    weft_status verdict = weft_log_verdict_status(recovery->verdict);
    if (verdict == WEFT_OK && is_overtaken(run, recovery->last, flags)) {
        verdict = WEFT_ERR_FENCED;
    }
    if (verdict != WEFT_OK) {
        fail_recovery(run, recovery, verdict);
        return WEFT_VERDICT_FAILED;
    }
    weft_log_index_init(&run->source.index, run->memory, recovery->anchor, run->memory->seed);
    run->source.indexed = 1;
    for (uint32_t i = 0; i < recovery->spans; i++) {
        if (i + 1 == recovery->spans) {
            spans[i].length = recovery->bytes;
        }
        WEFT_TRY(weft_log_index_load(&run->source.index, spans[i], hash));
    }
    return WEFT_VERDICT_DONE;
}

static void drop_log(weft_run *run) {
    weft_log_index_fini(&run->source.index);
    run->source.indexed = 0;
    weft_memory_release(run->memory, run->source.bytes, run->source.size);
    run->source.bytes = NULL;
    run->source.size = 0;
}

// Returns whether the checkpoint was made to continue from.
static int is_edited(uint32_t source) {
    return source == WEFT_SOURCE_UPDATE || source == WEFT_SOURCE_FORK;
}

// Notes time travel: an explicit checkpoint that is not simply the newest one, without a plain
// resume. Naming a subgraph's checkpoint is time travel there; its parents at their newest
// checkpoints continue.
static weft_status note_replay(weft_run *run, uint32_t entry) {
    int explicit_id = (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) != 0;
    run->resume.at_newest =
        explicit_id && weft_log_index_newest(&run->source.index, run->identity.ns) == entry;
    if (!explicit_id || run->resume.is_given || entry == WEFT_LOG_NONE) {
        return WEFT_OK;
    }
    const weft_log_entry *from = &run->source.index.entries[entry];
    int is_call = !run->identity.nested && run->options.kind == WEFT_RUN_INVOKE;
    run->resume.replaying = !run->resume.at_newest || is_edited(from->source) ||
                            (run->identity.nested && run->identity.replay != NULL);
    int above = is_call && run->identity.ancestor_count > 1;
    return (run->resume.replaying || above) && is_call ? weft_child_replay(run, entry) : WEFT_OK;
}

// Loads the state of the log's entry with its pending writes.
static weft_status restore(weft_run *run, uint32_t entry) {
    WEFT_TRY(note_replay(run, entry));
    WEFT_TRY(weft_restore_state(run, entry));
    if (run->options.kind == WEFT_RUN_INVOKE) {
        weft_restore_list_snapshots(run);
    }
    if (!run->resume.replaying || run->options.kind != WEFT_RUN_INVOKE) {
        WEFT_TRY(weft_restore_pending(run, entry));
        WEFT_TRY(weft_ledger_restore(run, entry));
    } else if (run->resume.at_newest && is_edited(run->state->source) &&
               (run->options.flags & WEFT_START_WANT_CHECKPOINTS) != 0) {
        WEFT_TRY(weft_restore_shown(run, entry));
    }
    return weft_limit_goes_on(run) ? weft_limit_restore(run, entry) : WEFT_OK;
}

// Returns whether the caller starts from a checkpoint that a pruned thread has no more: to begin
// with an empty state would put that in the place of the thread's own. A thread that is whole
// begins anew at an id that it never had, as in LangGraph.js.
static int names_pruned(const weft_run *run) {
    return (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) != 0 && !run->identity.nested &&
           run->options.kind != WEFT_RUN_STATE && run->source.index.first_seq > 1;
}

static void fail_pruned(weft_run *run) {
    static const char text[] = "the thread has no such checkpoint any more";
    weft_log_text word = {(const uint8_t *)text, sizeof(text) - 1};
    weft_emit_fail(run, WEFT_ERR_ARGUMENT, &word, 1);
}

weft_verdict weft_start_loaded(weft_run *run, weft_cursor *cursor) {
    weft_log_recovery recovery = {0};
    uint32_t flags = weft_cursor_word(cursor);
    weft_verdict read = read_spans(run, cursor, flags, &recovery);
    if (read != WEFT_VERDICT_DONE) {
        return read;
    }
    const weft_log_anchor *last = &run->thread->chain.last;
    if (!run->thread->known ||
        ((flags & WEFT_LOADED_SHARED) == 0 && recovery.last.seq >= last->seq)) {
        run->thread->chain.last = recovery.last;
        WEFT_TRY(weft_log_packer_begin(&run->thread->packer, run->memory, &run->source.index));
        run->thread->known = 1;
    }
    if (run->options.kind == WEFT_RUN_HISTORY) {
        return WEFT_VERDICT_LISTS;
    }
    uint32_t entry;
    WEFT_TRY(weft_child_entry(run, &entry));
    if (entry == WEFT_LOG_NONE) {
        int is_refused = names_pruned(run);
        drop_log(run);
        if (is_refused) {
            fail_pruned(run);
            return WEFT_VERDICT_FAILED;
        }
        return begin_empty(run);
    }
    WEFT_TRY(restore(run, entry));
    drop_log(run);
    return WEFT_VERDICT_DONE;
}

// ---- input

static int is_resuming(const weft_run *run) {
    int wants = run->resume.is_given || run->identity.resumes ||
                (run->options.flags & WEFT_START_NULL_INPUT) != 0;
    return run->state->max_version > 0 && wants;
}

static void breakpoints_seen(weft_run *run) {
    run->state->interrupt_seen = run->state->max_version;
    run->state->interrupt_noted = 1;
}

static void fail_empty(weft_run *run) {
    static const char channel[] = "\"__start__\"";
    weft_log_text word = run->graph->input;
    if (word.bytes == NULL) {
        word = (weft_log_text){(const uint8_t *)channel, sizeof(channel) - 1};
    }
    weft_emit_fail(run, WEFT_ERR_EMPTY_INPUT, &word, 1);
}

// Writes a fresh input: pending tasks are discarded, but count as seen.
static weft_verdict write_input(weft_run *run) {
    weft_restore_drop_pending(run);
    WEFT_TRY(weft_plan(run->state, &run->arena, &run->step.tasks));
    weft_task *input = weft_tasks_add(&run->step.tasks, run->memory);
    if (input == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    *input = run->step.input.items[0];
    memset(&run->step.input.items[0], 0, sizeof(weft_task));
    run->step.input.count = 0;
    run->recording.source = WEFT_SOURCE_INPUT;
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        run->step.tasks.items[i].saved =
            1; // neither the discarded tasks nor the raw input are pending writes
    }
    return WEFT_VERDICT_APPLIES;
}

weft_verdict weft_start_resume(weft_run *run) {
    run->state->updated_known = 0;
    breakpoints_seen(run);
    run->applying.shows = 1;
    weft_emit_values(run);
    run->applying.has_values = 1;
    if (!run->resume.resuming) {
        // Pending writes of the previous checkpoint do not apply to the new one's tasks.
        weft_restore_drop_pending(run);
        return WEFT_VERDICT_COMMITS;
    }
    // An answer is durable before anything acts on it: of two simultaneous answers, one is fenced
    // and starts nothing.
    if (run->resume.is_given && (run->resume.has_plain || !run->identity.nested)) {
        if (run->resume.has_plain) {
            WEFT_TRY(weft_task_resume(&run->step.input.items[0], run->values, run->resume.plain));
        }
        run->resume.saves = 1;
        return WEFT_VERDICT_SAVES;
    }
    return WEFT_VERDICT_DONE;
}

weft_verdict weft_start_input(weft_run *run) {
    int is_command = (run->options.flags & WEFT_START_COMMAND_INPUT) != 0;
    run->step.stop = run->state->step + 1 + (int64_t)run->options.recursion_limit + 1;
    if (!run->resume.kept || (run->options.flags & WEFT_START_HAS_MIRROR) == 0) {
        weft_emit_mirror(run);
    } else if (run->graph->untracked_count > 0) {
        weft_emit_untracked(run);
    }
    // Time travel branches off with its own checkpoint, unless the newest one was made for that.
    int is_null = (run->options.flags & WEFT_START_NULL_INPUT) != 0 || run->identity.resumes;
    int is_branch = run->resume.at_newest && is_edited(run->state->source);
    if (!run->resume.replaying || is_branch || (!is_command && !is_null)) {
        return WEFT_VERDICT_DONE;
    }
    if (is_null) {
        breakpoints_seen(run);
    }
    return WEFT_VERDICT_COMMITS;
}

weft_verdict weft_start_take_input(weft_run *run) {
    int is_command = (run->options.flags & WEFT_START_COMMAND_INPUT) != 0;
    weft_task *input = &run->step.input.items[0];
    run->resume.resuming = (uint8_t)is_resuming(run);
    // What a Command wrote beside an answer comes first, unless another answer replaces it.
    weft_tasks_clear(&run->step.tasks, run->values);
    if (!is_command && !run->resume.is_given) {
        WEFT_TRY(weft_restore_null(run));
    }
    if (run->step.tasks.count > 0) {
        return WEFT_VERDICT_RETURNS;
    }
    if (run->resume.resuming && !is_command) {
        weft_task_fini(input, run->values); // a subgraph continues: its input was taken before
        input->kind = WEFT_TASK_INPUT;
        input->status = WEFT_TASK_DONE;
    }
    if (run->resume.resuming || is_command) {
        return input->write_count > 0 ? WEFT_VERDICT_UPDATES : WEFT_VERDICT_DONE;
    }
    if (input->write_count == 0) {
        fail_empty(run);
        return WEFT_VERDICT_FAILED;
    }
    return write_input(run);
}
