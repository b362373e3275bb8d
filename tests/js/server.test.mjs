// SPDX-License-Identifier: MIT
// The Agent Server as the SDK's client sees it: threads, runs, streams, assistants, the store.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  MemorySaver as PeerSaver,
  InMemoryStore as PeerStore,
} from "@langchain/langgraph-checkpoint";
import { RemoteGraph as PeerRemoteGraph } from "@langchain/langgraph/remote";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  Annotation,
  InMemoryStore,
  MemorySaver,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
  entrypoint,
  interrupt,
} from "weftgraph";
import { createServer } from "weftgraph/server";
import { RemoteGraph } from "weftgraph/remote";
import { FileSaver } from "weftgraph/savers/file";
import { SaverStore } from "weftgraph/stores/saver";
import { listOf, makeAgent, pause, readEvents, say, serve } from "./server-graphs.mjs";

test("creates, finds, changes, counts, copies and deletes threads", async () => {
  const { client } = serve();
  const one = await client.threads.create({ metadata: { team: "a" }, threadId: "one" });
  assert.equal(one.thread_id, "one");
  assert.equal(one.status, "idle");
  assert.deepEqual(one.values, {});
  await assert.rejects(client.threads.create({ threadId: "one" }), { status: 409 });
  const same = await client.threads.create({ threadId: "one", ifExists: "do_nothing" });
  assert.equal(same.created_at, one.created_at);
  await client.threads.create({ metadata: { team: "b" }, threadId: "two" });
  await client.threads.update("one", { metadata: { more: 1 } });
  assert.deepEqual((await client.threads.get("one")).metadata, { team: "a", more: 1 });
  const found = await client.threads.search({ metadata: { team: "a" } });
  assert.deepEqual(
    found.map(({ thread_id }) => thread_id),
    ["one"],
  );
  const all = await client.threads.search({ sortBy: "thread_id", sortOrder: "asc" });
  assert.deepEqual(
    all.map(({ thread_id }) => thread_id),
    ["one", "two"],
  );
  assert.equal(await client.threads.count({ metadata: { team: "b" } }), 1);
  await client.runs.wait("one", "agent", { input: say("hello") });
  const copy = await client.threads.copy("one");
  assert.notEqual(copy.thread_id, "one");
  assert.equal((await client.threads.getState(copy.thread_id)).values.messages.length, 2);
  await client.threads.delete("one");
  await assert.rejects(client.threads.get("one"), { status: 404 });
  assert.equal((await client.threads.getState(copy.thread_id)).values.messages.length, 2);
});

test("pages through ten thousand threads", async (t) => {
  const { client, ask } = serve();
  for (let at = 0; at < 10_000; at++)
    await ask("POST", "/threads", { thread_id: `t${at}`, metadata: { odd: at % 2 === 1 } });
  const began = performance.now();
  const page = await client.threads.search({ metadata: { odd: true }, limit: 10, offset: 100 });
  const ms = performance.now() - began;
  assert.deepEqual(page.map(({ thread_id }) => thread_id).slice(0, 2), ["t9799", "t9797"]);
  const { headers } = await ask("POST", "/threads/search", { metadata: { odd: true }, limit: 10 });
  assert.equal(headers.get("x-pagination-total"), "5000");
  assert.equal(headers.get("x-pagination-next"), "10");
  t.diagnostic(`a page of 10 of 5,000 found among 10,000 threads: ${ms.toFixed(1)} ms`);
});

test("streams a run in the modes that are asked for, metadata first, ids from 0", async () => {
  const { client } = serve();
  const { thread_id } = await client.threads.create();
  const events = await listOf(
    client.runs.stream(thread_id, "agent", {
      input: say("hi"),
      streamMode: ["values", "updates", "messages-tuple", "custom", "tasks"],
    }),
  );
  assert.deepEqual(
    events.map(({ id }) => id),
    events.map((_, at) => String(at)),
  );
  assert.equal(events[0].event, "metadata");
  assert.match(events[0].data.run_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  const names = new Set(events.map(({ event }) => event));
  for (const name of ["values", "updates", "messages", "custom", "tasks"])
    assert.ok(names.has(name));
  const last = events.findLast(({ event }) => event === "values").data;
  assert.deepEqual(last.log, ["first", "hi"]);
  assert.deepEqual(
    last.messages.map(({ type }) => type),
    ["human", "ai"],
  );
  assert.deepEqual((await client.threads.getState(thread_id)).values, last);
  const [metadata] = events.filter(({ event }) => event === "messages").map(({ data }) => data[1]);
  assert.equal(metadata.langgraph_node, "answer");
});

test("shows values alone when no mode is named, and passes over unknown modes", async () => {
  const { client } = serve();
  const values = await listOf(client.runs.stream(null, "agent", { input: say("hi") }));
  assert.deepEqual([...new Set(values.map(({ event }) => event))], ["metadata", "values"]);
  const other = await listOf(
    client.runs.stream(null, "agent", { input: say("hi"), streamMode: ["updates", "newest"] }),
  );
  assert.deepEqual([...new Set(other.map(({ event }) => event))], ["metadata", "updates"]);
});

test("old messages mode: metadata once, then whole messages", async () => {
  const { client } = serve();
  const events = await listOf(
    client.runs.stream(null, "agent", { input: say("hi"), streamMode: ["messages"] }),
  );
  const told = events
    .filter(({ event }) => event === "messages/complete")
    .flatMap(({ data }) => data);
  assert.deepEqual(
    told.map(({ type }) => type),
    ["human", "ai"],
  );
  assert.equal(new Set(told.map(({ id }) => id)).size, 2);
});

test("a question: the thread is interrupted, shows it, and is answered by its id", async () => {
  const { client } = serve();
  const { thread_id } = await client.threads.create();
  const events = await listOf(client.runs.stream(thread_id, "agent", { input: say("ask") }));
  const {
    __interrupt__: [question],
    ...values
  } = events.at(-1).data;
  assert.deepEqual(question.value, { q: "?" });
  assert.equal(values.messages.length, 1);
  const thread = await client.threads.get(thread_id);
  assert.equal(thread.status, "interrupted");
  assert.deepEqual(Object.values(thread.interrupts), [[question]]);
  assert.deepEqual((await client.threads.search({ status: "interrupted" })).length, 1);
  const state = await client.threads.getState(thread_id);
  assert.deepEqual(state.next, ["answer"]);
  assert.deepEqual(state.tasks[0].interrupts, [question]);
  const result = await client.runs.wait(thread_id, "agent", {
    command: { resume: { [question.id]: "yes" } },
  });
  assert.equal(result.messages.at(-1).content, "yes");
  const after = await client.threads.get(thread_id);
  assert.equal(after.status, "idle");
  assert.deepEqual(after.interrupts, {});
});

test("who waits for a run gets the question that it stopped at, and only an open one", async () => {
  const { client } = serve();
  const { thread_id } = await client.threads.create();
  const asked = await client.runs.wait(thread_id, "agent", { input: say("ask") });
  assert.equal(asked.messages.length, 1);
  const [question] = asked.__interrupt__;
  assert.deepEqual(question.value, { q: "?" });
  const [run] = await client.runs.list(thread_id);
  assert.deepEqual(await client.runs.join(thread_id, run.run_id), asked);
  const done = await client.runs.wait(thread_id, "agent", {
    command: { resume: { [question.id]: "yes" } },
  });
  assert.equal("__interrupt__" in done, false);
});

test("an answer to a question that nobody asks fails a strict resume before any node runs", async () => {
  const { client } = serve();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("ask") });
  const unknown = "0".repeat(32);
  const { body } = await serveStrict(client, thread_id, unknown);
  assert.match(body.__error__.error, /UnknownInterruptError/);
  assert.equal((await client.threads.getState(thread_id)).next[0], "answer");
});

/** The SDK has no option for it yet. */
async function serveStrict(client, threadId, id) {
  const body = await client.runs.wait(threadId, "agent", {
    command: { resume: { [id]: "yes" } },
    strictResume: true,
    raiseError: false,
  });
  return { body };
}

test("a node that fails: an error event, status error, and the next run goes on", async () => {
  const { client } = serve();
  const { thread_id } = await client.threads.create();
  const events = await listOf(client.runs.stream(thread_id, "agent", { input: say("fail") }));
  assert.deepEqual(events.at(-1), {
    id: events.at(-1).id,
    event: "error",
    data: { error: "TypeError", message: "the payment service said no" },
  });
  const thread = await client.threads.get(thread_id);
  assert.equal(thread.status, "error");
  assert.deepEqual(thread.error, { error: "TypeError", message: "the payment service said no" });
  const [run] = await client.runs.list(thread_id);
  assert.equal(run.status, "error");
  const state = await client.threads.getState(thread_id);
  assert.match(state.tasks[0].error, /the payment service said no/);
  const result = await client.runs.wait(thread_id, "agent", { input: say("again") });
  assert.equal(result.messages.at(-1).content, "you said again ");
  await assert.rejects(client.runs.wait(null, "agent", { input: say("fail") }), /payment service/);
});

test("onError hears what a run failed with, and which run it was", async () => {
  const heard = [];
  const { client } = serve({
    onError: (error, run) => heard.push([error.message, run]),
  });
  const { thread_id } = await client.threads.create();
  await assert.rejects(client.runs.wait(thread_id, "agent", { input: say("fail") }));
  const [{ run_id, status }] = await client.runs.list(thread_id);
  assert.equal(status, "error");
  assert.deepEqual(heard, [["the payment service said no", { thread_id, run_id }]]);
});

test("history: the newest first, paged, each checkpoint with its run and its parent", async () => {
  const { client } = serve();
  const { thread_id } = await client.threads.create();
  const first = await client.runs.create(thread_id, "agent", { input: say("one") });
  await client.runs.join(thread_id, first.run_id);
  const second = await client.runs.create(thread_id, "agent", { input: say("two") });
  await client.runs.join(thread_id, second.run_id);
  const history = await client.threads.getHistory(thread_id, { limit: 100 });
  assert.equal(history.length, 8);
  assert.deepEqual(
    [...new Set(history.map(({ metadata }) => metadata.run_id))],
    [second.run_id, first.run_id],
  );
  for (const [at, state] of history.entries())
    assert.equal(state.parent_checkpoint?.checkpoint_id, history[at + 1]?.checkpoint.checkpoint_id);
  const page = await client.threads.getHistory(thread_id, {
    limit: 2,
    before: { configurable: { checkpoint_id: history[2].checkpoint.checkpoint_id } },
  });
  assert.deepEqual(
    page.map(({ checkpoint }) => checkpoint),
    [history[3].checkpoint, history[4].checkpoint],
  );
  const fork = await client.runs.wait(thread_id, "agent", {
    input: say("other"),
    checkpoint: history[4].checkpoint,
  });
  assert.deepEqual(
    fork.messages.map(({ content }) => content),
    ["one", "you said one ", "other", "you said other "],
  );
});

test("writes a state as a node, and refuses it while a run is at work", async () => {
  const heard = {};
  const { client } = serve({ graphs: { agent: makeAgent(heard) } });
  const { thread_id } = await client.threads.create({ graphId: "agent" });
  const made = await client.threads.updateState(thread_id, {
    values: { log: ["x"] },
    asNode: "first",
  });
  assert.equal(made.checkpoint.thread_id, thread_id);
  assert.deepEqual((await client.threads.getState(thread_id)).next, ["answer"]);
  for (const wrong of [{ values: { log: ["x"] }, asNode: "none" }, { values: 5 }, { values: [1] }])
    await assert.rejects(client.threads.updateState(thread_id, wrong), { status: 422 });
  const started = new Promise((resolve) => (heard.started = resolve));
  const run = await client.runs.create(thread_id, "agent", { input: say("slow") });
  await started;
  await assert.rejects(client.threads.updateState(thread_id, { values: { log: ["y"] } }), {
    status: 409,
  });
  assert.equal((await client.threads.get(thread_id)).status, "busy");
  await client.runs.cancel(thread_id, run.run_id, true);
  assert.equal(heard.aborted.name, "AbortError");
  assert.equal((await client.runs.get(thread_id, run.run_id)).status, "interrupted");
});

test("who waits for a workflow gets what it returns, whatever that is", async () => {
  for (const value of ["text", [1, 2], 3, { a: 4 }]) {
    const echo = entrypoint({ name: "echo", checkpointer: new MemorySaver() }, async (input) =>
      structuredClone(input),
    );
    const { server } = serve({ graphs: { echo } });
    // The SDK's client looks for an error in the answer, which a text cannot have.
    const call = async (path, body) => {
      const init = body && { method: "POST", body: JSON.stringify(body) };
      return (await server.fetch(`http://weft.local${path}`, init)).json();
    };
    const run = { assistant_id: "echo", input: value, if_not_exists: "create" };
    assert.deepEqual(await call("/runs/wait", run), value);
    assert.deepEqual(await call("/threads/t/runs/wait", run), value);
    const { result } = await call("/threads/t/commands", {
      id: 1,
      method: "run.start",
      params: run,
    });
    assert.deepEqual(await call(`/threads/t/runs/${result.run_id}/join`), value);
  }
});

test("who waits sees a question that stays open when another one is answered", async () => {
  const State = Annotation.Root({
    said: Annotation({ reducer: (a, b) => [...a, ...b].sort(), default: () => [] }),
  });
  const ask = (question) => () => ({ said: [interrupt(question)] });
  const pair = new StateGraph(State)
    .addNode("one", ask("one?"))
    .addNode("two", ask("two?"))
    .addEdge(START, "one")
    .addEdge(START, "two")
    .compile();
  const { client } = serve({ graphs: { pair } });
  const { thread_id } = await client.threads.create();
  const asked = await client.runs.wait(thread_id, "pair", { input: {} });
  assert.equal(asked.__interrupt__.length, 2);
  const { id } = asked.__interrupt__.find(({ value }) => value === "one?");
  const answer = { command: { resume: { [id]: "A" } } };
  const { said, __interrupt__: open } = await client.runs.wait(thread_id, "pair", answer);
  assert.deepEqual([said, open.map(({ value }) => value)], [["A"], ["two?"]]);
  assert.deepEqual(
    await client.runs.wait(thread_id, "pair", { command: { resume: { [open[0].id]: "B" } } }),
    { said: ["A", "B"] },
  );
});

test("multitask strategies: reject, enqueue, interrupt, rollback", async () => {
  const heard = {};
  const { client } = serve({ graphs: { agent: makeAgent(heard) } });
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("zero") });
  const before = await client.threads.getHistory(thread_id, { limit: 100 });
  const slow = async (ms) => {
    heard.ms = ms;
    const started = new Promise((resolve) => (heard.started = resolve));
    const run = await client.runs.create(thread_id, "agent", { input: say("slow") });
    await started;
    return run;
  };
  await slow(100);
  await assert.rejects(
    client.runs.create(thread_id, "agent", { input: say("no"), multitaskStrategy: "reject" }),
    { status: 422 },
  );
  const queued = await client.runs.wait(thread_id, "agent", {
    input: say("after"),
    multitaskStrategy: "enqueue",
  });
  assert.deepEqual(
    queued.log.filter((one) => one !== "first"),
    ["zero", "slow", "after"],
  );
  const cut = await slow(60_000);
  const interrupted = await client.runs.wait(thread_id, "agent", {
    input: say("then"),
    multitaskStrategy: "interrupt",
  });
  assert.equal((await client.runs.get(thread_id, cut.run_id)).status, "interrupted");
  assert.deepEqual(
    interrupted.messages.filter(({ type }) => type === "human").map(({ content }) => content),
    ["zero", "slow", "after", "slow", "then"],
  );
  const count = (await client.threads.getHistory(thread_id, { limit: 100 })).length;
  const gone = await slow(60_000);
  const rolled = await client.runs.wait(thread_id, "agent", {
    input: say("instead"),
    multitaskStrategy: "rollback",
  });
  await assert.rejects(client.runs.get(thread_id, gone.run_id), { status: 404 });
  assert.deepEqual(
    rolled.messages.filter(({ type }) => type === "human").map(({ content }) => content),
    ["zero", "slow", "after", "slow", "then", "instead"],
  );
  const history = await client.threads.getHistory(thread_id, { limit: 100 });
  assert.equal(history.length, count + before.length);
});

test("a run that is cancelled while it waits its turn never begins", async () => {
  const heard = {};
  const { client } = serve({ graphs: { agent: makeAgent(heard) } });
  const { thread_id } = await client.threads.create();
  heard.ms = 200;
  await client.runs.create(thread_id, "agent", { input: say("slow") });
  const waiting = await client.runs.create(thread_id, "agent", {
    input: say("never"),
    multitaskStrategy: "enqueue",
  });
  assert.equal((await client.runs.list(thread_id, { status: "pending" })).length, 1);
  await client.runs.cancel(thread_id, waiting.run_id, true);
  assert.equal((await client.runs.get(thread_id, waiting.run_id)).status, "interrupted");
  // It does not wait for the run before it.
  assert.equal((await client.runs.list(thread_id, { status: "running" })).length, 1);
  const { values } = await client.threads.getState(thread_id);
  assert.ok(!values.log.includes("never"));
});

test("a run that is cancelled keeps no new one from the thread", async () => {
  const heard = { ms: 60_000 };
  const { client } = serve({ graphs: { agent: makeAgent(heard) } });
  const { thread_id } = await client.threads.create();
  const started = new Promise((resolve) => (heard.started = resolve));
  const run = await client.runs.create(thread_id, "agent", { input: say("slow") });
  await started;
  await assert.rejects(client.runs.wait(thread_id, "agent", { input: say("no") }), { status: 422 });
  heard.ms = 0;
  const cancelled = client.runs.cancel(thread_id, run.run_id);
  const { messages } = await client.runs.wait(thread_id, "agent", { input: say("next") });
  await cancelled;
  assert.equal(messages.at(-2).content, "next");
  assert.equal((await client.runs.get(thread_id, run.run_id)).status, "interrupted");
});

test("a run that waits behind one that is rolled back begins where that one began", async () => {
  for (const rounds of [0, 1, 5]) {
    const heard = { ms: 60_000 };
    const { client } = serve({ graphs: { agent: makeAgent(heard) } });
    const { thread_id } = await client.threads.create();
    const started = new Promise((resolve) => (heard.started = resolve));
    const gone = await client.runs.create(thread_id, "agent", { input: say("slow") });
    await started;
    const next = await client.runs.create(thread_id, "agent", {
      input: say("next"),
      multitaskStrategy: "enqueue",
    });
    const cancelled = client.runs.cancel(thread_id, gone.run_id, true, "rollback");
    for (let round = 0; round < rounds; round++) await new Promise(setImmediate);
    heard.ms = 0;
    const last = client.runs.wait(thread_id, "agent", {
      input: say("last"),
      multitaskStrategy: "enqueue",
    });
    await cancelled;
    await client.runs.join(thread_id, next.run_id);
    const { messages } = await last;
    assert.deepEqual(
      messages.filter(({ type }) => type === "human").map(({ content }) => content),
      ["next", "last"],
    );
    await assert.rejects(client.runs.get(thread_id, gone.run_id), { status: 404 });
    assert.equal((await client.runs.get(thread_id, next.run_id)).status, "success");
    const thread = await client.threads.get(thread_id);
    assert.equal(thread.status, "idle");
  }
});

test("a run whose checkpoints cannot be taken back is interrupted, not forgotten", async () => {
  const heard = {};
  const { client } = serve({ graphs: { agent: makeAgent(heard) }, saver: new PeerSaver() });
  const started = new Promise((resolve) => (heard.started = resolve));
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", { input: say("slow") });
  await started;
  const never = await client.runs.create(thread_id, "agent", {
    input: say("never"),
    multitaskStrategy: "enqueue",
  });
  await client.runs.cancel(thread_id, never.run_id, true, "rollback");
  await assert.rejects(client.runs.get(thread_id, never.run_id), { status: 404 });
  await client.runs.cancel(thread_id, run.run_id, true, "rollback");
  assert.equal((await client.runs.get(thread_id, run.run_id)).status, "interrupted");
  const [state] = await client.threads.getHistory(thread_id);
  assert.equal(state.metadata.run_id, run.run_id);
  assert.equal(state.values.messages[0].content, "slow");
});

test("a long thread in files is rolled back too, and one whose process died on the way comes back", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-server-"));
  try {
    const heard = {};
    const saver = new FileSaver({ path });
    const { client } = serve({ graphs: { agent: makeAgent(heard) }, saver });
    await client.threads.create({ threadId: "t" });
    for (let at = 0; at < 40; at++) await client.runs.wait("t", "agent", { input: say(`${at}`) });
    const before = await client.threads.getHistory("t", { limit: 1000 });
    const started = new Promise((resolve) => (heard.started = resolve));
    const run = await client.runs.create("t", "agent", { input: say("slow") });
    await started;
    await client.runs.cancel("t", run.run_id, true, "rollback");
    assert.deepEqual(await client.threads.getHistory("t", { limit: 1000 }), before);
    // As a process leaves it that dies between dropping the log and writing it anew.
    const { store } = saver;
    const head = await store.head("t");
    const bytes = Buffer.concat(await store.read("t"));
    await store.partition("rollback").append("t", { firstSeq: 1, ...head }, bytes, undefined);
    await store.drop("t");
    const later = serve({ graphs: { agent: makeAgent() }, saver: new FileSaver({ path }) });
    await later.client.threads.create({ threadId: "t" });
    const state = await later.client.threads.getState("t");
    assert.equal(state.values.messages.length, 80);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});

test("a stream that is joined again gives each event once, from any event on", async () => {
  const { server, client } = serve();
  const { thread_id } = await client.threads.create();
  const response = await server.fetch(`http://weft.local/threads/${thread_id}/runs/stream`, {
    method: "POST",
    body: JSON.stringify({
      assistant_id: "agent",
      input: say("a b c d e f"),
      stream_mode: ["values", "updates", "custom", "messages-tuple"],
      stream_resumable: true,
    }),
  });
  const place = response.headers.get("location");
  assert.match(place, new RegExp(`^/threads/${thread_id}/runs/[^/]+/stream$`));
  assert.equal(response.headers.get("content-location"), place.replace(/\/stream$/, ""));
  const whole = await readEvents(response);
  for (let cut = 0; cut < whole.length; cut++) {
    const again = await server.fetch(`http://weft.local${place}`, {
      headers: { "last-event-id": String(cut) },
    });
    assert.deepEqual(await readEvents(again), whole.slice(cut + 1));
  }
  const all = await server.fetch(`http://weft.local${place}`, {
    headers: { "last-event-id": "-1" },
  });
  assert.deepEqual(await readEvents(all), whole);
  const some = await server.fetch(`http://weft.local${place}?stream_mode=updates`);
  assert.deepEqual(
    (await readEvents(some)).map(({ event }) => event).filter((event) => event !== "metadata"),
    ["updates", "updates"],
  );
});

test("a run goes on when its reader leaves, or ends, as on_disconnect says", async () => {
  for (const [onDisconnect, status] of [
    ["cancel", "interrupted"],
    ["continue", "success"],
  ]) {
    const heard = { ms: 100 };
    const { server, client } = serve({ graphs: { agent: makeAgent(heard) } });
    const { thread_id } = await client.threads.create();
    const response = await server.fetch(`http://weft.local/threads/${thread_id}/runs/stream`, {
      method: "POST",
      body: JSON.stringify({
        assistant_id: "agent",
        input: say("slow"),
        on_disconnect: onDisconnect,
      }),
    });
    const [{ data }] = await readEvents(response, 1);
    await client.runs.join(thread_id, data.run_id);
    assert.equal((await client.runs.get(thread_id, data.run_id)).status, status);
  }
});

test("an aborted fetch rejects with the signal's reason, before and while it streams", async () => {
  const { server, client } = serve();
  const { thread_id } = await client.threads.create();
  await assert.rejects(server.fetch("http://weft.local/info", { signal: AbortSignal.abort() }), {
    name: "AbortError",
  });
  const controller = new AbortController();
  const response = await server.fetch(`http://weft.local/threads/${thread_id}/runs/stream`, {
    method: "POST",
    signal: controller.signal,
    body: JSON.stringify({ assistant_id: "agent", input: say("slow"), on_disconnect: "cancel" }),
  });
  const reader = response.body.getReader();
  await reader.read();
  controller.abort();
  await assert.rejects(
    async () => {
      for (;;) if ((await reader.read()).done) return;
    },
    { name: "AbortError" },
  );
  const [run] = await client.runs.list(thread_id);
  await client.runs.join(thread_id, run.run_id);
  assert.equal((await client.runs.get(thread_id, run.run_id)).status, "interrupted");
});

test("a stream whose reader left while its run was made ends, and its run as it was asked to", async () => {
  const controller = new AbortController();
  const { server, client } = serve({
    authenticate: () => {
      queueMicrotask(() => controller.abort());
      return true;
    },
  });
  const response = await server.fetch("http://weft.local/threads/t/runs/stream", {
    method: "POST",
    signal: controller.signal,
    body: JSON.stringify({
      assistant_id: "agent",
      input: say("slow"),
      if_not_exists: "create",
      on_disconnect: "cancel",
    }),
  });
  assert.equal(controller.signal.aborted, true);
  await assert.rejects(response.text(), { name: "AbortError" });
  const [run] = await client.runs.list("t");
  await client.runs.join("t", run.run_id);
  assert.equal((await client.runs.get("t", run.run_id)).status, "interrupted");
});

test("sends comments while nothing happens", async () => {
  const heard = { ms: 120 };
  const { server } = serve({ graphs: { agent: makeAgent(heard) }, heartbeatMs: 20 });
  const response = await server.fetch("http://weft.local/runs/stream", {
    method: "POST",
    body: JSON.stringify({ assistant_id: "agent", input: say("slow") }),
  });
  const text = await response.text();
  assert.ok(text.split(": heartbeat\n\n").length > 2);
});

test("stateless runs leave nothing, unless they are kept; batches start many", async () => {
  const { client } = serve();
  await client.runs.wait(null, "agent", { input: say("x") });
  assert.equal(await client.threads.count(), 0);
  await client.runs.wait(null, "agent", { input: say("x"), onCompletion: "keep" });
  assert.equal(await client.threads.count(), 1);
  const runs = await client.runs.createBatch([
    { assistantId: "agent", input: say("1") },
    { assistantId: "agent", input: say("2") },
  ]);
  assert.equal(runs.length, 2);
  assert.notEqual(runs[0].run_id, runs[1].run_id);
});

test("assistants: the graphs themselves, and others with versions and a config of their own", async () => {
  const { client } = serve({ graphs: { agent: makeAgent(), other: makeAgent() } });
  const found = await client.assistants.search({ graphId: "agent" });
  assert.equal(found.length, 1);
  assert.equal(found[0].metadata.created_by, "system");
  assert.equal((await client.assistants.get("agent")).assistant_id, found[0].assistant_id);
  const made = await client.assistants.create({
    graphId: "agent",
    name: "Mine",
    metadata: { a: 1 },
  });
  const next = await client.assistants.update(made.assistant_id, { name: "Yours" });
  assert.equal(next.version, 2);
  assert.deepEqual(
    (await client.assistants.getVersions(made.assistant_id)).map(({ name }) => name),
    ["Yours", "Mine"],
  );
  assert.equal((await client.assistants.setLatest(made.assistant_id, 1)).name, "Mine");
  assert.equal((await client.assistants.search({ metadata: { a: 1 } })).length, 1);
  const result = await client.runs.wait(null, made.assistant_id, { input: say("x") });
  assert.equal(result.messages.length, 2);
  const graph = await client.assistants.getGraph("agent");
  assert.deepEqual(
    graph.nodes.map(({ id }) => id),
    ["__start__", "first", "answer", "__end__"],
  );
  const schemas = await client.assistants.getSchemas("agent");
  assert.deepEqual(Object.keys(schemas.state_schema.properties).sort(), ["log", "messages"]);
  await client.assistants.delete(made.assistant_id);
  await assert.rejects(client.assistants.get(made.assistant_id), /No assistant found/);
});

test("schemas of a graph are those of its state, its input and its context, as far as they say them", async () => {
  const zod = new StateGraph({
    state: z.object({ name: z.string(), count: z.number().default(1) }),
    input: z.object({ name: z.string() }),
    context: z.object({ user: z.string() }),
  });
  const fields = new StateGraph(new StateSchema({ title: z.string(), messages: MessagesValue }));
  const odd = new StateGraph(z3.object({ when: z3.function(), name: z3.string() }));
  const graphs = Object.fromEntries(
    Object.entries({ zod, fields, odd }).map(([name, builder]) => [
      name,
      builder
        .addNode("work", () => ({}))
        .addEdge(START, "work")
        .compile(),
    ]),
  );
  const { client } = serve({ graphs });
  const one = await client.assistants.getSchemas("zod");
  const name = { type: "string" };
  const count = { type: "number", default: 1 };
  assert.deepEqual(one.input_schema.properties, { name });
  assert.equal(one.input_schema.required, undefined);
  assert.deepEqual(one.state_schema.properties, { name, count });
  assert.deepEqual(one.context_schema.properties, { user: { type: "string" } });
  assert.deepEqual(one.context_schema.required, ["user"]);
  const other = await client.assistants.getSchemas("fields");
  assert.equal(other.input_schema.properties.messages.langgraph_type, "messages");
  assert.equal(other.state_schema.properties.title.type, "string");
  // What JSON Schema has no words for is anything.
  const last = await client.assistants.getSchemas("odd");
  assert.deepEqual(last.state_schema.properties, { when: {}, name: {} });
});

test("a thread shows the config of its newest run", async () => {
  const { client } = serve();
  await client.threads.create({ threadId: "t" });
  const config = { configurable: { tone: "dry" } };
  await client.runs.wait("t", "agent", { input: say("x"), config });
  assert.deepEqual((await client.threads.get("t")).config, config);
});

test("the store: items, searches and namespaces", async () => {
  const { client, ask } = serve({ store: new InMemoryStore() });
  await client.store.putItem(["users", "1"], "theme", { dark: true }, { ttl: null });
  const item = await client.store.getItem(["users", "1"], "theme");
  assert.deepEqual(item.value, { dark: true });
  assert.equal(await client.store.getItem(["users", "1"], "none"), null);
  const { items } = await client.store.searchItems(["users"], { filter: { dark: true } });
  assert.deepEqual(
    items.map(({ key }) => key),
    ["theme"],
  );
  const { namespaces } = await client.store.listNamespaces({ prefix: ["users"] });
  assert.deepEqual(namespaces, [["users", "1"]]);
  await client.store.deleteItem(["users", "1"], "theme");
  assert.equal(await client.store.getItem(["users", "1"], "theme"), null);
  for (const wrong of [{ namespace: ["a.b"] }, { ttl: 5 }]) {
    const item = { namespace: ["a"], key: "k", value: {}, ...wrong };
    assert.equal((await ask("PUT", "/store/items", item)).status, 422);
  }
  assert.equal(
    (await ask("PUT", "/store/items", { namespace: [], key: "k", value: {} })).status,
    400,
  );
});

/** Near what has the same letters. */
const index = {
  dims: 26,
  embeddings: {
    embedDocuments: async (texts) => texts.map(lettersOf),
    embedQuery: async (text) => lettersOf(text),
  },
  fields: ["text"],
};
const lettersOf = (text) =>
  Array.from({ length: 26 }, (_, at) => text.split(String.fromCharCode(97 + at)).length - 1);

for (const [name, make] of [
  ["of Weft", () => new InMemoryStore()],
  ["of Weft with an index", () => new InMemoryStore({ index })],
  ["in a saver", () => new SaverStore(new MemorySaver())],
  ["of LangGraph.js", () => new PeerStore()],
  ["of LangGraph.js with an index", () => new PeerStore({ index })],
])
  test(`a store ${name} shows clients their items, and none of the server's records`, async () => {
    const store = make();
    const { client, ask } = serve({ store });
    for (let at = 0; at < 40; at++) await client.threads.create({ threadId: `thread${at}` });
    await client.runs.wait("thread0", "agent", { input: say("a secret") });
    const texts = ["apple", "pear", "plum", "fig"];
    for (const text of texts) await client.store.putItem(["fruit", text], text, { text });
    const keys = async (prefix, options) =>
      (await client.store.searchItems(prefix, options)).items.map(({ key }) => key);
    assert.deepEqual((await keys([])).sort(), [...texts].sort());
    const pages = [];
    for (let offset = 0; offset < 6; offset += 2) pages.push(await keys([], { limit: 2, offset }));
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 0],
    );
    assert.deepEqual(pages.flat().sort(), [...texts].sort());
    assert.deepEqual(await keys([], { limit: 0 }), []);
    const found = await keys([], { query: "plum", limit: 3 });
    assert.equal(found.length, 3);
    if (name.endsWith("index")) assert.equal(found[0], "plum");
    for (const prefix of [["weft"], ["weft", "server", "runs"], ["langgraph"]]) {
      assert.deepEqual(await keys(prefix), []);
      assert.deepEqual((await client.store.listNamespaces({ prefix })).namespaces, []);
    }
    const listed = async (options) => (await client.store.listNamespaces(options)).namespaces;
    assert.deepEqual(await listed({ maxDepth: 1 }), [["fruit"]]);
    assert.deepEqual((await listed({})).length, 4);
    assert.deepEqual(await listed({ suffix: ["runs"] }), []);
    assert.deepEqual((await listed({ limit: 3, offset: 3 })).length, 1);
    const far = { namespace_prefix: [], offset: Number.MAX_SAFE_INTEGER };
    assert.deepEqual((await ask("POST", "/store/items/search", far)).body, { items: [] });
  });

for (const [name, Remote] of [
  ["Weft's", RemoteGraph],
  ["LangGraph.js's", PeerRemoteGraph],
]) {
  test(`${name} RemoteGraph invokes, streams, asks and reads states`, async () => {
    const { client } = serve();
    const { thread_id } = await client.threads.create();
    const graph = new Remote({ graphId: "agent", client });
    const config = { configurable: { thread_id } };
    const result = await graph.invoke(say("hi"), config);
    assert.equal(result.messages.at(-1).content, "you said hi ");
    const updates = await listOf(
      await graph.stream(say("more"), { ...config, streamMode: "updates" }),
    );
    assert.deepEqual(
      updates.map((one) => Object.keys(one)[0]),
      ["first", "answer"],
    );
    const state = await graph.getState(config);
    assert.equal(state.values.messages.length, 4);
    await graph.updateState(config, { log: ["z"] }, "answer");
    assert.ok((await graph.getState(config)).values.log.includes("z"));
    const drawn = await graph.getGraphAsync();
    assert.ok("answer" in drawn.nodes || drawn.nodes.answer !== undefined);
  });
}

test("a webhook hears of the end", async () => {
  const calls = [];
  const { client } = serve({
    fetch: async (url, init) => (calls.push([url, JSON.parse(init.body)]), new Response()),
  });
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", {
    input: say("x"),
    webhook: "https://hooks.example/1",
  });
  await pause(5);
  assert.equal(calls[0][0], "https://hooks.example/1");
  assert.equal(calls[0][1].status, "success");
});

test("close() cancels what is at work and waits for it", async () => {
  const heard = {};
  const { server, client } = serve({ graphs: { agent: makeAgent(heard) } });
  const started = new Promise((resolve) => (heard.started = resolve));
  const { thread_id } = await client.threads.create();
  await client.runs.create(thread_id, "agent", { input: say("slow") });
  await started;
  await server.close();
  assert.equal(heard.aborted.name, "AbortError");
});

test("options that are none are refused by name", () => {
  assert.throws(() => createServer(), { code: "BAD_ARGUMENT" });
  assert.throws(() => createServer({ graphs: {} }), /graphs must be graphs by their names/);
  assert.throws(() => createServer({ graphs: { a: {} } }), /"a" must be a compiled graph/);
  assert.throws(() => createServer({ graphs: { a: makeAgent() }, basePath: "api" }), /basePath/);
});
