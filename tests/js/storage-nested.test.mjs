// SPDX-License-Identifier: MIT
// What a conversation stores whose answers come from graphs inside one another: what its records
// have in common is told once, so that it takes no more than twice its text with one graph inside,
// and each commit its change and 256 bytes.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "weftgraph";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";

const on = { configurable: { thread_id: "1" } };
const TURNS = 60;
const LENGTH = 500;
/** Bytes around the text of a message. */
const AROUND = 110;
/** 500 bytes that are like no others. */
const words = (at) =>
  Array.from({ length: 120 }, (_, i) => ((i * 7919 + at * 104_729) % 1_000_003).toString(36))
    .join(" ")
    .slice(0, LENGTH);
const around = (node) =>
  new StateGraph(MessagesAnnotation).addNode("inside", node).addEdge(START, "inside");
const answer = ({ messages }) => ({ messages: new AIMessage(words(messages.length)) });
const graphOf = (levels, checkpointer) =>
  Array.from({ length: levels })
    .reduce((graph) => around(graph.compile()), around(answer))
    .compile({ checkpointer });
const said = (at) => ({ messages: new HumanMessage(words(at)) });

async function told(list) {
  const all = [];
  for await (const each of list) all.push(each);
  return JSON.parse(JSON.stringify(all));
}
const listed = async (saver) =>
  (await told(saver.list({ configurable: { thread_id: "1" } }))).map(
    ({ checkpoint, metadata, pendingWrites, parentConfig }) => [
      checkpoint,
      metadata,
      pendingWrites,
      parentConfig,
    ],
  );
const formatsOf = (bytes) => {
  const formats = [];
  for (
    let at = 0;
    at < bytes.length;
    at += 48 + new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(8, true)
  )
    formats.push(bytes[at + 4]);
  return formats;
};

for (const [name, levels, most] of [
  ["a graph inside", 1, 1.9],
  ["a graph in a graph inside", 2, 2.35],
  ["three graphs inside one another", 3, 2.9],
]) {
  test(`a conversation with ${name} takes at most ${most} times its text`, async (t) => {
    const saver = new MemorySaver();
    const { append } = saver.store;
    let sizes = [];
    saver.store.append = (id, commit, bytes, expected) => (
      sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
    );
    let graph = graphOf(levels, saver);
    for (let turn = 0; turn < TURNS; turn++) {
      sizes = [];
      // Some turns are another graph's, which reads the log first.
      if (turn % 10 === 9) graph = graphOf(levels, saver);
      await graph.invoke(said(2 * turn), on);
      // The question and the answer come each in a commit of its own.
      assert.ok(Math.max(...sizes) <= LENGTH + AROUND + 256, `${sizes}`);
      assert.equal(sizes.filter((size) => size > 256).length, 2, `${sizes}`);
    }
    const stored = await saver.byteLength("1");
    t.diagnostic(`${(stored / (2 * TURNS * LENGTH)).toFixed(2)} times its text`);
    assert.ok(stored <= most * 2 * TURNS * LENGTH, `${stored} bytes`);
    // An export says the same, in as many bytes, and what stays of a pruned thread.
    const all = await listed(saver);
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    assert.deepEqual(await listed(other), all);
    assert.ok((await other.byteLength("1")) <= stored * 1.01);
    const states = async (from) =>
      (await told(graphOf(levels, from).getStateHistory(on))).map(({ values }) => values);
    assert.deepEqual(await states(other), await states(saver));
    const at = all.length - 5;
    const past = {
      configurable: { thread_id: "1", checkpoint_id: all[at][0].id, checkpoint_ns: "" },
    };
    assert.deepEqual(
      (await graphOf(levels, saver).getState(past)).values,
      (await graphOf(levels, other).getState(past)).values,
    );
    await pruneThread(saver, "1", { last: 2 });
    const ends = await Promise.all(
      [saver, other].map((each) => graphOf(levels, each).invoke(said(2 * TURNS), on)),
    );
    assert.deepEqual(...ends.map(({ messages }) => messages.map(({ content }) => content)));
    assert.deepEqual(
      ends[0].messages.map(({ content }, number) => [number, content]),
      ends[0].messages.map((_, number) => [number, words(number)]),
    );
  });
}

test("a thread in which no graph runs inside is stored as versions before read it", async () => {
  const saver = new MemorySaver();
  for (let turn = 0; turn < 3; turn++) await graphOf(0, saver).invoke(said(2 * turn), on);
  assert.ok(formatsOf(Buffer.concat(saver.store.read("1"))).every((format) => format < 4));
  await graphOf(1, saver).invoke(said(6), on);
  assert.ok(formatsOf(Buffer.concat(saver.store.read("1"))).includes(4));
});

test("turns of two processes in turn take from what is there", async () => {
  const { store } = new MemorySaver();
  const saverOf = () => Object.assign(new MemorySaver(), { store });
  const stale = graphOf(2, saverOf());
  let ended = 0;
  const run = (graph) =>
    graph.invoke(said(2 * ended), on).then(
      () => ended++,
      (error) => assert.equal(error.code, "FENCED"),
    );
  for (let round = 0; round < 4; round++) {
    await run(stale);
    await run(graphOf(2, saverOf()));
  }
  assert.ok(ended >= 6);
  const saver = saverOf();
  const { messages } = (await graphOf(2, saver).getState(on)).values;
  assert.deepEqual(
    messages.map(({ content }) => content),
    Array.from({ length: 2 * ended }, (_, at) => words(at)),
  );
  assert.deepEqual(
    JSON.parse(JSON.stringify(messages)),
    (await told(saver.list(on, { limit: 1 })))[0].checkpoint.channel_values.messages,
  );
});

test("a pruned thread is gone on with by the process that wrote what is gone", async () => {
  const saver = new MemorySaver();
  const graph = graphOf(1, saver);
  for (let turn = 0; turn < 4; turn++) {
    await graph.invoke(said(2 * turn), on);
    await pruneThread(saver, "1", { last: 1 });
    await graph.invoke(said(100 + turn), on);
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    assert.deepEqual(
      (await graphOf(1, other).getState(on)).values,
      (await graph.getState(on)).values,
    );
  }
  assert.equal((await graph.getState(on)).values.messages.length, 16);
});
