// SPDX-License-Identifier: MIT
// Makes the ids of threads and runs, which sort by time, and of a graph's own assistant.
import { uuidOf } from "../../base/uuid.js";
import { uuid5 } from "../../savers/core/constants.js";

const ASSISTANTS = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** Ids of one millisecond, which are counted so that they sort in the order of their making. */
const MOST_OF_MS = 4096;
let lastMs = 0;
let count = 0;

/** Random bytes for some ids: asking for them costs more than an id. */
const pool = new Uint8Array(16 * 64);
let used = pool.length;

/** @returns {Uint8Array} 16 random bytes */
function randomBytes() {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

/** @returns {string} a UUID of version 7 */
export function newId() {
  const bytes = randomBytes();
  const now = Date.now();
  if (now > lastMs) [lastMs, count] = [now, 0];
  else if (++count === MOST_OF_MS) [lastMs, count] = [lastMs + 1, 0];
  let ms = lastMs;
  for (let at = 5; at >= 0; at--) {
    bytes[at] = ms % 256;
    ms = Math.floor(ms / 256);
  }
  bytes[6] = (count >> 8) | 0x70;
  bytes[7] = count & 0xff;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return uuidOf(bytes);
}

/** @param {string} graphId @returns {string} the id of the assistant that the graph is */
export function assistantIdOf(graphId) {
  return uuid5(graphId, ASSISTANTS);
}
