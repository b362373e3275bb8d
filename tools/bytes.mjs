// SPDX-License-Identifier: MIT
// Writes a .wasm file as a JavaScript module that exports its bytes as one hex string, and the
// declaration beside it (so that a type checker need not read the string).
// Usage: node tools/bytes.mjs in.wasm out.js
import { readFileSync, writeFileSync } from "node:fs";

const [source, target] = process.argv.slice(2);
if (!source || !target?.endsWith(".js")) {
  console.error("usage: node tools/bytes.mjs in.wasm out.js");
  process.exit(2);
}
const head = "// SPDX-License-Identifier: MIT\n// Made by tools/bytes.mjs from the WebAssembly module; not to be edited.\n";
writeFileSync(target, `${head}export default "${readFileSync(source).toString("hex")}";\n`);
writeFileSync(target.replace(/\.js$/, ".d.ts"), `${head}declare const hex: string;\nexport default hex;\n`);
