// SPDX-License-Identifier: MIT
// How the engine's module is had where nothing but JavaScript is sure to load: from a hex string.
// Knows the hex; owns nothing. Loaded through the package's import "#load".
import hex from "./bytes.js";

/** Bytes that the engine may allocate here, unless init() says otherwise. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;

/** @returns {WebAssembly.Module} */
export function loadModule() {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digit(hex.charCodeAt(2 * i)) << 4) | digit(hex.charCodeAt(2 * i + 1));
  return new WebAssembly.Module(bytes);
}

/** @param {number} code of a lower-case hex digit */
function digit(code) {
  return code < 58 ? code - 48 : code - 87;
}
