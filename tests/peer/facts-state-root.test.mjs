// SPDX-License-Identifier: MIT
// States that are one value (`__root__`), and MessageGraph, which is one.
import { fact, thread } from "./harness.mjs";

const concat = (left, right) => [].concat(left ?? [], right);
const STATES = {
  last: (lib) => lib.Annotation.Root({ __root__: lib.Annotation() }),
  reduced: (lib) => lib.Annotation.Root({ __root__: lib.Annotation({ reducer: concat }) }),
  channels: () => ({ channels: { __root__: { reducer: concat, default: () => ["d"] } } }),
  null: () => ({ channels: { __root__: null } }),
};

function build(lib, t, state, node) {
  return new lib.StateGraph(state(lib))
    .addNode("one", node ?? ((input) => (t.note("one sees", input), "r1")))
    .addNode("two", (input) => (t.note("two sees", input), new lib.Command({ update: "u2" })))
    .addEdge("__start__", "one")
    .addConditionalEdges("one", (input) => (t.note("the condition sees", input), "two"))
    .compile({ checkpointer: new lib.MemorySaver() });
}

for (const [name, state] of Object.entries(STATES)) {
  fact("5.8, 5.13", `a state of one value: ${name}`, async (lib, t) => {
    for (const [index, input] of ["s", ["l"], { o: 1 }, 5, 0, "", null, undefined, false].entries())
      await t.invoke(build(lib, t, state), input, thread(`${index}`));
    const graph = build(lib, t, state);
    t.note("nothing yet", (await graph.getState(thread("new"))).values);
    await t.stream(graph, "s", thread("stream", { streamMode: ["values", "updates", "tasks"] }));
    await t.state(graph, thread("stream"));
    await t.history(graph, thread("stream"));
    await t.update(graph, thread("stream"), "up", "one");
    await t.state(graph, thread("stream"));
    await t.invoke(
      graph,
      new lib.Command({ update: { __root__: "q" }, goto: "two" }),
      thread("command"),
    );
    await t.invoke(graph, new lib.Command({ update: "q", goto: "two" }), thread("command"));
  });

  fact("5.8, 5.9", `what a node of a state of one value may return: ${name}`, async (lib, t) => {
    const commands = [{ __root__: "k" }, { x: 1 }, [["__root__", "t"]]].map(
      (update) => new lib.Command({ update }),
    );
    for (const value of [0, "", false, null, undefined, { o: 1 }, [1, 2], ...commands])
      await t.invoke(
        build(lib, t, state, () => value),
        "s",
        thread("t"),
      );
  });
}

fact("19.1, 5.13", "MessageGraph", async (lib, t) => {
  const graph = new lib.MessageGraph()
    .addNode("answer", (messages) => ({
      role: "ai",
      content: `${messages.length}`,
      id: `a${messages.length}`,
    }))
    .addNode("more", () => [
      { role: "ai", content: "x", id: "x" },
      { role: "ai", content: "y", id: "y" },
    ])
    .addEdge("__start__", "answer")
    .addEdge("answer", "more")
    .addEdge("more", "__end__")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, { role: "user", content: "hi", id: "1" }, thread("t"));
  await t.stream(
    graph,
    [{ role: "user", content: "again", id: "2" }],
    thread("t", { streamMode: ["values", "updates"] }),
  );
  await t.state(graph, thread("t"));
});
