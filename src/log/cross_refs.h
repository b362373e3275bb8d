// SPDX-License-Identifier: MIT
// References of a patch to text in other values of the log.
#ifndef WEFT_LOG_CROSS_REFS_H
#define WEFT_LOG_CROSS_REFS_H

#include "diff.h"

// Cuts the splices of a patch in record `seq`, so that inserts found in one of the sources become
// references. `sources` is borrowed and ends with an empty one, or is NULL. Returns the new number
// of splices, up to WEFT_LOG_SPLICES.
uint32_t weft_log_cross_refs(const weft_log_value *sources, uint64_t seq,
                             weft_log_splice splices[WEFT_LOG_SPLICES], uint32_t count);

#endif
