// SPDX-License-Identifier: MIT
// References of a patch into other values of the log.
#ifndef WEFT_LOG_CROSS_REFS_H
#define WEFT_LOG_CROSS_REFS_H

#include "diff.h"

// Cuts the splices of a patch in record `seq`, so that those whose text stands in one of the
// sources (lent; an empty one ends them; or NULL) refer to it. Returns how many splices there are
// then, up to WEFT_LOG_SPLICES.
uint32_t weft_log_cross_refs(const weft_log_value *sources, uint64_t seq,
                             weft_log_splice splices[WEFT_LOG_SPLICES], uint32_t count);

#endif
