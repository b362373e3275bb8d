// SPDX-License-Identifier: MIT
// Concatenates bytes.

/**
 * @param {readonly Uint8Array[]} parts
 * @returns {Uint8Array<ArrayBuffer>} a copy
 */
export function concat(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
