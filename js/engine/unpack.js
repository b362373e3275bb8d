// SPDX-License-Identifier: MIT
// Reads the text in which a WebAssembly module travels inside JavaScript (tools/bytes.mjs writes it). Knows its letters
// and owns nothing. The text opens with 64 hex digits, one bit per byte value, lowest first: set for the 89 values
// that are written as one letter. Each other value takes two letters, the first of them one of the last two. Within
// either kind the values and the letters ascend.

const HEAD = 64;
const SINGLES = 89;
const FIRST_OF_TWO = 125;

/** The code of each letter: printable ASCII without `"`, `$`, `\` and the backtick. @returns {number[]} */
export function listLetters() {
  return Array.from({ length: 95 }, (_, index) => 32 + index).filter((code) => ![34, 36, 92, 96].includes(code));
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function unpack(text) {
  // The bytes take the place of the letters: no byte comes before its last letter.
  const bytes = new TextEncoder().encode(text);
  const ranks = new Uint8Array(128);
  listLetters().forEach((code, rank) => (ranks[code] = rank));
  const values = new Uint8Array(3 * SINGLES);
  for (let value = 0, one = 0, two = SINGLES; value < 256; value++) {
    const isSingle = (parseInt(text[value >> 2], 16) >> (value & 3)) & 1;
    values[isSingle ? one++ : two++] = value;
  }
  const single = ranks.map((rank) => values[rank]);
  let length = 0;
  for (let at = HEAD; at < text.length; at++) {
    const code = bytes[at];
    bytes[length++] = code < FIRST_OF_TWO ? single[code] : values[(code - FIRST_OF_TWO + 1) * SINGLES + ranks[bytes[++at]]];
  }
  return bytes.slice(0, length);
}
