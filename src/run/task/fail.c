// SPDX-License-Identifier: MIT
// Implements fail.h: emits FAIL with the texts of its message.
#include <string.h>

#include "run/host/block.h"
#include "run/host/emit.h"
#include "run/state/phase.h"
#include "run/state/run.h"
#include "run/task/call.h"
#include "run/task/fail.h"
#include "run/task/ledger.h"

static void put_values(weft_run *run, const weft_write *write) {
    uint32_t count = 0;
    for (const weft_write *w = write; w != NULL; w = w->next) {
        count++;
    }
    weft_block_word(run, count);
    for (const weft_write *w = write; w != NULL; w = w->next) {
        weft_block_word(run, (w->word & 7u) == WEFT_WORD_TAG_NODE ? WEFT_WORD_NULL : w->word);
    }
    for (const weft_write *w = write; w != NULL; w = w->next) {
        weft_block_word(run, w->overwrite);
    }
}

// Emits a channel's error: the message names the channel, the values written and the rule.
static void fail_channel(weft_run *run, weft_status status) {
    const weft_apply *apply = &run->applying.apply;
    const weft_channel_rule *rule = weft_state_rule(run->state, apply->failed_channel);
    const char *reason =
        rule->kind == WEFT_CHANNEL_EPHEMERAL ? "EphemeralValue can only receive one value per step."
        : rule->kind == WEFT_CHANNEL_UNTRACKED ? "UntrackedValue(guard=true) can receive only one "
                                                 "value per step. Use guard=false if you "
                                                 "want to store any one of multiple values."
                                               : "LastValue can only receive one value per step.";
    weft_log_text name = run->graph->channels[apply->failed_channel].name;
    for (const weft_write *w = apply->failed_write; w != NULL; w = w->next) {
        if ((w->word & 7u) != WEFT_WORD_TAG_NODE) {
            weft_block_show(run, w->word);
        }
    }
    weft_block_open(run, WEFT_COMMAND_FAIL, 0);
    weft_block_word(run, (uint32_t)status);
    weft_block_word(run, 0);
    weft_block_word(run, 2);
    weft_block_text(run, name.bytes, name.length);
    weft_block_text(run, reason, (uint32_t)strlen(reason));
    put_values(run, apply->failed_write);
    weft_block_close(run);
}

static void fail_recursion(weft_run *run) {
    uint8_t digits[WEFT_BLOCK_DIGITS];
    weft_log_text word = weft_block_digits(run->options.recursion_limit, digits);
    weft_emit_fail(run, WEFT_ERR_RECURSION, &word, 1);
}

weft_verdict weft_fail_apply(weft_run *run) {
    const weft_write *write = run->applying.apply.failed_write;
    weft_status status = run->applying.failure;
    if (status == WEFT_ERR_RECURSION) {
        fail_recursion(run);
    } else if (status == WEFT_ERR_CONCURRENT_UPDATE || status == WEFT_ERR_OVERWRITE_TWICE) {
        fail_channel(run, status);
    } else if (status == WEFT_ERR_DELETE_MESSAGE) {
        weft_log_text id = {write->messages[write->count].id,
                            write->messages[write->count].id_length};
        weft_emit_fail(run, status, &id, 1);
    } else {
        weft_emit_fail(run, status, NULL, 0);
    }
    return WEFT_VERDICT_FAILED;
}

static weft_status cancel(weft_run *run) {
    WEFT_TRY(weft_ledger_release(run));
    weft_block_open(run, WEFT_COMMAND_CANCEL, 0);
    weft_block_close(run);
    return WEFT_OK;
}

weft_verdict weft_fail_stop(weft_run *run, weft_status why) {
    run->applying.failure = why;
    WEFT_TRY(cancel(run));
    // Partly applied changes are not saved.
    if (run->waits != WEFT_WAIT_TASKS) {
        run->options.durability = WEFT_DURABILITY_ASYNC;
    }
    return WEFT_VERDICT_STOPS;
}

weft_verdict weft_fail_tasks(weft_run *run) {
    WEFT_TRY(cancel(run));
    weft_block_open(run, WEFT_COMMAND_FAIL, 0);
    weft_block_word(run, (uint32_t)WEFT_ERR_HOST);
    weft_block_word(run, run->step.errors);
    for (uint32_t i = 0; i < run->step.tasks.count; i++) {
        const weft_task *task = &run->step.tasks.items[i];
        if (task->status == WEFT_TASK_FAILED && !task->handled && !weft_call_is_part(task)) {
            weft_block_word(run, i);
        }
    }
    uint8_t digits[WEFT_BLOCK_DIGITS];
    weft_log_text step = weft_block_digits((uint64_t)(run->state->step + 1), digits);
    weft_block_word(run, 1);
    weft_block_text(run, step.bytes, step.length);
    weft_block_word(run, 0);
    weft_block_close(run);
    return WEFT_VERDICT_FAILED;
}
