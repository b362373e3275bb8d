// SPDX-License-Identifier: MIT
// The engine as a file of its own, which browsers compile while it arrives, and whose code they
// keep for the next visit.
import { init } from "./engine/instance.js";

/**
 * Fetches engine.wasm, which lies beside this file and which bundlers copy; where that is not to be
 * had (a server that has not got the file), the engine is made of the bytes in JavaScript, if the
 * page carries them.
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
