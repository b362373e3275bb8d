// SPDX-License-Identifier: MIT
// Implements apply.h: meanwhile the host may have to fold values or report ids of messages.
#include <string.h>

#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/host/reduce.h"
#include "run/machine/apply.h"
#include "run/state/phase.h"
#include "run/state/run.h"

static void ask_headers(weft_run *run, uint32_t channel) {
    const weft_list *list = run->state->channels[channel].list;
    weft_block_show_list(run, list);
    weft_block_open(run, WEFT_COMMAND_HEADERS, 0);
    for (uint32_t i = 0; i < list->count; i++) {
        weft_block_word(run, list->items[i].word);
    }
    weft_block_close(run);
    run->applying.headers_channel = channel;
}

// Counts the messages of a group's writes that came from the log; with `headers` fills in their
// ids.
static uint32_t each_unknown(weft_run *run, weft_group *group, const weft_message *headers) {
    uint32_t count = 0;
    for (weft_write *write = group->first; write != NULL; write = write->next) {
        for (uint32_t i = 0; i < write->count; i++) {
            weft_message *message = &write->messages[i];
            if ((message->flags & WEFT_MESSAGE_UNKNOWN) == 0) {
                continue;
            }
            if (headers != NULL) {
                message->flags = headers[count].flags;
                message->id = headers[count].id;
                message->id_length = headers[count].id_length;
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
    run->applying.headers_count = each_unknown(run, group, NULL);
    weft_block_close(run);
    run->applying.headers_group = group;
}

// Asks for ids that a list needs before it can take its writes: of its own items, and of writes
// from the log.
static int asks_headers(weft_run *run, weft_group *group) {
    const weft_list *list = run->state->channels[group->channel].list;
    run->applying.headers_group = NULL;
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

static weft_verdict await_host(weft_run *run) {
    run->waits = WEFT_WAIT_REDUCED;
    return WEFT_VERDICT_WAITS;
}

static weft_verdict commit_apply(weft_run *run) {
    weft_status status = WEFT_OK;
    if (run->applying.apply.finishes) {
        weft_apply_finish(&run->applying.apply, run->state);
    } else {
        status = weft_apply_commit(&run->applying.apply, run->state);
    }
    if (status == WEFT_OK && run->applying.apply.finishes) {
        WEFT_TRY(weft_reduce_hosts(run, WEFT_REDUCE_FINISH));
        return await_host(run);
    }
    WEFT_TRY(status);
    int output = run->applying.apply.output && !weft_run_has_input(run); // an input is not streamed
    weft_apply_fini(&run->applying.apply, run->state);
    run->applying.active = 0;
    weft_emit_changes(run);
    run->applying.has_values |= (uint8_t)output;
    run->applying.shows = (uint8_t)(output && run->applying.is_output);
    return WEFT_VERDICT_DONE;
}

// Asks for everything that this step's writes need: ids of restored messages first, then the host's
// reducers.
static weft_verdict prepare_apply(weft_run *run) {
    for (uint32_t i = 0; i < run->applying.apply.group_count; i++) {
        if (asks_headers(run, &run->applying.apply.groups[i])) {
            return await_host(run);
        }
    }
    for (uint32_t i = 0; i < run->applying.apply.group_count; i++) {
        weft_group *group = &run->applying.apply.groups[i];
        if (weft_state_rule(run->state, group->channel)->kind == WEFT_CHANNEL_BINOP &&
            !group->known) {
            WEFT_TRY(weft_reduce_ask(run, i));
        }
    }
    if (run->graph->host_count > 0) {
        WEFT_TRY(weft_reduce_hosts(run, 0));
    }
    return run->applying.questions > 0 ? await_host(run) : commit_apply(run);
}

// Turns a broken rule into an end of the run, after the writes are saved as in LangGraph; any other
// error is returned.
static weft_verdict settle(weft_run *run, weft_verdict verdict) {
    int breaks = verdict <= (weft_verdict)WEFT_ERR_CONCURRENT_UPDATE &&
                 verdict > (weft_verdict)WEFT_ERR_JSON_SYNTAX;
    if (!breaks || !run->applying.active) {
        return verdict;
    }
    run->applying.failure = (weft_status)verdict;
    return WEFT_VERDICT_BREAKS;
}

// Applies the writes of `count` tasks. `real`: some task ran. `shows`: the writes are output.
static weft_verdict apply(weft_run *run, weft_task *tasks, uint32_t count, int real, int shows) {
    run->applying.active = 1;
    run->applying.questions = 0;
    run->applying.is_output = (uint8_t)shows;
    weft_status status =
        weft_apply_group(&run->applying.apply, run->state, &run->arena, tasks, count);
    run->applying.apply.real &= (uint8_t)real;
    return settle(run, status == WEFT_OK ? prepare_apply(run) : (weft_verdict)status);
}

weft_verdict weft_apply_command(weft_run *run) {
    return apply(run, run->step.input.items, 1, 1, 0);
}

weft_verdict weft_apply_step(weft_run *run) {
    return apply(run, run->step.tasks.items, run->step.tasks.count, 1, 1);
}

weft_verdict weft_apply_pending(weft_run *run) {
    return apply(run, run->step.tasks.items, run->step.tasks.count, 0, 0);
}

weft_verdict weft_apply_shown(weft_run *run) {
    return apply(run, run->step.tasks.items, run->step.tasks.count, 1, 0);
}

// Moves these tasks to the front of the list.
weft_verdict weft_apply_siblings(weft_run *run) {
    uint32_t done = 0;
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        weft_task task = run->step.tasks.items[i];
        int asked = task.status == WEFT_TASK_INTERRUPTED && task.write_count > 0;
        if (asked || task.status == WEFT_TASK_DONE || task.status == WEFT_TASK_RESTORED) {
            run->step.tasks.items[i] = run->step.tasks.items[done];
            run->step.tasks.items[done++] = task;
        }
    }
    return done == 0 ? WEFT_VERDICT_DONE : apply(run, run->step.tasks.items, done, 1, 1);
}

weft_verdict weft_apply_reduced(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    uint32_t channel = weft_cursor_word(cursor);
    weft_word word = weft_cursor_word(cursor);
    WEFT_TRY(cursor->status);
    if (run->applying.questions == 0) {
        return WEFT_ERR_BAD_EVENT;
    }
    for (uint32_t i = 0; i < run->applying.apply.group_count; i++) {
        weft_group *group = &run->applying.apply.groups[i];
        if (group->channel == channel && !group->known) {
            WEFT_TRY(weft_values_adopt(run->values, word));
            weft_values_release(run->values, group->folded);
            group->folded = word;
            group->reduced = (uint8_t)flags;
            group->known = 1;
            run->applying.questions--;
            // A later channel may have broken a rule in the meantime.
            int goes_on = run->applying.questions == 0 && run->applying.failure == WEFT_OK;
            return goes_on ? settle(run, commit_apply(run)) : WEFT_VERDICT_WAITS;
        }
    }
    return WEFT_ERR_BAD_EVENT;
}

weft_verdict weft_apply_headers(weft_run *run, weft_cursor *cursor) {
    if (run->waits != WEFT_WAIT_REDUCED || run->applying.questions > 0) {
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
    if (run->applying.headers_group == NULL) {
        WEFT_TRY(weft_list_identify(run->state->channels[run->applying.headers_channel].list,
                                    messages, count));
    } else if (count == run->applying.headers_count) {
        each_unknown(run, run->applying.headers_group, messages);
    } else {
        return WEFT_ERR_BAD_EVENT;
    }
    return settle(run, prepare_apply(run));
}
