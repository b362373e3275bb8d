// SPDX-License-Identifier: MIT
// For pages that load the engine as a file of its own (weftgraph/wasm), so that their JavaScript
// does not contain it too. Loaded through the package's import "#load" under the condition
// "weft-asset", which an app sets in its bundler.

export { INSTANCES, MEMORY_LIMIT, fillRandom } from "./page-limits.js";

/** @returns {never} */
export function loadEngine() {
  throw new Error(
    'under the condition "weft-asset" it comes with `await loadEngine()` of weftgraph/wasm',
  );
}
