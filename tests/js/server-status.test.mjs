// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: what a thread's and a run's status says is stored, and no status
// says that a thread waits while the server refuses its next run. A run that is accepted and waits
// outlives its server, and no run begins twice.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Annotation, InMemoryStore, MemorySaver, START, StateGraph } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { SaverStore } from "weftgraph/stores/saver";
import { listOf, makeAgent, pause, say, serve } from "./server-graphs.mjs";

/** A store that tells of each record before it has it, and waits then. */
class SlowStore extends InMemoryStore {
  async batch(operations) {
    const writes = operations.filter(({ value }) => value?.thread_id === "t");
    for (const { value } of writes) await this.onWrite?.(value);
    return super.batch(operations);
  }
}

for (const [text, status] of [
  ["hello", "idle"],
  ["ask", "interrupted"],
])
  test(`a thread that says it is ${status} takes the next run, and is stored so`, async () => {
    const store = new SlowStore();
    const { client } = serve({ store });
    await client.threads.create({ threadId: "t" });
    const first = await client.runs.create("t", "agent", { input: say(text) });
    const attempts = [];
    const written = [];
    let isOver = false;
    store.onWrite = async (value) => {
      written.push(value.status);
      if (isOver) return;
      const [thread, run] = await Promise.all([
        client.threads.get("t"),
        client.runs.get("t", first.run_id),
      ]);
      if (thread.status === "busy" && run.status === "running") return;
      isOver = true;
      attempts.push(client.runs.create("t", "agent", { input: say("next") }));
      await pause(20);
    };
    await client.runs.join("t", first.run_id);
    assert.equal((await client.threads.get("t")).status, status);
    assert.equal((await client.runs.get("t", first.run_id)).status, "success");
    // What is read was written before.
    assert.deepEqual(written.slice(-2), ["success", status]);
    isOver = true;
    attempts.push(client.runs.create("t", "agent", { input: say("next") }));
    const [{ run_id }] = await Promise.all(attempts);
    assert.equal(attempts.length, 1);
    await client.runs.join("t", run_id);
  });

test("a thread whose question waits behind other runs is busy until they are over", async () => {
  const heard = {};
  const { client } = serve({ graphs: { agent: makeAgent(heard) } });
  await client.threads.create({ threadId: "t" });
  const started = new Promise((resolve) => (heard.started = resolve));
  const asking = await client.runs.create("t", "agent", { input: say("ask") });
  const slow = { input: say("slow"), multitaskStrategy: "enqueue" };
  const waiting = await client.runs.create("t", "agent", { ...slow, afterSeconds: 1 });
  await client.runs.join("t", asking.run_id);
  const thread = await client.threads.get("t");
  assert.equal(thread.status, "busy");
  assert.equal(Object.keys(thread.interrupts).length, 1);
  await assert.rejects(client.runs.create("t", "agent", { input: say("hello") }), /422/);
  await started;
  await client.runs.cancel("t", waiting.run_id, true);
  assert.notEqual((await client.threads.get("t")).status, "busy");
});

test("a run that begins while a state is written leaves its thread busy", async () => {
  const agent = makeAgent();
  const { client } = serve({ graphs: { agent } });
  await client.threads.create({ threadId: "t" });
  const { getState } = agent;
  let begun;
  agent.getState = async (...args) => {
    const state = await getState.apply(agent, args);
    begun ??= client.runs.create("t", "agent", { input: say("slow") });
    await pause(20);
    return state;
  };
  await client.threads.updateState("t", { values: say("hello"), asNode: "first" });
  const { run_id } = await begun;
  assert.equal((await client.threads.get("t")).status, "busy");
  await client.runs.cancel("t", run_id, true);
});

test("a thread whose graph cannot be made or read is listed without its values, and can be deleted", async () => {
  const told = [];
  const broken = () => {
    throw new Error("there is no key");
  };
  const damaged = makeAgent();
  const saver = new MemorySaver();
  const store = new InMemoryStore();
  const onError = (error) => void told.push(error.message);
  const graphs = { agent: makeAgent(), broken, damaged };
  const { client } = serve({ graphs, saver, store, onError });
  for (const threadId of Object.keys(graphs)) {
    await client.threads.create({ threadId, graphId: threadId });
    await client.runs
      .wait(threadId, threadId, { input: say("hello"), raiseError: false })
      .catch(() => {});
  }
  damaged.getState = async () => broken();
  const found = await client.threads.search({ sortBy: "created_at", sortOrder: "asc" });
  assert.deepEqual(
    found.map(({ thread_id, status, values }) => [thread_id, status, values?.messages.length]),
    [
      ["agent", "idle", 2],
      ["broken", "error", undefined],
      ["damaged", "idle", undefined],
    ],
  );
  const { error } = await client.threads.get("broken");
  assert.equal(error.message, "there is no key");
  assert.equal((await client.threads.search({ values: { log: [] } })).length, 1);
  assert.ok(told.every((message) => message === "there is no key"));
  // What the end of the run is has been stored.
  const { client: next } = serve({ graphs, saver, store, onError });
  assert.equal((await next.threads.get("broken")).error.message, "there is no key");
  assert.deepEqual(
    (await next.runs.list("broken")).map(({ status }) => status),
    ["error"],
  );
  await assert.rejects(client.threads.getState("broken"), /500/);
  for (const threadId of ["broken", "damaged"]) await client.threads.delete(threadId);
  assert.equal((await client.threads.search()).length, 1);
});

test("a thread of a graph that is served no more is deleted with its checkpoints", async () => {
  const saver = new MemorySaver();
  const store = new InMemoryStore();
  const before = serve({ graphs: { old: makeAgent(), agent: makeAgent() }, saver, store });
  await before.client.threads.create({ threadId: "t" });
  await before.client.runs.wait("t", "old", { input: say("hello") });
  const kept = () => saver.getTuple({ configurable: { thread_id: "t" } });
  assert.notEqual(await kept(), undefined);
  const { client } = serve({ graphs: { agent: makeAgent(), other: makeAgent() }, saver, store });
  await client.threads.delete("t");
  assert.equal(await kept(), undefined);
});

/** Servers whose threads are in files, and copies of those: what a server leaves that is killed. */
function inFiles(t) {
  const top = mkdtempSync(join(tmpdir(), "weft-server-"));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  let count = 0;
  let path = join(top, "0");
  const open = (heard = { ms: 0 }, options = {}) => {
    const saver = new FileSaver({ path });
    const store = new SaverStore(saver);
    return { store, ...serve({ graphs: { agent: makeAgent(heard) }, saver, store, ...options }) };
  };
  const kill = () => cpSync(path, (path = join(top, `${++count}`)), { recursive: true });
  return { open, kill };
}

const enqueued = (text, more) => ({
  input: say(text),
  multitaskStrategy: "enqueue",
  ifNotExists: "create",
  ...more,
});

/** What a thread's runs have come to, the oldest first. */
const fates = async (client) =>
  (await client.runs.list("t"))
    .reverse()
    .map(({ kwargs, status }) => `${kwargs.input?.messages[0].content}: ${status}`);

const asked = (messages) =>
  messages.filter(({ type }) => type === "human").map(({ content }) => content);

test("runs that wait when their server is killed begin at the next one, in their order, each once", async (t) => {
  const { open, kill } = inFiles(t);
  const heard = {};
  const started = new Promise((resolve) => (heard.started = resolve));
  const first = open(heard);
  await first.client.runs.create("t", "agent", enqueued("slow"));
  await started;
  const texts = Array.from({ length: 8 }, (_, at) => `${at}`);
  for (const text of texts) await first.client.runs.create("t", "agent", enqueued(text));
  await first.client.runs.create("t", "agent", enqueued("later", { afterSeconds: 1 }));
  kill();
  const { client, server } = open();
  const before = await fates(client);
  assert.equal(before[0], "slow: interrupted");
  assert.equal(before.at(-1), "later: pending");
  assert.equal((await client.threads.get("t")).status, "busy");
  const [later] = await client.runs.list("t");
  const { messages } = await client.runs.join("t", later.run_id);
  assert.deepEqual(asked(messages), ["slow", ...texts, "later"]);
  assert.ok(Date.now() - Date.parse(later.created_at) >= 1000);
  assert.deepEqual(await fates(client), [
    "slow: interrupted",
    ...[...texts, "later"].map((text) => `${text}: success`),
  ]);
  assert.equal((await client.threads.get("t")).status, "idle");
  // A third one finds nothing to do.
  await server.close();
  const third = open();
  assert.deepEqual(await fates(third.client), await fates(client));
  assert.deepEqual(asked((await third.client.threads.getState("t")).values.messages), [
    "slow",
    ...texts,
    "later",
  ]);
  await first.server.close();
});

test("a server that is closed leaves what waits to the next one, and ends its streams", async (t) => {
  const { open } = inFiles(t);
  const heard = {};
  const started = new Promise((resolve) => (heard.started = resolve));
  const first = open(heard, { endEvent: true });
  await first.client.runs.create("t", "agent", enqueued("slow"));
  await started;
  const stream = listOf(first.client.runs.stream("t", "agent", enqueued("streamed")));
  const waited = first.client.runs.wait("t", "agent", enqueued("waited"));
  const lost = first.client.runs.stream("t", "agent", enqueued("x", { onDisconnect: "cancel" }));
  const gone = listOf(lost);
  while ((await first.client.runs.list("t")).length < 4) await pause(1);
  await first.server.close();
  assert.deepEqual(
    (await stream).map(({ event, data }) => [event, data.status]),
    [["end", "pending"]],
  );
  assert.deepEqual(await waited, {});
  assert.deepEqual((await gone).at(-1).data.status, "interrupted");
  const { client } = open();
  assert.deepEqual((await fates(client)).slice(0, 2), ["slow: interrupted", "streamed: running"]);
  const runs = await client.runs.list("t");
  await client.runs.join("t", runs[1].run_id);
  assert.deepEqual(await fates(client), [
    "slow: interrupted",
    "streamed: success",
    "waited: success",
    "x: interrupted",
  ]);
  const { values } = await client.threads.getState("t");
  assert.deepEqual(asked(values.messages), ["slow", "streamed", "waited"]);
});

test("a run that begins at the next server is its user's, with what it was asked with", async (t) => {
  const { open, kill } = inFiles(t);
  const State = Annotation.Root({ seen: Annotation() });
  const heard = [];
  const options = (names) => ({
    graphs: Object.fromEntries(
      names.map((name) => [
        name,
        new StateGraph(State)
          .addNode("look", (_, { configurable, context }) => ({
            seen: [configurable.langgraph_auth_user_id, configurable.tone, context.pages],
          }))
          .addEdge(START, "look")
          .compile(),
      ]),
    ),
    authenticate: (request) => request.headers.get("who"),
    onError: (error, run) => heard.push([error.message, run?.run_id]),
  });
  const as = (who) => ({ who });
  const run = (name) => ({
    assistant_id: name,
    if_not_exists: "create",
    input: { seen: [] },
    config: { configurable: { tone: "dry" } },
    context: { pages: 2 },
    after_seconds: 1,
  });
  const first = open(undefined, options(["one", "two"]));
  await first.ask("POST", "/threads/t/runs", run("one"), as("anna"));
  const { body: lost } = await first.ask("POST", "/threads/u/runs", run("two"), as("anna"));
  kill();
  const { ask } = open(undefined, options(["one"]));
  const { body: runs } = await ask("GET", "/threads/t/runs", undefined, as("anna"));
  assert.equal((await ask("GET", "/threads/t/runs", undefined, as("bert"))).status, 404);
  assert.equal(runs[0].status, "pending");
  assert.deepEqual(
    Object.keys(runs[0]).filter((key) => /^(how|owner|after|upto)$/.test(key)),
    [],
  );
  await ask("GET", `/threads/t/runs/${runs[0].run_id}/join`, undefined, as("anna"));
  const { body: state } = await ask("GET", "/threads/t/state", undefined, as("anna"));
  assert.deepEqual(state.values.seen, ["anna", "dry", 2]);
  // A graph that is served no more runs nothing: that is told.
  const { body: told } = await ask("GET", "/threads/u/runs", undefined, as("anna"));
  assert.deepEqual([told[0].run_id, told[0].status], [lost.run_id, "interrupted"]);
  assert.deepEqual(heard, [[heard[0]?.[0], lost.run_id]]);
  assert.match(heard[0][0], /No assistant found/);
  await first.server.close();
});

test("a run that a newer one was to end does not begin at the next server", async (t) => {
  const { open, kill } = inFiles(t);
  const first = open();
  const registry = ["weft", "server", "runs"];
  const run = await first.client.runs.create("t", "agent", enqueued("older", { afterSeconds: 60 }));
  const older = await first.store.get(registry, run.run_id);
  // Its end is on the way to the store when the server dies.
  const newer = enqueued("newer", { multitaskStrategy: "interrupt", afterSeconds: 1 });
  const { run_id } = await first.client.runs.create("t", "agent", newer);
  await first.client.runs.join("t", run.run_id);
  await first.store.put(registry, run.run_id, older.value);
  kill();
  const { client } = open();
  await client.runs.join("t", run_id);
  assert.deepEqual(await fates(client), ["older: interrupted", "newer: success"]);
  await first.server.close();
});

test("where nothing is kept a closed server leaves no run waiting", async () => {
  const { server, client } = serve();
  const run = await client.runs.create("t", "agent", enqueued("later", { afterSeconds: 60 }));
  await server.close();
  assert.equal((await client.runs.get("t", run.run_id)).status, "interrupted");
});

test("each checkpoint is under the run that made it, also behind runs whose servers were killed", async (t) => {
  const { open, kill } = inFiles(t);
  const expected = [];
  const cut = async (text) => {
    const heard = {};
    const started = new Promise((resolve) => (heard.started = resolve));
    const { client, server } = open(heard);
    const { run_id } = await client.runs.create("t", "agent", enqueued(text));
    await started;
    const { length } = await client.threads.getHistory("t", { limit: 100 });
    while (expected.length < length) expected.push(run_id);
    kill();
    await server.close();
  };
  const whole = async (client, input) => {
    const { run_id } = await client.runs.create("t", "agent", { input });
    await client.runs.join("t", run_id);
    const { length } = await client.threads.getHistory("t", { limit: 100 });
    while (expected.length < length) expected.push(run_id);
  };
  const told = async (client) =>
    (await client.threads.getHistory("t", { limit: 100 }))
      .reverse()
      .map(({ metadata }) => metadata.run_id);
  await cut("slow");
  const second = open();
  await second.client.threads.updateState("t", { values: { log: ["mine"] } });
  expected.push(undefined);
  await whole(second.client, say("two"));
  await second.server.close();
  await cut("slow");
  const third = open();
  assert.deepEqual(await told(third.client), expected);
  await whole(third.client, null);
  await whole(third.client, say("three"));
  assert.deepEqual(await told(third.client), expected);
  await third.server.close();
  assert.deepEqual(await told(open().client), expected);
});
