// SPDX-License-Identifier: MIT
// PERFORMANCE row 13: cold start: one esbuild bundle in a fresh Node process, from start to the first invoke's result,
// over an empty script.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { compare, round } from "./measure.mjs";

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

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "weft-cold-"));
  try {
    const files = {};
    for (const [side, from] of [["weft", "weftgraph"], ["langgraph", "@langchain/langgraph"]]) {
      files[side] = join(folder, `${side}.mjs`);
      await build({
        stdin: { contents: program(from), resolveDir: import.meta.dirname ?? process.cwd() },
        bundle: true, format: "esm", platform: "node", minify: true, outfile: files[side], logLevel: "error",
        banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      });
    }
    files.empty = join(folder, "empty.mjs");
    writeFileSync(files.empty, "");
    const sides = Object.fromEntries(Object.entries(files).map(([side, file]) => [side, start(file)]));
    const row = await compare("cold start to the first result, one bundle, over an empty script", {
      unit: "ms", per: 1, rounds: 9, sides, must: 8,
    });
    row.weft = round(Math.max(0.1, row.weft - row.empty));
    row.langgraph = round(row.langgraph - row.empty);
    row.ratio = round(row.langgraph / row.weft);
    delete row.empty;
    return [row];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
