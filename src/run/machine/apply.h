// SPDX-License-Identifier: MIT
// Applies writes to the state.
#ifndef WEFT_RUN_MACHINE_APPLY_H
#define WEFT_RUN_MACHINE_APPLY_H

#include "run/host/batch.h"
#include "run/state/run.h"

// Phases. Apply: a Command's writes beside its input; the step's tasks; writes of an earlier run,
// before an update ends their step; the same for a snapshot; writes of an interrupted step's
// finished tasks and of interrupted ones, which are streamed and not saved. WEFT_VERDICT_BREAKS,
// WEFT_ERR_NO_MEMORY.
weft_verdict weft_apply_command(weft_run *run);
weft_verdict weft_apply_step(weft_run *run);
weft_verdict weft_apply_pending(weft_run *run);
weft_verdict weft_apply_shown(weft_run *run);
weft_verdict weft_apply_siblings(weft_run *run);

// Read the events REDUCED and HEADERS.
weft_verdict weft_apply_reduced(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_verdict weft_apply_headers(weft_run *run, weft_cursor *cursor);

#endif
