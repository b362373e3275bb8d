// SPDX-License-Identifier: MIT
// A run that another process has overtaken is fenced, also when something in it reads the thread
// again: what reads sees what the other one wrote, and nothing of it is written over.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, START, StateGraph } from "weftgraph";
import { KvSaver } from "weftgraph/savers/kv";

const on = { configurable: { thread_id: "t" } };
const State = Annotation.Root({
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
const inside = new StateGraph(State)
  .addNode("in", () => ({ log: ["in"] }))
  .addEdge(START, "in")
  .compile();

/** Savers of processes that share a disk. */
function makeDisk() {
  const disk = new Map();
  const holds = (key, value) =>
    value === undefined
      ? !disk.has(key)
      : disk.has(key) && Buffer.compare(disk.get(key), value) === 0;
  return () =>
    new KvSaver({
      get: async (key) => disk.get(key),
      put: async (key, value) => void disk.set(key, value),
      list: async (prefix) => [...disk.keys()].filter((key) => key.startsWith(prefix)).sort(),
      delete: async (key) => void disk.delete(key),
      cas: async (key, expected, value) => holds(key, expected) && (disk.set(key, value), true),
    });
}

const gateOf = () => {
  let open;
  return { passed: new Promise((resolve) => (open = resolve)), open };
};

/** A graph whose node "a" does something, and "b" follows. */
function make(checkpointer, name, work) {
  const app = new StateGraph(State)
    .addNode("a", async () => (await work(app), { log: [`a of ${name}`] }))
    .addNode("b", () => ({ log: [`b of ${name}`] }))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer });
  return app;
}

const idle = async () => {};
const read = async (list) => {
  const all = [];
  for await (const each of list) all.push(each.values.log ?? []);
  return all;
};

/** What a node does after the other process has ended the thread, and what it sees. */
const WORK = {
  "calls a graph": [(app) => inside.invoke({ log: [] }), undefined],
  "looks at the state": [
    async (app) => (await app.getState(on)).values.log,
    ["go", "a of second", "b of second"],
  ],
  "reads the history": [
    async (app) => (await read(app.getStateHistory(on)))[0],
    ["go", "a of second", "b of second"],
  ],
  "edits the state": [(app) => app.updateState(on, { log: ["edited"] }, "b"), undefined],
};

for (const [name, [work, expected]] of Object.entries(WORK)) {
  test(`an overtaken run is fenced, though its node ${name}`, async () => {
    const saverOf = makeDisk();
    await assert.rejects(
      make(saverOf(), "nobody", () => assert.fail("down")).invoke({ log: ["go"] }, on),
      /down/,
    );
    const [begun, over] = [gateOf(), gateOf()];
    let seen;
    const first = make(saverOf(), "first", async (app) => {
      begun.open();
      await over.passed;
      seen = await work(app);
    }).invoke(null, on);
    await Promise.race([begun.passed, first]);
    const second = make(saverOf(), "second", idle);
    await second.invoke(null, on);
    over.open();
    await assert.rejects(first, { code: "FENCED" });
    assert.deepEqual(seen, expected);
    assert.deepEqual((await make(saverOf(), "third", idle).getState(on)).values.log, [
      "go",
      "a of second",
      "b of second",
    ]);
    assert.equal((await read(second.getStateHistory(on))).length, 4);
  });
}

test("who only reads a thread that another process went on with fences nobody", async () => {
  const saverOf = makeDisk();
  const here = make(saverOf(), "here", idle);
  await here.invoke({ log: ["one"] }, on);
  await make(saverOf(), "there", idle).invoke({ log: ["two"] }, on);
  const [looked, done] = await Promise.all([
    here.getState(on),
    here.invoke({ log: ["three"] }, on),
  ]);
  assert.deepEqual(looked.values.log.slice(0, 4), ["one", "a of here", "b of here", "two"]);
  assert.deepEqual(done.log, [
    "one",
    "a of here",
    "b of here",
    "two",
    "a of there",
    "b of there",
    "three",
    "a of here",
    "b of here",
  ]);
});
