// SPDX-License-Identifier: MIT
// What a graph is made of can be called by itself: nodes and conditions, before and after
// compile(). Builders that are subclassed, and graphs whose methods are replaced.
import { Runnable, RunnableLambda } from "@langchain/core/runnables";
import { drain, same } from "./surface.mjs";

const state = (lib) =>
  lib.Annotation.Root({
    a: lib.Annotation,
    l: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
  });
const step = ({ a = 0 }) => ({ a: a + 1 });

function everyKind(lib) {
  const inner = new lib.StateGraph(state(lib))
    .addNode("x", step)
    .addEdge("__start__", "x")
    .compile();
  return new lib.StateGraph(state(lib))
    .addNode("n", step)
    .addNode("named", function foo() {
      return { a: 5 };
    })
    .addNode("r", RunnableLambda.from(step))
    .addNode("sub", inner)
    .addNode("map", { a: () => 5 })
    .addNode("as", async () => RunnableLambda.from(() => ({ a: 99 })))
    .addEdge("__start__", "n")
    .addEdge("n", "r")
    .addEdge("r", "sub")
    .addEdge("sub", "map")
    .addEdge("map", "as")
    .addEdge("as", "named")
    .addConditionalEdges("named", () => "__end__")
    .addConditionalEdges(
      "n",
      async function where() {
        return ["named"];
      },
      ["named", "r"],
    )
    .addConditionalEdges("r", RunnableLambda.from(() => "__end__").withConfig({ runName: "zed" }));
}

/** Calls it in every way. */
async function called(t, label, runnable) {
  await t.try(`${label} invoke`, () => runnable.invoke({ a: 1 }));
  await t.try(`${label} stream`, () => drain(runnable.stream({ a: 1 })));
  await t.try(`${label} batch`, () => runnable.batch([{ a: 1 }, { a: 2 }]));
  await t.try(`${label} pipe`, () => runnable.pipe((value) => [value]).invoke({ a: 2 }));
  t.note(`${label} is`, [
    Runnable.isRunnable(runnable),
    runnable.lc_runnable,
    typeof runnable.func,
  ]);
}

same("nodes and conditions of a builder are Runnables", async (lib, t) => {
  const graph = everyKind(lib);
  for (const [name, { runnable }] of Object.entries(graph.nodes)) {
    t.note(name, [runnable.getName(), runnable.lc_id]);
    await called(t, name, runnable);
  }
  for (const [source, branches] of Object.entries(graph.branches)) {
    for (const [name, { path, ends }] of Object.entries(branches)) {
      t.note(`${source} ${name}`, [ends, path.getName(), path.lc_id]);
      await t.try("goes to", () => path.invoke({ a: 1 }));
    }
  }
});

same("nodes of a compiled graph can be called by themselves", async (lib, t) => {
  const graph = everyKind(lib).compile();
  for (const [name, node] of Object.entries(graph.nodes)) {
    if (name !== "__start__")
      t.note(name, [
        node.getName(),
        node.metadata,
        node.tags,
        node.config,
        node.kwargs,
        node.triggers,
      ]);
    await called(t, name, node);
  }
  t.note("the same each time", [
    graph.nodes === graph.nodes,
    graph.nodes.sub.bound.lg_is_pregel,
    graph.nodes.n === graph.nodes.n,
  ]);
});

same("a node alone has the config that it is called with", async (lib, t) => {
  const seen = (_, config) =>
    t.note("config", [config.configurable, config.tags, config.metadata]) && {};
  const graph = new lib.StateGraph(state(lib))
    .addNode("n", seen, { metadata: { k: 1 } })
    .addEdge("__start__", "n")
    .compile();
  await graph.nodes.n.invoke({});
  await graph.nodes.n.invoke({}, { configurable: { x: 1 }, tags: ["z"], metadata: { m: 1 } });
  await graph.nodes.n.withConfig({ tags: ["w"] }).invoke({});
});

same("names of conditions", async (lib, t) => {
  const two = (first, second) =>
    t.try("two", async () => {
      const graph = new lib.StateGraph(state(lib))
        .addNode("n", step)
        .addConditionalEdges("n", first)
        .addConditionalEdges("n", second);
      return Object.keys(graph.branches.n);
    });
  const plain = RunnableLambda.from(() => "__end__");
  const named = Object.assign(
    RunnableLambda.from(() => "__end__"),
    { name: "mine" },
  );
  await two(plain, () => "__end__");
  await two(
    plain.pipe((value) => value),
    plain,
  );
  await two(named, () => "__end__");
  await two(named, named);
});

same("a builder's own methods", async (lib, t) => {
  class Mine extends lib.StateGraph {
    addNode(...given) {
      t.note("addNode", given[0]);
      return super.addNode(...given);
    }

    addEdge(...given) {
      t.note("addEdge", given);
      return super.addEdge(...given);
    }

    compile(options) {
      return super.compile({ ...options, name: "mine" });
    }

    warnIfCompiled(message) {
      t.note("warned", [this.compiled, message]);
      super.warnIfCompiled(this.compiled ? "" : message);
    }
  }
  const builder = new Mine(state(lib))
    .addNode({ k: step, j: step })
    .addSequence({ u: step, v: step })
    .addEdge("__start__", "k")
    .addEdge("k", "j");
  const graph = builder.addEdge("j", "u").setFinishPoint("v").compile();
  t.note("name", graph.getName());
  await t.invoke(graph, { a: 1 });
  const { warn } = console;
  console.warn = (text) => t.note("console", text);
  builder.addEdge("v", "k");
  console.warn = warn;
});

same("invoke and batch go through a stream of one's own", async (lib, t) => {
  const graph = new lib.StateGraph(state(lib))
    .addNode("n", step)
    .addNode("m", () => (lib.interrupt("sure?"), { l: ["m"] }))
    .addEdge("__start__", "n")
    .addEdge("n", "m")
    .compile({ checkpointer: new lib.MemorySaver() });
  const { stream } = graph;
  graph.stream = function (input, options) {
    t.note("asked", [input, options.streamMode]);
    return stream.call(this, input === null || input.resume ? input : { a: 10 }, options);
  };
  const config = { configurable: { thread_id: "1" }, tags: ["q"] };
  await t.invoke(graph, { a: 1 }, config);
  await t.invoke(graph, new lib.Command({ resume: true }), config);
  await t.invoke(graph, { a: 1 }, { ...config, streamMode: "updates" });
  await t.try("batch", () =>
    graph.batch([{ a: 1 }, { a: 2 }], [config, { configurable: { thread_id: "2" } }]),
  );
  const other = new lib.StateGraph(state(lib))
    .addNode("s", Object.assign(everyKind(lib).compile(), { invoke: async () => ({ a: "own" }) }))
    .addEdge("__start__", "s")
    .compile();
  await t.invoke(other, { a: 1 });
});

same("listeners hear what an entrypoint gives and what it saves", async (lib, t) => {
  const hear = {
    name: "hear",
    handleChainStart: (runnable, inputs, id, parent, tags, metadata, type, name) =>
      void t.note("start", [runnable.id, inputs, parent === undefined, tags, name]),
    handleChainEnd: (outputs, id, parent, tags) =>
      void t.note("end", [outputs, parent === undefined, tags]),
  };
  const one = lib.task("one", async (x) => x + 1);
  const plain = lib.entrypoint("plain", async (x) => (await one(x)) * 2);
  const final = lib.entrypoint({ name: "final", checkpointer: new lib.MemorySaver() }, async (x) =>
    lib.entrypoint.final({ value: x, save: 9 }),
  );
  for (const graph of [plain, final]) {
    await t.invoke(graph, 1, { callbacks: [hear], configurable: { thread_id: "1" } });
    t.note("node", [graph.nodes[graph.name].getName(), graph.nodes[graph.name].bound.getName()]);
  }
  await t.invoke(final, 2, { configurable: { thread_id: "1" } });
});

const REPLACED = {
  "what a node runs": (graph) =>
    void (graph.nodes.n.bound = RunnableLambda.from(() => ({ a: "new" }))),
  "its function": (graph) => void (graph.nodes.n.bound.func = () => ({ a: "new" })),
  "how it is invoked": (graph) => void (graph.nodes.n.bound.invoke = async () => ({ a: "new" })),
  "how the node is invoked": (graph) => void (graph.nodes.n.invoke = async () => ({ a: "new" })),
};
const REPLACED_BEFORE = {
  "what a node runs": ({ nodes }) =>
    void (nodes.n.runnable = RunnableLambda.from(() => ({ a: "new" }))),
  "its function": ({ nodes }) => void (nodes.n.runnable.func = () => ({ a: "new" })),
  "how it is invoked": ({ nodes }) => void (nodes.n.runnable.invoke = async () => ({ a: "new" })),
  "a condition": ({ branches }) =>
    void (branches.n.condition.path = RunnableLambda.from(() => "__end__")),
  "its own function": ({ branches }) => void (branches.n.condition.path.func = () => "__end__"),
  "where it leads": ({ branches }) => void (branches.n.condition.ends = { m: "__end__", on: "m" }),
};

same("nodes and conditions can be replaced", async (lib, t) => {
  const builder = () =>
    new lib.StateGraph(state(lib))
      .addNode("n", () => ({ a: "old" }))
      .addNode("m", () => ({ l: ["m"] }))
      .addEdge("__start__", "n")
      .addConditionalEdges("n", () => "m");
  for (const [label, replace] of Object.entries(REPLACED)) {
    const graph = builder().compile();
    replace(graph);
    t.note(label, await graph.invoke({ a: 1 }));
    t.note("a copy", [
      await graph.withConfig({ tags: ["x"] }).invoke({ a: 1 }),
      graph.withConfig({}).nodes === graph.nodes,
    ]);
    await t.stream(graph, { a: 1 }, { streamMode: ["updates", "tasks"] });
  }
  for (const [label, replace] of Object.entries(REPLACED_BEFORE)) {
    const graph = builder();
    replace(graph);
    t.note(`${label}, before`, await graph.compile().invoke({ a: 1 }));
  }
});

same("a stream is left at the end of its block", async (lib, t) => {
  const stream = await everyKind(lib).compile().stream({ a: 1 });
  t.note("first", (await stream.next()).done);
  t.note("left", await stream[Symbol.asyncDispose]());
});
