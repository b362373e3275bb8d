// SPDX-License-Identifier: MIT
// Writes a .wasm file as a JavaScript module that exports its bytes as one string
// (js/engine/load/wasm-text.js; with --base64 in base64, which Node decodes without JavaScript),
// with the declaration beside it, so that a type checker need not read the string. Usage: node
// tools/bytes.mjs [--base64] in.wasm out.js
import { readFileSync, writeFileSync } from "node:fs";
import { ALPHABET, SINGLE, decodeBytes, orderOf } from "../js/engine/load/wasm-text.js";

const isBase64 = process.argv[2] === "--base64";
const [source, target] = process.argv.slice(isBase64 ? 3 : 2);
if (!target?.endsWith(".js")) {
  console.error("usage: node tools/bytes.mjs [--base64] in.wasm out.js");
  process.exit(2);
}

/** @param {Uint8Array} bytes */
function encode(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const frequent = [...counts.keys()]
    .sort((a, b) => counts[b] - counts[a] || a - b)
    .slice(0, SINGLE);
  const letters = [];
  for (const [rank, byte] of orderOf(frequent).entries()) {
    const rest = rank - SINGLE;
    letters[byte] =
      rest < 0
        ? ALPHABET[rank]
        : ALPHABET[SINGLE + Math.floor(rest / ALPHABET.length)] + ALPHABET[rest % ALPHABET.length];
  }
  return (
    Buffer.from(frequent).toString("hex") + Array.from(bytes, (byte) => letters[byte]).join("")
  );
}

const bytes = readFileSync(source);
const text = isBase64 ? bytes.toString("base64") : encode(bytes);
if (!isBase64 && !bytes.equals(decodeBytes(text)))
  throw new Error(`${source} does not come back from its text`);
const banner =
  "// SPDX-License-Identifier: MIT\n// Made by tools/bytes.mjs from the WebAssembly module; not to be edited.\n";
writeFileSync(target, `${banner}export default "${text}";\n`);
writeFileSync(
  target.replace(/\.js$/, ".d.ts"),
  `${banner}declare const text: string;\nexport default text;\n`,
);
