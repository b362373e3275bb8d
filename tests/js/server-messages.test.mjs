// SPDX-License-Identifier: MIT
// What the Agent Server writes of streamed messages, and of values that JSON has no form for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AIMessage, AIMessageChunk, HumanMessage } from "weftgraph";
import { makeAgent, readEvents, say, serve, URL_OF_SERVER } from "./server-graphs.mjs";

/** The events, but for the first, of a run of a graph that streams these chunks. */
async function eventsOf(mode, chunks) {
  const graph = {
    stream: async () => chunks(),
    getState: async () => ({ values: {}, next: [], tasks: [], config: {} }),
  };
  const { server } = serve({ graphs: { own: graph } });
  const response = await server.fetch(`${URL_OF_SERVER}/runs/stream`, {
    method: "POST",
    body: JSON.stringify({ assistant_id: "own", input: {}, stream_mode: [mode] }),
  });
  const [, ...events] = await readEvents(response);
  return events;
}

const piece = (fields) => new AIMessageChunk({ id: "m1", ...fields });
const call = { name: "add", args: "{", id: "c1", index: 0, type: "tool_call_chunk" };

test("each piece of a message is written with its own fields, whatever the one before had", async () => {
  const [one, other] = [{ langgraph_node: "a" }, { langgraph_node: "b", at: 1n }];
  const pieces = [
    [piece({ content: "a" }), one],
    [piece({ content: 'b"\né' }), one],
    [piece({ content: "c" }), other],
    [piece({ content: "", tool_call_chunks: [call] }), one],
    [piece({ content: "", tool_call_chunks: [{ ...call, args: "1}" }] }), one],
    [piece({ content: "d", response_metadata: { stop: "end" } }), one],
    [piece({ content: "e", additional_kwargs: { own: 2n } }), one],
    [piece({ content: "f", name: "me" }), one],
    [piece({ content: "g" }), one],
    [piece({ content: [{ type: "text", text: "h" }] }), one],
    [piece({ content: "i", id: "m2" }), one],
    [piece({ content: "j", id: "m2", usage_metadata: { total_tokens: 3 } }), other],
    [piece({ content: "k" }), other],
    [new AIMessage({ content: "l", id: "m3" }), one],
    [new HumanMessage({ content: "m", id: "m4" }), one],
    [{ role: "user", content: "n" }, one],
  ];
  const shown = pieces.map(([message, metadata]) => {
    const { type, data } = message.toDict?.() ?? {};
    const flat = type === undefined ? message : { ...data, type };
    if (message instanceof AIMessageChunk) flat.type = "AIMessageChunk";
    return JSON.parse(
      JSON.stringify([flat, metadata], (_, value) =>
        typeof value === "bigint" ? String(value) : value,
      ),
    );
  });
  const events = await eventsOf("messages-tuple", async function* () {
    for (const payload of pieces) yield ["messages", payload];
  });
  assert.deepEqual(
    events.map(({ data }) => data),
    shown,
  );
});

test("a piece whose fields are changed afterwards does not change the next one", async () => {
  const usage = { total_tokens: 1 };
  const events = await eventsOf("messages-tuple", async function* () {
    const metadata = { langgraph_node: "a" };
    const calls = [];
    yield ["messages", [piece({ content: "a", tool_call_chunks: calls }), metadata]];
    calls.push(call);
    yield ["messages", [piece({ content: "b", tool_call_chunks: calls }), metadata]];
    yield ["messages", [piece({ content: "c", usage_metadata: usage }), metadata]];
    usage.total_tokens = 2;
    yield ["messages", [piece({ content: "d", usage_metadata: usage }), metadata]];
  });
  const told = events.map(({ data: [message] }) => [
    message.content,
    message.tool_call_chunks.length,
    message.usage_metadata?.total_tokens,
  ]);
  assert.deepEqual(told, [
    ["a", 0, undefined],
    ["b", 1, undefined],
    ["c", 0, 1],
    ["d", 0, 2],
  ]);
});

test("what a model says in one turn of the event loop is read in few pieces", async () => {
  const graph = {
    stream: async () =>
      (async function* () {
        for (let at = 0; at < 1000; at++) yield ["messages", [piece({ content: `${at} ` }), {}]];
      })(),
    getState: async () => ({ values: {}, next: [], tasks: [], config: {} }),
  };
  const { server } = serve({ graphs: { own: graph } });
  const response = await server.fetch(`${URL_OF_SERVER}/runs/stream`, {
    method: "POST",
    body: JSON.stringify({ assistant_id: "own", input: {}, stream_mode: ["messages-tuple"] }),
  });
  const decoder = new TextDecoder();
  let text = "";
  let pieces = 0;
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true });
    pieces++;
  }
  assert.equal(text.match(/^event: messages$/gm).length, 1000);
  assert.ok(pieces <= 100, `${pieces} pieces`);
});

test("values: messages flat, errors without their stack, big numbers as text, a Map and a Set as lists", async () => {
  const human = new HumanMessage({ content: "hi", id: "h" });
  const [{ data }] = await eventsOf("values", async function* () {
    const inner = JSON.parse('{"__proto__": {"own": 1}}');
    inner.count = 12345678901234567890n;
    const state = {
      messages: [human, { of: human }],
      at: new Date(0),
      error: new RangeError("no"),
      ages: new Map([["Ada", { of: human }]]),
      tags: new Set([1n, "a"]),
    };
    yield ["values", { ...state, inner, none: undefined, list: [undefined, () => 1] }];
  });
  const flat = { ...human.toDict().data, type: "human" };
  assert.deepEqual(data.messages, [flat, { of: flat }]);
  assert.equal(data.at, "1970-01-01T00:00:00.000Z");
  assert.deepEqual(data.error, { error: "RangeError", message: "no" });
  assert.equal(data.inner.count, "12345678901234567890");
  assert.ok(Object.hasOwn(data.inner, "__proto__"));
  assert.deepEqual(data.ages, [["Ada", { of: flat }]]);
  assert.deepEqual(data.tags, ["1", "a"]);
  assert.equal("none" in data, false);
  assert.deepEqual(data.list, [null, null]);
});

test("a state that contains itself fails its run at once", async () => {
  const events = await eventsOf("values", async function* () {
    const state = { name: "s" };
    for (let at = 0; at < 50; at++) state[`own${at}`] = state;
    yield ["values", { state }];
  });
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.error]),
    [["error", "TypeError"]],
  );
});

test("a stream that a graph overrides is a ReadableStream when it is served, too", async () => {
  const graph = makeAgent();
  graph.stream = async function (...call) {
    const stream = await Object.getPrototypeOf(graph).stream.apply(graph, call);
    return stream.pipeThrough(new TransformStream());
  };
  const { client } = serve({ graphs: { agent: graph } });
  assert.deepEqual((await client.runs.wait(null, "agent", { input: say("hi") })).log, [
    "first",
    "hi",
  ]);
});
