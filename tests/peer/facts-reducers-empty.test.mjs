// SPDX-License-Identifier: MIT
// A reducer that answers undefined empties its channel: the key is absent until the next write,
// also where the thread is read again. What a reducer without a default is given first.
import * as peerChannels from "@langchain/langgraph/channels";
import * as channels from "weftgraph/channels";
import { thread } from "./harness.mjs";
import { same } from "./surface.mjs";

function stateOf(lib) {
  return lib.Annotation.Root({
    a: lib.Annotation({
      reducer: (_, right) => (right === "u" ? undefined : right),
      default: () => "d",
    }),
    b: lib.Annotation({ reducer: () => undefined }),
    c: lib.Annotation,
  });
}

/** @param {any} first what the first node writes */
function graphOf(lib, t, first, checkpointer) {
  const node = (name, update) => (state) => (t.note(name, [Object.keys(state), state]), update);
  return new lib.StateGraph(stateOf(lib))
    .addNode("n", node("n", first))
    .addNode("m", node("m", { c: 1 }))
    .addNode("z", node("z", { a: "w", b: 2 }))
    .addEdge(lib.START, "n")
    .addEdge("m", "z")
    .addConditionalEdges("n", (state) => (t.note("asked", [Object.keys(state).sort(), state]), "m"))
    .compile({ checkpointer });
}

for (const a of ["u", "v"]) {
  same(`a channel that a node emptied, ${a}`, async (lib, t) => {
    const graph = graphOf(lib, t, { a, b: 1 }, new lib.MemorySaver());
    const given = await graph.invoke({ b: 1, c: 0 }, thread("one"));
    t.note("given", [Object.keys(given), given]);
    await t.stream(graph, { c: 2 }, thread("two", { streamMode: ["values", "updates"] }));
    for (const name of ["one", "two"]) {
      await t.history(graph, thread(name));
      for await (const { values } of graph.getStateHistory(thread(name)))
        t.note("keys", Object.keys(values));
    }
    const bare = graphOf(lib, t, { a, b: 1 });
    await t.invoke(bare, { b: 1, c: 0 }, {});
  });
}

same("a default of nothing is none: the first value is taken as it is", async (lib, t) => {
  for (const init of [() => undefined, null, () => null, () => 0]) {
    const a = lib.Annotation({ reducer: (left, right) => `${left}+${right}`, default: init });
    const graph = new lib.StateGraph(lib.Annotation.Root({ a, c: lib.Annotation }))
      .addNode("n", (state) => (t.note("n", state), { a: "n" }))
      .addEdge(lib.START, "n")
      .compile({ checkpointer: new lib.MemorySaver() });
    await t.invoke(graph, { c: 1 }, thread("one"));
    await t.invoke(graph, { a: "i" }, thread("two"));
    await t.state(graph, thread("two"));
  }
});

same("what was emptied is empty in the next run, too", async (lib, t) => {
  const checkpointer = new lib.MemorySaver();
  const graphs = [{ a: "u" }, { c: 7 }, { a: "z" }].map((update) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("n", (state) => (t.note("n", [Object.keys(state), state]), update))
      .addNode("m", (state) => (t.note("m", state), { c: 1 }))
      .addEdge(lib.START, "n")
      .addEdge("n", "m")
      .compile({ checkpointer }),
  );
  const [empties, keeps, writes] = graphs;
  for (const graph of [empties, empties, keeps, writes, empties, keeps])
    await t.invoke(graph, { c: 5 }, thread("t"));
  await t.update(empties, thread("t"), { a: "u" });
  await t.state(empties, thread("t"));
  await t.invoke(keeps, { c: 5 }, thread("t"));
});

same("classes in the older form of a state keep the last value", async (lib, t) => {
  const { Topic } = t.isPeer ? peerChannels : channels;
  const graph = new lib.StateGraph({
    channels: { x: new Topic(), all: new Topic({ accumulate: true }), y: null },
  })
    .addNode("n", (state) => (t.note("n", state), { x: 1, all: 1 }))
    .addNode("m", (state) => (t.note("m", state), { y: 2 }))
    .addEdge(lib.START, "n")
    .addEdge("n", "m")
    .compile({ checkpointer: new lib.MemorySaver() });
  for (const input of [{ y: 1 }, { x: 3, y: 1 }])
    await t.stream(graph, input, thread("t", { streamMode: "values" }));
  await t.state(graph, thread("t"));
});

same("a conversation without a default is what is written first", async (lib, t) => {
  const state = lib.Annotation.Root({
    messages: lib.Annotation({ reducer: lib.messagesStateReducer }),
    kind: lib.Annotation,
  });
  const graph = new lib.StateGraph(state)
    .addNode("n", ({ messages }) => ({ kind: [typeof messages, Array.isArray(messages)] }))
    .addNode("m", () => ({ messages: { role: "ai", content: "m", id: "m" } }))
    .addEdge(lib.START, "n")
    .addEdge("n", "m")
    .compile({ checkpointer: new lib.MemorySaver() });
  for (const [name, messages] of Object.entries({
    none: undefined,
    empty: [],
    text: "hi",
    plain: [{ role: "user", content: "hi", id: "h" }],
    made: [new lib.HumanMessage({ id: "h", content: "hi" })],
  })) {
    await t.stream(
      graph,
      { messages, kind: 0 },
      thread(name, { streamMode: ["values", "updates"] }),
    );
    await t.invoke(
      graph,
      { messages: [new lib.HumanMessage({ id: "h", content: "again" })] },
      thread(name),
    );
    await t.history(graph, thread(name));
  }
});
