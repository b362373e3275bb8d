// SPDX-License-Identifier: MIT
// How the engine's module is had where .wasm files are imported as compiled modules (Workers, edge runtimes).
// Loaded through the package's import "#load".
// @ts-ignore: the import attribute-less module import is the runtime's own
import module from "./engine.wasm";

/** Bytes that the engine may allocate here: an isolate has 128 MiB for everything. */
export const MEMORY_LIMIT = 64 * 1024 * 1024;

/** The module lacks nothing. @type {((letters: string) => WebAssembly.Module) | undefined} */
export const loadRest = undefined;

/** @returns {WebAssembly.Module} */
export function loadModule() {
  return module;
}

/** @param {Uint32Array<ArrayBuffer>} words */
export function fillRandom(words) {
  crypto.getRandomValues(words);
}
