// SPDX-License-Identifier: MIT
// What Workers and edge runtimes have in common, whichever way they name the engine's module.

/** Bytes that the engine may allocate here: an isolate has 128 MiB for everything. */
export const MEMORY_LIMIT = 64 * 1024 * 1024;
/** How many engines may be at work at a time: an isolate has 128 MB for all that it does. */
export const INSTANCES = 1;

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
