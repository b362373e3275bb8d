// SPDX-License-Identifier: MIT
// Chooses the checkpoints that stay. Pure.
#ifndef WEFT_LOG_RETENTION_H
#define WEFT_LOG_RETENTION_H

#include "index.h"

// Which checkpoints stay besides the newest of each namespace, interrupted ones (writes and no
// child), and subgraphs' checkpoints below one that stays.
typedef struct weft_log_retention {
    uint32_t last;         // number of newest ones of the root namespace
    uint64_t since;        // min time of a checkpoint's id (100-ns ticks of a UUIDv6)
    const uint8_t *pinned; // `pinned_count` ids of 16 bytes, in any namespace
    uint32_t pinned_count;
} weft_log_retention;

// Sets stays[entry] (zeroed by the caller, one byte for each entry). NULL keeps everything.
// WEFT_ERR_LOG_CORRUPT.
weft_status weft_log_retention_choose(const weft_log_index *index,
                                      const weft_log_retention *retention, uint8_t *stays);

#endif
