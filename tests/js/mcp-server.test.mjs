// SPDX-License-Identifier: MIT
// serveMcp: tools and graphs for MCP clients of both eras, our own and the official ones.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { AIMessage, Annotation, INTERRUPT, MemorySaver, START, StateGraph } from "weftgraph";
import { Command, InMemoryStore, MessagesAnnotation, getStore, interrupt } from "weftgraph";
import { connectMcp, loadMcpTools } from "weftgraph/mcp";
import { serveMcp } from "weftgraph/mcp/server";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent, reviewToolCalls } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { toNodeHandler } from "weftgraph/server/node";
import { serveFrom } from "weftgraph/server/service-worker";
import { tool } from "weftgraph/tools";
import * as z from "zod";
import { CLIENTS, MAIL, URL_OF_SERVER, makeGraph, makeTools } from "./mcp-served.mjs";

const folder = mkdtempSync(join(tmpdir(), "weft-mcp-server-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const connect = (server, options) => connectMcp(URL_OF_SERVER, { fetch: server.fetch, ...options });

for (const [kind, open] of Object.entries(CLIENTS)) {
  test(`${kind}: lists and calls tools, with structured results and failures`, async () => {
    const { list, call, close } = await open(serveMcp(makeTools()));
    const { tools } = await list();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["add", "fail", "slow", "pay", "ask"],
    );
    assert.equal(tools[0].title, "Add");
    assert.equal(tools[0].description, "Adds two numbers");
    assert.equal(tools[0].annotations.readOnlyHint, true);
    assert.deepEqual(tools[0].inputSchema.required, ["a", "b"]);
    const added = await call("add", { a: 1, b: 2 });
    assert.deepEqual(added.structuredContent, { sum: 3 });
    assert.deepEqual(added.content, [{ type: "text", text: '{"sum":3}' }]);
    const failed = await call("fail", {});
    assert.equal(failed.isError, true);
    assert.match(failed.content[0].text, /no such city/);
    const unfit = await call("add", { a: "x" });
    assert.equal(unfit.isError, true);
    await assert.rejects(call("none", {}), (error) => /Unknown tool: none/.test(error.message));
    await close();
  });

  test(`${kind}: progress comes before the result`, async () => {
    const { call, close } = await open(serveMcp(makeTools()));
    const seen = [];
    const result = await call("slow", {}, { onProgress: (one) => seen.push(one) });
    assert.deepEqual(result.content, [{ type: "text", text: "done" }]);
    assert.deepEqual(
      seen.map(({ progress, total, message }) => [progress, total, message]),
      [
        [1, 3, "step 1"],
        [2, 3, "step 2"],
        [3, 3, "step 3"],
      ],
    );
    await close();
  });

  test(`${kind}: an aborted call ends the tool's work`, async () => {
    const calls = [];
    const { call, close } = await open(serveMcp(makeTools(calls), { heartbeatMs: 20 }));
    const controller = new AbortController();
    const { signal } = controller;
    await assert.rejects(
      call("slow", { ms: 200 }, { signal, onProgress: () => controller.abort() }),
    );
    for (let tries = 0; calls.length === 0 && tries < 100; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(calls, ["slow aborted"]);
    await close();
  });

  test(`${kind}: an interrupt with a form asks the person`, async () => {
    const asked = [];
    const answer = (params) => {
      asked.push(params.message);
      return { action: "accept", content: { count: 3 } };
    };
    const { call, close } = await open(serveMcp(makeTools()), { answer });
    const result = await call("ask", {});
    assert.deepEqual(asked, ["How many?"]);
    assert.deepEqual(JSON.parse(result.content[0].text), {
      action: "accept",
      content: { count: 3, unit: "kg" },
    });
    await close();
  });

  test(`${kind}: an interrupt with an address asks the person to open it`, async () => {
    const visit = tool(
      () => interrupt({ message: "Sign in", url: "https://pay.example/in" }).action,
      { name: "visit", schema: { type: "object" } },
    );
    const asked = [];
    const answer = ({ mode, url }) => {
      asked.push([mode, url]);
      return { action: "accept" };
    };
    const { call, close } = await open(serveMcp([visit]), { answer });
    assert.equal((await call("visit", {})).content[0].text, "accept");
    assert.deepEqual(asked, [["url", "https://pay.example/in"]]);
    await close();
  });

  test(`${kind}: a tool runs only when the person approves`, async () => {
    const calls = [];
    let decision = "reject";
    const asked = [];
    const answer = (params) => {
      asked.push(params.message);
      return { action: "accept", content: { decision, reason: "too much" } };
    };
    const { call, close } = await open(serveMcp(makeTools(calls)), { answer });
    const rejected = await call("pay", { amount: 500 });
    assert.match(rejected.content[0].text, /rejected.*too much/s);
    assert.match(asked[0], /pay \{"amount":500\}/);
    assert.deepEqual(calls, []);
    decision = "approve";
    assert.equal((await call("pay", { amount: 5 })).content[0].text, "paid 5");
    assert.deepEqual(calls, ["paid 5"]);
    await close();
  });

  test(`${kind}: a graph is one tool, asks in the middle and goes on there`, async () => {
    const calls = [];
    const answer = ({ message }) => ({
      action: "accept",
      content: { answer: message === "What to write?" ? "hello" : "?" },
    });
    const server = serveMcp(makeGraph(calls), { ...MAIL, output: ({ sent }) => sent });
    const { list, call, close } = await open(server, { answer });
    assert.equal((await list()).tools[0].name, "send_mail");
    const seen = [];
    const result = await call("send_mail", { to: "Ada" }, { onProgress: (one) => seen.push(one) });
    assert.deepEqual(result.content, [{ type: "text", text: "Dear Ada, hello" }]);
    assert.deepEqual(calls, ["greet", "write"]);
    assert.ok(seen.some(({ message }) => message === "greet"));
    await close();
  });

  test(`${kind}: a client that cannot ask is told, and nothing runs`, async () => {
    if (kind === "our client, modern") return; // it can always ask
    const calls = [];
    const { call, close } = await open(serveMcp(makeTools(calls)));
    const outcome = await call("pay", { amount: 1 }).catch((error) => error);
    assert.match(outcome.message ?? outcome.content[0].text, /asks a person/);
    assert.deepEqual(calls, []);
    await close();
  });
}

test("the list of tools has pages", async () => {
  const tools = Array.from({ length: 5 }, (_, at) => tool(() => "x", { name: `t${at}` }));
  const server = await connect(serveMcp(tools, { pageSize: 2 }));
  const names = [];
  let cursor;
  let pages = 0;
  do {
    const page = await server.listTools(cursor === undefined ? {} : { cursor });
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined);
  assert.deepEqual(names, ["t0", "t1", "t2", "t3", "t4"]);
  assert.equal(pages, 3);
  for (const wrong of ["5", "-1", "x", 1, ""])
    await assert.rejects(server.listTools({ cursor: wrong }), { code: -32602 });
});

test("a question is answered in another process with the same saver", async () => {
  const calls = [];
  const serve = () => serveMcp(makeTools(calls), { saver: new FileSaver({ path: folder }) });
  const params = { name: "pay", arguments: { amount: 7 } };
  const asked = await (await connect(serve())).callTool(params);
  assert.equal(asked.resultType, "input_required");
  const [key] = Object.keys(asked.inputRequests);
  const result = await (await connect(serve())).callTool({
    ...params,
    inputResponses: { [key]: { action: "accept", content: { decision: "approve" } } },
    requestState: asked.requestState,
  });
  assert.equal(result.content[0].text, "paid 7");
  assert.deepEqual(calls, ["paid 7"]);
});

test("threads are deleted when their calls end, or when nobody answers in time", async () => {
  const saver = new MemorySaver();
  const server = await connect(serveMcp(makeTools(), { saver, answerMs: 30 }));
  const threads = async () => {
    const ids = new Set();
    for await (const { config } of saver.list({})) ids.add(config.configurable.thread_id);
    return ids.size;
  };
  await server.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  assert.equal(await threads(), 0);
  const asked = await server.callTool({ name: "ask" });
  assert.equal(await threads(), 1);
  await new Promise((resolve) => setTimeout(resolve, 40));
  const [key] = Object.keys(asked.inputRequests);
  await assert.rejects(
    server.callTool({
      name: "ask",
      inputResponses: { [key]: { action: "accept", content: { count: 1 } } },
      requestState: asked.requestState,
    }),
    { code: -32602 },
  );
  await server.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  assert.equal(await threads(), 0);
});

test("a missing answer, or one that does not fit, is asked for again", async () => {
  const server = await connect(serveMcp(makeTools()));
  const asked = await server.callTool({ name: "ask" });
  const [key] = Object.keys(asked.inputRequests);
  const { requestState } = asked;
  for (const inputResponses of [
    undefined,
    {},
    { [key]: { action: "accept", content: { count: "many" } } },
    { [key]: { action: "maybe" } },
    { [key]: null },
    { other: { action: "accept", content: { count: 1 } } },
  ]) {
    const again = await server.callTool({ name: "ask", inputResponses, requestState });
    assert.equal(again.resultType, "input_required");
    assert.equal(again.requestState, requestState);
  }
  const inputResponses = { [key]: { action: "decline" } };
  const result = await server.callTool({ name: "ask", inputResponses, requestState });
  assert.equal(result.content[0].text, '{"action":"decline"}');
});

test("who does not answer a plain question ends the call", async () => {
  const server = await connect(serveMcp(makeGraph(), MAIL));
  const params = { name: "send_mail", arguments: { to: "Ada" } };
  const { inputRequests, requestState } = await server.callTool(params);
  const inputResponses = { [Object.keys(inputRequests)[0]]: { action: "cancel" } };
  const result = await server.callTool({ ...params, inputResponses, requestState });
  assert.equal(result.isError, true);
  await assert.rejects(server.callTool({ ...params, inputResponses, requestState }), {
    code: -32602,
  });
});

test("an agent's calls that wait for approval are one form", async () => {
  const ran = [];
  const pay = tool(({ amount }) => void ran.push(amount), {
    name: "pay",
    schema: { type: "object", properties: { amount: { type: "number" } } },
  });
  const call = (id, amount) => ({ name: "pay", args: { amount }, id });
  const agent = createReactAgent({
    llm: new ScriptedModel({
      responses: [
        new AIMessage({ content: "", tool_calls: [call("a", 5), call("b", 500)] }),
        "Ok.",
      ],
    }),
    tools: [pay],
    postModelHook: reviewToolCalls({ policies: { pay: () => "ask" } }),
  });
  const server = await connect(
    serveMcp(agent, {
      name: "banker",
      schema: z.object({ task: z.string() }),
      input: ({ task }) => ({ messages: task }),
    }),
  );
  const params = { name: "banker", arguments: { task: "Pay both" } };
  const { inputRequests, requestState } = await server.callTool(params);
  const [[key, { params: form }]] = Object.entries(inputRequests);
  assert.match(form.message, /500/);
  assert.deepEqual(form.requestedSchema.required, ["decision_1", "decision_2"]);
  const content = { decision_1: "approve", decision_2: "reject" };
  const inputResponses = { [key]: { action: "accept", content } };
  const result = await server.callTool({ ...params, inputResponses, requestState });
  assert.equal(result.content[0].text, "Ok.");
  assert.deepEqual(ran, [5]);
});

test("the question of an MCP server behind a served tool goes through to the client", async () => {
  const calls = [];
  const behind = serveMcp(makeTools(calls));
  const tools = await loadMcpTools(URL_OF_SERVER, { fetch: behind.fetch, include: ["ask", "add"] });
  const server = await connect(serveMcp(tools));
  const { inputRequests, requestState } = await server.callTool({ name: "ask" });
  const [[key, { params }]] = Object.entries(inputRequests);
  assert.equal(params.message, "How many?");
  const inputResponses = { [key]: { action: "accept", content: { count: 2 } } };
  const result = await server.callTool({ name: "ask", inputResponses, requestState });
  assert.match(result.content[0].text, /"count":2/);
  assert.deepEqual(calls, ["asked"]);
  const added = await server.callTool({ name: "add", arguments: { a: 1, b: 1 } });
  assert.deepEqual(added.structuredContent, { sum: 2 });
});

test("a served tool in a graph of another program interrupts it", async () => {
  const server = serveMcp(makeTools());
  const tools = await loadMcpTools(URL_OF_SERVER, { fetch: server.fetch });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "tools")
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: "1" } };
  const tool_calls = [{ type: "tool_call", id: "1", name: "pay", args: { amount: 3 } }];
  const messages = [{ role: "assistant", content: "", tool_calls }];
  const { [INTERRUPT]: asked } = await graph.invoke({ messages }, thread);
  const [key] = Object.keys(asked[0].value.requests);
  const resume = { [key]: { action: "accept", content: { decision: "approve" } } };
  const state = await graph.invoke(new Command({ resume }), thread);
  assert.equal(state.messages.at(-1).content, "paid 3");
});

test("results of every kind: pictures, sound, links, resources, files", async () => {
  const blocks = [
    { type: "text", text: "one" },
    { type: "image", source_type: "base64", data: "aGk=", mime_type: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "image_url", image_url: { url: "data:image/gif;base64,aGk=" } },
    { type: "file", source_type: "url", url: "https://example.com/y", mime_type: "text/plain" },
    { type: "resource", resource: { uri: "file:///a", text: "hello" } },
  ];
  const server = await connect(serveMcp([tool(() => blocks, { name: "all" })]));
  const { content } = await server.callTool({ name: "all", arguments: { input: "x" } });
  assert.deepEqual(content, [
    { type: "text", text: "one" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "image", data: "aGk=", mimeType: "image/gif" },
    {
      type: "resource_link",
      uri: "https://example.com/y",
      name: "https://example.com/y",
      mimeType: "text/plain",
    },
    { type: "resource", resource: { uri: "file:///a", text: "hello" } },
  ]);
});

test("tools of another server are served on with their pictures, sound and links", async () => {
  const parts = [
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "image", data: "PHN2Zz4=", mimeType: "image/svg+xml" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "resource_link", uri: "note://1", name: "one", description: "A note" },
  ];
  const first = serveMcp([tool(() => parts, { name: "all" })]);
  const server = await connect(serveMcp(await loadMcpTools(URL_OF_SERVER, { fetch: first.fetch })));
  const { content } = await server.callTool({ name: "all", arguments: { input: "x" } });
  const text = { type: "text", text: 'Resource "one": note://1\nA note' };
  assert.deepEqual(content, parts.toSpliced(3, 0, text));
});

test("a result that does not fit its outputSchema is an error, and legacy clients get objects only", async () => {
  const list = tool(() => [1, 2], {
    name: "list",
    metadata: { mcp: { outputSchema: { type: "array", items: { type: "number" } } } },
  });
  const wrong = tool(() => ({ sum: "x" }), {
    name: "wrong",
    metadata: { mcp: { outputSchema: { properties: { sum: { type: "number" } } } } },
  });
  const served = serveMcp([list, wrong]);
  const modern = await connect(served);
  const params = (name) => ({ name, arguments: { input: "" } });
  assert.deepEqual((await modern.callTool(params("list"))).structuredContent, [1, 2]);
  assert.match((await modern.callTool(params("wrong"))).content[0].text, /outputSchema/);
  const legacy = await connect(served, { era: "legacy" });
  const { tools } = await legacy.listTools();
  assert.equal(tools[0].outputSchema, undefined);
  const result = await legacy.callTool(params("list"));
  assert.equal(result.structuredContent, undefined);
  assert.equal(result.content[0].text, "[1,2]");
});

test("what a graph answers: a structured response, its last message, its state", async () => {
  const State = Annotation.Root({ n: Annotation(), doubled: Annotation() });
  const graph = new StateGraph(State)
    .addNode("double", ({ n }) => ({ doubled: 2 * n }))
    .addEdge(START, "double")
    .compile();
  const schema = { type: "object", properties: { n: { type: "number" } } };
  const Answer = z.object({ city: z.string() });
  const agentOf = (...responses) => ({
    schema: { type: "object", properties: { messages: { type: "string" } } },
    graph: createReactAgent({
      llm: new ScriptedModel({ responses }),
      tools: [],
      responseFormat: responses.length > 1 ? Answer : undefined,
    }),
  });
  const server = await connect(
    serveMcp([
      { name: "double", graph, schema },
      { name: "talk", ...agentOf("Hello.") },
      {
        name: "find",
        ...agentOf("It is Rome.", {
          tool_calls: [{ name: "extract", args: { city: "Rome" }, id: "1" }],
        }),
      },
    ]),
  );
  const call = (name, args) => server.callTool({ name, arguments: args });
  assert.deepEqual((await call("double", { n: 4 })).structuredContent, { n: 4, doubled: 8 });
  const talk = await call("talk", { messages: "Hi" });
  assert.deepEqual(talk.content, [{ type: "text", text: "Hello." }]);
  assert.equal(talk.structuredContent, undefined);
  assert.deepEqual((await call("find", { messages: "?" })).structuredContent, { city: "Rome" });
  assert.equal((await call("double", { n: "4" })).isError, true);
});

test("each user has a part of the store, and its name is in the config", async () => {
  const note = tool(
    async ({ text }, { configurable, store }) => {
      const found = await (store ?? getStore()).get(["notes"], "last");
      await (store ?? getStore()).put(["notes"], "last", { text });
      return `${configurable.langgraph_auth_user_id}: ${found?.value.text ?? "nothing"}`;
    },
    { name: "note", schema: { type: "object", properties: { text: { type: "string" } } } },
  );
  const server = serveMcp([note], {
    store: new InMemoryStore(),
    authenticate: (request) => request.headers.get("authorization")?.slice("Bearer ".length),
  });
  const as = async (user, text) => {
    const client = await connect(server, { headers: { authorization: `Bearer ${user}` } });
    return (await client.callTool({ name: "note", arguments: { text } })).content[0].text;
  };
  assert.equal(await as("ada", "one"), "ada: nothing");
  assert.equal(await as("bob", "two"), "bob: nothing");
  assert.equal(await as("ada", "three"), "ada: one");
});

test("over Node's http, and over a port", async (t) => {
  const server = serveMcp(makeTools(), { serverInfo: { name: "here", version: "2" } });
  const http = createServer(toNodeHandler(server));
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port1, port2 } = new MessageChannel();
  const stop = server.listen(port1);
  t.after(() => {
    http.close();
    http.closeAllConnections();
    stop();
    port2.close();
  });
  for (const [url, options] of [
    [`http://127.0.0.1:${http.address().port}/mcp`, {}],
    ["http://weft.local/mcp", { fetch: serveFrom(port2).fetch }],
  ]) {
    const seen = [];
    const client = await connectMcp(url, options);
    assert.equal(client.serverInfo.name, "here");
    const onProgress = ({ progress }) => seen.push(progress);
    const result = await client.callTool({ name: "slow", arguments: {} }, { onProgress });
    assert.equal(result.content[0].text, "done");
    assert.deepEqual(seen, [1, 2, 3]);
  }
});

test("a call that takes long is a stream with comments, and ends in time", async () => {
  const never = tool(() => new Promise(() => {}), { name: "never", schema: { type: "object" } });
  const server = serveMcp([never], { heartbeatMs: 20, maxDurationMs: 150 });
  const client = await connect(server, { timeoutMs: 100 });
  await assert.rejects(client.callTool({ name: "never" }), { code: -32603 });
});
