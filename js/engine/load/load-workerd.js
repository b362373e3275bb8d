// SPDX-License-Identifier: MIT
// Loads the engine's module where .wasm files are imported as compiled modules (Cloudflare
// Workers). Loaded through the package's import "#load".
// @ts-ignore: only the runtime can resolve this import
import module from "../generated/engine.wasm";

export { INSTANCES, MEMORY_LIMIT, fillRandom } from "./edge-limits.js";

/** @returns {WebAssembly.Module} */
export function loadEngine() {
  return module;
}
