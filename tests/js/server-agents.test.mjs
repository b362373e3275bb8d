// SPDX-License-Identifier: MIT
// The server's addresses for clients that name a graph and no assistant: AG-UI's HttpAgent, and the
// SDK's FetchStreamTransport. Their runs are runs of the server as all others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { FetchStreamTransport } from "@langchain/langgraph-sdk/react";
import { MessagesAnnotation, START, StateGraph, tool } from "weftgraph";
import { handleAgUi } from "weftgraph/ag-ui";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { URL_OF_SERVER, listOf, makeAgent, pause, say, serve } from "./server-graphs.mjs";

const agui = handleAgUi;

/** An agent that orders tea if it may. */
function makeOrders(responses) {
  const ran = [];
  const order = tool(({ item }) => (ran.push(item), `ordered ${item}`), {
    name: "order",
    description: "Orders",
    schema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    approval: "ask",
  });
  return {
    graph: createReactAgent({ llm: new ScriptedModel({ responses }), tools: [order] }),
    ran,
  };
}

function agentOf({ server }, threadId, headers = {}) {
  return new HttpAgent({
    url: `${URL_OF_SERVER}/agui/agent`,
    threadId,
    headers,
    fetch: server.fetch,
  });
}

/** A run, with its events and how it ended. */
async function run(agent, input = {}) {
  const events = [];
  const heard = { onEvent: ({ event }) => void events.push(event) };
  await agent.runAgent(input, heard);
  return { events, last: events.at(-1) };
}

async function until(isSo) {
  for (let tries = 0; !isSo() && tries < 500; tries++) await pause(10);
  assert.ok(isSo());
}

test("AG-UI: a turn, an approval and its answer are runs of a thread of the server", async () => {
  const { graph, ran } = makeOrders([
    { content: "Let me.", tool_calls: [{ name: "order", id: "c1", args: { item: "tea" } }] },
    "It is on its way.",
  ]);
  const served = serve({ agui, graphs: { agent: graph } });
  const agent = agentOf(served, "t");
  agent.addMessage({ id: "u1", role: "user", content: "tea, please" });
  const asked = await run(agent);
  const [{ id, toolCallId }] = asked.last.outcome.interrupts;
  assert.equal(toolCallId, "c1");
  const thread = await served.client.threads.get("t");
  assert.equal(thread.status, "interrupted");
  assert.equal(thread.metadata.graph_id, "agent");
  assert.deepEqual(ran, []);
  const resume = [{ interruptId: id, status: "resolved", payload: { approved: true } }];
  const done = await run(agent, { resume });
  assert.deepEqual(done.last.outcome, { type: "success" });
  assert.deepEqual(ran, ["tea"]);
  assert.equal(agent.messages.at(-1).content, "It is on its way.");
  const runs = await served.client.runs.list("t");
  assert.deepEqual(
    runs.map(({ status }) => status),
    ["success", "success"],
  );
  const { values } = await served.client.threads.getState("t");
  assert.deepEqual(
    values.messages.map(({ type }) => type),
    ["human", "ai", "tool", "ai"],
  );
  const again = await listOf(served.client.runs.joinStream("t", runs[0].run_id));
  assert.equal(again.at(-1).data.messages.length, 4, "its stream can be joined");
});

test("AG-UI: an edited message forks the thread; context reaches the node with the assistant's", async () => {
  const contexts = [];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("answer", ({ messages }, { context }) => {
      contexts.push(context);
      return { messages: [{ role: "ai", content: `to ${messages.at(-1).content}` }] };
    })
    .addEdge(START, "answer")
    .compile();
  const served = serve({ agui, graphs: { agent: graph } });
  const assistant = await served.client.assistants.create({
    graphId: "agent",
    context: { tone: "kind" },
  });
  const agent = new HttpAgent({
    url: `${URL_OF_SERVER}/agui/${assistant.assistant_id}`,
    threadId: "t",
    fetch: served.server.fetch,
  });
  agent.addMessage({ id: "u1", role: "user", content: "one" });
  await run(agent, { context: [{ description: "where", value: "here" }] });
  assert.equal(contexts[0].tone, "kind");
  assert.deepEqual(contexts[0].agui.context, [{ description: "where", value: "here" }]);
  agent.setMessages([{ id: "u2", role: "user", content: "two" }]);
  await run(agent);
  assert.deepEqual(
    agent.messages.map(({ content }) => content),
    ["two", "to two"],
  );
});

test("AG-UI: a thread at work, one of somebody else, a wrong input and a failing run are told", async () => {
  const heard = {};
  const authenticate = ({ headers }) => headers.get("x-user") ?? undefined;
  const served = serve({ agui, authenticate, graphs: { agent: makeAgent(heard) } });
  const ann = { "x-user": "ann" };
  const agent = agentOf(served, "t", ann);
  agent.addMessage({ id: "u1", role: "user", content: "slow" });
  const started = new Promise((resolve) => (heard.started = resolve));
  const first = run(agent);
  await started;
  const other = agentOf(served, "t", ann);
  other.addMessage({ id: "u2", role: "user", content: "hi" });
  const busy = await run(other);
  assert.equal(busy.last.type, "RUN_ERROR");
  assert.match(busy.last.message, /already running/);
  agent.abortRun();
  await first.catch(() => {});
  await until(() => heard.aborted !== undefined);
  const eve = agentOf(served, "t", { "x-user": "eve" });
  await assert.rejects(run(eve), { status: 404 });
  await assert.rejects(run(agentOf(served, "t")), { status: 401 });
  const failing = agentOf(served, "other", ann);
  failing.addMessage({ id: "u3", role: "user", content: "fail" });
  const failed = await run(failing);
  assert.deepEqual(
    [failed.last.type, failed.last.message],
    ["RUN_ERROR", "the payment service said no"],
  );
  const ask = (path, body) => served.ask("POST", path, body, ann);
  assert.equal((await ask("/agui/none", {})).status, 404);
  assert.equal((await ask("/agui/agent", "{")).status, 422);
  assert.equal((await served.ask("GET", "/agui/agent", undefined, ann)).status, 405);
  const wrong = await served.server.fetch(`${URL_OF_SERVER}/agui/agent`, {
    method: "POST",
    body: '{"threadId":7}',
    headers: ann,
  });
  assert.match(await wrong.text(), /"code":"INVALID_INPUT"/);
  assert.equal((await serve().ask("POST", "/agui/agent", {})).status, 501);
});

test("AG-UI: a run that the server cancels ends with an error, and its thread goes on", async () => {
  const heard = {};
  const served = serve({ agui, graphs: { agent: makeAgent(heard) } });
  const agent = agentOf(served, "t");
  agent.addMessage({ id: "u1", role: "user", content: "slow" });
  const started = new Promise((resolve) => (heard.started = resolve));
  const running = run(agent);
  await started;
  const [{ run_id }] = await served.client.runs.list("t");
  await served.client.runs.cancel("t", run_id, true);
  assert.deepEqual(
    [(await running).last.type, (await running).last.message],
    ["RUN_ERROR", "The run was cancelled."],
  );
  agent.addMessage({ id: "u2", role: "user", content: "hi" });
  const { last } = await run(agent);
  assert.equal(last.type, "RUN_FINISHED");
  assert.equal(agent.messages.at(-1).content, "you said hi ");
});

/** What useStream calls with a transport of its own. */
function streamOf({ server }, payload, options = {}) {
  const transport = new FetchStreamTransport({
    apiUrl: `${URL_OF_SERVER}/stream/agent`,
    fetch: server.fetch,
    ...options,
  });
  return transport.stream({ signal: new AbortController().signal, ...payload });
}

const onThread = (thread_id) => ({ config: { configurable: { thread_id } } });

test("FetchStreamTransport: a thread by its config: pieces, values, a question and its answer", async () => {
  const served = serve();
  const told = await listOf(await streamOf(served, { input: say("hi"), ...onThread("t") }));
  const names = new Set(told.map(({ event }) => event));
  for (const name of ["metadata", "values", "messages", "updates", "custom"])
    assert.ok(names.has(name), name);
  const asked = await listOf(await streamOf(served, { input: say("ask"), ...onThread("t") }));
  const question = asked.findLast(({ event }) => event === "values").data.__interrupt__[0];
  assert.deepEqual(question.value, { q: "?" });
  const command = { resume: { [question.id]: "fine" } };
  const answered = await listOf(await streamOf(served, { command, ...onThread("t") }));
  const { messages } = answered.findLast(({ event }) => event === "values").data;
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["hi", "you said hi ", "ask", "fine"],
  );
  assert.equal((await served.client.runs.list("t")).length, 3);
});

test("FetchStreamTransport: without a thread nothing is kept; modes can be asked for", async () => {
  const served = serve();
  const onRequest = (_url, init) => {
    const body = JSON.parse(init.body);
    return { ...init, body: JSON.stringify({ ...body, stream_mode: "updates" }) };
  };
  const events = await listOf(await streamOf(served, { input: say("hi") }, { onRequest }));
  assert.deepEqual([...new Set(events.map(({ event }) => event))], ["metadata", "updates"]);
  assert.equal(await served.client.threads.count(), 0);
});

test("FetchStreamTransport: who stops reading cancels the run, and the next one waits for its end", async () => {
  const heard = {};
  const served = serve({ graphs: { agent: makeAgent(heard) } });
  const controller = new AbortController();
  const { signal } = controller;
  const started = new Promise((resolve) => (heard.started = resolve));
  const stream = await streamOf(served, { input: say("slow"), signal, ...onThread("t") });
  const reading = listOf(stream).catch(({ name }) => name);
  await started;
  controller.abort();
  await reading;
  const next = await listOf(await streamOf(served, { input: say("hi"), ...onThread("t") }));
  assert.equal(heard.aborted.name, "AbortError");
  const { messages } = next.findLast(({ event }) => event === "values").data;
  assert.equal(messages.at(-1).content, "you said hi ");
  const wrong = [
    ["/stream/none", {}, 404],
    ["/stream/agent", { config: 7 }, 422],
    ["/stream/agent", { config: { configurable: 7 } }, 422],
    ["/stream/agent", { config: { configurable: { thread_id: 7 } } }, 422],
  ];
  for (const [path, body, status] of wrong)
    assert.equal((await served.ask("POST", path, body)).status, status, path);
});
