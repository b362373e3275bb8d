// SPDX-License-Identifier: MIT
// What CONTRIBUTING.md shows of extending Weft from outside works: examples/extend.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { test } from "node:test";
import { Annotation, Command, MemorySaver, START, StateGraph, interrupt, tool } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { storeContract } from "weftgraph/store-contract";

// Where the package's name means this checkout: examples/ is a package of its own.
const folder = new URL("../../build/extend/", import.meta.url);
cpSync(new URL("../../examples/extend/", import.meta.url), folder, { recursive: true });
const load = (name) => import(new URL(name, folder));
const [{ Max }, { Calculator }, { redisSaver }, { timings }] = await Promise.all(
  ["max-channel.js", "model.js", "redis-saver.js", "timings.js"].map(load),
);

/** A client of Redis over a Map: buffers, patterns with `\\`, `*` and `?`, and the one script. */
function clientOf(map = new Map()) {
  return {
    map,
    get: async (key) => map.get(key) ?? null,
    set: async (key, value) => void map.set(key, Buffer.from(value)),
    del: async (key) => map.delete(key),
    async *scanIterator({ MATCH }) {
      const pattern = new RegExp(
        `^${MATCH.replaceAll(/\\(.)|[*?]|[^\w]/g, (found, escaped) => (found === "*" ? ".*" : found === "?" ? "." : `\\${escaped ?? found}`))}$`,
        "s",
      );
      const keys = [...map.keys()].filter((key) => pattern.test(key));
      for (let at = 0; at < keys.length; at += 10) yield keys.slice(at, at + 10);
    },
    eval: async (script, { keys: [key], arguments: [expected, value] }) => {
      assert.match(script, /GET.*\n.*ARGV\[1\].*\n.*SET/);
      if (Buffer.compare(map.get(key) ?? Buffer.alloc(0), expected) !== 0) return 0;
      map.set(key, Buffer.from(value));
      return 1;
    },
  };
}

const clients = new WeakMap();
function storeOver(client) {
  const { store } = redisSaver(client);
  clients.set(store, client);
  return store;
}
storeContract({
  test: (name, run) => void test(`the Redis saver: ${name}`, run),
  assert,
  makeStore: () => storeOver(clientOf()),
  reopen: (store) => storeOver(clientOf(clients.get(store).map)),
  features: { witness: true, exactBytes: false },
});

test("the Redis saver keeps a question over a restart, under a prefix with characters that patterns reserve", async () => {
  const client = clientOf();
  const open = () =>
    new StateGraph(Annotation.Root({ ok: Annotation }))
      .addNode("ask", () => ({ ok: interrupt("Go on?") }))
      .addEdge(START, "ask")
      .compile({ checkpointer: redisSaver(client, { prefix: "my[app]*/" }) });
  await open().invoke({}, { configurable: { thread_id: "1" } });
  assert.deepEqual(
    await open().invoke(new Command({ resume: true }), { configurable: { thread_id: "1" } }),
    { ok: true },
  );
  assert.deepEqual(await open().checkpointer.listThreads(), ["1"]);
});

test("the model by shape calls a tool and streams its tokens", async () => {
  const add = tool(({ a, b }) => String(a + b), {
    name: "add",
    schema: {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      required: ["a", "b"],
    },
  });
  const agent = createReactAgent({ llm: new Calculator(), tools: [add] });
  const { messages } = await agent.invoke({ messages: "What is 40 + 2?" });
  assert.deepEqual(
    messages.map((message) => [message.getType(), message.content]),
    [
      ["human", "What is 40 + 2?"],
      ["ai", ""],
      ["tool", "42"],
      ["ai", "That is 42."],
    ],
  );
  const tokens = [];
  for await (const chunk of new Calculator().stream([messages[0]])) tokens.push(chunk.content);
  assert.deepEqual(tokens, ["I ", "only ", "add."]);
});

test("the channel kind keeps the greatest number, saved or not", async () => {
  const State = Annotation.Root({ best: () => new Max() });
  for (const checkpointer of [undefined, new MemorySaver()]) {
    const graph = new StateGraph(State)
      .addNode("a", () => ({ best: 3 }))
      .addNode("b", () => ({ best: 7 }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .compile({ checkpointer });
    const config = { configurable: { thread_id: "1" } };
    assert.deepEqual(await graph.invoke({ best: 5 }, config), { best: 7 });
    if (checkpointer) assert.deepEqual(await graph.invoke({ best: 1 }, config), { best: 7 });
    await assert.rejects(graph.invoke({ best: "high" }, config), /Max takes numbers/);
  }
});

test("the stream mode yields each task's time", async () => {
  const graph = new StateGraph(Annotation.Root({ n: Annotation }))
    .addNode("slow", () => new Promise((resolve) => setTimeout(resolve, 20, { n: 1 })))
    .addNode("fast", () => ({ n: 2 }))
    .addEdge(START, "slow")
    .addEdge("slow", "fast")
    .compile();
  const seen = [];
  for await (const timing of timings(graph, { n: 0 })) seen.push(timing);
  assert.deepEqual(
    seen.map(({ node }) => node),
    ["slow", "fast"],
  );
  assert.ok(seen[0].milliseconds >= 15 && seen[1].milliseconds < seen[0].milliseconds);
});
