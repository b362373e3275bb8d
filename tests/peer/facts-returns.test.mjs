// SPDX-License-Identifier: MIT
// Facts 5.6 to 5.10 and 9.8, 21.5, 21.6: what a node may return and what each return does.
import { setTimeout } from "node:timers/promises";
import { fact, logState, thread } from "./harness.mjs";

/**
 * START -> n -> after, and a bystander that only a Command reaches; n returns what `make` gives.
 */
function graphOf(lib, make, options) {
  return new lib.StateGraph(logState(lib, { a: lib.Annotation }))
    .addNode("n", (state, config) => make(lib, state, config), { ends: ["aside"] })
    .addNode("aside", (state) => ({ log: [`aside ${JSON.stringify(state)}`] }))
    .addNode("after", () => ({ log: ["after"] }))
    .addEdge(lib.START, "n")
    .addEdge("n", "after")
    .compile(options);
}

const returns = {
  null: () => null,
  undefined: () => undefined,
  "an empty object": () => ({}),
  "an unknown key": () => ({ nobody: 1 }),
  "a key that is undefined": () => ({ a: undefined }),
  "a key that is null": () => ({ a: null }),
  zero: () => 0,
  "an empty string": () => "",
  false: () => false,
  "a string": () => "text",
  "a number": () => 7,
  true: () => true,
  "an empty list": () => [],
  "a list of objects": () => [{ a: 1 }],
  "a list of pairs": () => [["a", 1]],
  "a date": () => new Date(0),
  "a map": () => new Map([["a", 1]]),
  "a function": () => () => ({ a: 1 }),
  "a promise": async () => ({ a: "later" }),
  "an instance with keys": () =>
    new (class {
      a = "field";
    })(),
  "an empty Command": (lib) => new lib.Command({}),
  "Command update": (lib) => new lib.Command({ update: { a: 1, nobody: 2 } }),
  "Command update of pairs": (lib) =>
    new lib.Command({
      update: [
        ["log", ["1"]],
        ["log", ["2"]],
        ["a", 3],
      ],
    }),
  "Command update of a string": (lib) => new lib.Command({ update: "text" }),
  "Command goto": (lib) => new lib.Command({ goto: "aside" }),
  "Command goto a list": (lib) => new lib.Command({ goto: ["aside", "after"] }),
  "Command goto END": (lib) => new lib.Command({ goto: lib.END, update: { a: 1 } }),
  "Command goto an unknown node": (lib) => new lib.Command({ goto: "x" }),
  "Command goto START": (lib) => new lib.Command({ goto: lib.START }),
  "Command goto a Send": (lib) =>
    new lib.Command({ goto: new lib.Send("aside", { from: "send" }) }),
  "Command goto a Send to an unknown node": (lib) =>
    new lib.Command({ goto: new lib.Send("x", {}) }),
  "Command goto Sends and a name": (lib) =>
    new lib.Command({
      goto: [new lib.Send("aside", { k: 1 }), "aside", new lib.Send("aside", { k: 2 })],
    }),
  "Command with resume": (lib) => new lib.Command({ resume: "r", update: { a: 1 } }),
  "a bare Send": (lib) => new lib.Send("aside", { bare: true }),
  "a list of Sends": (lib) => [new lib.Send("aside", { k: 1 }), new lib.Send("aside", { k: 2 })],
  "a list of Commands": (lib) => [
    new lib.Command({ update: { log: ["c1"] } }),
    new lib.Command({ goto: "aside" }),
  ],
  "a Command and an object": (lib) => [{ log: ["o"] }, new lib.Command({ update: { log: ["c"] } })],
  "a Command and a Send": (lib) => [
    new lib.Command({ update: { log: ["c"] } }),
    new lib.Send("aside", { k: 1 }),
  ],
  "a Command and a string": (lib) => [new lib.Command({ update: { log: ["c"] } }), "text"],
};

fact("5.8, 21.6", "what a node may return", async (lib, t) => {
  for (const [label, make] of Object.entries(returns)) {
    t.note("returns", label);
    await t.stream(graphOf(lib, make), { log: [] }, { streamMode: ["updates", "values"] });
  }
});

fact("5.9", "the forms of Command.update as input", async (lib, t) => {
  const saver = new lib.MemorySaver();
  const graph = graphOf(lib, () => ({ log: ["n"] }), { checkpointer: saver });
  const updates = [
    { a: 1, nobody: 2 },
    [
      ["log", ["1"]],
      ["log", ["2"]],
    ],
    [["nobody", 1]],
    {},
    "text",
  ];
  for (const [index, update] of updates.entries()) {
    await t.invoke(graph, { log: ["in"] }, thread(`t${index}`));
    await t.invoke(graph, new lib.Command({ update }), thread(`t${index}`));
    await t.history(graph, thread(`t${index}`));
  }
});

fact("5.7", "writers: the update, goto, edges, joins, branches", async (lib, t) => {
  t.triggers.push("join:n+m:joined");
  const graph = new lib.StateGraph(logState(lib))
    .addNode(
      "n",
      () =>
        t.note("runs", "n") &&
        new lib.Command({ update: { log: ["n"] }, goto: new lib.Send("sent", { k: 1 }) }),
      { ends: ["sent"] },
    )
    .addNode("m", () => t.note("runs", "m") && { log: ["m"] })
    .addNode("sent", () => t.note("runs", "sent") && { log: ["sent"] })
    .addNode("edge", () => t.note("runs", "edge") && { log: ["edge"] })
    .addNode("branch", () => t.note("runs", "branch") && { log: ["branch"] })
    .addNode("joined", () => t.note("runs", "joined") && { log: ["joined"] })
    .addEdge(lib.START, "n")
    .addEdge(lib.START, "m")
    .addEdge("n", "edge")
    .addEdge(["n", "m"], "joined")
    .addConditionalEdges("n", () => [new lib.Send("sent", { k: 2 }), "branch"], ["sent", "branch"])
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", { streamMode: ["updates", "values"] }), {
    sorted: true,
  });
  await t.history(graph, thread("t"));
});

fact(
  "5.10",
  "a node gets its state and a config; a Runnable that it returns is invoked",
  async (lib, t) => {
    const graph = graphOf(
      lib,
      (_, state, config) => {
        const { configurable, metadata, tags, recursionLimit } = config;
        t.note("config", {
          thread: configurable.thread_id,
          mine: configurable.mine,
          tags,
          recursionLimit,
          user: metadata.user,
          metadataThread: metadata.thread_id,
        });
        t.note("place", [
          metadata.langgraph_step,
          metadata.langgraph_node,
          metadata.langgraph_triggers,
          metadata.langgraph_path,
          metadata.langgraph_checkpoint_ns,
        ]);
        return { log: [Object.keys(state).join()] };
      },
      { checkpointer: new lib.MemorySaver() },
    );
    await t.invoke(
      graph,
      { log: [] },
      thread("t", {
        configurable: { mine: 1 },
        tags: ["tag"],
        metadata: { user: "u" },
        recursionLimit: 9,
      }),
    );
    const inner = new lib.StateGraph(logState(lib))
      .addNode("i", (state) => ({ log: [`inner of ${state.log}`] }))
      .addEdge(lib.START, "i")
      .compile();
    const runnable = {
      lc_runnable: true,
      invoke: async (state) => ({ log: [`runnable of ${state.log}`] }),
    };
    await t.invoke(
      graphOf(lib, () => runnable),
      { log: ["in"] },
    );
    await t.invoke(
      graphOf(lib, (_, state) => inner.invoke({ log: state.log })),
      { log: ["in"] },
    );
  },
);

fact("9.8", "a task without writes counts as done", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("silent", () => null)
    .addNode("fails", async () => {
      await setTimeout(5);
      throw new Error("always");
    })
    .addEdge(lib.START, "silent")
    .addEdge(lib.START, "fails")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t"));
  await t.history(graph, thread("t"));
});

fact("21.5", "a Command to a parent that is not there is swallowed", async (lib, t) => {
  const make = () =>
    new lib.Command({ graph: lib.Command.PARENT, update: { log: ["lost"] }, goto: "aside" });
  await t.stream(graphOf(lib, make), { log: ["in"] }, { streamMode: ["updates", "values"] });
  await t.stream(
    graphOf(lib, () => [new lib.Command({ update: { log: ["kept"] } }), make()]),
    { log: ["in"] },
    { streamMode: ["updates", "values"] },
  );
});

fact("21.2, 21.3", "what a snapshot shows of the thread after input", async (lib, t) => {
  const graph = graphOf(lib, () => ({ a: 1 }), { checkpointer: new lib.MemorySaver() });
  await t.state(graph, thread("nobody"));
  await t.history(graph, thread("nobody"));
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.invoke(graph, { log: ["again"] }, thread("t"));
  await t.state(graph, thread("t"));
  await t.history(graph, thread("t"));
});
