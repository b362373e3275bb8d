// SPDX-License-Identifier: MIT
// How the engine's module is had in Node and what is like it, where no byte is fetched: what is quickest to read.
// Knows the string; owns nothing. Loaded through the package's import "#load".
import { Buffer } from "node:buffer";
import text from "./base64.js";

/** Bytes that the engine may allocate here, unless init() says otherwise. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;

/** @returns {WebAssembly.Module} */
export function loadModule() {
  return new WebAssembly.Module(Buffer.from(text, "base64"));
}
