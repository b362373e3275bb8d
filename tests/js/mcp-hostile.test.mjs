// SPDX-License-Identifier: MIT
// MCP servers that lie, hang, flood, redirect and hide: errors with codes, within bounds of time
// and memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { McpError, connectMcp, loadMcpTools } from "weftgraph/mcp";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { URL_OF_ALL, legacyServer, modernServer } from "./mcp-servers.mjs";

const json = (value, init) => Response.json(value, init);
const result = (id, value) => json({ jsonrpc: "2.0", id, result: value });
const DISCOVERED = {
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  resultType: "complete",
};

/** A modern server that answers each method as `answers` says. */
const serverOf = (answers) => async (_url, init) => {
  const { id, method, params } = JSON.parse(init.body);
  if (method === "server/discover") return result(id, DISCOVERED);
  const answer = answers[method];
  return answer instanceof Function ? answer({ id, params, init }) : result(id, answer);
};
const toolOf = (fields) => ({ name: "t", inputSchema: { type: "object" }, ...fields });
const listing = (...tools) => ({ "tools/list": { tools } });
const events = (chunks, headers) =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        const chunk = await chunks();
        if (chunk === undefined) return controller.close();
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      },
    }),
    { headers: { "content-type": "text/event-stream", ...headers } },
  );

for (const [what, answer, code] of [
  [
    "no JSON",
    () => new Response("<html>", { headers: { "content-type": "application/json" } }),
    "BAD_ANSWER",
  ],
  [
    "a page",
    () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    "BAD_ANSWER",
  ],
  ["an empty stream", () => events(() => undefined), "BAD_ANSWER"],
  ["the answer to another request", ({ id }) => result(id + 1, {}), "BAD_ANSWER"],
  ["an unknown type of result", ({ id }) => result(id, { resultType: "riddle" }), "BAD_ANSWER"],
  ["a result that is no object", ({ id }) => result(id, "text"), "BAD_ANSWER"],
  ["null", () => json(null), "BAD_ANSWER"],
  [
    "deep JSON",
    () => new Response("[".repeat(1_000_000), { headers: { "content-type": "application/json" } }),
    "BAD_ANSWER",
  ],
  ["a status without a body", () => new Response(null, { status: 503 }), "HTTP_503"],
  [
    "a redirect to another origin",
    () => new Response(null, { status: 307, headers: { location: "https://evil.example/" } }),
    "REDIRECT",
  ],
  [
    "its own error",
    ({ id }) => json({ jsonrpc: "2.0", id, error: { code: -32602, message: "no" } }),
    -32602,
  ],
  [
    "an error without an id",
    () => json({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "no" } }),
    -32000,
  ],
])
  test(`a server that answers with ${what} gives an error with the code ${code}`, async () => {
    const server = await connectMcp(URL_OF_ALL, {
      fetch: serverOf({ "tools/call": answer, ...listing(toolOf()) }),
    });
    await assert.rejects(server.callTool({ name: "t" }), (error) => {
      assert.ok(error instanceof McpError, `${error}`);
      assert.equal(error.code, code);
      assert.ok(error.message.length < 1000);
      return true;
    });
  });

test("silence, endless answers and long lines end within their limits", async () => {
  const never = () => new Promise(() => {});
  const flood = "x".repeat(65536);
  const cases = [
    ["TIMEOUT", () => never()],
    ["TIMEOUT", () => events(never)],
    ["TOO_LARGE", () => events(() => flood)],
    ["TOO_LARGE", () => events(() => `: ${flood}\n\n`)],
    [
      "TOO_LARGE",
      () => new Response(flood.repeat(20), { headers: { "content-type": "application/json" } }),
    ],
  ];
  for (const [code, answer] of cases) {
    const server = await connectMcp(URL_OF_ALL, {
      fetch: serverOf({ "tools/call": answer, ...listing(toolOf()) }),
      timeoutMs: 50,
      maxResponseBytes: 1_000_000,
    });
    await assert.rejects(server.callTool({ name: "t" }), { code });
  }
});

test("a redirect to a named origin gets no headers of the user's", async () => {
  const seen = [];
  const fetch = async (url, init) => {
    seen.push([new URL(url).origin, new Headers(init.headers).get("authorization")]);
    return new URL(url).hostname === "mcp.example"
      ? new Response(null, { status: 307, headers: { location: "https://other.example/mcp" } })
      : result(JSON.parse(init.body).id, DISCOVERED);
  };
  const headers = { authorization: "Bearer secret" };
  await connectMcp(URL_OF_ALL, { fetch, headers, redirectOrigins: ["https://other.example"] });
  assert.deepEqual(seen, [
    ["https://mcp.example", "Bearer secret"],
    ["https://other.example", null],
  ]);
});

test("an error never repeats the value of a header", async () => {
  for (const value of ["Bearer se\u0000cret", "Bearer secr\u00e9t\u2603"])
    await assert.rejects(
      connectMcp(URL_OF_ALL, { fetch: modernServer(), headers: { authorization: value } }),
      (error) =>
        !`${error.message}${error.cause?.message}`.includes("secr") &&
        /authorization/.test(error.message),
    );
});

test("hidden characters in a description are shown as their numbers", async () => {
  const description = "Adds\u200b \u202eevil\u202c \u{e0041}\nnext";
  const [one] = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf(listing(toolOf({ description }))),
  });
  assert.equal(
    one.description,
    "Adds\u27e8U+200B\u27e9 \u27e8U+202E\u27e9evil\u27e8U+202C\u27e9 \u27e8U+E0041\u27e9\nnext",
  );
});

test("each tool gets a name that model services take, and its own", async () => {
  const names = [
    "a.b",
    "a_b",
    "a/b",
    "\u00e4",
    "x".repeat(128),
    `${"x".repeat(127)}y`,
    "__proto__",
  ];
  const tools = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf(listing(...names.map((name) => toolOf({ name })))),
  });
  assert.deepEqual(
    tools.map(({ metadata }) => metadata.mcp.name),
    names,
  );
  assert.ok(tools.every(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)));
  assert.equal(new Set(tools.map(({ name }) => name)).size, names.length);
  assert.equal(tools[1].name, "a_b");
});

const DEEP = `${'{"type":"object","properties":{"a":'.repeat(70)}{}${"}}".repeat(70)}`;

test("tools that cannot be used are left out, and told", async () => {
  const refused = [];
  const tools = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf(
      listing(
        toolOf({ name: "good" }),
        toolOf({ name: "huge", inputSchema: { type: "object", description: "x".repeat(300_000) } }),
        toolOf({ name: "wrong", inputSchema: { type: "riddle" } }),
        toolOf({
          name: "pattern",
          inputSchema: { type: "object", properties: { a: { type: "string", pattern: "(" } } },
        }),
        toolOf({ name: "deep", inputSchema: JSON.parse(DEEP) }),
        toolOf({ name: "" }),
        toolOf({ name: "good", description: "Another one." }),
        toolOf({
          name: "mark",
          inputSchema: {
            type: "object",
            properties: { a: { type: "number", "x-mcp-header": "A" } },
          },
        }),
        { name: "none" },
        null,
      ),
    ),
    onRefused: ({ tool, error }) => refused.push([tool, error.code]),
  });
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["good"],
  );
  assert.deepEqual(refused, [
    ["huge", "BAD_TOOL"],
    ["wrong", "BAD_SCHEMA"],
    ["pattern", "BAD_PATTERN"],
    ["deep", "JSON_DEPTH"],
    ["", "BAD_TOOL"],
    ["good", "BAD_TOOL"],
    ["none", "BAD_TOOL"],
  ]);
  // What is left makes an agent.
  const llm = new ScriptedModel({ responses: ["hi"] });
  assert.equal(
    (await createReactAgent({ llm, tools }).invoke({ messages: "hi" })).messages.length,
    2,
  );
});

test("a wanted tool that the server does not list is told; a policy that says nothing is refused", async () => {
  const refused = [];
  const fetch = serverOf(listing(toolOf({ name: "good" })));
  const tools = await loadMcpTools(URL_OF_ALL, {
    fetch,
    include: ["good", "payy"],
    onRefused: ({ tool, error }) => refused.push([tool, error.code]),
  });
  assert.equal(tools.length, 1);
  assert.deepEqual(refused, [["payy", "BAD_TOOL"]]);
  await assert.rejects(
    loadMcpTools(URL_OF_ALL, { fetch, approval: () => undefined }),
    /`approval` says nothing of the tool "?good/,
  );
});

test("endless pages and lists of tools are refused", async () => {
  let page = 0;
  const endless = { "tools/list": ({ id }) => result(id, { tools: [], nextCursor: `${++page}` }) };
  await assert.rejects(loadMcpTools(URL_OF_ALL, { fetch: serverOf(endless) }), {
    code: "TOO_LARGE",
  });
  const many = listing(...Array.from({ length: 1001 }, (_, at) => toolOf({ name: `t${at}` })));
  await assert.rejects(loadMcpTools(URL_OF_ALL, { fetch: serverOf(many) }), { code: "TOO_LARGE" });
});

test("an empty cursor ends a list", async () => {
  let count = 0;
  const fetch = serverOf({
    "tools/list": ({ id }) => result(id, (count++, { tools: [toolOf()], nextCursor: "" })),
    "tools/call": { content: [] },
  });
  const client = await connectMcp(URL_OF_ALL, { fetch });
  const onRefused = ({ error }) => assert.fail(error);
  // As the official SDK's clients give the cursor on.
  const theirs = {
    listTools: async () => (count++, { tools: [toolOf()], nextCursor: "" }),
    callTool: async (_params, _options) => ({ content: [] }),
  };
  for (const given of [client, theirs]) {
    count = 0;
    assert.equal((await loadMcpTools(given, { onRefused })).length, 1);
    assert.equal(count, 1);
  }
  count = 0;
  await client.callTool({ name: "other" });
  assert.equal(count, 1);
});

test("a long result is cut, and says so", async () => {
  const content = [
    { type: "text", text: "a".repeat(80) },
    { type: "text", text: "b".repeat(80) },
    { type: "text", text: "c".repeat(80) },
  ];
  const [one] = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf({ ...listing(toolOf()), "tools/call": { content } }),
    maxResultCharacters: 100,
  });
  const { content: blocks } = await one.invoke({ type: "tool_call", id: "1", name: "t", args: {} });
  assert.equal(blocks.length, 2);
  assert.match(blocks[1].text, /^b{20}\u2026 \(cut: 140 of 240 characters are left out\)$/);
});

test("many short texts of a result do not add up, its pictures stay", async () => {
  const picture = { type: "image", data: "aGk=", mimeType: "image/png" };
  const texts = (text) => Array.from({ length: 5000 }, () => ({ type: "text", text }));
  const [one] = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf({
      ...listing(toolOf()),
      "tools/call": { content: [...texts("a"), picture, ...texts("")] },
    }),
    maxResultCharacters: 100,
  });
  const { content } = await one.invoke({ type: "tool_call", id: "1", name: "t", args: {} });
  assert.equal(content.length, 102);
  assert.equal(content[100].text, "\u2026 (cut: 4900 of 5000 characters are left out)");
  assert.equal(content[101].type, "image_url");
});

test("structured content that does not fit its schema is an error for the model", async () => {
  const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  for (const structuredContent of [{ n: "x" }, {}, undefined]) {
    const [one] = await loadMcpTools(URL_OF_ALL, {
      fetch: serverOf({
        ...listing(toolOf({ outputSchema })),
        "tools/call": { content: [{ type: "text", text: "1" }], structuredContent },
      }),
    });
    const message = await one.invoke({ type: "tool_call", id: "1", name: "t", args: {} });
    assert.equal(message.status, "error");
  }
});

test("arguments travel as headers where the schema says so, and cannot forge others", async () => {
  let headers;
  const inputSchema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      deep: { type: "object", properties: { on: { type: "boolean", "x-mcp-header": "On" } } },
    },
  };
  const server = await connectMcp(URL_OF_ALL, {
    fetch: serverOf({
      ...listing(toolOf({ inputSchema })),
      "tools/call": ({ id, init }) => {
        headers = new Headers(init.headers);
        return result(id, { content: [] });
      },
    }),
  });
  await server.callTool({
    name: "t",
    arguments: { region: "eu\r\nx-evil: 1", deep: { on: false } },
  });
  assert.equal(headers.get("mcp-param-region"), `=?base64?${btoa("eu\r\nx-evil: 1")}?=`);
  assert.equal(headers.get("mcp-param-on"), "false");
  assert.equal(headers.get("x-evil"), null);
  await server.callTool({ name: "t", arguments: { region: "=?base64?x?=", deep: null } });
  assert.equal(headers.get("mcp-param-region"), `=?base64?${btoa("=?base64?x?=")}?=`);
  assert.equal(headers.get("mcp-param-on"), null);
});

test("a server that asks without end is left after some rounds", async () => {
  const { Command, MemorySaver, MessagesAnnotation, START, StateGraph } = await import("weftgraph");
  const { ToolNode } = await import("weftgraph/prebuilt");
  let rounds = 0;
  const question = {
    resultType: "input_required",
    inputRequests: { q: { method: "elicitation/create", params: { mode: "form", message: "?" } } },
  };
  const tools = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf({
      ...listing(toolOf()),
      "tools/call": ({ id }) => result(id, (rounds++, question)),
    }),
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "tools")
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  const call = { type: "tool_call", id: "1", name: "t", args: {} };
  let state = await graph.invoke(
    { messages: [{ role: "assistant", content: "", tool_calls: [call] }] },
    config,
  );
  let answers = 0;
  for (; state.__interrupt__ !== undefined && answers < 50; answers++)
    state = await graph.invoke(new Command({ resume: { q: { action: "cancel" } } }), config);
  assert.equal(rounds, 16);
  assert.match(state.messages.at(-1).content, /asked more than 16 times/);
});

test("options that do not exist, or are of another type, are refused by name", async () => {
  for (const wrong of ["ftp://x", "https:example.com", "//example.com"])
    await assert.rejects(connectMcp(wrong), TypeError, wrong);
  await assert.rejects(connectMcp(URL_OF_ALL, { timeout: 1 }), /`timeout`/);
  await assert.rejects(connectMcp(URL_OF_ALL, { timeoutMs: "1" }), /`timeoutMs`/);
  for (const name of ["timeoutMs", "maxDurationMs", "maxResponseBytes"])
    for (const value of [-1, 0, Number.NaN])
      await assert.rejects(
        connectMcp(URL_OF_ALL, { [name]: value }),
        new RegExp(`\`${name}\` is of the type number above 0`),
      );
  await assert.rejects(connectMcp(URL_OF_ALL, { era: "ancient" }), /`era`/);
  await assert.rejects(loadMcpTools({}), TypeError);
  await assert.rejects(loadMcpTools(3), TypeError);
});

test("structured content that no thread could hold is an error for the model", async () => {
  for (const data of [`${"[".repeat(200_000)}${"]".repeat(200_000)}`, "1e999"]) {
    const answers = {
      "server/discover": '{"supportedVersions":["2026-07-28"],"capabilities":{}}',
      "tools/list": '{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}',
      "tools/call": `{"content":[],"structuredContent":{"data":${data}}}`,
    };
    const fetch = async (_url, { body }) => {
      const { id, method } = JSON.parse(body);
      const headers = { "content-type": "application/json" };
      return new Response(`{"jsonrpc":"2.0","id":${id},"result":${answers[method]}}`, { headers });
    };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode(await loadMcpTools("https://mcp.example/mcp", { fetch })))
      .addEdge(START, "tools")
      .compile({ checkpointer: new MemorySaver() });
    const tool_calls = [{ type: "tool_call", id: "1", name: "t", args: {} }];
    const { messages } = await graph.invoke(
      { messages: [{ role: "assistant", content: "", tool_calls }] },
      { configurable: { thread_id: "1" } },
    );
    assert.equal(messages.at(-1).status, "error");
  }
});

test("an aborted call does not wait for a person who does not answer", async () => {
  const controller = new AbortController();
  const server = await connectMcp(URL_OF_ALL, {
    fetch: legacyServer(),
    onElicit: () => {
      controller.abort();
      return new Promise(() => {});
    },
  });
  const { signal } = controller;
  await assert.rejects(server.callTool({ name: "ask", arguments: {} }, { signal }), {
    name: "AbortError",
  });
  await server.close();
});
