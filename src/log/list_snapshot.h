// SPDX-License-Identifier: MIT
// The text of a list snapshot: what a graph inside is often given, as an object that has the list
// under its name. Pure; must not know records or where values stand.
#ifndef WEFT_LOG_LIST_SNAPSHOT_H
#define WEFT_LOG_LIST_SNAPSHOT_H

#include "record.h"

// Appends the text to `to`: the items' JSON, and the table of those that are messages and nothing
// else besides, numbered from the first of them: what stands before it is none of the list's.
void weft_log_list_snapshot_text(weft_buffer *to, weft_log_text name, const weft_log_text *items,
                                 uint32_t count);

#endif
