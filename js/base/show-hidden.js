// SPDX-License-Identifier: MIT
// Makes characters visible that do not show or that change the order of others, in texts that
// somebody may have made to mislead: descriptions of tools, titles of schemas.

/**
 * Controls, formats (bidi, zero-width, tags), private and unassigned ones, separators, and letters
 * without a picture.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]|\u034f/gu;

/** Writes hidden characters as their numbers. @param {string} text */
export function showHidden(text) {
  return text.replace(HIDDEN, (one) =>
    one === "\n" || one === "\t"
      ? one
      : `\u27e8U+${/** @type {number} */ (one.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0")}\u27e9`,
  );
}
