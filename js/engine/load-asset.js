// SPDX-License-Identifier: MIT
// For pages that load the engine as a file of its own (weftgraph/wasm) and shall not carry it in their JavaScript as well.
// Loaded through the package's import "#load" under the condition "weft-asset", which an app gives its bundler.

/** Bytes that the engine may allocate here, unless init() says otherwise. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;
/** How many engines may be at work at a time. */
export const INSTANCES = 4;

/** @returns {never} */
export function loadEngine() {
  throw new Error("under the condition \"weft-asset\" it comes with `await loadEngine()` of weftgraph/wasm");
}

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
