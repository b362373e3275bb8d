// SPDX-License-Identifier: MIT
// Loads the engine from a separate file, which browsers compile while it downloads and cache
// compiled.
import { init } from "./engine/instance.js";

/**
 * Fetches engine.wasm, which is beside this file and copied by bundlers. If that fails (the server
 * lacks the file), compiles the bytes in JavaScript, if the page contains them.
 * @param {{ memoryLimit?: number }} [options]
 * @returns {Promise<void>}
 */
export async function loadEngine(options) {
  try {
    await init(new URL("./engine/generated/engine.wasm", import.meta.url), options);
  } catch (error) {
    await init(undefined, options).catch(() => {
      throw error;
    });
  }
}
