// SPDX-License-Identifier: MIT
// Serves: runs on a thread (docs/semantics.md 6, 7, 10 to 13): interrupts and resume, failure and
// retry, state, history, update, durability; stores that are slow, fail or are fenced; a thread
// that another engine goes on with; damaged logs.
// Own process: counts what is left in the engine, which other files also use.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { getEngine } from "../../js/engine/instance.js";
import { AIMessage, HumanMessage } from "weftgraph/messages";
import { MemoryStore } from "../../js/savers/memory/store.js";
import { SmallGraph, alive, ask } from "./small-graph.mjs";

const line = (...names) => names.slice(1).map((name, i) => [names[i], name]);
const on = (store, threadId = "t") => ({ store, threadId });
const concat = { kind: "binop", reducer: (a, b) => a.concat(b), makeDefault: () => [] };

after(async () => {
  // Idle threads beyond the limit are closed: these push out all that the tests have opened.
  const graph = counter();
  const store = new MemoryStore();
  for (let i = 0; i < 1100; i++) await graph.state(on(store, `other ${i}`));
  assert.deepEqual(await alive(), { slots: 0, values: 0, tenants: 0 });
});

/** A store whose verbs answer in later turns; `fail` makes the n-th append fail. */
class AsyncStore extends MemoryStore {
  appends = 0;
  fail = new Map();
  log = [];
  async append(id, commit, bytes, expected) {
    const number = ++this.appends;
    await new Promise(setImmediate);
    this.log.push(`stored ${number}`);
    const error = this.fail.get(number);
    if (error) throw error;
    return super.append(id, commit, bytes, expected);
  }
  async head(id) {
    return super.head(id);
  }
  async read(id) {
    return super.read(id);
  }
  async witness() {
    return undefined;
  }
}

/** What a second process would see: the same log, nothing in memory. */
function copyOf(store, threadId = "t") {
  const copy = new MemoryStore();
  const head = MemoryStore.prototype.head.call(store, threadId);
  const pieces = MemoryStore.prototype.read.call(store, threadId);
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  if (head) copy.append(threadId, { firstSeq: 1, seq: head.seq, crc: head.crc }, all, undefined);
  return copy;
}

const counter = () =>
  new SmallGraph({
    channels: { n: "last", log: concat },
    nodes: { a: ({ n }) => ({ n: n + 1, log: ["a"] }), b: ({ n }) => ({ n: n * 10, log: ["b"] }) },
    edges: line("__start__", "a", "b"),
  });

test("state goes on from run to run, in this process and in another", async () => {
  const graph = counter();
  const store = new MemoryStore();
  assert.deepEqual(await graph.invoke({ n: 1 }, on(store)), { n: 20, log: ["a", "b"] });
  assert.deepEqual(await graph.invoke({ n: 2 }, on(store)), { n: 30, log: ["a", "b", "a", "b"] });
  assert.deepEqual(await graph.invoke({ n: 3 }, on(copyOf(store))), {
    n: 40,
    log: ["a", "b", "a", "b", "a", "b"],
  });
  assert.deepEqual((await graph.state(on(store))).values, { n: 30, log: ["a", "b", "a", "b"] });
});

test("history: newest first, steps as LangGraph counts them, limit, before and one by id", async () => {
  const graph = counter();
  const store = new MemoryStore();
  await graph.invoke({ n: 1 }, on(store));
  const all = await graph.history(on(store));
  assert.deepEqual(
    all.map(({ step, source, next }) => [step, source, next]),
    [
      [2, "loop", []],
      [1, "loop", ["b"]],
      [0, "loop", ["a"]],
      [-1, "input", ["__start__"]],
    ],
  );
  assert.deepEqual(
    all.map(({ values }) => values.n),
    [20, 2, 1, undefined],
  );
  assert.equal(all[0].parentId, all[1].id);
  assert.equal(all[3].parentId, undefined);
  assert.ok(Math.abs(Date.parse(all[0].createdAt) - Date.now()) < 60_000);
  assert.deepEqual(
    (await graph.history({ ...on(store), limit: 2 })).map(({ id }) => id),
    [all[0].id, all[1].id],
  );
  assert.deepEqual(
    (await graph.history({ ...on(store), before: all[1].id })).map(({ id }) => id),
    [all[2].id, all[3].id],
  );
  assert.equal((await graph.state({ ...on(store), checkpointId: all[2].id })).values.n, 1);
  assert.deepEqual(await graph.history(on(store, "other")), []);
  assert.equal((await graph.state(on(store, "other"))).empty, true);
});

test("interrupt and resume: each question its id, executed from its start, by null resume or by id, in another process too", async () => {
  const started = [];
  const graph = new SmallGraph({
    channels: { answer: "last" },
    nodes: {
      a: (_, task, run) => (
        started.push(1), { answer: [ask(task, run, { q: 1 }), ask(task, run, "second")] }
      ),
    },
    edges: [["__start__", "a"]],
  });
  const store = new MemoryStore();
  const first = await graph.invoke({ answer: 0 }, on(store));
  assert.match(first.__interrupt__[0].id, /^[0-9a-f]{32}$/);
  assert.deepEqual(first.__interrupt__[0].value, { q: 1 });
  const { id } = first.__interrupt__[0];
  const elsewhere = copyOf(store);
  assert.deepEqual(
    (await graph.state(on(elsewhere))).tasks.map(({ name, interrupts }) => [name, interrupts]),
    [["a", [{ id, value: { q: 1 } }]]],
  );
  const second = await graph.invoke(undefined, {
    ...on(elsewhere),
    isCommand: true,
    resume: { yes: new Date(7) },
  });
  const { id: other } = second.__interrupt__[0];
  assert.notEqual(other, id);
  assert.deepEqual(second.__interrupt__, [{ id: other, value: "second" }]);
  assert.deepEqual(
    await graph.invoke(undefined, {
      ...on(copyOf(elsewhere)),
      isCommand: true,
      resumeMap: { [other]: "by id" },
    }),
    { answer: [{ yes: new Date(7) }, "by id"] },
  );
  assert.equal(started.length, 3);
});

test("an interrupt without a saver says so", async () => {
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: (_, task, run) => ({ x: ask(task, run, 1) }) },
    edges: [["__start__", "a"]],
  });
  await assert.rejects(graph.invoke({ x: 0 }), {
    name: "GraphValueError",
    lc_error_code: "MISSING_CHECKPOINTER",
  });
  await assert.rejects(
    graph.invoke(undefined, { isCommand: true, resume: 1 }),
    /Cannot use Command\(resume=\.\.\.\) without checkpointer/,
  );
});

test("after a failed step the done sibling is not run again; its writes are told as cached", async () => {
  let broken = true;
  const runs = { good: 0, bad: 0 };
  const graph = new SmallGraph({
    channels: { out: concat },
    nodes: {
      good: () => (runs.good++, { out: ["good"] }),
      bad: async () => {
        runs.bad++;
        if (broken) throw new TypeError("broken");
        return { out: ["bad"] };
      },
    },
    edges: [
      ["__start__", "good"],
      ["__start__", "bad"],
    ],
  });
  const store = new MemoryStore();
  await assert.rejects(graph.invoke({ out: ["in"] }, on(store)), { name: "TypeError" });
  const { tasks, next } = await graph.state(on(store));
  assert.deepEqual(
    tasks.map(({ name, error }) => [name, error?.message]),
    [
      ["good", undefined],
      ["bad", "broken"],
    ],
  );
  assert.deepEqual(next, ["bad"]);
  broken = false;
  const told = [];
  const sink = { updates: (task, cached) => told.push([task.name, cached, task.writes.list]) };
  assert.deepEqual(await graph.invoke(null, { ...on(copyOf(store)), wantUpdates: true, sink }), {
    out: ["in", "bad", "good"],
  });
  assert.deepEqual(runs, { good: 1, bad: 2 });
  assert.deepEqual(told, [
    ["good", true, [[0, ["good"]]]],
    ["bad", false, [[0, ["bad"]]]],
  ]);
});

test("messages live through the store, and a turn appends", async () => {
  const graph = new SmallGraph({
    channels: { messages: { kind: "messages", makeDefault: () => [] } },
    nodes: {
      reply: ({ messages }) => ({
        messages: [
          new AIMessage({
            content: `reply ${messages.length}`,
            tool_calls: [{ name: "t", args: { a: 1 }, id: "c" }],
          }),
        ],
      }),
    },
    edges: [["__start__", "reply"]],
  });
  const store = new MemoryStore();
  await graph.invoke({ messages: [new HumanMessage("one")] }, on(store));
  const size = store.byteLength("t");
  await graph.invoke({ messages: [new HumanMessage("two")] }, on(store));
  assert.ok(store.byteLength("t") - size < size + 200, "a turn stores its change");
  const other = copyOf(store);
  const { messages } = await graph.invoke(
    { messages: [new HumanMessage({ content: "three", id: "3" })] },
    on(other),
  );
  assert.deepEqual(
    messages.map((message) => [message.type, message.content]),
    [
      ["human", "one"],
      ["ai", "reply 1"],
      ["human", "two"],
      ["ai", "reply 3"],
      ["human", "three"],
      ["ai", "reply 5"],
    ],
  );
  assert.deepEqual(messages[1].tool_calls[0].args, { a: 1 });
  const replaced = await graph.invoke(
    { messages: [new HumanMessage({ content: "THREE", id: "3" })] },
    on(copyOf(other)),
  );
  assert.equal(replaced.messages[4].content, "THREE");
});

test("updateState: as the last node, as a named one, and from an old checkpoint", async () => {
  const graph = counter();
  const store = new MemoryStore();
  await graph.invoke({ n: 1 }, on(store));
  await graph.update({ n: 7 }, { ...on(store), asNode: 1 });
  const state = await graph.state(on(store));
  assert.deepEqual([state.values.n, state.source, state.step, state.next], [7, "update", 3, ["b"]]);
  assert.equal((await graph.invoke(null, on(store))).n, 70);
  const [, , start] = (await graph.history(on(store))).reverse();
  assert.equal((await graph.invoke(null, { ...on(store), checkpointId: start.id })).n, 20);
  await assert.rejects(graph.update({ n: 1 }, {}), { lc_error_code: "MISSING_CHECKPOINTER" });
  assert.deepEqual(await graph.state({ ...on(store), checkpointId: "not an id" }), {
    empty: true,
    saved: undefined,
    values: {},
  });
  await assert.rejects(graph.state({ ...on(store), checkpointId: 5 }), { code: "BAD_ARGUMENT" });
});

test("async durability does not wait between steps, but the run waits at its end", async () => {
  const store = new AsyncStore();
  const graph = counter();
  const run = graph.start({ n: 1 }, on(store));
  let done = false;
  run.promise.then(() => (done = true));
  await new Promise(setImmediate);
  assert.equal(done, false);
  await run.promise;
  assert.equal(store.log.length, store.appends);
  assert.equal((await graph.state(on(copyOf(store)))).values.n, 20);
});

test("sync durability: a step is stored before the next one starts, parallel results wait their turn", async () => {
  const store = new AsyncStore();
  const seen = [];
  const graph = new SmallGraph({
    channels: { out: concat },
    nodes: {
      a: async () => ({ out: ["a"] }),
      b: async () => ({ out: ["b"] }),
      c: () => (seen.push(store.log.length, store.appends), { out: ["c"] }),
    },
    edges: [
      ["__start__", "a"],
      ["__start__", "b"],
    ],
    joins: [[["a", "b"], "c"]],
  });
  assert.deepEqual(await graph.invoke({ out: [] }, { ...on(store), durability: "sync" }), {
    out: ["a", "b", "c"],
  });
  assert.equal(seen[0], seen[1]);
  assert.ok(seen[0] >= 3);
});

test("exit durability: one checkpoint at the end, none when nothing happened", async () => {
  const graph = counter();
  const store = new MemoryStore();
  await graph.invoke({ n: 1 }, { ...on(store), durability: "exit" });
  assert.equal((await graph.history(on(store))).length, 1);
  assert.deepEqual((await graph.state(on(store))).values, { n: 20, log: ["a", "b"] });
});

test("a store that fails fails the run, and the next run goes on from what is stored", async () => {
  for (const mode of ["async", "sync"]) {
    const store = new AsyncStore();
    store.fail.set(2, new Error("disk full"));
    const graph = counter();
    await assert.rejects(graph.invoke({ n: 1 }, { ...on(store), durability: mode }), {
      code: "STORE",
      message: /disk full/,
    });
    assert.deepEqual((await graph.state(on(store))).next, ["__start__"]);
    assert.equal((await graph.invoke(null, { ...on(store), durability: mode })).n, 20);
  }
});

test("another writer on the same thread: this one is fenced, nothing is lost", async () => {
  const store = new MemoryStore();
  const graph = counter();
  await graph.invoke({ n: 1 }, on(store));
  const slow = new SmallGraph({
    channels: { n: "last", log: concat },
    nodes: {
      a: async () => {
        const copy = copyOf(store);
        await graph.invoke({ n: 5 }, on(copy));
        const before = store.head("t");
        const bytes = new Uint8Array(Buffer.concat(copy.read("t"))).slice(store.byteLength("t"));
        const head = copy.head("t");
        store.append(
          "t",
          { firstSeq: before.seq + 1, seq: head.seq, crc: head.crc },
          bytes,
          before,
        );
        return { n: 99 };
      },
    },
    edges: [["__start__", "a"]],
  });
  const busy = new MemoryStore();
  await graph.invoke({ n: 1 }, on(busy));
  const blocked = slow.invoke({ n: 2 }, { ...on(store), durability: "exit" });
  await assert.rejects(blocked, { code: "FENCED" });
  assert.equal((await graph.state(on(store))).values.n, 60);
});

test("a damaged log is refused with its code, a lost tail by the witness", async () => {
  const graph = counter();
  const store = new MemoryStore();
  await graph.invoke({ n: 1 }, on(store));
  const bad = copyOf(store);
  bad.read("t")[0][60] ^= 1;
  await assert.rejects(
    graph.state(on(bad)),
    (error) => ["CORRUPT_LOG", "DATA_LOSS"].includes(error.code) && /t/.test(error.message),
  );
  const empty = new AsyncStore();
  empty.witness = async () => ({ seq: 3, crc: 1 });
  await assert.rejects(graph.invoke({ n: 1 }, on(empty)), { code: "DATA_LOSS" });
});

test("a value that cannot be stored: strict refuses it, the node's error is kept", async () => {
  class Odd {}
  const graph = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: () => ({ x: new Odd() }) },
    edges: [["__start__", "a"]],
  });
  await assert.rejects(graph.invoke({ x: 0 }, { ...on(new MemoryStore()), strict: true }), {
    code: "BAD_ARGUMENT",
    message: /Odd/,
  });
});

test("a trap ends all runs of the instance; the next call goes on in a new one", async () => {
  const store = new MemoryStore();
  const graph = counter();
  await graph.invoke({ n: 1 }, on(store));
  const engine = getEngine();
  const hang = new SmallGraph({
    channels: { x: "last" },
    nodes: { a: () => new Promise(() => {}) },
    edges: [["__start__", "a"]],
  });
  const hanging = hang.invoke({ x: 0 });
  await new Promise(setImmediate);
  engine.trap(new WebAssembly.RuntimeError("unreachable"));
  await assert.rejects(hanging, { code: "ENGINE_TRAPPED" });
  assert.equal((await graph.invoke({ n: 2 }, on(store))).n, 30);
  assert.notEqual(getEngine(), engine);
});

test("1,000 threads interleaved end as they would alone, and leave only what open threads keep", async () => {
  const store = new MemoryStore();
  const graph = counter();
  const turns = Array.from({ length: 1000 }, (_, i) => graph.invoke({ n: i }, on(store, `t${i}`)));
  (await Promise.all(turns)).forEach((result, i) => assert.equal(result.n, (i + 1) * 10));
});

test("a warm thread: the next run sees the last one's state, what was handed out before stays as it was", async () => {
  const graph = new SmallGraph({
    channels: { messages: { kind: "messages", makeDefault: () => [] }, n: "last" },
    nodes: { reply: ({ n }) => ({ n: (n ?? 0) + 1, messages: [new AIMessage(`reply ${n}`)] }) },
    edges: [["__start__", "reply"]],
  });
  const other = new SmallGraph({
    channels: { n: "last" },
    nodes: { a: ({ n }) => ({ n: n * 2 }) },
    edges: [["__start__", "a"]],
  });
  const store = new MemoryStore();
  const results = [];
  for (let turn = 0; turn < 3; turn++)
    results.push(
      await graph.start(
        { n: turn, messages: [new HumanMessage({ content: "q", id: `q${turn}` })] },
        on(store),
      ).promise,
    );
  assert.deepEqual(
    results.map((result) => [result.state().n, result.state().messages.length]),
    [
      [1, 2],
      [2, 4],
      [3, 6],
    ],
  );
  const [, second] = (await graph.history(on(store))).filter(({ next }) => next.length === 0);
  assert.equal((await graph.invoke(null, { ...on(store), checkpointId: second.id })).n, 2);
  assert.equal((await graph.invoke({ n: 5, messages: [] }, on(store))).n, 6);
  assert.deepEqual(await other.invoke({ n: 21 }, on(store)), { n: 42 });
  const back = await graph.invoke(
    { n: 42, messages: [new HumanMessage({ content: "Q", id: "q0" })] },
    on(store),
  );
  assert.equal(back.n, 43);
  const stored = (await graph.state(on(copyOf(store)))).values;
  assert.deepEqual(
    stored.messages.map(({ id, content }) => [id, content]),
    back.messages.map(({ id, content }) => [id, content]),
  );
  assert.equal(back.messages[0].content, "Q");
});

test("isolate: what a node changed in place is not seen by the next run", async () => {
  const look = ({ o }) => {
    const seen = o.touched === true;
    o.touched = true;
    return { seen };
  };
  const graph = new SmallGraph({
    channels: { o: "last", seen: "last" },
    nodes: { look },
    edges: [["__start__", "look"]],
  });
  for (const isolate of [false, true]) {
    const store = new MemoryStore();
    assert.equal((await graph.invoke({ o: {} }, on(store))).seen, false);
    assert.equal((await graph.invoke({ seen: null }, { ...on(store), isolate })).seen, !isolate);
  }
});

test("runs at once on one thread share its writer: all are stored, none is fenced, the next goes on from the last", async () => {
  // Synchronous nodes on a synchronous store run one after the other; else all three begin at the
  // same checkpoint.
  for (const [store, turns] of [
    [new MemoryStore(), 4],
    [new AsyncStore(), 2],
  ]) {
    for (const durability of ["async", "sync", "exit"]) {
      const request = { ...on(store, durability), durability };
      const graph = counter();
      const results = await Promise.all([1, 2, 3].map((n) => graph.invoke({ n }, request)));
      assert.deepEqual(
        results.map(({ n }) => n),
        [20, 30, 40],
      );
      assert.equal((await graph.history(request)).length, durability === "exit" ? 3 : 12);
      assert.deepEqual(await graph.invoke({ n: 9 }, request), {
        n: 100,
        log: Array(turns).fill(["a", "b"]).flat(),
      });
    }
  }
});
