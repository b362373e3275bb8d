// SPDX-License-Identifier: MIT
// Refuses an engine that imports anything, lacks its memory or exports a name that is not the engine's. Of an engine that
// is cut (tools/split.mjs) the core imports nothing either and exports short names too, of which its parts import no others.
// Usage: node tools/check-wasm.mjs engine.wasm | core.wasm part.wasm …
import { readFileSync } from "node:fs";

const [path, ...parts] = process.argv.slice(2);
const load = (/** @type {string} */ file) => new WebAssembly.Module(readFileSync(file));
const module = load(path);
const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name}`);
const names = WebAssembly.Module.exports(module).map((entry) => entry.name);
const strangers = names.filter((name) => !/^(memory|_initialize|weft_\w+)$/.test(name) && !(parts.length > 0 && /^[a-z]{1,2}$/.test(name)));
const wanted = parts.flatMap((part) => WebAssembly.Module.imports(load(part)).filter((entry) => entry.module !== "e" || !names.includes(entry.name)));
const problems = [
  imports.length > 0 && `imports ${imports.join(", ")} (the engine must import nothing)`,
  strangers.length > 0 && `exports ${strangers.join(", ")} (only memory, _initialize and weft_* may be)`,
  !names.includes("memory") && "exports no memory",
  !names.some((name) => name.startsWith("weft_")) && "exports no weft_* function",
  wanted.length > 0 && `lacks ${wanted.map((entry) => `${entry.module}.${entry.name}`).join(", ")} for ${parts.join(", ")}`,
].filter(Boolean);
for (const problem of problems) console.error(`${path} ${problem}`);
process.exit(problems.length ? 1 : 0);
