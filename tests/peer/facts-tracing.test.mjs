// SPDX-License-Identifier: MIT
// What tracers record of a call's `configurable`: the same program through LangGraph.js and Weft.
import { test } from "node:test";
import assert from "node:assert/strict";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { RunnableLambda } from "@langchain/core/runnables";
import { BaseTracer } from "@langchain/core/tracers/base";
import * as peer from "@langchain/langgraph";
import * as own from "weftgraph";

/** LangSmith's tracer as a subclass of its own that sends nothing. */
function smith(runs) {
  const tracer = new LangChainTracer({
    client: { createRun: async () => {}, updateRun: async () => {} },
  });
  const listen = (one) => {
    const { copyWithTracingConfig } = one;
    one.onRunCreate = async (run) => {
      for (const [key, value] of Object.entries(one.tracingMetadata ?? {})) {
        run.extra ??= {};
        run.extra.metadata ??= {};
        if (!Object.hasOwn(run.extra.metadata, key)) run.extra.metadata[key] = value;
      }
      runs.push([run.name, run.extra?.metadata]);
    };
    one.onRunUpdate = async () => {};
    one.copyWithTracingConfig = (config) => listen(copyWithTracingConfig.call(one, config));
    return one;
  };
  return listen(tracer);
}

class Plain extends BaseTracer {
  name = "plain";
  constructor(runs) {
    super();
    this.runs = runs;
  }
  async persistRun() {}
  async onRunCreate(run) {
    this.runs.push([run.name, run.extra?.metadata]);
  }
}

const configurable = {
  thread_id: "t",
  user: "u",
  tier: 3,
  beta: true,
  model: "m",
  shared: "context",
  list: [1],
  nothing: null,
  __own: "x",
  api_key: "k",
  openAiKey: "k",
  accessToken: "k",
  password: "k",
  clientSecret: "k",
  Authorization: "k",
};
const PLACES = /^(langgraph_|checkpoint_)/;

/** The metadata without ids and places, which differ from run to run. */
const shown = (runs) =>
  runs.map(([name, metadata]) => [
    name,
    Object.fromEntries(
      Object.entries(metadata)
        .filter(([key]) => !PLACES.test(key))
        .sort(),
    ),
  ]);

const program = async (lib, make) => {
  const runs = [];
  const State = lib.Annotation.Root({ x: lib.Annotation() });
  const inner = new lib.StateGraph(State)
    .addNode("deep", () => ({ x: 2 }))
    .addEdge(lib.START, "deep")
    .compile();
  const graph = new lib.StateGraph(State)
    .addNode("a", async (_, config) => ({
      x: await RunnableLambda.from(() => 1).invoke(0, config),
    }))
    .addNode("inner", inner)
    .addEdge(lib.START, "a")
    .addEdge("a", "inner")
    .compile({ checkpointer: new lib.MemorySaver() });
  const config = {
    configurable,
    metadata: { user: "of the metadata" },
    context: { shared: "context" },
    callbacks: [make(runs)],
  };
  await graph.invoke({ x: 0 }, config);
  return shown(runs);
};

test("LangSmith's tracer records texts, numbers and booleans of `configurable`, no secrets, nothing of the context", async () => {
  // LangGraph.js keeps credentials out of its graphs' runs only: its nodes' have all but `api_key`.
  const publicly = (runs) =>
    runs.map(([name, metadata]) => [
      name,
      Object.fromEntries(
        Object.entries(metadata).filter(([, value]) => value !== "k" && value !== undefined),
      ),
    ]);
  const seen = await program(own, smith);
  assert.deepEqual(publicly(seen), publicly(await program(peer, smith)));
  const [[, first]] = seen;
  assert.deepEqual(
    [first.tier, first.beta, first.user, first.shared],
    [3, true, "of the metadata", undefined],
  );
  assert.equal(JSON.stringify(seen).includes('"k"'), false);
});

test("other handlers are told of the ids and the model only, as in LangGraph.js", async () => {
  const make = (runs) => new Plain(runs);
  const seen = await program(own, make);
  assert.deepEqual(seen, await program(peer, make));
  assert.equal(Object.hasOwn(seen[0][1], "tier"), false);
});

test("a tracer that a caller gave is left as it was", async () => {
  const runs = [];
  const tracer = smith(runs);
  await program(own, () => tracer);
  assert.equal(tracer.tracingMetadata, undefined);
});
