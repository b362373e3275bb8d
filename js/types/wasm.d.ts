// SPDX-License-Identifier: MIT
import type { InitOptions } from "./index.js";

/**
 * Creates the engine before it is needed, without blocking the thread: in browsers from the file
 * `engine.wasm`, whose compiled code they cache; elsewhere, and if that file is unavailable, from
 * the package's own bytes.
 * @param options `memoryLimit` of the engine
 * @throws ENGINE_NOT_READY if the engine cannot be loaded or compiled
 */
export function loadEngine(options?: InitOptions): Promise<void>;
