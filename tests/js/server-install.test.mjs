// SPDX-License-Identifier: MIT
// weftgraph/server/install: programs that know an address, or none, reach a server in the same
// program; everything else of the global fetch stays as it is.
import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { after, before, test } from "node:test";
import { Client } from "@langchain/langgraph-sdk";
import { installFetch } from "weftgraph/server/install";
import { makeAgent, listOf, say, serve } from "./server-graphs.mjs";

const ORIGIN = "http://weft.local";
const original = globalThis.fetch;
let network;
let address;

before(async () => {
  network = createHttpServer((_request, response) => response.end("the network"));
  await new Promise((resolve) => network.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${network.address().port}`;
});
after(() => {
  network.closeAllConnections();
  network.close();
});

test("the global fetch answers for the origin, and for nothing else", async () => {
  const { server } = serve();
  const undo = installFetch(server, { origin: ORIGIN });
  assert.deepEqual(await (await fetch(`${ORIGIN}/ok`)).json(), { ok: true });
  assert.deepEqual(await (await fetch(new URL("/ok", ORIGIN))).json(), { ok: true });
  const request = new Request(`${ORIGIN}/threads`, { method: "POST", body: '{"thread_id":"t"}' });
  assert.equal((await (await fetch(request)).json()).thread_id, "t");
  assert.equal(await (await fetch(address)).text(), "the network");
  assert.equal(await (await fetch(new Request(address))).text(), "the network");
  assert.equal(await (await fetch(`${address}/?at=${ORIGIN}/ok`)).text(), "the network");
  await assert.rejects(fetch("no address"), TypeError);
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(fetch(`${ORIGIN}/ok`, { signal: controller.signal }), {
    name: "AbortError",
  });
  undo();
  assert.equal(globalThis.fetch, original);
});

test("the SDK's client without an address, or with it alone, finds the server: a run and a question", async () => {
  const { server } = serve({ basePath: "/api" });
  const undo = installFetch(server);
  for (const client of [new Client(), new Client({ apiUrl: `${ORIGIN}/api` })]) {
    const { thread_id } = await client.threads.create();
    const events = await listOf(
      client.runs.stream(thread_id, "agent", { input: say("ask"), streamMode: "values" }),
    );
    const [{ value }] = events.at(-1).data.__interrupt__;
    assert.deepEqual(value, { q: "?" });
    const command = { resume: "fine" };
    const { messages } = await client.runs.wait(thread_id, "agent", { command });
    assert.equal(messages.at(-1).content, "fine");
  }
  undo();
  assert.deepEqual(
    [Symbol.for("langgraph_api:url"), Symbol.for("langgraph_api:fetch")].filter(
      (key) => key in globalThis,
    ),
    [],
  );
});

test("what somebody set for the SDK's clients goes on for other origins", async () => {
  const key = Symbol.for("lg:fetch_implementation");
  const asked = [];
  const own = async (input) => (asked.push(String(input)), new Response('{"ok":true}'));
  globalThis[key] = own;
  try {
    const { server } = serve();
    const undo = installFetch(server);
    const here = new Client({ apiUrl: ORIGIN });
    assert.equal((await here.threads.create({ threadId: "t" })).thread_id, "t");
    const there = new Client({ apiUrl: "http://elsewhere.invalid" });
    await there.threads.create();
    assert.deepEqual(asked, ["http://elsewhere.invalid/threads"]);
    undo();
    assert.equal(globalThis[key], own);
  } finally {
    delete globalThis[key];
  }
});

test("several servers at once, taken back in any order, also below somebody else's fetch", async () => {
  const origins = ["http://one.local", "http://two.local"];
  const undos = origins.map((origin) => {
    const graphs = { [new URL(origin).hostname.split(".")[0]]: makeAgent() };
    return installFetch(serve({ graphs }).server, { origin });
  });
  const nameAt = async (origin) => {
    const found = await fetch(`${origin}/assistants/search`, { method: "POST", body: "{}" });
    return (await found.json())[0].name;
  };
  assert.deepEqual(await Promise.all(origins.map(nameAt)), ["one", "two"]);
  const below = globalThis.fetch;
  const onTop = (...words) => below(...words);
  globalThis.fetch = onTop;
  undos[0]();
  assert.equal(globalThis.fetch, onTop);
  assert.equal(await nameAt(origins[1]), "two");
  undos[1]();
  await assert.rejects(fetch(origins[1]));
  assert.equal(await (await fetch(address)).text(), "the network");
  globalThis.fetch = original;
});

test("what is no server or no origin is refused, and changes nothing", () => {
  const { server } = serve();
  for (const wrong of [undefined, {}, { fetch() {} }])
    assert.throws(() => installFetch(wrong), { code: "BAD_ARGUMENT" });
  for (const origin of [7, "weft", "http://weft.local/api", "file:///etc", "http://weft.local/"])
    assert.throws(() => installFetch(server, { origin }), { code: "BAD_ARGUMENT" });
  assert.equal(globalThis.fetch, original);
});
