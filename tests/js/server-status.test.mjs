// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: what a thread's and a run's status says is stored, and no status
// says that a thread waits while the server refuses its next run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryStore, MemorySaver } from "weftgraph";
import { makeAgent, pause, say, serve } from "./server-graphs.mjs";

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
