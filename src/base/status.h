// SPDX-License-Identifier: MIT
// Status codes: what every function that can fail returns. The table is error_messages.def; numbers
// are never typed elsewhere. Knows nothing of the folders above; owns nothing.
#ifndef WEFT_BASE_STATUS_H
#define WEFT_BASE_STATUS_H

typedef enum weft_status {
#define X(name, number, code, class_name, text, lc_code) WEFT_##name = (number),
#include "error_messages.def"
#undef X
} weft_status;

// True for codes after which the instance must be thrown away or cannot be had at all (-900 and
// below).
static inline int weft_is_fatal(weft_status status) {
    return status <= WEFT_ERR_NO_MEMORY;
}

// The code's name ("FENCED"), static storage; "UNKNOWN" for a number that is not in the table.
const char *weft_status_code(weft_status status);

// Leaves the function with the status of `expression` when that is not WEFT_OK.
#define WEFT_TRY(expression)                                                                       \
    do {                                                                                           \
        weft_status weft_try_status_ = (expression);                                               \
        if (weft_try_status_ != WEFT_OK) {                                                         \
            return weft_try_status_;                                                               \
        }                                                                                          \
    } while (0)

#endif
