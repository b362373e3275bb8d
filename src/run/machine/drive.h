// SPDX-License-Identifier: MIT
// Drives a run from phase to phase.
#ifndef WEFT_RUN_MACHINE_DRIVE_H
#define WEFT_RUN_MACHINE_DRIVE_H

#include "run/state/run.h"

// Enters the phases that follow after this verdict, until one waits for the host or the run is
// over. Errors (below 0) are returned unchanged.
weft_status weft_drive(weft_run *run, weft_verdict verdict);

#endif
