// SPDX-License-Identifier: MIT
// What a step stores beside channels that are overwritten (storage-cost): what is sent, asked,
// answered, returned, handed to a graph inside or taken in is often made of what the thread has;
// each commit holds what is new and at most 256 bytes more.
import assert from "node:assert/strict";
import test from "node:test";
import {
  Annotation,
  Command,
  END,
  MemorySaver,
  START,
  Send,
  StateGraph,
  entrypoint,
  getPreviousState,
  interrupt,
  task,
} from "weftgraph";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";

const DOCUMENT = Array.from({ length: 11_000 }, (_, i) => `word${(i * 7919) % 100_003}`)
  .join(" ")
  .slice(0, 100_000);
const State = Annotation.Root({
  doc: Annotation,
  n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  out: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
const on = (more) => ({ configurable: { thread_id: "1" }, recursionLimit: 60, ...more });
const over = (nodes, edge, options) => (checkpointer) => {
  const graph = new StateGraph(State);
  for (const [name, node] of Object.entries(nodes))
    graph.addNode(name, node, { ends: name === "a" && nodes.work ? ["work", END] : undefined });
  return (edge?.(graph.addEdge(START, "a")) ?? graph.addEdge(START, "a")).compile({
    checkpointer,
    ...options,
  });
};
const inner = (options, ...nodes) =>
  over(
    Object.fromEntries(nodes.map((node, i) => ["abc"[i], node])),
    (graph) => nodes.slice(1).reduce((built, _, i) => built.addEdge("abc"[i], "abc"[i + 1]), graph),
    options,
  )(undefined);
const grow = ({ doc }) => ({ n: 1, doc: `${doc}.` });
const count = () => ({ n: 1 });
const until =
  (most, next) =>
  ({ n }) =>
    n >= most ? END : next;
const shorten = task("shorten", async (text, at) => text.slice(at + 1));

/**
 * How a thread is made, what it is first given, what it is given then, and which commits hold a
 * document: the rest are small.
 */
const THREADS = {
  "Sends of the state": [
    over({ a: () => ({}), work: count }, (graph) =>
      graph.addConditionalEdges("a", (state) => [1, 2, 3, 4, 5].map(() => new Send("work", state))),
    ),
    [{ doc: DOCUMENT }],
  ],
  "Sends of a value and a number": [
    over({ a: () => ({}), work: count }, (graph) =>
      graph.addConditionalEdges("a", ({ doc }) =>
        [1, 2, 3].map((i) => new Send("work", { doc, i })),
      ),
    ),
    [{ doc: DOCUMENT }],
  ],
  "Commands that send": [
    over({
      a: ({ doc }) =>
        new Command({ goto: [new Send("work", { doc, i: 1 }), new Send("work", { doc, i: 2 })] }),
      work: count,
    }),
    [{ doc: DOCUMENT }],
  ],
  "the same long argument in each step": [
    over({ a: count, work: () => ({}) }, (graph) =>
      graph
        .addEdge("work", "a")
        .addConditionalEdges("a", ({ n }) =>
          n > 5 ? END : [new Send("work", { text: DOCUMENT, n })],
        ),
    ),
    [{}],
    [2],
  ],
  "a Command's update from another channel": [
    over({ a: ({ doc }) => new Command({ update: { out: [doc] } }) }),
    [{ doc: DOCUMENT }],
  ],
  "two tasks that write the same": [
    over(
      {
        a: () => ({}),
        b: ({ doc }) => ({ doc: `${doc}!` }),
        c: ({ doc }) => ({ out: [`${doc}!`] }),
      },
      (graph) => graph.addEdge("a", "b").addEdge("a", "c"),
    ),
    [{ doc: DOCUMENT }],
  ],
  "questions and an edited answer": [
    over({
      a: ({ doc }) => ({
        doc: interrupt({ doc, question: "so?" }).edited + interrupt({ doc, question: "sure?" }),
      }),
    }),
    [
      { doc: DOCUMENT },
      new Command({ resume: { edited: DOCUMENT.replace("word7919", "another") } }),
      new Command({ resume: "yes" }),
    ],
  ],
  "what a task wrote beside one that failed": [
    over(
      {
        a: () => ({}),
        b: ({ doc }) => ({ doc: `${doc}1` }),
        c: () => Promise.reject(new Error("down")),
      },
      (graph) => graph.addEdge("a", "b").addEdge("a", "c"),
    ),
    [{ doc: DOCUMENT }, null],
  ],
  "results of task()": [
    (checkpointer) =>
      entrypoint({ name: "e", checkpointer }, async (text) => {
        for (let i = 0; i < 3; i++) text = await shorten(text, i);
        return text;
      }),
    [DOCUMENT],
  ],
  "an entrypoint's value, and the one before": [
    (checkpointer) =>
      entrypoint(
        { name: "e", checkpointer },
        async (text) => (getPreviousState() ?? DOCUMENT) + text,
      ),
    ["a", "b", "c"],
    [1],
  ],
  "a graph inside, each round": [
    over({ a: inner({}, count, grow) }, (graph) => graph.addConditionalEdges("a", until(6, "a"))),
    [{ doc: DOCUMENT }],
  ],
  "a graph inside that keeps its state": [
    over({ a: inner({ checkpointer: true }, grow) }, (graph) =>
      graph.addConditionalEdges("a", until(7, "a")),
    ),
    [{ doc: DOCUMENT }],
  ],
  "a graph inside that asks": [
    over({ a: inner({}, count, () => ({ n: Number(interrupt("?")) })) }),
    [{ doc: DOCUMENT }, new Command({ resume: "1" })],
  ],
  "a graph that a node calls": [
    over({
      a: async ({ doc }) => {
        for (let i = 0; i < 3; i++) await called.invoke({ doc });
        return count();
      },
    }),
    [{ doc: DOCUMENT }],
  ],
  "the same input again, and an edited one": [
    over({ a: count }),
    [{ doc: DOCUMENT }, { doc: DOCUMENT }, { doc: `${DOCUMENT}.` }, { doc: `the ${DOCUMENT}` }],
  ],
  "a configuration with long metadata": [
    over({ a: count }, (graph) => graph.addConditionalEdges("a", until(4, "a"))),
    [{}],
    [],
    { metadata: { text: DOCUMENT } },
  ],
};
const called = inner({}, count, count);

for (const [name, [make, inputs, whole = [0], more]] of Object.entries(THREADS)) {
  test(`what is new, and at most 256 bytes: ${name}`, async (t) => {
    const saver = new MemorySaver();
    const sizes = [];
    const { append } = saver.store;
    saver.store.append = (id, commit, bytes, expected) => (
      sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
    );
    const graph = make(saver);
    const ends = [];
    for (const input of inputs)
      ends.push(await graph.invoke(input, on(more)).catch(({ message }) => message));
    const small = sizes.filter((_, commit) => !whole.includes(commit));
    // Sends of one commit: each is a change of its own.
    assert.ok(
      Math.max(...small) <= 256 + 40 * (name.startsWith("Sends") ? 4 : 0),
      `${name}: ${sizes}`,
    );
    for (const commit of whole)
      assert.ok(sizes[commit] < DOCUMENT.length + 400, `${name}: ${sizes}`);
    t.diagnostic(
      `at most ${Math.max(...small)} bytes in ${small.length} of ${sizes.length} commits`,
    );
    // Each way of reading gives what a graph that stores nothing as a patch would have: what the
    // nodes made.
    const told = async (from, list) => {
      const all = [];
      for await (const each of list(from)) all.push(each);
      return JSON.parse(JSON.stringify(all));
    };
    const tuples = (from) => from.list(on());
    const listed = await told(saver, tuples);
    const texts = JSON.stringify(listed).match(/word7919 |another /g) ?? [];
    assert.ok(listed.length > 1 && (more !== undefined || texts.length > 1));
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    assert.deepEqual(
      (await told(other, tuples)).map(({ checkpoint }) => checkpoint.channel_values),
      listed.map(({ checkpoint }) => checkpoint.channel_values),
    );
    const state = await graph.getState(on());
    assert.deepEqual((await make(other).getState(on())).values, state.values);
    const last = ends.at(-1);
    if (typeof last === "object")
      for (const key of Object.keys(state.values)) assert.deepEqual(last[key], state.values[key]);
    await pruneThread(saver, "1", { last: 1 });
    assert.deepEqual((await make(saver).getState(on())).values, state.values);
  });
}

test("Sends, questions and their arguments are read as they were, also by another process", async () => {
  const saver = new MemorySaver();
  const make = over(
    { a: () => ({}), work: ({ doc, i }) => ({ out: [interrupt({ doc, i }) + doc.length + i] }) },
    (graph) =>
      graph.addConditionalEdges("a", ({ doc }) =>
        [1, 2].map((i) => new Send("work", { doc: `${i}${doc}`, i })),
      ),
  );
  await make(saver).invoke({ doc: DOCUMENT }, on());
  const other = new MemorySaver();
  await importThread(other, await exportThread(saver, "1"));
  for (const from of [saver, other]) {
    const { tasks } = await make(from).getState(on());
    assert.deepEqual(
      tasks.map(({ interrupts }) => interrupts[0].value),
      [1, 2].map((i) => ({ doc: `${i}${DOCUMENT}`, i })),
    );
    const { checkpoint, pendingWrites } = await from.getTuple(on());
    assert.deepEqual(
      checkpoint.channel_values.__pregel_tasks?.map(({ args }) => args) ?? [],
      [1, 2].map((i) => ({ doc: `${i}${DOCUMENT}`, i })),
    );
    assert.deepEqual(
      pendingWrites
        .filter(([, channel]) => channel === "__interrupt__")
        .map(([, , [{ value }]]) => value.doc.length),
      [100_001, 100_001],
    );
  }
  assert.deepEqual((await make(saver).invoke(new Command({ resume: "ok" }), on())).out, [
    "ok1000011",
    "ok1000012",
  ]);
});
