// SPDX-License-Identifier: MIT
// Serves: what RemoteGraph promises whoever answers: an id leads to no other address, what changes
// a thread is sent once, waiting ends.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { RemoteGraph } from "weftgraph/remote";

const asked = [];
let status = 200;
let server;
let url;

before(async () => {
  server = createServer(({ url: path }, response) => {
    asked.push(path);
    response.writeHead(status, { "content-type": "text/event-stream" });
    response.end('event: values\ndata: {"a":1}\n\n');
  });
  await new Promise((resolve) => server.listen(0, resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

const askedBy = async (call) => {
  asked.length = 0;
  await call();
  return asked.splice(0);
};
const thread = (thread_id) => ({ configurable: { thread_id } });

test("an id with slashes, dots or a query is one part of the address", async () => {
  const graph = new RemoteGraph({ graphId: "w/../z", url });
  assert.deepEqual(await askedBy(() => graph.invoke({}, thread("../assistants/x?a#b"))), [
    "/threads/..%2Fassistants%2Fx%3Fa%23b/runs/stream",
  ]);
  assert.deepEqual(await askedBy(() => graph.invoke({}, thread("a b"))), [
    "/threads/a%20b/runs/stream",
  ]);
  assert.deepEqual(await askedBy(() => assert.rejects(graph.getGraphAsync())), [
    "/assistants/w%2F..%2Fz/graph",
  ]);
  for (const id of [".", ".."])
    assert.deepEqual(
      await askedBy(() => assert.rejects(graph.invoke({}, thread(id)), /Invalid path segment/)),
      [],
    );
});

test("an abort ends the wait for the next attempt", { timeout: 60_000 }, async (context) => {
  const breaking = createServer((_, response) => {
    response
      .writeHead(200, { "content-type": "text/event-stream", location: "/threads/t/runs/r/stream" })
      .write('id: 1\nevent: values\ndata: {"a":1}\n\n', () => response.destroy());
  });
  await new Promise((resolve) => breaking.listen(0, resolve));
  // The client's own timers never ring.
  const { setTimeout } = globalThis;
  let waits = 0;
  context.mock.method(globalThis, "setTimeout", (call, ms, ...rest) =>
    new Error().stack.includes("/js/remote/") ? void waits++ : setTimeout(call, ms, ...rest),
  );
  const controller = new AbortController();
  const run = new RemoteGraph({
    graphId: "agent",
    url: `http://127.0.0.1:${breaking.address().port}`,
  }).invoke({}, { signal: controller.signal });
  while (waits === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort();
  await assert.rejects(run, { name: "AbortError" });
  assert.equal(waits, 1);
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
  breaking.close();
});

test("a stream that breaks off each time after the same event is given up", async (context) => {
  let requests = 0;
  const breaking = createServer((_, response) => {
    requests++;
    response
      .writeHead(200, { "content-type": "text/event-stream", location: "/threads/t/runs/r/stream" })
      .write('id: 1\nevent: values\ndata: {"a":1}\n\n', () =>
        setImmediate(() => response.destroy()),
      );
  });
  await new Promise((resolve) => breaking.listen(0, resolve));
  const { setTimeout } = globalThis;
  context.mock.method(globalThis, "setTimeout", (call, ms, ...rest) =>
    setTimeout(call, ms >= 1000 ? 1 : ms, ...rest),
  );
  const run = new RemoteGraph({
    graphId: "agent",
    url: `http://127.0.0.1:${breaking.address().port}`,
  }).invoke({});
  await assert.rejects(run, { name: "MaxReconnectAttemptsError" });
  assert.equal(requests, 6);
  breaking.close();
});

test("a run that the server refuses is not started a second time; what reads is asked again", async (context) => {
  const { setTimeout } = globalThis;
  context.mock.method(globalThis, "setTimeout", (call, ms, ...rest) =>
    setTimeout(call, ms >= 1000 ? 1 : ms, ...rest),
  );
  const graph = new RemoteGraph({ graphId: "agent", url });
  status = 503;
  assert.equal((await askedBy(() => assert.rejects(graph.invoke({}), { status: 503 }))).length, 1);
  assert.equal(
    (await askedBy(() => assert.rejects(graph.updateState(thread("t"), {}), { status: 503 })))
      .length,
    1,
  );
  assert.equal(
    (await askedBy(() => assert.rejects(graph.getGraphAsync(), { status: 503 }))).length,
    5,
  );
  status = 200;
});

test("a run on a server shows the graphs inside it, each event once", async () => {
  const event = (seq, method, data, namespace = []) =>
    `data: ${JSON.stringify({ type: "event", seq, method, params: { namespace, timestamp: 1, data } })}\n\n`;
  const once = [
    event(1, "values", { a: 0 }),
    event(2, "values", { a: 5 }, ["s:1"]),
    "data: null\n\n",
  ];
  const platform = createServer((request, response) => {
    if (request.url.endsWith("/commands"))
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"type":"success","result":{"run_id":"r"}}');
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end([...once, ...once, event(3, "lifecycle", { event: "completed" })].join(""));
  });
  await new Promise((resolve) => platform.listen(0, resolve));
  const graph = new RemoteGraph({
    graphId: "g",
    url: `http://127.0.0.1:${platform.address().port}`,
  });
  const run = await graph.streamEvents({}, { version: "v3" });
  const found = [];
  for await (const inside of run.subgraphs)
    found.push(inside.name, inside.index, inside.path, await inside.output);
  assert.deepEqual(found, ["s", 1, ["s:1"], { a: 5 }]);
  const numbers = [];
  for await (const { seq } of run) numbers.push(seq);
  assert.deepEqual(numbers, [1, 2, 3]);
  await assert.rejects(
    new RemoteGraph({ graphId: "g", client: {} }).streamEvents({}, { version: "v3" }),
    /does not support `client`/,
  );
  platform.close();
});
