// SPDX-License-Identifier: MIT
// updateState on a thread at work: it waits for the run, or is told BUSY, and what it writes stays.
// In a node of the run it is made at once, as in LangGraph.js.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";

const State = Annotation.Root({
  count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  note: Annotation(),
});
const thread = { configurable: { thread_id: "1" } };
const settle = async (turns = 20) => {
  for (; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
};

/** A graph whose node waits until it is let go, and does `work` first. */
function gated(checkpointer, options, work) {
  const at = {};
  at.begun = new Promise((resolve) => (at.begin = resolve));
  at.gate = new Promise((resolve) => (at.open = resolve));
  const graph = new StateGraph(State)
    .addNode("work", async (_, config) => {
      at.begin();
      await work?.(graph, config);
      await at.gate;
      return { count: 1 };
    })
    .addEdge(START, "work")
    .compile({ checkpointer, ...options });
  return { graph, ...at };
}

const SAVERS = {
  "the same saver": () => {
    const saver = new MemorySaver();
    return () => saver;
  },
  "another saver of the folder": (t) => {
    const path = mkdtempSync(join(tmpdir(), "weft-update-"));
    t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
    return () => new FileSaver({ path });
  },
};

test("an update that waits for a run can be aborted, by its signal or its timeout, and writes nothing", async () => {
  const { graph, begun, open } = gated(new MemorySaver());
  const run = graph.invoke({ count: 10 }, thread);
  await begun;
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = graph.updateState({ ...thread, signal }, { note: "edited" }, "work");
  const late = graph.updateState({ ...thread, timeout: 5 }, { note: "edited" }, "work");
  controller.abort(new Error("given up"));
  await assert.rejects(aborted, /given up/);
  // The timer of a timeout does not keep the process.
  const alive = setInterval(() => {}, 1000);
  await assert.rejects(late, { name: "TimeoutError" }).finally(() => clearInterval(alive));
  open();
  assert.deepEqual(await run, { count: 11 });
  assert.deepEqual((await graph.getState(thread)).values, { count: 11 });
});

for (const [name, make] of Object.entries(SAVERS)) {
  test(`an update of a thread at work waits for the run, and is in the newest state: ${name}`, async (t) => {
    const open = make(t);
    const { graph, begun, open: letGo } = gated(open());
    const other = gated(open()).graph;
    const run = graph.invoke({ count: 10 }, thread);
    await begun;
    const order = [];
    run.then(() => order.push("run"));
    const update = other
      .updateState(thread, { count: 100, note: "edited" }, "work")
      .then(() => order.push("update"));
    await settle();
    assert.deepEqual(order, []);
    letGo();
    await Promise.all([run, update]);
    assert.deepEqual(order, ["run", "update"]);
    const { values, next } = await graph.getState(thread);
    assert.deepEqual([values, next], [{ count: 111, note: "edited" }, []]);
  });

  test(`an update that would be rejected is told BUSY, and writes nothing: ${name}`, async (t) => {
    const open = make(t);
    const { graph, begun, open: letGo } = gated(open());
    const other = gated(open(), { multitaskStrategy: "reject" }).graph;
    const run = graph.invoke({ count: 10 }, thread);
    await begun;
    await assert.rejects(other.updateState(thread, { note: "edited" }), { code: "BUSY" });
    letGo();
    await run;
    assert.deepEqual((await graph.getState(thread)).values, { count: 11 });
    await other.updateState(thread, { note: "edited" });
    assert.equal((await graph.getState(thread)).values.note, "edited");
  });
}

test("supersteps of an update and runs that come meanwhile take turns; all are in the newest state", async () => {
  const { graph, begun, open } = gated(new MemorySaver());
  const first = graph.invoke({ count: 1 }, thread);
  await begun;
  const update = graph.bulkUpdateState(
    thread,
    [100, 1000].map((count) => ({ updates: [{ values: { count }, asNode: "work" }] })),
  );
  await settle();
  const second = graph.invoke({ count: 10 }, thread);
  open();
  await Promise.all([first, update, second]);
  assert.deepEqual((await graph.getState(thread)).values, { count: 1113 });
});

test('an update under "concurrent" is made at once, as in LangGraph.js', async () => {
  const { graph, begun, open } = gated(new MemorySaver());
  const run = graph.invoke({ count: 1 }, thread);
  await begun;
  await graph.updateState({ ...thread, multitaskStrategy: "concurrent" }, { note: "edited" });
  assert.equal((await graph.getState(thread)).values.note, "edited");
  open();
  assert.deepEqual(await run, { count: 2 });
});

test("an update in a node of the run, or of a run inside that, does not wait for itself", async () => {
  const edit = (graph) => graph.updateState(thread, { note: "edited" }, "work");
  const { graph, open } = gated(new MemorySaver(), {}, edit);
  open();
  assert.deepEqual(await graph.invoke({ count: 1 }, thread), { count: 2 });
  const outer = gated(new MemorySaver(), {}, async (app) => {
    const inside = gated(new MemorySaver(), {}, () => edit(app));
    inside.open();
    await inside.graph.invoke({}, { configurable: { thread_id: "2" } });
  });
  outer.open();
  assert.deepEqual(await outer.graph.invoke({ count: 1 }, thread), { count: 2 });
});

test("an update in a node of another thread's run waits for the run of its thread", async () => {
  const saver = new MemorySaver();
  const { graph, begun, open } = gated(saver);
  const run = graph.invoke({ count: 1 }, thread);
  await begun;
  const other = gated(saver, {}, () => graph.updateState(thread, { note: "edited" }, "work"));
  other.open();
  const second = other.graph.invoke({}, { configurable: { thread_id: "2" } });
  await settle();
  open();
  await Promise.all([run, second]);
  assert.deepEqual((await graph.getState(thread)).values, { count: 2, note: "edited" });
});

test("an update that fails lets the next run begin", async () => {
  const { graph, open } = gated(new MemorySaver());
  open();
  await graph.invoke({ count: 1 }, thread);
  await assert.rejects(graph.updateState(thread, { count: 1 }, "nobody"));
  assert.deepEqual(await graph.invoke({ count: 1 }, thread), { count: 4 });
});
