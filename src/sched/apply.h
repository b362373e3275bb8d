// SPDX-License-Identifier: MIT
// Applies writes to the state: the end of a superstep (docs/semantics.md 8). Pure; the host folds
// with its own reducers.
#ifndef WEFT_SCHED_APPLY_H
#define WEFT_SCHED_APPLY_H

#include "base/arena.h"
#include "task.h"

// The writes to one channel in this step, in task order.
typedef struct weft_group {
    uint32_t channel;
    uint32_t count;
    weft_write *first, *last;
    weft_word folded; // BINOP: the result, with a reference; ABSENT until known
    uint8_t known;
    uint8_t asks;    // HOST: WEFT_REDUCE_*
    uint8_t reduced; // HOST: WEFT_REDUCED_* flags of the answer
} weft_group;

typedef struct weft_apply {
    weft_task **order; // sorted by path
    uint32_t task_count;
    weft_group *groups; // ordered by first write
    uint32_t group_count;
    uint8_t output;   // some output channel was written
    uint8_t real;     // some task ran, so channels without writes see the step pass
    uint8_t finishes; // after the commit: the host must say which HOST channels the tentative end
                      // makes available
    uint32_t version; // of this step's changes
    uint8_t began;    // the state was changed: a failure from here on leaves it unusable
    uint32_t failed_channel;
    weft_write *failed_write;
} weft_apply;

// Sorts the tasks and groups their writes; allocates in `arena`. WEFT_ERR_NO_MEMORY.
weft_status weft_apply_group(weft_apply *apply, weft_state *state, weft_arena *arena,
                             weft_task *tasks, uint32_t count);

// Gives the base value and the values to fold of a BINOP group: `*base` and `*words`, in `arena`;
// nothing to fold when `*count` is 0. WEFT_ERR_OVERWRITE_TWICE, WEFT_ERR_NO_MEMORY.
weft_status weft_apply_fold(weft_apply *apply, const weft_state *state, weft_arena *arena,
                            uint32_t group, weft_word *base, weft_word **words, uint32_t *count);

// Commits: seen, consume, updates, versions, the empty step, finish. Every BINOP group must be
// folded, every HOST group that `asks` must be answered. Returns the codes of weft_channel_update
// with failed_channel and failed_write; once the apply `began`, a failure makes the state unusable.
// Two writers of a channel that takes one are found before that.
weft_status weft_apply_commit(weft_apply *apply, weft_state *state);

// Takes the HOST channels' answers after a commit that set `finishes`.
void weft_apply_finish(weft_apply *apply, weft_state *state);

// Drops the folds' references and the groups. Call once, in any case, before the arena is reset.
void weft_apply_fini(weft_apply *apply, weft_state *state);

#endif
