// SPDX-License-Identifier: MIT
// Serves: many runs that are called at once: few of them are at work at a time unless their nodes
// wait, none waits for another, each belongs to its caller.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { getEngine } from "../../js/engine/instance.js";

const RUNS = 500;

/** One call per run of a graph of three nodes. @param {(state: { n: number }) => unknown} node */
function burst(node, around = (_, call) => call()) {
  const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
    .addNode("a", node)
    .addNode("b", node)
    .addNode("c", node);
  const app = graph
    .addEdge(START, "a")
    .addEdge("a", "b")
    .addEdge("b", "c")
    .compile({ checkpointer: new MemorySaver() });
  return Array.from({ length: RUNS }, (_, n) =>
    around(n, () => app.invoke({ n }, { configurable: { thread_id: String(n) } })),
  );
}

test("runs whose nodes wait for nothing are at work few at a time", async () => {
  let most = 0;
  const runs = burst(async ({ n }) => {
    most = Math.max(most, getEngine().tenants.size);
    return { n: n + 1 };
  });
  assert.deepEqual(
    await Promise.all(runs),
    runs.map((_, n) => ({ n: n + 3 })),
  );
  assert.ok(most < RUNS / 4, `${most} at once`);
});

test("runs whose nodes wait are all at work", async () => {
  let inside = 0;
  let open = () => {};
  const all = new Promise((resolve) => (open = resolve));
  await Promise.all(
    burst(async ({ n }) => {
      if (++inside === RUNS) open();
      await all;
      return { n };
    }),
  );
  assert.equal(inside, 3 * RUNS);
});

test("each run belongs to its caller", async () => {
  const storage = new AsyncLocalStorage();
  const results = await Promise.all(
    burst(
      async ({ n }) => ({ n: Math.max(n, storage.getStore()) }),
      (n, call) => storage.run(n * 2, call),
    ),
  );
  assert.deepEqual(
    results,
    results.map((_, n) => ({ n: n * 2 })),
  );
});

test("they begin in the order of their calls", async () => {
  const began = [];
  await Promise.all(burst(({ n }) => (began.push(n), {})));
  assert.deepEqual(
    began.filter((n, i) => began.indexOf(n) === i),
    Array.from({ length: RUNS }, (_, n) => n),
  );
});
