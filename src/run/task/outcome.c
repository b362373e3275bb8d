// SPDX-License-Identifier: MIT
// Implements outcome.h: RESULT, INTERRUPTED and asks.
#include <string.h>

#include "run/host/batch.h"
#include "run/host/emit.h"
#include "run/host/ids_and_namespaces.h"
#include "run/state/phase.h"
#include "run/state/resume.h"
#include "run/state/run.h"
#include "run/task/approval.h"
#include "run/task/cache.h"
#include "run/task/call.h"
#include "run/task/entries.h"
#include "run/task/outcome.h"

weft_task *weft_outcome_ending(weft_run *run, weft_cursor *cursor, uint32_t *index, int expired) {
    *index = weft_cursor_word(cursor);
    uint32_t attempt = weft_cursor_word(cursor);
    int takes = cursor->status == WEFT_OK &&
                run->waits == WEFT_WAIT_TASKS; // late and repeated outcomes are refused
    weft_task_status status = expired ? WEFT_TASK_EXPIRED : WEFT_TASK_RUNNING;
    weft_task *task = takes ? weft_run_task(run, *index, attempt, status) : NULL;
    if (task != NULL) {
        run->step.open--;
        run->step.ended = 1;
        weft_run_note_ended(run, *index);
        run->step.unreplied += task->kind == WEFT_TASK_CALL;
    }
    return task;
}

weft_status weft_outcome_result(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    uint32_t index;
    weft_task *task = weft_outcome_ending(run, cursor, &index, 0);
    uint32_t count = weft_cursor_word(cursor);
    if (task == NULL) {
        return WEFT_ERR_BAD_EVENT;
    }
    int ends_here = (flags & WEFT_RESULT_NO_EDGES) != 0 || task->kind == WEFT_TASK_CALL;
    WEFT_TRY(weft_entries_read(run, cursor, count, task, !ends_here));
    task->status = WEFT_TASK_DONE;
    if (task->cached) {
        weft_cache_store(run, index);
    }
    if (run->options.kind == WEFT_RUN_INVOKE && (!ends_here || count != 0)) {
        weft_emit_updates(run, index, 0);
    } else {
        weft_emit_no_updates(run, index);
    }
    return WEFT_OK;
}

weft_status weft_outcome_interrupted(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    uint32_t index;
    weft_task *task = weft_outcome_ending(run, cursor, &index, 0);
    uint32_t count = weft_cursor_count(cursor, 5);
    if (task == NULL) {
        return WEFT_ERR_BAD_EVENT;
    }
    task->interrupts = weft_arena_zeroed(&run->arena, count + 1u, sizeof(*task->interrupts));
    if (task->interrupts == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *id = weft_cursor_bytes(cursor, 16);
        weft_word word = weft_cursor_word(cursor);
        WEFT_TRY(cursor->status);
        memcpy(task->interrupts[i].id, id, 16);
        WEFT_TRY(weft_values_adopt(run->values, word));
        task->interrupts[i].word = word;
        task->interrupt_count = i + 1;
    }
    task->status = WEFT_TASK_INTERRUPTED;
    run->step.interrupted = 1;
    WEFT_TRY(cursor->status);
    if ((flags & WEFT_INTERRUPTED_ENTRIES) != 0) {
        WEFT_TRY(weft_entries_read(run, cursor, weft_cursor_word(cursor), task, 0));
    }
    // A call's interrupts belong to its caller; START is hidden.
    int hidden = task->kind == WEFT_TASK_PULL && task->node == 0;
    if (task->kind != WEFT_TASK_CALL && (run->identity.nested ? count > 0 : !hidden)) {
        weft_emit_interrupts(run, task);
    }
    weft_emit_no_updates(run, index);
    return WEFT_OK;
}

// ---- asks: an answer of six words and, if there is one, an id

static void answer(weft_run *run, weft_status status, uint32_t kind, weft_word word,
                   const uint8_t *id) {
    weft_value *value = weft_values_get(run->values, word);
    int show = value != NULL && !value->slot;
    weft_buffer_clear(&run->output.answer);
    weft_buffer_u32(&run->output.answer, (uint32_t)status);
    weft_buffer_u32(&run->output.answer, kind);
    weft_buffer_u32(&run->output.answer, word);
    weft_buffer_u64(&run->output.answer, show ? (uint64_t)(uintptr_t)value->text : 0);
    weft_buffer_u32(&run->output.answer, show ? value->length : 0);
    if (id != NULL) {
        weft_buffer_append(&run->output.answer, id, 16);
    }
    if (show) {
        value->slot = 1;
    }
}

// Finds an answer addressed to this task's interrupt by id.
static const weft_resume_entry *mapped_resume(const weft_run *run, const uint8_t id[16]) {
    for (uint32_t i = 0; i < run->resume.map_count; i++) {
        if (memcmp(run->resume.map[i].id, id, 16) == 0) {
            return &run->resume.map[i];
        }
    }
    return NULL;
}

static weft_status resume_with(weft_run *run, weft_task *task, weft_word word) {
    WEFT_TRY(weft_task_resume(task, run->values, word));
    answer(run, WEFT_OK, WEFT_ANSWER_RESUME, word, NULL);
    return WEFT_OK;
}

// Finds an answer under an id from an earlier version: later interrupts of a task had the first
// one's id, and those about tool calls and of parts of a task's work the id with their number in
// it.
static weft_status earlier_resume(weft_run *run, const weft_task *task,
                                  const weft_resume_entry **found) {
    uint8_t id[16];
    uint32_t index = task->asked - 1u;
    for (uint32_t i = 0; index == task->known && i < task->waited_count * 2u && *found == NULL;
         i++) {
        WEFT_TRY(weft_ids_interrupt(run, task, 0, id));
        for (uint32_t at = 0; i % 2u == 1 && at < 4; at++) {
            id[12 + at] ^= (uint8_t)(index >> (8 * at));
        }
        *found = memcmp(task->waited[i / 2u].id, id, 16) == 0 ? mapped_resume(run, id) : NULL;
    }
    return WEFT_OK;
}

static weft_status ask_interrupt(weft_run *run, weft_task *task) {
    uint8_t id[16];
    uint32_t index = task->asked++;
    if (run->thread == NULL && !run->identity.may_ask) {
        answer(run, WEFT_ERR_NO_SAVER, WEFT_ANSWER_FAIL, WEFT_WORD_ABSENT, NULL);
        return WEFT_OK;
    }
    if (index < task->resume_count) {
        answer(run, WEFT_OK, WEFT_ANSWER_RESUME, task->resumes[index], NULL);
        return WEFT_OK;
    }
    WEFT_TRY(weft_approval_question(run, task, id));
    int is_part = weft_call_is_part(task);
    const weft_resume_entry *mapped = mapped_resume(run, id);
    if (mapped == NULL && run->resume.map_count > 0) {
        WEFT_TRY(earlier_resume(run, task, &mapped));
    }
    if (mapped != NULL && !task->took_mapped_resume) {
        task->took_mapped_resume = 1;
        task->answered = 0;
        return resume_with(run, task, mapped->word);
    }
    // Parts of a node's work interrupt one by one: a plain answer is for the first of them, and one
    // of an earlier run is used up when answers come by id.
    int is_late = is_part && (run->resume.plain_is_taken || run->resume.map_count > 0);
    if (run->resume.has_plain && !task->took_null_resume && !is_late) {
        task->took_null_resume = 1;
        task->answered = run->resume.plain_is_stored ? run->resume.plain_seq : 0;
        run->resume.plain_is_taken = 1;
        return resume_with(run, task, run->resume.plain);
    }
    answer(run, WEFT_OK, WEFT_ANSWER_THROW, WEFT_WORD_ABSENT, id);
    return WEFT_OK;
}

// Rejects the task's last answer: neither it nor later ones are kept.
static void reject_answer(weft_run *run, weft_task *task) {
    uint32_t kept = task->asked == 0 ? 0 : task->asked - 1u;
    while (task->resume_count > kept) {
        weft_values_release(run->values, task->resumes[--task->resume_count]);
    }
    answer(run, WEFT_OK, WEFT_ANSWER_FAIL, WEFT_WORD_ABSENT, NULL);
}

// Answers the running step and how many more steps are allowed: the last one is needed to find that
// nothing is left to do.
static void answer_steps(weft_run *run) {
    int64_t step = run->state->step + 1;
    int64_t left = run->step.stop - 1 - step;
    const uint32_t words[] = {(uint32_t)WEFT_OK,
                              WEFT_ANSWER_STEPS,
                              (uint32_t)step,
                              (uint32_t)(left < 0 ? 0 : left),
                              0,
                              0};
    weft_buffer_clear(&run->output.answer);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        weft_buffer_u32(&run->output.answer, words[i]);
    }
}

static void answer_namespace(weft_run *run) {
    weft_buffer_clear(&run->output.answer);
    weft_buffer_u32(&run->output.answer, (uint32_t)WEFT_OK);
    weft_buffer_u32(&run->output.answer, WEFT_ANSWER_TEXT);
    weft_buffer_u32(&run->output.answer, WEFT_WORD_ABSENT);
    weft_buffer_u64(&run->output.answer, (uint64_t)(uintptr_t)run->identity.ns.bytes);
    weft_buffer_u32(&run->output.answer, run->identity.ns.length);
}

// Finds a task that is reported to the host before it runs, or that need not run.
static weft_task *shown(weft_run *run, uint32_t index, uint32_t attempt) {
    weft_task *task = weft_run_task(run, index, attempt, WEFT_TASK_RESTORED);
    return task == NULL ? weft_run_task(run, index, attempt, WEFT_TASK_LOOKED_UP) : task;
}

weft_status weft_outcome_ask(weft_run *run, uint32_t index, uint32_t attempt, uint32_t op) {
    if (op == WEFT_ASK_NAMESPACE) {
        answer_namespace(run);
        return WEFT_OK;
    }
    weft_task *task = weft_run_task(run, index, attempt, WEFT_TASK_RUNNING);
    if (task == NULL && op == WEFT_ASK_TASK_ID) {
        task = shown(run, index, attempt);
    }
    if (task == NULL) {
        answer(run, WEFT_ERR_BAD_EVENT, WEFT_ANSWER_FAIL, WEFT_WORD_ABSENT, NULL);
        return WEFT_OK;
    }
    if (op == WEFT_ASK_TASK_ID) {
        uint8_t id[16];
        WEFT_TRY(weft_ids_task(run, task, id));
        answer(run, WEFT_OK, WEFT_ANSWER_ID, WEFT_WORD_ABSENT, id);
        return WEFT_OK;
    }
    if (op == WEFT_ASK_CHECKPOINT) {
        answer(run, WEFT_OK, WEFT_ANSWER_ID, WEFT_WORD_ABSENT, run->state->id);
        return WEFT_OK;
    }
    if (op == WEFT_ASK_INTERRUPT) {
        return ask_interrupt(run, task);
    }
    if (op == WEFT_ASK_REJECT) {
        reject_answer(run, task);
        return WEFT_OK;
    }
    if (op == WEFT_ASK_STEPS) {
        answer_steps(run);
        return WEFT_OK;
    }
    answer(run, WEFT_ERR_BAD_EVENT, WEFT_ANSWER_FAIL, WEFT_WORD_ABSENT, NULL);
    return WEFT_OK;
}
