// SPDX-License-Identifier: MIT
// Random bits of one run: the seed that the engine gets, and ids (UUID version 4) for messages without one.
// Draws entropy when a run starts, never at import. Owns its generator's state.
import { randomUuidOf } from "../engine/hex.js";

/** Entropy for many runs at a time: one call of the source costs more than a run's step. */
const POOL = 512;
const SEED = 8;
/** @type {Uint32Array | undefined} */
let pool;
let used = POOL;

/** Where an id is put together. */
const WORDS = new Uint32Array(4);
const BYTES = new Uint8Array(WORDS.buffer);

/** Eight words that nobody else gets, as plain numbers; four of them are the state of a generator. */
function draw() {
  pool ??= new Uint32Array(POOL);
  if (used === POOL) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const seed = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < SEED; i++, used++) {
    seed[i] = pool[used];
    pool[used] = 0;
  }
  return seed;
}

export class RunIds {
  constructor() {
    this.seed = draw();
    /** @type {number[] | undefined} */
    this.state = undefined;
  }

  /** The next 32 bits of xoshiro128**. */
  #bits() {
    const s = (this.state ??= draw());
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
    for (let i = 0; i < 4; i++) WORDS[i] = this.#bits();
    return randomUuidOf(BYTES);
  }
}
