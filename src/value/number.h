// SPDX-License-Identifier: MIT
// Numbers between text and double, exact in both directions, without the C library: text as
// JSON.stringify prints it, values as JSON.parse reads them. Pure functions; knows nothing of the
// values' meaning.
#ifndef WEFT_VALUE_NUMBER_H
#define WEFT_VALUE_NUMBER_H

#include <stdint.h>

#include "base/buffer.h"

// The longest text: a sign, 17 digits, a point, "e-324".
#define WEFT_NUMBER_TEXT 25

// Writes the shortest text that reads back as `value` (finite), as JavaScript's Number::toString
// does; -0 becomes "0". No terminator. Returns its length.
uint32_t weft_number_write(double value, char text[WEFT_NUMBER_TEXT]);

// The double nearest to the number in `text`, which must have JSON's number grammar (the guard has
// checked it). Ties go to even; too large a number becomes an infinity. The sign of -0 is kept.
double weft_number_read(const uint8_t *text, uint32_t length);

#endif
