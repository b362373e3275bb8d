// SPDX-License-Identifier: MIT
// Serves: recordings: a run of any kind is played again without its nodes, reducers and stores, to
// the same end, and the first difference has a name; a text that is no recording is a typed error.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MemorySaver as ForeignSaver } from "@langchain/langgraph-checkpoint";
import {
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  RunControl,
  START,
  Send,
  StateGraph,
  entrypoint,
  interrupt,
} from "weftgraph";
import { ReplayError, record, replay } from "weftgraph/record";
import { FileSaver } from "weftgraph/savers/file";
import { importThread } from "weftgraph/savers/transfer";

const State = Annotation.Root({
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
  at: Annotation,
  ...MessagesAnnotation.spec,
});
const thread = { configurable: { thread_id: "t" } };

/**
 * A graph with messages, Sends, a reducer of the user and a question; `seen` counts what was
 * called.
 */
function build(seen, change = (builder) => builder) {
  const builder = new StateGraph(State)
    .addNode(
      "a",
      () => (seen.push("a"), { log: ["a"], at: new Date(5), messages: [new HumanMessage("hi")] }),
    )
    .addNode("b", async () => (seen.push("b"), { log: [interrupt("go on?")] }))
    .addNode("c", (state) => (seen.push("c"), { log: [`c${state.n ?? ""}`] }))
    .addEdge(START, "a")
    .addConditionalEdges("a", () => [new Send("c", { n: 1 }), new Send("c", { n: 2 }), "b"])
    .addEdge("b", "c");
  return change(builder).compile({ checkpointer: new MemorySaver() });
}

/** Records a question and its answer. */
async function recordBoth(seen = []) {
  const graph = build(seen);
  const [first, second] = [record(), record()];
  const asked = await graph.invoke({ log: ["in"] }, { ...thread, record: first });
  const states = [];
  for await (const values of await graph.stream(new Command({ resume: "yes" }), {
    ...thread,
    streamMode: "values",
    record: second,
  }))
    states.push(values);
  return { graph, asked, states, first: first.text(), second: second.text() };
}

test("a run with a question and its answer is played again, and nothing is called", async () => {
  const seen = [];
  const { asked, states, first, second } = await recordBoth(seen);
  const calls = seen.length;
  const { __interrupt__: interrupts, ...output } = asked;
  const one = replay(first);
  assert.deepEqual(
    { status: one.status, output: one.output, interrupts: one.interrupts },
    { status: "interrupted", output, interrupts },
  );
  const two = replay(second);
  assert.equal(two.status, "done");
  assert.deepEqual(two.states, states);
  assert.deepEqual(two.output, states.at(-1));
  assert.deepEqual(
    one.steps.map(({ node }) => node),
    [START, "a", "c", "c", "b"],
  );
  assert.deepEqual(
    two.steps.map(({ node }) => node),
    ["b", "c"],
  );
  assert.equal(seen.length, calls);
});

test("the same recording gives the same, again and again", async () => {
  const { first } = await recordBoth();
  assert.deepEqual(replay(first), replay(first));
});

test("a recording whose graph is damaged is refused with a code", async () => {
  const { first } = await recordBoth();
  const tape = JSON.parse(first);
  const at = tape.entries.findIndex(([name]) => name === "weft_graph_new") - 1;
  const graph = Buffer.from(tape.entries[at][3], "base64").toString();
  for (const wrong of [
    "{",
    "[]",
    "null",
    "5",
    graph.replace('"nodes":', '"noses":'),
    graph.replace('"output":', '"outing":'),
  ]) {
    const bytes = Buffer.from(wrong.padEnd(graph.length));
    tape.entries[at][3] = bytes.toString("base64");
    assert.throws(() => replay(JSON.stringify(tape)), { code: "BAD_ARGUMENT" }, wrong);
  }
});

test("what was recorded is not disturbed, and goes on", async () => {
  const { graph } = await recordBoth();
  assert.deepEqual((await graph.getState(thread)).values.log, ["in", "a", "yes", "c1", "c2", "c"]);
  assert.equal(
    (await graph.invoke({ log: ["more"] }, { configurable: { thread_id: "other" } })).log.length,
    4,
  );
  const again = record();
  await graph.invoke({ log: ["again"] }, { ...thread, record: again });
  assert.equal(replay(again.text()).status, "interrupted");
});

/** A promise that others resolve. */
function latch() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** What a graph tells of a thread's checkpoints, those of graphs inside included. */
async function historyOf(graph) {
  const history = [];
  for await (const { values, next, tasks, config, metadata } of graph.getStateHistory(thread))
    history.push({ values, next, tasks, id: config.configurable.checkpoint_id, metadata });
  return history;
}

test("the thread that a replay leaves has the history of the recorded run", async () => {
  const { graph, first, second } = await recordBoth();
  const inner = new StateGraph(State)
    .addNode("i", () => ({ log: [interrupt("inside?")] }))
    .addEdge(START, "i")
    .compile();
  const outer = () => build([], (builder) => builder.addNode("d", inner).addEdge("c", "d"));
  const nested = outer();
  const third = record();
  await nested.invoke({ log: ["in"] }, thread);
  await nested.invoke(new Command({ resume: "yes" }), { ...thread, record: third });
  for (const [text, of, into] of [
    [second, graph, build([])],
    [third.text(), nested, outer()],
  ]) {
    const file = replay(text).thread;
    assert.equal(await importThread(into.checkpointer, file), "t");
    const history = await historyOf(of);
    assert.ok(history.length > 3);
    assert.deepEqual(await historyOf(into), history);
  }
  const halfway = build([]);
  await importThread(halfway.checkpointer, replay(first).thread);
  assert.deepEqual((await halfway.getState(thread)).next, ["b"]);
  assert.equal((await halfway.invoke(new Command({ resume: "no" }), thread)).log.at(-1), "c");
});

test("the thread of a store that keeps its log in pieces is put together again", async () => {
  const path = await mkdtemp(join(tmpdir(), "weft-record-"));
  try {
    const file = new FileSaver({ path });
    const graph = build([]);
    const [first, last] = [record(), record()];
    await graph.invoke({ log: ["in"] }, { ...thread, checkpointer: file, record: first });
    for (const resume of ["a", "b"])
      await graph.invoke(new Command({ resume }), { ...thread, checkpointer: file });
    await graph.invoke({ log: ["on"] }, { ...thread, checkpointer: file, record: last });
    graph.checkpointer = file;
    const into = build([]);
    await importThread(into.checkpointer, replay(last.text()).thread);
    assert.deepEqual(await historyOf(into), await historyOf(graph));
    assert.notEqual(replay(first.text()).thread, undefined);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});

test("the thread is whole where it was read while the run saved", async () => {
  const checkpointer = new MemorySaver();
  const { store } = checkpointer;
  const read = store.read.bind(store);
  store.read = async (...asked) => {
    const log = [...read(...asked)];
    await new Promise((resolve) => setTimeout(resolve, 20));
    return log;
  };
  const [begun, gate] = [latch(), latch()];
  const graph = new StateGraph(State)
    .addNode("a", async () => {
      begun.resolve();
      await gate.promise;
      return { log: ["a"] };
    })
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer });
  const recording = record();
  const run = graph.invoke({ log: ["in"] }, { ...thread, record: recording });
  await begun.promise;
  const reading = historyOf(graph);
  gate.resolve();
  await Promise.all([run, reading]);
  const into = new MemorySaver();
  await importThread(into, replay(recording.text()).thread);
  const { values, next } = await graph.getState({ ...thread, checkpointer: into });
  assert.deepEqual([values.log, next], [["in", "a", "b"], []]);
});

test("a run without a thread leaves none", async () => {
  const recording = record();
  const graph = new StateGraph(State).addNode("a", () => ({ log: ["a"] })).addEdge(START, "a");
  await graph.compile().invoke({ log: [] }, { record: recording });
  assert.equal(replay(recording.text()).thread, undefined);
});

test("a run that goes on with a foreign checkpointer's thread, and a graph inside with another's, is played too", async () => {
  const inner = new StateGraph(State)
    .addNode("i", () => ({
      log: [interrupt("inside?")],
      messages: [new HumanMessage({ content: "i", id: "i" })],
    }))
    .addEdge(START, "i");
  const parts = {
    own: inner.compile({ checkpointer: new ForeignSaver() }),
    parent: inner.compile(),
  };
  for (const [name, part] of Object.entries(parts)) {
    const graph = new StateGraph(State)
      .addNode("a", () => ({
        log: ["a"],
        at: new Date(5),
        messages: [new HumanMessage({ content: "hi", id: "a" })],
      }))
      .addNode("b", part)
      .addNode("c", async () => ({ log: [interrupt("go on?")] }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", "c")
      .compile({ checkpointer: new ForeignSaver() });
    const seen = [];
    for (const [round, input] of [
      { log: ["in"] },
      new Command({ resume: "one" }),
      new Command({ resume: "two" }),
    ].entries()) {
      const recording = record();
      const { __interrupt__: asked, ...output } = await graph.invoke(input, {
        ...thread,
        record: recording,
      });
      const played = replay(recording.text());
      assert.deepEqual(played.interrupts, asked ?? [], `${name} ${round}`);
      assert.deepEqual(
        JSON.parse(JSON.stringify(played.output)),
        JSON.parse(JSON.stringify(output)),
        `${name} ${round}`,
      );
      seen.push(played.status);
    }
    assert.deepEqual(seen, ["interrupted", "interrupted", "done"]);
  }
});

test("failures are played too", async () => {
  const failing = new StateGraph(State)
    .addNode("bad", () => Promise.reject(new TypeError("no")))
    .addEdge(START, "bad")
    .compile();
  const endless = new StateGraph(State)
    .addNode("x", () => ({}))
    .addEdge(START, "x")
    .addEdge("x", "x")
    .compile();
  for (const [graph, name, message] of [
    [failing, "TypeError", /^no$/],
    [endless, "GraphRecursionError", /limit of 3/],
  ]) {
    const recording = record();
    await assert.rejects(graph.invoke({ log: [] }, { recursionLimit: 3, record: recording }), {
      name,
    });
    const { status, error } = replay(recording.text());
    assert.equal(status, "failed");
    assert.equal(error.name, name);
    assert.match(error.message, message);
  }
});

test("a failure that the engine knows in part has the name and the text that the caller got", async () => {
  const one = (nodes) => {
    const builder = new StateGraph(State);
    for (const [name, act] of Object.entries(nodes))
      builder.addNode(name, act).addEdge(START, name);
    return builder.compile();
  };
  const fails = (error) => async () => Promise.reject(error);
  const control = new RunControl();
  const draining = new StateGraph(State)
    .addNode("a", () => control.requestDrain("closing"))
    .addNode("b", () => ({}))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile();
  for (const [graph, name] of [
    [one({ a: () => ({ at: 1 }), b: () => ({ at: 2 }) }), "InvalidUpdateError"],
    [one({ a: fails(new TypeError("A")), b: fails(new RangeError("B")) }), "AggregateError"],
    [draining, "GraphDrained"],
  ]) {
    const recording = record();
    const error = await graph
      .invoke({ log: [] }, { control, record: recording })
      .catch((reason) => reason);
    assert.equal(error.name, name);
    assert.deepEqual(replay(recording.text()).error, { name, message: error.message });
  }
});

test("what was thrown and is no Error is played as it was", async () => {
  const noName = { name: "Error", message: '{"a":1}' };
  for (const [thrown, told] of [
    ["a text", { name: "Error", message: "a text" }],
    [null, { name: "Error", message: "null" }],
    [undefined, { name: "Error", message: "undefined" }],
    [{ a: 1 }, noName],
    [
      { name: "N", message: "M" },
      { name: "N", message: "M" },
    ],
  ]) {
    const graph = new StateGraph(State)
      .addNode("a", () => {
        throw thrown;
      })
      .addEdge(START, "a")
      .compile();
    const recording = record();
    const caught = await graph
      .invoke({ log: [] }, { record: recording })
      .then(assert.fail, (error) => error);
    assert.deepEqual(caught, thrown);
    assert.deepEqual(replay(recording.text()).error, { ...told, thrown });
  }
});

test("what a run gives as a bare value is played as that", async () => {
  const twice = entrypoint({ name: "twice", checkpointer: new MemorySaver() }, async (number) => [
    number,
    number,
  ]);
  const graph = new StateGraph(State)
    .addNode("a", () => ({ at: 7 }))
    .addEdge(START, "a")
    .compile();
  for (const [called, input, config] of [
    [twice, 4, thread],
    [graph, { log: [] }, { outputKeys: "at" }],
    [graph, { log: [] }, { outputKeys: ["at"] }],
  ]) {
    const [recording, streamed] = [record(), record()];
    const output = await called.invoke(input, { ...config, record: recording });
    assert.deepEqual(replay(recording.text(), { graph: called }).output, output);
    const chunks = [];
    for await (const values of await called.stream(input, {
      ...config,
      streamMode: "values",
      record: streamed,
    }))
      chunks.push(values);
    assert.deepEqual(replay(streamed.text()).states, chunks);
  }
});

test("a run that was given up is played as far as it went", async () => {
  const recording = record();
  const graph = new StateGraph(State)
    .addNode("x", () => new Promise(() => {}))
    .addEdge(START, "x")
    .compile();
  graph.invoke({ log: ["in"] }, { record: recording });
  // A run lets the event loop turn now and then.
  let played;
  for (let turns = 0; turns < 1000 && !played?.steps.some(({ node }) => node === "x"); turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    played = replay(recording.text());
  }
  const { status, steps } = played;
  assert.equal(status, "unfinished");
  assert.deepEqual(
    steps.map(({ node }) => node),
    [START, "x"],
  );
});

test("a graph that was changed: the first difference has a name", async () => {
  const { graph, second } = await recordBoth();
  assert.equal(replay(second, { graph }).status, "done");
  const changes = [
    [
      (builder) => builder.addEdge("c", "a"),
      /there was DONE .* and there is now task 0, attempt 1, of node "a"/,
    ],
    [
      (builder) => builder.addNode("d", () => ({})).addEdge("c", "d"),
      /of the nodes, number 3 was not there, and is d/,
    ],
    [
      (builder) => builder.addConditionalEdges("c", () => "a"),
      /of the branches, number 1 was not there, and is after c/,
    ],
  ];
  for (const [change, difference] of changes) {
    assert.throws(
      () => replay(second, { graph: build([], change) }),
      (error) => {
        assert.ok(error instanceof ReplayError);
        assert.equal(error.code, "REPLAY_DIVERGED");
        assert.match(error.message, difference);
        return true;
      },
    );
  }
});

test("an answer that was changed is found", async () => {
  const { first } = await recordBoth();
  const recording = JSON.parse(first);
  const answers = recording.entries.flatMap((entry, index) =>
    entry[0] === "weft_feed" ? [index] : [],
  );
  for (const index of answers) {
    const changed = structuredClone(recording);
    changed.entries[index][2][changed.entries[index][2].length - 1] ^= 1;
    assert.throws(() => replay(JSON.stringify(changed)), { name: "ReplayError", entry: index });
  }
});

test("a text that is no recording is refused", async () => {
  const { first } = await recordBoth();
  const recording = JSON.parse(first);
  const wrong = [
    "",
    "{}",
    "null",
    "[]",
    undefined,
    first.slice(0, -5),
    JSON.stringify({ ...recording, format: 99 }),
    JSON.stringify({ ...recording, shows: 5 }),
    JSON.stringify({ ...recording, entries: [] }),
    JSON.stringify({ ...recording, entries: [["weft_feed"]] }),
    JSON.stringify({ ...recording, entries: [["value", 2, '"\\ud800'], ...recording.entries] }),
    JSON.stringify({ ...recording, entries: [["eval", [1], 1]] }),
    JSON.stringify({ ...recording, entries: [[[], [1], 1]] }),
    ...["<img>", "A", "A==="].map((bytes) =>
      JSON.stringify({ ...recording, entries: [["weft_input", [4], 1, bytes]] }),
    ),
    // Bytes beside a call that lends no place for them.
    ...[
      ["weft_live", []],
      ["weft_none", [3]],
      ["weft_load", [3]],
      ["weft_input", []],
    ].map(([name, given]) =>
      JSON.stringify({ ...recording, entries: [[name, given, 1, "AAAA"], ...recording.entries] }),
    ),
  ];
  for (const text of wrong)
    assert.throws(() => replay(text), { code: "BAD_ARGUMENT" }, String(text).slice(0, 60));
  for (const [index, entry] of recording.entries.entries()) {
    if (entry[0] === "value") continue;
    const without = {
      ...recording,
      entries: recording.entries.filter((_, other) => other !== index),
    };
    try {
      replay(JSON.stringify(without));
    } catch (error) {
      assert.ok(["REPLAY_DIVERGED", "BAD_ARGUMENT"].includes(error.code), `${entry[0]}: ${error}`);
    }
  }
});

test("a recording holds one run", async () => {
  const recording = record();
  const graph = new StateGraph(State)
    .addNode("x", () => ({ log: ["x"] }))
    .addEdge(START, "x")
    .compile();
  await graph.invoke({ log: [] }, { record: recording });
  await assert.rejects(graph.invoke({ log: [] }, { record: recording }), {
    code: "BAD_ARGUMENT",
    message: /one run/,
  });
});

test("the engine of a recorded run is dropped with its run", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const graph = build([]);
  const runOn = (id) =>
    graph.invoke({ log: [] }, { configurable: { thread_id: id }, record: record() });
  /** Memory is given back some time after its owner was collected. */
  const heldBytes = async () => {
    for (let tries = 0; tries < 10; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      gc();
    }
    return process.memoryUsage().external;
  };
  await runOn("first");
  const before = await heldBytes();
  for (let run = 0; run < 100; run++) await runOn(`${run}`);
  const grown = (await heldBytes()) - before;
  assert.ok(grown < 15e6, `${grown} bytes more after 100 runs`);
});
