// SPDX-License-Identifier: MIT
// LANGSMITH_TRACING and its older names: what arrives at LangSmith of a graph's runs is what
// arrives with LangGraph.js.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { langsmithServer, treeOf } from "./langsmith-server.mjs";

const PROGRAM = fileURLToPath(new URL("traced.mjs", import.meta.url));
const run = promisify(execFile);
const { LANGSMITH_TRACING, LANGCHAIN_TRACING_V2, ...env } = process.env;

/**
 * The tree of runs that a process sends, and what it said.
 * @param {string} name of the package
 * @param {Record<string, string>} asks
 */
async function traced(t, name, asks, program = PROGRAM) {
  const server = await langsmithServer();
  t.after(server.close);
  const { stdout, stderr } = await run(process.execPath, [program, name], {
    env: { ...env, LANGSMITH_ENDPOINT: server.url, LANGSMITH_API_KEY: "key", ...asks },
  });
  return { tree: treeOf(server.runs), said: stdout + stderr, runs: [...server.runs.values()] };
}

test("LANGSMITH_TRACING=true: the tree of agents, streams, questions, failures, updates and graphs inside is LangGraph.js's", async (t) => {
  const [weft, langgraph] = await Promise.all(
    ["weftgraph", "@langchain/langgraph"].map((name) =>
      traced(t, name, { LANGSMITH_TRACING: "true" }),
    ),
  );
  assert.deepEqual(weft.tree, langgraph.tree);
  assert.deepEqual(weft.tree.slice(0, 6), [
    "chain helper",
    "  chain __start__",
    "  chain agent",
    "    chain RunnableSequence",
    "      chain prompt",
    "      llm MyModel",
  ]);
  assert.ok(weft.tree.includes("chain around"), weft.tree.join("\n"));
  assert.equal(weft.said, langgraph.said);
  // What stands in `configurable` is there to be searched for.
  const root = weft.runs.find(({ name }) => name === "helper");
  assert.equal(root.extra.metadata.customer, "anna");
});

test("LANGCHAIN_TRACING_V2 asks for the same; false, or nothing, asks for none", async (t) => {
  const { tree } = await traced(t, "weftgraph", { LANGCHAIN_TRACING_V2: "true" });
  assert.equal(tree[0], "chain helper");
  for (const asks of [{}, { LANGSMITH_TRACING: "false" }])
    assert.deepEqual((await traced(t, "weftgraph", asks)).tree, []);
});

test("a tracer in `callbacks` is not doubled", async (t) => {
  const folder = await fs.mkdtemp(fileURLToPath(new URL("../../build/traced-", import.meta.url)));
  t.after(() => fs.rm(folder, { recursive: true }));
  const program = join(folder, "own.mjs");
  await fs.writeFile(
    program,
    `
    import { Annotation, START, StateGraph } from "weftgraph";
    import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
    import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
    const graph = new StateGraph(Annotation.Root({ n: Annotation })).addNode("one", () => ({ n: 1 })).addEdge(START, "one").compile();
    await graph.invoke({ n: 0 }, { callbacks: [new LangChainTracer()] });
    await awaitAllCallbacks();`,
  );
  assert.deepEqual((await traced(t, "weftgraph", { LANGSMITH_TRACING: "true" }, program)).tree, [
    "chain LangGraph",
    "  chain __start__",
    "  chain one",
  ]);
});

test("without @langchain/core a run goes on untraced, and one warning says what is missing", async (t) => {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-traced-"));
  t.after(() => fs.rm(folder, { recursive: true, force: true }));
  const top = fileURLToPath(new URL("../..", import.meta.url));
  await fs.mkdir(join(folder, "node_modules/weftgraph"), { recursive: true });
  for (const part of ["js", "package.json"])
    await fs.cp(join(top, part), join(folder, "node_modules/weftgraph", part), { recursive: true });
  const program = join(folder, "alone.mjs");
  await fs.writeFile(
    program,
    `
    import { Annotation, START, StateGraph } from "weftgraph";
    const graph = new StateGraph(Annotation.Root({ n: Annotation })).addNode("one", () => ({ n: 1 })).addEdge(START, "one").compile();
    console.log(await Promise.all([graph.invoke({ n: 0 }), graph.invoke({ n: 0 })]), await graph.invoke({ n: 0 }));`,
  );
  const { tree, said } = await traced(t, "weftgraph", { LANGSMITH_TRACING: "true" }, program);
  assert.deepEqual(tree, []);
  assert.match(
    said,
    /^\[ \{ n: 1 \}, \{ n: 1 \} \] \{ n: 1 \}\nRuns are not traced.*@langchain\/core.*Install it beside weftgraph[^\n]*\n$/,
  );
});

test("a node's tracePolicy shapes what LangSmith's tracer is sent, and nothing else", async () => {
  const { Annotation, START, StateGraph } = await import("weftgraph");
  const { LangChainTracer } = await import("@langchain/core/tracers/tracer_langchain");
  const sent = [];
  const client = {
    createRun: async ({ name, inputs }) => sent.push([name, inputs]),
    updateRun: async (_, { outputs }) => sent.push(outputs),
  };
  const seen = [];
  const listener = {
    name: "listener",
    handleChainStart: (_chain, inputs, ...rest) => seen.push([rest.at(-2) ?? rest.at(-1), inputs]),
    awaitHandlers: true,
  };
  const graph = new StateGraph(Annotation.Root({ key: Annotation() }))
    .addNode("sign", ({ key }) => ({ key: `${key}!` }), {
      tracePolicy: { processInputs: () => ({ hidden: true }), processOutputs: () => ({}) },
    })
    .addEdge(START, "sign")
    .compile();
  assert.deepEqual(
    await graph.invoke(
      { key: "secret" },
      { callbacks: [new LangChainTracer({ client }), listener] },
    ),
    { key: "secret!" },
  );
  assert.deepEqual(
    sent.find((one) => Array.isArray(one) && one[0] === "sign"),
    ["sign", { hidden: true }],
  );
  assert.deepEqual(
    sent.filter((one) => !Array.isArray(one)),
    [{ key: "secret" }, {}, { key: "secret!" }],
  );
  assert.equal(seen.filter(([, inputs]) => inputs.key === "secret").length, 3);
});
