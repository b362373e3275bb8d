// SPDX-License-Identifier: MIT
// Graphs as a user meets them: what a compiled one shows of itself, what a call may carry.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as theirs from "@langchain/langgraph-checkpoint";
import * as ours from "weftgraph/checkpoint";
import { logState, thread } from "./harness.mjs";
import { same } from "./surface.mjs";

const fieldsOf = (graph) => [
  graph.inputChannels,
  graph.outputChannels,
  graph.streamChannels,
  graph.streamChannelsAsIs,
  graph.streamChannelsList,
  graph.streamMode,
  graph.debug,
  graph.autoValidate,
  Object.keys(graph.channels),
  Object.values(graph.channels).map((channel) => channel.lc_graph_name),
  Object.keys(graph.nodes),
  structuredClone(graph.triggerToNodes),
  graph.name,
  graph.validate() === graph,
];

same("channels, triggers and modes of a compiled graph", async (lib, t) => {
  const empty = () => ({});
  const one = (...schema) =>
    new lib.StateGraph(...schema).addNode("n", empty).addEdge(lib.START, "n");
  const whole = lib.Annotation.Root({
    a: lib.Annotation,
    b: lib.Annotation({ reducer: (x, y) => x + y, default: () => 0 }),
    c: lib.Annotation,
  });
  t.note("plain", fieldsOf(one(whole).compile()));
  t.note(
    "joined",
    fieldsOf(
      one(whole)
        .addNode("m", empty, { defer: true })
        .addNode("o", empty)
        .addEdge("n", "m")
        .addEdge(["n", "m"], "o")
        .compile({ name: "named" }),
    ),
  );
  t.note(
    "deferred join",
    fieldsOf(
      one(whole)
        .addNode("m", empty)
        .addNode("o", empty, { defer: true })
        .addEdge("n", "m")
        .addEdge(["n", "m"], "o")
        .compile(),
    ),
  );
  const [input, output] = ["a", "c"].map((key) => lib.Annotation.Root({ [key]: lib.Annotation }));
  t.note("other ends", fieldsOf(one({ stateSchema: whole, input, output }).compile()));
});

same("a node of a compiled graph", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("n", () => ({ log: [1] }), { metadata: { x: 1 } })
    .addEdge(lib.START, "n")
    .compile();
  const { triggers, channels, metadata, tags, bound } = graph.nodes.n;
  t.note("n", { triggers, channels, metadata, tags, name: bound.name });
  t.note("start", [
    graph.nodes.__start__.triggers,
    graph.nodes.__start__.channels,
    graph.nodes.__start__.tags,
  ]);
  await t.try("bound", () => bound.invoke({ log: [] }));
  await t.try("invoke", () => graph.nodes.n.invoke({ log: [] }));
});

same("the nodes of a builder", async (lib, t) => {
  const [a, b] = ["a", "b"].map((key) => lib.Annotation.Root({ [key]: lib.Annotation }));
  const step = () => ({});
  const builder = new lib.StateGraph(a)
    .addNode("plain", step)
    .addNode("full", step, {
      defer: true,
      metadata: { q: 1 },
      ends: ["plain"],
      retryPolicy: { maxAttempts: 2 },
      cachePolicy: true,
      timeout: 30,
      subgraphs: [],
    })
    .addNode("handled", step, { input: b, defer: false, errorHandler: step });
  for (const [name, { runnable, input, ...spec }] of Object.entries(builder.nodes))
    t.note(name, [runnable.name, Object.keys(input), spec]);
  const graph = builder.addEdge(lib.START, "full").addEdge("full", "handled").compile();
  for (const [name, { channels }] of Object.entries(graph.nodes))
    t.note(`${name} compiled`, channels);
  t.note(
    "channels",
    Object.entries(graph.channels).map(([name, channel]) => [
      name,
      channel instanceof lib.BaseChannel,
      channel.isAvailable(),
    ]),
  );
  t.note(
    "channels of a state",
    Object.values(logState(lib, { x: lib.Annotation }).spec).map((channel) =>
      Object.keys(channel).sort(),
    ),
  );
});

same("a state with other names for its input and output", async (lib, t) => {
  const [whole, part] = [["a", "b"], ["a"]].map((keys) =>
    lib.Annotation.Root(Object.fromEntries(keys.map((key) => [key, lib.Annotation]))),
  );
  for (const args of [
    [{ state: whole, inputSchema: part }],
    [whole, { inputSchema: part, outputSchema: part }],
    [{ inputSchema: part }],
    [whole, { input: part, output: part }],
  ]) {
    await t.try("output", () =>
      new lib.StateGraph(...args)
        .addNode("n", (state) => (t.note("n", state), {}))
        .addEdge(lib.START, "n")
        .compile()
        .invoke({ a: 1, b: 2 }),
    );
  }
});

same("a node's options that LangGraph.js does not know", async (lib, t) => {
  for (const options of [
    { tags: ["t"] },
    { retries: {} },
    { name: "other" },
    { inputSchema: 1 },
    "text",
    1,
    null,
  ]) {
    const graph = new lib.StateGraph(logState(lib))
      .addNode("n", (_, { tags }) => ({ log: [tags] }), options)
      .addEdge(lib.START, "n")
      .compile();
    t.note("tags", graph.nodes.n.tags);
    await t.stream(graph, { log: [] }, { streamMode: ["tasks", "values"], tags: ["call"] });
  }
});

same("breakpoints given as one text", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile();
  for (const interruptBefore of ["a", "b", "c", "*", ""])
    await t.invoke(graph, { log: [] }, { interruptBefore });
  await t.invoke(graph, { log: [] }, { interruptAfter: "a" });
  const stopping = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addEdge(lib.START, "a")
    .compile({ interruptBefore: ["a"] });
  for (const interruptBefore of [undefined, null, "", false, []])
    await t.invoke(stopping, { log: [] }, { interruptBefore });
});

for (const checkpoint_id of ["no id", "", null]) {
  same(`${JSON.stringify(checkpoint_id)} as a checkpoint_id`, async (lib, t) => {
    const graph = new lib.StateGraph(logState(lib))
      .addNode("a", () => ({ log: ["a"] }))
      .addEdge(lib.START, "a")
      .compile({ checkpointer: new lib.MemorySaver() });
    const at = thread("t", { configurable: { checkpoint_id } });
    await t.state(graph, at);
    await t.history(graph, at);
    await t.invoke(graph, { log: [1] }, thread("t"));
    await t.state(graph, at);
    await t.history(graph, at);
    await t.history(graph, thread("t"), { limit: 0 });
    await t.invoke(graph, null, at);
  });
}

test("the words of savers", () => {
  for (const name of ["ERROR", "INTERRUPT", "RESUME", "SCHEDULED", "TASKS"])
    assert.equal(ours[name], theirs[name]);
  const namespace = "1ef4f797-8335-6428-8001-8a1503f9b875";
  for (const name of ["a", "", "é"])
    assert.equal(ours.uuid5(name, namespace), theirs.uuid5(name, namespace));
  for (const { uuid5 } of [ours, theirs])
    assert.throws(() => uuid5("a", "none"), { name: "TypeError" });
});

same("a node reads and edits threads: its own, another one, with its config", async (lib, t) => {
  const State = lib.Annotation.Root({ a: lib.Annotation() });
  const checkpointer = new lib.MemorySaver();
  const one = (node) =>
    new lib.StateGraph(State).addNode("x", node).addEdge(lib.START, "x").compile({ checkpointer });
  const inside = async (name, look) => {
    const graph = one(async (_, config) => {
      await t.try(name, () => look(graph, config));
      return { a: name };
    });
    await t.invoke(graph, { a: 1 }, thread(name));
  };
  const show = async (state) => ({
    values: (await state).values,
    thread: (await state).config.configurable?.thread_id,
  });
  await inside("own", (graph) => show(graph.getState(thread("own"))));
  await inside("other", async (graph) => [
    await graph.updateState(thread("new"), { a: 8 }).then(Object.keys),
    await show(graph.getState(thread("new"))),
  ]);
  await inside("none", (graph) => show(graph.getState({})));
  await inside("edit", (graph) => graph.updateState({}, { a: 7 }));
  await inside("config", async (graph, config) => [
    await show(graph.getState(config)),
    (await graph.updateState(config, { a: 9 })).configurable.thread_id,
  ]);
  await inside("history", async (graph) => {
    const found = [];
    for await (const { values, next } of graph.getStateHistory(thread("history")))
      found.push([values, next]);
    return found;
  });
});

same("breakpoints that are null", async (lib, t) => {
  for (const key of ["interruptBefore", "interruptAfter"]) {
    const builder = new lib.StateGraph(logState(lib))
      .addNode("a", () => ({ log: ["a"] }))
      .addEdge(lib.START, "a");
    await t.invoke(builder.compile({ [key]: null }), { log: [] });
    await t.invoke(builder.compile({ [key]: ["a"] }), { log: [] }, { [key]: null });
  }
});

same("edges to what is no name", async (lib, t) => {
  for (const [from, to] of [
    ["a", undefined],
    ["a", null],
  ]) {
    const builder = new lib.StateGraph(logState(lib))
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("b", () => ({ log: ["b"] }))
      .addEdge(lib.START, "a");
    builder.addEdge("a", "b");
    await t.try("addEdge", () => builder.addEdge(from, to).edges);
    await t.try("compile", () => builder.compile().invoke({ log: [] }));
  }
});

// compile() of Weft refuses it (tests/js/refused-early.test.mjs), LangGraph.js each call.
same("what is no checkpointer", async (lib, t) => {
  for (const checkpointer of [{}, lib.MemorySaver, "memory", 1, [], { getTuple: 1 }]) {
    const build = () =>
      new lib.StateGraph(logState(lib))
        .addNode("a", () => ({ log: ["a"] }))
        .addEdge(lib.START, "a")
        .compile({ checkpointer });
    await t.try("invoke", () => build().invoke({ log: [] }, thread("1")));
    // LangGraph.js misses a checkpointer, or fails at its methods; Weft refuses it where it is
    // given.
    const isRefused = async (ask) =>
      ask().then(
        () => false,
        () => true,
      );
    t.note("state", await isRefused(async () => build().getState(thread("1"))));
    t.note("update", await isRefused(async () => build().updateState(thread("1"), { log: [] })));
  }
});

same("the channels of a builder's schemas", async (lib, t) => {
  const [state, input, output] = ["a", "b", "c"].map((key) =>
    lib.Annotation.Root({ [key]: lib.Annotation }),
  );
  for (const args of [
    [state],
    [{ stateSchema: state, input, output }],
    [state, { input, output }],
    [{ channels: { x: null } }],
  ]) {
    const {
      _schemaDefinition: whole,
      _inputDefinition: taken,
      _outputDefinition: given,
    } = new lib.StateGraph(...args);
    t.note(
      "schemas",
      [whole, taken, given].map((channels) => Object.keys(channels)),
    );
  }
});

same("the order of a snapshot's keys", async (lib, t) => {
  const keys = (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, inner]) => [
          key,
          key === "tasks" ? inner.map(keys) : key === "configurable" ? 0 : keys(inner),
        ])
      : 0;
  const inner = new lib.StateGraph(logState(lib))
    .addNode("ask", () => ({ log: [lib.interrupt("?")] }))
    .addEdge(lib.START, "ask")
    .compile();
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", inner)
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "b")
    .compile({ checkpointer: new lib.MemorySaver() });
  await graph.invoke({ log: [] }, thread("1"));
  t.note("state", keys(await graph.getState(thread("1"))));
  t.note("states", keys(await graph.getState(thread("1"), { subgraphs: true })));
  for await (const snapshot of graph.getStateHistory(thread("1")))
    t.note("history", keys(snapshot));
});
