// SPDX-License-Identifier: MIT
// Serves: a run without a saver (docs/semantics.md 6 to 9, 11): order of applying, reducers, Sends,
// conditional edges, errors of nodes and reducers, recursion, abort, streams in order; nothing is
// left in the engine afterwards.
// Own process: counts what is left in the engine, which other files also use.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { END_INDEX } from "../../js/run/start.js";
import { AIMessage, HumanMessage, RemoveMessage } from "weftgraph/messages";
import { SmallGraph, alive } from "./small-graph.mjs";

const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
const line = (...names) => names.slice(1).map((name, i) => [names[i], name]);

after(async () => {
  const left = await alive();
  assert.deepEqual(left, { slots: 0, values: 0, tenants: 0 });
});

test("a chain of synchronous and asynchronous nodes", async () => {
  const graph = new SmallGraph({
    channels: { x: "last", s: "last" },
    nodes: {
      a: ({ x }) => ({ x: x + 1 }),
      b: async ({ x }) => (await tick(), { x: x * 2 }),
      c: ({ x }) => ({ s: `got ${x}` }),
    },
    edges: line("__start__", "a", "b", "c", "__end__"),
  });
  assert.deepEqual(await graph.invoke({ x: 1 }), { x: 4, s: "got 4" });
  assert.deepEqual(await graph.invoke({ x: 10.5 }), { x: 23, s: "got 23" });
});

test("nothing of a run happens inside the call that starts it", async () => {
  let ran = false;
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: () => ((ran = true), { x: 1 }) },
    edges: [["__start__", "a"]],
  });
  const promise = graph.invoke({ x: 0 });
  assert.equal(ran, false);
  await promise;
  assert.equal(ran, true);
});

test("parallel writes are folded in the order of names, whichever task ended first", async () => {
  const late = (ms, text) => async () => (
    await new Promise((resolve) => setTimeout(resolve, ms)), { log: [text] }
  );
  const graph = new SmallGraph({
    channels: {
      log: {
        kind: "binop",
        reducer: (left, right) => left.concat(right),
        makeDefault: () => ["start"],
      },
    },
    nodes: {
      c: () => ({ log: ["c"] }),
      a: late(15, "a"),
      b: late(1, "b"),
      end: ({ log }) => ({ log: [log.length] }),
    },
    edges: [
      ["__start__", "a"],
      ["__start__", "b"],
      ["__start__", "c"],
    ],
    joins: [[["a", "b", "c"], "end"]],
  });
  assert.deepEqual(await graph.invoke({ log: ["in"] }), { log: ["start", "in", "a", "b", "c", 5] });
});

test("a reducer that throws ends the run with its error", async () => {
  const boom = new Error("no sum");
  const reducer = () => {
    throw boom;
  };
  const graph = new SmallGraph({
    channels: { x: { kind: "binop", reducer, makeDefault: () => 0 } },
    nodes: { a: () => ({ x: 1 }) },
    edges: [["__start__", "a"]],
  });
  await assert.rejects(graph.invoke({ x: 1 }), (error) => error === boom);
});

test("messages: replaced by id, appended, removed; ids are given in place; lists handed out are fresh", async () => {
  const seen = [];
  const first = new HumanMessage("hello");
  const graph = new SmallGraph({
    channels: { messages: { kind: "messages", makeDefault: () => [] } },
    nodes: {
      a: ({ messages }) => (
        seen.push(messages.length),
        messages.push("mine"),
        {
          messages: [
            new AIMessage({ content: "one", id: "1" }),
            new AIMessage({ content: "two", id: "2" }),
          ],
        }
      ),
      b: ({ messages }) => (
        seen.push(messages.length),
        { messages: [new AIMessage({ content: "uno", id: "1" }), new RemoveMessage({ id: "2" })] }
      ),
    },
    edges: line("__start__", "a", "b"),
  });
  const { messages } = await graph.invoke({ messages: [first] });
  assert.deepEqual(seen, [1, 3]);
  assert.deepEqual(
    messages.map((message) => message.content),
    ["hello", "uno"],
  );
  assert.equal(messages[0], first);
  assert.match(first.id, /^[0-9a-f-]{36}$/);
});

test("conditional edges: labels, END, Sends with their own input, in order of the Sends", async () => {
  const graph = new SmallGraph({
    channels: {
      n: "last",
      out: { kind: "binop", reducer: (a, b) => a.concat(b), makeDefault: () => [] },
    },
    nodes: {
      split: () => ({}),
      work: (arg) => ({ out: [arg.i * 10] }),
      loop: ({ n }) => ({ n: n + 1 }),
    },
    edges: [["__start__", "split"]],
    branches: [
      {
        from: "split",
        choose: () => [["work", { i: 3 }], ["work", { i: 1 }], ["work", { i: 2 }], 3],
      },
      {
        from: "loop",
        ends: [
          ["again", "loop"],
          ["stop", "__end__"],
        ],
        choose: ({ n }) => [n < 3 ? 0 : 1],
      },
    ],
  });
  assert.deepEqual(await graph.invoke({ n: 0 }), { n: 3, out: [30, 10, 20] });
  const ends = new SmallGraph({
    channels: { n: "last" },
    nodes: { a: () => ({ n: 1 }), b: () => ({ n: 2 }) },
    edges: [["__start__", "a"]],
    branches: [{ from: "a", choose: () => [END_INDEX] }],
  });
  assert.deepEqual(await ends.invoke({ n: 0 }), { n: 1 });
});

test("5,000 Sends in one step, past the limits of one block and one batch", async () => {
  const graph = new SmallGraph({
    channels: { sum: { kind: "binop", reducer: (a, b) => a + b, makeDefault: () => 0 } },
    nodes: {
      split: () => ({}),
      work: async (arg) => ({ sum: arg }),
      sync: (arg) => ({ sum: arg }),
    },
    edges: [["__start__", "split"]],
    branches: [
      {
        from: "split",
        choose: () => Array.from({ length: 5000 }, (_, i) => [i % 2 ? "work" : "sync", i]),
      },
    ],
  });
  assert.deepEqual(await graph.invoke({ sum: 0 }), { sum: (4999 * 5000) / 2 });
});

test("the error of a node is the run's, siblings are told", async () => {
  const boom = new Error("boom");
  let aborted;
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: {
      bad: async () => {
        await tick();
        throw boom;
      },
      slow: (_, task) =>
        new Promise((resolve) =>
          task.signal.addEventListener("abort", () => ((aborted = true), resolve({ x: 1 }))),
        ),
    },
    edges: [
      ["__start__", "bad"],
      ["__start__", "slow"],
    ],
  });
  await assert.rejects(graph.invoke({ x: 0 }), (error) => error === boom);
  assert.equal(aborted, true);
});

test("several errors of one step are an AggregateError in task order; a thrown undefined is an error too", async () => {
  const fail = (error) => () => {
    throw error;
  };
  const [one, two] = [new Error("1"), new Error("2")];
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { b: fail(two), a: fail(one) },
    edges: [
      ["__start__", "a"],
      ["__start__", "b"],
    ],
  });
  await assert.rejects(
    graph.invoke({ x: 0 }),
    (error) =>
      error instanceof AggregateError &&
      error.errors[0] === one &&
      error.errors[1] === two &&
      /superstep 1\./.test(error.message),
  );
  const odd = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: fail(undefined) },
    edges: [["__start__", "a"]],
  });
  await assert.rejects(odd.invoke({ x: 0 }), (error) => error === undefined);
});

test("two writes to one LastValue: the text shows channel and values", async () => {
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: () => ({ x: { v: 1 } }), b: () => ({ x: 2 }) },
    edges: [
      ["__start__", "a"],
      ["__start__", "b"],
    ],
  });
  await assert.rejects(graph.invoke({ x: 0 }), {
    name: "InvalidUpdateError",
    lc_error_code: "INVALID_CONCURRENT_GRAPH_UPDATE",
    message:
      /^Invalid update for channel "x" with values \[\{"v":1\},2\]: LastValue can only receive one value per step\./,
  });
});

test("recursion: L-1 user steps complete, one more does not", async () => {
  const graph = new SmallGraph({
    channels: { n: "last" },
    nodes: { loop: ({ n }) => ({ n: n + 1 }) },
    edges: [["__start__", "loop"]],
    branches: [
      {
        from: "loop",
        ends: [
          ["again", "loop"],
          ["stop", "__end__"],
        ],
        choose: ({ n }) => [n < 9 ? 0 : 1],
      },
    ],
  });
  assert.deepEqual(await graph.invoke({ n: 0 }, { recursionLimit: 10 }), { n: 9 });
  await assert.rejects(graph.invoke({ n: 0 }, { recursionLimit: 9 }), {
    name: "GraphRecursionError",
    message: /Recursion limit of 9 reached/,
  });
});

test("no input is an EmptyInputError; building errors throw at once", async () => {
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: () => ({}) },
    edges: [["__start__", "a"]],
  });
  await assert.rejects(graph.invoke(null), { name: "EmptyInputError" });
  assert.throws(
    () =>
      new SmallGraph({
        channels: { x: "last" },
        nodes: { a: () => ({}) },
        edges: [
          ["__start__", "a"],
          ["a", "b"],
        ],
      }),
    /unknown node `b`/,
  );
  assert.throws(() => new SmallGraph({ channels: { x: "last" }, nodes: { a: () => ({}) } }), {
    name: "UnreachableNodeError",
  });
});

test("an abort from outside rejects at once and reaches the node's signal; later results are ignored", async () => {
  const controller = new AbortController();
  const reached = [];
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: {
      a: async (_, task) => {
        task.signal.addEventListener("abort", () => reached.push("node"));
        setTimeout(() => controller.abort(new Error("enough")), 0);
        await once(task.signal, "abort");
        await tick();
        return { x: 1 };
      },
    },
    edges: [["__start__", "a"]],
  });
  const promise = graph.invoke({ x: 0 }, { signal: controller.signal });
  await assert.rejects(promise, { message: "enough" });
  assert.deepEqual(reached, ["node"]);
  await tick();
  await tick();
  await assert.rejects(graph.invoke({ x: 0 }, { signal: AbortSignal.abort() }), {
    name: "AbortError",
  });
});

test("a stream is told in order, one turn before the next step", async () => {
  const told = [];
  const sink = {
    values: (state) => told.push({ values: state }),
    updates: (task) => told.push({ [task.name]: task.writes.list }),
    turn: async () => told.push("turn"),
  };
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: () => ({ x: 1 }), b: async () => ({ x: 2 }) },
    edges: line("__start__", "a", "b"),
  });
  const run = graph.start({ x: 0 }, { sink, wantValues: true, wantUpdates: true });
  await run.promise;
  assert.deepEqual(
    told.filter((entry) => entry !== "turn"),
    [
      { values: { x: 0 } },
      { a: [[0, 1]] },
      { values: { x: 1 } },
      { b: [[0, 2]] },
      { values: { x: 2 } },
    ],
  );
  assert.ok(told.indexOf("turn") < told.findIndex((entry) => entry.b));
});

test("a run inside a node, and 200 runs at once", async () => {
  const inner = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: ({ x }) => ({ x: x + 0.5 }) },
    edges: [["__start__", "a"]],
  });
  const outer = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: async ({ x }) => inner.invoke({ x: x * 2 }) },
    edges: [["__start__", "a"]],
  });
  const results = await Promise.all(Array.from({ length: 200 }, (_, i) => outer.invoke({ x: i })));
  results.forEach((result, i) => assert.deepEqual(result, { x: i * 2 + 0.5 }));
});

test("breakpoints before and after nodes need a saver to go on, not to stop", async () => {
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: () => ({ x: 1 }), b: () => ({ x: 2 }) },
    edges: line("__start__", "a", "b"),
  });
  assert.deepEqual(await graph.invoke({ x: 0 }, { interruptBefore: ["b"] }), {
    x: 1,
    __interrupt__: [],
  });
  assert.deepEqual(await graph.invoke({ x: 0 }, { interruptAfter: "*" }), {
    x: 1,
    __interrupt__: [],
  });
  await assert.rejects(
    graph.invoke({ x: 0 }, { interruptBefore: ["nobody"] }),
    /Interrupt node `nobody` is not present/,
  );
});
