// SPDX-License-Identifier: MIT
// Applies patches: finds the text of a value that the log holds as patches of an earlier one. Must
// not know records or what texts mean.
#ifndef WEFT_LOG_APPLY_PATCHES_H
#define WEFT_LOG_APPLY_PATCHES_H

#include "index.h"

// How much of it one state may ask for, and how much more for each value that the log has: steps
// over pieces of texts. A chain of WEFT_LOG_DEPTH edits, wherever they are, takes 2^21, and has as
// many values.
#define WEFT_LOG_PATCH_WORK (1u << 22)
#define WEFT_LOG_PATCH_WORK_PER_VALUE (1u << 12)

// The head of a PATCH as read.
weft_log_patch weft_log_patch_head(const weft_log_value *patch);

// What a splice inserts from another value. WEFT_ERR_LOG_CORRUPT when that has no such bytes, or
// does not stand there whole: then it inserts nothing.
weft_status weft_log_follow_cross_ref(const weft_log_index *index, weft_log_splice *splice);

// Writes the text of a PATCH of this index to `text`. Takes time for the patches, whose edits may
// lie anywhere, and for the text once; `*work` adds up what it took, *of_snapshot says whether it
// is made of a list snapshot's text. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT when it exceeds what
// a state may ask for.
weft_status weft_log_apply_patches(const weft_log_index *index, const weft_log_value *patch,
                                   uint64_t *work, uint8_t *text, uint32_t *of_snapshot);

#endif
