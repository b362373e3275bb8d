// SPDX-License-Identifier: MIT
// Refuses an engine that imports anything, lacks its memory or exports a name that is not the
// engine's. Usage: node tools/check-wasm.mjs engine.wasm
import { readFileSync } from "node:fs";

const path = process.argv[2];
const module = new WebAssembly.Module(readFileSync(path));
const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name}`);
const names = WebAssembly.Module.exports(module).map((entry) => entry.name);
const strangers = names.filter((name) => !/^(memory|_initialize|weft_\w+)$/.test(name));
const problems = [
  imports.length > 0 && `imports ${imports.join(", ")} (the engine must import nothing)`,
  strangers.length > 0 &&
    `exports ${strangers.join(", ")} (only memory, _initialize and weft_* may be)`,
  !names.includes("memory") && "exports no memory",
  !names.some((name) => name.startsWith("weft_")) && "exports no weft_* function",
].filter(Boolean);
for (const problem of problems) console.error(`${path} ${problem}`);
process.exit(problems.length ? 1 : 0);
