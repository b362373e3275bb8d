// SPDX-License-Identifier: MIT
// Conditional edges that ask: what their node wrote before is shown, and START's question is not.
import { thread } from "./harness.mjs";
import { same } from "./surface.mjs";

const MODES = ["values", "updates", "tasks", "debug", "checkpoints", ["values", "updates"]];

function stateOf(lib) {
  return lib.Annotation.Root({ a: lib.Annotation, log: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }) });
}

/** @param {(lib: any) => any} build @param {any} input */
function asking(title, build, input) {
  for (const mode of MODES) {
    same(`a condition asks, ${title}, ${mode}`, async (lib, t) => {
      const graph = build(lib).compile({ checkpointer: new lib.MemorySaver() });
      await t.stream(graph, input, thread("s", { streamMode: mode }));
      await t.state(graph, thread("s"));
      await t.stream(graph, new lib.Command({ resume: "go" }), thread("s", { streamMode: mode }));
    });
  }
  same(`a condition asks, ${title}, invoke`, async (lib, t) => {
    const graph = build(lib).compile({ checkpointer: new lib.MemorySaver() });
    await t.invoke(graph, input, thread("i"));
    await t.state(graph, thread("i"));
    await t.invoke(graph, new lib.Command({ resume: "go" }), thread("i"));
    await t.history(graph, thread("i"));
  });
}

asking("behind a node", (lib) => new lib.StateGraph(stateOf(lib))
  .addNode("x", () => ({ a: 1 })).addNode("y", () => ({ a: 2 }))
  .addEdge(lib.START, "x").addConditionalEdges("x", () => (lib.interrupt("q") === "go" ? "y" : lib.END)), {});

asking("behind a node that wrote nothing", (lib) => new lib.StateGraph(stateOf(lib))
  .addNode("x", () => ({})).addNode("y", () => ({ a: 2 }))
  .addEdge(lib.START, "x").addConditionalEdges("x", async () => (lib.interrupt("q") === "go" ? "y" : lib.END)), { a: 1 });

asking("behind START", (lib) => new lib.StateGraph(stateOf(lib))
  .addNode("y", () => ({ a: 2 })).addConditionalEdges(lib.START, () => (lib.interrupt("q") === "go" ? "y" : lib.END)), { a: 5 });

asking("beside a node", (lib) => new lib.StateGraph(stateOf(lib))
  .addNode("x", () => ({ log: "x" })).addNode("z", () => ({ log: "z" })).addNode("y", () => ({ a: 2 }))
  .addEdge(lib.START, "x").addEdge(lib.START, "z").addConditionalEdges("x", () => (lib.interrupt("q") === "go" ? "y" : lib.END)), { a: 5 });

asking("in a graph inside a node", (lib) => new lib.StateGraph(stateOf(lib))
  .addNode("inner", new lib.StateGraph(stateOf(lib)).addNode("x", () => ({ a: 1 })).addNode("y", () => ({ a: 2 })).addEdge(lib.START, "x")
    .addConditionalEdges("x", () => (lib.interrupt("q") === "go" ? "y" : lib.END)).compile())
  .addEdge(lib.START, "inner"), { a: 0 });

asking("twice", (lib) => new lib.StateGraph(stateOf(lib))
  .addNode("x", () => ({ log: "x" })).addNode("y", () => ({ a: 2 }))
  .addEdge(lib.START, "x").addConditionalEdges("x", () => [lib.interrupt("q"), lib.interrupt("r")].every((one) => one === "go") ? "y" : lib.END), {});

same("in an update a condition is given what the update was", async (lib, t) => {
  const ask = (_, { metadata, configurable: { thread_id, of, checkpoint_map }, tags, runName }) => {
    t.note("condition", { metadata, configurable: { thread_id, of, checkpoint_map: checkpoint_map && Object.keys(checkpoint_map) }, tags, runName });
    return "y";
  };
  const graph = new lib.StateGraph(stateOf(lib)).addNode("x", () => ({ a: 1 })).addNode("y", () => ({ a: 2 }))
    .addEdge(lib.START, "x").addConditionalEdges("x", ask).compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, {}, thread("u"));
  await t.update(graph, thread("u", { configurable: { of: 1 }, metadata: { by: "me" }, tags: ["edit"] }), { a: 3 }, "x");
  await t.state(graph, thread("u"));
});
