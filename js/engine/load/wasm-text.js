// SPDX-License-Identifier: MIT
// Decodes bytes from plain ASCII text, the form of WebAssembly modules inside JavaScript (written
// by tools/bytes.mjs): after gzip as small as the bytes, while base64 is a quarter larger. The most
// frequent bytes are one character each, the others two. The text begins with all 256 bytes as hex,
// most frequent first.

/** Excludes characters that a string or a script in a page would have to escape. */
export const ALPHABET = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .filter((letter) => !'"\\`$<'.includes(letter))
  .join("");
/** Number of bytes with one character. The alphabet's last two characters begin a pair. */
export const SINGLE = ALPHABET.length - 2;
export const ORDER = 512;

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function decodeBytes(text) {
  const places = new Uint8Array(128);
  for (let place = 0; place < ALPHABET.length; place++) places[ALPHABET.charCodeAt(place)] = place;
  const order = Uint8Array.from({ length: 256 }, (_, rank) =>
    parseInt(text.slice(2 * rank, 2 * rank + 2), 16),
  );
  // Each byte overwrites characters that have been read.
  const bytes = new TextEncoder().encode(text);
  const { length } = ALPHABET;
  let size = 0;
  for (let at = ORDER; at < bytes.length; at++) {
    let rank = places[bytes[at]];
    if (rank >= SINGLE) rank = SINGLE + (rank - SINGLE) * length + places[bytes[++at]];
    bytes[size++] = order[rank];
  }
  return bytes.slice(0, size);
}
