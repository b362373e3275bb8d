// SPDX-License-Identifier: MIT
// How the engine's bytes are had where nothing but JavaScript is sure to load and every byte is
// fetched: from a string. Loaded through the package's import "#load".
import { decodeBytes } from "./wasm-text.js";
import text from "../generated/engine-text.js";

export { INSTANCES, MEMORY_LIMIT, fillRandom } from "./page-limits.js";

/** @returns {Uint8Array<ArrayBuffer>} */
export function loadEngine() {
  return decodeBytes(text);
}
