// SPDX-License-Identifier: MIT
// Serves: R14 (memory is bounded and what is refused is told): many runs with large states at a
// time have more than one engine; what one alone cannot hold is refused with a code and the limit.
// Own process: the limit is that of all graphs of a process.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph, init } from "weftgraph";
import { getEngine } from "../../js/engine/instance.js";

const MB = 1024 * 1024;
const LIMIT = 16 * MB;
const State = Annotation.Root({ data: Annotation(), n: Annotation() });

before(async () =>
  init(await readFile(new URL("../../js/engine/generated/engine.wasm", import.meta.url)), {
    memoryLimit: LIMIT,
  }),
);

/** A text in which no part repeats another. */
function text(bytes, seed) {
  let state = seed + 1;
  return Array.from({ length: bytes / 8 }, () =>
    (state = (state * 48271) % 0x7fffffff).toString(36).padStart(8, "0"),
  ).join("");
}

function app(node) {
  return new StateGraph(State)
    .addNode("x", node)
    .addEdge(START, "x")
    .compile({ checkpointer: new MemorySaver() });
}

const thread = (id) => ({ configurable: { thread_id: `${id}` } });

for (const [runs, bytes] of [
  [4, 1.5 * MB],
  [40, MB / 4],
  [100, MB / 16],
]) {
  test(`${runs} runs at a time with ${bytes / 1024} kB each in an engine of ${LIMIT / MB} MB`, async () => {
    let inside = 0;
    let open = () => {};
    const all = new Promise((resolve) => (open = resolve));
    const graph = app(async ({ n }) => {
      if (++inside === runs) open();
      await all;
      return { n: n + 1 };
    });
    const inputs = Array.from({ length: runs }, (_, n) => ({ data: text(bytes, n), n }));
    const results = await Promise.all(inputs.map((input, id) => graph.invoke(input, thread(id))));
    assert.deepEqual(
      results.map(({ n }) => n),
      inputs.map(({ n }) => n + 1),
    );
    for (const id of [0, runs - 1])
      assert.equal((await graph.getState(thread(id))).values.data, inputs[id].data);
    assert.equal(getEngine().tenants.size, 0);
  });
}

test("who asks for the state of a thread that is at work in another engine waits for what is being saved", async () => {
  let open = () => {};
  const held = new Promise((resolve) => (open = resolve));
  let inside = 0;
  const graph = app(async ({ n }) => {
    inside++;
    await held;
    return { n: n + 1 };
  });
  const runs = Array.from({ length: 8 }, (_, n) =>
    graph.invoke({ data: text(MB, n), n }, thread(n)),
  );
  const failed = Promise.all(runs);
  while (inside < runs.length)
    await Promise.race([failed, new Promise((resolve) => setImmediate(resolve))]);
  for (let n = 0; n < runs.length; n++)
    assert.deepEqual((await graph.getState(thread(n))).next, ["x"]);
  open();
  await Promise.all(runs);
  for (let n = 0; n < runs.length; n++)
    assert.equal((await graph.getState(thread(n))).values.n, n + 1);
});

test("a state that no engine holds is refused with a code, the limit and its option, and the thread is as it was", async () => {
  const graph = app(({ data }) => ({ data: data.length > 2 ? data : text(LIMIT, 1) }));
  await assert.rejects(graph.invoke({ data: text(LIMIT, 1) }, thread(1)), {
    code: "MEMORY_LIMIT",
    message: new RegExp(`${LIMIT}.*memoryLimit`),
  });
  await graph.invoke({ data: "abc", n: 1 }, thread(1));
  await assert.rejects(graph.invoke({ data: "a" }, thread(1)), { code: "MEMORY_LIMIT" });
  assert.equal((await graph.getState(thread(1))).values.n, 1);
  assert.equal((await graph.invoke({ data: "abc", n: 2 }, thread(2))).n, 2);
});
