// SPDX-License-Identifier: MIT
// Clients that must not get what is not theirs: forged and replayed states, other users' calls,
// foreign pages, requests that are none, too large, too deep, or contradict their headers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver, interrupt } from "weftgraph";
import { connectMcp } from "weftgraph/mcp";
import { serveMcp } from "weftgraph/mcp/server";
import { tool } from "weftgraph/tools";
import { URL_OF_SERVER, makeTools } from "./mcp-served.mjs";

const PREFIX = "io.modelcontextprotocol/";
const META = {
  [`${PREFIX}protocolVersion`]: "2026-07-28",
  [`${PREFIX}clientCapabilities`]: { elicitation: {} },
};
const TYPES = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Sends a message as it is written. */
async function post(server, body, headers = {}, url = URL_OF_SERVER) {
  const response = await server.fetch(url, {
    method: "POST",
    headers: { ...TYPES, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && JSON.parse(text),
  };
}

const modern = (method, params = {}, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { ...params, _meta: META },
});
const headersOf = (method, name, more) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name }),
  ...more,
});
const callTool = (server, params, headers) =>
  post(server, modern("tools/call", params), headersOf("tools/call", params.name, headers));

const byName = (request) => request.headers.get("x-user") ?? undefined;
const approve = (key) => ({ [key]: { action: "accept", content: { decision: "approve" } } });

test("a state holds for one user, tool, arguments and question, and once", async () => {
  const calls = [];
  const other = { authenticate: byName, saver: new MemorySaver() };
  const server = serveMcp(makeTools(calls), other);
  const ada = { "x-user": "ada" };
  const params = { name: "pay", arguments: { amount: 5 } };
  const { json } = await callTool(server, params, ada);
  const { requestState, inputRequests } = json.result;
  const [key] = Object.keys(inputRequests);
  const answered = { ...params, requestState, inputResponses: approve(key) };
  const [issued, nonce, digest] = requestState.split(".");
  const flip = (text) => (text[0] === "A" ? "B" : "A") + text.slice(1);
  const refused = [
    [{ ...answered }, { "x-user": "bob" }],
    [{ ...answered, arguments: { amount: 5000 } }, ada],
    [{ ...answered, arguments: [["amount", 5]] }, ada],
    [{ ...answered, name: "ask" }, ada],
    [{ ...answered, requestState: `${Number(issued) + 1}.${nonce}.${digest}` }, ada],
    [{ ...answered, requestState: `${issued}.${flip(nonce)}.${digest}` }, ada],
    [{ ...answered, requestState: `${issued}.${nonce}.${flip(digest)}` }, ada],
    [{ ...answered, requestState: `${requestState}tampered` }, ada],
    [{ ...answered, requestState: "" }, ada],
    [{ ...answered, requestState: null }, ada],
    [{ ...answered, requestState: { issued } }, ada],
    [{ ...answered, requestState: "x".repeat(100_000) }, ada],
  ];
  for (const [wrong, headers] of refused) {
    const { json: answer } = await callTool(server, wrong, headers);
    assert.equal(answer.error?.code, -32602, JSON.stringify(wrong));
  }
  assert.deepEqual(calls, []);
  // Two at once: one of them is the replay.
  const both = await Promise.all([
    callTool(server, answered, ada),
    callTool(server, answered, ada),
  ]);
  assert.equal(both.filter(({ json: { result } }) => result !== undefined).length, 1);
  assert.equal((await callTool(server, answered, ada)).json.error.code, -32602);
  assert.deepEqual(calls, ["paid 5"]);
});

test("of two servers over one saver one takes an answer", async () => {
  const calls = [];
  const saver = new MemorySaver();
  const servers = [serveMcp(makeTools(calls), { saver }), serveMcp(makeTools(calls), { saver })];
  const params = { name: "pay", arguments: { amount: 5 } };
  const { requestState, inputRequests } = (await callTool(servers[0], params)).json.result;
  const [key] = Object.keys(inputRequests);
  const answered = { ...params, requestState, inputResponses: approve(key) };
  const both = await Promise.all(servers.map((server) => callTool(server, answered)));
  const codes = both.map(({ json }) => json.error?.code ?? "done");
  assert.deepEqual(codes.sort(), [-32602, "done"]);
  assert.deepEqual(calls, ["paid 5"]);
});

test("a long progress token is not sent back with each event", async () => {
  const server = serveMcp(makeTools());
  const message = modern("tools/call", { name: "slow" });
  message.params._meta = { ...META, progressToken: "x".repeat(100_000) };
  const { json } = await post(server, message, headersOf("tools/call", "slow"));
  assert.equal(json.result.content[0].text, "done");
  assert.equal((await post(server, { ...message, id: "x".repeat(257) })).status, 400);
});

test("a question of a server behind that no client can show ends the call", async () => {
  for (const params of [
    null,
    {},
    { message: 5, requestedSchema: {} },
    { mode: "url", message: "m", url: "javascript:alert(1)" },
    { mode: "other", message: "m" },
  ]) {
    const requests = { a: { method: "elicitation/create", params } };
    const ask = tool(() => interrupt({ type: "mcp_elicitation", requests }), { name: "ask" });
    const saver = new MemorySaver();
    const server = serveMcp([ask], { saver });
    const { json } = await callTool(server, { name: "ask", arguments: { input: "" } });
    assert.equal(json.error.code, -32603);
    for await (const left of saver.list({})) assert.fail(left.config.configurable.thread_id);
  }
});

test("a state leads to no thread that is not a call's", async () => {
  const saver = new MemorySaver();
  const server = serveMcp(makeTools(), { saver });
  await callTool(server, { name: "pay", arguments: { amount: 5 } });
  const threads = [];
  for await (const { config } of saver.list({})) threads.push(config.configurable.thread_id);
  for (const requestState of threads) {
    const params = { name: "pay", arguments: { amount: 5 }, requestState, inputResponses: {} };
    assert.equal((await callTool(server, params)).json.error.code, -32602);
  }
  assert.ok(threads.length > 0);
});

test("an answer in another order of keys is the same call's", async () => {
  const pair = tool(({ a, b }) => `${a}${b}`, {
    name: "pair",
    schema: { type: "object", properties: { a: {}, b: {} } },
    approval: "ask",
  });
  const server = serveMcp([pair]);
  const params = { name: "pair", arguments: { a: { x: 1, y: 2 }, b: 2 } };
  const { requestState, inputRequests } = (await callTool(server, params)).json.result;
  const answered = {
    name: "pair",
    arguments: { b: 2, a: { y: 2, x: 1 } },
    requestState,
    inputResponses: approve(Object.keys(inputRequests)[0]),
  };
  assert.equal((await callTool(server, answered)).json.result.isError, undefined);
});

test("headers that are missing or contradict the body are refused", async () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      size: { type: "integer", "x-mcp-header": "Size" },
    },
  };
  const where = tool(({ region }) => `in ${region}`, { name: "where", schema });
  const server = serveMcp([where]);
  const body = (args, name = "where") => modern("tools/call", { name, arguments: args });
  const right = headersOf("tools/call", "where", {
    "mcp-param-region": "eu",
    "mcp-param-size": "4.0",
  });
  const args = { region: "eu", size: 4 };
  assert.equal((await post(server, body(args), right)).json.result.content[0].text, "in eu");
  const encoded = { ...right, "mcp-param-region": "=?base64?w7Y=?=" };
  assert.equal((await post(server, body({ ...args, region: "ö" }), encoded)).status, 200);
  const without = (name) =>
    Object.fromEntries(Object.entries(right).filter(([key]) => key !== name));
  const wrong = [
    [body(args), without("mcp-protocol-version")],
    [body(args), without("mcp-method")],
    [body(args), without("mcp-name")],
    [body(args), without("mcp-param-region")],
    [body(args), { ...right, "mcp-method": "tools/list" }],
    [body(args), { ...right, "mcp-method": "TOOLS/CALL" }],
    [body(args), { ...right, "mcp-name": "other" }],
    [body(args), { ...right, "mcp-name": "=?base64?!!?=" }],
    [body(args), { ...right, "mcp-name": "=?base64?b3RoZXI=?=" }],
    [body(args), { ...right, "mcp-param-region": "us" }],
    [body(args), { ...right, "mcp-param-size": "4e0" }],
    [body({ region: null, size: 4 }), right],
    [body({ size: 4 }), right],
    [body(args), { ...right, "mcp-protocol-version": "2025-11-25" }],
  ];
  for (const [message, headers] of wrong) {
    const { status, json } = await post(server, message, headers);
    assert.equal(status, 400, JSON.stringify(headers));
    assert.equal(json.error.code, -32020, JSON.stringify(headers));
    assert.equal(json.id, 1);
  }
});

test("each request that is wrong has its error", async () => {
  const server = serveMcp(makeTools(), { maxBodyBytes: 5000 });
  const list = headersOf("tools/list");
  const cases = [
    ["{", {}, 400, -32700],
    ["", {}, 400, -32600],
    ["[]", {}, 400, -32600],
    [[modern("tools/list")], list, 400, -32600],
    ["null", {}, 400, -32600],
    ['"text"', {}, 400, -32600],
    [{ id: 1, method: "ping" }, {}, 400, -32600],
    [{ jsonrpc: "1.0", id: 1, method: "ping" }, {}, 400, -32600],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, {}, 400, -32600],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, {}, 400, -32600],
    [{ jsonrpc: "2.0", id: {}, method: "ping" }, {}, 400, -32600],
    [{ jsonrpc: "2.0", id: 1 }, {}, 400, -32600],
    [{ jsonrpc: "2.0", id: 1, method: 5 }, {}, 400, -32600],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [] }, {}, 400, -32600],
    [{ jsonrpc: "2.0", id: 1, method: "nothing" }, {}, 200, -32601],
    [modern("nothing"), headersOf("nothing"), 404, -32601],
    [modern("__proto__"), headersOf("__proto__"), 404, -32601],
    [
      modern("tools/call", { name: "__proto__" }),
      headersOf("tools/call", "__proto__"),
      200,
      -32602,
    ],
    [modern("tools/call", { name: 5 }), headersOf("tools/call"), 200, -32602],
    [
      modern("tools/call", { name: "add", arguments: [] }),
      headersOf("tools/call", "add"),
      200,
      -32602,
    ],
    [
      modern("tools/call", { name: "add", arguments: null }),
      headersOf("tools/call", "add"),
      200,
      -32602,
    ],
    [{ ...modern("tools/list"), params: {} }, list, 400, -32602],
    [
      {
        ...modern("tools/list"),
        params: { _meta: { [`${PREFIX}protocolVersion`]: "2026-07-28" } },
      },
      list,
      400,
      -32602,
    ],
    [
      {
        ...modern("tools/list"),
        params: { _meta: { ...META, [`${PREFIX}protocolVersion`]: "1900-01-01" } },
      },
      { ...list, "mcp-protocol-version": "1900-01-01" },
      400,
      -32022,
    ],
    [{ jsonrpc: "2.0", id: 1, method: "ping" }, { "mcp-protocol-version": "1.0" }, 400, -32022],
    [{ jsonrpc: "2.0", id: 1, method: "ping" }, { "mcp-session-id": "other" }, 404, -32602],
    [{ jsonrpc: "2.0", id: "none", result: {} }, {}, 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":1e999}}', {}, 400, -32700],
    [
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":${"[".repeat(300)}${"]".repeat(300)}}}`,
      {},
      400,
      -32700,
    ],
    [
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":"${"x".repeat(5000)}"}}`,
      {},
      413,
      -32600,
    ],
  ];
  for (const [body, headers, status, code] of cases) {
    const answer = await post(server, body, headers);
    const shown = `${JSON.stringify(body).slice(0, 200)}: ${answer.text}`;
    assert.equal(answer.status, status, shown);
    assert.equal(answer.json.error.code, code, shown);
    assert.equal(answer.json.jsonrpc, "2.0");
  }
  const { data } = (await post(server, cases[23][0], cases[23][1])).json.error;
  assert.deepEqual(data, { supported: ["2026-07-28"], requested: "1900-01-01" });
});

test("other methods and types are refused, notifications are taken", async () => {
  const server = serveMcp(makeTools());
  for (const method of ["GET", "DELETE", "PUT"]) {
    const response = await server.fetch(URL_OF_SERVER, { method });
    assert.equal(response.status, 405);
    assert.match(response.headers.get("allow"), /POST/);
  }
  const plain = await post(server, modern("tools/list"), { "content-type": "text/plain" });
  assert.equal(plain.status, 415);
  const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
  const broken = await server.fetch(URL_OF_SERVER, { method: "POST", headers: TYPES, body: bytes });
  assert.equal(broken.status, 400);
  const told = { jsonrpc: "2.0", method: "notifications/initialized" };
  assert.equal((await post(server, told)).status, 202);
  const cancelled = { ...told, method: "notifications/cancelled", params: { requestId: 1 } };
  assert.equal((await post(server, cancelled)).status, 202);
});

test("pages of other sites are refused, also under a name that leads to this machine", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const from = (origin, url, server = serveMcp(makeTools())) => post(server, ping, { origin }, url);
  const local = "http://127.0.0.1:3000/mcp";
  for (const [origin, url] of [
    ["https://evil.example", local],
    ["http://evil.example:3000", "http://evil.example:3000/mcp"],
    ["http://127.0.0.1.evil.example", local],
    ["http://localhost", "http://evil.example/mcp"],
    ["https://evil.example", URL_OF_SERVER],
    ["http://tools.example", "http://tools.example/mcp"],
    ["null", local],
    ["nothing", local],
  ]) {
    const { status, headers } = await from(origin, url);
    assert.equal(status, 403, `${origin} at ${url}`);
    assert.equal(headers.get("access-control-allow-origin"), null);
  }
  for (const [origin, url] of [
    ["http://localhost:5173", local],
    ["http://[::1]:5173", "http://localhost:3000/mcp"],
    ["https://tools.example", URL_OF_SERVER],
  ])
    assert.equal((await from(origin, url)).status, 200, `${origin} at ${url}`);
  const listed = serveMcp(makeTools(), { cors: ["https://app.example"], hosts: ["tools.example"] });
  const answer = await from("https://app.example", URL_OF_SERVER, listed);
  assert.equal(answer.headers.get("access-control-allow-origin"), "https://app.example");
  assert.match(answer.headers.get("access-control-expose-headers"), /mcp-session-id/);
  assert.equal((await from("https://evil.example", URL_OF_SERVER, listed)).status, 403);
  assert.equal((await post(listed, ping, {}, "https://other.example/mcp")).status, 403);
  const open = serveMcp(makeTools(), { cors: true });
  const anyone = await from("https://any.example", URL_OF_SERVER, open);
  assert.equal(anyone.headers.get("access-control-allow-origin"), "*");
});

test("a preflight allows the protocol's headers to allowed pages only", async () => {
  const server = serveMcp(makeTools(), { cors: ["https://app.example"] });
  const preflight = (origin) =>
    server.fetch(URL_OF_SERVER, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-headers": "content-type,mcp-param-region,x-evil",
      },
    });
  const allowed = await preflight("https://app.example");
  assert.equal(allowed.status, 204);
  const names = allowed.headers.get("access-control-allow-headers");
  for (const name of [
    "authorization",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
    "mcp-param-region",
  ])
    assert.ok(names.includes(name), name);
  assert.ok(!names.includes("x-evil"));
  assert.equal((await preflight("https://evil.example")).status, 403);
});

test("without a user nothing is read, and the client learns where to ask", async () => {
  const resourceMetadataUrl = "https://tools.example/.well-known/oauth-protected-resource";
  const server = serveMcp(makeTools(), { authenticate: byName, resourceMetadataUrl });
  const { status, headers } = await post(server, "{");
  assert.equal(status, 401);
  assert.equal(
    headers.get("www-authenticate"),
    `Bearer resource_metadata="${resourceMetadataUrl}"`,
  );
  const challenges = [];
  const client = connectMcp(URL_OF_SERVER, {
    fetch: server.fetch,
    headers: (challenge) => {
      challenges.push(challenge?.parameters.resource_metadata);
      return challenge === undefined ? {} : { "x-user": "ada" };
    },
  });
  assert.equal((await client).era, "modern");
  assert.deepEqual(challenges, [undefined, resourceMetadataUrl]);
  const broken = serveMcp(makeTools(), {
    authenticate: () => {
      throw new Error("the secret database");
    },
  });
  const answer = await post(broken, modern("tools/list"), headersOf("tools/list"));
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.text, /secret/);
});

test("only the session that was asked, and its user, answers or cancels", async () => {
  const calls = [];
  const server = serveMcp(makeTools(calls), { authenticate: byName });
  const as = (user, session) => ({ "x-user": user, ...(session && { "mcp-session-id": session }) });
  const open = async (user) => {
    const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } };
    const answer = await post(
      server,
      { jsonrpc: "2.0", id: 0, method: "initialize", params },
      as(user),
    );
    return answer.headers.get("mcp-session-id");
  };
  const session = await open("ada");
  const other = await open("bob");
  const call = { name: "pay", arguments: { amount: 1 } };
  const response = await server.fetch(URL_OF_SERVER, {
    method: "POST",
    headers: { ...TYPES, ...as("ada", session) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: call }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  const { id } = JSON.parse(/data: (.*)/.exec(value)[1]);
  const content = { decision: "approve" };
  const answer = { jsonrpc: "2.0", id, result: { action: "accept", content } };
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
  for (const headers of [as("bob", other), as("bob", session), as("ada", other), as("ada")]) {
    assert.equal((await post(server, answer, headers)).status, 400);
    assert.equal((await post(server, cancel, headers)).status, 202);
  }
  const again = { jsonrpc: "2.0", id: 7, method: "tools/call", params: call };
  assert.equal((await post(server, again, as("ada", session))).status, 400);
  assert.deepEqual(calls, []);
  assert.equal((await post(server, answer, as("ada", session))).status, 202);
  assert.match((await reader.read()).value, /paid 1/);
  assert.equal((await post(server, answer, as("ada", session))).status, 400);
});

test("an error inside the server is not told to clients, but to onError", async () => {
  const errors = [];
  class Broken extends MemorySaver {
    getTuple() {
      throw new Error("the secret path");
    }
  }
  const saver = new Broken();
  const server = serveMcp(makeTools(), { saver, onError: (error) => errors.push(error) });
  const { text, json } = await callTool(server, { name: "pay", arguments: { amount: 1 } });
  if (json.error !== undefined) {
    assert.equal(json.error.code, -32603);
    assert.ok(errors.length > 0);
  }
  assert.doesNotMatch(text, /secret/);
});

test("arguments cannot change prototypes", async () => {
  const seen = [];
  const keep = tool((args) => void seen.push(args), {
    name: "keep",
    schema: { type: "object", additionalProperties: true },
  });
  const server = serveMcp([keep]);
  const text = JSON.stringify(modern("tools/call", { name: "keep", arguments: {} })).replace(
    '"arguments":{}',
    '"arguments":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  );
  await post(server, text, headersOf("tools/call", "keep"));
  assert.equal(seen[0].isAdmin, undefined);
  assert.equal({}.isAdmin, undefined);
});

test("wrong tools and options are refused by name", () => {
  const graph = { stream() {}, getState() {}, invoke() {} };
  const schema = { type: "object" };
  const good = tool(() => "", { name: "good" });
  const bad = {
    type: "object",
    properties: { a: { type: "number", "x-mcp-header": "A" } },
  };
  for (const [given, options, message] of [
    [[], {}, /list of tools/],
    [undefined, {}, /list of tools/],
    ["good", {}, /list of tools/],
    [graph, {}, /name and a schema/],
    [graph, { name: "g" }, /name and a schema/],
    [graph, { name: "g", schema, input: 5 }, /input/],
    [[{ graph, name: "a b", schema }], {}, /name of up to/],
    [[good, good], {}, /two tools/],
    [[{}], {}, /name of up to/],
    [[tool(() => "", { name: "x", schema: bad })], {}, /x-mcp-header/],
    [[good], { nothing: 1 }, /no option `nothing`/],
    [[good], { pageSize: 0 }, /pageSize/],
    [[good], { maxDurationMs: Infinity }, /maxDurationMs/],
    [[good], { cors: "https://app.example" }, /cors/],
    [[good], { authenticate: true }, /authenticate/],
    [[good], 5, /options/],
  ])
    assert.throws(() => serveMcp(given, options), { code: "BAD_ARGUMENT", message }, `${message}`);
  assert.throws(() => serveMcp([good]).listen({}), { code: "BAD_ARGUMENT", message: /listen/ });
});
