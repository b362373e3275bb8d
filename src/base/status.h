// SPDX-License-Identifier: MIT
// Status codes, the result of every function that can fail. The table is error_messages.def; the
// numbers are typed nowhere else.
#ifndef WEFT_BASE_STATUS_H
#define WEFT_BASE_STATUS_H

typedef enum weft_status {
#define X(name, number, code, class_name, text, lc_code) WEFT_##name = (number),
#include "error_messages.def"
#undef X
} weft_status;

// Returns true for codes after which the instance must be discarded or does not exist (-900 and
// below).
static inline int weft_is_fatal(weft_status status) {
    return status <= WEFT_ERR_NO_MEMORY;
}

// Returns the code's name ("FENCED"), static storage; "UNKNOWN" for a number that is not in the
// table.
const char *weft_status_code(weft_status status);

// Returns the status of `expression` from the calling function when it is not WEFT_OK.
#define WEFT_TRY(expression)                                                                       \
    do {                                                                                           \
        weft_status weft_try_status_ = (expression);                                               \
        if (weft_try_status_ != WEFT_OK) {                                                         \
            return weft_try_status_;                                                               \
        }                                                                                          \
    } while (0)

#endif
