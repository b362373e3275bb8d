// SPDX-License-Identifier: MIT
// Loads the engine's bytes in Node and similar hosts, where nothing is fetched: from base64, which
// is decoded as fast as a file is read (docs/decisions/016) and is kept when a program is bundled
// into one file. Loaded through the package's import "#load".
import { Buffer } from "node:buffer";
import text from "../generated/engine-base64.js";

/** Default maximum of bytes the engine may allocate; init() can change it. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;
/** Maximum number of active engines. */
export const INSTANCES = 16;

/** @returns {Uint8Array<ArrayBuffer>} */
export function loadEngine() {
  return Buffer.from(text, "base64");
}

/**
 * Fills a list with random words, from the system itself if it can be read: the first use of Web
 * Crypto makes Node load all of it, which takes longer than a graph's first run.
 * @param {Uint32Array<ArrayBuffer>} words
 */
export function fillRandom(words) {
  if (!readRandom(words)) crypto.getRandomValues(words);
}

/** @param {Uint32Array} words */
function readRandom(words) {
  const { platform, versions } = process;
  // Deno would ask for a permission; it and Bun have their crypto loaded.
  if (
    (platform !== "linux" && platform !== "darwin") ||
    versions.deno !== undefined ||
    versions.bun !== undefined
  )
    return false;
  // A static import would evaluate all exports of the module.
  const fs = process.getBuiltinModule?.("node:fs");
  let file;
  try {
    file = fs?.openSync("/dev/urandom", "r");
    return file !== undefined && fs?.readSync(file, words) === words.byteLength;
  } catch {
    return false;
  } finally {
    if (file !== undefined) fs?.closeSync(file);
  }
}
