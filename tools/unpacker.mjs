// SPDX-License-Identifier: MIT
// Writes the unpacker (wasm/unpack/unpack.c) as a JavaScript module that exports its bytes as a string, and the declaration
// beside it: a letter each, with bits changed so that few are control characters or need two bytes.
// Usage: node tools/unpacker.mjs unpack.wasm out.js
import { readFileSync, writeFileSync } from "node:fs";

const [source, target] = process.argv.slice(2);
const banner = "// SPDX-License-Identifier: MIT\n// Made by tools/unpacker.mjs from the WebAssembly module; not to be edited.\n";
const letters = Array.from(readFileSync(source), (byte) => String.fromCharCode(byte ^ 63));
writeFileSync(target, `${banner}export default ${JSON.stringify(letters.join(""))};\n`);
writeFileSync(target.replace(/\.js$/, ".d.ts"), `${banner}declare const text: string;\nexport default text;\n`);
