// SPDX-License-Identifier: MIT
// What goes wrong on the user's side of an MCP connection, or at one of several servers: the error
// is the user's own or names the server, and a result that is there is not lost.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { connectMcp, loadMcpTools } from "weftgraph/mcp";
import { ToolNode } from "weftgraph/prebuilt";
import { URL_OF_ALL, legacyServer, modernServer } from "./mcp-servers.mjs";

const result = (id, value) => Response.json({ jsonrpc: "2.0", id, result: value });
const textOf = (text) => ({ content: [{ type: "text", text }] });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A modern server with one tool `t`. */
const serverOf = (call, fields) => async (_url, init) => {
  const { id, method, params } = JSON.parse(init.body);
  if (method === "server/discover")
    return result(id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
  if (method === "tools/list")
    return result(id, { tools: [{ name: "t", inputSchema: { type: "object" }, ...fields }] });
  return result(id, call(params));
};

/**
 * A legacy server whose calls, and what is joined again, answer as `answer` says; by default a call
 * succeeds. Its sessions are called 1, 2 and so on.
 */
const legacyServerOf = (answer, sent = []) => {
  let sessions = 0;
  return async (_url, { method: verb, headers, body }) => {
    const { id, method, ...rest } = body === undefined ? {} : JSON.parse(body);
    sent.push(method ?? rest.error ?? verb);
    if (verb === "GET" && headers["last-event-id"] === undefined)
      return new Response(null, { status: 405 });
    if (verb === "GET" || method === "tools/call")
      return answer({ id, verb, session: headers["mcp-session-id"] }) ?? result(id, textOf("done"));
    if (method === "initialize") {
      const opened = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} };
      const session = { "mcp-session-id": String(++sessions) };
      return Response.json({ jsonrpc: "2.0", id, result: opened }, { headers: session });
    }
    return new Response(null, { status: id === undefined || method === undefined ? 202 : 404 });
  };
};

/** Events one after the other, with ids unless `isPlain`, of a stream that stays open or ends. */
let lastId = 0;
const openStream = (messages, { isPlain = false, ends = false } = {}) =>
  new Response(
    new ReadableStream({
      async start(controller) {
        for (const one of messages) {
          const message = await one;
          const place = isPlain ? "" : `id: ${++lastId}\nretry: 10\n`;
          const text = `${place}data: ${JSON.stringify(message)}\n\n`;
          controller.enqueue(new TextEncoder().encode(text));
          await wait(30);
        }
        if (ends) controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );
const QUESTION = {
  jsonrpc: "2.0",
  id: 77,
  method: "elicitation/create",
  params: { message: "?", requestedSchema: { type: "object", properties: {} } },
};
const NOTE = { jsonrpc: "2.0", method: "notifications/message", params: {} };

test("what onProgress or onElicit throws reaches the caller as it is", async () => {
  const mine = new TypeError("mine");
  const onElicit = () => {
    throw mine;
  };
  const fail = { onProgress: onElicit };
  for (const fetch of [modernServer(), legacyServer()]) {
    const server = await connectMcp(URL_OF_ALL, { fetch });
    await assert.rejects(server.callTool({ name: "slow", arguments: {} }, fail), mine);
    await server.close();
  }
  const server = await connectMcp(URL_OF_ALL, { fetch: legacyServer(), onElicit });
  await assert.rejects(server.callTool({ name: "ask", arguments: {} }), mine);
  await server.close();
});

test("a server whose events have ids is told at once that its question gets no answer", async () => {
  const sent = [];
  const server = await connectMcp(URL_OF_ALL, {
    fetch: legacyServerOf(() => openStream([QUESTION]), sent),
    onElicit: () => Promise.reject(new Error("mine")),
    timeoutMs: 500,
  });
  await assert.rejects(server.callTool({ name: "t" }), { message: "mine" });
  assert.equal(sent.at(-1).code, -32603);
});

test("a stream of events with ids does not outlast maxDurationMs and timeoutMs", async () => {
  const sent = [];
  const busy = await connectMcp(URL_OF_ALL, {
    fetch: legacyServerOf(() => openStream(Array(8).fill(NOTE)), sent),
    maxDurationMs: 150,
  });
  await assert.rejects(
    busy.callTool({ name: "t" }, { signal: AbortSignal.timeout(3000) }),
    /in time \(150 ms, `maxDurationMs`\)/,
  );
  assert.equal(sent.at(-1), "notifications/cancelled");
  const silent = await connectMcp(URL_OF_ALL, {
    fetch: legacyServerOf(() => openStream([NOTE])),
    timeoutMs: 100,
  });
  await assert.rejects(silent.callTool({ name: "t" }), /in time \(silence: 100 ms, `timeoutMs`\)/);
});

test("a session that a server knows no more is opened anew, also after a refusal with 400", async () => {
  let current = legacyServer();
  const fetch = async (url, init) => {
    const id = init.headers["mcp-session-id"];
    if (id === undefined || current.sessions.has(id)) return current(url, init);
    // As the examples of the official SDKs do.
    const error = { code: -32000, message: "Bad Request: No valid session ID provided" };
    return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 400 });
  };
  const server = await connectMcp(URL_OF_ALL, { fetch, era: "legacy" });
  current = legacyServer();
  const { structuredContent } = await server.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  assert.deepEqual(structuredContent, { sum: 3 });
  await server.close();
});

test("a session that is gone is opened anew, in whatever form the server says so", async () => {
  const JSON_TYPE = { headers: { "content-type": "application/json" } };
  const errorOf = (fields, status) => (id) => Response.json({ id, ...fields }, { status });
  const gone = [
    () => new Response("gone", { status: 404 }),
    () => new Response(null, { status: 404, ...JSON_TYPE }),
    () => new Response("<p>Not found", { status: 404, ...JSON_TYPE }),
    () => new Response("Invalid or missing session ID", { status: 400 }),
    errorOf({ id: null, error: { code: -32001, message: "Terminated" } }, 404),
    errorOf({ id: "server-error", error: { code: -32600, message: "Terminated" } }, 404),
    errorOf({ error: { code: -32001, message: "Session not found" } }, 404),
    // As serveMcp does.
    errorOf({ error: { code: -32602, message: "There is no such session" } }, 404),
  ];
  for (const refuse of gone) {
    const answer = ({ id, session }) => (session === "1" ? refuse(id) : undefined);
    const server = await connectMcp(URL_OF_ALL, { fetch: legacyServerOf(answer), era: "legacy" });
    assert.deepEqual(await server.callTool({ name: "t" }), textOf("done"));
  }
});

test("a call that may have run is not sent again in a new session", async () => {
  const refuse =
    (status, message) =>
    ({ id }) =>
      Response.json({ jsonrpc: "2.0", id, error: { code: -32000, message } }, { status });
  const cutOff = ({ verb }) =>
    verb === "POST" ? openStream([NOTE], { ends: true }) : new Response("gone", { status: 404 });
  for (const [answer, code] of [
    [refuse(404, "Charged, but the receipt was not found"), -32000],
    [refuse(404, "Charged, but the shop says: session not found"), -32000],
    [refuse(400, "Ordered, but the shopping session has no coupon"), -32000],
    [refuse(400, "Invalid session"), -32000],
    [() => new Response("Ordered without the session's coupon", { status: 400 }), "HTTP_400"],
    [cutOff, "HTTP_404"],
  ]) {
    const sent = [];
    const fetch = legacyServerOf(answer, sent);
    const server = await connectMcp(URL_OF_ALL, { fetch, era: "legacy" });
    await assert.rejects(server.callTool({ name: "t" }), { code });
    assert.equal(sent.filter((method) => method === "tools/call").length, 1);
  }
});

test("a refusal tells its status, whatever its body is", async () => {
  const JSON_TYPE = { headers: { "content-type": "application/json" } };
  const refuse = () => new Response("<h1>Bad gateway", { status: 502, ...JSON_TYPE });
  const modern = serverOf(() => undefined);
  const isCall = (init) => JSON.parse(init.body).method === "tools/call";
  for (const fetch of [
    async (url, init) => (isCall(init) ? refuse() : modern(url, init)),
    legacyServerOf(refuse),
  ]) {
    const server = await connectMcp(URL_OF_ALL, { fetch });
    await assert.rejects(server.callTool({ name: "t" }), {
      code: "HTTP_502",
      message: /502: <h1>Bad gateway/,
    });
  }
});

test("a legacy server that answers null gives an error with a code", async () => {
  const server = await connectMcp(URL_OF_ALL, { fetch: legacyServerOf(() => Response.json(null)) });
  await assert.rejects(server.callTool({ name: "t" }), { code: "BAD_ANSWER" });
});

test("an answer that breaks off again and again does not outlast maxDurationMs", async () => {
  const sent = [];
  const server = await connectMcp(URL_OF_ALL, {
    fetch: legacyServerOf(() => openStream([NOTE], { ends: true }), sent),
    maxDurationMs: 200,
  });
  await assert.rejects(
    server.callTool({ name: "t" }, { signal: AbortSignal.timeout(3000) }),
    /in time \(200 ms, `maxDurationMs`\)/,
  );
  assert.ok(sent.filter((method) => method === "GET").length > 1);
  assert.equal(sent.at(-1), "notifications/cancelled");
});

test("who signs in for a call has time for it, beyond maxDurationMs", async () => {
  let isRefused = false;
  const legacy = legacyServerOf(() => undefined);
  const server = await connectMcp(URL_OF_ALL, {
    fetch: async (url, init) => {
      if (!isRefused || init.headers.authorization !== undefined) return legacy(url, init);
      return new Response(null, { status: 401 });
    },
    headers: async (challenge) => {
      if (challenge === undefined) return {};
      await wait(200);
      return { authorization: "Bearer good" };
    },
    era: "legacy",
    maxDurationMs: 100,
  });
  isRefused = true;
  assert.deepEqual(await server.callTool({ name: "t" }), textOf("done"));
});

for (const [what, answer, outcome] of [
  [
    "the server's answer ends",
    () => openStream([QUESTION], { isPlain: true, ends: true }),
    { code: "BAD_ANSWER" },
  ],
  [
    "the server gives its result",
    ({ id }) =>
      openStream([QUESTION, { jsonrpc: "2.0", id, result: textOf("late") }], { isPlain: true }),
    textOf("late"),
  ],
  [
    "an answer cannot be gone on with",
    ({ verb }) =>
      verb === "POST"
        ? openStream([QUESTION], { ends: true })
        : new Response(null, { status: 404 }),
    { code: "HTTP_404" },
  ],
  ["time is over", () => openStream([QUESTION], { isPlain: true }), { code: "TIMEOUT" }],
])
  test(`nobody is asked any more when ${what}`, async () => {
    let asked;
    const server = await connectMcp(URL_OF_ALL, {
      fetch: legacyServerOf(answer),
      onElicit: (_params, { signal }) => {
        asked = signal;
        return new Promise(() => {});
      },
      timeoutMs: 100,
      maxDurationMs: 300,
    });
    const given = server.callTool({ name: "t" }, { signal: AbortSignal.timeout(3000) });
    if (outcome.code === undefined) assert.deepEqual(await given, outcome);
    else await assert.rejects(given, outcome);
    assert.ok(asked.aborted);
  });

test("a person may think for longer than timeoutMs, also while the answer breaks off", async () => {
  for (const isPlain of [true, false]) {
    let isAnswered = false;
    let last;
    let tell;
    const legacy = legacyServerOf(({ id, verb }) => {
      if (verb === "GET") return openStream(isAnswered ? [last] : [], { ends: true });
      last = { jsonrpc: "2.0", id, result: textOf("thanks") };
      const later = new Promise((resolve) => (tell = () => resolve(last)));
      return isPlain
        ? openStream([QUESTION, later], { isPlain })
        : openStream([QUESTION], { ends: true });
    });
    const fetch = async (url, init) => {
      if (JSON.parse(init.body ?? "{}").id === QUESTION.id) {
        isAnswered = true;
        tell();
      }
      return legacy(url, init);
    };
    const onElicit = () => wait(300).then(() => ({ action: "decline" }));
    const server = await connectMcp(URL_OF_ALL, { fetch, onElicit, timeoutMs: 100 });
    assert.deepEqual(await server.callTool({ name: "t" }), textOf("thanks"));
  }
});

test("a second question waits for the first, and is not asked when that fails", async () => {
  let count = 0;
  const onElicit = async () => {
    count++;
    await wait(100);
    throw new Error("mine");
  };
  const fetch = legacyServerOf(() => openStream([QUESTION, { ...QUESTION, id: 78 }]));
  const server = await connectMcp(URL_OF_ALL, { fetch, onElicit });
  await assert.rejects(server.callTool({ name: "t" }), { message: "mine" });
  assert.equal(count, 1);
});

test("an aborted call that opens a session anew takes no other call with it", async () => {
  const legacy = legacyServer();
  const controller = new AbortController();
  let isSlow = false;
  const fetch = async (url, init) => {
    if (isSlow && JSON.parse(init.body ?? "{}").method === "initialize") {
      controller.abort();
      await wait(20);
      init.signal?.throwIfAborted();
    }
    return legacy(url, init);
  };
  const server = await connectMcp(URL_OF_ALL, { fetch, era: "legacy" });
  legacy.sessions.clear();
  isSlow = true;
  const call = (signal) => server.callTool({ name: "add", arguments: { a: 1, b: 2 } }, { signal });
  const [left, other] = await Promise.allSettled([call(controller.signal), call()]);
  assert.equal(left.reason?.name, "AbortError");
  assert.deepEqual(other.value?.structuredContent, { sum: 3 });
  await server.close();
});

test("a server that only wants to be called again is, and nobody is asked", async () => {
  const call = ({ requestState }) =>
    requestState === undefined
      ? { resultType: "input_required", requestState: "s1" }
      : textOf(`done after ${requestState}`);
  const tools = await loadMcpTools(URL_OF_ALL, { fetch: serverOf(call) });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "tools")
    .compile({ checkpointer: new MemorySaver() });
  const tool_calls = [{ type: "tool_call", id: "1", name: "t", args: {} }];
  const { messages, __interrupt__ } = await graph.invoke(
    { messages: [{ role: "assistant", content: "", tool_calls }] },
    { configurable: { thread_id: "1" } },
  );
  assert.equal(__interrupt__, undefined);
  assert.equal(messages.at(-1).content, "done after s1");
});

test("a call that was answered is not sent again when its node asks something else", async () => {
  const calls = [];
  const tools = await loadMcpTools(URL_OF_ALL, { fetch: modernServer({ calls }) });
  const deploy = tools.find(({ name }) => name === "deploy");
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("both", async (_state, config) => {
      const said = [];
      for (const env of ["test", "prod"]) said.push(await deploy.invoke({ env }, config));
      return { messages: [{ role: "user", content: said.join() }] };
    })
    .addEdge(START, "both")
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  const yes = new Command({
    resume: { confirm: { action: "accept", content: { confirm: true } } },
  });
  await graph.invoke({ messages: [] }, config);
  await graph.invoke(yes, config);
  const { messages } = await graph.invoke(yes, config);
  assert.match(messages.at(-1).content, /deployed to test.*deployed to prod/);
  assert.deepEqual(calls, ["deploy asked", "deploy done", "deploy asked", "deploy done"]);
});

test("an outputSchema that cannot be used loses no result of a call", async () => {
  for (const outputSchema of [
    { type: "riddle" },
    { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } },
  ]) {
    const call = () => ({ ...textOf("done"), structuredContent: { a: 1 } });
    const [one] = await loadMcpTools(URL_OF_ALL, { fetch: serverOf(call, { outputSchema }) });
    const message = await one.invoke({ type: "tool_call", id: "1", name: "t", args: {} });
    assert.equal(message.content, "done");
  }
});

test("a misspelled option is refused, also beside a client that is there", async () => {
  const client = await connectMcp(URL_OF_ALL, { fetch: modernServer() });
  await assert.rejects(loadMcpTools(client, { aproval: "ask" }), /`aproval`/);
  await assert.rejects(loadMcpTools({ a: { url: client, aproval: "ask" } }), /`aproval`/);
  assert.equal((await loadMcpTools(client, { approval: "ask", timeoutMs: 5 }))[0].approval, "ask");
});

test("of several servers the one that fails is named", async () => {
  const docs = { url: URL_OF_ALL, fetch: modernServer() };
  const crm = { url: URL_OF_ALL, fetch: async () => new Response("oops", { status: 500 }) };
  await assert.rejects(loadMcpTools({ docs, crm }), /500: oops \(server: crm\)/);
  const client = await connectMcp(URL_OF_ALL, { fetch: modernServer() });
  await client.close();
  await assert.rejects(loadMcpTools({ docs, crm: client }), /closed \(server: crm\)/);
});

test("a long result is not cut within a character", async () => {
  const [one] = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf(() => textOf("abcd\u{1f600}efg")),
    maxResultCharacters: 5,
  });
  const { content } = await one.invoke({ type: "tool_call", id: "1", name: "t", args: {} });
  assert.match(content, /^abcd\u2026 \(cut/);
});

test("hidden characters in what a schema says are shown, its values stay", async () => {
  const inputSchema = {
    type: "object",
    properties: {
      title: { type: "string", description: "who\u200b", title: "\u{e0041}", default: "a\u200b" },
    },
  };
  const [one] = await loadMcpTools(URL_OF_ALL, { fetch: serverOf(textOf, { inputSchema }) });
  const { description, title, default: value } = one.schema.properties.title;
  assert.deepEqual([description, title, value], ["who⟨U+200B⟩", "⟨U+E0041⟩", "a\u200b"]);
});

test("headers are texts by name: what is undefined is left out, all else is refused by name", async () => {
  let sent;
  const inner = serverOf(() => textOf("done"));
  const fetch = (url, init) => {
    sent = new Headers(init.headers);
    return inner(url, init);
  };
  for (const headers of [
    { authorization: undefined },
    async () => ({ authorization: undefined }),
  ]) {
    await connectMcp(URL_OF_ALL, { fetch, headers });
    assert.equal(sent.has("authorization"), false);
  }
  sent = undefined;
  const some = new Headers({ authorization: "Bearer x" });
  for (const wrong of ["Bearer x", null, 1, ["Bearer x"], some, { authorization: null }])
    await assert.rejects(connectMcp(URL_OF_ALL, { fetch, headers: async () => wrong }), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /`headers`/);
      return true;
    });
  assert.equal(sent, undefined);
});

/** A server for which one access token counts, and a sign-in whose refresh tokens count once. */
const signIn = () => {
  const inner = serverOf(() => textOf("done"));
  let access = "a1";
  let refresh = "r1";
  let mine = { access, refresh };
  const asked = [];
  return {
    asked,
    expire: () => void (access += "+"),
    fetch: async (url, init) =>
      new Headers(init.headers).get("authorization") === `Bearer ${access}`
        ? inner(url, init)
        : new Response(null, { status: 401 }),
    headers: async (challenge) => {
      if (challenge !== undefined) {
        asked.push(challenge.status);
        const used = mine.refresh;
        await wait(10);
        if (used !== refresh) throw new Error("the refresh token was used twice");
        refresh += "+";
        mine = { access, refresh };
      }
      return { authorization: `Bearer ${mine.access}` };
    },
  };
};

test("calls that are refused at the same time have one challenge answered, each time", async () => {
  const { asked, expire, fetch, headers } = signIn();
  const server = await connectMcp(URL_OF_ALL, { fetch, headers });
  await server.listTools();
  for (const count of [1, 2]) {
    expire();
    const calls = [1, 2, 3, 4].map(() => server.callTool({ name: "t" }));
    for (const { content } of await Promise.all(calls)) assert.equal(content[0].text, "done");
    assert.equal(asked.length, count);
  }
});

test("a call that was sent with older headers tries the newest before it asks for others", async () => {
  const { asked, expire, fetch, headers } = signIn();
  let hold;
  const slow = async (url, init) => {
    const answer = await fetch(url, init);
    if (JSON.parse(init.body).params?.name === "t" && answer.status === 401) await hold;
    return answer;
  };
  const server = await connectMcp(URL_OF_ALL, { fetch: slow, headers });
  await server.listTools();
  expire();
  let release;
  hold = new Promise((resolve) => (release = resolve));
  const late = server.callTool({ name: "t" });
  await server.listTools();
  release();
  assert.equal((await late).content[0].text, "done");
  assert.deepEqual(asked, [401]);
});

test("a challenge that nobody can answer is told to all who wait, and asked again later", async () => {
  let isGiven = false;
  let asked = 0;
  const inner = serverOf(() => textOf("done"));
  let isOpen = true;
  const fetch = async (url, init) =>
    isOpen ? inner(url, init) : new Response(null, { status: 403 });
  const headers = async (challenge) => {
    if (challenge === undefined) return {};
    asked++;
    await wait(5);
    if (!isGiven) throw new Error("login cancelled");
    isOpen = true;
    return {};
  };
  const server = await connectMcp(URL_OF_ALL, { fetch, headers });
  await server.listTools();
  isOpen = false;
  const calls = await Promise.allSettled([1, 2].map(() => server.callTool({ name: "t" })));
  for (const { reason } of calls) assert.equal(reason.message, "login cancelled");
  assert.equal(asked, 1);
  isGiven = true;
  assert.equal((await server.callTool({ name: "t" })).content[0].text, "done");
});

test("a server of the old HTTP+SSE transport is named as such, without its page, and used by the official client", async () => {
  const open = new Map();
  const http = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (request.method === "GET" && pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      open.set(transport.sessionId, transport);
      const server = new McpServer({ name: "old", version: "1" });
      server.registerTool("t", {}, async () => textOf("done"));
      await server.connect(transport);
    } else if (pathname === "/messages")
      await open.get(searchParams.get("sessionId")).handlePostMessage(request, response);
    else {
      response.writeHead(404, { "content-type": "text/html" });
      response.end("<!DOCTYPE html>\n<html><body><pre>Cannot POST /sse</pre></body></html>");
    }
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${http.address().port}/sse`);
  await assert.rejects(loadMcpTools(url), (error) => {
    assert.deepEqual([error.name, error.code, error.status], ["McpError", "HTTP_404", 404]);
    assert.match(error.message, /HTTP\+SSE transport, which weftgraph does not: .*loadMcpTools/);
    assert.doesNotMatch(error.message, /[<>]/);
    return true;
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new SSEClientTransport(url));
  const [tool] = await loadMcpTools(client);
  assert.equal(await tool.invoke({}), "done");
  await client.close();
  http.closeAllConnections();
  http.close();
});

test("a refusal whose body is a page of HTML is told without it", async () => {
  const fetch = async () => new Response("<html>Bad gateway</html>", { status: 502 });
  await assert.rejects(connectMcp(URL_OF_ALL, { fetch }), (error) => {
    assert.equal(error.message, "The MCP server answered with the status 502");
    return true;
  });
});

test("a server that is not there is told with the reason that Node gives", async () => {
  const http = createServer();
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address();
  await new Promise((resolve) => http.close(resolve));
  for (const era of ["auto", "modern", "legacy"])
    await assert.rejects(connectMcp(`http://127.0.0.1:${port}/mcp`, { era }), {
      code: "NETWORK",
      message: new RegExp(
        `^The MCP server at http://127.0.0.1:${port} could not be reached: fetch failed \\(ECONNREFUSED\\)`,
      ),
    });
});
