// SPDX-License-Identifier: MIT
// Packages made for LangGraph.js, each case once on LangGraph.js and once on Weft in its place:
// langchain (createAgent and its middleware), @langchain/langgraph-supervisor,
// @langchain/langgraph-swarm, deepagents. Results, chunks, questions, histories and errors are the
// same.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { promised } from "./promised.mjs";

const path = (name) => fileURLToPath(new URL(`packages/${name}`, import.meta.url));
const run = async (...words) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--no-warnings", ...words, path("main.mjs")],
    { maxBuffer: 1 << 28 },
  );
  return JSON.parse(stdout);
};

test("packages made for LangGraph.js run on Weft in its place", async (t) => {
  const [langgraph, weft] = await Promise.all([run(), run("--import", path("swap.mjs"))]);
  assert.match(langgraph.library, /@langchain\/langgraph/);
  assert.equal(weft.library, import.meta.resolve("weftgraph"));
  assert.deepEqual(Object.keys(weft.told), Object.keys(langgraph.told));
  for (const [name, told] of Object.entries(langgraph.told))
    await t.test(name, () =>
      assert.deepEqual(promised([[name, weft.told[name]]]), promised([[name, told]])),
    );
});
