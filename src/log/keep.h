// SPDX-License-Identifier: MIT
// Choosing the checkpoints that stay. Pure; owns nothing.
#ifndef WEFT_LOG_KEEP_H
#define WEFT_LOG_KEEP_H

#include "rewrite.h"

// Sets stays[entry] (zeroed by the caller, one byte for each entry). NULL keeps everything. WEFT_ERR_LOG_CORRUPT.
weft_status weft_log_choose(const weft_log_index *index, const weft_log_keep *keep, uint8_t *stays);

#endif
