// SPDX-License-Identifier: MIT
// State migration: a thread of an older version is brought up before anything reads it, whatever
// saver keeps it; what hangs on its checkpoint (questions, finished tasks, breakpoints) stays; a
// newer version is an error.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { runInNewContext } from "node:vm";
import * as peer from "@langchain/langgraph";
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
} from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { exportThread, importThread } from "weftgraph/savers/transfer";

const thread = { configurable: { thread_id: "1" } };
const ran = [];
/** Version 0: { name, log }. The log is asked about after two neighbours ran. */
function oldGraph(checkpointer, options = {}) {
  return new StateGraph(
    Annotation.Root({
      ...MessagesAnnotation.spec,
      name: Annotation,
      log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
    }),
  )
    .addNode("greet", ({ name }) => ({
      messages: [{ role: "user", content: `I am ${name}`, id: "m1" }],
    }))
    .addNode("beside", () => void ran.push("beside") || { log: ["beside"] })
    .addNode("ask", () => ({ log: [`old ${interrupt("go on?")}`] }))
    .addEdge(START, "greet")
    .addEdge("greet", "beside")
    .addEdge("greet", "ask")
    .compile({ checkpointer, ...options });
}

/** Version 2: { first, last, log }; `name` is gone. */
const splitName = ({ name, ...rest }, from) => {
  assert.equal(from, 0);
  const [first, last] = name.split(" ");
  return { ...rest, first, last };
};
function newGraph(checkpointer, options = {}) {
  return new StateGraph(
    Annotation.Root({
      ...MessagesAnnotation.spec,
      first: Annotation,
      last: Annotation,
      log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
    }),
  )
    .addNode("greet", ({ first }) => ({ messages: [{ role: "user", content: `I am ${first}` }] }))
    .addNode("beside", () => void ran.push("beside") || { log: ["beside"] })
    .addNode("ask", ({ first, last }) => ({ log: [`${last}, ${first}: ${interrupt("go on?")}`] }))
    .addEdge(START, "greet")
    .addEdge("greet", "beside")
    .addEdge("greet", "ask")
    .compile({ checkpointer, stateVersion: 2, migrate: splitName, ...options });
}

const folders = [];
const SAVERS = {
  MemorySaver: () => new MemorySaver(),
  FileSaver: () => {
    const path = mkdtempSync(join(tmpdir(), "weft-migrate-"));
    folders.push(path);
    return new FileSaver({ path });
  },
  "LangGraph.js's MemorySaver": () => new peer.MemorySaver(),
};
test.after(() => folders.forEach((path) => rmSync(path, { recursive: true, maxRetries: 5 })));

for (const [kind, make] of Object.entries(SAVERS)) {
  test(`${kind}: a question that waits is answered in the new version; the neighbour that finished does not run again`, async () => {
    const saver = make();
    ran.length = 0;
    const {
      __interrupt__: [{ id }],
    } = await oldGraph(saver).invoke({ name: "Ada Lovelace" }, thread);
    const graph = newGraph(saver);
    const state = await graph.getState(thread);
    assert.deepEqual(
      [state.values.first, state.values.last, "name" in state.values, state.values.log],
      ["Ada", "Lovelace", false, ["beside"]],
    );
    assert.deepEqual(Object.keys(state.values).sort(), ["first", "last", "log", "messages"]);
    assert.deepEqual(
      [state.next, state.tasks.flatMap(({ interrupts }) => interrupts.map((one) => one.id))],
      [["ask"], [id]],
    );
    const end = await graph.invoke(new Command({ resume: { [id]: "yes" } }), thread);
    assert.deepEqual(end.log.sort(), ["Lovelace, Ada: yes", "beside"]);
    assert.deepEqual(
      end.messages.map(({ content }) => content),
      ["I am Ada Lovelace"],
    );
    assert.deepEqual(ran, ["beside"]);
    const again = await newGraph(saver, { migrate: () => assert.fail("is up already") }).invoke(
      { first: "Grace", last: "Hopper" },
      thread,
    );
    assert.equal(again.__interrupt__.length, 1);
  });

  test(`${kind}: a breakpoint that was met stays met; a run with new input is migrated too`, async () => {
    const saver = make();
    await oldGraph(saver, { interruptBefore: ["ask"] }).invoke({ name: "Ada Lovelace" }, thread);
    const end = await newGraph(saver, { interruptBefore: ["ask"] }).invoke(null, thread);
    assert.equal(end.__interrupt__[0].value, "go on?");
    const other = { configurable: { thread_id: "2" } };
    await oldGraph(saver).invoke({ name: "Ada Lovelace" }, other);
    const next = await newGraph(saver).invoke({ last: "Byron" }, other);
    assert.deepEqual([next.first, next.last], ["Ada", "Byron"]);
  });

  test(`${kind}: an old checkpoint goes on beside what followed it`, async () => {
    const saver = make();
    const old = oldGraph(saver);
    await old.invoke({ name: "Ada Lovelace" }, thread);
    await old.invoke(new Command({ resume: "yes" }), thread);
    const history = [];
    for await (const snapshot of old.getStateHistory(thread)) history.push(snapshot);
    const before = history.find(({ next }) => next.includes("ask"));
    const graph = newGraph(saver);
    const end = await graph.invoke(null, before.config);
    assert.equal(end.__interrupt__[0].value, "go on?");
    assert.equal(
      (await graph.invoke(new Command({ resume: "forked" }), thread)).log.includes(
        "Lovelace, Ada: forked",
      ),
      true,
    );
    const kept = [];
    for await (const { values } of graph.getStateHistory({
      configurable: { ...thread.configurable },
    }))
      kept.push(values.log);
    assert.ok(kept.some((log) => log?.includes("old yes")));
  });

  test(`${kind}: a newer version is an error, and nothing is touched`, async () => {
    const saver = make();
    await newGraph(saver, { migrate: undefined }).invoke({ first: "Ada", last: "L" }, thread);
    const error = {
      code: "STATE_VERSION",
      message: "The state of thread 1 has version 2, this graph knows 1.",
    };
    const behind = newGraph(saver, { stateVersion: 1 });
    await assert.rejects(behind.invoke(null, thread), error);
    await assert.rejects(behind.getState(thread), error);
    await assert.rejects(behind.updateState(thread, { first: "x" }), error);
    assert.equal((await newGraph(saver).getState(thread)).values.first, "Ada");
  });
}

test("versions one after the other, asynchronous, asked once for each thread; what it throws is the caller's", async () => {
  const saver = new MemorySaver();
  await oldGraph(saver).invoke({ name: "Ada Lovelace" }, thread);
  const asked = [];
  let fails = true;
  const migrate = async (state, from) => {
    asked.push(from);
    if (fails) throw new Error("not now");
    return splitName(state, from);
  };
  const graph = newGraph(saver, { migrate });
  await assert.rejects(graph.getState(thread), { message: "not now" });
  fails = false;
  await Promise.all([
    graph.getState(thread),
    graph.getState(thread),
    graph.updateState(thread, { first: "Augusta" }, "greet"),
  ]);
  assert.deepEqual(asked, [0, 0]);
  const config = { ...thread, metadata: { by: "me" } };
  await graph.invoke(new Command({ resume: "ok" }), config);
  const third = newGraph(saver, {
    stateVersion: 3,
    migrate: (state, from) => ({ ...state, first: `${state.first} (${from})` }),
  });
  assert.equal((await third.getState(thread)).values.first, "Augusta (2)");
  // A thread that began with an update knows its version too.
  const begun = { configurable: { thread_id: "begun" } };
  await third.updateState(begun, { first: "Mary" }, "greet");
  const fourth = newGraph(saver, {
    stateVersion: 4,
    migrate: (state, from) => ({ ...state, last: `from ${from}` }),
  });
  assert.deepEqual((await fourth.getState(begun)).values, {
    first: "Mary",
    last: "from 3",
    log: [],
    messages: [],
  });
  const shown = [];
  for await (const [, chunk] of await fourth.stream(
    { first: "Percy" },
    { ...begun, streamMode: ["values", "updates"] },
  ))
    shown.push(...Object.keys(chunk));
  assert.ok(shown.length > 0 && !shown.some((key) => key.includes("version")));
});

test("who is slower than another process to bring a thread up changes nothing that came behind it", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-migrate-"));
  try {
    await oldGraph(new FileSaver({ path })).invoke({ name: "Ada Lovelace" }, thread);
    let open, reach;
    const [opened, reached] = [
      new Promise((resolve) => (open = resolve)),
      new Promise((resolve) => (reach = resolve)),
    ];
    const slow = newGraph(new FileSaver({ path }), {
      migrate: async (state, from) => {
        reach();
        await opened;
        return { ...splitName(state, from), last: "of the slow one" };
      },
    });
    const waiting = slow.getState(thread);
    await reached;
    const quick = newGraph(new FileSaver({ path }));
    await quick.invoke(new Command({ resume: "ok" }), thread);
    const historyOf = async (graph) => {
      const seen = [];
      for await (const { values, config } of graph.getStateHistory(thread))
        seen.push([config.configurable.checkpoint_id, values]);
      return seen;
    };
    const before = await historyOf(quick);
    open();
    assert.deepEqual((await waiting).values, (await quick.getState(thread)).values);
    assert.deepEqual(await historyOf(newGraph(new FileSaver({ path }))), before);
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

for (const [kind, make] of Object.entries(SAVERS)) {
  test(`${kind}: a thread of an older version that comes in the place of one which was looked at is brought up`, async () => {
    const fromOld = async (saver) => {
      if (saver.logStore !== undefined) return importThread(saver, file);
      await oldGraph(saver).invoke({ name: "Ada Lovelace" }, thread);
    };
    const origin = new MemorySaver();
    await oldGraph(origin).invoke({ name: "Ada Lovelace" }, thread);
    const file = await exportThread(origin, "1");
    const saver = make();
    const graph = newGraph(saver);
    assert.deepEqual((await graph.getState(thread)).config, { configurable: { thread_id: "1" } });
    await fromOld(saver);
    assert.equal((await graph.getState(thread)).values.last, "Lovelace");
    await graph.invoke(new Command({ resume: "yes" }), thread);
    await saver.deleteThread("1");
    await fromOld(saver);
    const end = await graph.invoke(new Command({ resume: "yes" }), thread);
    assert.ok(end.log.includes("Lovelace, Ada: yes"));
    await saver.deleteThread("1");
    assert.equal((await graph.invoke({ first: "Grace", last: "Hopper" }, thread)).first, "Grace");
  });
}

test("another process's import is noticed, and what goes on is read from where it was", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-migrate-"));
  folders.push(path);
  const origin = new MemorySaver();
  await oldGraph(origin).invoke({ name: "Ada Lovelace" }, thread);
  const saver = new FileSaver({ path });
  const graph = newGraph(saver);
  for (let turn = 0; turn < 3; turn++)
    await graph.updateState(thread, { first: `${turn}` }, "greet");
  const from = [];
  const { read } = saver.store;
  saver.store.read = (id, options) => (
    from.push(options?.from), read.call(saver.store, id, options)
  );
  await graph.updateState(thread, { first: "3" }, "greet");
  await graph.getState(thread);
  // Each of the two reads its thread as ever.
  assert.deepEqual(
    from.map((seq) => seq > 1),
    [true, false, true, false],
    `read from ${from}`,
  );
  const other = new FileSaver({ path });
  await other.deleteThread("1");
  await importThread(other, await exportThread(origin, "1"));
  assert.equal((await graph.getState(thread)).values.last, "Lovelace");
});

test("what is not usable is refused", async () => {
  class Person {
    first = "Ada";
  }
  const answers = [
    null,
    [],
    new Map([["first", "Ada"]]),
    new Set(),
    new Date(0),
    new Person(),
    new Error("x"),
    new Uint8Array(2),
    Object.create({ first: "Ada" }),
    "Ada",
    1,
    undefined,
    () => ({}),
  ];
  for (const [kind, make] of Object.entries(SAVERS)) {
    const saver = make();
    await oldGraph(saver).invoke({ name: "Ada Lovelace" }, thread);
    const before = await saver.getTuple(thread);
    for (const options of [
      { stateVersion: 0 },
      { stateVersion: 1.5 },
      ...answers.map((answer) => ({ migrate: () => answer })),
    ]) {
      await assert.rejects(
        newGraph(saver, options).getState(thread),
        { code: "BAD_ARGUMENT" },
        `${kind}: ${options.migrate?.()}`,
      );
      await assert.rejects(
        newGraph(saver, options).invoke(new Command({ resume: "yes" }), thread),
        { code: "BAD_ARGUMENT" },
      );
    }
    assert.deepEqual(await saver.getTuple(thread), before, kind);
    const bare = Object.assign(Object.create(null), { first: "Ada", last: "Lovelace" });
    assert.equal(
      (await newGraph(saver, { migrate: () => bare }).getState(thread)).values.last,
      "Lovelace",
    );
    assert.equal(
      (
        await newGraph(saver, {
          stateVersion: 3,
          migrate: () => runInNewContext("({ first: 'Ada' })"),
        }).getState(thread)
      ).values.first,
      "Ada",
    );
  }
});

/**
 * A graph inside a node that asks; version 0 of its state: { name }, version 3: { first, last }.
 */
const State = (names) =>
  Annotation.Root({
    ...Object.fromEntries(names.map((name) => [name, Annotation])),
    said: Annotation,
  });
const inner = (names, say, options = {}) =>
  new StateGraph(State(names))
    .addNode("note", () => ({ said: "noted" }))
    .addNode("ask", (state) => ({ said: `${say(state)}: ${interrupt("go on?")}` }))
    .addEdge(START, "note")
    .addEdge("note", "ask")
    .compile(options);
const outer = (graph, checkpointer, options = {}) =>
  new StateGraph(State(["name"]))
    .addNode("in", graph)
    .addNode("after", ({ said }) => ({ said: `${said}.` }))
    .addEdge(START, "in")
    .addEdge("in", "after")
    .compile({ checkpointer, ...options });
const splitInner = ({ name, ...rest }, from) => (
  assert.equal(from, 0), { ...rest, first: name.split(" ")[0], last: name.split(" ")[1] }
);
const newInner = (options) =>
  inner(["first", "last"], ({ first, last }) => `${last}, ${first}`, {
    stateVersion: 3,
    migrate: splitInner,
    ...options,
  });

for (const [kind, make] of Object.entries(SAVERS)) {
  test(`${kind}: the state of a graph inside a node is brought up, with its question, at any depth`, async () => {
    const saver = make();
    const [old, deep] = [
      inner(["name"], ({ name }) => name),
      { configurable: { thread_id: "deep" } },
    ];
    await outer(old, saver).invoke({ name: "Ada Lovelace" }, thread);
    await outer(outer(old), saver).invoke({ name: "Ada Lovelace" }, deep);
    const now = outer(newInner(), saver);
    const { tasks } = await now.getState(thread, { subgraphs: true });
    assert.deepEqual(tasks[0].state.values, { first: "Ada", last: "Lovelace", said: "noted" });
    assert.deepEqual(
      tasks[0].interrupts.map(({ value }) => value),
      ["go on?"],
    );
    assert.equal(
      (await now.invoke(new Command({ resume: "yes" }), thread)).said,
      "Lovelace, Ada: yes.",
    );
    assert.equal(
      (await outer(outer(newInner()), saver).invoke(new Command({ resume: "yes" }), deep)).said,
      "Lovelace, Ada: yes..",
    );
    // What runs in the new version is not brought up again.
    const fresh = { configurable: { thread_id: "fresh" } };
    const made = outer(
      inner(["first", "last"], ({ first }) => first, {
        stateVersion: 3,
        migrate: () => assert.fail("it is of this version"),
      }),
      make(),
    );
    await made.invoke({ name: "x" }, fresh);
    assert.equal((await made.invoke(new Command({ resume: "no" }), fresh)).said, "undefined: no.");
    const older = outer(
      inner(["first", "last"], ({ first }) => first, {
        stateVersion: 2,
        migrate: (state) => state,
      }),
      saver,
    );
    await outer(newInner(), saver).invoke(
      { name: "Ada Lovelace" },
      { configurable: { thread_id: "newer" } },
    );
    await assert.rejects(
      older.invoke(new Command({ resume: "no" }), { configurable: { thread_id: "newer" } }),
      { code: "STATE_VERSION" },
    );
  });
}

test("a graph inside with a memory of its own is brought up too", async () => {
  const saver = new MemorySaver();
  const count = (name, options) =>
    new StateGraph(
      Annotation.Root({
        [name]: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
        said: Annotation,
      }),
    )
      .addNode("add", (state) => ({ [name]: 1, said: `${name} ${state[name] + 1}` }))
      .addEdge(START, "add")
      .compile({ checkpointer: true, ...options });
  const say = async (graph) => (await outer(graph, saver).invoke({ name: "x" }, thread)).said;
  assert.deepEqual([await say(count("n")), await say(count("n"))], ["n 1.", "n 2."]);
  assert.equal(
    await say(
      count("times", { stateVersion: 1, migrate: ({ n, ...rest }) => ({ ...rest, times: n }) }),
    ),
    "times 3.",
  );
});

for (const [kind, make] of Object.entries(SAVERS)) {
  test(`${kind}: a graph without a stateVersion neither reads nor continues a thread that has one`, async () => {
    const saver = make();
    const build = (options) =>
      new StateGraph(Annotation.Root({ n: Annotation }))
        .addNode("a", ({ n }) => void ran.push("plain") || { n: n + 1 })
        .addEdge(START, "a")
        .compile({ checkpointer: saver, ...options });
    const [versioned, plain] = [build({ stateVersion: 2 }), build()];
    assert.deepEqual(await plain.invoke({ n: 1 }, thread), { n: 2 });
    assert.deepEqual(await versioned.invoke({ n: 3 }, thread), { n: 4 });
    ran.length = 0;
    const refused = {
      code: "STATE_VERSION",
      message: /thread 1 has version 2, this graph knows none \(compile it with stateVersion\)/,
    };
    await assert.rejects(plain.invoke({ n: 5 }, thread), refused);
    await assert.rejects(plain.invoke(null, thread), refused);
    await assert.rejects(plain.getState(thread), refused);
    await assert.rejects(plain.updateState(thread, { n: 7 }), refused);
    await assert.rejects(
      Array.fromAsync?.(plain.getStateHistory(thread)) ??
        (async () => {
          for await (const _ of plain.getStateHistory(thread));
        })(),
      refused,
    );
    assert.deepEqual(ran, []);
    assert.deepEqual((await versioned.getState(thread)).values, { n: 4 });
    assert.deepEqual(await versioned.invoke({ n: 5 }, thread), { n: 6 });
  });
}
