// SPDX-License-Identifier: MIT
// Drives a run from phase to phase.
#ifndef WEFT_RUN_MACHINE_DRIVE_H
#define WEFT_RUN_MACHINE_DRIVE_H

#include "run/state/run.h"

// The phase of the run came to this verdict: enters those that follow, until one waits for the host
// or the run is over. Errors (below 0) come back as they are.
weft_status weft_drive(weft_run *run, weft_verdict verdict);

#endif
