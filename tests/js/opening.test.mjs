// SPDX-License-Identifier: MIT
// What opening a long thread costs, counted and not timed: its log is read once, each byte of it,
// for the newest checkpoint and for any other; LangGraph's getTuple makes the one state that is
// asked for and copies no list on the way.
// Own process: takes as long as many other files.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  Annotation,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  StateSchema,
  UntrackedValue,
  init,
} from "weftgraph";
import { KvSaver } from "weftgraph/savers/kv";
import { copyThread } from "weftgraph/savers/transfer";
import { readingCost } from "../../js/log/patch.js";

const STEPS = 500;
const on = (more) => ({ configurable: { thread_id: "t", ...more }, recursionLimit: STEPS + 10 });
const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
});
const appOn = (checkpointer, steps = STEPS) =>
  new StateGraph(State)
    .addNode("say", ({ n }) => ({
      n: 1,
      messages: [new HumanMessage({ content: `m${n}`, id: `m${n}` })],
    }))
    .addEdge(START, "say")
    .addConditionalEdges("say", ({ n }) => (n < steps ? "say" : "__end__"))
    .compile({ checkpointer });

const pairs = () => {
  const held = new Map();
  const put = (key, value) => void held.set(key, value.slice());
  return {
    get: (key) => held.get(key),
    put,
    delete: (key) => void held.delete(key),
    list: (prefix) => [...held.keys()].filter((key) => key.startsWith(prefix)),
    cas: (key, _, value) => (put(key, value), true),
  };
};

/** What a saver's store was asked for while `work` ran. */
async function asked(saver, work) {
  const { store } = saver;
  const { read, head } = store;
  const count = { reads: 0, heads: 0, bytes: 0 };
  store.read = async (...given) => {
    const pieces = await read.apply(store, given);
    count.reads++;
    for (const { length } of pieces) count.bytes += length;
    return pieces;
  };
  store.head = (...given) => (count.heads++, head.apply(store, given));
  try {
    return { result: await work(), count };
  } finally {
    Object.assign(store, { read, head });
  }
}

/**
 * Elements that slices copied, states that were made, and steps of which they were made, while
 * `work` ran.
 */
async function worked(work) {
  const { slice } = Array.prototype;
  const { states, steps } = readingCost;
  const count = { copied: 0, states: 0, steps: 0 };
  Array.prototype.slice = function (...given) {
    const part = slice.apply(this, given);
    count.copied += part.length;
    return part;
  };
  try {
    const result = await work();
    count.states = readingCost.states - states;
    count.steps = readingCost.steps - steps;
    return { result, count };
  } finally {
    Array.prototype.slice = slice;
  }
}

test("a long thread's log is read once, whichever checkpoint is opened", async () => {
  const first = new MemorySaver();
  await appOn(first).invoke({}, on());
  const ids = [];
  for await (const { config } of appOn(first).getStateHistory(on()))
    ids.push(config.configurable.checkpoint_id);
  assert.ok(ids.length > STEPS);
  const one = new MemorySaver();
  await copyThread(first, "t", "t", one);
  const kv = new KvSaver(pairs());
  await copyThread(first, "t", "t", kv);
  assert.equal((await one.store.read("t")).length, 1);
  for (const saver of [one, kv]) {
    const bytes = await saver.byteLength("t");
    const { result, count } = await asked(saver, () => appOn(saver).getState(on()));
    assert.equal(result.values.n, STEPS);
    assert.deepEqual(count, { reads: 1, heads: 1, bytes });
    const known = await asked(saver, () => appOn(saver).getState(on({ checkpoint_id: ids[200] })));
    assert.equal(known.result.values.messages.length, STEPS - 200);
    assert.ok(known.count.bytes <= bytes && known.count.reads <= 1);
  }
});

const listed = async (saver, options) => {
  const tuples = [];
  for await (const tuple of saver.list(on(), options)) tuples.push(tuple);
  return tuples;
};

test("getTuple makes one state of a long thread", async () => {
  const saver = new MemorySaver();
  await appOn(saver).invoke({}, on());
  const tuples = await listed(saver);
  const { seq } = saver.store.head("t");
  for (const at of [0, 1, 200, tuples.length - 1]) {
    const { result, count } = await worked(() =>
      saver.getTuple(
        on({ checkpoint_id: at === 0 ? undefined : tuples[at].config.configurable.checkpoint_id }),
      ),
    );
    assert.deepEqual(result, tuples[at]);
    assert.ok(count.steps <= seq, `${count.steps} steps of ${seq}`);
    assert.ok(count.states < 10, `${count.states} states`);
    assert.ok(count.copied < 20 * STEPS, `${count.copied} elements`);
  }
});

test("list is one pass: what it does not give it does not make", async () => {
  const saver = new MemorySaver();
  await appOn(saver).invoke({}, on());
  const all = await worked(() => listed(saver));
  const tuples = all.result;
  assert.equal(tuples.length, STEPS + 2);
  // Each step once to come to the newest, and once more on the way back.
  assert.ok(all.count.steps <= 2.2 * tuples.length, `${all.count.steps} steps`);
  const before = tuples[300].config;
  for (const [options, expected, steps] of [
    [{ limit: 1 }, tuples.slice(0, 1), tuples.length],
    [{ limit: 10 }, tuples.slice(0, 10), tuples.length + 80],
    [{ before, limit: 5 }, tuples.slice(301, 306), tuples.length - 300 + 80],
    [{ filter: { step: 200 } }, tuples.filter(({ metadata }) => metadata.step === 200), 210],
    [{ limit: 0 }, [], 0],
  ]) {
    const { result, count } = await asked(saver, () => worked(() => listed(saver, options)));
    assert.deepEqual(result.result, expected);
    assert.ok(
      result.count.steps <= steps,
      `${JSON.stringify(options)}: ${result.count.steps} steps`,
    );
    assert.ok(count.reads <= 1);
  }
  // A loop that is left early makes no more.
  const { count } = await worked(async () => {
    for await (const { metadata } of saver.list(on())) if (metadata.step < STEPS - 20) break;
  });
  assert.ok(count.steps <= tuples.length + 80, `${count.steps} steps`);
  // Threads are read one by one, as far as they are asked for.
  for (let n = 0; n < 5; n++) await copyThread(saver, "t", `u${n}`);
  const some = await asked(saver, async () => {
    let seen = 0;
    for await (const _ of saver.list({ configurable: {} }, { limit: tuples.length + 3 })) seen++;
    return seen;
  });
  assert.deepEqual([some.result, some.count.reads], [tuples.length + 3, 2]);
});

test("a thread of any length is few pieces in a storage of pairs, and none of them is rewritten often", async () => {
  const kv = pairs();
  let put = 0;
  const counted = {
    ...kv,
    put: (key, value) => ((put += key.includes("/p/") ? value.length : 0), kv.put(key, value)),
  };
  const saver = new KvSaver(counted);
  await appOn(saver).invoke({}, on());
  const bytes = await saver.byteLength("t");
  let gets = 0;
  const fresh = new KvSaver({ ...kv, get: (key) => (gets++, kv.get(key)) });
  assert.equal((await appOn(fresh).getState(on())).values.n, STEPS);
  // Commits since the last fold, segments that double, and the heads.
  assert.ok(gets < 64 + 16, `${gets} gets`);
  assert.ok(put < 8 * bytes, `${put} bytes put for ${bytes}`);
});

test("neither a long history nor many threads use up the engine's memory", async () => {
  const saver = new MemorySaver();
  const app = new StateGraph(Annotation.Root({ text: Annotation() }))
    .addNode("a", () => ({}))
    .addEdge(START, "a")
    .compile({ checkpointer: saver });
  await init(
    new Uint8Array(readFileSync(new URL("../../js/engine/generated/engine.wasm", import.meta.url))),
    { memoryLimit: 16 * 1024 * 1024 },
  );
  const text = "x".repeat(200_000);
  for (let n = 0; n < 100; n++)
    await app.invoke({ text }, { configurable: { thread_id: `big ${n}` } });
  assert.equal((await app.getState({ configurable: { thread_id: "big 0" } })).values.text, text);
  await appOn(saver, 1000).invoke({}, { ...on(), recursionLimit: 1010 });
  let shown = 0;
  for await (const { values } of appOn(saver).getStateHistory(on()))
    shown += (values.messages ?? []).length;
  assert.equal(shown, (1000 * 1001) / 2);
});

test("whoever puts checkpoints step by step reads the thread once, and again when somebody else wrote to it", async () => {
  const kv = pairs();
  const saver = new KvSaver(kv);
  const other = new KvSaver(kv);
  const put = async (by, n, parent) => {
    const id = `1f000000-0000-6000-8000-${String(n).padStart(12, "0")}`;
    const config = { configurable: { thread_id: "p", checkpoint_ns: "", checkpoint_id: parent } };
    const at = await by.put(
      config,
      {
        v: 4,
        id,
        ts: "",
        channel_values: { n, list: Array.from({ length: n }, (_, i) => i) },
        channel_versions: { n, list: n },
        versions_seen: {},
      },
      { source: "loop", step: n, parents: {} },
      { n, list: n },
    );
    await by.putWrites(at, [["n", n + 1]], "00000000-0000-5000-8000-000000000001");
    return id;
  };
  let parent;
  const first = await asked(saver, async () => {
    for (let n = 1; n <= 60; n++) parent = await put(saver, n, parent);
  });
  // A garbage collection may make it read once more.
  assert.ok(first.count.reads <= 5, `${first.count.reads} reads`);
  parent = await put(other, 61, parent);
  const second = await asked(saver, async () => {
    for (let n = 62; n <= 70; n++) parent = await put(saver, n, parent);
  });
  assert.ok(second.count.reads >= 1 && second.count.reads <= 4, `${second.count.reads} reads`);
  const tuples = [];
  for await (const tuple of new KvSaver(kv).list({ configurable: { thread_id: "p" } }))
    tuples.push(tuple);
  assert.deepEqual(
    tuples.map(({ checkpoint, pendingWrites }) => [
      checkpoint.channel_values.n,
      checkpoint.channel_values.list.length,
      pendingWrites.length,
    ]),
    Array.from({ length: 70 }, (_, i) => [70 - i, 70 - i, 1]),
  );
});

test("a graph with a value that is never saved goes on from what it kept, and the value ends with its run", async () => {
  const saver = new MemorySaver();
  const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
  const seen = [];
  const begun = {
    "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value ?? "begun" }) },
  };
  const app = new StateGraph(
    new StateSchema({ n: any, live: new UntrackedValue(), fresh: new UntrackedValue(begun) }),
  )
    .addNode(
      "a",
      (state) => (
        seen.push(state), { n: state.n + 1, live: new Map([[state.n, 1]]), fresh: "set" }
      ),
    )
    .addNode("b", (state) => void seen.push(state))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: saver });
  await app.invoke({ n: 1 }, on());
  const { count } = await asked(saver, () => app.invoke({ n: 2 }, on()));
  assert.equal(count.reads, 0);
  assert.deepEqual(
    seen.slice(2).map(({ n, live, fresh }) => [n, live?.size, fresh]),
    [
      [2, undefined, "begun"],
      [3, 1, "set"],
    ],
  );
  assert.deepEqual((await app.getState(on())).values, { n: 3, fresh: "begun" });
});
