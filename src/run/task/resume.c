// SPDX-License-Identifier: MIT
// Implements resume.h: tasks continue from where an earlier run left them.
#include <string.h>

#include "run/host/ids_and_namespaces.h"
#include "run/restore/restore.h"
#include "run/state/run.h"
#include "run/task/call.h"
#include "run/task/ledger.h"
#include "run/task/policy.h"
#include "run/task/resume.h"

// Finds the same task in the step. Records usually list tasks in the planned order: `*near` is the
// one found last.
static weft_task *same_task(weft_run *run, const weft_task *wanted, uint32_t *near) {
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        *near = *near + 1u < run->step.tasks.count ? *near + 1u : 0;
        weft_task *task = &run->step.tasks.items[*near];
        int same = task->kind == wanted->kind && task->node == wanted->node &&
                   task->trigger == wanted->trigger && task->push_index == wanted->push_index;
        if (same) {
            return task;
        }
    }
    return NULL;
}

static void swap_outcome(weft_task *to, weft_task *from) {
    weft_task old = *to;
    *to = *from;
    to->node = old.node;
    to->kind = old.kind;
    to->trigger = old.trigger;
    to->push_index = old.push_index;
    to->argument = old.argument;
    to->timeout = old.timeout;
    from->argument = WEFT_WORD_ABSENT;
    old.argument = WEFT_WORD_ABSENT;
    old.timeout = WEFT_WORD_ABSENT;
    *from = old;
}

// Keeps an earlier record's interrupts and failure of the task beside its later writes, for
// snapshots.
static void keep_outcome(weft_task *task, weft_task *earlier) {
    if (task->interrupt_count == 0) {
        task->interrupts = earlier->interrupts;
        task->interrupt_count = earlier->interrupt_count;
        earlier->interrupt_count = 0;
    }
    if (task->error == WEFT_WORD_ABSENT) {
        task->error = earlier->error;
        earlier->error = WEFT_WORD_ABSENT;
    }
}

// Drops a task's earlier interrupts and failure; if it runs again, keeps only its resume values.
static weft_status forget_outcome(weft_run *run, weft_task *task) {
    int stays = 0;
    if (run->resume.is_given) {
        WEFT_TRY(weft_ledger_ended(run, task, &stays));
    }
    if ((task->status == WEFT_TASK_RESTORED || task->handled) && weft_run_repeats_tasks(run) &&
        !stays) {
        weft_task fresh = {
            .node = task->node, .kind = task->kind, .trigger = task->trigger, .repeats = 1};
        fresh.push_index = task->push_index;
        fresh.argument = task->argument;
        fresh.timeout = task->timeout;
        fresh.resumes = task->resumes;
        fresh.resume_count = task->resume_count;
        fresh.resume_capacity = task->resume_capacity;
        fresh.waited = task->waited;
        fresh.waited_count = task->waited_count;
        task->argument = WEFT_WORD_ABSENT;
        task->timeout = WEFT_WORD_ABSENT;
        task->resumes = NULL;
        task->resume_count = task->resume_capacity = 0;
        weft_task_fini(task, run->values);
        *task = fresh;
        return WEFT_OK;
    }
    for (uint32_t i = 0; i < task->interrupt_count; i++) {
        weft_values_release(run->values, task->interrupts[i].word);
    }
    task->interrupt_count = 0;
    if (task->handled) {
        return WEFT_OK; // its handler needs the error
    }
    weft_values_release(run->values, task->error);
    task->error = WEFT_WORD_ABSENT;
    task->status = task->status == WEFT_TASK_INTERRUPTED ? WEFT_TASK_READY : task->status;
    return WEFT_OK;
}

weft_status weft_resume_attach(weft_run *run) {
    int shows = run->options.kind != WEFT_RUN_INVOKE ||
                (run->options.flags & WEFT_START_WANT_CHECKPOINTS) != 0;
    int has_plain = run->resume.has_plain;
    uint32_t near = run->step.tasks.count;
    for (uint32_t i = 0; i < run->resume.pending_count; i++) {
        weft_task *found = &run->resume.pending[i].task;
        if (run->resume.pending[i].key.kind == WEFT_LOG_TASK_NULL) {
            if (!has_plain && found->resume_count > 0) {
                weft_values_release(run->values, run->resume.plain);
                run->resume.plain = found->resumes[found->resume_count - 1];
                run->resume.has_plain = run->resume.plain_is_stored = 1;
                run->resume.plain_seq = run->resume.pending[i].seq;
                weft_values_retain(run->values, run->resume.plain);
            }
            continue;
        }
        weft_task *task = found->node == WEFT_GRAPH_NONE ? NULL : same_task(run, found, &near);
        int is_done = found->status == WEFT_TASK_RESTORED || found->handled;
        if (task == NULL || task->status == WEFT_TASK_RESTORED) {
            continue;
        }
        // The task's latest record replaces earlier ones; a snapshot also shows earlier interrupts.
        swap_outcome(task, found);
        if (shows) {
            keep_outcome(task, found);
        }
        task->saved = (uint8_t)is_done;
    }
    return WEFT_OK;
}

// Adds the handler of a task that failed before: it is done, or continues with the answers that it
// received.
static weft_status attach_handler(weft_run *run, uint32_t failed) {
    uint8_t id[16];
    WEFT_TRY(weft_policy_add_handler(run, failed));
    weft_task *task = &run->step.tasks.items[run->step.tasks.count - 1];
    WEFT_TRY(weft_ids_task(run, task, id));
    for (uint32_t i = 0; i < run->resume.pending_count; i++) {
        const weft_log_task_key *key = &run->resume.pending[i].key;
        if (key->kind == WEFT_LOG_TASK_STORED && memcmp(key->id, id, 16) == 0 &&
            task->status != WEFT_TASK_RESTORED) {
            swap_outcome(task, &run->resume.pending[i].task);
            task->saved = task->status == WEFT_TASK_RESTORED;
            WEFT_TRY(forget_outcome(run, task));
        }
    }
    return WEFT_OK;
}

weft_status weft_resume_forget(weft_run *run) {
    uint32_t planned = run->step.tasks.count;
    for (uint32_t i = 0; i < planned; i++) {
        WEFT_TRY(forget_outcome(run, &run->step.tasks.items[i]));
    }
    for (uint32_t i = 0; i < planned; i++) {
        if (run->step.tasks.items[i].handled) {
            WEFT_TRY(attach_handler(run, i));
        }
    }
    weft_status kept = weft_call_keep(run);
    weft_restore_drop_pending(run);
    return kept;
}
