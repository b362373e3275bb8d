// SPDX-License-Identifier: MIT
// Implements sort.h: heap sort.
#include "sort.h"

void weft_sort(uint32_t *numbers, uint32_t count, weft_sort_before *before, const void *context) {
    // First builds the heap: each number with children sinks, last one first. Then moves the top to
    // the end of the heap, one by one.
    for (uint32_t top = count / 2, left = count; left > 1;) {
        uint32_t sinks;
        uint32_t at = 0;
        if (top > 0) {
            at = --top;
            sinks = numbers[at];
        } else {
            sinks = numbers[--left];
            numbers[left] = numbers[0];
        }
        for (uint32_t child; (child = at * 2 + 1) < left; at = child) {
            child += child + 1 < left && before(context, numbers[child], numbers[child + 1]);
            if (!before(context, sinks, numbers[child])) {
                break;
            }
            numbers[at] = numbers[child];
        }
        numbers[at] = sinks;
    }
}
