// SPDX-License-Identifier: MIT
// PERFORMANCE row 13: cold start: a fresh Node process, from start to the first invoke's result, over an empty script; of one
// esbuild bundle, and of the installed package.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { compare, round } from "./measure.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = [["weft", "weftgraph"], ["langgraph", "@langchain/langgraph"]];

const program = (from) => `
import { StateGraph, Annotation, START, END, MemorySaver } from "${from}";
const app = new StateGraph(Annotation.Root({ n: Annotation() })).addNode("a", (s) => ({ n: s.n + 1 }))
  .addEdge(START, "a").addEdge("a", END).compile({ checkpointer: new MemorySaver() });
const result = await app.invoke({ n: 1 }, { configurable: { thread_id: "t" } });
if (result.n !== 2) throw new Error("wrong");
`;

function start(file) {
  return async () => {
    const from = performance.now();
    const ran = spawnSync(process.execPath, [file]);
    if (ran.status !== 0) throw new Error(String(ran.stderr));
    return performance.now() - from;
  };
}

/** One bundle each. @param {string} folder */
async function bundled(folder) {
  const files = {};
  for (const [side, from] of PACKAGES) {
    files[side] = join(folder, `${side}.mjs`);
    await build({
      stdin: { contents: program(from), resolveDir: top },
      bundle: true, format: "esm", platform: "node", minify: true, outfile: files[side], logLevel: "error",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
  }
  return files;
}

/** Both packages as npm lays them down. @param {string} folder */
function installed(folder) {
  const packages = join(folder, "installed/node_modules");
  const own = join(packages, "weftgraph");
  mkdirSync(join(own, "js"), { recursive: true });
  copyFileSync(join(top, "package.json"), join(own, "package.json"));
  execFileSync(process.execPath, [join(top, "tools/node.mjs"), join(own, "js/node")]);
  symlinkSync(join(top, "node_modules/@langchain"), join(packages, "@langchain"));
  return Object.fromEntries(PACKAGES.map(([side, from]) => {
    const file = join(dirname(packages), `${side}.mjs`);
    writeFileSync(file, program(from));
    return [side, file];
  }));
}

/** @param {string} name @param {Record<string, string>} files */
async function measure(name, files) {
  const sides = Object.fromEntries(Object.entries(files).map(([side, file]) => [side, start(file)]));
  const row = await compare(`cold start to the first result, ${name}, over an empty script`, { unit: "ms", per: 1, rounds: 9, sides, must: 8 });
  row.weft = round(Math.max(0.1, row.weft - row.empty));
  row.langgraph = round(row.langgraph - row.empty);
  row.ratio = round(row.langgraph / row.weft);
  delete row.empty;
  return row;
}

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "weft-cold-"));
  try {
    const empty = join(folder, "empty.mjs");
    writeFileSync(empty, "");
    return [await measure("one bundle", { ...(await bundled(folder)), empty }), await measure("installed", { ...installed(folder), empty })];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
