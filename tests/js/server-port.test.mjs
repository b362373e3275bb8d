// SPDX-License-Identifier: MIT
// weftgraph/server/service-worker over a port, without a service worker: a server of a worker for
// the SDK's client of a page. In a browser: tests/browser/service-worker.test.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@langchain/langgraph-sdk";
import { createServer } from "weftgraph/server";
import { offer, serve, serveFrom, waitUntil } from "weftgraph/server/service-worker";
import { listOf, makeAgent, pause, readEvents, say } from "./server-graphs.mjs";

const ADDRESS = "http://weft.local";

/** Both ends of a port between a server and who asks it. */
function join(t, server) {
  const { port1, port2 } = new MessageChannel();
  const takeBack = offer(server, { port: port1 });
  const { fetch } = serveFrom(port2);
  t.after(() => {
    takeBack();
    port2.close();
  });
  return { fetch, takeBack };
}

async function until(isSo) {
  for (let tries = 0; !isSo() && tries < 500; tries++) await pause(10);
  assert.ok(isSo());
}

test("the SDK's client over a port: threads, a stream, a question, what is refused", async (t) => {
  const { fetch } = join(t, createServer({ graphs: { agent: makeAgent() } }));
  const client = new Client({ apiUrl: ADDRESS, callerOptions: { fetch, maxRetries: 0 } });
  await client.threads.create({ threadId: "t" });
  const events = await listOf(client.runs.stream("t", "agent", { input: say("hi") }));
  assert.equal(events.at(-1).data.messages.at(-1).content, "you said hi ");
  const asked = await listOf(client.runs.stream("t", "agent", { input: say("ask") }));
  assert.deepEqual(asked.at(-1).data.__interrupt__[0].value, { q: "?" });
  const { messages } = await client.runs.wait("t", "agent", { command: { resume: "fine" } });
  assert.equal(messages.at(-1).content, "fine");
  await assert.rejects(client.threads.get("none"), { status: 404 });
  await client.threads.delete("t");
});

test("several requests at once, with their headers and bodies, and answers without one", async (t) => {
  const server = {
    basePath: "",
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/none") return new Response(null, { status: 204 });
      const text = await request.text();
      await pause(pathname === "/late" ? 50 : 0);
      return new Response(`${request.method} ${text} ${request.headers.get("x-word")}`, {
        status: 201,
        headers: { "x-at": pathname },
      });
    },
  };
  const { fetch } = join(t, server);
  const post = (path, body) =>
    fetch(`${ADDRESS}${path}`, { method: "POST", body, headers: { "x-word": path } });
  const found = await Promise.all([post("/late", "one"), post("/soon", "two")]);
  assert.deepEqual(await Promise.all(found.map((response) => response.text())), [
    "POST one /late",
    "POST two /soon",
  ]);
  assert.deepEqual(
    found.map(({ status, headers }) => [status, headers.get("x-at")]),
    [
      [201, "/late"],
      [201, "/soon"],
    ],
  );
  const none = await fetch(new URL("/none", ADDRESS));
  assert.deepEqual([none.status, none.body], [204, null]);
});

test("a body is read as fast as its reader reads, and left with it", async (t) => {
  let given = 0;
  let isLeft = false;
  const body = () =>
    new ReadableStream(
      {
        pull: (controller) => controller.enqueue(new Uint8Array([given++])),
        cancel: () => void (isLeft = true),
      },
      { highWaterMark: 0 },
    );
  const { fetch } = join(t, { basePath: "", fetch: async () => new Response(body()) });
  const reader = (await fetch(ADDRESS)).body.getReader();
  for (let at = 0; at < 3; at++) assert.deepEqual([...(await reader.read()).value], [at]);
  await pause(50);
  assert.equal(given, 3);
  await reader.cancel();
  await until(() => isLeft);
});

test("an abort ends the run on the other side, before and behind the answer's head", async (t) => {
  const heard = {};
  const { fetch } = join(t, createServer({ graphs: { agent: makeAgent(heard) } }));
  const controller = new AbortController();
  const post = { method: "POST", signal: controller.signal };
  const run = { assistant_id: "agent", input: say("slow"), on_disconnect: "cancel" };
  const response = await fetch(`${ADDRESS}/runs/stream`, { ...post, body: JSON.stringify(run) });
  await readEvents({ body: response.body }, 1).catch(() => {});
  await until(() => heard.aborted !== undefined);
  assert.equal(heard.aborted.name, "AbortError");
  const signal = AbortSignal.abort();
  await assert.rejects(fetch(ADDRESS, { signal }), { name: "AbortError" });
  const waiting = { basePath: "", fetch: () => new Promise(() => {}) };
  const other = join(t, waiting);
  const asking = other.fetch(ADDRESS, { signal: controller.signal });
  await pause(20);
  controller.abort();
  await assert.rejects(asking, { name: "AbortError" });
  const reading = join(t, { basePath: "", fetch: async () => new Response(new ReadableStream()) });
  const later = new AbortController();
  const { body } = await reading.fetch(ADDRESS, { signal: later.signal });
  const read = body.getReader().read();
  later.abort();
  await assert.rejects(read, { name: "AbortError" });
});

test("an abort while the body is read ends the request before it is sent", async (t) => {
  let asked = 0;
  const { fetch } = join(t, {
    basePath: "",
    fetch: async () => {
      asked++;
      return new Promise(() => {});
    },
  });
  const controller = new AbortController();
  const init = { method: "POST", body: "text", signal: controller.signal };
  const left = assert.rejects(fetch(ADDRESS, init), { name: "AbortError" });
  controller.abort();
  await left;
  await pause(20);
  assert.equal(asked, 0);
});

test("a server that fails, or is taken back, fails its requests alone", async (t) => {
  const bodies = [
    new ReadableStream({
      pull() {
        throw new Error("the disk is gone");
      },
    }),
    new ReadableStream(),
    new ReadableStream(),
  ];
  const server = {
    basePath: "",
    fetch: async (request) => {
      if (request.url.endsWith("/bad")) throw new Error("no such thing");
      return request.url.endsWith("/ever") ? new Promise(() => {}) : new Response(bodies.shift());
    },
  };
  const { fetch, takeBack } = join(t, server);
  await assert.rejects(fetch(`${ADDRESS}/bad`), /no such thing/);
  await assert.rejects((await fetch(ADDRESS)).text(), /the disk is gone/);
  const reading = (await fetch(ADDRESS)).text();
  const asking = fetch(`${ADDRESS}/ever`);
  await pause(20);
  takeBack();
  takeBack();
  await assert.rejects(reading, /is gone/);
  await assert.rejects(asking, /is gone/);
  await assert.rejects(fetch(ADDRESS), /is gone/);
});

test("what is asked before a worker offers its server is answered when it does", async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port2.close());
  // As in a worker that already listens to messages of its own.
  port1.addEventListener("message", () => {});
  port1.start();
  const { fetch } = serveFrom(port2);
  const answers = ["/a", "/b"].map((path) => fetch(ADDRESS + path));
  await pause(50);
  const takeBack = offer({ fetch: async ({ url }) => new Response(url) }, { port: port1 });
  t.after(takeBack);
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
  assert.deepEqual(texts, [`${ADDRESS}/a`, `${ADDRESS}/b`]);
});

test("who comes long after a server was offered is answered, too", async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port2.close());
  const heard = [];
  port2.addEventListener("message", ({ data }) => heard.push(data));
  port2.start();
  t.after(offer({ fetch: async () => new Response("late") }, { port: port1 }));
  await until(() => heard.length === 1);
  const { fetch } = serveFrom(port2);
  assert.equal(await (await fetch(ADDRESS)).text(), "late");
});

test("messages of others on the port are passed over", async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const { fetch } = serveFrom(port2);
  for (const message of [undefined, null, "text", { id: "x" }, { weft: "head", id: "none" }])
    port1.postMessage(message);
  t.after(offer(createServer({ graphs: { agent: makeAgent() } }), { port: port1 }));
  for (const message of [null, "text", { weft: "pull", id: "x" }, { weft: "cancel", id: "x" }])
    port2.postMessage(message);
  assert.deepEqual(await (await fetch(`${ADDRESS}/ok`)).json(), { ok: true });
});

test("what is no server, no port, or not in a service worker is refused", () => {
  const server = createServer({ graphs: { agent: makeAgent() } });
  for (const wrong of [undefined, {}, 7]) {
    assert.throws(() => offer(wrong), { code: "BAD_ARGUMENT" });
    assert.throws(() => serve(wrong), { code: "BAD_ARGUMENT" });
    if (wrong !== undefined) assert.throws(() => serveFrom(wrong), { code: "BAD_ARGUMENT" });
  }
  assert.throws(() => offer(server), { code: "BAD_ARGUMENT" });
  assert.throws(() => serve(server), { code: "BAD_ARGUMENT" });
  assert.throws(() => serveFrom(), { code: "BAD_ARGUMENT" });
  assert.equal(waitUntil(Promise.resolve()), undefined);
});
