// SPDX-License-Identifier: MIT
// Implements call.h. The ids of calls come from their place among the caller's calls, so that a
// result from before a crash or an interrupt is found again (docs/semantics.md 14).
#include <string.h>

#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/host/ids_and_namespaces.h"
#include "run/state/phase.h"
#include "run/state/resume.h"
#include "run/state/run.h"
#include "run/task/cache.h"
#include "run/task/call.h"

static void put_name(const weft_run *run, uint32_t node, weft_buffer *out) {
    weft_log_text json = run->graph->nodes[node].json;
    weft_buffer_append(out, json.bytes, json.length);
}

static void put_path(const weft_run *run, const weft_task *task, weft_buffer *out) {
    if (task->kind == WEFT_TASK_CALL) {
        weft_buffer_append(out, task->call->path.bytes, task->call->path.length);
        return;
    }
    weft_buffer_say(out,
                    task->kind == WEFT_TASK_PULL ? "[\"__pregel_pull\"," : "[\"__pregel_push\",");
    if (task->kind == WEFT_TASK_PUSH) {
        weft_buffer_decimal(out, task->push_index);
    } else if (task->kind == WEFT_TASK_HANDLER) {
        put_name(run, task->trigger, out);
        weft_buffer_say(out, ",");
        put_name(run, task->node, out);
        weft_buffer_say(out, ",false");
    } else {
        put_name(run, task->node, out);
    }
    weft_buffer_say(out, "]");
}

// Moves the buffer's text into the step's arena.
static weft_status keep_text(weft_run *run, weft_buffer *from, weft_log_text *to) {
    WEFT_TRY(from->status);
    uint8_t *bytes = weft_arena_alloc(&run->arena, from->length + 1u);
    if (bytes == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    if (from->length > 0) {
        memcpy(bytes, from->bytes, from->length);
    }
    *to = (weft_log_text){bytes, from->length};
    weft_buffer_clear(from);
    return WEFT_OK;
}

static weft_status name_call(weft_run *run, weft_call *call, weft_log_text name,
                             weft_buffer *text) {
    const weft_task *parent = &run->step.tasks.items[call->parent];
    weft_buffer_append(text, name.bytes, name.length);
    WEFT_TRY(keep_text(run, text, &call->name));
    WEFT_TRY(weft_ids_namespace(run, parent, text));
    weft_buffer_say(text, "|");
    weft_buffer_append(text, name.bytes, name.length);
    WEFT_TRY(keep_text(run, text, &call->scope));
    weft_buffer_say(text, "[\"__pregel_push\",");
    put_path(run, parent, text);
    weft_buffer_say(text, ",");
    weft_buffer_decimal(text, call->place);
    weft_buffer_say(text, ",true]");
    return keep_text(run, text, &call->path);
}

static weft_call *new_call(weft_run *run, weft_call like, weft_log_text name, weft_status *status) {
    weft_call *call = weft_arena_zeroed(&run->arena, 1, sizeof(*call));
    weft_buffer text;
    if (call == NULL) {
        *status = WEFT_ERR_NO_MEMORY;
        return NULL;
    }
    *call = like;
    weft_buffer_init(&text, run->memory);
    *status = name_call(run, call, name, &text);
    weft_buffer_fini(&text);
    return call;
}

// Finds the same call of an earlier attempt of the caller, if it returned.
static weft_task *returned(const weft_run *run, const weft_call *call) {
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        weft_task *task = &run->step.tasks.items[i];
        int same = task->kind == WEFT_TASK_CALL && task->call->parent == call->parent &&
                   task->call->place == call->place;
        int ended = task->status == WEFT_TASK_DONE || task->status == WEFT_TASK_RESTORED;
        if (same && ended && weft_log_same_text(task->call->name, call->name)) {
            return task;
        }
    }
    return NULL;
}

// Restores a call from earlier runs: its result, unless it `repeats`, or the answers that it
// received.
static void restore(weft_run *run, weft_task *task, const uint8_t id[16], int repeats) {
    for (uint32_t i = 0; i < run->resume.call_count; i++) {
        weft_task *found = &run->resume.calls[i].task;
        if (memcmp(run->resume.calls[i].key.id, id, 16) != 0 ||
            task->status == WEFT_TASK_RESTORED) {
            continue;
        }
        if (found->replied && !repeats) {
            task->argument = found->argument;
            found->argument = WEFT_WORD_ABSENT;
            task->status = WEFT_TASK_RESTORED;
            task->saved = 1;
        } else {
            weft_task old = *task;
            task->resumes = found->resumes;
            task->resume_count = found->resume_count;
            task->resume_capacity = found->resume_capacity;
            task->waited = found->waited;
            task->waited_count = found->waited_count;
            found->resumes = old.resumes;
            found->resume_count = old.resume_count;
            found->resume_capacity = old.resume_capacity;
        }
    }
}

static weft_verdict start(weft_run *run, weft_call *call, int cached) {
    uint8_t id[16];
    uint32_t index = run->step.tasks.count;
    weft_task *task = weft_tasks_add(&run->step.tasks, run->memory);
    if (task == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    task->kind = WEFT_TASK_CALL;
    task->node = run->step.tasks.items[call->parent].node;
    task->push_index = call->parent;
    task->call = call;
    task->took_null_resume = run->resume.plain_is_taken;
    int repeats = weft_run_repeats_tasks(run);
    // A finished part of a task's work keeps its result when an answer comes.
    if (run->resume.call_count > 0 && (!call->is_part || !repeats || run->resume.is_given)) {
        WEFT_TRY(weft_ids_task(run, task, id));
        restore(run, task, id, repeats && !call->is_part);
    }
    if (task->status != WEFT_TASK_RESTORED && cached) {
        weft_cache_look_up_call(run, index);
        return WEFT_VERDICT_WAITS;
    }
    if (task->status != WEFT_TASK_RESTORED) {
        run->step.handed = index;
        return WEFT_VERDICT_HANDS_OUT;
    }
    task->replied = 1;
    weft_emit_reply(run, index, call, task->argument);
    return WEFT_VERDICT_WAITS;
}

weft_verdict weft_call_read(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    weft_log_text name;
    uint32_t parent = weft_cursor_word(cursor);
    uint32_t attempt = weft_cursor_word(cursor);
    name.bytes = weft_cursor_text(cursor, &name.length);
    uint32_t place = (flags & WEFT_CALL_ASIDE) != 0 ? weft_cursor_word(cursor) : 0;
    WEFT_TRY(cursor->status);
    weft_task *caller = weft_run_task(run, parent, attempt, WEFT_TASK_RUNNING);
    if (caller == NULL) {
        return WEFT_VERDICT_WAITS;
    }
    weft_status status;
    int is_part = (flags & WEFT_CALL_ASIDE) != 0;
    weft_call like = {.parent = parent, .index = caller->called++, .is_part = (uint8_t)is_part};
    like.place = is_part ? place : like.index;
    weft_call *call = new_call(run, like, name, &status);
    WEFT_TRY(status);
    const weft_task *before = returned(run, call);
    if (before == NULL) {
        return start(run, call, (flags & WEFT_CALL_CACHED) != 0);
    }
    weft_emit_reply(run, (uint32_t)(before - run->step.tasks.items), call, before->argument);
    return WEFT_VERDICT_WAITS;
}

weft_status weft_call_keep(weft_run *run) {
    weft_call_drop(run);
    for (uint32_t i = 0; i < run->resume.pending_count; i++) {
        weft_pending_task *pending = &run->resume.pending[i];
        if (pending->key.kind != WEFT_LOG_TASK_STORED) {
            continue;
        }
        if (!weft_memory_reserve(run->memory, &run->resume.calls, sizeof(*run->resume.calls),
                                 &run->resume.call_capacity, run->resume.call_count + 1)) {
            return WEFT_ERR_NO_MEMORY;
        }
        run->resume.calls[run->resume.call_count++] = *pending;
        memset(&pending->task, 0, sizeof(pending->task));
    }
    return WEFT_OK;
}

void weft_call_drop(weft_run *run) {
    for (uint32_t i = 0; i < run->resume.call_count; i++) {
        weft_task_fini(&run->resume.calls[i].task, run->values);
    }
    run->resume.call_count = 0;
}

void weft_call_reply(weft_run *run) {
    int open = 0;
    for (uint32_t i = 0; run->step.unreplied > 0 && i < run->step.tasks.count; i++) {
        weft_task *task = &run->step.tasks.items[i];
        // A task that waits for its retry has not ended.
        int ended = task->status >= WEFT_TASK_DONE && task->status <= WEFT_TASK_FAILED;
        if (task->kind != WEFT_TASK_CALL || !ended || task->replied) {
            continue;
        }
        if (!open) {
            weft_block_open(run, WEFT_COMMAND_REPLY, 0);
            open = 1;
        }
        task->replied = 1;
        weft_block_word(run, i);
    }
    if (open) {
        weft_block_close(run);
    }
    run->step.unreplied = 0;
}
