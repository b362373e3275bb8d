// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 12 (getState, getStateHistory, updateState, fork and replay by
// checkpoint_id), 6.6 (numbers of steps), 13 (durability), 11 (going on after a failure).
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  RemoveMessage,
  START,
  Send,
  StateGraph,
  interrupt,
} from "weftgraph";

const State = Annotation.Root({
  a: Annotation(),
  l: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const thread = (id = "1") => ({ configurable: { thread_id: id } });
const chain = (options) =>
  new StateGraph(State)
    .addNode("x", () => ({ a: 1, l: ["x"] }))
    .addNode("y", () => ({ a: 2, l: ["y"] }))
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile({ checkpointer: new MemorySaver(), ...options });
const history = async (app, options) => {
  const list = [];
  for await (const snapshot of app.getStateHistory(thread(), options)) list.push(snapshot);
  return list;
};
const brief = (list) =>
  list.map(({ metadata, next, values }) => [metadata.source, metadata.step, next, values]);

test("a thread that is not there has an empty state and no history", async () => {
  const app = chain();
  assert.deepEqual(await app.getState(thread()), {
    values: {},
    next: [],
    config: thread(),
    tasks: [],
  });
  assert.deepEqual(await app.getState({ configurable: {} }), {
    values: {},
    next: [],
    config: { configurable: {} },
    tasks: [],
  });
  assert.deepEqual(await history(app), []);
});

test("without a saver, or without a thread, there is nothing to ask", async () => {
  const bare = chain({ checkpointer: undefined });
  const missing = { name: "GraphValueError", lc_error_code: "MISSING_CHECKPOINTER" };
  await assert.rejects(bare.getState(thread()), missing);
  await assert.rejects(bare.updateState(thread(), {}), missing);
  await assert.rejects(history(bare), missing);
  await assert.rejects(chain().invoke({ a: 1 }), /missing a required "thread_id" field/);
  await assert.rejects(
    chain().invoke({ a: 1 }, { configurable: { thread_id: 5 } }),
    /"thread_id": expected a string identifier \(got number\)/,
  );
  await assert.rejects(chain({ checkpointer: true }).invoke({ a: 1 }), {
    message: "checkpointer: true cannot be used for root graphs.",
  });
});

test("the checkpoints of two turns, the newest first", async () => {
  const app = chain();
  await app.invoke({ a: 0 }, thread());
  assert.deepEqual(await app.invoke({ l: ["again"] }, thread()), {
    a: 2,
    l: ["x", "y", "again", "x", "y"],
  });
  const list = await history(app);
  assert.deepEqual(brief(list), [
    ["loop", 6, [], { a: 2, l: ["x", "y", "again", "x", "y"] }],
    ["loop", 5, ["y"], { a: 1, l: ["x", "y", "again", "x"] }],
    ["loop", 4, ["x"], { a: 2, l: ["x", "y", "again"] }],
    ["input", 3, [START], { a: 2, l: ["x", "y"] }],
    ["loop", 2, [], { a: 2, l: ["x", "y"] }],
    ["loop", 1, ["y"], { a: 1, l: ["x"] }],
    ["loop", 0, ["x"], { a: 0, l: [] }],
    ["input", -1, [START], { l: [] }],
  ]);
  for (const [index, snapshot] of list.entries()) {
    assert.deepEqual(snapshot.parentConfig, list[index + 1]?.config);
    assert.equal(snapshot.config.configurable.checkpoint_ns, "");
    assert.equal(new Date(snapshot.createdAt).toISOString(), snapshot.createdAt);
  }
  assert.deepEqual(
    list
      .map(({ config }) => config.configurable.checkpoint_id)
      .toSorted()
      .toReversed(),
    list.map(({ config }) => config.configurable.checkpoint_id),
  );
  assert.deepEqual(
    list[1].tasks.map(({ name, path, interrupts }) => ({ name, path, interrupts })),
    [{ name: "y", path: ["__pregel_pull", "y"], interrupts: [] }],
  );
});

test("history by limit, before and metadata; a state by its checkpoint", async () => {
  const app = chain();
  await app.invoke({ a: 0 }, thread());
  const list = await history(app);
  assert.deepEqual(brief(await history(app, { limit: 2 })), brief(list.slice(0, 2)));
  assert.deepEqual(brief(await history(app, { before: list[1].config })), brief(list.slice(2)));
  assert.deepEqual(
    brief(await history(app, { filter: { source: "input" } })),
    brief(list.slice(3)),
  );
  assert.deepEqual(
    brief(await history(app, { filter: { source: "loop" }, limit: 1 })),
    brief(list.slice(0, 1)),
  );
  assert.deepEqual((await app.getState(list[2].config)).values, { a: 0, l: [] });
});

test("updateState as a node, as the last one, with a Command", async () => {
  const app = chain();
  await app.invoke({ a: 0 }, thread());
  const config = await app.updateState(thread(), { a: 9, l: ["u"], unknown: 1 }, "x");
  assert.match(config.configurable.checkpoint_id, /^[0-9a-f-]{36}$/);
  const state = await app.getState(thread());
  assert.deepEqual(
    [state.next, state.values, state.metadata.source, state.metadata.step],
    [["y"], { a: 9, l: ["x", "y", "u"] }, "update", 3],
  );
  assert.equal(state.config.configurable.checkpoint_id, config.configurable.checkpoint_id);
  assert.deepEqual(await app.invoke(null, thread()), { a: 2, l: ["x", "y", "u", "y"] });
  await app.updateState(thread(), { a: 7 });
  assert.deepEqual((await app.getState(thread())).next, []);
  await app.updateState(thread(), new Command({ goto: "y", update: { a: 3 } }), "x");
  assert.equal((await app.getState(thread())).values.a, 3);
  await assert.rejects(app.updateState(thread(), {}, "nobody"), {
    name: "InvalidUpdateError",
    message: 'Node "nobody" does not exist',
  });
});

test("an update that could be two nodes' must say whose it is", async () => {
  const app = new StateGraph(State)
    .addNode("x", () => ({ l: ["x"] }))
    .addNode("y", () => ({ l: ["y"] }))
    .addEdge(START, "x")
    .addEdge(START, "y")
    .compile({ checkpointer: new MemorySaver() });
  await app.invoke({ a: 0 }, thread());
  await assert.rejects(app.updateState(thread(), { a: 1 }), {
    name: "InvalidUpdateError",
    message: 'Ambiguous update, specify "asNode"',
  });
});

test("a state edited at a breakpoint is what goes on", async () => {
  const app = chain({ interruptBefore: ["y"] });
  await app.invoke({ a: 0 }, thread());
  await app.updateState(thread(), { a: "edited" });
  assert.deepEqual((await app.getState(thread())).values, { a: "edited", l: ["x"] });
  assert.deepEqual(await app.invoke(null, thread()), { a: 2, l: ["x", "y"] });
});

test("a fork and a replay begin where they are told", async () => {
  const app = chain();
  await app.invoke({ a: 0 }, thread());
  const at = (await history(app)).find((snapshot) => snapshot.next[0] === "y");
  assert.deepEqual(await app.invoke(null, at.config), { a: 2, l: ["x", "y"] });
  const fork = await app.updateState(at.config, { l: ["fork"] });
  assert.deepEqual((await app.getState(fork)).values, { a: 1, l: ["x", "fork"] });
  assert.deepEqual(await app.invoke(null, fork), { a: 2, l: ["x", "fork", "y"] });
});

test("a step that failed goes on with what was done kept", async () => {
  let fails = true;
  const calls = [];
  const app = new StateGraph(State)
    .addNode("b", async () => {
      calls.push("b");
      if (fails) throw new Error("boom");
      return { l: ["b"] };
    })
    .addNode("c", () => {
      calls.push("c");
      return { l: ["c"] };
    })
    .addEdge(START, "b")
    .addEdge(START, "c")
    .compile({ checkpointer: new MemorySaver() });
  await assert.rejects(app.invoke({ l: ["i"] }, thread()), { message: "boom" });
  const state = await app.getState(thread());
  const failed = state.tasks.find((task) => task.name === "b");
  assert.deepEqual([failed.error.name, failed.error.message], ["Error", "boom"]);
  fails = false;
  const chunks = [];
  for await (const chunk of await app.stream(null, thread())) chunks.push(chunk);
  assert.deepEqual(chunks, [
    { c: { l: ["c"] }, __metadata__: { cached: true } },
    { b: { l: ["b"] } },
  ]);
  assert.deepEqual(calls, ["b", "c", "b"]);
  assert.deepEqual((await app.getState(thread())).values.l, ["i", "b", "c"]);
});

test("pending interrupts and Sends are seen in the state", async () => {
  const app = new StateGraph(State)
    .addNode("work", ({ i }) => ({ l: [interrupt(i)] }))
    .addConditionalEdges(START, () => [1, 2].map((i) => new Send("work", { i })))
    .compile({ checkpointer: new MemorySaver() });
  const { __interrupt__ } = await app.invoke({ a: 0 }, thread());
  const state = await app.getState(thread());
  assert.deepEqual(state.next, ["work", "work"]);
  assert.deepEqual(
    state.tasks.map(({ path }) => path),
    [
      ["__pregel_push", 0, false],
      ["__pregel_push", 1, false],
    ],
  );
  assert.deepEqual(
    state.tasks.flatMap(({ interrupts }) => interrupts),
    __interrupt__,
  );
});

for (const durability of ["sync", "async", "exit"]) {
  test(`durability ${durability}: the same state in the end`, async () => {
    const app = chain();
    assert.deepEqual(await app.invoke({ a: 0 }, { ...thread(), durability }), {
      a: 2,
      l: ["x", "y"],
    });
    const list = await history(app);
    assert.equal(list.length, durability === "exit" ? 1 : 4);
    assert.deepEqual(list[0].values, { a: 2, l: ["x", "y"] });
  });
}

test("a new graph over the same saver goes on where the old one stopped", async () => {
  const checkpointer = new MemorySaver();
  const build = () =>
    new StateGraph(State)
      .addNode("x", (state) => ({ a: interrupt(state.a), l: ["x"] }))
      .addEdge(START, "x")
      .compile({ checkpointer });
  await build().invoke({ a: "question" }, thread());
  const again = build();
  assert.equal((await again.getState(thread())).tasks[0].interrupts[0].value, "question");
  assert.deepEqual(await again.invoke(new Command({ resume: "answer" }), thread()), {
    a: "answer",
    l: ["x"],
  });
});

test("a long history is read in parts: who stops early pays for little, and what comes meanwhile changes nothing", async () => {
  const checkpointer = new MemorySaver();
  const app = new StateGraph(State)
    .addNode("x", ({ l }) => ({ l: [{ n: l.length }] }))
    .addEdge(START, "x")
    .addConditionalEdges("x", ({ l }) => (l.length % 200 === 0 ? "__end__" : "x"))
    .compile({ checkpointer });
  const config = { ...thread(), recursionLimit: 300 };
  await app.invoke({ l: [] }, config);
  let reads = 0;
  const { read } = checkpointer.store;
  checkpointer.store.read = (...given) => (reads++, read.apply(checkpointer.store, given));
  const steps = async (options, most = Infinity, during = () => {}) => {
    reads = 0;
    const found = [];
    for await (const { metadata, values } of app.getStateHistory(thread(), options)) {
      assert.deepEqual(
        values.l,
        Array.from({ length: Math.max(0, metadata.step) }, (_, n) => ({ n })),
      );
      found.push(metadata.step);
      await during(found.length);
      if (found.length === most) break;
    }
    return found;
  };
  const all = Array.from({ length: 202 }, (_, i) => 200 - i);
  assert.deepEqual([await steps(), reads], [all, 3]);
  assert.deepEqual([await steps({}, 32), reads], [all.slice(0, 32), 1]);
  assert.deepEqual([await steps({ limit: 150 }), reads], [all.slice(0, 150), 1]);
  assert.deepEqual(
    [await steps({ limit: 40, filter: { source: "loop" } }), reads],
    [all.slice(0, 40), 1],
  );
  assert.deepEqual([await steps({ limit: 1, filter: { step: 150 } }), reads], [[150], 4]);
  assert.deepEqual([await steps({ filter: { source: "input" } }), reads], [[-1], 3]);
  assert.deepEqual(
    await steps({}, Infinity, (found) => found === 3 && app.invoke({ l: [] }, config)),
    all,
  );
});

test("snapshots of one history share what they have in common, where a list lost its first elements too", async () => {
  const Window = Annotation.Root({ o: Annotation(), ...MessagesAnnotation.spec });
  const app = new StateGraph(Window)
    .addNode("x", ({ messages }) => ({
      messages: [
        new HumanMessage("more"),
        ...(messages.length > 4 ? [new RemoveMessage({ id: messages[0].id })] : []),
      ],
    }))
    .addEdge(START, "x")
    .addConditionalEdges("x", ({ messages }) =>
      messages.some(({ content }) => content === "first") ? "x" : "__end__",
    )
    .compile({ checkpointer: new MemorySaver() });
  await app.invoke({ o: { deep: 1 }, messages: ["first", "second"] }, thread());
  const list = await history(app);
  const { values: newest } = list[0];
  assert.deepEqual(
    newest.messages.map(({ content }) => content),
    ["second", "more", "more", "more", "more"],
  );
  const known = new Set();
  for (const { values } of list.slice(0, -1)) {
    assert.equal(values.o, newest.o);
    for (const message of values.messages) known.add(message);
  }
  assert.deepEqual(
    [list[0], list[1], list[4]].map(({ values }) => values.messages.length),
    [5, 5, 2],
  );
  assert.equal(known.size, 6);
});

test("a node that is gone back to calls its second graph from the beginning, too, however often", async () => {
  const inside = new StateGraph(State)
    .addNode("x", () => ({}))
    .addEdge(START, "x")
    .compile();
  const node = async () => ({
    l: [(await inside.invoke({ l: [1] })).l, (await inside.invoke({ l: [2] })).l],
  });
  const app = new StateGraph(State)
    .addNode("calls", node)
    .addEdge(START, "calls")
    .compile({ checkpointer: new MemorySaver() });
  await app.invoke({ a: 1 }, thread());
  for (let i = 0; i < 3; i++) {
    const [, before] = await history(app);
    assert.deepEqual((await app.invoke(null, before.config)).l, [[1], [2]]);
  }
});
