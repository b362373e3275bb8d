// SPDX-License-Identifier: MIT
// How the engine's module is had where nothing but JavaScript is sure to load and every byte is fetched: from packed letters.
// Knows the string; owns nothing. Loaded through the package's import "#load".
import text from "./bytes.js";
import { unpack } from "./unpack.js";

/** Bytes that the engine may allocate here, unless init() says otherwise. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;
/** How many engines may be at work at a time. */
export const INSTANCES = 4;

/** @returns {WebAssembly.Module} */
export function loadModule() {
  return new WebAssembly.Module(unpack(text));
}

/** A part that this module lacks (tools/split.mjs). @param {string} letters of "#rest" or "#log" */
export function loadRest(letters) {
  return new WebAssembly.Module(unpack(letters, text));
}

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
