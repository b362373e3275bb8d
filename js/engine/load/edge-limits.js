// SPDX-License-Identifier: MIT
// Limits of Workers and edge runtimes, for all ways to load the engine's module.

/** Maximum bytes the engine may allocate: an isolate has 128 MiB for everything. */
export const MEMORY_LIMIT = 64 * 1024 * 1024;
/** Maximum number of active engines: an isolate has 128 MB for everything. */
export const INSTANCES = 1;

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
