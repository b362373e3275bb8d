// SPDX-License-Identifier: MIT
// Loads the engine's bytes from a string, where only JavaScript is sure to load and every byte is
// fetched. Loaded through the package's import "#load".
import { decodeBytes } from "./wasm-text.js";
import text from "../generated/engine-text.js";

export { INSTANCES, MEMORY_LIMIT, fillRandom } from "./page-limits.js";

/** @returns {Uint8Array<ArrayBuffer>} */
export function loadEngine() {
  return decodeBytes(text);
}
