// SPDX-License-Identifier: MIT
// Loads the engine's module at Vercel's edge and in the edge runtime of Next.js: their bundlers
// take a plain import of a .wasm file for one of its exports; with this suffix they return the
// compiled module. Loaded through the package's import "#load".
// @ts-ignore: the suffix is for the bundlers
import module from "../generated/engine.wasm?module";

export { INSTANCES, MEMORY_LIMIT, fillRandom } from "./edge-limits.js";

/** @returns {WebAssembly.Module} */
export function loadEngine() {
  return module;
}
