// SPDX-License-Identifier: MIT
// MCP servers of both eras, made with the official SDKs, and their tools in graphs.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyHTTPTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport as LegacyMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as LegacyMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { McpError, connectMcp, loadMcpTools } from "weftgraph/mcp";
import { AIMessage, HumanMessage } from "weftgraph/messages";
import { createAgent } from "weftgraph/agent";
import { humanInTheLoopMiddleware } from "weftgraph/agent/middleware";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, reviewToolCalls } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { build } from "esbuild";
import * as z from "zod";
import { URL_OF_ALL, legacyServer, modernServer } from "./mcp-servers.mjs";

const folder = mkdtempSync(join(tmpdir(), "weft-mcp-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const callOf = (name, args, id = "c1") => ({ type: "tool_call", id, name, args });
const messagesOf = (...calls) => ({
  messages: [{ role: "assistant", content: "", tool_calls: calls }],
});
const graphOf = (tools, checkpointer) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "tools")
    .compile({ checkpointer });
const named = (tools, name) => tools.find((one) => one.name === name);

for (const [era, makeServer] of [
  ["modern", modernServer],
  ["legacy", legacyServer],
]) {
  test(`finds out that a server is of the ${era} era, and uses its tools, resources and prompts`, async () => {
    const fetch = makeServer();
    const server = await connectMcp(URL_OF_ALL, { fetch });
    assert.equal(server.era, era);
    assert.equal(server.serverInfo.name, era === "modern" ? "demo" : "old");
    assert.ok((await server.listTools()).tools.some(({ name }) => name === "add"));
    const added = await server.callTool({ name: "add", arguments: { a: 1, b: 2 } });
    assert.deepEqual(added.structuredContent, { sum: 3 });
    assert.equal((await server.listResources()).resources[0].uri, "note://1");
    assert.equal((await server.readResource({ uri: "note://1" })).contents[0].text, "remember");
    assert.equal((await server.listPrompts()).prompts[0].name, "greet");
    const prompt = await server.getPrompt({ name: "greet", arguments: { name: "Ada" } });
    assert.equal(prompt.messages[0].content.text, "Greet Ada");
    await server.close();
    await assert.rejects(server.listTools(), { code: "CLOSED" });
  });

  test(`a ${era} server's progress arrives before the result`, async () => {
    const server = await connectMcp(URL_OF_ALL, { fetch: makeServer() });
    const seen = [];
    const result = await server.callTool(
      { name: "slow", arguments: {} },
      { onProgress: (progress) => seen.push(progress) },
    );
    assert.equal(result.content[0].text, "done");
    assert.deepEqual(
      seen.map(({ progress, message }) => [progress, message]),
      [
        [1, "step 1"],
        [2, "step 2"],
        [3, "step 3"],
      ],
    );
  });

  test(`an aborted call to a ${era} server ends at once, and the server hears of it`, async () => {
    const calls = [];
    const server = await connectMcp(URL_OF_ALL, { fetch: makeServer({ calls }) });
    const controller = new AbortController();
    const call = server.callTool(
      { name: "slow", arguments: { ms: 200 } },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await assert.rejects(call, { name: "AbortError" });
    for (let tries = 0; calls.length === 0 && tries < 50; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(calls, ["slow aborted"]);
  });

  test(`a ${era} server's results become messages of tools: pictures in OpenAI's form, links as text`, async () => {
    const tools = await loadMcpTools(URL_OF_ALL, { fetch: makeServer() });
    const sum = await named(tools, "add").invoke(callOf("add", { a: 1, b: 2 }));
    assert.equal(sum.content, "3");
    assert.deepEqual(sum.artifact, [{ type: "mcp_structured_content", data: { sum: 3 } }]);
    const all = await named(tools, "all_kinds").invoke(callOf("all_kinds", {}));
    assert.deepEqual(all.content, [
      { type: "text", text: "one" },
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
      { type: "audio", mimeType: "audio/wav", data: "aGk=" },
      { type: "text", text: 'Resource "y" (text/plain): https://example.com/y' },
    ]);
    assert.deepEqual(all.artifact, [
      {
        type: "resource",
        resource: { uri: "file:///a", text: "hello", mimeType: "text/plain" },
      },
      { type: "resource_link", uri: "https://example.com/y", name: "y", mimeType: "text/plain" },
      { type: "mcp_meta", data: { k: 1 } },
    ]);
    assert.equal(named(tools, "all_kinds").metadata.mcp.name, "all.kinds");
  });

  test(`a ${era} server's failed call is told to the model`, async () => {
    const tools = await loadMcpTools(URL_OF_ALL, { fetch: makeServer() });
    const { messages } = await graphOf(tools).invoke(messagesOf(callOf("broken", {})));
    assert.deepEqual([messages.at(-1).status, messages.at(-1).content], ["error", "no such city"]);
    await assert.rejects(named(tools, "broken").invoke({}), { code: "TOOL_ERROR" });
  });
}

test("LangChain's models send a server's picture once, with its type, and take its sound and links", async () => {
  const tools = await loadMcpTools(URL_OF_ALL, { fetch: modernServer() });
  const called = callOf("all_kinds", {});
  const result = await named(tools, "all_kinds").invoke(called);
  const messages = [
    new HumanMessage("Look."),
    new AIMessage({ content: "", tool_calls: [called] }),
    result,
  ];
  const sent = async (make) => {
    let body = "nothing";
    const fetch = async (_, init) => {
      body = init.body;
      return new Response("{}", { status: 400 });
    };
    await assert.rejects(make({ apiKey: "k", maxRetries: 0 }, fetch).invoke(messages), /400/);
    return JSON.parse(body);
  };
  const claude = await sent(
    (options, fetch) =>
      new ChatAnthropic({ model: "claude-sonnet-4-5", ...options, clientOptions: { fetch } }),
  );
  const pictures = claude.messages.at(-1).content[0].content.filter(({ type }) => type === "image");
  const source = { type: "base64", media_type: "image/png", data: "aGk=" };
  assert.deepEqual(pictures, [{ type: "image", source }]);
  const openai = await sent(
    (options, fetch) => new ChatOpenAI({ model: "gpt-4.1", ...options, configuration: { fetch } }),
  );
  const shown = openai.messages.at(-1).content.filter(({ type }) => type === "image_url");
  assert.deepEqual(shown, [
    { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
  ]);
});

test("a question of a modern server interrupts the graph; a new process goes on with the answer", async () => {
  const calls = [];
  const fetch = modernServer({ calls });
  const saver = () => new FileSaver({ path: join(folder, "elicit") });
  const config = { configurable: { thread_id: "1" } };
  const before = graphOf(await loadMcpTools(URL_OF_ALL, { fetch }), saver());
  const asked = await before.invoke(
    messagesOf(callOf("deploy", { env: "prod" }), callOf("add", { a: 1, b: 5 }, "c2")),
    config,
  );
  const { value } = asked.__interrupt__[0];
  assert.deepEqual(Object.keys(value), ["type", "server", "tool", "requests", "requestState"]);
  assert.equal(value.type, "mcp_elicitation");
  assert.equal(value.requests.confirm.params.message, "Deploy to prod?");

  const next = graphOf(await loadMcpTools(URL_OF_ALL, { fetch }), saver());
  await assert.rejects(next.invoke(new Command({ resume: { confirm: true } }), config), {
    code: "BAD_ELICITATION",
  });
  const answer = { action: "accept", content: { confirm: true } };
  const { messages } = await next.invoke(new Command({ resume: { confirm: answer } }), config);
  assert.deepEqual(
    messages.slice(1).map(({ content }) => content),
    ['deployed to prod: {"confirm":true,"level":"careful"}', "6"],
  );
  assert.deepEqual(calls, ["deploy asked", "deploy done"]);
  const last = fetch.sent.at(-1).body.params;
  assert.equal(last.requestState, "state of prod");
});

test("a question over the official client, version 2, interrupts as the guide makes that client", async () => {
  const guide = readFileSync(new URL("../../docs/guides/mcp.md", import.meta.url), "utf8");
  const [recipe] = guide.match(/new Client\(info, \{[^`]*\}\)/);
  const client = new Function("Client", "info", `return ${recipe}`)(Client, {
    name: "test",
    version: "1",
  });
  const calls = [];
  const fetch = modernServer({ calls });
  await client.connect(new StreamableHTTPClientTransport(new URL(URL_OF_ALL), { fetch }));
  const graph = graphOf(await loadMcpTools(client), new MemorySaver());
  const config = { configurable: { thread_id: "1" } };
  const asked = await graph.invoke(messagesOf(callOf("deploy", { env: "prod" })), config);
  assert.equal(asked.__interrupt__[0].value.type, "mcp_elicitation");
  const resume = { confirm: { action: "accept", content: { confirm: true } } };
  const { messages } = await graph.invoke(new Command({ resume }), config);
  assert.match(messages.at(-1).content, /^deployed to prod/);
  assert.deepEqual(calls, ["deploy asked", "deploy done"]);
});

test("a declined question is sent to the server as declined", async () => {
  const tools = await loadMcpTools(URL_OF_ALL, { fetch: modernServer() });
  const graph = graphOf(tools, new MemorySaver());
  const config = { configurable: { thread_id: "1" } };
  await graph.invoke(messagesOf(callOf("deploy", { env: "prod" })), config);
  const resume = { confirm: { action: "decline", content: { confirm: true } } };
  const again = await graph.invoke(new Command({ resume }), config);
  // This server asks again.
  assert.equal(again.__interrupt__.length, 1);
});

test("outside of a graph a question names the way out", async () => {
  const tools = await loadMcpTools(URL_OF_ALL, { fetch: modernServer() });
  await assert.rejects(named(tools, "deploy").invoke({ env: "prod" }), { code: "NEEDS_GRAPH" });
});

test("a question of a legacy server goes to onElicit, with the form's defaults filled in", async () => {
  const server = await connectMcp(URL_OF_ALL, {
    fetch: legacyServer(),
    onElicit: ({ message }) => ({ action: "accept", content: { count: message.length } }),
  });
  const { content } = await server.callTool({ name: "ask", arguments: {} });
  assert.deepEqual(JSON.parse(content[0].text), {
    action: "accept",
    content: { count: 9, unit: "kg" },
  });
  await server.close();
});

test("a legacy server's own questions are heard during calls alone, so that a program can end", async () => {
  const fetch = legacyServer();
  const onElicit = () => ({ action: "decline" });
  const server = await connectMcp(URL_OF_ALL, { fetch, onElicit });
  const heard = () => fetch.sent.filter(({ method }) => method === "GET");
  assert.equal(heard().length, 0);
  for (const count of [1, 2]) {
    await Promise.all([1, 2].map(() => server.callTool({ name: "ask", arguments: {} })));
    assert.equal(heard().length, count);
    const { signal } = heard()[count - 1];
    assert.ok(!signal.aborted);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  }
  await server.close();
});

test("a legacy server is not told of elicitation when nobody answers", async () => {
  const fetch = legacyServer();
  await connectMcp(URL_OF_ALL, { fetch, era: "legacy" });
  assert.deepEqual(fetch.sent[0].body.params.capabilities, {});
});

test("a session that a legacy server forgot is opened anew, once", async () => {
  const fetch = legacyServer();
  const server = await connectMcp(URL_OF_ALL, { fetch });
  fetch.sessions.clear();
  const results = await Promise.all(
    [1, 2, 3].map((a) => server.callTool({ name: "add", arguments: { a, b: 1 } })),
  );
  assert.deepEqual(
    results.map(({ structuredContent }) => structuredContent.sum),
    [2, 3, 4],
  );
  assert.equal(fetch.sessions.size, 1);
  await server.close();
  assert.equal(fetch.sessions.size, 0);
});

test("progress of a tool goes to the streams `tools` and `custom`", async () => {
  const tools = await loadMcpTools(URL_OF_ALL, { fetch: modernServer() });
  const seen = { custom: [], tools: [] };
  for await (const [mode, event] of await graphOf(tools).stream(messagesOf(callOf("slow", {})), {
    streamMode: ["custom", "tools"],
  }))
    seen[mode].push(event);
  const steps = (events) =>
    events.filter(({ type }) => type === "mcp_progress").map(({ message }) => message);
  assert.deepEqual(steps(seen.custom), ["step 1", "step 2", "step 3"]);
  assert.deepEqual(
    seen.tools.filter(({ event }) => event === "on_tool_event").map(({ data }) => data.message),
    ["step 1", "step 2", "step 3"],
  );
});

test("a function of headers is asked once more with what the server demands", async () => {
  const inner = modernServer();
  const challenge =
    'Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource", scope="a b"';
  const fetch = (url, init) =>
    new Headers(init.headers).get("authorization") === "Bearer good"
      ? inner(url, init)
      : Promise.resolve(
          new Response(null, { status: 401, headers: { "www-authenticate": challenge } }),
        );
  const asked = [];
  let token = "old";
  const headers = async (demanded) => {
    asked.push(demanded);
    if (demanded !== undefined) token = "good";
    return { authorization: `Bearer ${token}` };
  };
  const server = await connectMcp(URL_OF_ALL, { fetch, headers });
  assert.equal(server.era, "modern");
  assert.deepEqual(
    [asked[1].scheme, asked[1].parameters.scope, asked[1].status],
    ["Bearer", "a b", 401],
  );
  await assert.rejects(
    connectMcp(URL_OF_ALL, { fetch, headers: { authorization: "Bearer bad" } }),
    (error) => {
      assert.ok(error instanceof McpError);
      assert.equal(error.code, "UNAUTHORIZED");
      assert.equal(error.challenge.parameters.scope, "a b");
      assert.ok(!error.message.includes("bad"));
      return true;
    },
  );
});

test("a refusal is told when the page's other files are gone", async () => {
  const outdir = join(folder, "page");
  await build({
    stdin: {
      contents: 'export { connectMcp } from "weftgraph/mcp";',
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    conditions: ["browser"],
    outdir,
    entryNames: "page",
    outExtension: { ".js": ".mjs" },
    external: ["node:*"],
    logLevel: "error",
  });
  const page = await import(pathToFileURL(join(outdir, "page.mjs")).href);
  for (const name of readdirSync(outdir)) rmSync(join(outdir, name));
  const fetch = async () => new Response(null, { status: 401 });
  const asked = [];
  const headers = (challenge) => {
    asked.push(challenge?.status);
    return {};
  };
  await assert.rejects(page.connectMcp(URL_OF_ALL, { fetch, headers }), (error) => {
    assert.deepEqual([error.name, error.code, error.status], ["McpError", "UNAUTHORIZED", 401]);
    return true;
  });
  assert.deepEqual(asked, [undefined, 401]);
});

test("tools of several servers are called after their server, and have its policy of approval", async () => {
  const tools = await loadMcpTools(
    {
      docs: { url: URL_OF_ALL, fetch: modernServer(), include: ["add"] },
      crm: { url: URL_OF_ALL, fetch: legacyServer(), approval: "ask" },
    },
    { approval: ({ name }) => (name === "add" ? "deny" : undefined) },
  );
  assert.deepEqual(tools.map(({ name, approval }) => [name, approval]).slice(0, 2), [
    ["docs__add", "deny"],
    ["crm__add", "ask"],
  ]);
  const both = { a: await connectMcp(URL_OF_ALL, { fetch: modernServer() }) };
  both.b = both.a;
  await assert.rejects(loadMcpTools(both, { prefix: false }), { code: "BAD_NAME" });
});

test("a call that waits for approval is asked about again when the server describes its tool otherwise", async () => {
  let description = "Deletes a note";
  const fetch = modernServer({
    change: (server) =>
      server.registerTool("remove", { description }, async () => ({
        content: [{ type: "text", text: "removed" }],
      })),
  });
  const saver = new MemorySaver();
  const config = { configurable: { thread_id: "1" } };
  const make = async () =>
    graphOf(await loadMcpTools(URL_OF_ALL, { fetch, approval: "ask" }), saver);
  await (await make()).invoke(messagesOf(callOf("remove", {})), config);
  description = "Deletes all notes";
  const accept = (fields) => new Command({ resume: { type: "accept", ...fields } });
  const again = await (await make()).invoke(accept(), config);
  assert.equal(again.__interrupt__.length, 1);
  assert.match(again.__interrupt__[0].value.problem, /as it is now/);
  const { approval_id } = again.__interrupt__[0].value;
  const { messages } = await (await make()).invoke(accept({ approval_id }), config);
  assert.equal(messages.at(-1).content, "removed");
});

const TWO = messagesOf(callOf("remove", {}), callOf("keep", {}, "c2"));
/** A server whose tools can change, two calls that wait for approval, and what was sent. */
const waitingCalls = async (connect, makeGraph, { approval = "ask", input = TWO } = {}) => {
  const described = { remove: { description: "Deletes a note" }, keep: { description: "Keeps" } };
  const fetch = modernServer({
    change: (server) => {
      for (const [name, fields] of Object.entries(described))
        server.registerTool(name, fields, async () => ({
          content: [{ type: "text", text: `${name}: ${fields.description}` }],
        }));
    },
  });
  let isDown = false;
  const guarded = async (url, init) => {
    if (isDown) throw new TypeError("no network");
    const answer = await fetch(url, init);
    const text = await answer.text();
    // A client may keep the list for as long as the server allows.
    return new Response(text.replace('"ttlMs":0', '"ttlMs":60000') || null, answer);
  };
  const graph = makeGraph(
    await loadMcpTools(await connect(guarded), { approval, include: ["remove", "keep"] }),
  );
  const config = { configurable: { thread_id: "1" } };
  await graph.invoke(input, config);
  const lists = () => fetch.sent.filter(({ body }) => body?.method === "tools/list").length;
  const before = lists();
  return {
    described,
    answer: (resume) => graph.invoke(new Command({ resume }), config),
    state: () => graph.getState(config),
    lists: () => lists() - before,
    ran: () => fetch.sent.filter(({ body }) => body?.method === "tools/call").length,
    down: () => void (isDown = true),
  };
};
const own = (fetch) => connectMcp(URL_OF_ALL, { fetch });
const withNode = (options) => (tools) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools, options))
    .addEdge(START, "tools")
    .compile({ checkpointer: new MemorySaver() });
const accept = { type: "accept" };
/** Accepts all that is asked. */
const acceptAll = ({ tasks }) =>
  Object.fromEntries(tasks.flatMap((task) => task.interrupts).map(({ id }) => [id, accept]));
const answersOf = ({ messages }) =>
  messages.filter(({ type }) => type === "tool").map(({ content }) => content);

for (const [name, connect] of [
  ["its own connection", own],
  [
    "the official client",
    async (fetch) => {
      const client = new Client(
        { name: "test", version: "1" },
        { versionNegotiation: { mode: "auto" } },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(URL_OF_ALL), { fetch }));
      return client;
    },
  ],
  [
    "the official client, version 1",
    async (fetch) => {
      const client = new LegacyClient({ name: "test", version: "1" });
      await client.connect(new LegacyHTTPTransport(new URL(URL_OF_ALL), { fetch }));
      return client;
    },
  ],
])
  for (const [part, change] of [
    ["description", { description: "Deletes all notes" }],
    ["annotations", { annotations: { destructiveHint: true } }],
    ["schema", { inputSchema: z.object({ all: z.boolean().default(true) }) }],
  ])
    test(`an approved call is asked about again in the same process when the tool's ${part} changed, over ${name}`, async () => {
      const waiting = await waitingCalls(connect, withNode());
      Object.assign(waiting.described.remove, change);
      const again = await waiting.answer(acceptAll(await waiting.state()));
      assert.deepEqual(
        again.__interrupt__.map(({ value }) => value.action_request.action),
        ["remove"],
      );
      assert.match(again.__interrupt__[0].value.problem, /as it is now/);
      const { approval_id } = again.__interrupt__[0].value;
      const done = await waiting.answer({ ...accept, approval_id });
      const { description } = waiting.described.remove;
      assert.deepEqual(answersOf(done), [`remove: ${description}`, "keep: Keeps"]);
      assert.equal(waiting.ran(), 2);
    });

test("approved calls of a message ask once how the server describes their tools; those that need no approval never", async () => {
  const waiting = await waitingCalls(own, withNode({ approvals: "batch" }));
  const done = await waiting.answer([accept, accept]);
  assert.deepEqual(answersOf(done), ["remove: Deletes a note", "keep: Keeps"]);
  assert.equal(waiting.lists(), 1);
  const free = await waitingCalls(own, withNode(), { approval: "auto" });
  assert.deepEqual([free.ran(), free.lists()], [2, 0]);
});

test("an approved call does not run when nobody can say how its tool is described, or it is gone", async () => {
  const waiting = await waitingCalls(own, withNode());
  waiting.down();
  const texts = answersOf(await waiting.answer(acceptAll(await waiting.state())));
  for (const text of texts) assert.match(text, /was not run: .* is not known .*no network/);
  const second = await waitingCalls(own, withNode());
  delete second.described.remove;
  const [gone, kept] = answersOf(await second.answer(acceptAll(await second.state())));
  assert.match(gone, /remove was not run: it is no longer among the server's tools/);
  assert.equal(kept, "keep: Keeps");
  assert.deepEqual([waiting.ran(), second.ran()], [0, 1]);
});

test("an approved edit that names another tool is shown again when that has changed", async () => {
  const waiting = await waitingCalls(own, withNode());
  const { tasks } = await waiting.state();
  const [first, other] = tasks.flatMap(({ interrupts }) => interrupts);
  await waiting.answer({ [other.id]: { type: "ignore" } });
  const edit = { type: "edit", args: { action: "keep", args: {} } };
  const shown = await waiting.answer({ [first.id]: edit });
  waiting.described.keep.description = "Keeps nothing";
  const again = await waiting.answer({ [shown.__interrupt__[0].id]: accept });
  assert.equal(again.__interrupt__.length, 1);
  assert.equal(waiting.ran(), 0);
});

test("a call that was reviewed before its node does not run when its tool has changed", async () => {
  const review = (tools) =>
    new StateGraph(MessagesAnnotation)
      .addNode("review", reviewToolCalls({ fallback: "ask" }))
      .addNode("tools", new ToolNode(tools))
      .addEdge(START, "review")
      .addEdge("review", "tools")
      .compile({ checkpointer: new MemorySaver() });
  const waiting = await waitingCalls(own, review, { approval: "auto" });
  waiting.described.remove.description = "Deletes all notes";
  const [refused, kept] = answersOf(await waiting.answer({ c1: accept, c2: accept }));
  assert.match(refused, /remove was not run: its server describes it otherwise now/);
  assert.equal(kept, "keep: Keeps");
  assert.equal(waiting.ran(), 1);
});

test("humanInTheLoopMiddleware asks again when the server describes a tool otherwise", async () => {
  const agentOf = (tools) =>
    createAgent({
      model: new ScriptedModel({
        responses: [{ content: "", tool_calls: [callOf("remove", {})] }, "done"],
      }),
      tools,
      checkpointer: new MemorySaver(),
      middleware: [humanInTheLoopMiddleware({ interruptOn: { remove: true } })],
    }).graph;
  const waiting = await waitingCalls(own, agentOf, { approval: "auto", input: { messages: "go" } });
  waiting.described.remove.description = "Deletes all notes";
  const approve = { decisions: [{ type: "approve" }] };
  const again = await waiting.answer(approve);
  assert.match(again.__interrupt__[0].value.problem, /as it is now/);
  assert.equal(waiting.ran(), 0);
  const { approval_id } = again.__interrupt__[0].value;
  const named = { decisions: [{ type: "approve", approval_id }] };
  assert.deepEqual(answersOf(await waiting.answer(named)), ["remove: Deletes all notes"]);
});

test("a call that waits for approval is asked about again when the server is at another address", async () => {
  const fetch = modernServer();
  const saver = new MemorySaver();
  const config = { configurable: { thread_id: "1" } };
  const make = async (url) =>
    graphOf(await loadMcpTools(url, { fetch, approval: "ask", include: ["add"] }), saver);
  const call = callOf("add", { a: 1, b: 2 });
  await (await make(`${URL_OF_ALL}?key=1`)).invoke(messagesOf(call), config);
  const accept = new Command({ resume: { type: "accept" } });
  const other = await make("https://evil.example/mcp");
  const again = await other.invoke(accept, config);
  assert.match(again.__interrupt__[0].value.problem, /as it is now/);

  const renewed = { configurable: { thread_id: "2" } };
  await (await make(`${URL_OF_ALL}?key=1`)).invoke(messagesOf(call), renewed);
  const { messages } = await (await make(`${URL_OF_ALL}?key=2`)).invoke(accept, renewed);
  assert.equal(messages.at(-1).content, "3");
});

test("takes clients of the official SDK, version 1 and 2", async () => {
  const [ours, theirs] = LegacyMemoryTransport.createLinkedPair();
  const old = new LegacyMcpServer({ name: "v1", version: "1" });
  old.registerTool("double", { inputSchema: { n: z.number() } }, async ({ n }) => ({
    content: [{ type: "text", text: String(2 * n) }],
  }));
  const first = new LegacyClient({ name: "test", version: "1" });
  await Promise.all([old.connect(theirs), first.connect(ours)]);
  const [mine, its] = InMemoryTransport.createLinkedPair();
  const recent = new McpServer({ name: "v2", version: "1" });
  recent.registerTool("double", { inputSchema: z.object({ n: z.number() }) }, async ({ n }) => ({
    content: [{ type: "text", text: String(2 * n) }],
  }));
  const second = new Client({ name: "test", version: "1" });
  await Promise.all([recent.connect(its), second.connect(mine)]);
  for (const client of [first, second]) {
    const [double] = await loadMcpTools(client);
    assert.equal((await double.invoke(callOf("double", { n: 4 }))).content, "8");
    await client.close();
  }
});
