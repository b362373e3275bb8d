// SPDX-License-Identifier: MIT
// Time and ids that a test sets: the same program leaves the same bytes.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as langgraph from "@langchain/langgraph";
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  entrypoint,
  interrupt,
  task,
} from "weftgraph";
import { record, replay } from "weftgraph/record";
import { FileSaver } from "weftgraph/savers/file";
import { TestClock, testIds } from "weftgraph/testing";

const START_TIME = "2030-01-02T03:04:05.678Z";
const thread = { configurable: { thread_id: "t" } };

/** A graph that asks, answers, and has a graph inside. */
function build(checkpointer) {
  const inner = new StateGraph(MessagesAnnotation)
    .addNode("say", () => ({ messages: ["inner"] }))
    .addEdge(START, "say")
    .compile();
  return new StateGraph(MessagesAnnotation)
    .addNode("ask", () => ({ messages: [{ role: "ai", content: interrupt("name?") }] }))
    .addNode("inside", inner)
    .addEdge(START, "ask")
    .addEdge("ask", "inside")
    .compile({ checkpointer });
}

/** All that a reader sees of a thread: chunks, history. */
async function play(checkpointer, given) {
  const graph = build(checkpointer);
  const seen = [];
  for (const input of [{ messages: "hi" }, new Command({ resume: "Ann" })]) {
    const config = {
      ...thread,
      ...given,
      streamMode: ["values", "updates", "checkpoints", "debug", "messages"],
      subgraphs: true,
    };
    for await (const chunk of await graph.stream(input, config)) seen.push(chunk);
  }
  await graph.updateState({ ...thread, ...given }, { messages: "edited" });
  const history = [];
  for await (const snapshot of graph.getStateHistory(thread)) history.push(snapshot);
  return JSON.parse(
    JSON.stringify({ seen, history }, (key, value) =>
      ["clock", "callbacks", "ids"].includes(key) ? undefined : value,
    ),
  );
}

test("the same clock and ids: the same chunks, checkpoints, questions and messages, to the byte", async () => {
  const folders = [];
  try {
    const given = () => ({ clock: new TestClock(START_TIME), ids: testIds(7) });
    const file = async () => (
      folders.push(await mkdtemp(join(tmpdir(), "weft-"))), new FileSaver({ path: folders.at(-1) })
    );
    const first = await play(new MemorySaver(), given());
    assert.deepEqual(await play(new MemorySaver(), given()), first);
    assert.deepEqual((await play(await file(), given())).history, first.history);
    assert(
      first.history.every(({ createdAt }) => createdAt === START_TIME),
      "a checkpoint's time is the clock's",
    );
    assert(
      first.seen
        .filter(([, mode]) => mode === "debug")
        .every(([, , { timestamp }]) => timestamp === START_TIME),
    );
    const ids = first.history.map(({ config }) => config.configurable.checkpoint_id);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual([...ids].sort().reverse(), ids);
    const others = await play(new MemorySaver(), {
      clock: new TestClock(START_TIME),
      ids: testIds(8),
    });
    assert.notDeepEqual(
      others.history.map(({ config }) => config.configurable.checkpoint_id),
      ids,
    );
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true, maxRetries: 5 });
  }
});

test("a saver of LangGraph.js gets the same ids and times", async () => {
  const given = () => ({ clock: () => Date.parse(START_TIME), ids: testIds(7) });
  const [ours, theirs] = [
    await play(new MemorySaver(), given()),
    await play(new langgraph.MemorySaver(), given()),
  ];
  const shown = ({ history }) =>
    history.map(({ config, createdAt, next }) => [
      config.configurable.checkpoint_id,
      createdAt,
      next,
    ]);
  assert.deepEqual(shown(theirs), shown(ours));
});

test("ids are what the function says; callbacks too", async () => {
  let count = 0;
  const given = [];
  const ids = () => (
    given.push(`00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`), given.at(-1)
  );
  const runs = [];
  const { messages } = await build(undefined)
    .withConfig({
      ids,
      callbacks: [{ handleChainStart: (_chain, _input, runId) => void runs.push(runId) }],
    })
    .invoke({ messages: "hi" })
    .catch((error) => ({ messages: [error] }));
  assert(runs.length > 0 && runs.every((id) => given.includes(id)));
  assert.match(String(messages[0].message ?? ""), /checkpointer/i);
  const plain = new StateGraph(MessagesAnnotation)
    .addNode("a", () => ({ messages: ["x"] }))
    .addEdge(START, "a")
    .compile();
  const result = await plain.invoke({ messages: "hi" }, { ids });
  assert(result.messages.every(({ id }) => given.includes(id)));
});

test("time stands still until it is moved: retries and deadlines wait for it", async () => {
  const clock = new TestClock();
  let calls = 0;
  const flaky = () => {
    if (++calls < 3) throw new Error("busy");
    return { n: calls };
  };
  const State = Annotation.Root({ n: Annotation() });
  const graph = new StateGraph(State)
    .addNode("a", flaky, {
      retryPolicy: { initialInterval: 60_000, jitter: false, logWarning: false },
    })
    .addEdge(START, "a")
    .compile();
  const run = graph.invoke({}, { clock });
  await clock.armed();
  await clock.advance(59_999);
  assert.equal(calls, 1);
  await clock.advance(1);
  assert.equal(calls, 2);
  await clock.advance(120_000);
  assert.deepEqual(await run, { n: 3 });
  const hangs = new StateGraph(State)
    .addNode("a", () => new Promise(() => {}))
    .addEdge(START, "a")
    .compile();
  const late = hangs.invoke({}, { clock, limits: { deadlineMs: 1000 } });
  late.catch(() => {});
  await clock.armed();
  await clock.advance(1000);
  await assert.rejects(late, { code: "DEADLINE" });
  assert.equal(clock.waiting, 0);
});

test("a recording of such a run is the same each time, and plays", async () => {
  const flow = (checkpointer) => {
    const add = task("add", async (x) => x + 1);
    return entrypoint({ name: "flow", checkpointer }, async (x) => add(await add(x)));
  };
  const tapes = [];
  for (let i = 0; i < 2; i++) {
    const tape = record();
    await flow(new MemorySaver()).invoke(1, {
      ...thread,
      record: tape,
      clock: 1_700_000_000_000,
      ids: testIds(),
    });
    tapes.push(tape.text());
  }
  assert.equal(tapes[0], tapes[1]);
  assert.equal(replay(tapes[0]).status, "done");
});

test("a thread whose checkpoints are newer than the clock goes on in order", async () => {
  const saver = new MemorySaver();
  const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
    .addNode("a", () => ({ n: 1 }))
    .addEdge(START, "a")
    .compile({ checkpointer: saver });
  await graph.invoke({ n: 0 }, thread);
  await graph.invoke({ n: 0 }, { ...thread, clock: 0 });
  const ids = [];
  for await (const { config } of graph.getStateHistory(thread))
    ids.push(config.configurable.checkpoint_id);
  assert.equal(ids.length, 6);
  assert.deepEqual([...ids].sort().reverse(), ids);
});

test("what is no clock, and no source of ids, is refused", async () => {
  const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
    .addNode("a", () => ({ n: 1 }))
    .addEdge(START, "a")
    .compile();
  for (const given of [
    { clock: "now" },
    { clock: {} },
    { clock: NaN },
    { clock: () => undefined },
    { ids: "x" },
    { ids: () => "no id" },
    { ids: () => 5 },
  ]) {
    await assert.rejects(graph.invoke({}, given), { code: "BAD_ARGUMENT" });
  }
});
