// SPDX-License-Identifier: MIT
// What the demo's worker measures of runs: how often the nodes of a thread were tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Annotation,
  Command,
  INTERRUPT,
  MemorySaver,
  START,
  StateGraph,
  interrupt,
} from "weftgraph";
import { keepMeasuresIn, listener, measureOf } from "../../web-demo/src/worker/measures.js";

const on = (thread_id) => ({ configurable: { thread_id }, callbacks: [listener] });
keepMeasuresIn({ fetch: async () => Response.json([]) });

/** A graph of one node, which fails as often as it is told to, then asks. */
const graphOf = (name, failures) => {
  let left = failures;
  const node = () => {
    if (left-- > 0) throw new Error("not yet");
    return { answer: interrupt("Go on?") };
  };
  return new StateGraph(Annotation.Root({ answer: Annotation() }))
    .addNode(name, node, { retryPolicy: { maxAttempts: 5, initialInterval: 1, jitter: false } })
    .addEdge(START, name)
    .compile({ checkpointer: new MemorySaver() });
};

test("each try of a node that fails is an attempt, and going on after its question is none", async () => {
  const graph = graphOf("ask", 2);
  assert.equal((await graph.invoke({}, on("retried")))[INTERRUPT].length, 1);
  assert.deepEqual((await measureOf("retried")).attempts, { ask: 3 });
  await graph.invoke(new Command({ resume: "yes" }), on("retried"));
  assert.deepEqual((await measureOf("retried")).attempts, {});
});
