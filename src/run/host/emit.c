// SPDX-License-Identifier: MIT
// Implements emit.h: mirror, tasks, errors.
#include "run/host/emit.h"
#include "run/host/block.h"
#include "run/host/ids_and_namespaces.h"
#include "run/state/run.h"

static void emit_channel(weft_run *run, uint32_t number) {
    weft_channel *channel = &run->state->channels[number];
    if (channel->list == NULL) {
        int waits = weft_state_rule(run->state, number)->kind == WEFT_CHANNEL_LAST_AFTER_FINISH &&
                    !channel->finished;
        weft_word shown = waits ? WEFT_WORD_ABSENT : channel->value;
        weft_block_show(run, shown);
        weft_block_open(run, WEFT_COMMAND_SET, 0);
        weft_block_word(run, number);
        weft_block_word(run, shown);
        weft_block_close(run);
        return;
    }
    weft_list *list = channel->list;
    weft_block_open(run, WEFT_COMMAND_LIST, 0);
    weft_block_word(run, number);
    weft_block_word(run, list->step_count - list->steps_emitted);
    for (uint32_t i = list->steps_emitted; i < list->step_count; i++) {
        const weft_list_step *step = &list->steps[i];
        int appends = step->kind == WEFT_LIST_APPEND;
        weft_block_word(run, step->kind);
        weft_block_word(run, appends ? step->word : step->index);
        weft_block_word(run, appends ? WEFT_WORD_ABSENT : step->word);
    }
    weft_block_close(run);
    list->steps_emitted = list->step_count;
}

static void mirror_list(weft_run *run, uint32_t number) {
    weft_list *list = run->state->channels[number].list;
    weft_block_show_list(run, list);
    weft_block_open(run, WEFT_COMMAND_LIST, 0);
    weft_block_word(run, number);
    weft_block_word(run, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        weft_block_word(run, WEFT_LIST_APPEND);
        weft_block_word(run, list->items[i].word);
        weft_block_word(run, WEFT_WORD_ABSENT);
    }
    weft_block_close(run);
}

void weft_emit_mirror(weft_run *run) {
    for (uint32_t i = 0; i < run->graph->user_channels; i++) {
        const weft_channel *channel = &run->state->channels[i];
        if (channel->value != WEFT_WORD_ABSENT) {
            emit_channel(run, i);
        } else if (channel->list != NULL && channel->list->count > 0) {
            mirror_list(run, i);
        }
    }
}

// Emits the untracked channels: a mirror that continues still has the last run's values.
void weft_emit_untracked(weft_run *run) {
    for (uint32_t i = 0; i < run->graph->user_channels; i++) {
        if (weft_state_rule(run->state, i)->kind == WEFT_CHANNEL_UNTRACKED) {
            emit_channel(run, i);
        }
    }
}

void weft_emit_changes(weft_run *run) {
    const weft_state *state = run->state;
    for (uint32_t i = 0; i < state->touched_count; i++) {
        uint32_t number = state->touched[i];
        const weft_channel *channel = &state->channels[number];
        // A channel reset by a consuming task has the version before that of the step's writes.
        uint32_t consumed = weft_state_rule(state, number)->kind == WEFT_CHANNEL_LAST_AFTER_FINISH;
        if (number < run->graph->user_channels &&
            channel->version + consumed >= state->max_version) {
            if (channel->list == NULL || channel->list->steps_emitted < channel->list->step_count) {
                emit_channel(run, number);
            }
        }
    }
}

void weft_emit_interrupts(weft_run *run, const weft_task *task) {
    for (uint32_t n = 0; n < task->interrupt_count; n++) {
        weft_block_show(run, task->interrupts[n].word);
    }
    weft_block_open(run, WEFT_COMMAND_INTERRUPTS, 0);
    weft_block_word(run, task->interrupt_count);
    for (uint32_t n = 0; n < task->interrupt_count; n++) {
        weft_block_id(run, task->interrupts[n].id);
        weft_block_word(run, task->interrupts[n].word);
    }
    weft_block_close(run);
}

void weft_emit_writes(weft_run *run, const weft_task *task) {
    for (uint32_t i = 0; i < task->write_count; i++) {
        if ((task->writes[i].word & 7u) != WEFT_WORD_TAG_NODE) {
            weft_block_show(run, task->writes[i].word);
        }
        for (uint32_t m = 0; m < task->writes[i].count; m++) {
            weft_block_show(run, task->writes[i].messages[m].word);
        }
    }
}

void weft_emit_entries(weft_run *run, const weft_task *task) {
    uint32_t mark = run->output.block.length;
    uint32_t count = 0;
    weft_block_word(run, 0);
    for (uint32_t i = 0; i < task->write_count; i++) {
        const weft_write *write = &task->writes[i];
        if (write->channel >= run->graph->user_channels) {
            continue;
        }
        count++;
        int is_list = write->form == WEFT_WRITE_LIST;
        weft_block_word(run, is_list
                                 ? WEFT_ENTRY_MESSAGES
                                 : (write->overwrite ? WEFT_ENTRY_OVERWRITE : WEFT_ENTRY_WRITE));
        weft_block_word(run, write->channel);
        uint32_t flags = (write->lone ? WEFT_MESSAGES_LONE : 0u) |
                         (write->overwrite ? WEFT_MESSAGES_OVERWRITE : 0u);
        weft_block_word(run, is_list ? flags : write->word);
        if (is_list) {
            weft_block_word(run, write->count);
            for (uint32_t m = 0; m < write->count; m++) {
                weft_block_word(run, write->messages[m].word);
                weft_block_word(run, 0);
                weft_block_text(run, "", 0);
            }
        }
    }
    weft_buffer_patch_u32(&run->output.block, mark, count);
}

void weft_emit_restored(weft_run *run, uint32_t index) {
    const weft_task *task = &run->step.tasks.items[index];
    weft_emit_writes(run, task);
    weft_block_open(run, WEFT_COMMAND_RESTORED, 0);
    weft_block_word(run, index);
    weft_block_word(run, task->node);
    weft_emit_entries(run, task);
    weft_block_close(run);
}

void weft_emit_updates(weft_run *run, uint32_t index, uint32_t flags) {
    if ((run->options.flags & WEFT_START_WANT_UPDATES) == 0 ||
        run->step.tasks.items[index].node == 0) {
        return;
    }
    // A waiting caller continues first.
    const weft_task *task = &run->step.tasks.items[index];
    int waits = task->kind == WEFT_TASK_CALL &&
                run->step.tasks.items[task->call->parent].status == WEFT_TASK_RUNNING;
    weft_block_open(run, WEFT_COMMAND_UPDATES, flags | (waits ? WEFT_UPDATES_LATER : 0u));
    weft_block_word(run, index);
    weft_block_close(run);
}

void weft_emit_values(weft_run *run) {
    const weft_state *state = run->state;
    if (run->applying.shows && (run->options.flags & WEFT_START_WANT_VALUES) != 0) {
        if ((run->options.flags & WEFT_START_WANT_HEADS) != 0) {
            uint32_t loaded = run->recording.made ? 0u : WEFT_SNAPSHOT_LOADED;
            weft_block_open(run, WEFT_COMMAND_CHECKPOINT,
                            loaded | (state->has_parent ? WEFT_SNAPSHOT_HAS_PARENT : 0u));
            weft_block_id(run, state->id);
            weft_block_id(run, state->parent);
            weft_block_word(run, (uint32_t)(int32_t)state->step);
            weft_block_word(run, state->source);
            weft_block_close(run);
        }
        weft_block_open(run, WEFT_COMMAND_VALUES, 0);
        weft_block_close(run);
    }
    run->applying.shows = 0;
}

static weft_status put_task(weft_run *run, uint32_t index) {
    const weft_task *task = &run->step.tasks.items[index];
    uint8_t id[16];
    WEFT_TRY(weft_ids_task(run, task, id));
    weft_block_word(run, index);
    weft_block_id(run, id);
    weft_block_word(run, task->node);
    weft_block_word(run, task->kind);
    int pulled = task->kind == WEFT_TASK_PULL;
    weft_block_word(run, pulled ? run->graph->nodes[task->node].triggers[task->trigger]
                                : task->push_index);
    weft_block_word(run, task->argument);
    return WEFT_OK;
}

weft_status weft_emit_planned(weft_run *run, uint32_t from) {
    for (uint32_t i = from; i < run->step.tasks.count; i++) {
        weft_block_show(run, run->step.tasks.items[i].argument);
    }
    weft_block_open(run, WEFT_COMMAND_PLANNED, 0);
    weft_block_word(run, (uint32_t)(int32_t)(run->state->step + 1));
    for (uint32_t i = from; i < run->step.tasks.count; i++) {
        if (run->step.tasks.items[i].node != 0) {
            WEFT_TRY(put_task(run, i));
        }
    }
    weft_block_close(run);
    return WEFT_OK;
}

void weft_emit_reply(weft_run *run, uint32_t index, const weft_call *call, weft_word word) {
    weft_block_show(run, word);
    weft_block_open(run, WEFT_COMMAND_REPLY, WEFT_REPLY_RESTORED);
    weft_block_word(run, index);
    weft_block_word(run, call->parent);
    weft_block_word(run, call->index);
    weft_block_word(run, word);
    weft_block_close(run);
}

void weft_emit_fail(weft_run *run, weft_status status, const weft_log_text *texts, uint32_t count) {
    weft_block_open(run, WEFT_COMMAND_FAIL, 0);
    weft_block_word(run, (uint32_t)status);
    weft_block_word(run, 0);
    weft_block_word(run, count);
    for (uint32_t i = 0; i < count; i++) {
        weft_block_text(run, texts[i].bytes, texts[i].length);
    }
    weft_block_word(run, 0);
    weft_block_close(run);
}

void weft_emit_no_updates(weft_run *run, uint32_t index) {
    if ((run->options.flags & WEFT_START_WANT_TASKS) != 0) {
        weft_emit_updates(run, index, WEFT_UPDATES_NONE);
    }
}
