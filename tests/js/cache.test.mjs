// SPDX-License-Identifier: MIT
// Caches of nodes and tasks where Weft goes its own way, or has something of its own: what
// tests/peer cannot compare.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, entrypoint, MemorySaver, Send, START, StateGraph, task } from "weftgraph";
import { BaseCache, InMemoryCache } from "weftgraph/checkpoint";
import { record, replay } from "weftgraph/record";

const State = Annotation.Root({
  x: Annotation(),
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const one = (node, options, policy = {}) =>
  new StateGraph(State)
    .addNode("a", node, { cachePolicy: policy })
    .addEdge(START, "a")
    .compile(options);

async function collect(stream) {
  const chunks = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}

test("what is kept is a copy: changing a result changes no later one", async () => {
  const graph = one(() => ({ x: { list: [1] } }), { cache: new InMemoryCache() });
  const first = await graph.invoke({ x: 0 });
  first.x.list.push(2);
  const second = await graph.invoke({ x: 0 });
  assert.deepEqual(second.x, { list: [1] });
  second.x.list.push(3);
  assert.deepEqual((await graph.invoke({ x: 0 })).x, { list: [1] });
});

test("tasks of one step with the same key get what is kept once each", async () => {
  let calls = 0;
  const graph = new StateGraph(State)
    .addNode("work", ({ x }) => ({ log: [x * 10 + calls++ * 0] }), { cachePolicy: {} })
    .addConditionalEdges(START, () => [1, 1, 2].map((x) => new Send("work", { x })))
    .compile({ cache: new InMemoryCache() });
  assert.deepEqual((await graph.invoke({})).log, [10, 10, 20]);
  assert.equal(calls, 3);
  assert.deepEqual((await graph.invoke({})).log, [10, 10, 20]);
  assert.equal(calls, 3);
});

test("calls at once, with hits and misses among them", async () => {
  let calls = 0;
  const double = task({ name: "double", cachePolicy: {} }, async (x) => (calls++, x * 2));
  const flow = entrypoint({ name: "flow", cache: new InMemoryCache() }, (list) =>
    Promise.all(list.map((x) => double(x))),
  );
  assert.deepEqual(await flow.invoke([1, 2, 1]), [2, 4, 2]);
  assert.deepEqual(await flow.invoke([1, 1, 3, 2]), [2, 2, 6, 4]);
  assert.equal(calls, 4);
});

test("a call that nobody waits for is still answered", async () => {
  const double = task({ name: "double", cachePolicy: {} }, async (x) => x * 2);
  const cache = new InMemoryCache();
  const flow = entrypoint({ name: "flow", cache }, async (x) => {
    double(x);
    return "gone on";
  });
  assert.equal(await flow.invoke(1), "gone on");
  assert.equal(await flow.invoke(1), "gone on");
});

test("a cache that cannot keep is warned of, and the run goes on", async (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  class Full extends InMemoryCache {
    async set() {
      throw new Error("full");
    }
  }
  assert.deepEqual(await one(() => ({ x: 2 }), { cache: new Full() }).invoke({ x: 1 }), {
    x: 2,
    log: [],
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.match(warned.mock.calls[0].arguments[0], /cache failed to keep/);
  assert.equal(warned.mock.calls[0].arguments[1].message, "full");
});

/** A cache across a network: each `set` takes several turns of the event loop. */
class Far extends InMemoryCache {
  kept = 0;
  async set(pairs) {
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    await super.set(pairs);
    this.kept += pairs.length;
  }
}

test("a run has ended when its cache has kept the last entry: of nodes, calls, streams and runs that fail", async () => {
  const nodes = new Far();
  await one(() => ({ x: 2 }), { cache: nodes }).invoke({ x: 1 });
  assert.equal(nodes.kept, 1);

  const calls = new Far();
  const double = task({ name: "double", cachePolicy: {} }, async (x) => x * 2);
  assert.equal(await entrypoint({ name: "flow", cache: calls }, (x) => double(x)).invoke(1), 2);
  assert.equal(calls.kept, 1);

  const streams = new Far();
  await collect(one(() => ({ x: 2 }), { cache: streams }).stream({ x: 1 }));
  assert.equal(streams.kept, 1);

  const failing = new Far();
  const graph = new StateGraph(State)
    .addNode("a", () => ({ x: 2 }), { cachePolicy: {} })
    .addNode("b", () => Promise.reject(new Error("no")))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ cache: failing });
  await assert.rejects(graph.invoke({ x: 1 }), /^Error: no$/);
  assert.equal(failing.kept, 1);
});

test("whoever aborts a run does not wait for a cache that never answers", async () => {
  const stop = new AbortController();
  class Silent extends InMemoryCache {
    set() {
      queueMicrotask(() => stop.abort());
      return new Promise(() => {});
    }
  }
  assert.deepEqual(
    await one(() => ({ x: 2 }), { cache: new Silent() }).invoke({ x: 1 }, { signal: stop.signal }),
    { x: 2, log: [] },
  );
});

test("a cache that cannot be read fails the run, and the thread goes on later", async () => {
  const cache = new InMemoryCache();
  const { get } = cache;
  let broken = true;
  cache.get = (keys) => (broken ? Promise.reject(new Error("away")) : get.call(cache, keys));
  const graph = one(() => ({ x: 2 }), { cache, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  await assert.rejects(graph.invoke({ x: 1 }, config), /^Error: away$/);
  assert.deepEqual((await graph.getState(config)).next, ["a"]);
  broken = false;
  assert.deepEqual(await graph.invoke(null, config), { x: 2, log: [] });
  const held = one(() => ({ x: 2 }), {
    cache: {
      get: async ([key]) => [{ key, value: "junk" }],
      set: async () => {},
      clear: async () => {},
    },
  });
  await assert.rejects(held.invoke({ x: 1 }), { code: "BAD_ARGUMENT" });
});

test("a task whose cache cannot be read fails as a call", async () => {
  const cache = Object.assign(new InMemoryCache(), {
    get: async () => {
      throw new Error("away");
    },
  });
  const add = task({ name: "add", cachePolicy: {}, retry: { maxAttempts: 3 } }, async (x) => x + 1);
  await assert.rejects(
    entrypoint({ name: "flow", cache }, (x) => add(x)).invoke(1),
    /^Error: away$/,
  );
});

test("keyFunc must give a string or bytes", async () => {
  for (const key of [5, undefined, null, {}, Promise.resolve("k")]) {
    await assert.rejects(
      one(() => ({}), { cache: new InMemoryCache() }, { keyFunc: () => key }).invoke({}),
      TypeError,
    );
  }
});

test("abort while the cache is asked: nothing runs", async () => {
  const controller = new AbortController();
  let ran = false;
  class Slow extends BaseCache {
    async get() {
      controller.abort(new Error("enough"));
      return [];
    }
    async set() {}
    async clear() {}
  }
  await assert.rejects(
    one(() => ((ran = true), {}), { cache: new Slow() }).invoke(
      { x: 1 },
      { signal: controller.signal },
    ),
    /enough/,
  );
  assert.equal(ran, false);
});

test("a graph with a cache and no policies does not ask it; updateState runs no node", async () => {
  const asked = [];
  const cache = {
    get: async (keys) => (asked.push(keys), []),
    set: async () => {},
    clear: async () => {},
  };
  const graph = new StateGraph(State)
    .addNode("a", () => ({ x: 1 }))
    .addEdge(START, "a")
    .compile({ cache });
  await graph.invoke({ x: 0 });
  const stored = one(() => ({ x: 2 }), { cache, checkpointer: new MemorySaver() });
  await stored.updateState({ configurable: { thread_id: "1" } }, { x: 5 }, "a");
  assert.deepEqual(asked, []);
});

test("a recorded run with hits plays again without the cache", async () => {
  const cache = new InMemoryCache();
  const graph = one((state) => ({ x: state.x + 1, log: ["ran"] }), { cache });
  await graph.invoke({ x: 1 });
  const tape = record();
  const chunks = await collect(graph.stream({ x: 1 }, { record: tape, streamMode: "updates" }));
  assert.deepEqual(chunks, [{ a: { x: 2, log: ["ran"] }, __metadata__: { cached: true } }]);
  assert.deepEqual(replay(tape.text(), { graph }).output, { x: 2, log: ["ran"] });
});

test("a finished step of hits is in the thread when it is read anew", async () => {
  const saver = Object.assign(new MemorySaver(), { isolate: true });
  const graph = new StateGraph(State)
    .addNode("a", () => ({ x: "a", log: ["a"] }), { cachePolicy: {} })
    .addNode("b", ({ x }) => ({ log: [`b after ${x}`] }), { cachePolicy: {} })
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ cache: new InMemoryCache(), checkpointer: saver });
  await graph.invoke({ x: 1 }, { configurable: { thread_id: "1" } });
  for (const durability of ["sync", "async", "exit"]) {
    const config = { configurable: { thread_id: durability }, durability };
    await graph.invoke({ x: 1 }, config);
    assert.deepEqual((await graph.getState(config)).values, { x: "a", log: ["a", "b after a"] });
  }
});
