// SPDX-License-Identifier: MIT
// Makes random bits of one run: the seed for the engine, and ids (UUID version 4) for messages
// without one. Draws entropy when a run starts, never at import. Owns its generator's state.
import { drawWords } from "../engine/entropy.js";
import { randomUuidOf } from "../base/uuid.js";

/** Words of entropy per run; four of them are a generator's state. */
const SEED = 8;

export class RunIds {
  constructor() {
    this.seed = drawWords(SEED);
    /** @type {Uint32Array | undefined} */
    this.state = undefined;
  }

  /** Returns the next 32 bits of xoshiro128**. */
  #bits() {
    const s = (this.state ??= drawWords(SEED));
    const mixed = Math.imul(s[1], 5);
    const result = Math.imul((mixed << 7) | (mixed >>> 25), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** @returns {string} a UUID */
  next() {
    const words = Uint32Array.of(this.#bits(), this.#bits(), this.#bits(), this.#bits());
    return randomUuidOf(new Uint8Array(words.buffer));
  }
}

/**
 * A run's clock; a test's own stands still until the test moves it.
 * @typedef {{ now: () => number, setTimeout: (call: () => void, ms: number) => unknown,
 *   clearTimeout: (timer: unknown) => void }} Clock
 */

/** @type {Clock} */
export const CLOCK = {
  now: () => Date.now(),
  setTimeout: (call, ms) => setTimeout(call, ms),
  clearTimeout: (timer) => clearTimeout(/** @type {number} */ (timer)),
};
