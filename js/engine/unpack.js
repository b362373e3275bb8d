// SPDX-License-Identifier: MIT
// Reads the texts in which WebAssembly modules travel inside JavaScript (tools/bytes.mjs writes them). Knows where the
// unpacker (wasm/unpack/unpack.c) wants a text. Owns what it read last, for a text that goes on from there.
import unpacker from "./unpacker.js";

const INPUT = 9 << 20;

/** The last text that was read from the start, its module until somebody asks, and who read it while there is room. @type {{ text?: string, bytes?: Uint8Array<ArrayBuffer>, reader?: WeakRef<any> }} */
let known = {};

/** @param {any} reader @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function read({ memory, unpack }, text) {
  const bytes = new Uint8Array(memory.buffer);
  const start = INPUT + text.length;
  new TextEncoder().encodeInto(text, bytes.subarray(INPUT, start));
  return bytes.slice(start, start + unpack(text.length));
}

/** @param {string} text */
function begin(text) {
  const module = new WebAssembly.Module(Uint8Array.from(unpacker, (letter) => letter.charCodeAt(0) ^ 63));
  const reader = new WebAssembly.Instance(module).exports;
  known = { text, bytes: read(reader, text), reader: new WeakRef(reader) };
  return reader;
}

/** @param {string} text @param {string} [before] that it goes on from @returns {Uint8Array<ArrayBuffer>} @throws what a damaged text ends in */
export function unpack(text, before) {
  if (before !== undefined) {
    const reader = (known.text === before && known.reader?.deref()) || begin(before);
    known.reader = undefined;
    return read(reader, text);
  }
  if (known.text !== text || !known.bytes) begin(text);
  const { bytes } = known;
  known.bytes = undefined;
  return /** @type {Uint8Array<ArrayBuffer>} */ (bytes);
}
