// SPDX-License-Identifier: MIT
// Differences: describes a new text as few splices of an old one. Pure; does not depend on what the
// bytes mean.
#ifndef WEFT_LOG_DIFF_H
#define WEFT_LOG_DIFF_H

#include "record.h"

// Finds up to WEFT_LOG_SPLICES splices that turn `old` into `text`, listed from the last to the
// first; returns their number, 0 when they save too little. Inserts are borrowed from `text`. The
// search begins at *place in `old`, which is set to the last edit's place.
uint32_t weft_log_diff(weft_log_text old, weft_log_text text, uint32_t *place,
                       weft_log_splice splices[WEFT_LOG_SPLICES]);

// Finds the first part of `text` that `old` also has: its start in `old`, and its range in `text`
// as *from to *to. Returns 0 when there is none.
int weft_log_alike(weft_log_text old, weft_log_text text, uint32_t *place, uint32_t *from,
                   uint32_t *to);

#endif
