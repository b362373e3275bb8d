// SPDX-License-Identifier: MIT
// Writes a .wasm file as a JavaScript module that exports its bytes as one string (js/engine/unpack.js says how and
// reads it), and the declaration beside it (so that a type checker need not read the string).
// Usage: node tools/bytes.mjs in.wasm out.js
import { readFileSync, writeFileSync } from "node:fs";
import { listLetters, unpack } from "../js/engine/unpack.js";

const [source, target] = process.argv.slice(2);
if (!source || !target?.endsWith(".js")) {
  console.error("usage: node tools/bytes.mjs in.wasm out.js");
  process.exit(2);
}

/** @param {Buffer} bytes */
function pack(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const letters = listLetters().map((code) => String.fromCharCode(code));
  const values = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const singles = values.slice(0, letters.length - 2).sort((a, b) => a - b);
  const pairs = values.slice(singles.length).sort((a, b) => a - b);
  const codes = [];
  singles.forEach((value, rank) => (codes[value] = letters[rank]));
  pairs.forEach((value, rank) => (codes[value] = letters[singles.length + Math.floor(rank / singles.length)] + letters[rank % singles.length]));
  const digits = Array.from({ length: 64 }, (_, at) => [0, 1, 2, 3].reduce((digit, bit) => digit | (singles.includes(4 * at + bit) ? 1 << bit : 0), 0));
  return digits.map((digit) => digit.toString(16)).join("") + Array.from(bytes, (byte) => codes[byte]).join("");
}

const bytes = readFileSync(source);
const text = pack(bytes);
if (!bytes.equals(unpack(text))) throw new Error(`${source} does not survive the packing`);
const head = "// SPDX-License-Identifier: MIT\n// Made by tools/bytes.mjs from the WebAssembly module; not to be edited.\n";
writeFileSync(target, `${head}export default "${text}";\n`);
writeFileSync(target.replace(/\.js$/, ".d.ts"), `${head}declare const text: string;\nexport default text;\n`);
