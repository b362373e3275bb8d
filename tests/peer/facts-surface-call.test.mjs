// SPDX-License-Identifier: MIT
// What a compiled graph's properties and a call's options change: what is given, what is shown,
// where it stops; and calls without a thread or without input.
// Own process: takes as long as many other files.
import * as peerChannels from "@langchain/langgraph/channels";
import * as peerPregel from "@langchain/langgraph/pregel";
import * as channels from "weftgraph/channels";
import * as pregel from "weftgraph/pregel";
import { LIBRARIES } from "./harness.mjs";
import { drain, same } from "./surface.mjs";

const sum = (lib) => lib.Annotation({ reducer: (a, b) => a + b, default: () => 0 });
const stateOf = (lib) => lib.Annotation.Root({ n: sum(lib), m: lib.Annotation() });
const steps = (builder, lib, options) =>
  builder
    .addNode("a", () => ({ n: 1, m: 2 }))
    .addNode("b", () => ({ n: 1 }))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", () => "b", ["b"])
    .compile(options);
const whole = (lib, options) => steps(new lib.StateGraph(stateOf(lib)), lib, options);
const narrow = (lib, options) =>
  steps(
    new lib.StateGraph(stateOf(lib), {
      input: lib.Annotation.Root({ n: lib.Annotation() }),
      output: lib.Annotation.Root({ m: lib.Annotation() }),
    }),
    lib,
    options,
  );

function low(lib, options) {
  const isPeer = lib === LIBRARIES.langgraph;
  const {
    Pregel,
    Channel: { subscribeTo, writeTo },
  } = isPeer ? peerPregel : pregel;
  const kinds = isPeer ? peerChannels : channels;
  return new Pregel({
    nodes: {
      one: subscribeTo("a")
        .pipe((x) => x + 1)
        .pipe(writeTo(["b", "c"])),
      two: subscribeTo("b")
        .pipe((x) => x + 10)
        .pipe(writeTo(["d"])),
    },
    channels: {
      a: new kinds.EphemeralValue(),
      b: new kinds.LastValue(),
      c: new kinds.LastValue(),
      d: new kinds.LastValue(),
    },
    inputChannels: "a",
    outputChannels: "d",
    ...options,
  });
}

const KINDS = {
  whole: [whole, { n: 5 }],
  narrow: [narrow, { n: 5 }],
  low: [low, 5],
  flow: [(lib, options) => lib.entrypoint({ name: "f", ...options }, async (x) => x + 1), 5],
};
const MODES = ["values", "updates", "tasks", ["values", "updates"], undefined];
const THREAD = { configurable: { thread_id: "1" } };

/** Notes what each way of calling gives. */
async function use(t, graph, input, options) {
  await t.invoke(graph, input, options);
  for (const streamMode of MODES)
    await t.stream(graph, input, streamMode === undefined ? options : { ...options, streamMode }, {
      fallible: true,
    });
  await t.invoke(graph, input, { ...options, streamMode: ["values"] });
}

const WRITTEN = {
  whole: {
    outputChannels: ["n", ["n"], "zz"],
    streamChannels: ["n", ["n"], ["m", "n"]],
    streamMode: [["values"], ["updates", "values"], []],
    interruptBefore: [["b"], "*"],
    stepTimeout: [1000],
    name: ["q"],
    config: [{ recursionLimit: 1 }, { tags: ["x"] }],
  },
  narrow: { outputChannels: ["n", ["n", "m"]], streamChannels: ["n", ["m"]] },
  low: {
    outputChannels: ["b", ["d", "c"], "zz"],
    streamChannels: ["b", ["d"]],
    streamMode: [["updates"]],
    name: ["q"],
  },
  flow: { streamMode: [["updates", "values"]], name: ["q"] },
};

for (const [kind, properties] of Object.entries(WRITTEN)) {
  same(`properties of a compiled graph, written: ${kind}`, async (lib, t) => {
    const [build, input] = KINDS[kind];
    t.triggers = ["a", "b"];
    for (const [name, values] of Object.entries(properties)) {
      for (const value of values) {
        for (const saved of name.endsWith("Channels") ? [false, true] : [false]) {
          const graph = build(lib, saved ? { checkpointer: new lib.MemorySaver() } : {});
          graph[name] = value;
          t.note(name, [value, graph[name], graph.streamChannelsAsIs.length, graph.getName()]);
          await use(t, graph, input, saved ? THREAD : {});
          if (!saved || value === "zz") continue;
          await use(t, graph.withConfig({ tags: ["copy"] }), input, THREAD);
          await t.state(graph, THREAD);
          await t.history(graph, THREAD);
        }
      }
    }
  });
}

same("the input of a low-level graph may come in elsewhere", async (lib, t) => {
  const graph = low(lib, {});
  graph.inputChannels = "b";
  await use(t, graph, 5, {});
});

const OPTIONS = [
  { outputKeys: "n" },
  { outputKeys: ["n"] },
  { outputKeys: [] },
  { outputKeys: "zz" },
  { outputKeys: ["m", "n"] },
  { outputKeys: null },
  { inputKeys: "n" },
  { inputKeys: ["zz"] },
  { interruptBefore: ["b"] },
  { interruptBefore: "*" },
  { interruptBefore: "b" },
  { interruptBefore: ["zz"] },
  { interruptBefore: [] },
  { interruptAfter: ["a"] },
  { interruptAfter: "*" },
  { interruptAfter: "all" },
  { interruptBefore: null },
  { subgraphs: true },
  { cache: null },
  { store: null },
  { streamMode: [] },
  { streamMode: null },
  { recursionLimit: 2 },
  { recursionLimit: null },
  { runName: "r" },
  { metadata: null },
  { callbacks: [] },
  { signal: null },
  { timeout: null },
  { context: 5 },
  { context: null },
  { control: null },
];

for (const [kind, [build, input]] of Object.entries(KINDS)) {
  same(`options of a call, and of withConfig: ${kind}`, async (lib, t) => {
    for (const options of OPTIONS) {
      t.note("options", options);
      await use(t, build(lib, { checkpointer: new lib.MemorySaver() }), input, {
        ...THREAD,
        ...options,
      });
      await use(t, build(lib, {}).withConfig(options), input, {});
    }
  });
}

same("a question, and a graph inside, where subgraphs are shown", async (lib, t) => {
  const asks = new lib.StateGraph(stateOf(lib))
    .addNode("a", () => ({ m: lib.interrupt("q") }))
    .addEdge(lib.START, "a")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(asks, { n: 1 }, { ...THREAD, subgraphs: true });
  await t.invoke(asks, new lib.Command({ resume: 5 }), { ...THREAD, subgraphs: true });
  await t.invoke(asks, { n: 1 }, { ...THREAD, outputKeys: "n" });
  const around = new lib.StateGraph(stateOf(lib))
    .addNode("in", whole(lib))
    .addEdge(lib.START, "in")
    .compile();
  for (const streamMode of [undefined, "values", "updates", ["values"]])
    await t.invoke(around, { n: 1 }, { subgraphs: true, ...(streamMode && { streamMode }) });
});

same("breakpoints where the output is one value", async (lib, t) => {
  for (const value of [6, "x", { x: 1 }, [1], null, undefined]) {
    const flow = lib.entrypoint(
      { name: "f", checkpointer: new lib.MemorySaver() },
      async () => value,
    );
    await t.invoke(flow, 1, { ...THREAD, interruptAfter: "*" });
  }
});

for (const kind of ["low", "flow", "narrow"]) {
  same(`calls with nothing to do: ${kind}`, async (lib, t) => {
    const { Command } = lib;
    const inputs = [
      null,
      undefined,
      {},
      [],
      0,
      "",
      new Command({}),
      new Command({ resume: 1 }),
      new Command({ update: {} }),
      new Command({ goto: "a" }),
    ];
    const calls = {
      "no saver": [false, {}],
      "a new thread": [true, THREAD],
      "no thread": [true, {}],
      "a thread that ended": [true, THREAD, true],
    };
    const [build, good] = KINDS[kind];
    for (const [label, [saved, config, ended]] of Object.entries(calls)) {
      for (const input of inputs) {
        const graph = build(lib, saved ? { checkpointer: new lib.MemorySaver() } : {});
        if (ended) await graph.invoke(good, config);
        t.note(label, String(JSON.stringify(input)));
        await t.invoke(graph, input, config);
        if (label !== "no thread")
          await t.stream(graph, input, { ...config, streamMode: ["values", "updates"] });
      }
    }
  });
}

same("calls with nothing to do, or with what is no input", async (lib, t) => {
  const { Command } = lib;
  const inputs = [
    null,
    undefined,
    {},
    false,
    0,
    "",
    [],
    [["n", 3]],
    "x",
    { x: 1 },
    { n: undefined },
    new Command({}),
    new Command({ resume: 1 }),
    new Command({ update: { n: 2 } }),
    new Command({ update: {} }),
    new Command({ goto: "a" }),
    new Command({ update: { n: 1 }, graph: Command.PARENT }),
  ];
  const calls = {
    "no saver": [false],
    "no saver, no config": [false, undefined],
    "a new thread": [true, THREAD],
    "no thread": [true, {}],
    "a thread that ended": [true, THREAD, true],
  };
  for (const [label, [saved, config, ended]] of Object.entries(calls)) {
    for (const input of inputs) {
      const graph = whole(lib, saved ? { checkpointer: new lib.MemorySaver() } : {});
      if (ended) await graph.invoke({ n: 5 }, config);
      t.note(label, String(JSON.stringify(input)));
      await t.invoke(graph, input, config);
      await t.stream(
        graph,
        input,
        { ...config, streamMode: ["values", "updates"] },
        { fallible: label === "no thread" },
      );
      // NaN stays NaN in Weft's savers.
      if (config === THREAD && !(input && "n" in Object(input))) await t.state(graph, config);
    }
  }
});

same("what a compiled graph shows of its nodes and channels", (lib, t) => {
  const inner = new lib.StateGraph(stateOf(lib))
    .addNode("x", () => ({}))
    .addEdge(lib.START, "x")
    .compile();
  const graph = new lib.StateGraph(stateOf(lib))
    .addNode("a", () => ({ n: 1 }), {
      metadata: { q: 1 },
      retryPolicy: { maxAttempts: 2 },
      cachePolicy: { ttl: 3 },
      ends: ["b"],
    })
    .addNode("b", () => ({}), { defer: true })
    .addNode("c", inner)
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", () => "b", ["b"])
    .addEdge(["a", "b"], "c")
    .compile({ name: "named", description: "shown" });
  for (const [name, node] of Object.entries(graph.nodes)) {
    const { triggers, channels: reads, metadata, retryPolicy, cachePolicy, ends, subgraphs } = node;
    if (name !== "__start__")
      t.note(name, [
        node.lc_graph_name,
        triggers,
        Object.keys(reads),
        metadata,
        retryPolicy,
        cachePolicy,
        ends,
        (subgraphs ?? []).length,
        node.lc_runnable,
      ]);
  }
  t.note(
    "channels",
    Object.entries(graph.channels)
      .map(([name, { lc_graph_name: kind, lg_is_channel: marked }]) => [name, kind, marked])
      .sort(),
  );
  // LangGraph.js doubles them when it validates again.
  t.note("triggers", structuredClone(graph.triggerToNodes));
  t.note("more", [
    graph.name,
    graph.description,
    graph.debug,
    graph.streamMode,
    graph.validate() === graph,
    graph.streamTransformers,
    graph.inputChannels,
  ]);
});

same("what a call gives has its keys in the order in which they are asked for", async (lib, t) => {
  const key = lib.Annotation;
  const built = (output) =>
    new lib.StateGraph({
      stateSchema: lib.Annotation.Root({ m: key(), n: key(), k: key() }),
      output,
    })
      .addNode("a", () => ({ k: 1, n: 2 }))
      .addNode("b", () => ({ m: 3 }))
      .addEdge(lib.START, "a")
      .addEdge("a", "b")
      .compile();
  for (const outputKeys of [undefined, ["n", "m", "k"], ["k", "m"]]) {
    t.note("asked", JSON.stringify(await built().invoke({ n: 0 }, { outputKeys })));
    t.note(
      "values",
      JSON.stringify(await drain(built().stream({ n: 0 }, { outputKeys, streamMode: "values" }))),
    );
  }
  t.note(
    "output",
    JSON.stringify(
      await built(lib.Annotation.Root({ n: key(), k: key(), m: key() })).invoke({ n: 0 }),
    ),
  );
});
