// SPDX-License-Identifier: MIT
// Asks the host while a step is applied: to fold writes with its reducers, and to update its own
// channel classes.
#ifndef WEFT_RUN_HOST_REDUCE_H
#define WEFT_RUN_HOST_REDUCE_H

#include "run/state/run.h"

// Asks for a group's fold; run->applying.questions counts the pending requests. The codes of
// weft_apply_fold, WEFT_ERR_NO_MEMORY.
weft_status weft_reduce_ask(weft_run *run, uint32_t group);
// Asks the host's own channels; `finish` = WEFT_REDUCE_FINISH once the step is applied, else 0.
// WEFT_ERR_NO_MEMORY.
weft_status weft_reduce_hosts(weft_run *run, uint32_t finish);

#endif
