// SPDX-License-Identifier: MIT
// Writes one batch of events. Owns a growing buffer on the JavaScript side, which engine.js copies
// into the engine's memory at once. Between start() and the feed no user code may run: all runs of
// an engine share one writer. Does not depend on what events mean.

/** Words before the first record: {words, tick low, tick high, 0}. */
export const HEAD = 4;

const encoder = new TextEncoder();
const doubles = new Float64Array(1);
const halves = new Uint32Array(doubles.buffer);

export class Batch {
  constructor() {
    this.u32 = new Uint32Array(1024);
    this.u8 = new Uint8Array(this.u32.buffer);
    /** Index of the next free word. */
    this.at = HEAD;
    this.open = 0;
  }

  start() {
    this.at = HEAD;
  }

  /** @param {number} words */
  reserve(words) {
    if (this.at + words <= this.u32.length) return;
    const bigger = new Uint32Array(Math.max(this.u32.length * 2, this.at + words));
    bigger.set(this.u32.subarray(0, this.at));
    this.u32 = bigger;
    this.u8 = new Uint8Array(bigger.buffer);
  }

  /**
   * Opens a record, which end() closes.
   * @param {number} op
   * @param {number} flags
   */
  begin(op, flags) {
    this.reserve(2);
    this.open = this.at;
    this.u32[this.at] = op | (flags << 16);
    this.at += 2;
  }

  end() {
    this.u32[this.open + 1] = this.at - this.open - 2;
  }

  /** @param {number} word */
  word(word) {
    if (this.at === this.u32.length) this.reserve(1);
    this.u32[this.at++] = word;
  }

  /** @param {number} number as f64 */
  double(number) {
    doubles[0] = number;
    this.word(halves[0]);
    this.word(halves[1]);
  }

  /**
   * Writes UTF-8 bytes after their count, padded to whole words.
   * @param {string} text
   */
  string(text) {
    this.reserve(2 + Math.ceil((text.length * 3) / 4));
    const start = (this.at + 1) * 4;
    this.u32[this.at + 1 + (text.length >> 2)] = 0;
    let bytes = text.length <= 64 ? this.#ascii(text, start) : -1;
    if (bytes < 0) {
      bytes = encoder.encodeInto(text, this.u8.subarray(start)).written;
      for (let i = start + bytes; (i & 3) !== 0; i++) this.u8[i] = 0;
    }
    this.u32[this.at] = bytes;
    this.at += 1 + ((bytes + 3) >>> 2);
  }

  /**
   * Copies a short ASCII text: faster than a call of the encoder.
   * @param {string} text
   * @param {number} start
   * @returns {number} bytes, -1 if the text is not ASCII
   */
  #ascii(text, start) {
    const { u8 } = this;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return -1;
      u8[start + i] = code;
    }
    return text.length;
  }

  /**
   * Writes the 16 bytes of an id in hex, with or without dashes; refuses anything else.
   * @param {string} hex
   * @returns {boolean} false (and nothing written) if it is not an id
   */
  id(hex) {
    this.reserve(4);
    let nibbles = 0;
    const start = this.at * 4;
    for (let i = 0; i < hex.length; i++) {
      const code = hex.charCodeAt(i) | 32;
      if (code === 45) continue;
      const nibble =
        code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1;
      if (nibble < 0 || nibbles === 32) return false;
      if ((nibbles & 1) === 0) this.u8[start + (nibbles >> 1)] = nibble << 4;
      else this.u8[start + (nibbles >> 1)] |= nibble;
      nibbles++;
    }
    if (nibbles !== 32) return false;
    this.at += 4;
    return true;
  }

  /** Writes bytes, padded to whole words. @param {Uint8Array} bytes */
  bytes(bytes) {
    const words = (bytes.length + 3) >>> 2;
    this.reserve(words);
    if (words > 0) this.u32[this.at + words - 1] = 0;
    this.u8.set(bytes, this.at * 4);
    this.at += words;
  }

  /** Bytes written after the head; borrowed until the next write. */
  written() {
    return this.u8.subarray(HEAD * 4, this.at * 4);
  }
}
