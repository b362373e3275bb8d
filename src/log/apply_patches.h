// SPDX-License-Identifier: MIT
// Applies patches: builds the text of a value that the log stores as patches of an earlier one.
// Does not depend on records or what texts mean.
#ifndef WEFT_LOG_APPLY_PATCHES_H
#define WEFT_LOG_APPLY_PATCHES_H

#include "index.h"

// Budget of work for one state, and the extra budget for each value in the log. The unit is one
// piece of a text. A chain of WEFT_LOG_DEPTH edits, wherever they are, takes 2^21, and has as many
// values.
#define WEFT_LOG_PATCH_WORK (1u << 22)
#define WEFT_LOG_PATCH_WORK_PER_VALUE (1u << 12)

// Returns the head of a PATCH as read.
weft_log_patch weft_log_patch_head(const weft_log_value *patch);

// Finds the text that a splice inserts from another value. WEFT_ERR_LOG_CORRUPT when that value has
// no such bytes or is not stored whole: then it inserts nothing.
weft_status weft_log_follow_cross_ref(const weft_log_index *index, weft_log_splice *splice);

// Writes the text of a PATCH of this index to `text`. The cost is linear in the patches, wherever
// their edits are, and in the text; it is added to `*work`. Sets *of_snapshot if the text is built
// from a list snapshot's text. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT when the work exceeds a
// state's budget.
weft_status weft_log_apply_patches(const weft_log_index *index, const weft_log_value *patch,
                                   uint64_t *work, uint8_t *text, uint32_t *of_snapshot);

#endif
