// SPDX-License-Identifier: MIT
// Reads what crosses an engine's border, for a recording: answers in comparable form, with digests
// instead of addresses. Does not depend on what commands mean, only on where blocks have addresses.
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
/** Calls that lend an area to write to, with the index of their size argument. */
export const LENDING = new Map([
  ["weft_input", 0],
  ["weft_load", 1],
]);

/**
 * @param {WebAssembly.Memory} memory
 * @param {number} pointer
 * @param {number} size
 * @returns {Uint8Array} that part of the memory; borrowed until the next call of the engine
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
 * Reads one of the engine's blocks, with digests instead of addresses.
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
 * Copies the log records that one of the engine's blocks asks to store.
 * @param {WebAssembly.Memory} memory
 * @param {number} pointer
 * @returns {Uint8Array | undefined} undefined: the block stores nothing
 */
export function savedIn(memory, pointer) {
  if (pointer === 0) return undefined;
  const u32 = new Uint32Array(memory.buffer);
  const end = (pointer >>> 2) + 4 + u32[pointer >>> 2];
  for (let at = (pointer >>> 2) + 4; at < end; at += 2 + u32[at + 1]) {
    if ((u32[at] & 0xffff) !== COMMAND_SAVE) continue;
    const after = at + 2 + u32[at + 1];
    return bytesIn(memory, u32[after - 3], u32[after - 1]).slice();
  }
  return undefined;
}

/**
 * @param {WebAssembly.Memory} memory
 * @param {number[]} words
 * @param {number} at index of an address and its length
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
 * Returns a call's answer in comparable form.
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
