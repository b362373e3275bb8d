// SPDX-License-Identifier: MIT
// What goes wrong on the user's side of an MCP connection: the error is the user's own, and comes
// in time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectMcp } from "weftgraph/mcp";
import { URL_OF_ALL, legacyServer, modernServer } from "./mcp-servers.mjs";

const result = (id, value) => Response.json({ jsonrpc: "2.0", id, result: value });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A legacy server whose calls, and what is joined again, answer as `answer` says. */
const legacyServerOf =
  (answer, sent = []) =>
  async (_url, { method: verb, headers, body }) => {
    const { id, method, ...rest } = body === undefined ? {} : JSON.parse(body);
    sent.push(method ?? rest.error ?? verb);
    if (verb === "GET" && headers["last-event-id"] === undefined)
      return new Response(null, { status: 405 });
    if (verb === "GET" || method === "tools/call") return answer();
    if (method === "initialize")
      return result(id, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} });
    return new Response(null, { status: id === undefined || method === undefined ? 202 : 404 });
  };

/** Events with ids, one after the other, of a stream that stays open. */
let lastId = 0;
const openStream = (messages) =>
  new Response(
    new ReadableStream({
      async start(controller) {
        for (const message of messages) {
          const text = `id: ${++lastId}\nretry: 10\ndata: ${JSON.stringify(message)}\n\n`;
          controller.enqueue(new TextEncoder().encode(text));
          await wait(30);
        }
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
