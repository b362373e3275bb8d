// SPDX-License-Identifier: MIT
// Draws random words from a pool: a call of the host's source costs more than a run's step, and the
// first use of Web Crypto in Node more than a first run. Never draws at import, which some hosts
// refuse.
import { fillRandom } from "./load/load.js";

const POOL = 512;
/** @type {Uint32Array<ArrayBuffer> | undefined} */
let pool;
let used = POOL;

/**
 * Returns unique random words.
 * @param {number} count at most POOL
 */
export function drawWords(count) {
  pool ??= new Uint32Array(POOL);
  if (used + count > POOL) {
    fillRandom(pool);
    used = 0;
  }
  const words = pool.slice(used, used + count);
  pool.fill(0, used, used + count);
  used += count;
  return words;
}
