// SPDX-License-Identifier: MIT
// The page's side of the studio's engine, over a message port in the place of a worker; and what
// the workbench measures of a run's events.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "weftgraph/server";
import { offer } from "weftgraph/server/service-worker";
import { MessagesAnnotation, START, StateGraph } from "weftgraph";
import { Engine, EngineError } from "../../web-demo/src/worker/engine.js";
import { Ledger } from "../../web-demo/src/screens/workbench/ledger.js";
import { LiveTasks } from "../../web-demo/src/studio/graph/live-tasks.js";
import { KINDS, kindOf, raised } from "../../web-demo/src/screens/workbench/limits.js";

const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", () => ({ messages: [{ role: "assistant", content: "Hello." }] }))
  .addEdge(START, "answer")
  .compile();

/** Makes workers of ports; `says` is what each says when it is made. */
function workersOf(t, says = { ready: true }) {
  const made = [];
  const open = () => {
    const { port1, port2 } = new MessageChannel();
    const stop = offer(createServer({ graphs: { graph } }), { port: port2 });
    port2.addEventListener("message", ({ data }) => {
      if (data.name === "double") port2.postMessage({ answer: data.ask, value: data.value * 2 });
      if (data.name === "fail")
        port2.postMessage({ answer: data.ask, error: { message: "no", code: "NOT_SO" } });
    });
    const worker = Object.assign(port1, { terminate: () => (stop(), port1.close()) });
    const say = () => port2.postMessage(says);
    made.push({ worker, say });
    t.after(() => worker.terminate());
    return worker;
  };
  return { open, made, say: () => made.at(-1).say() };
}

const INFO = "http://weft.local/info";
const codeOf = (code) => (error) => error instanceof EngineError && error.code === code;

test("requests and commands wait until the engine has started", async (t) => {
  const workers = workersOf(t);
  const engine = new Engine(workers.open);
  assert.equal(engine.state, "starting");
  const asked = [engine.server.fetch(INFO), engine.ask("double", 21)];
  workers.say();
  const [response, value] = await Promise.all(asked);
  assert.equal(response.status, 200);
  assert.equal(value, 42);
  assert.equal(engine.state, "ready");
  assert.ok(engine.started.ms >= 0);
  await assert.rejects(engine.ask("fail"), codeOf("NOT_SO"));
});

test("a pulled plug fails what is under way, and later requests wait for the next start", async (t) => {
  const workers = workersOf(t);
  const engine = new Engine(workers.open);
  const states = [];
  engine.addEventListener("state", () => states.push(engine.state));
  workers.say();
  await engine.start();
  const command = engine.ask("never");
  const thread = { method: "POST", body: "{}" };
  const made = await engine.server.fetch("http://weft.local/threads", thread);
  const { thread_id } = await made.json();
  const stream = await engine.server.fetch(`http://weft.local/threads/${thread_id}/stream`);
  const reading = stream.text();
  await new Promise((resolve) => setTimeout(resolve));
  engine.pull();
  await assert.rejects(command, codeOf("ENGINE_GONE"));
  await assert.rejects(reading, codeOf("ENGINE_GONE"));
  const later = engine.server.fetch(INFO);
  const left = new AbortController();
  const leaving = engine.server.fetch(INFO, { signal: left.signal });
  left.abort();
  await assert.rejects(leaving, { name: "AbortError" });
  const started = engine.start();
  workers.say();
  await started;
  assert.equal((await later).status, 200);
  assert.deepEqual(states, ["ready", "gone", "starting", "ready"]);
  assert.equal(workers.made.length, 2);
});

test("after the plug a worker loads its code, and begins when it is started, not before", async (t) => {
  const heard = [];
  const workers = workersOf(t);
  const engine = new Engine(() => {
    const worker = workers.open();
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message) => {
      if (message.begin) heard.push(workers.made.length);
      post(message);
    };
    return worker;
  });
  workers.say();
  await engine.start();
  engine.pull();
  engine.pull();
  assert.deepEqual([engine.state, workers.made.length, heard], ["gone", 2, [1]]);
  const started = engine.start();
  workers.say();
  await started;
  assert.deepEqual([workers.made.length, heard], [2, [1, 2]]);
  // One that does not load is no reason not to try again.
  engine.pull();
  workers.made.at(-1).worker.dispatchEvent(new Event("error"));
  const again = engine.start();
  workers.say();
  await again;
  assert.deepEqual([engine.state, workers.made.length], ["ready", 4]);
});

test("a start that fails says why, and another one may succeed", async (t) => {
  const broken = workersOf(t, { failed: "no storage" });
  const whole = workersOf(t);
  let opened = 0;
  const engine = new Engine(() => (opened++ === 0 ? broken : whole).open());
  const waiting = engine.server.fetch(INFO);
  broken.say();
  await assert.rejects(waiting, codeOf("ENGINE_START"));
  assert.deepEqual([engine.state, engine.problem], ["gone", "no storage"]);
  await assert.rejects(engine.server.fetch(INFO), codeOf("ENGINE_START"));
  await assert.rejects(engine.ask("double", 1), codeOf("ENGINE_START"));
  const started = engine.start();
  whole.say();
  await started;
  assert.equal((await engine.server.fetch(INFO)).status, 200);
});

const task = (id, name = id) => ({ event: "tasks", data: { id, name, input: {} } });
const end = (id, name = id) => ({ event: "tasks", data: { id, name, result: {}, interrupts: [] } });
const checkpoint = (id) => ({
  event: "checkpoints",
  data: { config: { configurable: { checkpoint_id: id } } },
});
const run = (id, rest = {}) => ({ event: "metadata", data: { run_id: id, ...rest } });

test("a checkpoint and a task count as stored when the next step has begun", () => {
  const ledger = new Ledger();
  const hear = (...events) => events.forEach((event) => ledger.take(event));
  hear(run("r"), checkpoint("c1"));
  assert.deepEqual([...ledger.stored], []);
  hear(task("a"), end("a"), checkpoint("c2"));
  assert.deepEqual([[...ledger.stored], [...ledger.done]], [["c1"], []]);
  hear(task("b1", "b"), task("b2", "b"));
  assert.deepEqual([[...ledger.stored], [...ledger.done]], [["c1", "c2"], ["a"]]);
  assert.deepEqual([...ledger.running.values()], ["b", "b"]);
  hear(end("b1", "b"));
  hear(end("b2", "b"), run("r", { status: "run_done" }));
  assert.deepEqual([ledger.run, ledger.done.size], [undefined, 3]);
});

test("a failure belongs to its run", () => {
  const ledger = new Ledger();
  ledger.take(run("r"));
  ledger.take({ event: "error", data: { error: "TokenLimitError", message: "no more" } });
  assert.equal(kindOf(ledger.failure.name).key, "tokens");
  ledger.take(run("r2"));
  assert.equal(ledger.failure, undefined);
});

test("a limit that counts on is raised for the run that goes on, one that begins anew is not", () => {
  const limits = { steps: 3, tokens: 60, cost: 0.0005, seconds: 0 };
  const kind = (key) => KINDS.find((one) => one.key === key);
  assert.deepEqual(raised(kind("steps"), limits), limits);
  assert.deepEqual(raised(kind("tokens"), limits), { ...limits, tokens: 120 });
  assert.equal(raised(kind("cost"), limits).cost > 0.0005, true);
  assert.equal(raised(kind("seconds"), limits).seconds > 0, true);
});

test("a node whose graph is left for a hand-off is done, another error is a failure", () => {
  const live = new LiveTasks();
  const ended = (id, error) => ({ id, name: id, error, interrupts: [] });
  live.take("tasks", { id: "a", name: "a", input: {} }, 1);
  live.take("tasks", { id: "b", name: "b", input: {} }, 1);
  live.take("tasks", ended("a", { error: "ParentCommand", message: "" }), 2);
  live.take("tasks", ended("b", { error: "TypeError", message: "ParentCommand" }), 2);
  assert.deepEqual([live.stateOf("a"), live.stateOf("b")], ["done", "failed"]);
});
