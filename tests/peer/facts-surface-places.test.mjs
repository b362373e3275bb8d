// SPDX-License-Identifier: MIT
// Where a chunk comes from: the namespaces of tools, of writers below tasks and handlers, and of
// checkpoints as a server shows them. And builders: what checks them, what they warn of.
import { tool } from "@langchain/core/tools";
import * as theirChannels from "@langchain/langgraph/channels";
import * as theirPregel from "@langchain/langgraph/pregel";
import { createReactAgent as theirAgent } from "@langchain/langgraph/prebuilt";
import * as ourChannels from "weftgraph/channels";
import * as ourPregel from "weftgraph/pregel";
import { createReactAgent as ourAgent } from "weftgraph/prebuilt";
import { logState, thread } from "./harness.mjs";
import { drain, same } from "./surface.mjs";

const schema = { type: "object", properties: {} };

function chain(lib, nodes, options, state = logState(lib, { n: lib.Annotation })) {
  const graph = new lib.StateGraph(state);
  let before = lib.START;
  for (const [name, node] of Object.entries(nodes)) {
    graph.addNode(name, node).addEdge(before, name);
    before = name;
  }
  return graph.compile(options);
}

async function textsOf(stream) {
  return (await drain(stream)).map((bytes) => new TextDecoder().decode(bytes));
}

same("tools: the namespace is the node's", async (lib, t) => {
  const one = tool(() => "r", { name: "one", description: "d", schema });
  const llm = {
    bindTools() {
      return this;
    },
    invoke: async (messages) =>
      new lib.AIMessage({
        id: `a${messages.length}`,
        content: "",
        tool_calls:
          messages.length > 1 ? [] : [{ id: "c", name: "one", args: {}, type: "tool_call" }],
      }),
    lc_runnable: true,
    _modelType: () => "base_chat_model",
  };
  const called = chain(
    lib,
    { x: async () => void (await one.invoke({})) },
    {},
    lib.MessagesAnnotation,
  );
  for (const version of ["v1", "v2"]) {
    const agent = (t.isPeer ? theirAgent : ourAgent)({ llm, tools: [one], version });
    for (const graph of [
      agent,
      chain(lib, { sub: agent }, {}, lib.MessagesAnnotation),
      called,
      chain(lib, { y: called }, {}, lib.MessagesAnnotation),
    ]) {
      const input = { messages: [new lib.HumanMessage({ id: "h", content: "hi" })] };
      for (const subgraphs of [true, false]) {
        for (const streamMode of ["tools", ["tools", "custom"]])
          await t.stream(graph, input, { streamMode, subgraphs });
      }
      t.note(
        "bytes",
        (
          await textsOf(
            graph.stream(input, {
              streamMode: "tools",
              subgraphs: true,
              encoding: "text/event-stream",
            }),
          )
        ).length,
      );
    }
  }
});

same("custom: what stands below a task writes in its place", async (lib, t) => {
  for (const timeout of [undefined, 1000]) {
    const inner = lib.task({ name: "inner", timeout }, (x) => (lib.getWriter()("inner"), x));
    const outer = lib.task("outer", async (x) => {
      lib.getWriter()("before");
      await inner(x);
      lib.getConfig().writer("after");
      return x;
    });
    const flow = lib.entrypoint("flow", async (x, { writer }) => (writer("flow"), outer(x)));
    const failing = (_, { writer }) => {
      writer("failing");
      throw new Error("x");
    };
    const handler = (_state, _error, { writer }) => (
      writer("handler"), lib.getWriter()("again"), {}
    );
    const graph = new lib.StateGraph(logState(lib, { n: lib.Annotation }))
      .addNode("failing", failing, { errorHandler: handler })
      .addNode("calls", async (_, { writer }) => (writer("calls"), await outer(1), {}))
      .addNode("flow", flow)
      .addNode("sub", chain(lib, { z: async (_, { writer }) => (writer("z"), await outer(2), {}) }))
      .addEdge(lib.START, "failing")
      .addEdge("failing", "calls")
      .addEdge("calls", "flow")
      .addEdge("flow", "sub")
      .compile({ checkpointer: new lib.MemorySaver() });
    for (const subgraphs of [true, false, 1, "yes", 0, null])
      await t.stream(graph, { n: 1 }, { ...thread("1"), streamMode: "custom", subgraphs });
    await t.stream(flow, 1, { streamMode: ["custom", "tasks"], subgraphs: true });
  }
});

same("server-sent events: checkpoints with their places", async (lib, t) => {
  const sub = chain(lib, { s: (_, { writer }) => (writer("w"), { log: [lib.interrupt("q")] }) });
  const graph = chain(
    lib,
    { sub, z: () => ({ log: ["z"] }) },
    { checkpointer: new lib.MemorySaver() },
  );
  for (const input of [{ n: 1 }, new lib.Command({ resume: 1 })]) {
    for (const streamMode of ["debug", ["checkpoints", "tasks", "updates", "custom"]]) {
      const texts = await textsOf(
        graph.stream(input, {
          ...thread(String(streamMode)),
          streamMode,
          subgraphs: true,
          encoding: "text/event-stream",
        }),
      );
      t.note(
        "events",
        texts.map((text) => text.split("\n")[0]),
      );
      t.note(
        "data",
        texts.map((text) => JSON.parse(text.split("\n")[1].slice("data: ".length))),
      );
    }
  }
});

same("server-sent events: what JSON has no word for", async (lib, t) => {
  const circle = {};
  circle.self = circle;
  for (const value of [
    undefined,
    null,
    1n,
    new Date(0),
    new Map([[1, 2]]),
    new Error("e"),
    () => 1,
    [undefined],
    { a: undefined },
    NaN,
    circle,
    "line\nbreak",
    { toJSON: () => 5 },
  ]) {
    const graph = chain(lib, { a: (_, { writer }) => (writer(value), writer("end"), {}) });
    await t.try("texts", () =>
      textsOf(graph.stream({ n: 1 }, { streamMode: "custom", encoding: "text/event-stream" })),
    );
  }
  const failing = (name) =>
    chain(lib, {
      a: () => ({ n: 2 }),
      [name]: () => {
        throw new RangeError("late");
      },
    });
  for (const streamMode of ["updates", ["values", "custom"], "custom"]) {
    await t.try("late", () =>
      textsOf(failing("b").stream({ n: 1 }, { streamMode, encoding: "text/event-stream" })),
    );
  }
});

same("server-sent events: checkpoints without those who listen", async (lib, t) => {
  const sub = chain(lib, { s: () => ({ log: ["s"] }) });
  for (const streamMode of [
    ["checkpoints", "messages"],
    ["debug", "tools", "custom"],
  ]) {
    for (const callbacks of [undefined, [{ handleChainStart() {} }]]) {
      const graph = chain(lib, { a: () => ({}), sub }, { checkpointer: new lib.MemorySaver() });
      const texts = await textsOf(
        graph.stream(
          { n: 1 },
          { ...thread("1"), callbacks, streamMode, subgraphs: true, encoding: "text/event-stream" },
        ),
      );
      t.note(
        "data",
        texts.map((text) => JSON.parse(text.split("\n")[1].slice("data: ".length))),
      );
    }
  }
});

same("tasks: what a call asks is its caller's question", async (lib, t) => {
  for (const streamMode of ["tasks", ["debug", "updates"]]) {
    const asks = lib.task("asks", async (ms) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return lib.interrupt(`after ${ms}`);
    });
    const outer = lib.task("outer", async (ms) => [await asks(ms), lib.interrupt("outer")]);
    const flows = {
      one: lib.entrypoint({ name: "one", checkpointer: new lib.MemorySaver() }, async (ms) => [
        await outer(ms),
        await asks(ms),
      ]),
      two: lib.entrypoint({ name: "two", checkpointer: new lib.MemorySaver() }, async () =>
        Promise.all([asks(1), asks(6)]),
      ),
      node: chain(
        lib,
        { calls: async () => ({ log: [await asks(0)] }) },
        { checkpointer: new lib.MemorySaver() },
      ),
    };
    for (const [name, flow] of Object.entries(flows)) {
      await t.stream(flow, name === "node" ? { n: 1 } : 0, { ...thread(name), streamMode });
      for (const resume of [1, 2, 3])
        await t.stream(flow, new lib.Command({ resume }), { ...thread(name), streamMode });
    }
  }
});

/** Runs `act` and notes what the console is warned of. */
async function warned(t, label, act) {
  const { warn } = console;
  const texts = [];
  console.warn = (text) => texts.push(text);
  try {
    await t.try(label, act);
  } finally {
    console.warn = warn;
  }
  t.note("warned", texts);
}

same("validate() of a builder", async (lib, t) => {
  const state = logState(lib, { n: lib.Annotation });
  const built = () => new lib.StateGraph(state).addNode("a", () => ({})).addEdge(lib.START, "a");
  const older = () =>
    new lib.Graph()
      .addNode("a", () => ({}))
      .addEdge(lib.START, "a")
      .addEdge("a", lib.END);
  for (const make of [built, older]) {
    const graph = make();
    await t.try("good", () => graph.validate());
    t.note("compiled", graph.compiled);
    for (const names of [["a"], ["zz"], []])
      await t.try(String(names), () => make().validate(names));
    for (const options of [{ interruptBefore: ["zz"] }, { interruptAfter: ["zz"] }])
      await t.try("compile", () => void make().compile(options));
  }
  await t.try("no way in", () => new lib.StateGraph(state).addNode("a", () => ({})).validate());
  await t.try("no way in", () => new lib.Graph().addNode("a", () => ({})).validate());
  await t.try("unknown end", () => built().addEdge("a", "zz").validate());
});

const EDITS = [
  (graph) => graph.addNode("a", () => 1),
  (graph) => graph.addNode("b", () => 1),
  (graph) => graph.addNode(START_OR_END[0], () => 1),
  (graph) => graph.addNode("x|y", () => 1),
  (graph) => graph.addNode("x:y", () => 1),
  (graph) => graph.addNode([]),
  (graph) => graph.addNode({}),
  (graph) =>
    graph.addNode([
      ["c", () => 1],
      ["d", () => 2],
    ]),
  (graph) => graph.addNode({ e: () => 1 }),
  (graph) => graph.addEdge(START_OR_END[0], "a"),
  (graph) => graph.addEdge("a", START_OR_END[1]),
  (graph) => graph.addEdge("b", "a"),
  (graph) => graph.addConditionalEdges("c", () => "d"),
  (graph) => graph.setEntryPoint("c"),
  (graph) => graph.setFinishPoint("c"),
];
const START_OR_END = ["__end__", "__start__"];

same("builders warn of edits behind compile()", async (lib, t) => {
  const state = logState(lib, { n: lib.Annotation });
  for (const make of [() => new lib.StateGraph(state), () => new lib.Graph()]) {
    const graph = make()
      .addNode("a", (x) => x)
      .addEdge(lib.START, "a");
    graph.compile();
    for (const edit of EDITS) await warned(t, "edit", () => void edit(graph));
    t.note("all", [Object.keys(graph.nodes), [...graph.allEdges]]);
  }
  const graph = new lib.StateGraph(state).addNode("a", () => ({})).addEdge(lib.START, "a");
  graph.compile();
  for (const edit of [
    () => graph.addNode("log", () => 1),
    () => graph.addEdge(["zz"], "a"),
    () => graph.addEdge(["a"], "zz"),
    () => graph.addEdge(["a"], "__end__"),
    () => graph.addEdge(["__end__"], "a"),
  ])
    await warned(t, "edit", () => void edit());
});

same("InMemoryStore: each text is embedded once, no filter is none", async (lib, t) => {
  const asked = [];
  const embeddings = {
    embedDocuments: async (texts) => (asked.push(texts), texts.map((text) => [text.length])),
    embedQuery: async () => [1],
  };
  const store = new lib.InMemoryStore({ index: { dims: 1, embeddings, fields: ["*"] } });
  const put = (key, value) => ({ namespace: ["a"], key, value });
  await store.batch([
    put("1", { q: "z", x: "a", y: "a", n: 3 }),
    put("2", { x: "a", y: "b", n: 7 }),
    put("1", { x: "last" }),
  ]);
  t.note("asked", asked);
  for (const filter of [null, undefined, {}])
    t.note(
      "found",
      (await store.search(["a"], { query: "z", filter })).map(({ key, score }) => [key, score]),
    );
});

same("a breakpoint before anything is shown gives questions only", async (lib, t) => {
  const state = logState(lib, { n: lib.Annotation, out: lib.Annotation });
  const output = lib.Annotation.Root({ log: state.spec.log, out: state.spec.out });
  for (const options of [{ interruptBefore: ["a"] }, { interruptAfter: ["a"] }, {}]) {
    for (const durability of ["async", "exit"]) {
      const graph = new lib.StateGraph({
        stateSchema: state,
        input: lib.Annotation.Root({ n: lib.Annotation }),
        output,
      })
        .addNode("a", ({ n }) => ({ out: n }))
        .addNode("b", () => ({ n: 5 }))
        .addEdge(lib.START, "a")
        .addEdge("a", "b")
        .compile({ checkpointer: new lib.MemorySaver(), ...options });
      for (const input of [{ n: 1 }, null, { n: 2 }, null]) {
        await t.invoke(graph, input, { ...thread("1"), durability });
        await t.invoke(graph, input, { ...thread("2"), durability, outputKeys: ["log"] });
      }
      await t.stream(
        graph,
        { n: 3 },
        { ...thread("1"), durability, streamMode: ["values", "updates"] },
      );
    }
  }
});

same("tasks: with the tags of their node", async (lib, t) => {
  const { Channel, Pregel } = t.isPeer ? theirPregel : ourPregel;
  const { EphemeralValue, LastValue } = t.isPeer ? theirChannels : ourChannels;
  const one = Channel.subscribeTo("input", { tags: ["own"] })
    .pipe((x) => x + 1)
    .pipe(Channel.writeTo(["output"]));
  const graph = new Pregel({
    nodes: { one },
    channels: { input: new EphemeralValue(), output: new LastValue() },
    inputChannels: "input",
    outputChannels: "output",
  });
  for (const tags of [undefined, ["call"]])
    await t.stream(graph, 1, { streamMode: ["tasks", "debug"], tags });
});
