// SPDX-License-Identifier: MIT
// Reads the engine's answer to a node's query (weft_ask in wasm/README.md). It lies in the engine's
// memory: read it before the next call of the engine.
import { decodeText } from "./block.js";

export class Answer {
  #u32;
  #u8;
  #at;

  /**
   * @param {Uint32Array} u32
   * @param {Uint8Array} u8 the same memory
   * @param {number} at index of its first word
   */
  constructor(u32, u8, at) {
    this.#u32 = u32;
    this.#u8 = u8;
    this.#at = at;
  }

  get status() {
    return this.#u32[this.#at] | 0;
  }

  /** One of ANSWER_*. */
  get kind() {
    return this.#u32[this.#at + 1];
  }

  /** A value handle, or a step's number. */
  get word() {
    return this.#u32[this.#at + 2];
  }

  /** An address (0: none), or the number of remaining steps. */
  get second() {
    return this.#u32[this.#at + 3];
  }

  /** The text at the address. @returns {string | undefined} undefined if it is not UTF-8 */
  get text() {
    const from = this.second;
    return decodeText(this.#u8.subarray(from, from + this.#u32[this.#at + 5]));
  }

  /** The 16 bytes of an id. */
  get id() {
    const start = (this.#at + 6) * 4;
    return this.#u8.subarray(start, start + 16);
  }
}
