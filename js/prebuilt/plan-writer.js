// SPDX-License-Identifier: MIT
// Knows: words and padded texts, as batches of tool calls are made of them. Owns the bytes until they are taken.
// Must not know what they mean.

const encoder = new TextEncoder();
const LITTLE = 256;

export class PlanWriter {
  #u8 = new Uint8Array(LITTLE);
  #view = new DataView(this.#u8.buffer);
  #at = 0;

  /** @param {number} more */
  #reserve(more) {
    if (this.#at + more <= this.#u8.length) return;
    const grown = new Uint8Array(Math.max(this.#u8.length * 2, this.#at + more));
    grown.set(this.#u8.subarray(0, this.#at));
    this.#u8 = grown;
    this.#view = new DataView(grown.buffer);
  }

  /** @param {number} value */
  word(value) {
    this.#reserve(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** @param {string} text */
  text(text) {
    // One UTF-16 unit is at most three bytes.
    this.#reserve(8 + 3 * text.length);
    const { written } = encoder.encodeInto(text, this.#u8.subarray(this.#at + 4));
    this.#view.setUint32(this.#at, written, true);
    const end = this.#at + 4 + written;
    this.#at = (end + 3) & ~3;
    this.#u8.fill(0, end, this.#at);
  }

  bytes() {
    return this.#u8.subarray(0, this.#at);
  }
}
