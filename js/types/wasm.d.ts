// SPDX-License-Identifier: MIT
import type { InitOptions } from "./index.js";

/**
 * Makes the engine before it is needed, without blocking the thread: in browsers from the file
 * `engine.wasm`, whose compiled code they keep for the next visit; elsewhere, and where that file
 * cannot be had, from what the package brings along.
 */
export function loadEngine(options?: InitOptions): Promise<void>;
