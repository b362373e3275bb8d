// SPDX-License-Identifier: MIT
// Knows: words and padded texts, as batches of tool calls are made of them. Owns the bytes until they are taken.
// Must not know what they mean.

const encoder = new TextEncoder();
const LITTLE = 512;
const LARGE = 65536;

export class PlanWriter {
  #u8 = new Uint8Array(LITTLE);
  #view = new DataView(this.#u8.buffer);
  #at = 0;

  /** The writer without what it held; large batches are let go. */
  clear() {
    this.#at = 0;
    if (this.#u8.length > LARGE) {
      this.#u8 = new Uint8Array(LITTLE);
      this.#view = new DataView(this.#u8.buffer);
    }
    return this;
  }

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

  /** Lent until the next clear. */
  bytes() {
    return this.#u8.subarray(0, this.#at);
  }
}
