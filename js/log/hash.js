// SPDX-License-Identifier: MIT
// Computes hashes by the engine's code.
import { getEngine } from "../engine/instance.js";

const BYTES = [4, 20, 32, 16];

/**
 * @param {number} kind HASH_*
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function hashOf(kind, bytes) {
  const engine = getEngine();
  engine.input(bytes);
  const pointer = engine.call("weft_hash", kind, bytes.length) >>> 0;
  return engine.bytesAt(pointer, BYTES[kind]).slice();
}
