// SPDX-License-Identifier: MIT
// A reducer that answers undefined empties its channel: it stays empty until something is written
// to it, in each saver and under each durability, and does not begin with its default again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver as PeerSaver } from "@langchain/langgraph";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";

function graphOf(checkpointer) {
  const state = Annotation.Root({
    a: Annotation({
      reducer: (_, right) => (right === "none" ? undefined : right),
      default: () => "default",
    }),
    c: Annotation,
  });
  return new StateGraph(state)
    .addNode("n", ({ c }) => (c === 0 ? { a: "none" } : {}))
    .addNode("m", () => ({ c: 1 }))
    .addEdge(START, "n")
    .addEdge("n", "m")
    .compile({ checkpointer });
}

for (const [saver, Saver] of [
  ["MemorySaver", MemorySaver],
  ["LangGraph.js's MemorySaver", PeerSaver],
]) {
  for (const durability of ["sync", "async", "exit"]) {
    test(`a channel that a reducer emptied is empty when it is read again: ${saver}, ${durability}`, async () => {
      const checkpointer = new Saver();
      const config = { configurable: { thread_id: "t" }, durability };
      assert.deepEqual(await graphOf(checkpointer).invoke({ c: 0 }, config), { c: 1 });
      assert.deepEqual((await graphOf(checkpointer).getState(config)).values, { c: 1 });
      assert.equal("a" in (await checkpointer.getTuple(config)).checkpoint.channel_values, false);
      assert.deepEqual(await graphOf(checkpointer).invoke({ c: 2 }, config), { c: 1 });
      assert.deepEqual(await graphOf(checkpointer).invoke({ a: "new", c: 2 }, config), {
        a: "new",
        c: 1,
      });
    });
  }
}
