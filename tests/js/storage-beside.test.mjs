// SPDX-License-Identifier: MIT
// States of several large channels that are sent, or handed to graphs inside: also the first time
// each commit holds no more than what is new, whatever stands before or behind the list.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  Annotation,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
} from "weftgraph";
import { Topic } from "weftgraph/channels";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { arrivals } from "./arrivals.mjs";

const on = { configurable: { thread_id: "1" } };
const words = (seed, count = 2700) =>
  Array.from({ length: count }, (_, i) => `w${(i * 7919 * (seed + 1) + seed * 31) % 100_003}`).join(
    " ",
  );
const messages = Array.from(
  { length: 90 },
  (_, i) =>
    new (i % 2 ? AIMessage : HumanMessage)({ content: `${i} ${words(i, 25)}`, id: `m${i}` }),
);
const list = MessagesAnnotation.spec.messages;
const plain = () => Annotation();

/** A state's channels, and what they hold before the first turn. */
const STATES = {
  "a list and a document": [
    { messages: list, doc: plain() },
    { messages, doc: words(1) },
  ],
  "a document and a list": [
    { doc: plain(), messages: list },
    { doc: words(1), messages },
  ],
  "a document, a list and an object": [
    { doc: plain(), messages: list, table: plain() },
    {
      doc: words(1),
      messages,
      table: Object.fromEntries(messages.map(({ id }, i) => [id, words(100 + i, 25)])),
    },
  ],
  "two documents": [
    { doc: plain(), other: plain() },
    { doc: words(1), other: words(2) },
  ],
  "three documents and a short one": [
    { doc: plain(), other: plain(), short: plain(), third: plain() },
    { doc: words(1), other: words(2), short: "short", third: words(3) },
  ],
  "a list of a reducer and a list": [
    {
      notes: Annotation({ reducer: (all, more) => [...all, ...more], default: () => [] }),
      messages: list,
    },
    { notes: messages.map(({ content }) => content), messages },
  ],
  "a topic and a document": [
    { topic: () => new Topic({ accumulate: true }), doc: plain() },
    { topic: messages.map(({ content }) => content), doc: words(1) },
  ],
};

const inner = (spec) =>
  new StateGraph(Annotation.Root(spec))
    .addNode("look", () => ({}))
    .addEdge(START, "look")
    .compile();
const sending = (node, make) => (spec, checkpointer) =>
  new StateGraph(Annotation.Root({ ...spec, n: Annotation }))
    .addNode("plan", () => ({}))
    .addNode("work", node(spec))
    .addEdge(START, "plan")
    .addConditionalEdges(
      "plan",
      (state) => [0, 1, 2].map((n) => new Send("work", make(state, n))),
      ["work"],
    )
    .compile({ checkpointer });

const SHAPES = {
  "Sends that differ": sending(
    () => () => ({}),
    (state, n) => ({ ...state, n }),
  ),
  "Sends of the state": sending(
    () => () => ({}),
    (state) => state,
  ),
  "Sends to a node that calls a graph": sending(
    (spec) => async (state) => (await inner(spec).invoke(state), {}),
    (state, n) => ({ ...state, n }),
  ),
  "a graph as a node": (spec, checkpointer) =>
    new StateGraph(Annotation.Root({ ...spec, n: Annotation }))
      .addNode("work", inner(spec))
      .addEdge(START, "work")
      .compile({ checkpointer }),
};

const told = async (tuples) => {
  const all = [];
  for await (const { checkpoint, pendingWrites } of tuples)
    all.push([checkpoint.channel_values, pendingWrites]);
  return JSON.parse(JSON.stringify(all));
};

for (const [shape, make] of Object.entries(SHAPES)) {
  for (const [name, [spec, first]] of Object.entries(STATES)) {
    // What a reducer or a topic is given again by the graph inside is new.
    if (
      shape === "a graph as a node" &&
      (name.startsWith("a list of a reducer") || name.startsWith("a topic"))
    )
      continue;
    test(`the first time costs what is new: ${shape}, ${name}`, async () => {
      const { commits, arrive } = arrivals();
      await make(spec, await arrive()).updateState(on, first);
      const before = commits.length;
      for (let turn = 0; turn < 3; turn++) await make(spec, await arrive()).invoke({ n: turn }, on);
      // Three Sends, their numbers, and the record that says what they are made of.
      const sizes = commits.slice(before).map(([, bytes]) => bytes.length);
      assert.ok(Math.max(...sizes) <= 512, `${sizes}`);
      // Every way of reading tells the same.
      const all = await told((await arrive()).list({ configurable: { thread_id: "1" } }));
      const texts = all
        .flatMap(([values, writes = []]) => [
          values.__start__,
          ...writes
            .filter(([, channel]) => channel === "__pregel_tasks")
            .map(([, , send]) => send.args),
        ])
        .filter((given) => given !== undefined && Object.keys(first).every((key) => key in given));
      assert.ok(texts.length >= 3);
      const expected = JSON.parse(JSON.stringify(first));
      for (const given of texts)
        for (const key of Object.keys(first)) assert.deepEqual(given[key], expected[key]);
      const other = new MemorySaver();
      await importThread(other, await exportThread(await arrive(), "1"));
      assert.deepEqual(await told(other.list({ configurable: { thread_id: "1" } })), all);
      assert.ok(
        (await other.byteLength("1")) <=
          commits.reduce((sum, [, bytes]) => sum + bytes.length, 0) + 1000,
      );
      const values = JSON.parse(JSON.stringify((await make(spec, other).getState(on)).values));
      for (const key of Object.keys(first)) assert.deepEqual(values[key], expected[key]);
      await pruneThread(other, "1", { last: 1 });
      assert.deepEqual(
        JSON.parse(JSON.stringify((await make(spec, other).getState(on)).values)),
        values,
      );
    });
  }
}
