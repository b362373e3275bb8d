// SPDX-License-Identifier: MIT
// Implements save.h: decides which records are written, and writes those of the ledger, approvals
// and limits between them. The format of records is in src/run/record.
#include <string.h>

#include "log/writer.h"
#include "run/host/batch.h"
#include "run/host/block.h"
#include "run/host/ids_and_namespaces.h"
#include "run/machine/save.h"
#include "run/record/record.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/task/approval.h"
#include "run/task/ledger.h"
#include "run/task/limit.h"

// ---- records

static weft_status put_checkpoint(weft_run *run) {
    WEFT_TRY(weft_record_put(run, WEFT_LOG_CHECKPOINT));
    run->state->saved = 1;
    run->recording.bound = run->thread->chain.last.seq;
    weft_state_settle(run->state);
    return WEFT_OK;
}

// Writes pending writes. A request comes before its interrupt, calls still in flight come after it.
static weft_status put_writes(weft_run *run) {
    WEFT_TRY(weft_approval_flush(run));
    WEFT_TRY(weft_record_put(run, WEFT_LOG_WRITES));
    run->resume.saves = 0;
    return weft_ledger_carry(run);
}

static weft_verdict put_parts(weft_run *run) {
    int has_state = (run->recording.parts & WEFT_RECORD_STATE) != 0,
        has_writes = (run->recording.parts & WEFT_RECORD_WRITES) != 0;
    int is_step = run->options.durability == WEFT_DURABILITY_SYNC && has_state;
    int waits = is_step || (has_writes && run->resume.saves && !run->identity.nested);
    // The kept state is older than this record.
    weft_state_free(run->thread->kept);
    run->thread->kept = NULL;
    WEFT_TRY(weft_record_list_snapshot(run));
    WEFT_TRY(has_state ? put_checkpoint(run) : WEFT_OK);
    WEFT_TRY(has_writes ? put_writes(run) : WEFT_OK);
    if (run->recording.snapshot != NULL) {
        weft_buffer_fini(&run->recording.snapshot->text);
    }
    WEFT_TRY(weft_limit_record(run, has_state));
    if (!waits) {
        return WEFT_VERDICT_DONE;
    }
    run->waits = WEFT_WAIT_SAVED;
    run->recording.awaits = 1;
    return WEFT_VERDICT_WAITS;
}

static weft_verdict save(weft_run *run, uint32_t parts) {
    WEFT_TRY(weft_record_collect(run, parts));
    if (run->recording.wanted_count == 0) {
        return put_parts(run);
    }
    weft_block_open(run, WEFT_COMMAND_ENCODE, 0);
    weft_block_word(run, run->recording.wanted_count);
    for (uint32_t i = 0; i < run->recording.wanted_count; i++) {
        weft_block_word(run, run->recording.wanted[i]);
    }
    weft_block_close(run);
    run->waits = WEFT_WAIT_ENCODED;
    return WEFT_VERDICT_WAITS;
}

weft_verdict weft_save_encoded(weft_run *run, weft_cursor *cursor) {
    WEFT_TRY(weft_record_take_texts(run, cursor));
    return run->waits == WEFT_WAIT_ENCODED ? put_parts(run) : WEFT_VERDICT_WAITS;
}

weft_verdict weft_save_saved(weft_run *run) {
    return run->waits == WEFT_WAIT_SAVED ? WEFT_VERDICT_DONE : (weft_verdict)WEFT_ERR_BAD_EVENT;
}

// ---- checkpoints

static int saves_now(const weft_run *run) {
    return run->thread != NULL && run->options.durability != WEFT_DURABILITY_EXIT;
}

// Returns whether a step is saved. Under `exit` a step with tool calls is saved as ended, so that
// they do not count as in flight.
static int saves_step(const weft_run *run) {
    return saves_now(run) || (run->thread != NULL && weft_ledger_holds(run));
}

static weft_verdict commit(weft_run *run, uint32_t source, uint32_t parts) {
    int saves = saves_step(run);
    run->tools.intent_count = run->tools.request_count = 0; // they belong to the step before
    weft_state *state = run->state;
    run->recording.source = source;
    state->source = source;
    state->step++;
    if (state->saved) {
        memcpy(state->parent, state->id, 16);
        state->has_parent = 1;
        state->saved = 0;
    }
    weft_ids_checkpoint(run, state->step - run->identity.id_behind, state->id);
    state->has_id = 1;
    run->recording.made = 1;
    if (saves) {
        return save(run, parts);
    }
    if (run->thread == NULL) {
        weft_state_settle(state);
    }
    return WEFT_VERDICT_DONE;
}

weft_verdict weft_save_fork(weft_run *run) {
    return commit(run, WEFT_SOURCE_FORK, WEFT_RECORD_STATE);
}

weft_verdict weft_save_copy(weft_run *run) {
    return commit(run, WEFT_SOURCE_FORK, WEFT_RECORD_STATE | WEFT_RECORD_EMBEDDED);
}

weft_verdict weft_save_command(weft_run *run) {
    return commit(run, WEFT_SOURCE_INPUT, WEFT_RECORD_STATE | WEFT_RECORD_EMBEDDED);
}

weft_verdict weft_save_step(weft_run *run) {
    int has_input = weft_run_has_input(run);
    // A resume is for the tasks of the interrupted step, and for the first step of their children,
    // never for a later step.
    run->resume.has_plain &= run->identity.nested && has_input;
    run->resume.resuming = 0;
    run->identity.resumes = 0;
    run->resume.saves = 0;
    return commit(run, has_input ? WEFT_SOURCE_INPUT : WEFT_SOURCE_LOOP,
                  WEFT_RECORD_STATE | WEFT_RECORD_EMBEDDED);
}

weft_verdict weft_save_update(weft_run *run) {
    uint32_t source = weft_run_has_input(run) ? WEFT_SOURCE_INPUT : WEFT_SOURCE_UPDATE;
    return commit(run, source, WEFT_RECORD_STATE | WEFT_RECORD_EMBEDDED);
}

weft_verdict weft_save_intents(weft_run *run) {
    return save(run, WEFT_RECORD_STATE);
}

// ---- pending writes

static weft_verdict save_writes(weft_run *run, int saves) {
    return saves && weft_record_is_due(run) ? save(run, WEFT_RECORD_WRITES) : WEFT_VERDICT_DONE;
}

weft_verdict weft_save_answer(weft_run *run) {
    // Under `exit`, too, an answer with writes beside it is saved at once: nothing else holds them.
    int has_writes = run->step.input.count > 0 && run->step.input.items[0].write_count > 0;
    return save_writes(run, saves_step(run) || (run->thread != NULL && has_writes));
}

// Under `exit` saves everything deferred: the checkpoint, unless it is in the log, and its writes.
static weft_verdict save_held_back(weft_run *run) {
    if (run->thread == NULL || run->options.durability != WEFT_DURABILITY_EXIT) {
        return WEFT_VERDICT_DONE;
    }
    // An unused answer stays for the next interrupt.
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        run->resume.saves &= !run->step.tasks.items[i].took_null_resume;
    }
    uint32_t parts = (run->state->saved ? 0 : WEFT_RECORD_STATE) |
                     (weft_record_is_due(run) ? WEFT_RECORD_WRITES : 0);
    return parts == 0 ? WEFT_VERDICT_DONE : save(run, parts);
}

weft_verdict weft_save_tasks(weft_run *run) {
    return run->step.errors > 0 && run->options.durability == WEFT_DURABILITY_EXIT
               ? save_held_back(run)
               : save_writes(run, saves_step(run));
}

// Under `exit` the state before the step is still to be saved, unless the step has changed it.
weft_verdict weft_save_broken(weft_run *run) {
    int exits = run->options.durability == WEFT_DURABILITY_EXIT && !run->applying.apply.began;
    return exits ? save_held_back(run) : save_writes(run, saves_step(run));
}

weft_verdict weft_save_late(weft_run *run) {
    return run->options.durability == WEFT_DURABILITY_EXIT ? save_held_back(run)
                                                           : save_writes(run, saves_step(run));
}

weft_verdict weft_save_interrupted(weft_run *run) {
    return save_held_back(run);
}

weft_verdict weft_save_stopped(weft_run *run) {
    return save_held_back(run);
}

weft_verdict weft_save_finished(weft_run *run) {
    // A finished task's namespace is never used again.
    int is_lost = run->identity.nested && !run->identity.stable && !run->step.interrupted &&
                  !run->step.at_breakpoint;
    return is_lost ? WEFT_VERDICT_DONE : save_held_back(run);
}
