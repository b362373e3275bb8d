// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: a thread's stream gives its runs one behind the other, to the SDK's
// client.threads.joinStream and to who comes back after any event.
import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryStore } from "weftgraph";
import { createServer } from "weftgraph/server";
import { URL_OF_SERVER, makeAgent, pause, say, serve } from "./server-graphs.mjs";

const STREAM = "/threads/t/stream";

/** What is read of a thread's stream, which does not end by itself. */
class Reader {
  events = [];
  #controller = new AbortController();

  constructor(server, query = "", lastId, headers = {}) {
    this.end = this.#read(server, query, {
      ...headers,
      ...(lastId === undefined ? {} : { "last-event-id": lastId }),
    });
    this.end.catch(() => {});
  }

  async #read(server, query, headers) {
    const { signal } = this.#controller;
    const response = await server.fetch(`${URL_OF_SERVER}${STREAM}${query}`, { headers, signal });
    this.status = response.status;
    this.location = response.headers.get("location");
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const frames = text.split("\n\n");
      text = frames.pop();
      for (const frame of frames.filter((one) => !one.startsWith(":"))) {
        const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1];
        this.events.push({
          id: field("id"),
          event: field("event"),
          data: JSON.parse(field("data")),
        });
      }
    }
  }

  async until(condition) {
    const end = Date.now() + 10_000;
    while (!condition(this.events)) {
      assert.ok(Date.now() < end, `only ${this.events.map(({ event }) => event)}`);
      await pause(2);
    }
    return this.events;
  }

  leave() {
    this.#controller.abort();
  }
}

const endsOf = (events) => events.filter(({ data }) => data.status === "run_done").length;
const idsOf = (events) => events.map(({ id }) => id);

test("the SDK's joinStream gives runs as they come, each with its start, its events and its end", async () => {
  const { client } = serve();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("before") });
  const controller = new AbortController();
  const stream = client.threads.joinStream(thread_id, { signal: controller.signal });
  const first = stream.next();
  await pause(20);
  const runs = [];
  for (const word of ["one", "two"]) {
    const input = say(word);
    const run = await client.runs.create(thread_id, "agent", { input, streamMode: "updates" });
    runs.push(run.run_id);
    await client.runs.join(thread_id, run.run_id);
  }
  const events = [(await first).value];
  while (endsOf(events) < 2) events.push((await stream.next()).value);
  controller.abort();
  const shown = events.map(({ event, data }) =>
    event === "metadata" ? [data.status ?? "run_start", data.run_id] : event,
  );
  const updates = ["updates", "updates"];
  assert.deepEqual(shown, [
    ["run_start", runs[0]],
    ...updates,
    ["run_done", runs[0]],
    ["run_start", runs[1]],
    ...updates,
    ["run_done", runs[1]],
  ]);
  assert.equal(new Set(idsOf(events)).size, events.length);
});

test("who joins while a run is at work gets it from its start; -1 gives the runs before it, too", async () => {
  const { server, client } = serve({ graphs: { agent: makeAgent({ ms: 100 }) } });
  await client.threads.create({ threadId: "t" });
  await client.runs.wait("t", "agent", { input: say("old") });
  const run = await client.runs.create("t", "agent", { input: say("slow") });
  await pause(30);
  const [now, all] = [new Reader(server), new Reader(server, "", "-1")];
  await now.until((events) => endsOf(events) === 1);
  await all.until((events) => endsOf(events) === 2);
  assert.deepEqual(now.events[0].data, { run_id: run.run_id, attempt: 1 });
  assert.deepEqual(all.events.slice(-now.events.length), now.events);
  assert.equal(all.events[0].event, "metadata");
  now.leave();
  all.leave();
});

test("modes: starts and ends alone, or states, also those that a client writes", async () => {
  const { server, client } = serve();
  await client.threads.create({ threadId: "t" });
  const lives = new Reader(server, "?stream_mode=lifecycle");
  const states = new Reader(server, "?stream_mode=state_update");
  const both = new Reader(server, "?stream_mode=run_modes,state_update&stream_mode=newest");
  await pause(20);
  await client.runs.wait("t", "agent", { input: say("hi") });
  await client.runs.wait("t", "agent", { input: say("fail") }).catch(() => {});
  await client.threads.updateState("t", { values: { log: ["mine"] }, asNode: "answer" });
  await states.until((events) => events.at(-1)?.data.state.values.log.at(-1) === "mine");
  await lives.until((events) => endsOf(events) === 2);
  assert.deepEqual(
    lives.events.map(({ event, data }) => [event, data.run_status]),
    [undefined, "success", undefined, "error"].map((status) => ["metadata", status]),
  );
  assert.ok(states.events.every(({ event, data }) => event === "state_update" && data.thread_id));
  await both.until((events) => events.some(({ event }) => event === "error"));
  const names = new Set(both.events.map(({ event }) => event));
  assert.deepEqual([...names].sort(), ["error", "metadata", "state_update", "values"]);
  assert.equal(lives.location, `${STREAM}?stream_mode=lifecycle`);
  for (const reader of [lives, states, both]) reader.leave();
});

test("who comes back after any event gets what came since, each event once", async () => {
  const { server, client } = serve();
  await client.threads.create({ threadId: "t" });
  const query = "?stream_mode=run_modes&stream_mode=state_update";
  const whole = new Reader(server, query);
  await pause(20);
  for (const word of ["one", "two", "three"])
    await client.runs.wait("t", "agent", { input: say(word), streamMode: ["updates", "custom"] });
  await whole.until((events) => endsOf(events) === 3);
  const expected = idsOf(whole.events);
  for (const isAlone of [false, true]) {
    // Without a reader the thread's events are joined anew.
    if (isAlone) whole.leave();
    await pause(20);
    for (const [at, id] of expected.entries()) {
      const again = new Reader(server, "", id);
      const rest = whole.events.slice(at + 1).filter(({ event }) => event !== "state_update");
      await again.until((events) => events.length >= rest.length);
      await pause(2);
      assert.deepEqual(idsOf(again.events), idsOf(rest));
      again.leave();
    }
  }
  const state = new Reader(server, "?stream_mode=state_update", expected[0]);
  await state.until((events) => events.length === 1);
  assert.equal(state.events[0].data.state.values.log.at(-1), "three");
  state.leave();
});

test("over 500 cuts at random every reader has read the thread's runs, each event once", async () => {
  const { server, client } = serve();
  await client.threads.create({ threadId: "t" });
  const whole = new Reader(server);
  await pause(10);
  const runs = 30;
  const isOver = (events) => endsOf(events) === runs;
  let cuts = 0;
  const read = async () => {
    const events = [];
    while (!isOver(events)) {
      const reader = new Reader(server, "", events.at(-1)?.id ?? "-1");
      const most = 1 + Math.floor(Math.random() * 8);
      await reader.until((some) => some.length >= most || isOver([...events, ...some]));
      reader.leave();
      // What came behind the cut is lost.
      events.push(...reader.events.slice(0, most));
      cuts++;
    }
    return idsOf(events);
  };
  const reading = Array.from({ length: 20 }, read);
  for (let at = 0; at < runs; at++) {
    const input = say(`run ${at}`);
    await client.runs.wait("t", "agent", { input, streamMode: ["updates", "custom", "values"] });
    if (at % 7 === 0) await pause(5);
  }
  await whole.until(isOver);
  for (const ids of await Promise.all(reading)) assert.deepEqual(ids, idsOf(whole.events));
  assert.ok(cuts >= 500, `${cuts} cuts`);
  whole.leave();
});

test("the SDK comes back by itself after a cut connection, in its modes", async () => {
  const { server, client } = serve();
  const { thread_id } = await client.threads.create();
  const asked = [];
  let cut;
  const fetch = async (url, init) => {
    if (!url.includes("/stream")) return server.fetch(url, init);
    const headers = new Headers(init?.headers);
    asked.push([new URL(url, URL_OF_SERVER).search, headers.get("last-event-id")]);
    const response = await server.fetch(new URL(url, URL_OF_SERVER), init);
    const { readable, writable } = new TransformStream();
    const controller = new AbortController();
    cut = () => controller.abort(new TypeError("network error"));
    response.body.pipeTo(writable, { signal: controller.signal }).catch(() => {});
    return new Response(readable, response);
  };
  const { Client } = await import("@langchain/langgraph-sdk");
  const other = new Client({ apiUrl: URL_OF_SERVER, callerOptions: { fetch, maxRetries: 0 } });
  const controller = new AbortController();
  const events = [];
  const reading = (async () => {
    const options = { streamMode: "lifecycle", signal: controller.signal };
    for await (const event of other.threads.joinStream(thread_id, options)) {
      events.push(event);
      if (events.length === 2) cut();
      if (events.length === 4) return;
    }
  })();
  await pause(30);
  await client.runs.wait(thread_id, "agent", { input: say("one") });
  await client.runs.wait(thread_id, "agent", { input: say("two") });
  await reading;
  assert.equal(endsOf(events), 2);
  assert.equal(new Set(idsOf(events)).size, 4);
  assert.deepEqual(asked[1], ["?stream_mode=lifecycle", events[1].id]);
});

test("a thread that is deleted, and a server that is closed, end their streams", async () => {
  const { server, client } = serve();
  await client.threads.create({ threadId: "t" });
  const one = new Reader(server);
  await pause(10);
  await client.threads.delete("t");
  await one.end;
  await client.threads.create({ threadId: "t" });
  const two = new Reader(server);
  await pause(10);
  await server.close();
  await two.end;
});

test("what is no id of an event, and a thread that is not the user's, are refused", async () => {
  const server = createServer({
    graphs: { agent: makeAgent() },
    registry: new InMemoryStore(),
    authenticate: (request) => request.headers.get("x-user"),
  });
  const as = (user, method, path, headers = {}, body = undefined) =>
    server.fetch(`${URL_OF_SERVER}${path}`, {
      method,
      headers: { ...headers, "x-user": user },
      body,
    });
  assert.equal((await as("ann", "GET", STREAM)).status, 404);
  await as("ann", "POST", "/threads", {}, JSON.stringify({ thread_id: "t" }));
  assert.equal((await as("bob", "GET", STREAM)).status, 404);
  for (const id of ["x", "1", "-2", "a:b", "a+1:1", ":", `${"9".repeat(5000)}`, "a:1\u00e9"])
    assert.equal((await as("ann", "GET", STREAM, { "last-event-id": id })).status, 422, id);
  for (const id of ["-1", ":0", "none:7", `a:${"9".repeat(500)}`, "__proto__:1", "~:1+x"]) {
    const { status, body } = await as("ann", "GET", STREAM, { "last-event-id": id });
    assert.equal(status, 200, id);
    await body.cancel();
  }
  // As older clients write a list; and what is none.
  const listed = await as(
    "ann",
    "GET",
    `${STREAM}?stream_mode=${encodeURIComponent('["lifecycle"]')}`,
  );
  assert.equal(listed.headers.get("location"), `${STREAM}?stream_mode=lifecycle`);
  await listed.body.cancel();
  for (const modes of ["[", "[1]", `${"[".repeat(300)}`, '[["lifecycle"]]'])
    assert.equal(
      (await as("ann", "GET", `${STREAM}?stream_mode=${encodeURIComponent(modes)}`)).status,
      422,
    );
  const odd = await as("ann", "GET", `${STREAM}?stream_mode=constructor&stream_mode=__proto__`);
  assert.equal(odd.headers.get("location"), `${STREAM}?stream_mode=run_modes`);
  await odd.body.cancel();
});

test("1,000 readers of a thread get every event; those that never read hold nothing up", async () => {
  const { server, client } = serve({ bufferLimit: 100 });
  await client.threads.create({ threadId: "t" });
  const idle = [];
  for (let at = 0; at < 500; at++) idle.push(await server.fetch(`${URL_OF_SERVER}${STREAM}`));
  const readers = Array.from({ length: 500 }, () => new Reader(server));
  await pause(50);
  for (let at = 0; at < 3; at++)
    await client.runs.wait("t", "agent", { input: say(`w${at}`), streamMode: "updates" });
  for (const reader of readers) await reader.until((events) => endsOf(events) === 3);
  assert.ok(readers.every(({ events }) => events.length === readers[0].events.length));
  for (const reader of readers) reader.leave();
  await Promise.all(idle.map(({ body }) => body.cancel()));
});
