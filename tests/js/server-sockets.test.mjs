// SPDX-License-Identifier: MIT
// Threads over WebSockets: the SDK's own transport on a real socket of Node, and what a client may
// send that is none of its.
import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { after, test } from "node:test";
import { Client } from "@langchain/langgraph-sdk";
import { StreamController } from "@langchain/langgraph-sdk/stream";
import { WebSocket, WebSocketServer } from "ws";
import { pause, say, serve } from "./server-graphs.mjs";

const closing = [];
after(async () => {
  for (const close of closing) await close();
});

/** A server whose threads are reached by sockets on a port. */
async function listen(options) {
  const served = serve(options);
  const http = createHttpServer();
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (incoming, socket, head) => {
    const url = new URL(incoming.url, "http://localhost");
    const [, , threadId] = url.pathname.split("/");
    const request = new Request(url, { headers: incoming.headers });
    sockets.handleUpgrade(incoming, socket, head, (opened) => {
      opened.on("error", () => {});
      served.server.connect(opened, decodeURIComponent(threadId), { request });
      sockets.emit("connection", opened);
    });
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address();
  closing.push(async () => {
    await served.server.close();
    for (const socket of sockets.clients) socket.terminate();
    http.closeAllConnections();
    http.close();
  });
  return { ...served, sockets, address: `127.0.0.1:${port}` };
}

/** One socket, with commands that wait for their answers, and all that came. */
async function open(address, threadId, query = "") {
  const socket = new WebSocket(`ws://${address}/threads/${threadId}/stream/events${query}`);
  const answers = new Map();
  const came = [];
  const events = [];
  let wake = () => {};
  socket.on("message", (text) => {
    const message = JSON.parse(text);
    came.push(message);
    if (message.type === "event") events.push(message);
    else answers.get(message.id)?.(message);
    wake();
  });
  const closed = new Promise((resolve) =>
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  let id = 0;
  return {
    socket,
    came,
    events,
    closed,
    command: (method, params) =>
      new Promise((resolve) => {
        answers.set(++id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    /** Waits until an event is there. */
    until: async (isIt) => {
      while (!events.some(isIt)) await new Promise((resolve) => (wake = resolve));
      return events.find(isIt);
    },
  };
}

/** The SDK's stream of a thread by its own WebSocket transport. */
function streamOf(address) {
  const client = new Client({ apiUrl: `http://${address}` });
  return client.threads.stream({
    assistantId: "agent",
    transport: "websocket",
    webSocketFactory: (url) => new WebSocket(url),
  });
}

/** The server's end of a socket that is none. */
function makeSocket() {
  const listeners = {};
  const socket = {
    bufferedAmount: 0,
    sent: [],
    send: (text) => socket.sent.push(JSON.parse(text)),
    close: (code) => (socket.code = code),
    addEventListener: (type, listener) => (listeners[type] = listener),
    say: (message) => listeners.message({ data: JSON.stringify(message) }),
  };
  return socket;
}

async function until(isSo) {
  for (let tries = 0; !isSo() && tries < 1000; tries++) await pause(10);
  assert.ok(isSo());
}

const ROOT = { channels: ["values", "checkpoints", "lifecycle", "input", "messages", "tools"] };
const isEnd = ({ method, params: { namespace, data } }) =>
  method === "lifecycle" && namespace.length === 0 && data.event !== "running";

test("the SDK's WebSocket transport streams a thread: values, a question and its answer", async () => {
  const { address } = await listen();
  const thread = streamOf(address);
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

test("a connection that breaks is made again by the SDK: useStream goes on, and shows nothing twice", async () => {
  const { address, sockets } = await listen();
  const controller = new StreamController({
    assistantId: "agent",
    client: new Client({ apiUrl: `http://${address}` }),
    threadId: null,
    transport: "websocket",
    webSocketFactory: (url) => new WebSocket(url),
  });
  const release = controller.activate();
  const shown = () => controller.rootStore.getSnapshot();
  await controller.submit(say("ask"));
  await until(() => shown().interrupt !== undefined && !shown().isLoading);
  const again = new Promise((resolve) => sockets.once("connection", resolve));
  for (const socket of sockets.clients) socket.terminate();
  await again;
  await pause(100);
  assert.equal(shown().interrupts.length, 1);
  await controller.respond("fine");
  await until(() => shown().messages.length === 2 && !shown().isLoading);
  assert.equal(shown().interrupt, undefined);
  assert.deepEqual(
    shown().messages.map(({ text }) => text),
    ["ask", "fine"],
  );
  release();
  await controller.dispose();
});

test("each subscription gets what was before, then what comes; what two of them want comes once", async () => {
  const { address } = await listen();
  const { command, events, came, until: seen } = await open(address, "t");
  const first = await command("subscription.subscribe", ROOT);
  assert.deepEqual([first.type, first.result.replayed_events], ["success", 0]);
  const life = await command("subscription.subscribe", { channels: ["lifecycle"] });
  assert.notEqual(life.result.subscription_id, first.result.subscription_id);
  const started = await command("run.start", { assistant_id: "agent", input: say("hi") });
  assert.equal(started.type, "success");
  await seen(isEnd);
  assert.equal(new Set(events.map(({ event_id }) => event_id)).size, events.length);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map(({ seq }) => seq).toSorted((a, b) => a - b),
  );
  const before = came.length;
  const again = events.filter(({ params }) => params.namespace.length === 0);
  const late = await command("subscription.subscribe", { ...ROOT, namespaces: [[]], depth: 0 });
  assert.equal(late.result.replayed_events, again.length);
  await until(() => came.length === before + 1 + again.length);
  assert.equal(came[before], late, "its answer comes before its events");
  assert.deepEqual(came.slice(before + 1), again);
  const rest = await command("subscription.subscribe", { ...ROOT, since: again.at(-2).seq });
  assert.equal(rest.result.replayed_events, 1);
});

test("an ended subscription gets nothing more, others do", async () => {
  const { address } = await listen();
  const { command, events, until: seen } = await open(address, "t");
  const { result } = await command("subscription.subscribe", { channels: ["values", "custom"] });
  await command("subscription.subscribe", { channels: ["lifecycle"], depth: 0, namespaces: [[]] });
  const { subscription_id } = result;
  assert.equal((await command("subscription.unsubscribe", { subscription_id })).type, "success");
  const twice = await command("subscription.unsubscribe", { subscription_id });
  assert.equal(twice.error, "no_such_subscription");
  await command("run.start", { assistant_id: "agent", input: say("hi") });
  await seen(isEnd);
  assert.deepEqual(
    events.map(({ params }) => params.data.event),
    ["running", "completed"],
  );
});

test("what is no command is answered, and the socket goes on", async () => {
  const { address } = await listen({ maxBodyBytes: 2000 });
  const { socket, command, came } = await open(address, "t");
  const bad = ["{", "[]", "7", JSON.stringify({ id: 9, method: "x", text: "y".repeat(3000) })];
  for (const text of [...bad, Buffer.from([1, 2, 3])]) socket.send(text);
  socket.send("[".repeat(1000));
  await until(() => came.length === 6);
  assert.ok(came.every(({ type, error }) => type === "error" && error === "invalid_argument"));
  const wrong = [
    ["nothing", {}, "unknown_command"],
    ["constructor", {}, "unknown_command"],
    ["subscription.subscribe", { channels: [7] }, "invalid_argument"],
    ["subscription.subscribe", { channels: ["values"], namespaces: "x" }, "invalid_argument"],
    ["subscription.subscribe", { channels: ["values"], depth: -1 }, "invalid_argument"],
    ["run.start", { assistant_id: "none" }, "invalid_argument"],
  ];
  for (const [method, params, error] of wrong)
    assert.equal((await command(method, params)).error, error, method);
  for (let at = 0; at < 100; at++) await command("subscription.subscribe", ROOT);
  const { error, message } = await command("subscription.subscribe", ROOT);
  assert.equal(error, "invalid_argument");
  assert.match(message, /up to 100/);
});

test("a thread of somebody else is closed, also one that is made later; nobody is refused", async () => {
  const authenticate = ({ url }) => new URL(url).searchParams.get("user") ?? undefined;
  const { address, server } = await listen({ authenticate });
  const nobody = await open(address, "t");
  assert.deepEqual(await nobody.closed, { code: 4401, reason: "Say who you are." });
  const early = await open(address, "t", "?user=eve");
  await early.command("subscription.subscribe", ROOT);
  const stream = await server.fetch("http://weft.local/threads/t/stream/events?user=eve", {
    method: "POST",
    body: JSON.stringify(ROOT),
  });
  const ann = await open(address, "t", "?user=ann");
  await ann.command("subscription.subscribe", ROOT);
  await ann.command("run.start", { assistant_id: "agent", input: say("secret") });
  await ann.until(isEnd);
  const late = await open(address, "t", "?user=eve");
  assert.equal((await late.closed).code, 4404);
  const refused = await early.command("run.start", { assistant_id: "agent", input: say("mine") });
  assert.equal(refused.error, "invalid_argument");
  assert.equal(early.events.length, 0);
  await server.close();
  assert.equal(await new Response(stream.body).text(), "");
});

test("a client that stops reading is waited for, and nothing is lost", async () => {
  const { server } = serve();
  const socket = makeSocket();
  server.connect(socket, "t");
  socket.say({ id: 1, method: "subscription.subscribe", params: ROOT });
  await until(() => socket.sent.length === 1);
  socket.bufferedAmount = 2_000_000;
  socket.say({ id: 2, method: "run.start", params: { assistant_id: "agent", input: say("hi") } });
  await until(() => socket.sent.length >= 3);
  await pause(100);
  const events = () => socket.sent.filter(({ type }) => type === "event");
  assert.equal(events().length, 1);
  socket.bufferedAmount = 0;
  await until(() => events().some(isEnd));
  const fresh = makeSocket();
  server.connect(fresh, "t");
  fresh.say({ id: 1, method: "subscription.subscribe", params: ROOT });
  await until(() => fresh.sent.length === events().length + 1);
  assert.deepEqual(fresh.sent.slice(1), events());
});

test("streams end with their thread, and with the server", async () => {
  const { address, client, server } = await listen();
  const one = await open(address, "t");
  await one.command("run.start", { assistant_id: "agent", input: say("hi") });
  await client.threads.delete("t");
  assert.equal((await one.closed).code, 4503);
  const two = await open(address, "other");
  await two.command("subscription.subscribe", ROOT);
  await server.close();
  assert.equal((await two.closed).code, 4503);
});

test("an upgrade that the host makes connects the socket, and its address takes nothing else", async () => {
  const made = [];
  const upgrade = (request) => {
    const socket = makeSocket();
    made.push({ socket, request });
    return { socket, response: new Response("switching") };
  };
  const { server } = serve({ upgrade });
  const address = "http://weft.local/threads/t/stream/events";
  assert.equal((await server.fetch(address)).status, 405);
  assert.equal(
    (await serve().server.fetch(address, { headers: { upgrade: "websocket" } })).status,
    405,
  );
  const request = new Request(address, { headers: { upgrade: "websocket" } });
  assert.equal(await (await server.fetch(request)).text(), "switching");
  const [{ socket, request: given }] = made;
  assert.equal(given, request, "hosts upgrade their own object");
  socket.say({ id: 1, method: "subscription.subscribe", params: ROOT });
  socket.say({ id: 2, method: "run.start", params: { assistant_id: "agent", input: say("hi") } });
  await until(() => socket.sent.some((message) => message.type === "event" && isEnd(message)));
  assert.deepEqual(
    socket.sent.filter(({ type }) => type === "success").map(({ id }) => id),
    [1, 2],
  );
});

test("connect takes sockets and ids of threads alone", () => {
  const { server } = serve();
  for (const socket of [undefined, null, 7, {}, { send() {}, close() {} }])
    assert.throws(() => server.connect(socket, "t"), { code: "BAD_ARGUMENT" });
  const socket = { send() {}, close() {}, addEventListener() {} };
  for (const id of [undefined, "", 7])
    assert.throws(() => server.connect(socket, id), { code: "BAD_ARGUMENT" });
});
