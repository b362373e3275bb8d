// SPDX-License-Identifier: MIT
#include "status.h"

const char *weft_status_code(weft_status status) {
    switch (status) {
#define X(name, number, code, class_name, text, lc_code)                                           \
    case WEFT_##name:                                                                              \
        return code;
#include "status.def"
#undef X
    }
    return "UNKNOWN";
}
