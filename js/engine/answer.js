// SPDX-License-Identifier: MIT
// Reads the engine's answer to a question of a node (wasm/README.md, "Questions"). Lies in the
// engine's memory: read it before the engine is called again.
import { decodeText } from "./block.js";

export class Answer {
  #u32;
  #u8;
  #at;

  /**
   * @param {Uint32Array} u32
   * @param {Uint8Array} u8 the same memory
   * @param {number} at its first word
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

  /** A value's number, or a step's. */
  get word() {
    return this.#u32[this.#at + 2];
  }

  /** An address (0: none), or how many steps are left. */
  get second() {
    return this.#u32[this.#at + 3];
  }

  /** The text at the address. @returns {string | undefined} undefined where it is no UTF-8 */
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
