// SPDX-License-Identifier: MIT
// Writes tests/peer/names.json: every public name of the installed @langchain/langgraph, by
// sub-path, with what it is, and those of @langchain/langgraph-checkpoint.
// Usage: node tools/peer-names.mjs (after another version was installed)
import { readFileSync, writeFileSync } from "node:fs";

const manifest = JSON.parse(
  readFileSync(
    new URL("../node_modules/@langchain/langgraph/package.json", import.meta.url),
    "utf8",
  ),
);

/** @param {any} value */
export function kindOf(value) {
  if (typeof value !== "function") return typeof value;
  return /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
}

/** @param {string} path */
async function namesOf(path) {
  const module = await import(path);
  return Object.fromEntries(
    Object.keys(module)
      .sort()
      .map((name) => [name, kindOf(module[name])]),
  );
}

/**
 * @returns {Promise<{ version: string, exports: Record<string, Record<string, string>>, checkpoint:
 *   Record<string, string> }>}
 */
export async function readPeer() {
  const exports = {};
  for (const path of Object.keys(manifest.exports).sort()) {
    if (path === "./package.json") continue;
    exports[path] = await namesOf(`@langchain/langgraph${path.slice(1)}`);
  }
  return {
    version: manifest.version,
    exports,
    checkpoint: await namesOf("@langchain/langgraph-checkpoint"),
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  writeFileSync(
    new URL("../tests/peer/names.json", import.meta.url),
    `${JSON.stringify(await readPeer(), null, 1)}\n`,
  );
}
