// SPDX-License-Identifier: MIT
// Managed values: fields of a state that the run fills in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, IsLastStep, MemorySaver, RemainingSteps, START, StateGraph } from "weftgraph";

test("a node and a condition see the steps that are left; nobody stores them", async () => {
  const seen = [];
  const State = Annotation.Root({ n: Annotation(), left: RemainingSteps, last: IsLastStep });
  const graph = new StateGraph(State)
    .addNode("a", ({ n, left, last }) => {
      seen.push([left, last]);
      return { n: n + 1, left: 100 };
    })
    .addEdge(START, "a")
    .addConditionalEdges("a", ({ last }) => (last ? "__end__" : "a"))
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "t" }, recursionLimit: 4 };
  assert.deepEqual(await graph.invoke({ n: 0 }, config), { n: seen.length });
  assert.deepEqual(
    seen.map(([left]) => left),
    seen.map((_, i) => seen.length - i),
  );
  assert.deepEqual(
    seen.map(([, last]) => last),
    seen.map((_, i) => i === seen.length - 1),
  );
  assert.deepEqual((await graph.getState(config)).values, { n: seen.length });
});
