// SPDX-License-Identifier: MIT
// The text of a list snapshot: an object with the list under its name, as subgraphs often receive
// it. Pure; does not depend on records or where values are stored.
#ifndef WEFT_LOG_LIST_SNAPSHOT_H
#define WEFT_LOG_LIST_SNAPSHOT_H

#include "record.h"

// Appends the text to `to`: the items' JSON, and a table of the items that are a plain message. The
// table's numbers count from the first of them, since earlier items are not part of the list.
void weft_log_list_snapshot_text(weft_buffer *to, weft_log_text name, const weft_log_text *items,
                                 uint32_t count);

#endif
