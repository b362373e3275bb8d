// SPDX-License-Identifier: MIT
// Refuses an engine that imports anything, lacks its memory or exports a name that is not the engine's. Of an engine in two
// parts (tools/split.mjs) the core imports nothing either and exports short names too, of which the rest imports no others.
// Usage: node tools/check-wasm.mjs engine.wasm | core.wasm rest.wasm
import { readFileSync } from "node:fs";

const [path, restPath] = process.argv.slice(2);
const load = (/** @type {string} */ file) => new WebAssembly.Module(readFileSync(file));
const module = load(path);
const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name}`);
const names = WebAssembly.Module.exports(module).map((entry) => entry.name);
const strangers = names.filter((name) => !/^(memory|_initialize|weft_\w+)$/.test(name) && !(restPath && /^[a-z]{1,2}$/.test(name)));
const wanted = restPath ? WebAssembly.Module.imports(load(restPath)).filter((entry) => entry.module !== "e" || !names.includes(entry.name)) : [];
const problems = [
  imports.length > 0 && `imports ${imports.join(", ")} (the engine must import nothing)`,
  strangers.length > 0 && `exports ${strangers.join(", ")} (only memory, _initialize and weft_* may be)`,
  !names.includes("memory") && "exports no memory",
  !names.some((name) => name.startsWith("weft_")) && "exports no weft_* function",
  wanted.length > 0 && `lacks ${wanted.map((entry) => `${entry.module}.${entry.name}`).join(", ")} for ${restPath}`,
].filter(Boolean);
for (const problem of problems) console.error(`${path} ${problem}`);
process.exit(problems.length ? 1 : 0);
