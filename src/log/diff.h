// SPDX-License-Identifier: MIT
// Differences: how a text became another one, as few splices. Pure, owns nothing; must not know
// what the bytes mean.
#ifndef WEFT_LOG_DIFF_H
#define WEFT_LOG_DIFF_H

#include "record.h"

// `old` and `text` differ by at most WEFT_LOG_SPLICES splices, listed from the last to the first; 0
// when they say hardly less than the text itself. What is inserted is lent from `text`. It is
// searched for from *place on first, a place in `old`, where then stands how far it was found.
uint32_t weft_log_diff(weft_log_text old, weft_log_text text, uint32_t *place,
                       weft_log_splice splices[WEFT_LOG_SPLICES]);

// The first stretch of `text` that `old` has too: where it begins in `old`, and in `text` as *from
// to *to. 0: there is none.
int weft_log_alike(weft_log_text old, weft_log_text text, uint32_t *place, uint32_t *from,
                   uint32_t *to);

#endif
