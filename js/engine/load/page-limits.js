// SPDX-License-Identifier: MIT
// What pages have in common, whichever way they get the engine's bytes.

/** Bytes that the engine may allocate here, unless init() says otherwise. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;
/** How many engines may be at work at a time. */
export const INSTANCES = 4;

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
