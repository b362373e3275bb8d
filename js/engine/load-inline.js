// SPDX-License-Identifier: MIT
// How the engine's bytes are had where nothing but JavaScript is sure to load and every byte is fetched: from a string.
// Loaded through the package's import "#load".
import { decodeBytes } from "./wasm-text.js";
import text from "./engine-text.js";

/** Bytes that the engine may allocate here, unless init() says otherwise. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;
/** How many engines may be at work at a time. */
export const INSTANCES = 4;

/** @returns {Uint8Array<ArrayBuffer>} */
export function loadEngine() {
  return decodeBytes(text);
}

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
