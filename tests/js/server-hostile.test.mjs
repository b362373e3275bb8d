// SPDX-License-Identifier: MIT
// What a client may send that is wrong or malicious: each is refused by a status that is not
// repeated, and a sentence; nothing of the server breaks or shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FileSaver } from "weftgraph/savers/file";
import { SaverStore } from "weftgraph/stores/saver";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryStore, MemorySaver } from "weftgraph";
import { createServer } from "weftgraph/server";
import { listOf, makeAgent, pause, say, serve } from "./server-graphs.mjs";

test("what is not there, no JSON, or of the wrong kind is refused with a sentence", async () => {
  const { ask } = serve();
  await ask("POST", "/threads", { thread_id: "t" });
  const cases = [
    ["GET", "/nothing", undefined, 404],
    ["GET", "/threads/none", undefined, 404],
    ["PUT", "/threads/t", {}, 405],
    ["POST", "/threads", "{", 422],
    ["POST", "/threads", "[]", 422],
    ["POST", "/threads", { thread_id: 7 }, 422],
    ["POST", "/threads", { thread_id: "x".repeat(2000) }, 422],
    ["POST", "/threads", { metadata: [] }, 422],
    ["POST", "/threads", { ttl: { ttl: 5, strategy: "delete" } }, 422],
    ["PATCH", "/threads/t", { ttl: 5 }, 422],
    ["POST", "/threads", { if_exists: "maybe" }, 422],
    ["POST", "/threads/search", { limit: -1 }, 422],
    ["POST", "/threads/search", { limit: "many" }, 422],
    ["POST", "/threads/search", { sort_by: "password" }, 422],
    ["POST", "/threads/search", { status: "lost" }, 422],
    ["POST", "/threads/t/runs", {}, 422],
    ["POST", "/threads/t/runs", { assistant_id: "other" }, 404],
    ["POST", "/threads/none/runs", { assistant_id: "agent" }, 404],
    ["POST", "/threads/t/runs", { assistant_id: "agent", config: "x" }, 422],
    ["POST", "/threads/t/runs", { assistant_id: "agent", command: {} }, 422],
    ["POST", "/threads/t/runs", { assistant_id: "agent", command: { goto: 7 } }, 422],
    ["POST", "/threads/t/runs", { assistant_id: "agent", multitask_strategy: "win" }, 422],
    ["POST", "/threads/t/runs/stream", { assistant_id: "agent", stream_mode: [7] }, 422],
    ["GET", "/threads/t/runs/none", undefined, 404],
    ["POST", "/threads/t/runs/none/cancel", undefined, 404],
    ["POST", "/runs/batch", {}, 422],
    ["POST", "/runs/cancel", {}, 422],
    ["POST", "/runs/crons", {}, 501],
    ["GET", "/store/items?namespace=a&key=b", undefined, 404],
    ["GET", "/threads/%E0%A4%A", undefined, 404],
    ["PATCH", "/assistants/agent", { name: "mine" }, 403],
    ["POST", "/assistants", { graph_id: "none" }, 422],
  ];
  for (const [method, path, body, status] of cases) {
    const answer = await ask(method, path, body);
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}`);
    assert.equal(typeof answer.body.detail, "string");
    assert.ok(!/node_modules|at .*\.js|\/work\//.test(answer.body.detail));
  }
});

test("a stream mode that is a property of every object is passed over", async () => {
  const { server } = serve();
  const answer = await server.fetch(
    new Request("http://weft.local/runs/stream", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        assistant_id: "agent",
        input: { messages: [{ role: "user", content: "hi" }] },
        stream_mode: ["values", "constructor", "toString"],
      }),
    }),
  );
  const text = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(text, /event: values/);
  assert.doesNotMatch(text, /event: error/);
});

test("a body of any size is read up to a limit", async () => {
  const { ask } = serve({ maxBodyBytes: 1000 });
  assert.equal((await ask("POST", "/threads", { metadata: { a: "x".repeat(2000) } })).status, 413);
  const { server } = serve({ maxBodyBytes: 100_000 });
  let pulled = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(10_000));
    },
  });
  const response = await server.fetch("http://weft.local/threads", {
    method: "POST",
    body: endless,
    duplex: "half",
  });
  assert.equal(response.status, 413);
  assert.ok(pulled < 50);
});

test("a body is read where requests have no property `body`, as in Firefox", async () => {
  const { fetch } = createServer({ graphs: { agent: makeAgent() }, maxBodyBytes: 1000 });
  const post = (body) => {
    const request = new Request("http://weft.local/threads", { method: "POST", body });
    return fetch(Object.defineProperty(request, "body", { value: undefined }));
  };
  const made = await (await post('{"metadata":{"of":"anna"}}')).json();
  assert.deepEqual(made.metadata, { of: "anna" });
  assert.equal((await post(JSON.stringify({ metadata: { text: "x".repeat(1000) } }))).status, 413);
  assert.equal((await post("{")).status, 422);
});

test("deep JSON and names of prototypes change nothing", async () => {
  const { ask, client } = serve();
  const deep = `{"metadata":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
  const { status } = await ask("POST", "/threads", deep);
  assert.equal(status, 422);
  const evil = '{"thread_id":"p","metadata":{"__proto__":{"admin":true},"constructor":{"x":1}}}';
  await ask("POST", "/threads", evil);
  assert.equal({}.admin, undefined);
  assert.equal((await client.threads.get("p")).metadata.admin, undefined);
  assert.equal((await client.threads.search({ metadata: { admin: true } })).length, 0);
  for (const id of ["..", ".", "a/b", "__proto__", "constructor", "weft:store", "%00", "ü 漢"]) {
    const made = await client.threads.create({ threadId: id });
    assert.equal(made.thread_id, id);
    await client.runs.wait(encodeURIComponent(id), "agent", { input: say("x") }).catch(() => {});
  }
  const names = await client.threads.search({ limit: 100 });
  assert.ok(names.some(({ thread_id }) => thread_id === "__proto__"));
});

test("a client's config does not reach the keys of the engine, nor another thread", async () => {
  const { client } = serve();
  await client.threads.create({ threadId: "mine" });
  await client.threads.create({ threadId: "yours" });
  await client.runs.wait("mine", "agent", {
    input: say("x"),
    config: {
      configurable: {
        thread_id: "yours",
        __pregel_read: 1,
        __pregel_checkpointer: {},
        checkpoint_id: "x",
      },
    },
  });
  assert.deepEqual((await client.threads.getState("yours")).values, {});
  assert.equal((await client.threads.getState("mine")).values.messages.length, 2);
});

test("with authenticate everything belongs to who made it, and is 404 for everybody else", async () => {
  const server = createServer({
    graphs: { agent: makeAgent() },
    store: new InMemoryStore(),
    registry: new InMemoryStore(),
    authenticate: (request) => request.headers.get("x-user") ?? undefined,
  });
  const as = (user) => async (method, path, body) => {
    const response = await server.fetch(`http://weft.local${path}`, {
      method,
      headers: user === undefined ? {} : { "x-user": user },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  };
  const [ann, bob, nobody] = [as("ann"), as("bob"), as(undefined)];
  assert.equal((await nobody("GET", "/threads/x")).status, 401);
  await ann("POST", "/threads", { thread_id: "a" });
  const { body: run } = await ann("POST", "/threads/a/runs", {
    assistant_id: "agent",
    input: say("x"),
  });
  const { body: assistant } = await ann("POST", "/assistants", {
    graph_id: "agent",
    name: "Ann's",
  });
  await ann("PUT", "/store/items", { namespace: ["n"], key: "k", value: { a: 1 } });
  for (const [method, path, body] of [
    ["GET", "/threads/a"],
    ["PATCH", "/threads/a", { metadata: {} }],
    ["DELETE", "/threads/a"],
    ["GET", "/threads/a/state"],
    ["POST", "/threads/a/state", { values: {} }],
    ["POST", "/threads/a/history", {}],
    ["POST", "/threads/a/copy"],
    ["POST", "/threads/a/runs", { assistant_id: "agent" }],
    ["POST", "/threads", { thread_id: "a" }],
    ["GET", `/threads/a/runs/${run.run_id}`],
    ["GET", `/threads/a/runs/${run.run_id}/stream`],
    ["GET", `/runs/${run.run_id}/stream`],
    ["POST", `/runs/${run.run_id}/cancel`],
    ["GET", `/assistants/${assistant.assistant_id}`],
    ["POST", "/runs/wait", { assistant_id: assistant.assistant_id, input: say("x") }],
  ])
    assert.equal((await bob(method, path, body)).status, 404, `${method} ${path}`);
  assert.deepEqual((await bob("POST", "/threads/search", {})).body, []);
  assert.equal((await bob("POST", "/threads/prune", { thread_ids: ["a"] })).body.pruned_count, 0);
  assert.equal((await bob("GET", "/store/items?namespace=n&key=k")).body, null);
  assert.deepEqual(
    (await bob("POST", "/store/items/search", { namespace_prefix: [] })).body.items,
    [],
  );
  assert.deepEqual((await ann("GET", "/store/items?namespace=n&key=k")).body.value, { a: 1 });
  assert.equal((await ann("GET", "/threads/a")).status, 200);
  assert.equal((await ann("GET", "/threads/a")).body.owner, undefined);
});

test("who is let in without a name shares everything with others who have none", async () => {
  const registry = new InMemoryStore();
  const graphs = { agent: makeAgent() };
  const locked = createServer({
    graphs,
    registry,
    authenticate: ({ headers }) => headers.get("x-api-key") === "right",
  });
  const make = (headers) =>
    locked.fetch("http://weft.local/threads", {
      method: "POST",
      headers,
      body: JSON.stringify({ thread_id: "a" }),
    });
  assert.equal((await make({})).status, 401);
  assert.equal((await make({ "x-api-key": "wrong" })).status, 401);
  assert.equal((await make({ "x-api-key": "right" })).status, 200);
  const open = createServer({ graphs, registry });
  assert.equal((await open.fetch("http://weft.local/threads/a")).status, 200);
});

test("a client does not reach the server's records by the store that they are in", async () => {
  const store = new InMemoryStore();
  const { ask } = serve({ store });
  await ask("POST", "/threads", { thread_id: "a" });
  const namespace = ["weft", "server", "threads"];
  assert.ok(await store.get(namespace, "a"));
  const item = { namespace, key: "a", value: {} };
  assert.equal((await ask("PUT", "/store/items", item)).status, 422);
  assert.equal((await ask("DELETE", "/store/items", item)).status, 422);
  const path = "/store/items?namespace=weft.server.threads&key=a";
  assert.equal((await ask("GET", path)).status, 422);
  assert.equal((await ask("POST", "/threads/search", {})).body.length, 1);
});

test("an error of the server shows nothing of its insides", async () => {
  const heard = [];
  const broken = { ...new InMemoryStore() };
  broken.search = async () => {
    throw new Error("password=secret at /srv/db.js");
  };
  const server = createServer({
    graphs: { agent: makeAgent() },
    registry: broken,
    onError: (error) => heard.push(error.message),
  });
  const response = await server.fetch("http://weft.local/threads/x");
  assert.equal(response.status, 500);
  assert.ok(!(await response.text()).includes("secret"));
  assert.equal(heard.length, 1);
});

test("a thread's steps are deleted also where its records cannot be, and once they can, the rest", async () => {
  const store = new InMemoryStore();
  const saver = new MemorySaver();
  const { client, ask } = serve({ saver, store, onError: () => {} });
  await client.threads.create({ threadId: "t" });
  await client.runs.wait("t", "agent", { input: say("hello") });
  const place = { configurable: { thread_id: "t" } };
  assert.ok(await saver.getTuple(place));
  store.delete = async () => {
    throw new Error("full");
  };
  assert.equal((await ask("DELETE", "/threads/t")).status, 500);
  assert.equal(await saver.getTuple(place), undefined);
  delete store.delete;
  assert.equal((await ask("DELETE", "/threads/t")).status, 204);
  assert.equal((await ask("GET", "/threads/t")).status, 404);
});

test("an address that is none, and a webhook that nobody allowed, are refused", async () => {
  const { server, client, ask } = serve();
  assert.equal((await server.fetch("/threads")).status, 400);
  await client.threads.create({ threadId: "t" });
  const body = { assistant_id: "agent", input: say("x"), webhook: "http://169.254.169.254/" };
  const { status, body: said } = await ask("POST", "/threads/t/runs", body);
  assert.equal(status, 422);
  assert.match(said.detail, /createServer\(\{ fetch \}\)/);
  assert.deepEqual(await client.runs.list("t"), []);
});

test("a reader that leaves while it waits leaves no timer behind", async () => {
  const heard = { ms: 1500 };
  const { server } = serve({ graphs: { agent: makeAgent(heard) } });
  const response = await server.fetch("http://weft.local/runs/wait", {
    method: "POST",
    body: JSON.stringify({ assistant_id: "agent", input: say("slow") }),
  });
  await response.body.cancel();
  // A timer that wrote to the closed stream would end the process.
  await pause(1200);
  await server.close();
});

test("pages of other origins may ask, all, none or those that are named", async () => {
  const ask = async (cors) => {
    const { server } = serve({ cors });
    const headers = {
      origin: "https://app.example",
      "access-control-request-headers": "x-api-key",
    };
    const before = await server.fetch("http://weft.local/threads", { method: "OPTIONS", headers });
    const after = await server.fetch("http://weft.local/ok", { headers });
    return [
      before.headers.get("access-control-allow-origin"),
      after.headers.get("access-control-allow-origin"),
    ];
  };
  assert.deepEqual(await ask(true), ["*", "*"]);
  assert.deepEqual(await ask(false), [null, null]);
  assert.deepEqual(await ask(["https://app.example"]), [
    "https://app.example",
    "https://app.example",
  ]);
  assert.deepEqual(await ask(["https://other.example"]), [null, null]);
});

test("a reader that never reads costs as many events as are kept", async () => {
  const { server, client } = serve({ bufferLimit: 10 });
  const { thread_id } = await client.threads.create();
  const response = await server.fetch(`http://weft.local/threads/${thread_id}/runs/stream`, {
    method: "POST",
    body: JSON.stringify({
      assistant_id: "agent",
      input: say("word ".repeat(500)),
      stream_mode: "custom",
    }),
  });
  const [run] = await client.runs.list(thread_id);
  await client.runs.join(thread_id, run.run_id);
  const text = await response.text();
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  assert.ok(ids.length <= 20);
  assert.equal(ids.at(-1), 503);
});

test("a server that is restarted has its threads; a run that was under way is told as such", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-server-"));
  try {
    const open = () => {
      const saver = new FileSaver({ path });
      const store = new SaverStore(saver);
      return serve({ graphs: { agent: makeAgent() }, saver, registry: store });
    };
    const first = open();
    await first.client.threads.create({ threadId: "t", metadata: { a: 1 } });
    await first.client.runs.wait("t", "agent", { input: say("ask") });
    await first.client.threads.create({ threadId: "busy" });
    await first.client.runs.create("busy", "agent", { input: say("slow") });
    await pause(50);
    // Nobody closes it: what follows is another process's view.
    const second = open();
    const thread = await second.client.threads.get("t");
    assert.equal(thread.status, "interrupted");
    assert.deepEqual(thread.metadata.a, 1);
    const [[question]] = Object.values(thread.interrupts);
    const result = await second.client.runs.wait("t", "agent", {
      command: { resume: { [question.id]: "late" } },
    });
    assert.equal(result.messages.at(-1).content, "late");
    const busy = await second.client.threads.get("busy");
    assert.equal(busy.status, "interrupted");
    const [run] = await second.client.runs.list("busy");
    assert.equal(run.status, "interrupted");
    assert.deepEqual(
      (await listOf(second.client.runs.joinStream("busy", run.run_id))).map(({ event }) => event),
      ["metadata"],
    );
    await first.server.close();
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});

test("streams that nobody reads hold no timers", async (t) => {
  const { server } = serve();
  const begun = t.mock.method(globalThis, "setInterval");
  const streams = [];
  for (let count = 0; count < 20; count++)
    streams.push(
      await server.fetch(`http://weft.local/threads/t${count}/stream/events`, {
        method: "POST",
        body: "{}",
      }),
    );
  assert.equal(begun.mock.callCount(), 0);
  for (const { body } of streams) await body.cancel();
});
