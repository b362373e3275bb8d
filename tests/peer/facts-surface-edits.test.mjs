// SPDX-License-Identifier: MIT
// What users put in the place of a graph's parts: functions of a builder behind compile(), methods
// of subclasses, tools; and what is an instance of what.
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import * as theirs from "@langchain/langgraph/prebuilt";
import * as ours from "weftgraph/prebuilt";
import { z } from "zod";
import { same } from "./surface.mjs";

const state = (lib) =>
  lib.Annotation.Root({
    a: lib.Annotation,
    l: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
  });
const twoNodes = (lib, Builder = lib.StateGraph) =>
  new Builder(state(lib))
    .addNode("n", ({ a = 0 }) => ({ a: a + 1 }))
    .addNode("m", () => ({ l: ["m"] }))
    .addEdge("__start__", "n")
    .addConditionalEdges("n", () => "m");

same("a builder's functions and conditions may be replaced behind compile()", async (lib, t) => {
  const builder = twoNodes(lib);
  const graph = builder.compile();
  const { runnable } = builder.nodes.n;
  const { path } = builder.branches.n.condition;
  await t.invoke(graph, { a: 1 });
  runnable.func = () => ({ a: 99 });
  await t.invoke(graph, { a: 1 });
  path.func = () => "__end__";
  await t.stream(graph, { a: 1 }, { streamMode: ["updates", "values"] });
  runnable.invoke = async () => ({ a: 98 });
  path.invoke = async () => "m";
  await t.invoke(graph, { a: 1 });
  path.invoke = async () => {
    throw new Error("lost");
  };
  await t.invoke(graph, { a: 1 });
});

same("compile() asks a subclass's validate()", async (lib, t) => {
  class Noted extends lib.StateGraph {
    validate(interrupt) {
      t.note("validate", interrupt);
      return super.validate(interrupt);
    }
  }
  class Strict extends lib.StateGraph {
    validate() {
      throw new Error("not today");
    }
  }
  twoNodes(lib, Noted).compile();
  twoNodes(lib, Noted).compile({ interruptBefore: ["n"], interruptAfter: ["m"] });
  twoNodes(lib, Noted).compile({ interruptBefore: "*" });
  await t.try("missing", () => void twoNodes(lib, Noted).compile({ interruptBefore: ["x"] }));
  await t.try("strict", () => void twoNodes(lib, Strict).compile());
});

same("calls go through a _streamIterator of one's own", async (lib, t) => {
  const graph = twoNodes(lib).compile();
  const { _streamIterator } = graph;
  graph._streamIterator = async function* (input, options) {
    t.note("asked", [input, options?.streamMode]);
    yield* _streamIterator.call(this, { a: 41 }, options);
  };
  await t.stream(graph, { a: 1 });
  await t.stream(graph, { a: 1 }, { streamMode: ["values", "updates"] });
  await t.invoke(graph, { a: 1 });
  await t.invoke(graph, { a: 1 }, { streamMode: "updates" });
});

same("the keys of a node's config, in their order", async (lib, t) => {
  const keys = (config) => Object.keys(config).filter((key) => !key.startsWith("__pregel"));
  const noting = (name) =>
    new lib.StateGraph(state(lib))
      .addNode(
        name,
        (_, config) => (
          t.note(name, [keys(config), keys(config.configurable), keys(config.metadata)]), { a: 1 }
        ),
      )
      .addEdge("__start__", name);
  const graph = noting("n").compile({ checkpointer: new lib.MemorySaver() });
  const config = { configurable: { x: 1, thread_id: "1", y: 2 } };
  await graph.invoke({ a: 1 }, config);
  await graph.invoke(
    { a: 1 },
    {
      ...config,
      tags: ["q"],
      metadata: { u: 1 },
      maxConcurrency: 2,
      context: { k: 1 },
      callbacks: [{ name: "h", handleChainStart() {} }],
    },
  );
  await noting("plain").compile().invoke({ a: 1 });
  await new lib.StateGraph(state(lib))
    .addNode("sub", noting("inner").compile())
    .addEdge("__start__", "sub")
    .compile()
    .invoke({ a: 1 }, { configurable: { w: 1 } });
});

same("no signal inside a task: that of the task holds", async (lib, t) => {
  const inner = twoNodes(lib).compile();
  const outer = new lib.StateGraph(state(lib))
    .addNode("s", (given) => inner.invoke(given, { signal: null }))
    .addEdge("__start__", "s")
    .compile();
  await t.invoke(outer, { a: 1 });
});

same("Sends that name nothing", async (lib, t) => {
  for (const name of [undefined, null, "", 5]) {
    const builder = () => new lib.StateGraph(state(lib)).addNode("n", () => ({ a: 1 }));
    await t.invoke(
      builder()
        .addConditionalEdges("__start__", () => [new lib.Send(name, {})])
        .compile(),
      { a: 0 },
    );
    await t.invoke(
      builder()
        .addNode("s", () => new lib.Command({ goto: new lib.Send(name, {}) }), { ends: ["n"] })
        .addEdge("__start__", "s")
        .compile(),
      { a: 0 },
    );
  }
});

same("a ToolNode's own parts", async (lib, t) => {
  const { ToolNode } = t.isPeer ? theirs : ours;
  const named = (name) => tool(async () => `by ${name}`, { name, schema: z.object({}) });
  const asks = (name) => ({
    messages: [
      new AIMessage({ content: "", tool_calls: [{ name, args: {}, id: "1", type: "tool_call" }] }),
    ],
  });
  const node = new ToolNode([named("one")]);
  t.note("parts", [
    typeof node.func,
    node.func.length,
    node.trace,
    ToolNode.isRunnable(node),
    !!ToolNode.isRunnable({ invoke() {} }),
    lib.StateGraph.isRunnable,
  ]);
  await t.try("func", () => node.func(asks("one"), {}));
  await t.try("not there", () => node.invoke(asks("two")));
  node.tools.push(named("two"));
  await t.try("pushed", () => node.invoke(asks("two")));
  node.tools = [named("three"), named("one")];
  await t.try("replaced", () => node.invoke(asks("three")));
  await t.try("gone", () => node.invoke(asks("two")));
});

// With Weft these need no `weftgraph/zod`: zod 4 prints itself.
const SCHEMAS = {
  plain: z.object({ a: z.number(), o: z.string().optional() }),
  transform: z.object({
    a: z.string().transform((text) => text.length),
    p: z.string().pipe(z.coerce.number()),
  }),
  nested: z.object({
    o: z.object({ p: z.string().transform(Number) }),
    l: z.array(z.object({ d: z.number().default(1) })),
  }),
  loose: z.looseObject({ a: z.number() }),
  catchall: z.object({ a: z.number() }).catchall(z.string()),
  strict: z.strictObject({ a: z.number().optional() }),
  union: z.union([z.object({ k: z.literal("a") }), z.object({ k: z.literal("b"), x: z.number() })]),
  list: z.array(z.tuple([z.string(), z.record(z.string(), z.number())])),
  text: z.email(),
};

same("an answer's schema is shown as what it takes", async (lib, t) => {
  for (const [name, responseSchema] of Object.entries(SCHEMAS)) {
    const graph = new lib.StateGraph(state(lib))
      .addNode("n", () => ({ a: lib.interrupt("?", { responseSchema }) }))
      .addEdge("__start__", "n")
      .compile({ checkpointer: new lib.MemorySaver() });
    await t.try(name, async () =>
      JSON.stringify(
        (await graph.invoke({}, { configurable: { thread_id: "1" } })).__interrupt__[0]
          .response_schema,
      ),
    );
  }
});

same("builders and graphs are instances of the older classes", async (lib, t) => {
  class Mine extends lib.Graph {}
  const values = {
    state: twoNodes(lib),
    compiled: twoNodes(lib).compile(),
    messages: new lib.MessageGraph(),
    graph: new lib.Graph(),
    mine: new Mine(),
    entrypoint: lib.entrypoint("e", async () => 1),
    none: null,
  };
  const classes = [lib.Graph, lib.StateGraph, lib.MessageGraph, lib.CompiledStateGraph, Mine];
  for (const [name, value] of Object.entries(values))
    t.note(
      name,
      classes.map((Class) => value instanceof Class),
    );
});
