// SPDX-License-Identifier: MIT
// Fact 18.5: the modes tasks, checkpoints and debug; outputKeys; modes that nobody knows.
import { z } from "zod";
import { chain, fact, logState, thread } from "./harness.mjs";
import { noting } from "./saver-kit.mjs";
import { drain } from "./surface.mjs";

/** With the keys that are there and undefined. */
const shown = (value) => JSON.stringify(value, (_, member) => member ?? String(member));
const ALL = ["values", "updates", "tasks", "checkpoints", "debug"];

const steps = {
  a: [() => ({ log: ["a"] }), { metadata: { of: "a", langgraph_node: "mine" } }],
  b: [(_, config) => (config.writer("b"), { log: ["b"], x: 1 })],
  none: [() => null],
  twice: [() => ({ log: ["c"] })],
};

const asking = { a: [() => ({ log: ["a"] })], q: [null], z: [() => ({ log: ["z"] })] };
const ask = (lib) => ({ ...asking, q: [() => ({ log: [lib.interrupt("why")] })] });
const fan = (lib, hooks, options) => {
  const builder = new lib.StateGraph(logState(lib))
    .addNode("a", async () => (await null, { log: ["a"] }))
    .addNode("b", async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      await hooks.b?.();
      return { log: ["b"] };
    })
    .addNode("s", ({ k }) => ({ log: [k] }), { metadata: { m: 1 } })
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "b");
  return builder
    .addConditionalEdges("a", () => [new lib.Send("s", { k: 1 }), new lib.Send("s", { k: 2 })])
    .compile(options);
};

for (const saved of [false, true]) {
  const options = (lib) => (saved ? { checkpointer: new lib.MemorySaver() } : {});
  fact("18.5", `every mode of a chain ${saved ? "with" : "without"} a saver`, async (lib, t) => {
    const graph = chain(
      lib,
      {
        ...steps,
        twice: [
          () =>
            new lib.Command({
              update: [
                ["log", ["1"]],
                ["log", ["2"]],
                ["log", ["3"]],
                ["x", 5],
              ],
            }),
        ],
      },
      options(lib),
    );
    for (const streamMode of [
      ...ALL,
      ALL,
      ["debug", "tasks"],
      ["checkpoints", "values"],
      ["tasks"],
    ]) {
      await t.stream(graph, { log: ["in"] }, thread(String(streamMode), { streamMode }));
    }
    await t.stream(
      graph,
      { log: [] },
      thread("subgraphs", { streamMode: ["debug"], subgraphs: true }),
    );
    t.note("invoke", await graph.invoke({ log: [] }, thread("invoke", { streamMode: "tasks" })));
  });

  fact(
    "18.5",
    `Sends, one step's tasks together ${saved ? "with" : "without"} a saver`,
    async (lib, t) => {
      await t.stream(
        fan(lib, {}, options(lib)),
        { log: [] },
        thread("1", { streamMode: ["values", "tasks", "checkpoints"] }),
      );
    },
  );

  fact("18.5", `a Command ${saved ? "with" : "without"} a saver`, async (lib, t) => {
    const graph = chain(
      lib,
      { a: [() => ({ log: ["a"] })], z: [() => ({ log: ["z"] })] },
      options(lib),
    );
    await t.stream(
      graph,
      new lib.Command({ goto: "z", update: { log: ["u"] } }),
      thread("1", { streamMode: ALL }),
    );
    await t.stream(graph, { log: [] }, thread("1", { streamMode: ALL }));
    await t.stream(
      graph,
      new lib.Command({ goto: "a", update: { log: ["u"] } }),
      thread("1", { streamMode: ALL }),
    );
  });
}

fact("18.5", "config and metadata of tasks and checkpoints", async (lib, t) => {
  const graph = chain(lib, { a: steps.a }, { checkpointer: new lib.MemorySaver() });
  await t.stream(
    graph,
    { log: [] },
    thread("1", {
      streamMode: ["tasks", "checkpoints"],
      tags: ["one", "two"],
      runName: "named",
      maxConcurrency: 2,
      recursionLimit: 7,
      callbacks: [],
      runId: "11111111-1111-4111-8111-111111111111",
      context: { c: 1 },
      metadata: {
        mine: 1,
        thread_id: "told",
        langgraph_foo: 2,
        langgraph_step: 3,
        checkpoint_ns: "x",
        checkpoint_id: "y",
        task_id: "z",
      },
      configurable: { user: 1, assistant_id: "as", graph_id: "g", run_id: "r" },
    }),
  );
});

fact("18.5", "questions and answers", async (lib, t) => {
  const graph = chain(lib, ask(lib), { checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("1", { streamMode: ALL }));
  await t.stream(graph, null, thread("1", { streamMode: ALL }));
  await t.stream(graph, new lib.Command({ resume: "yes" }), thread("1", { streamMode: ALL }));
});

fact("18.5", "a question beside a node that is done", async (lib, t) => {
  const builder = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("q", async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return { log: [lib.interrupt("why")] };
    });
  const graph = builder
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "q")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("1", { streamMode: ALL }));
  await t.stream(graph, new lib.Command({ resume: "yes" }), thread("1", { streamMode: ALL }));
});

fact("18.5", "a failure, and going on after it", async (lib, t) => {
  const hooks = { b: () => new Promise((_, reject) => setTimeout(reject, 5, new Error("no"))) };
  const graph = fan(lib, hooks, { checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("1", { streamMode: ["tasks", "checkpoints"] }));
  hooks.b = undefined;
  await t.stream(graph, null, thread("1", { streamMode: ["tasks", "updates", "checkpoints"] }));
});

/** What fails once its neighbours have begun, and what they do until they are cut short. */
const fails = () => new Promise((_, reject) => setTimeout(reject, 5, new Error("no")));
const hangs = (config) =>
  new Promise((_, reject) =>
    config.signal.addEventListener("abort", () => reject(new Error("late"))),
  );

fact("18.5", "a failure cuts graphs, handlers and calls short: what is thrown", async (lib, t) => {
  const beside = (nodes, policies = {}) =>
    Object.entries(nodes)
      .reduce(
        (builder, [name, node]) =>
          builder.addNode(name, node, policies[name]).addEdge(lib.START, name),
        new lib.StateGraph(logState(lib)),
      )
      .compile();
  const waits = (_, config) => hangs(config);
  const one = lib.task("one", fails);
  const two = lib.task("two", () => new Promise(() => {}));
  const leave = () => void two().catch(() => {});
  const graphs = [
    beside({ a: fails, g: beside({ k: waits }) }),
    beside({ g: beside({ a: fails, k: waits }) }),
    beside(
      {
        a: async () => {
          throw new Error("first");
        },
        s: waits,
      },
      { a: { errorHandler: fails } },
    ),
    beside({ a: () => one(), b: waits }),
    beside({ a: () => one(), b: () => two() }),
    beside({ a: fails, b: () => two() }),
    beside({ a: () => (leave(), fails()), b: () => two() }),
    lib.entrypoint("waits", () => Promise.all([two(), one(), two()])),
    lib.entrypoint("leaves", () => (leave(), one())),
    lib.entrypoint("fails", () => (leave(), fails())),
  ];
  for (const graph of graphs)
    for (const subgraphs of [false, true]) {
      await t.stream(graph, { log: [] }, { streamMode: "tasks", subgraphs }, { fallible: true });
      await t.invoke(graph, { log: [] });
    }
});

fact("18.5", "an input that the state refuses is no task that failed", async (lib, t) => {
  const state = z.object({ size: z.string().transform((text) => text.length) });
  for (const checkpointer of [undefined, new lib.MemorySaver()])
    for (const streamMode of ["tasks", "debug", ["values", "tasks"]]) {
      const graph = new lib.StateGraph(state)
        .addNode("a", () => ({}))
        .addEdge(lib.START, "a")
        .compile({ checkpointer });
      await t.stream(graph, { size: "four" }, thread("1", { streamMode }));
    }
});

fact(
  "18.5, 3.1",
  "the order of a config's keys, in checkpoints and for a saver",
  async (lib, t) => {
    const inner = chain(lib, { i: () => ({ log: ["i"] }) });
    const orders = (config) =>
      Object.keys(config?.configurable ?? {})
        .filter((key) => ["thread_id", "checkpoint_ns", "own"].includes(key))
        .join();
    const saver = noting({ note: () => {} });
    const puts = new Set();
    for (const name of ["put", "putWrites"]) {
      const act = saver[name].bind(saver);
      saver[name] = (config, ...rest) => (
        puts.add(`${name} ${orders(config)}`), act(config, ...rest)
      );
    }
    for (const checkpointer of [new lib.MemorySaver(), saver]) {
      const graph = chain(lib, { a: () => ({ log: ["a"] }), b: inner }, { checkpointer });
      const config = thread("t", {
        streamMode: "checkpoints",
        subgraphs: true,
        configurable: { own: 1 },
      });
      for (const [, chunk] of await drain(graph.stream({ log: [] }, config)))
        t.note("chunk", [orders(chunk.config), orders(chunk.parentConfig)]);
    }
    t.note("puts", [...puts].sort());
  },
);

fact("18.5", "breakpoints and time travel", async (lib, t) => {
  const graph = chain(
    lib,
    { a: steps.a, b: steps.b, none: steps.none },
    { checkpointer: new lib.MemorySaver(), interruptBefore: ["b"], interruptAfter: ["b"] },
  );
  await t.stream(graph, { log: [] }, thread("1", { streamMode: ALL }));
  await t.stream(graph, null, thread("1", { streamMode: ALL }));
  await t.stream(graph, null, thread("1", { streamMode: ALL }));
  const ids = [];
  for await (const { config } of graph.getStateHistory(thread("1")))
    ids.push(config.configurable.checkpoint_id);
  await t.stream(
    graph,
    null,
    thread("1", { streamMode: ALL, configurable: { checkpoint_id: ids[2] } }),
  );
  await t.stream(
    graph,
    { log: ["new"] },
    thread("1", { streamMode: ALL, configurable: { checkpoint_id: ids[3] } }),
  );
});

fact("18.5", "checkpoints under every durability", async (lib, t) => {
  for (const durability of ["sync", "async", "exit"]) {
    const graph = chain(lib, { a: steps.a, b: steps.b }, { checkpointer: new lib.MemorySaver() });
    await t.stream(
      graph,
      { log: [] },
      thread("1", { streamMode: ["checkpoints", "values"], durability }),
    );
    await t.stream(
      graph,
      { log: [] },
      thread("1", { streamMode: ["checkpoints", "values"], durability }),
    );
  }
});

fact("18.5", "schemas of nodes and output in every mode", async (lib, t) => {
  const { Annotation } = lib;
  const full = logState(lib, { x: Annotation, y: Annotation });
  const builder = new lib.StateGraph({
    stateSchema: full,
    output: Annotation.Root({ x: Annotation }),
    input: Annotation.Root({ x: Annotation }),
  });
  const graph = builder
    .addNode("a", () => ({ log: ["a"], x: 1, y: 2 }), { input: Annotation.Root({ y: Annotation }) })
    .addNode("b", () => ({ y: 3 }))
    .addNode("p", () => new lib.Command({ graph: "__parent__", update: { x: 2 } }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge("b", "p")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { x: 0 }, thread("1", { streamMode: ALL }));
});

fact("18.5", "the recursion limit and a channel's rule", async (lib, t) => {
  const loop = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "a")
    .compile();
  await t.stream(loop, { log: [] }, { streamMode: ["tasks", "values"], recursionLimit: 3 });
  const two = new lib.StateGraph(lib.Annotation.Root({ x: lib.Annotation }))
    .addNode("a", () => ({ x: 1 }))
    .addNode("b", () => ({ x: 2 }));
  await t.stream(
    two.addEdge(lib.START, "a").addEdge(lib.START, "b").compile(),
    { x: 0 },
    { streamMode: ["tasks", "values"] },
    { fallible: true },
  );
});

fact("18.6", "outputKeys: a name, a list, one that is not there", async (lib, t) => {
  const graph = chain(
    lib,
    {
      ...steps,
      twice: [
        () =>
          new lib.Command({
            update: [
              ["log", ["1"]],
              ["log", ["2"]],
            ],
          }),
      ],
    },
    { checkpointer: new lib.MemorySaver() },
  );
  for (const outputKeys of [
    "x",
    ["x"],
    ["x", "x"],
    ["log", "x"],
    "log",
    ["log"],
    [],
    "nope",
    ["x", "nope"],
  ]) {
    const id = JSON.stringify(outputKeys);
    await t.stream(
      graph,
      { log: [] },
      thread(id, { outputKeys, streamMode: ["values", "updates", "tasks", "checkpoints"] }),
    );
    await t.invoke(graph, { log: [] }, thread(`${id}i`, { outputKeys }));
    await t.invoke(graph, { log: [] }, thread(`${id}u`, { outputKeys, streamMode: "updates" }));
  }
});

// Names of modes that nobody knows show nothing in LangGraph.js; Weft refuses them
// (tests/js/refused-early.test.mjs).
fact("18.1", "no mode shows nothing", async (lib, t) => {
  const graph = chain(lib, { a: steps.a });
  for (const streamMode of [null, [], undefined, "tools"]) {
    await t.stream(graph, { log: [] }, { streamMode });
    await t.invoke(graph, { log: [] }, { streamMode });
  }
});

for (const durability of ["async", "exit"]) {
  fact(
    "18.5, 4.1",
    `what was undefined when a run ended is not there from then on: ${durability}`,
    async (lib, t) => {
      // Under "exit" LangGraph.js gives what a reducer emptied its default again, and Weft does not
      // (tests/js/emptied-channels.test.mjs).
      const b =
        durability === "exit"
          ? lib.Annotation()
          : lib.Annotation({ reducer: (_, b) => b, default: () => 5 });
      const graph = new lib.StateGraph(
        lib.Annotation.Root({ a: lib.Annotation(), b, c: lib.Annotation() }),
      )
        .addNode("n", () => ({ a: undefined, b: undefined }))
        .addNode("m", (seen) => void t.note("m", shown(seen)))
        .addEdge(lib.START, "n")
        .addEdge("n", "m")
        .compile({ checkpointer: new lib.MemorySaver() });
      for (const input of [{ a: 1, c: undefined }, { a: undefined }, { c: 3 }, null]) {
        const chunks = await drain(
          graph.stream(input, thread("1", { durability, streamMode: ["checkpoints", "updates"] })),
        );
        t.note(
          "chunks",
          chunks.map(([mode, chunk]) => [mode, shown(mode === "updates" ? chunk : chunk.values)]),
        );
        t.note("state", shown((await graph.getState(thread("1"))).values));
      }
      await graph.updateState(thread("1"), { a: undefined, c: 4 }, "n");
      for await (const { values } of graph.getStateHistory(thread("1")))
        t.note("history", shown(values));
    },
  );
}
