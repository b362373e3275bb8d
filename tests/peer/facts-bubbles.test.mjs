// SPDX-License-Identifier: MIT
// Errors that are messages to a graph above: at the root nobody takes them, and the task ends
// without a word.
import { thread } from "./harness.mjs";
import { same } from "./surface.mjs";

const ERRORS = {
  "a GraphBubbleUp": (lib) => new lib.GraphBubbleUp("b"),
  "a GraphInterrupt without questions": (lib) => new lib.GraphInterrupt([]),
  "a NodeInterrupt": (lib) => new lib.NodeInterrupt("n"),
  "a GraphDrained": (lib) => new lib.GraphDrained("d"),
  "a ParentCommand for nobody": (lib) =>
    new lib.ParentCommand(new lib.Command({ update: { a: 1 } })),
  "a ParentCommand for the parent": (lib) =>
    new lib.ParentCommand(new lib.Command({ graph: lib.Command.PARENT, update: { a: 1 } })),
  "a ParentCommand of nothing": (lib) => new lib.ParentCommand(),
  "something that looks like one": () => ({ is_bubble_up: true }),
};

function graphOf(lib, node, options) {
  return new lib.StateGraph(
    lib.Annotation.Root({
      a: lib.Annotation,
      log: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
    }),
  )
    .addNode("x", node)
    .addNode("y", () => ({ log: "y" }))
    .addEdge(lib.START, "x")
    .addEdge("x", "y")
    .compile(options);
}

for (const [title, make] of Object.entries(ERRORS)) {
  for (const saves of [true, false]) {
    same(`a node throws ${title}, ${saves ? "with" : "without"} a saver`, async (lib, t) => {
      const graph = graphOf(
        lib,
        () => {
          throw make(lib);
        },
        saves ? { checkpointer: new lib.MemorySaver() } : {},
      );
      await t.stream(graph, { a: 0 }, thread("t", { streamMode: ["values", "updates", "tasks"] }));
      if (!saves) return;
      await t.state(graph, thread("t"));
      await t.invoke(graph, null, thread("t"));
    });
  }
  same(`a node of a graph inside throws ${title}`, async (lib, t) => {
    const inner = graphOf(lib, () => {
      throw make(lib);
    });
    const graph = graphOf(lib, inner, { checkpointer: new lib.MemorySaver() });
    await t.stream(graph, { a: 0 }, thread("t", { streamMode: ["values", "updates", "tasks"] }));
    await t.try("state", async () => {
      const { values, next } = await graph.getState(thread("t"));
      return [values, next];
    });
  });
}

same("a Command for a parent that is not there, beside other updates", async (lib, t) => {
  const up = new lib.Command({ graph: lib.Command.PARENT, update: { a: 1 } });
  const own = new lib.Command({ update: { a: 2 }, goto: "y" });
  for (const given of [up, [{ a: 3 }, up], [own, up], [up, own]]) {
    const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
      .addNode("x", () => given, { ends: ["y"] })
      .addNode("y", () => ({ a: 4 }))
      .addNode("z", () => ({ a: 5 }))
      .addEdge(lib.START, "x")
      .addEdge("x", "z")
      .compile();
    const ends = [];
    await t.stream(
      graph,
      { a: 0 },
      {
        streamMode: ["values", "updates", "tasks"],
        callbacks: [
          {
            handleChainEnd: () => ends.push("end"),
            handleChainError: ({ name }) => ends.push(name),
          },
        ],
      },
    );
    t.note("ends", ends.sort());
  }
});

same("a condition throws a GraphBubbleUp", async (lib, t) => {
  const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode("x", () => ({ a: 1 }))
    .addNode("y", () => ({ a: 2 }))
    .addEdge(lib.START, "x")
    .addConditionalEdges("x", () => {
      throw new lib.GraphBubbleUp("b");
    }, ["y"])
    .compile();
  await t.invoke(graph, { a: 0 });
});

same("a NodeTimeoutError by hand", async (lib, t) => {
  const fields = [
    { node: "n", kind: "run", elapsed: 5, runTimeout: 3 },
    { node: "n", kind: "idle", elapsed: 5.5, idleTimeout: 3 },
    { node: "n", kind: "other", elapsed: 5, runTimeout: 1 },
    { node: "n", kind: "other", elapsed: 5 },
    { node: "n", kind: "idle", elapsed: 5, runTimeout: 3 },
    {},
    undefined,
  ];
  for (const one of fields) {
    await t.try("made", async () => {
      const error = new lib.NodeTimeoutError(one);
      return [error.name, error.message, { ...error }];
    });
  }
});

same("a ParentCommand of a plain object", async (lib, t) => {
  for (const fields of [
    { goto: "y" },
    { graph: lib.Command.PARENT, goto: "y" },
    { graph: lib.Command.PARENT, update: { a: 5 }, goto: ["y"] },
  ]) {
    const act = () => {
      throw new lib.ParentCommand(fields);
    };
    const state = lib.Annotation.Root({ a: lib.Annotation });
    const inner = new lib.StateGraph(state).addNode("i", act).addEdge(lib.START, "i").compile();
    for (const [label, node] of Object.entries({ inside: inner, outside: act })) {
      const graph = new lib.StateGraph(state)
        .addNode("x", node, { ends: ["y"] })
        .addNode("y", ({ a }) => ({ a: a + 1 }))
        .addEdge(lib.START, "x")
        .compile();
      await t.try(label, () => graph.invoke({ a: 0 }));
    }
  }
});
