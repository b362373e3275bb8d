// SPDX-License-Identifier: MIT
// Implements hand_out.h: emits TASK commands, as many as fit one block.
#include "run/task/hand_out.h"
#include "run/host/block.h"
#include "run/host/ids_and_namespaces.h"
#include "run/state/run.h"
#include "run/task/approval.h"
#include "run/task/ledger.h"

#define BLOCK_RECORDS 1000u

// Returns a Send's argument, or for the start node the stored input, since after a crash only the
// log has it.
static weft_word argument_of(const weft_run *run, const weft_task *task) {
    if (task->kind == WEFT_TASK_CALL) {
        return (task->call->index << 3) | 1u;
    }
    int is_start = task->kind == WEFT_TASK_PULL && task->node == 0;
    return is_start ? run->state->channels[run->graph->user_channels].value : task->argument;
}

weft_status weft_hand_out_one(weft_run *run, uint32_t index) {
    weft_task *task = &run->step.tasks.items[index];
    uint8_t failed_id[16];
    weft_word argument = argument_of(run, task);
    task->status = WEFT_TASK_RUNNING;
    task->known = task->attempt == 0 ? task->resume_count : task->known;
    task->attempt++;
    task->asked = 0;
    task->called = 0;
    run->step.open++;
    int timed = task->timeout != WEFT_WORD_ABSENT;
    if (run->tools.intent_count > 0) {
        WEFT_TRY(weft_ledger_emit_unknown(run, index));
    }
    if (run->tools.request_count != run->tools.told_count) {
        weft_approval_emit_asked(run);
    }
    weft_block_show(run, argument);
    weft_block_show(run, task->timeout);
    if (task->kind == WEFT_TASK_HANDLER) {
        weft_block_show(run, run->step.tasks.items[task->push_index].error);
        WEFT_TRY(weft_ids_task(run, &run->step.tasks.items[task->push_index], failed_id));
    }
    uint32_t again = weft_run_repeats_tasks(run) ? WEFT_TASK_AGAIN : 0u;
    weft_block_open(run, WEFT_COMMAND_TASK, again | (timed ? WEFT_TASK_WITHIN : 0u));
    weft_block_word(run, index);
    weft_block_word(run, task->attempt);
    weft_block_word(run, task->node);
    weft_block_word(run, task->kind);
    int pulled = task->kind == WEFT_TASK_PULL || task->kind == WEFT_TASK_WRITERS;
    weft_block_word(run, pulled ? run->graph->nodes[task->node].triggers[task->trigger]
                                : task->push_index);
    weft_block_word(run, argument);
    if (timed) {
        weft_block_word(run, task->timeout);
    }
    if (task->kind == WEFT_TASK_HANDLER) {
        const weft_task *failed = &run->step.tasks.items[task->push_index];
        weft_block_word(run, failed->node);
        weft_block_word(run, failed->kind);
        weft_block_word(run, failed->push_index);
        weft_block_word(run, failed->error);
        weft_block_id(run, failed_id);
    }
    weft_block_close(run);
    return WEFT_OK;
}

weft_status weft_hand_out(weft_run *run) {
    while (run->step.next < run->step.tasks.count && run->output.records < BLOCK_RECORDS) {
        if (run->step.tasks.items[run->step.next].status == WEFT_TASK_READY) {
            WEFT_TRY(weft_hand_out_one(run, run->step.next));
        }
        run->step.next++;
    }
    return WEFT_OK;
}
