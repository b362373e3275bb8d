// SPDX-License-Identifier: MIT
// Implements tools.h: beginnings, approval requests and decisions.
#include "run/state/tools.h"
#include "run/host/batch.h"
#include "run/state/run.h"
#include "run/task/approval.h"
#include "run/task/ledger.h"
#include "run/task/tools.h"

weft_status weft_tools_intend(weft_run *run, weft_cursor *cursor, uint32_t flags) {
    weft_log_text call;
    uint32_t number = weft_cursor_word(cursor);
    uint32_t attempt = weft_cursor_word(cursor);
    call.bytes = weft_cursor_text(cursor, &call.length);
    WEFT_TRY(cursor->status);
    weft_task *task = weft_run_task(run, number, attempt, WEFT_TASK_RUNNING);
    if ((flags & WEFT_INTENT_ASKS) != 0) {
        return weft_approval_ask(run, task, call, cursor, flags);
    }
    if ((flags & WEFT_INTENT_DECIDED) != 0) {
        return weft_approval_decide(run, task, call, cursor);
    }
    weft_beginning call_of = {number, attempt, flags, call};
    int waits = task != NULL && run->thread != NULL && run->options.kind == WEFT_RUN_INVOKE &&
                !run->state->saved;
    if (!waits) {
        return weft_ledger_intend(run, &call_of);
    }
    if (!weft_memory_reserve(run->memory, &run->tools.beginnings, sizeof(*run->tools.beginnings),
                             &run->tools.beginning_capacity, run->tools.beginning_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(weft_lasting_text(run, call, &call_of.call));
    run->tools.beginnings[run->tools.beginning_count++] = call_of;
    return WEFT_OK;
}
