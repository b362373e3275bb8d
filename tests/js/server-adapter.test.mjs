// SPDX-License-Identifier: MIT
// weftgraph/server/adapter as the SDK's thread streams and its stream controller (which is behind
// useStream of all frameworks) use it: a server in the same program, without requests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@langchain/langgraph-sdk";
import { StreamController } from "@langchain/langgraph-sdk/stream";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { createAdapter } from "weftgraph/server/adapter";
import { pause, say, serve } from "./server-graphs.mjs";

const ROOT = { channels: ["values", "checkpoints", "lifecycle", "input", "messages", "tools"] };

/** A client that reaches nothing: whatever asks by it fails. */
const nowhere = () =>
  new Client({
    apiUrl: "http://nowhere.invalid",
    callerOptions: {
      maxRetries: 0,
      fetch: (address) => assert.fail(`a request of ${address}`),
    },
  });

async function until(isSo) {
  for (let tries = 0; !isSo() && tries < 1000; tries++) await pause(10);
  assert.ok(isSo());
}

/** What useStream does, and what it shows. */
function control(transport, threadId = null, client = nowhere()) {
  const controller = new StreamController({
    assistantId: "agent",
    client,
    threadId,
    transport,
  });
  const release = controller.activate();
  return {
    controller,
    shown: () => controller.rootStore.getSnapshot(),
    close: async () => {
      release();
      await controller.dispose();
    },
  };
}

const textsOf = ({ messages }) => messages.map(({ text }) => text);

test("a thread that the SDK makes streams by the adapter: values, a question and its answer", async () => {
  const { server } = serve();
  const thread = nowhere().threads.stream({
    assistantId: "agent",
    transport: createAdapter(server),
  });
  await thread.run.start({ input: say("ask") });
  await until(() => thread.interrupted);
  const [{ interruptId, namespace, payload }] = thread.interrupts;
  assert.deepEqual(payload, { q: "?" });
  await thread.input.respond({ namespace, interrupt_id: interruptId, response: "fine" });
  for await (const { messages } of thread.values)
    if (messages.length === 2) {
      assert.equal(messages.at(-1).content, "fine");
      break;
    }
  await thread.close();
});

test("useStream's controller shows an answer while it grows", async () => {
  const llm = new ScriptedModel({ responses: ["one two three"], tokenDelayMs: 60 });
  const { server } = serve({ graphs: { agent: createReactAgent({ llm, tools: [] }) } });
  const { controller, shown, close } = control(createAdapter(server, { threadId: "t" }), "t");
  const seen = new Set();
  controller.rootStore.subscribe(() => seen.add(shown().messages.at(-1)?.text));
  await controller.submit(say("hi"));
  await until(() => !shown().isLoading);
  assert.deepEqual(textsOf(shown()), ["hi", "one two three"]);
  assert.ok(seen.size > 3, [...seen].join());
  await close();
});

test("useStream's controller: a turn, a question, its answer, another thread, and back", async () => {
  const { server, client } = serve();
  const { controller, shown, close } = control(createAdapter(server), null, client);
  await controller.submit(say("hi"));
  await until(() => !shown().isLoading);
  assert.deepEqual(textsOf(shown()), ["hi", "you said hi "]);
  const { threadId } = shown();
  await controller.submit(say("ask"));
  await until(() => shown().interrupt !== undefined && !shown().isLoading);
  assert.deepEqual(shown().interrupt.value, { q: "?" });
  await controller.hydrate("another");
  await until(() => !shown().isThreadLoading);
  assert.deepEqual(textsOf(shown()), []);
  await controller.hydrate(threadId);
  await until(() => shown().interrupt !== undefined);
  await until(() => controller.getThread()?.interrupts.length === 1);
  assert.equal(textsOf(shown()).length, 3);
  await controller.respond("fine");
  await until(() => textsOf(shown()).at(-1) === "fine" && !shown().isLoading);
  assert.equal(shown().interrupt, undefined);
  await close();
});

test("another controller on the thread shows what was and what comes", async () => {
  const { server } = serve();
  const one = control(createAdapter(server));
  await one.controller.submit(say("ask"));
  await until(() => one.shown().interrupt !== undefined && !one.shown().isLoading);
  const { threadId } = one.shown();
  const two = control(createAdapter(server, { threadId }), threadId);
  await two.controller.hydrate(threadId);
  await until(() => two.shown().interrupt !== undefined);
  assert.deepEqual(textsOf(two.shown()), ["ask"]);
  await one.controller.respond("yes");
  await until(() => textsOf(two.shown()).at(-1) === "yes");
  await until(() => two.shown().interrupt === undefined);
  await one.close();
  await two.close();
});

test("streams by themselves: what was, filtered, then what comes; they end with their reader", async () => {
  const { server } = serve();
  const adapter = createAdapter(server, { threadId: "t" });
  assert.equal(await adapter.getState(), null);
  assert.deepEqual(await adapter.getHistory(), []);
  const { type, result } = await adapter.send({
    id: 1,
    method: "run.start",
    params: { assistant_id: "agent", input: say("hi") },
  });
  assert.equal(type, "success");
  const stream = adapter.openEventStream({ channels: ["lifecycle"], namespaces: [[]], depth: 0 });
  await stream.ready;
  const seen = [];
  for await (const { event_id } of stream.events) {
    seen.push(event_id);
    if (seen.length === 2) break;
  }
  assert.deepEqual(seen, [`synth:${result.run_id}:running`, `synth:${result.run_id}:completed`]);
  const other = adapter.openEventStream(ROOT);
  await other.ready;
  other.close();
  assert.equal((await other.events.next()).done, true);
  const state = await adapter.getState();
  assert.deepEqual(
    state.values.messages.map(({ content }) => content),
    ["hi", "you said hi "],
  );
  assert.equal((await adapter.getHistory({ limit: 2 })).length, 2);
  const last = adapter.openEventStream({ ...ROOT, since: 1000 });
  const reading = last.events.next();
  await adapter.close();
  assert.equal((await reading).done, true);
});

test("events without streams of their own come where a command subscribed to them", async () => {
  const { server } = serve();
  const adapter = createAdapter(server);
  adapter.setThreadId("t");
  const events = adapter.events();
  const params = { channels: ["lifecycle"], namespaces: [[]], depth: 0 };
  const subscribe = { id: 1, method: "subscription.subscribe", params };
  assert.equal((await adapter.send(subscribe)).result.replayed_events, 0);
  const run = { assistant_id: "agent", input: say("hi") };
  await adapter.send({ id: 2, method: "run.start", params: run });
  assert.equal((await events.next()).value.params.data.event, "running");
  adapter.setThreadId("t");
  assert.equal((await events.next()).value.params.data.event, "completed");
  adapter.setThreadId("other");
  assert.equal((await events.next()).done, true);
  assert.equal(adapter.threadId, "other");
  assert.equal((await adapter.send({ ...subscribe, id: 3 })).result.replayed_events, 0);
});

test("a slow reader holds nothing up, and gets everything", async () => {
  const { server } = serve();
  const adapter = createAdapter(server, { threadId: "t" });
  const stream = adapter.openEventStream({ channels: ["values"], namespaces: [[]], depth: 0 });
  const input = say("x".repeat(400_000));
  for (let id = 1; id <= 5; id++) {
    const params = { assistant_id: "agent", input };
    await adapter.send({ id, method: "run.start", params });
  }
  for (let tries = 0; (await adapter.getState()).values.messages?.length !== 10; tries++) {
    assert.ok(tries < 500);
    await pause(10);
  }
  let longest = 0;
  for await (const { params } of stream.events) {
    longest = Math.max(longest, params.data.messages?.length ?? 0);
    if (longest === 10) break;
  }
  await adapter.close();
});

test("who may not is told with a status, what is wrong with a sentence", async () => {
  const authenticate = ({ headers }) => headers.get("x-user") ?? undefined;
  const { server } = serve({ authenticate });
  const stranger = createAdapter(server, { threadId: "t" });
  await assert.rejects(stranger.send({ id: 1, method: "agent.getTree" }), { status: 401 });
  await assert.rejects(stranger.getState(), { status: 401 });
  const ann = createAdapter(server, { threadId: "t", headers: { "x-user": "ann" } });
  const params = { assistant_id: "agent", input: say("hi") };
  assert.equal((await ann.send({ id: 1, method: "run.start", params })).type, "success");
  const eve = createAdapter(server, { threadId: "t", headers: { "x-user": "eve" } });
  const stream = eve.openEventStream(ROOT);
  await assert.rejects(stream.ready, { status: 404 });
  await assert.rejects(stream.events.next(), { status: 404 });
  assert.equal(await eve.getState(), null);
  const wrong = ann.openEventStream({ channels: 7 });
  await assert.rejects(wrong.ready, /channels must be a list/);
  await assert.rejects(wrong.events.next(), /channels must be a list/);
  await ann.close();
});

test("a server with a path, closed while it is read; what is no server is refused", async () => {
  const { server } = serve({ basePath: "/api" });
  const adapter = createAdapter(server, { threadId: "t" });
  const stream = adapter.openEventStream(ROOT);
  await stream.ready;
  assert.equal(await adapter.getState(), null);
  await server.close();
  assert.equal((await stream.events.next()).done, true);
  for (const wrong of [undefined, {}, { fetch() {} }])
    assert.throws(() => createAdapter(wrong), { code: "BAD_ARGUMENT" });
  assert.throws(() => createAdapter(server, { threadId: 7 }), { code: "BAD_ARGUMENT" });
  await assert.rejects(createAdapter(server).send({ id: 1 }), { code: "BAD_ARGUMENT" });
});
