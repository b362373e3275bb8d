// SPDX-License-Identifier: MIT
// Protocol v2 as the SDK's thread streams speak it: commands, events that are replayed and go on
// over runs, questions and their answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryStore, MemorySaver } from "weftgraph";
import { makeAgent, readEvents, say, serve } from "./server-graphs.mjs";

const ROOT = ["values", "checkpoints", "lifecycle", "input", "messages", "tools"];

function protocolOf({ server }, threadId) {
  const post = (path, body) =>
    server.fetch(`http://weft.local/threads/${threadId}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
  let id = 0;
  return {
    command: async (method, params) =>
      (await post("/commands", { id: ++id, method, params })).json(),
    open: (body) => post("/stream/events", body),
  };
}

/** Events up to the `count`th end of a run. */
async function untilEnd(response, count = 1) {
  const events = [];
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let ends = 0; ends < count; ) {
    const { value } = await reader.read();
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data === undefined) continue;
      const event = JSON.parse(data);
      events.push(event);
      const isEnd =
        event.method === "lifecycle" &&
        event.params.namespace.length === 0 &&
        event.params.data.event !== "running";
      if (isEnd) ends++;
    }
  }
  await reader.cancel();
  return events;
}

test("a run's events: running first, checkpoints before values, its end last, numbers without a gap", async () => {
  const { command, open } = protocolOf(serve(), "t");
  const early = open({ channels: ROOT });
  const { result, meta } = await command("run.start", { assistant_id: "agent", input: say("hi") });
  assert.equal(meta.applied_through_seq, 0);
  const events = await untilEnd(await early);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map(({ seq }) => seq).toSorted((a, b) => a - b),
  );
  assert.equal(events[0].event_id, `synth:${result.run_id}:running`);
  assert.equal(events.at(-1).event_id, `synth:${result.run_id}:completed`);
  const root = events.filter(({ params }) => params.namespace.length === 0);
  for (const [at, { method }] of root.entries())
    if (method === "values" && at > 1) assert.equal(root[at - 1].method, "checkpoints");
  const values = root.findLast(({ method }) => method === "values").params.data;
  assert.deepEqual(
    values.messages.map(({ type }) => type),
    ["human", "ai"],
  );
  assert.equal(new Set(events.map(({ event_id }) => event_id)).size, events.length);
});

test("each new stream gets what was before, from any number on, filtered, and goes on over runs", async () => {
  const { command, open } = protocolOf(serve(), "t");
  await command("run.start", { assistant_id: "agent", input: say("one") });
  const all = await untilEnd(await open({ channels: [...ROOT, "updates", "custom", "tasks"] }));
  const again = await untilEnd(await open({ channels: [...ROOT, "updates", "custom", "tasks"] }));
  assert.deepEqual(again, all);
  const { seq } = all[4];
  const rest = await untilEnd(
    await open({ channels: [...ROOT, "updates", "custom", "tasks"], since: seq }),
  );
  assert.deepEqual(rest, all.slice(5));
  const life = await untilEnd(await open({ channels: ["lifecycle"], namespaces: [[]], depth: 0 }));
  assert.deepEqual(
    life.map(({ params }) => params.data.event),
    ["running", "completed"],
  );
  const both = open({ channels: ["lifecycle"], namespaces: [[]], depth: 0 });
  await command("run.start", { assistant_id: "agent", input: say("two") });
  assert.deepEqual(
    (await untilEnd(await both, 2)).map(({ params }) => params.data.event),
    ["running", "completed", "running", "completed"],
  );
});

test("questions are told once, answered by id, and input.answered comes first", async () => {
  const { command, open } = protocolOf(serve(), "t");
  assert.equal((await command("input.respond", { interrupt_id: "x" })).type, "error");
  await command("run.start", { assistant_id: "agent", input: say("ask") });
  const events = await untilEnd(await open({ channels: ROOT }));
  const [question] = events.filter(({ method }) => method === "input.requested");
  assert.equal(events.at(-1).params.data.event, "interrupted");
  assert.ok(
    events.every(({ method, params }) => method !== "values" || !("__interrupt__" in params.data)),
  );
  const id = question.params.data.interrupt_id;
  const wrong = await command("input.respond", { namespace: [], interrupt_id: "0", response: 1 });
  assert.equal(wrong.error, "no_such_interrupt");
  const before = events.at(-1).seq;
  const { meta } = await command("input.respond", {
    namespace: [],
    interrupt_id: id,
    response: "yes",
  });
  assert.equal(meta.applied_through_seq, before);
  const after = await untilEnd(await open({ channels: ROOT, since: before }));
  assert.equal(after[0].method, "input.answered");
  assert.deepEqual(after[0].params.data.interrupt_ids, [id]);
  assert.equal(
    after.findLast(({ method }) => method === "values").params.data.messages.at(-1).content,
    "yes",
  );
  const twice = await command("input.respond", { interrupt_id: id, response: 1 });
  assert.match(twice.error, /^no_such_(run|interrupt)$/);
});

test("a new input while a question waits is an input, and answers nothing", async () => {
  const { command, open } = protocolOf(serve(), "t");
  await command("run.start", { assistant_id: "agent", input: say("ask") });
  await untilEnd(await open({ channels: ["lifecycle"] }));
  await command("run.start", { assistant_id: "agent", input: say("never mind") });
  const events = await untilEnd(await open({ channels: ROOT }), 2);
  const { messages } = events.findLast(({ method }) => method === "values").params.data;
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["ask", "never mind", "you said never mind "],
  );
});

test("a run that fails or is cancelled ends its lifecycle with it", async () => {
  const heard = {};
  const served = serve({ graphs: { agent: makeAgent(heard) } });
  const { command, open } = protocolOf(served, "t");
  await command("run.start", { assistant_id: "agent", input: say("fail") });
  const failed = (await untilEnd(await open({ channels: ROOT }))).at(-1);
  assert.equal(failed.params.data.event, "failed");
  assert.match(failed.params.data.error, /payment service/);
  const started = new Promise((resolve) => (heard.started = resolve));
  const { result } = await command("run.start", { assistant_id: "agent", input: say("slow") });
  await started;
  await served.client.runs.cancel("t", result.run_id, true);
  const cancelled = (await untilEnd(await open({ channels: ROOT }), 2)).at(-1);
  assert.equal(cancelled.params.data.event, "interrupted");
});

test("after a restart numbers go on, and an open question is told to who comes", async () => {
  const store = new InMemoryStore();
  const agent = makeAgent();
  const { MemorySaver } = await import("weftgraph");
  const saver = new MemorySaver();
  const options = { graphs: { agent }, saver, registry: store };
  const first = protocolOf(serve(options), "t");
  await first.command("run.start", { assistant_id: "agent", input: say("ask") });
  const events = await untilEnd(await first.open({ channels: ROOT }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = protocolOf(serve(options), "t");
  const [asked] = await readFirst(await second.open({ channels: ["input"] }));
  assert.equal(
    asked.params.data.interrupt_id,
    events.find(({ method }) => method === "input.requested").params.data.interrupt_id,
  );
  assert.ok(asked.seq > events.at(-1).seq);
  const { type } = await second.command("input.respond", {
    namespace: [],
    interrupt_id: asked.params.data.interrupt_id,
    response: "late",
  });
  assert.equal(type, "success");
});

async function readFirst(response) {
  return (await readEvents(response, 1)).map(({ data }) => data);
}

test("after a restart a stream of a thread that rests waits for its next run", async () => {
  const options = { registry: new InMemoryStore(), saver: new MemorySaver() };
  const served = serve(options);
  const first = protocolOf(served, "t");
  await first.command("run.start", { assistant_id: "agent", input: say("one") });
  const before = (await untilEnd(await first.open({ channels: ROOT }))).at(-1).seq;
  await served.server.close();
  const { command, open } = protocolOf(serve(options), "t");
  const events = untilEnd(await open({ channels: ROOT }));
  // A reader that spins lets no timer through.
  await new Promise((resolve) => setTimeout(resolve, 10));
  await command("run.start", { assistant_id: "agent", input: say("two") });
  const [{ seq, params }] = await events;
  assert.equal(seq, before + 1);
  assert.equal(params.data.event, "running");
});

test("a server that died in a run leaves no number of an event to be used twice", async () => {
  const heard = { ms: 500 };
  const options = { registry: new InMemoryStore(), saver: new MemorySaver() };
  const graphs = { agent: makeAgent(heard) };
  const first = protocolOf(serve({ ...options, graphs }), "t");
  const started = new Promise((resolve) => (heard.started = resolve));
  await first.command("run.start", { assistant_id: "agent", input: say("slow") });
  await started;
  const { meta } = await first.command("state.get", {});
  // What the first one stores from now on is the work of a process that is gone.
  const registry = new InMemoryStore();
  for (const kind of ["threads", "runs", "assistants"]) {
    const namespace = ["weft", "server", kind];
    for (const { key, value } of await options.registry.search(namespace, { limit: 100 }))
      await registry.put(namespace, key, structuredClone(value));
  }
  const { command, open } = protocolOf(serve({ ...options, registry }), "t");
  const events = untilEnd(await open({ channels: ROOT, since: meta.applied_through_seq }));
  await command("run.start", { assistant_id: "agent", input: say("two") });
  const [{ seq, params }] = await events;
  assert.ok(seq > meta.applied_through_seq);
  assert.equal(params.data.event, "running");
});

test("commands: state, tree, injected messages; what is none is refused with status 200", async () => {
  const { command } = protocolOf(serve(), "t");
  assert.equal((await command("state.get", {})).error, "invalid_argument");
  const served = serve();
  const own = protocolOf(served, "t");
  await served.client.threads.create({ threadId: "t", graphId: "agent" });
  await served.client.runs.wait("t", "agent", { input: say("hi") });
  const { result } = await own.command("state.get", { namespace: [], keys: ["log"] });
  assert.deepEqual(result.values, { log: ["first", "hi"] });
  assert.equal(
    (await own.command("input.inject", { message: { role: "user", content: "psst" } })).type,
    "success",
  );
  assert.equal((await served.client.threads.getState("t")).values.messages.at(-1).content, "psst");
  assert.equal((await own.command("agent.getTree", {})).result.tree.graph_name, "agent");
  assert.equal((await own.command("state.fork", {})).error, "unknown_command");
  assert.equal((await own.command("constructor", {})).error, "unknown_command");
  assert.equal(
    (await own.command("run.start", { assistant_id: "none" })).error,
    "invalid_argument",
  );
});

test("the SDK's thread stream: values, messages, an interrupt and its answer", async () => {
  const { client, server } = serve();
  const thread = client.threads.stream({ assistantId: "agent", fetch: server.fetch });
  await thread.run.start({ input: say("ask") });
  for (let tries = 0; !thread.interrupted && tries < 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(thread.interrupted, true);
  const [{ interruptId, namespace, payload }] = thread.interrupts;
  assert.deepEqual(payload, { q: "?" });
  await thread.input.respond({ namespace, interrupt_id: interruptId, response: "fine" });
  for await (const values of thread.values)
    if (values.messages.length === 2) {
      assert.equal(values.messages.at(-1).content, "fine");
      break;
    }
  await thread.close();
});
