// SPDX-License-Identifier: MIT
// Writes tests/peer/names.json: every public name of the installed @langchain/langgraph, by sub-path, with what it is.
// Usage: node tools/peer-names.mjs (after another version was installed)
import { readFileSync, writeFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../node_modules/@langchain/langgraph/package.json", import.meta.url), "utf8"));

/** @param {any} value */
export function kindOf(value) {
  if (typeof value !== "function") return typeof value;
  return /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
}

/** @returns {Promise<{ version: string, exports: Record<string, Record<string, string>> }>} */
export async function readPeer() {
  const exports = {};
  for (const path of Object.keys(manifest.exports).sort()) {
    if (path === "./package.json") continue;
    const module = await import(`@langchain/langgraph${path.slice(1)}`);
    exports[path] = Object.fromEntries(Object.keys(module).sort().map((name) => [name, kindOf(module[name])]));
  }
  return { version: manifest.version, exports };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  writeFileSync(new URL("../tests/peer/names.json", import.meta.url), `${JSON.stringify(await readPeer(), null, 1)}\n`);
}
