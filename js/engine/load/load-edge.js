// SPDX-License-Identifier: MIT
// How the engine's module is had at Vercel's edge and in the edge runtime of Next.js: their
// bundlers take a plain import of a .wasm file for one of its exports; asked so, they give the
// compiled module. Loaded through the package's import "#load".
// @ts-ignore: the question is the bundlers' own
import module from "../generated/engine.wasm?module";

export { INSTANCES, MEMORY_LIMIT, fillRandom } from "./edge-limits.js";

/** @returns {WebAssembly.Module} */
export function loadEngine() {
  return module;
}
