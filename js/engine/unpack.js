// SPDX-License-Identifier: MIT
// Reads the text in which a WebAssembly module travels inside JavaScript (tools/bytes.mjs writes it). Knows where the
// unpacker (wasm/unpack/unpack.c) wants the text; owns nothing.
import unpacker from "./unpacker.js";

const INPUT = 4 << 20;

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} @throws what a damaged text ends in */
export function unpack(text) {
  const module = new WebAssembly.Module(Uint8Array.from(/** @type {string[]} */ (unpacker.match(/../g)), (digits) => parseInt(digits, 16)));
  const { memory, unpack: run } = /** @type {any} */ (new WebAssembly.Instance(module).exports);
  const bytes = new Uint8Array(memory.buffer);
  const start = INPUT + text.length;
  new TextEncoder().encodeInto(text, bytes.subarray(INPUT, start));
  return bytes.slice(start, start + run(text.length));
}
