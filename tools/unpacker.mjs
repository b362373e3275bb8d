// SPDX-License-Identifier: MIT
// Writes the unpacker (wasm/unpack/unpack.c) as a JavaScript module that exports its bytes in hex digits, and the
// declaration beside it.
// Usage: node tools/unpacker.mjs unpack.wasm out.js
import { readFileSync, writeFileSync } from "node:fs";

const [source, target] = process.argv.slice(2);
const banner = "// SPDX-License-Identifier: MIT\n// Made by tools/unpacker.mjs from the WebAssembly module; not to be edited.\n";
writeFileSync(target, `${banner}export default "${readFileSync(source, "hex")}";\n`);
writeFileSync(target.replace(/\.js$/, ".d.ts"), `${banner}declare const text: string;\nexport default text;\n`);
