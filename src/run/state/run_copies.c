// SPDX-License-Identifier: MIT
// Implements run.h: copies into memory that lasts as long as the run.
#include <string.h>

#include "run/state/identity.h"
#include "run/state/run.h"

weft_status weft_lasting_text(weft_run *run, weft_log_text from, weft_log_text *to) {
    uint8_t *copy = weft_arena_alloc(&run->lasting, from.length);
    if (copy == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    if (from.length > 0) {
        memcpy(copy, from.bytes, from.length);
    }
    *to = (weft_log_text){copy, from.length};
    return WEFT_OK;
}

weft_status weft_lasting_ancestors(weft_run *run, const weft_ancestor *from, uint32_t count,
                                   weft_ancestor *to) {
    for (uint32_t i = 0; i < count; i++) {
        WEFT_TRY(weft_lasting_text(run, from[i].ns, &to[i].ns));
        memcpy(to[i].id, from[i].id, 16);
    }
    return WEFT_OK;
}
