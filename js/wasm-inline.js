// SPDX-License-Identifier: MIT
// Implements weftgraph/wasm where nothing can be fetched: compiles the engine included in the
// package without blocking.
import { init } from "./engine/instance.js";

/** @param {{ memoryLimit?: number }} [options] @returns {Promise<void>} */
export function loadEngine(options) {
  return init(undefined, options);
}
