// SPDX-License-Identifier: MIT
// Sorts numbers; the caller's function says what they mean.
#ifndef WEFT_BASE_SORT_H
#define WEFT_BASE_SORT_H

#include <stdint.h>

// Returns whether `a` belongs before `b`: never true of both (a, b) and (b, a).
typedef int weft_sort_before(const void *context, uint32_t a, uint32_t b);

// Sorts in place by heap sort: no recursion, no bad worst case. Not stable: a caller that needs an
// order among equals compares the numbers too.
void weft_sort(uint32_t *numbers, uint32_t count, weft_sort_before *before, const void *context);

#endif
