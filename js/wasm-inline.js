// SPDX-License-Identifier: MIT
// weftgraph/wasm where nothing is fetched: the engine that the package brings along, compiled
// without blocking.
import { init } from "./engine/instance.js";

/** @param {{ memoryLimit?: number }} [options] @returns {Promise<void>} */
export function loadEngine(options) {
  return init(undefined, options);
}
