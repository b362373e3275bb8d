// SPDX-License-Identifier: MIT
// Implements snapshot.h (docs/semantics.md 10, 11).
#include <string.h>

#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/host/ids_and_namespaces.h"
#include "run/machine/snapshot.h"
#include "run/restore/restore.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/task/resume.h"
#include "sched/plan.h"

static void drop_state(weft_run *run) {
    weft_tasks_clear(&run->step.tasks, run->values);
    weft_restore_drop_pending(run);
    weft_state_free(run->state);
    run->state = NULL;
}

static weft_verdict show_empty(weft_run *run) {
    weft_block_open(run, WEFT_COMMAND_SNAPSHOT, WEFT_SNAPSHOT_EMPTY | WEFT_SNAPSHOT_LAST);
    weft_block_close(run);
    drop_state(run);
    return WEFT_VERDICT_ENDS;
}

// Loads the next history entry as the state, which shares values with the previous one.
static weft_status load_entry(weft_run *run) {
    run->source.shown = run->state;
    run->state = NULL;
    drop_state(run);
    weft_arena_reset(&run->arena);
    weft_status status = weft_restore_state(run, run->source.history_entry);
    weft_state_free(run->source.shown);
    run->source.shown = NULL;
    WEFT_TRY(status);
    weft_restore_defaults(run);
    WEFT_TRY(weft_restore_pending(run, run->source.history_entry));
    run->source.history_entry = weft_log_index_older(&run->source.index, run->source.history_entry);
    return WEFT_OK;
}

// Starts after `before`, when there is such a checkpoint; else the host skips entries that are too
// new.
weft_verdict weft_snapshot_begin_history(weft_run *run) {
    int is_one = (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) != 0;
    uint32_t named =
        weft_log_index_find(&run->source.index, run->identity.ns,
                            is_one ? run->options.checkpoint_id : run->options.before_id);
    run->source.history_entry = is_one ? named
                                : named == WEFT_LOG_NONE
                                    ? weft_log_index_newest(&run->source.index, run->identity.ns)
                                    : weft_log_index_older(&run->source.index, named);
    run->options.history_limit = is_one ? 1 : run->options.history_limit;
    run->source.history_left =
        run->options.history_limit == 0 ? UINT32_MAX : run->options.history_limit;
    return WEFT_VERDICT_DONE;
}

// Takes the writes of a Command without a task, which are part of the values. They only trigger
// Sends, and nodes whose branch is newer than what they saw; a fork was made with them.
static weft_verdict take_null(weft_run *run) {
    run->state->shown = run->state->source != WEFT_SOURCE_FORK;
    WEFT_TRY(weft_restore_null(run));
    return run->step.tasks.count == 0 ? WEFT_VERDICT_DONE : WEFT_VERDICT_APPLIES;
}

weft_verdict weft_snapshot_begin(weft_run *run) {
    return run->state->has_id ? take_null(run) : show_empty(run);
}

weft_verdict weft_snapshot_plan(weft_run *run) {
    weft_tasks_clear(&run->step.tasks, run->values);
    run->state->updated_known = 0;
    WEFT_TRY(weft_plan(run->state, &run->arena, &run->step.tasks));
    WEFT_TRY(weft_resume_attach(run));
    if (run->options.kind == WEFT_RUN_HISTORY) {
        return WEFT_VERDICT_DONE;
    }
    // With an explicit checkpoint the values are shown as saved.
    uint32_t done = 0;
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        done += run->step.tasks.items[i].status == WEFT_TASK_RESTORED;
    }
    int is_named = (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) != 0;
    return done == 0 || is_named ? WEFT_VERDICT_DONE : WEFT_VERDICT_APPLIES;
}

weft_verdict weft_snapshot_next(weft_run *run) {
    if (run->source.history_entry == WEFT_LOG_NONE || run->source.history_left == 0) {
        drop_state(run);
        return WEFT_VERDICT_ENDS;
    }
    run->source.history_left--;
    WEFT_TRY(load_entry(run));
    return take_null(run);
}

// Returns the milliseconds since 1970 of a UUIDv6.
static double time_of(const uint8_t id[16]) {
    uint64_t high =
        ((uint64_t)id[0] << 24) | ((uint64_t)id[1] << 16) | ((uint64_t)id[2] << 8) | id[3];
    uint64_t middle = ((uint64_t)id[4] << 8) | id[5];
    uint64_t low = (((uint64_t)id[6] & 0x0f) << 8) | id[7];
    uint64_t ticks = ((high << 28) | (middle << 12) | low) - 0x01B21DD213814000u;
    return (double)(ticks / 10000);
}

static void put_time(weft_run *run, const uint8_t id[16]) {
    double time = time_of(id);
    uint64_t bits;
    memcpy(&bits, &time, sizeof(bits));
    weft_block_u64(run, bits);
}

static void show_values(weft_run *run) {
    for (uint32_t i = 0; i < run->graph->user_channels; i++) {
        const weft_channel *channel = &run->state->channels[i];
        if (channel->list != NULL) {
            weft_block_show_list(run, channel->list);
        } else {
            weft_block_show(run, channel->value);
        }
    }
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        const weft_task *task = &run->step.tasks.items[i];
        weft_block_show(run, task->error);
        weft_emit_writes(run, task);
        for (uint32_t n = 0; n < task->interrupt_count; n++) {
            weft_block_show(run, task->interrupts[n].word);
        }
    }
}

static void put_values(weft_run *run) {
    uint32_t count = 0;
    uint32_t mark = run->output.block.length;
    weft_block_word(run, 0);
    for (uint32_t i = 0; i < run->graph->user_channels; i++) {
        const weft_channel *channel = &run->state->channels[i];
        if (!weft_state_available(run->state, i)) {
            continue;
        }
        count++;
        weft_block_word(run, i);
        weft_block_word(run, channel->list != NULL);
        weft_block_word(run, channel->list != NULL ? channel->list->count : channel->value);
        for (uint32_t n = 0; channel->list != NULL && n < channel->list->count; n++) {
            weft_block_word(run, channel->list->items[n].word);
        }
    }
    weft_buffer_patch_u32(&run->output.block, mark, count);
}

// Emits the next nodes of a step whose tasks have all ended: those that follow from their applied
// writes.
static weft_status put_following(weft_run *run) {
    weft_tasks following = {0};
    weft_status status = weft_plan(run->state, &run->arena, &following);
    weft_block_word(run, following.count);
    for (uint32_t i = 0; i < following.count; i++) {
        weft_block_word(run, following.items[i].node);
    }
    weft_tasks_fini(&following, run->values);
    return status;
}

static weft_status put_next(weft_run *run) {
    uint32_t count = 0, ended = 0;
    uint32_t mark = run->output.block.length;
    int shows_all = run->options.kind == WEFT_RUN_HISTORY || run->options.kind == WEFT_RUN_INVOKE ||
                    (run->options.flags & WEFT_START_HAS_CHECKPOINT_ID) != 0;
    weft_block_word(run, 0);
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        const weft_task *task = &run->step.tasks.items[i];
        ended += !shows_all && task->status == WEFT_TASK_RESTORED;
        if (shows_all || (task->status != WEFT_TASK_RESTORED && !task->handled)) {
            weft_block_word(run, task->node);
            count++;
        }
    }
    if (ended > 0 && ended == run->step.tasks.count) {
        run->output.block.length = mark;
        return put_following(run);
    }
    weft_buffer_patch_u32(&run->output.block, mark, count);
    return WEFT_OK;
}

// Emits the tasks. Their ids depend on the checkpoint as planned; applying writes for a snapshot
// does not change its id or step.
static weft_status put_tasks(weft_run *run) {
    weft_block_word(run, run->step.tasks.count);
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        const weft_task *task = &run->step.tasks.items[i];
        uint8_t id[16];
        WEFT_TRY(weft_ids_task(run, task, id));
        weft_block_id(run, id);
        weft_block_word(run, task->node);
        weft_block_word(run, task->kind);
        weft_block_word(run, task->push_index);
        weft_block_word(run, task->error);
        weft_block_word(run, task->interrupt_count);
        for (uint32_t n = 0; n < task->interrupt_count; n++) {
            weft_block_id(run, task->interrupts[n].id);
            weft_block_word(run, task->interrupts[n].word);
        }
        weft_emit_entries(run, task);
    }
    return WEFT_OK;
}

weft_status weft_snapshot_put(weft_run *run, uint32_t flags) {
    const weft_state *state = run->state;
    show_values(run);
    weft_block_open(run, WEFT_COMMAND_SNAPSHOT,
                    flags | (state->has_parent ? WEFT_SNAPSHOT_HAS_PARENT : 0u));
    weft_block_id(run, state->id);
    weft_block_id(run, state->parent);
    put_time(run, state->id);
    weft_block_word(run, (uint32_t)(int32_t)state->step);
    weft_block_word(run, state->source);
    put_values(run);
    WEFT_TRY(put_next(run));
    WEFT_TRY(put_tasks(run));
    weft_block_word(run, run->identity.ancestor_count);
    for (uint32_t i = 0; i < run->identity.ancestor_count; i++) {
        weft_block_text(run, run->identity.ancestors[i].ns.bytes,
                        run->identity.ancestors[i].ns.length);
        weft_block_id(run, run->identity.ancestors[i].id);
    }
    weft_block_close(run);
    return WEFT_OK;
}

weft_verdict weft_snapshot_show(weft_run *run) {
    int lists = run->options.kind == WEFT_RUN_HISTORY;
    WEFT_TRY(weft_snapshot_put(run, lists ? 0u : WEFT_SNAPSHOT_LAST));
    return lists ? WEFT_VERDICT_LISTS : WEFT_VERDICT_ENDS;
}
