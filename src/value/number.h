// SPDX-License-Identifier: MIT
// Converts numbers between text and double, exactly in both directions, without the C library:
// prints as JSON.stringify does, reads as JSON.parse does. Pure functions.
#ifndef WEFT_VALUE_NUMBER_H
#define WEFT_VALUE_NUMBER_H

#include <stdint.h>

#include "base/buffer.h"

// Length of the longest text: a sign, 17 digits, a point, "e-324".
#define WEFT_NUMBER_TEXT 25

// Writes the shortest text that reads back as `value` (finite), as JavaScript's Number::toString
// does; -0 becomes "0". No terminator. Returns its length.
uint32_t weft_number_write(double value, char text[WEFT_NUMBER_TEXT]);

// Returns the double nearest to the number in `text`, which must have JSON's number grammar (the
// strict reader has checked it). Ties go to even; too large a number becomes an infinity. The sign
// of -0 is kept.
double weft_number_read(const uint8_t *text, uint32_t length);

#endif
