// SPDX-License-Identifier: MIT
// What opening a long thread costs, counted and not timed: its log is read once, each byte of it, for the newest
// checkpoint and for any other; LangGraph's getTuple makes the one state that is asked for and copies no list on the way.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Annotation, HumanMessage, MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { KvSaver } from "weftgraph/savers/kv";
import { copyThread } from "weftgraph/savers/transfer";
import { LogReader } from "../../js/log/reader.js";
import { LogState } from "../../js/log/state.js";

const STEPS = 1000;
const on = (more) => ({ configurable: { thread_id: "t", ...more }, recursionLimit: STEPS + 10 });
const State = Annotation.Root({ ...MessagesAnnotation.spec, n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) });
const appOn = (checkpointer) =>
  new StateGraph(State)
    .addNode("say", ({ n }) => ({ n: 1, messages: [new HumanMessage({ content: `m${n}`, id: `m${n}` })] }))
    .addEdge(START, "say")
    .addConditionalEdges("say", ({ n }) => (n < STEPS ? "say" : "__end__"))
    .compile({ checkpointer });

const pairs = () => {
  const held = new Map();
  const put = (key, value) => void held.set(key, value.slice());
  return { get: (key) => held.get(key), put, delete: (key) => void held.delete(key), list: (prefix) => [...held.keys()].filter((key) => key.startsWith(prefix)), cas: (key, _, value) => (put(key, value), true) };
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

/** Elements that slices copied, states made by copying one, and records read while `work` ran. */
async function worked(work) {
  const { slice } = Array.prototype;
  const { apply } = LogState.prototype;
  const { read } = LogReader.prototype;
  const count = { copied: 0, states: 0, records: 0 };
  Array.prototype.slice = function (...given) {
    const part = slice.apply(this, given);
    count.copied += part.length;
    return part;
  };
  LogState.prototype.apply = function (...given) {
    count.states++;
    return apply.apply(this, given);
  };
  LogReader.prototype.read = function* (bytes) {
    for (const record of read.call(this, bytes)) {
      count.records++;
      yield record;
    }
  };
  try {
    return { result: await work(), count };
  } finally {
    Array.prototype.slice = slice;
    Object.assign(LogState.prototype, { apply });
    Object.assign(LogReader.prototype, { read });
  }
}

test("a long thread's log is read once, whichever checkpoint is opened", async () => {
  const first = new MemorySaver();
  await appOn(first).invoke({}, on());
  const ids = [];
  for await (const { config } of appOn(first).getStateHistory(on())) ids.push(config.configurable.checkpoint_id);
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
    const known = await asked(saver, () => appOn(saver).getState(on({ checkpoint_id: ids[500] })));
    assert.equal(known.result.values.messages.length, STEPS - 500);
    assert.ok(known.count.bytes <= bytes && known.count.reads <= 1);
  }
});

test("getTuple makes one state of a long thread", async () => {
  const saver = new MemorySaver();
  await appOn(saver).invoke({}, on());
  const tuples = [];
  for await (const tuple of saver.list(on())) tuples.push(tuple);
  const { seq } = saver.store.head("t");
  for (const at of [0, 1, 500, tuples.length - 1]) {
    const { result, count } = await worked(() => saver.getTuple(on({ checkpoint_id: at === 0 ? undefined : tuples[at].config.configurable.checkpoint_id })));
    assert.deepEqual(result, tuples[at]);
    assert.ok(count.records <= seq, `${count.records} records of ${seq}`);
    assert.ok(count.states < 10, `${count.states} states`);
    assert.ok(count.copied < 20 * STEPS, `${count.copied} elements`);
  }
});
