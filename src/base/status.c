// SPDX-License-Identifier: MIT
// Implements status.h: names of status codes.
#include "status.h"

const char *weft_status_code(weft_status status) {
    switch (status) {
#define X(name, number, code, class_name, text, lc_code)                                           \
    case WEFT_##name:                                                                              \
        return code;
#include "error_messages.def"
#undef X
    }
    return "UNKNOWN";
}
