// SPDX-License-Identifier: MIT
// Reads what crosses the border of an engine, for a recording of it: answers as they can be
// compared, with digests in place of addresses. Knows where blocks hold addresses; must not know
// what commands mean.
import { ANSWER_RESUME, COMMAND_SAVE, COMMAND_TEXT } from "../base/codes.js";

const ANSWER_WORDS = 10;
/** Calls that change nothing. */
export const SILENT = new Set([
  "_initialize",
  "weft_abi",
  "weft_bytes",
  "weft_live",
  "weft_error",
  "weft_thread_head",
]);
/** Calls that lend an area to be written to: which of their arguments says its bytes. */
export const LENDING = new Map([
  ["weft_input", 0],
  ["weft_load", 1],
]);

/**
 * @param {WebAssembly.Memory} memory
 * @param {number} pointer
 * @param {number} size
 * @returns {Uint8Array} that part of it, until the engine is called again
 */
export function bytesIn({ buffer }, pointer, size) {
  return new Uint8Array(buffer, pointer, size);
}

/** @param {Uint8Array} bytes FNV-1a */
function digest(bytes) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash >>> 0;
}

/**
 * A block of the engine's, with digests in place of addresses.
 * @param {WebAssembly.Memory} memory
 * @param {number} pointer
 * @returns {number[]} flags, status, then the records
 */
export function readBlock(memory, pointer) {
  if (pointer === 0) return [];
  const u32 = new Uint32Array(memory.buffer);
  const at = pointer >>> 2;
  const words = Array.from(u32.subarray(at + 4, at + 4 + u32[at]));
  for (let i = 0; i < words.length; i += 2 + words[i + 1]) {
    const op = words[i] & 0xffff;
    const end = i + 2 + words[i + 1];
    if (op === COMMAND_TEXT)
      for (let text = i + 3; text < end; text += 4) hide(memory, words, text);
    else if (op === COMMAND_SAVE) hide(memory, words, end - 3);
  }
  return [u32[at + 1], u32[at + 3], ...words];
}

/**
 * @param {WebAssembly.Memory} memory
 * @param {number[]} words
 * @param {number} at where an address and a length stand
 */
function hide(memory, words, at) {
  words[at] = digest(bytesIn(memory, words[at], words[at + 2]));
}

/** @param {WebAssembly.Memory} memory @param {number} pointer @returns {number[]} */
function readAnswer(memory, pointer) {
  if (pointer === 0) return [];
  const words = Array.from(new Uint32Array(memory.buffer, pointer, ANSWER_WORDS));
  if (words[1] === ANSWER_RESUME && words[3] !== 0) hide(memory, words, 3);
  return words;
}

/**
 * What a call answered, as it is compared.
 * @param {string} name
 * @param {WebAssembly.Memory} memory
 * @param {number} answer
 * @returns {number | number[]}
 */
export function answerOf(name, memory, answer) {
  if (name === "weft_feed" || name === "weft_next") return readBlock(memory, answer >>> 0);
  if (name === "weft_ask") return readAnswer(memory, answer >>> 0);
  return LENDING.has(name) ? (answer === 0 ? 0 : 1) : (answer ?? 0);
}
