// SPDX-License-Identifier: MIT
// What a graph with `debug = true` tells on the console, and what is changed on a compiled graph.
import { thread, logState, fact } from "./harness.mjs";

/** What `act` writes to the console. @param {() => Promise<any>} act */
async function heard(act) {
  const { log } = console;
  const lines = [];
  console.log = (...given) => lines.push(given.join(" "));
  try {
    await act();
  } finally {
    console.log = log;
  }
  return lines;
}

const loop = (lib, more) =>
  new lib.StateGraph(logState(lib, { n: lib.Annotation, m: lib.Annotation }))
    .addNode("a", () => ({ log: ["a"], m: { deep: [1, { b: new Map() }] } }))
    .addNode("b", async () => ({ n: 1 }))
    .addNode("c", () => new lib.Command({ goto: new lib.Send("d", { log: ["sent"] }) }), {
      ends: ["d"],
    })
    .addNode("d", () => ({}))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge("a", "c")
    .compile(more);

fact("18.1", "debug: states, tasks, writes of each step", async (lib, t) => {
  const graph = loop(lib);
  t.note("before", graph.debug);
  t.note("off", await heard(() => graph.invoke({ log: ["in"] })));
  graph.debug = true;
  t.note("on", await heard(() => graph.invoke({ log: ["in"] })));
  t.note(
    "by config",
    await heard(() => loop(lib, { debug: true }).invoke({ log: ["in"] }, { debug: true })),
  );
  t.note(
    "kept by withConfig",
    await heard(() => graph.withConfig({ tags: ["x"] }).invoke({ log: ["in"] }, { debug: false })),
  );
  t.note("of several calls", await heard(() => graph.batch([{ log: ["in"] }])));
});

fact("18.1", "debug: questions, resumes, breakpoints, a second input", async (lib, t) => {
  const asks = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("i", () => ({ log: [lib.interrupt("?")] }))
    .addNode("z", () => ({}))
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "i")
    .addEdge("a", "z")
    .compile({ checkpointer: new lib.MemorySaver() });
  asks.debug = true;
  t.note("asks", await heard(() => asks.invoke({ log: ["in"] }, thread("1"))));
  t.note("goes on", await heard(() => asks.invoke(new lib.Command({ resume: "r" }), thread("1"))));
  t.note("again", await heard(() => asks.invoke({ log: ["more"] }, thread("1"))));
  const stops = loop(lib, { checkpointer: new lib.MemorySaver(), interruptBefore: ["b"] });
  stops.debug = true;
  t.note("stops", await heard(() => stops.invoke({ log: ["in"] }, thread("1"))));
  t.note("goes on", await heard(() => stops.invoke(null, thread("1"))));
});

fact("18.1", "debug: errors, handlers, graphs inside, workflows", async (lib, t) => {
  const fails = new lib.StateGraph(logState(lib))
    .addNode("a", () => {
      throw new Error("x");
    })
    .addEdge(lib.START, "a")
    .compile();
  const handled = new lib.StateGraph(logState(lib))
    .addNode(
      "a",
      () => {
        throw new Error("x");
      },
      { errorHandler: () => ({ log: ["h"] }) },
    )
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile();
  const inner = new lib.StateGraph(logState(lib))
    .addNode("x", () => ({ log: ["x"] }))
    .addEdge(lib.START, "x")
    .compile();
  const outer = new lib.StateGraph(logState(lib))
    .addNode("in", inner)
    .addEdge(lib.START, "in")
    .compile();
  const one = lib.task("one", async (x) => x + 1);
  const flow = lib.entrypoint("flow", async (x) => one(x));
  for (const graph of [fails, handled, inner, flow]) graph.debug = true;
  t.note("fails", await heard(() => fails.invoke({ log: ["in"] }).catch(() => undefined)));
  t.note("handled", await heard(() => handled.invoke({ log: ["in"] })));
  t.note("inside", await heard(() => outer.invoke({ log: ["in"] })));
  t.note("flow", await heard(() => flow.invoke(1)));
});

fact(
  "6.1",
  "a thread that is not named: the words tell what could not be saved",
  async (lib, t) => {
    const graph = loop(lib, { checkpointer: new lib.MemorySaver() });
    await t.invoke(graph, { log: ["in"] });
    await t.invoke(graph, new lib.Command({ resume: 1 }), {});
    await t.invoke(graph, new lib.Command({ goto: "a" }), { configurable: {} });
    await t.update(graph, {}, { log: ["x"] });
  },
);

fact("6.1", "what is changed on a compiled graph holds, also for withConfig", async (lib, t) => {
  const graph = loop(lib);
  Object.assign(graph, {
    checkpointer: new lib.MemorySaver(),
    store: new lib.InMemoryStore(),
    name: "n",
    streamMode: ["values"],
    interruptAfter: ["a"],
    debug: false,
    stepTimeout: 500,
    retryPolicy: { maxAttempts: 2 },
  });
  const bound = graph.withConfig({ configurable: { thread_id: "1" } });
  t.note(
    "kept",
    [
      "checkpointer",
      "store",
      "name",
      "streamMode",
      "interruptAfter",
      "debug",
      "stepTimeout",
      "retryPolicy",
    ].filter((key) => bound[key] === graph[key]),
  );
  await t.invoke(bound, { log: ["in"] });
  await t.stream(bound, null, { streamMode: "updates" }, { sorted: false });
  const flow = Object.assign(
    lib.entrypoint("flow", async (x) => x),
    { streamMode: ["values"], debug: true },
  );
  const { streamMode, debug } = flow.withConfig({ tags: [] });
  t.note("of a workflow", { streamMode, debug });
});
