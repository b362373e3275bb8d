// SPDX-License-Identifier: MIT
// The superstep: apply, commit, plan, hand out, and what follows when a task ends (SEMANTICS 6, 8-10).
#include <string.h>

#include "run/state/run.h"

#define NODES_OF_GRAPH 0xffffffffu
#define NODES_ALL 0xfffffffeu
#define BLOCK_RECORDS 1000u

// ---- ending

static void release_run_state(weft_run *run, int keep) {
    weft_state *state = run->state;
    run->state = NULL;
    if (keep && run->thread != NULL) {
        // What these share with the state need not be copied for it.
        weft_thread_drop_texts(run->thread);
        weft_thread_keep(run->thread, state);
    } else {
        weft_state_free(state);
    }
}

void weft_step_done(weft_run *run, uint32_t flags) {
    int keep = run->kind == WEFT_RUN_INVOKE && !run->nested && !run->interrupted && !run->replaying &&
               (run->thread == NULL || run->state->touched_count == 0);
    flags |= (run->interrupted || run->at_breakpoint ? WEFT_DONE_INTERRUPTED : 0u) | (run->has_values ? WEFT_DONE_HAS_VALUES : 0u);
    int has_id = run->state != NULL && run->state->has_id && run->thread != NULL;
    flags |= has_id ? WEFT_DONE_HAS_CHECKPOINT : 0u;
    weft_block_open(run, WEFT_COMMAND_DONE, flags);
    if (has_id) {
        weft_block_id(run, run->state->id);
    }
    weft_block_close(run);
    weft_tasks_clear(&run->tasks, run->values);
    release_run_state(run, keep);
    run->phase = WEFT_PHASE_OVER;
}

// The run ends here with DONE: what `exit` held back is saved first.
static weft_status finish(weft_run *run) {
    return weft_record_exit(run, WEFT_NEXT_END);
}

// ---- applying

static void ask_headers(weft_run *run, uint32_t channel) {
    const weft_list *list = run->state->channels[channel].list;
    weft_block_show_list(run, list);
    weft_block_open(run, WEFT_COMMAND_HEADERS, 0);
    for (uint32_t i = 0; i < list->count; i++) {
        weft_block_word(run, list->items[i].word);
    }
    weft_block_close(run);
    run->headers_channel = channel;
}

// Visits the messages of a group's writes that came from the log; fills them from `told` when that is given.
static uint32_t each_unknown(weft_run *run, weft_group *group, const weft_message *told) {
    uint32_t count = 0;
    for (weft_write *write = group->first; write != NULL; write = write->next) {
        for (uint32_t i = 0; i < write->count; i++) {
            weft_message *message = &write->messages[i];
            if ((message->flags & WEFT_MESSAGE_UNKNOWN) == 0) {
                continue;
            }
            if (told != NULL) {
                message->flags = told[count].flags;
                message->id = told[count].id;
                message->id_length = told[count].id_length;
            } else {
                weft_block_word(run, message->word);
            }
            count++;
        }
    }
    return count;
}

static int has_unknown(const weft_group *group) {
    for (const weft_write *write = group->first; write != NULL; write = write->next) {
        for (uint32_t i = 0; i < write->count; i++) {
            if ((write->messages[i].flags & WEFT_MESSAGE_UNKNOWN) != 0) {
                return 1;
            }
        }
    }
    return 0;
}

static void ask_written(weft_run *run, weft_group *group) {
    for (const weft_write *write = group->first; write != NULL; write = write->next) {
        for (uint32_t i = 0; i < write->count; i++) {
            weft_block_show(run, write->messages[i].word);
        }
    }
    weft_block_open(run, WEFT_COMMAND_HEADERS, 0);
    run->headers_count = each_unknown(run, group, NULL);
    weft_block_close(run);
    run->headers_group = group;
}

// Ids that are asked for before a list can take its writes: of the list itself, of writes from the log.
static int asks_headers(weft_run *run, weft_group *group) {
    const weft_list *list = run->state->channels[group->channel].list;
    run->headers_group = NULL;
    if (list == NULL || !list->with_ids) {
        return 0;
    }
    if (!list->ids_known) {
        ask_headers(run, group->channel);
        return 1;
    }
    if (has_unknown(group)) {
        ask_written(run, group);
        return 1;
    }
    return 0;
}

// The input's pseudo task stands last.
static int has_input(const weft_run *run) {
    return run->tasks.count > 0 && run->tasks.items[run->tasks.count - 1].kind == WEFT_TASK_INPUT;
}

static weft_status commit_apply(weft_run *run) {
    weft_status status = WEFT_OK;
    if (run->apply.finishes) {
        weft_apply_finish(&run->apply, run->state);
    } else {
        status = weft_apply_commit(&run->apply, run->state);
    }
    if (status == WEFT_OK && run->apply.finishes) {
        run->phase = WEFT_PHASE_REDUCING;
        return weft_reduce_hosts(run, WEFT_REDUCE_FINISH);
    }
    int output = run->apply.output && !has_input(run); // an input is not shown
    if (status == WEFT_OK) {
        weft_apply_fini(&run->apply, run->state);
        run->applying = 0;
        weft_tell_changes(run);
        run->has_values |= (uint8_t)output;
        int shows = run->after_apply == WEFT_NEXT_COMMIT || run->after_apply == WEFT_NEXT_END;
        run->shows = (uint8_t)(output && shows);
        return weft_step_next(run, run->after_apply);
    }
    return status;
}

// Asks for what the writes of this step need: ids of restored messages first, then the host's reducers.
static weft_status prepare_apply(weft_run *run) {
    for (uint32_t i = 0; i < run->apply.group_count; i++) {
        if (asks_headers(run, &run->apply.groups[i])) {
            run->phase = WEFT_PHASE_REDUCING;
            return WEFT_OK;
        }
    }
    for (uint32_t i = 0; i < run->apply.group_count; i++) {
        weft_group *group = &run->apply.groups[i];
        if (weft_state_rule(run->state, group->channel)->kind == WEFT_CHANNEL_BINOP && !group->known) {
            WEFT_TRY(weft_reduce_ask(run, i));
        }
    }
    if (run->graph->host_count > 0) {
        WEFT_TRY(weft_reduce_hosts(run, 0));
    }
    if (run->waiting > 0) {
        run->phase = WEFT_PHASE_REDUCING;
        return WEFT_OK;
    }
    return commit_apply(run);
}

// A rule that the writes break ends the run, after the writes are saved as LangGraph keeps them; anything else is the
// caller's business.
static weft_status settle_apply(weft_run *run, weft_status status) {
    int rule = status <= WEFT_ERR_CONCURRENT_UPDATE && status > WEFT_ERR_JSON_SYNTAX;
    if (status == WEFT_OK || !rule || !run->applying) {
        return status;
    }
    run->apply_failure = status;
    // Under `exit` the state before the step is still to be saved, as long as the step did not touch it.
    int exits = run->durability == WEFT_DURABILITY_EXIT && !run->apply.began;
    return exits ? weft_record_exit(run, WEFT_NEXT_FAIL) : weft_record_writes(run, WEFT_NEXT_FAIL);
}

static weft_status begin_apply(weft_run *run, weft_task *tasks, uint32_t count, weft_next after) {
    run->after_apply = after;
    run->applying = 1;
    run->waiting = 0;
    return weft_apply_group(&run->apply, run->state, &run->arena, tasks, count);
}

weft_status weft_step_apply(weft_run *run, weft_task *tasks, uint32_t count, weft_next after) {
    weft_status status = begin_apply(run, tasks, count, after);
    if (status == WEFT_OK) {
        status = prepare_apply(run);
    }
    return settle_apply(run, status);
}

weft_status weft_step_apply_done(weft_run *run, uint32_t count) {
    WEFT_TRY(begin_apply(run, run->tasks.items, count, WEFT_NEXT_UPDATE));
    run->apply.real = 0;
    return settle_apply(run, prepare_apply(run));
}

weft_status weft_step_reduced(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    uint32_t channel = weft_cursor_word(cursor);
    weft_word word = weft_cursor_word(cursor);
    WEFT_TRY(cursor->status);
    if (run->waiting == 0) {
        return WEFT_ERR_BAD_EVENT;
    }
    for (uint32_t i = 0; i < run->apply.group_count; i++) {
        weft_group *group = &run->apply.groups[i];
        if (group->channel == channel && !group->known) {
            WEFT_TRY(weft_values_adopt(run->values, word));
            weft_values_release(run->values, group->folded);
            group->folded = word;
            group->told = (uint8_t)flags;
            group->known = 1;
            run->waiting--;
            // A channel behind it may have broken a rule since it was asked.
            return run->waiting > 0 || run->apply_failure != WEFT_OK ? WEFT_OK : settle_apply(run, commit_apply(run));
        }
    }
    return WEFT_ERR_BAD_EVENT;
}

weft_status weft_step_headers(weft_run *run, weft_cursor *cursor) {
    if (run->phase != WEFT_PHASE_REDUCING || run->waiting > 0) {
        return WEFT_ERR_BAD_EVENT;
    }
    uint32_t count = weft_cursor_count(cursor, 2);
    weft_message *messages = weft_arena_zeroed(&run->arena, count + 1u, sizeof(*messages));
    if (messages == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        messages[i].flags = weft_cursor_word(cursor);
        const uint8_t *id = weft_cursor_text(cursor, &messages[i].id_length);
        uint8_t *copy = weft_arena_alloc(&run->arena, messages[i].id_length + 1u);
        if (copy == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        if (messages[i].id_length > 0) {
            memcpy(copy, id, messages[i].id_length);
        }
        messages[i].id = copy;
    }
    WEFT_TRY(cursor->status);
    if (run->headers_group == NULL) {
        WEFT_TRY(weft_list_identify(run->state->channels[run->headers_channel].list, messages, count));
    } else if (count == run->headers_count) {
        each_unknown(run, run->headers_group, messages);
    } else {
        return WEFT_ERR_BAD_EVENT;
    }
    return settle_apply(run, prepare_apply(run));
}

// ---- breakpoints

static int in_list(const uint32_t *nodes, uint32_t count, uint32_t node, int of_graph) {
    if (count == NODES_OF_GRAPH) {
        return of_graph;
    }
    if (count == NODES_ALL) {
        return node != 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return 1;
        }
    }
    return 0;
}

static int stops_at(const weft_run *run, int after) {
    // After an input nothing ran, whatever it discarded.
    if (!weft_plan_may_stop(run->state) || has_input(run)) {
        return 0;
    }
    for (uint32_t i = 0; i < run->tasks.count; i++) {
        uint32_t number = run->tasks.items[i].node;
        const weft_node *node = &run->graph->nodes[number];
        if (after ? in_list(run->after, run->after_count, number, node->after)
                  : in_list(run->before, run->before_count, number, node->before)) {
            return 1;
        }
    }
    return 0;
}

// Inside a task the stop is the task's to tell.
static weft_status stop_at_breakpoint(weft_run *run, uint32_t flags) {
    run->at_breakpoint = 1;
    if (!run->nested) {
        weft_block_open(run, WEFT_COMMAND_INTERRUPTS, flags);
        weft_block_word(run, 0);
        weft_block_close(run);
    }
    weft_tasks_clear(&run->tasks, run->values);
    return finish(run);
}

// ---- handing out

// A Send's argument, or the stored input for the start node: after a crash only the log knows it.
static weft_word given_to(const weft_run *run, const weft_task *task) {
    if (task->kind == WEFT_TASK_CALL) {
        return (task->call->index << 3) | 1u;
    }
    int is_start = task->kind == WEFT_TASK_PULL && task->node == 0;
    return is_start ? run->state->channels[run->graph->user_channels].value : task->argument;
}

weft_status weft_step_hand_out_one(weft_run *run, uint32_t index) {
    weft_task *task = &run->tasks.items[index];
    uint8_t failed_id[16];
    weft_word given = given_to(run, task);
    task->status = WEFT_TASK_RUNNING;
    task->known = task->attempt == 0 ? task->resume_count : task->known;
    task->attempt++;
    task->asked = 0;
    task->called = 0;
    run->open_tasks++;
    int timed = task->timeout != WEFT_WORD_ABSENT;
    if (run->intent_count > 0) {
        WEFT_TRY(weft_ledger_tell(run, index));
    }
    weft_block_show(run, given);
    weft_block_show(run, task->timeout);
    if (task->kind == WEFT_TASK_HANDLER) {
        weft_block_show(run, run->tasks.items[task->push_index].error);
        WEFT_TRY(weft_ids_task(run, &run->tasks.items[task->push_index], failed_id));
    }
    weft_block_open(run, WEFT_COMMAND_TASK, timed ? WEFT_TASK_WITHIN : 0u);
    weft_block_word(run, index);
    weft_block_word(run, task->attempt);
    weft_block_word(run, task->node);
    weft_block_word(run, task->kind);
    int pulled = task->kind == WEFT_TASK_PULL || task->kind == WEFT_TASK_WRITERS;
    weft_block_word(run, pulled ? run->graph->nodes[task->node].triggers[task->trigger] : task->push_index);
    weft_block_word(run, given);
    if (timed) {
        weft_block_word(run, task->timeout);
    }
    if (task->kind == WEFT_TASK_HANDLER) {
        const weft_task *failed = &run->tasks.items[task->push_index];
        weft_block_word(run, failed->node);
        weft_block_word(run, failed->kind);
        weft_block_word(run, failed->push_index);
        weft_block_word(run, failed->error);
        weft_block_id(run, failed_id);
    }
    weft_block_close(run);
    return WEFT_OK;
}

weft_status weft_step_hand_out(weft_run *run) {
    while (run->next_task < run->tasks.count && run->records < BLOCK_RECORDS) {
        if (run->tasks.items[run->next_task].status == WEFT_TASK_READY) {
            WEFT_TRY(weft_step_hand_out_one(run, run->next_task));
        }
        run->next_task++;
    }
    return WEFT_OK;
}

static uint32_t ready_tasks(const weft_run *run) {
    uint32_t ready = 0;
    for (uint32_t i = 0; i < run->tasks.count; i++) {
        ready += run->tasks.items[i].status == WEFT_TASK_READY;
    }
    return ready;
}

weft_status weft_step_begin(weft_run *run) {
    if (ready_tasks(run) == 0) {
        return weft_step_apply(run, run->tasks.items, run->tasks.count, WEFT_NEXT_COMMIT);
    }
    run->phase = WEFT_PHASE_WORKING;
    run->next_task = 0;
    run->open_tasks = 0;
    run->errors = run->refused = 0;
    weft_policy_begin_step(run);
    return weft_step_hand_out(run);
}

static weft_status run_tasks(weft_run *run) {
    for (uint32_t i = 0; i < run->tasks.count; i++) {
        if (run->tasks.items[i].status == WEFT_TASK_RESTORED) {
            weft_tell_restored(run, i);
            weft_tell_updates(run, i, WEFT_UPDATES_CACHED);
        }
    }
    if (ready_tasks(run) == 0) {
        return weft_step_apply(run, run->tasks.items, run->tasks.count, WEFT_NEXT_COMMIT);
    }
    if (stops_at(run, 0)) {
        return stop_at_breakpoint(run, 0);
    }
    // A key that cannot be made fails the run before anything is shown of the step.
    uint32_t looked_up = weft_cache_look_up(run);
    if ((run->flags & WEFT_START_WANT_TASKS) != 0) {
        WEFT_TRY(weft_tell_planned(run, 0));
    }
    return looked_up > 0 ? WEFT_OK : weft_step_begin(run);
}

// Of the input nothing is needed any more, but an answer that is not saved yet.
static void clear_input(weft_run *run) {
    if (!run->resume_save || run->input.count == 0) {
        weft_tasks_clear(&run->input, run->values);
        return;
    }
    weft_task *input = &run->input.items[0];
    weft_task kept = {.kind = input->kind,
                      .status = input->status,
                      .resumes = input->resumes,
                      .resume_count = input->resume_count,
                      .resume_room = input->resume_room};
    input->resumes = NULL;
    input->resume_count = 0;
    input->resume_room = 0;
    weft_task_fini(input, run->values);
    *input = kept;
}

weft_status weft_step_tick(weft_run *run) {
    weft_tell_values(run);
    if (run->tasks.count > 0 && stops_at(run, 1)) {
        return stop_at_breakpoint(run, WEFT_INTERRUPTS_AFTER);
    }
    weft_tasks_clear(&run->tasks, run->values);
    clear_input(run);
    weft_call_drop(run);
    weft_arena_reset(&run->arena);
    if (run->state->step + 1 > run->stop) {
        run->apply_failure = WEFT_ERR_RECURSION;
        return weft_record_exit(run, WEFT_NEXT_FAIL);
    }
    WEFT_TRY(weft_plan(run->state, &run->arena, &run->tasks));
    int attaches = run->tasks.count > 0 && (run->pending_count > 0 || run->resume_given);
    if (attaches) {
        WEFT_TRY(weft_restore_attach(run));
    }
    if ((run->flags & WEFT_START_WANT_CHECKPOINTS) != 0 && run->thread != NULL) {
        WEFT_TRY(weft_snapshot_put(run, run->made ? 0u : WEFT_SNAPSHOT_LOADED));
    }
    // At a breakpoint it stops anyway.
    if ((run->late || (run->draining && !stops_at(run, 0))) && run->tasks.count > 0) {
        weft_tasks_clear(&run->tasks, run->values);
        run->apply_failure = run->late ? WEFT_ERR_LIMIT : WEFT_ERR_DRAINED;
        return weft_record_exit(run, WEFT_NEXT_FAIL);
    }
    if (attaches) {
        WEFT_TRY(weft_restore_forget(run));
    }
    return run->tasks.count == 0 ? finish(run) : run_tasks(run);
}

// ---- a task ended

// An interrupted step is saved as it is; then what its tasks wrote, also before they asked, is applied, to be shown and
// not to be saved. They move to the front of the list.
static weft_status show_siblings(weft_run *run) {
    uint32_t done = 0;
    for (uint32_t i = 0; i < run->tasks.count; i++) {
        weft_task task = run->tasks.items[i];
        int asked = task.status == WEFT_TASK_INTERRUPTED && task.write_count > 0;
        if (asked || task.status == WEFT_TASK_DONE || task.status == WEFT_TASK_RESTORED) {
            run->tasks.items[i] = run->tasks.items[done];
            run->tasks.items[done++] = task;
        }
    }
    return done == 0 ? weft_step_next(run, WEFT_NEXT_END)
                     : weft_step_apply(run, run->tasks.items, done, WEFT_NEXT_END);
}

// Everything that ended is saved: the step is over, failed, or goes on.
static weft_status step_over(weft_run *run) {
    weft_call_reply(run);
    if (run->errors > 0) {
        return weft_fail_tasks(run);
    }
    if (run->open_tasks > 0 || run->next_task < run->tasks.count) {
        run->phase = WEFT_PHASE_WORKING;
        return WEFT_OK;
    }
    if (run->interrupted) {
        return weft_record_exit(run, run->nested ? WEFT_NEXT_END : WEFT_NEXT_SIBLINGS);
    }
    return weft_step_apply(run, run->tasks.items, run->tasks.count, WEFT_NEXT_COMMIT);
}

weft_status weft_step_settled(weft_run *run) {
    int all_ended = run->open_tasks == 0 && run->next_task >= run->tasks.count;
    if (all_ended || run->errors > 0) {
        run->errors += run->refused;
        run->refused = 0;
    }
    int goes_on = all_ended && run->errors == 0 && !run->interrupted;
    if (run->kind == WEFT_RUN_UPDATE) {
        return weft_update_result(run);
    }
    for (uint32_t i = 0; run->errors > 0 && i < run->tasks.count; i++) {
        weft_task *task = &run->tasks.items[i];
        if (task->status >= WEFT_TASK_RUNNING && task->status <= WEFT_TASK_EXPIRED) {
            task->status = WEFT_TASK_CANCELLED;
            task->saved |= task->approved; // its call stays in flight
        }
        run->first_ended = 0;
        run->end_ended = run->tasks.count;
    }
    if (run->late && !all_ended && run->errors == 0) {
        return weft_limit_stop(run);
    }
    // The last task's writes go into the checkpoint's record.
    if (goes_on) {
        return step_over(run);
    }
    if (run->errors > 0 && run->state->saved) {
        WEFT_TRY(weft_limit_record(run, 0));
    }
    if (run->errors > 0 && run->durability == WEFT_DURABILITY_EXIT) {
        return weft_record_exit(run, WEFT_NEXT_TASKS);
    }
    return weft_record_writes(run, WEFT_NEXT_TASKS);
}

weft_status weft_step_next(weft_run *run, weft_next next) {
    switch (next) {
        case WEFT_NEXT_NOTHING:
            return WEFT_OK;
        case WEFT_NEXT_INPUT:
            run->state->updated_known = 0;
            return weft_start_edited(run);
        case WEFT_NEXT_COMMIT:
            if (run->kind == WEFT_RUN_UPDATE) {
                return weft_record_commit(run, has_input(run) ? WEFT_SOURCE_INPUT : WEFT_SOURCE_UPDATE, WEFT_NEXT_END);
            }
            // A resume is for the tasks of the step that asked, and for the first step of what runs in them, never for a later one.
            run->has_null_resume &= run->nested && has_input(run);
            run->resuming = 0;
            run->resumes = 0;
            run->resume_save = 0;
            return weft_record_commit(run, has_input(run) ? WEFT_SOURCE_INPUT : WEFT_SOURCE_LOOP, WEFT_NEXT_TICK);
        case WEFT_NEXT_TICK:
            return weft_step_tick(run);
        case WEFT_NEXT_TASKS:
            return step_over(run);
        case WEFT_NEXT_PLANNED:
            return weft_snapshot_plan(run);
        case WEFT_NEXT_SHOW:
            return weft_snapshot_show(run);
        case WEFT_NEXT_UPDATE:
            return weft_update_task(run);
        case WEFT_NEXT_SIBLINGS:
            return show_siblings(run);
        case WEFT_NEXT_FORKED:
            return weft_start_given(run);
        case WEFT_NEXT_FAIL:
            return weft_fail_apply(run);
        case WEFT_NEXT_INTENDS:
            return weft_ledger_begun(run);
        case WEFT_NEXT_END:
            weft_tell_values(run);
            weft_step_done(run, 0);
            return WEFT_OK;
    }
    return WEFT_ERR_INTERNAL;
}
