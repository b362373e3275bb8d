// SPDX-License-Identifier: MIT
// Numbers put in order. Owns nothing; what the numbers mean is the caller's.
#ifndef WEFT_BASE_SORT_H
#define WEFT_BASE_SORT_H

#include <stdint.h>

// Whether `a` belongs before `b`: never true of both (a, b) and (b, a).
typedef int weft_sort_before(const void *context, uint32_t a, uint32_t b);

// Heap sort: no recursion, no worst case, in place. Not stable: who cares about equals compares the
// numbers too.
void weft_sort(uint32_t *numbers, uint32_t count, weft_sort_before *before, const void *context);

#endif
