// SPDX-License-Identifier: MIT
// How the engine's module is had where .wasm files are imported as compiled modules (Cloudflare
// Workers). Loaded through the package's import "#load".
// @ts-ignore: the import attribute-less module import is the runtime's own
import module from "../generated/engine.wasm";

export { INSTANCES, MEMORY_LIMIT, fillRandom } from "./edge-limits.js";

/** @returns {WebAssembly.Module} */
export function loadEngine() {
  return module;
}
