// SPDX-License-Identifier: MIT
// Plans tasks from the state: what runs in the next superstep (docs/semantics.md 9). Pure.
#ifndef WEFT_SCHED_PLAN_H
#define WEFT_SCHED_PLAN_H

#include "base/arena.h"
#include "task.h"

// Appends the tasks of the next step to `tasks` (empty): first one per pending Send, then the
// triggered nodes by name. When nothing was applied yet, all nodes are checked in order of
// definition. WEFT_ERR_NO_MEMORY.
weft_status weft_plan(const weft_state *state, weft_arena *scratch, weft_tasks *tasks);

// Returns whether a breakpoint fires: some channel is newer than what breakpoints have seen. The
// caller checks the tasks' nodes.
int weft_plan_may_stop(const weft_state *state);

#endif
