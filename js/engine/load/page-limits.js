// SPDX-License-Identifier: MIT
// Limits of pages, for all ways to load the engine's bytes.

/** Default maximum of bytes the engine may allocate; init() can change it. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;
/** Maximum number of active engines. */
export const INSTANCES = 4;

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
