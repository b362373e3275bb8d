// SPDX-License-Identifier: MIT
// An answer that a run hands to a graph of another thread stands in that thread's log too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from "weftgraph";

const State = Annotation.Root({
  a: Annotation,
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const at = (thread_id) => ({ configurable: { thread_id } });

function asking(checkpointer) {
  return new StateGraph(State)
    .addNode("p", () => ({ log: ["p"] }))
    .addNode("q", () => ({ log: [interrupt("one?"), interrupt("two?")] }))
    .addEdge(START, "p")
    .addEdge("p", "q")
    .compile({ checkpointer });
}

test("an answer given to another thread's graph is read there again", async () => {
  const checkpointer = new MemorySaver();
  const inner = asking(checkpointer);
  await inner.invoke({ a: "x".repeat(200) }, at("in"));
  const { config } = await inner.getState(at("in"));
  const outer = new StateGraph(State)
    .addNode("n", async () => ({ log: (await inner.invoke(null, config)).log }))
    .addEdge(START, "n")
    .compile({ checkpointer });
  await outer.invoke({ a: "y".repeat(300) }, at("out"));
  const first = { answer: "first ".repeat(20) };
  await outer.invoke(new Command({ resume: first }), at("out"));
  const again = Object.assign(new MemorySaver(), { store: checkpointer.store, isolate: true });
  const { log } = await asking(again).invoke(new Command({ resume: "second" }), at("in"));
  assert.deepEqual(log, ["p", first, "second"]);
});
