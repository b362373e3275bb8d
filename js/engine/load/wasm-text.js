// SPDX-License-Identifier: MIT
// Decodes bytes from plain ASCII text, the form of WebAssembly modules inside JavaScript (written
// by tools/bytes.mjs): after gzip as small as the bytes, while base64 is a quarter larger. The most
// frequent bytes are one character each, the others two. The text begins with the most frequent
// bytes as hex; the others follow in their own order.

/** Excludes characters that a string or a script in a page would have to escape. */
export const ALPHABET = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .filter((letter) => !'"\\`$<'.includes(letter))
  .join("");
/** Number of bytes with one character. The alphabet's last two characters begin a pair. */
export const SINGLE = ALPHABET.length - 2;

/** All bytes in the order of their characters. @param {number[]} frequent */
export function orderOf(frequent) {
  return Uint8Array.from(new Set([...frequent, ...Array(256).keys()]));
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function decodeBytes(text) {
  const order = orderOf(
    Array.from({ length: SINGLE }, (_, rank) => parseInt(text.slice(2 * rank, 2 * rank + 2), 16)),
  );
  const rare = order.subarray(SINGLE);
  // By character: its byte, or 256 and where the bytes of its pairs begin. One look for most bytes:
  // the loop runs once, so that much of it is interpreted.
  const firsts = new Uint16Array(128);
  const seconds = new Uint8Array(128);
  for (let place = 0; place < ALPHABET.length; place++) {
    const letter = ALPHABET.charCodeAt(place);
    firsts[letter] = place < SINGLE ? order[place] : 256 + (place - SINGLE) * ALPHABET.length;
    seconds[letter] = place;
  }
  // Each byte overwrites characters that have been read.
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  let size = 0;
  for (let at = 2 * SINGLE; at < length; at++) {
    const first = firsts[bytes[at]];
    bytes[size++] = first < 256 ? first : rare[first - 256 + seconds[bytes[++at]]];
  }
  return bytes.slice(0, size);
}
