// SPDX-License-Identifier: MIT
// Conditional edges that ask: what their node wrote before is shown, and START's question is not.
import { thread } from "./harness.mjs";
import { same } from "./surface.mjs";

const MODES = ["values", "updates", "tasks", "debug", "checkpoints", ["values", "updates"]];

function stateOf(lib) {
  return lib.Annotation.Root({
    a: lib.Annotation,
    log: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
  });
}

/** @param {(lib: any) => any} build @param {any} input */
function asking(title, build, input) {
  for (const mode of MODES) {
    same(`a condition asks, ${title}, ${mode}`, async (lib, t) => {
      t.around.add("inner");
      const graph = build(lib).compile({ checkpointer: new lib.MemorySaver() });
      await t.stream(graph, input, thread("s", { streamMode: mode }));
      await t.state(graph, thread("s"));
      await t.stream(graph, new lib.Command({ resume: "go" }), thread("s", { streamMode: mode }));
    });
  }
  same(`a condition asks, ${title}, invoke`, async (lib, t) => {
    t.around.add("inner");
    const graph = build(lib).compile({ checkpointer: new lib.MemorySaver() });
    await t.invoke(graph, input, thread("i"));
    await t.state(graph, thread("i"));
    await t.invoke(graph, new lib.Command({ resume: "go" }), thread("i"));
    await t.history(graph, thread("i"));
  });
}

asking(
  "behind a node",
  (lib) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("x", () => ({ a: 1 }))
      .addNode("y", () => ({ a: 2 }))
      .addEdge(lib.START, "x")
      .addConditionalEdges("x", () => (lib.interrupt("q") === "go" ? "y" : lib.END)),
  {},
);

asking(
  "behind a node that wrote nothing",
  (lib) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("x", () => ({}))
      .addNode("y", () => ({ a: 2 }))
      .addEdge(lib.START, "x")
      .addConditionalEdges("x", async () => (lib.interrupt("q") === "go" ? "y" : lib.END)),
  { a: 1 },
);

asking(
  "behind START",
  (lib) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("y", () => ({ a: 2 }))
      .addConditionalEdges(lib.START, () => (lib.interrupt("q") === "go" ? "y" : lib.END)),
  { a: 5 },
);

asking(
  "beside a node",
  (lib) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("x", () => ({ log: "x" }))
      .addNode("z", () => ({ log: "z" }))
      .addNode("y", () => ({ a: 2 }))
      .addEdge(lib.START, "x")
      .addEdge(lib.START, "z")
      .addConditionalEdges("x", () => (lib.interrupt("q") === "go" ? "y" : lib.END)),
  { a: 5 },
);

asking(
  "in a graph inside a node",
  (lib) =>
    new lib.StateGraph(stateOf(lib))
      .addNode(
        "inner",
        new lib.StateGraph(stateOf(lib))
          .addNode("x", () => ({ a: 1 }))
          .addNode("y", () => ({ a: 2 }))
          .addEdge(lib.START, "x")
          .addConditionalEdges("x", () => (lib.interrupt("q") === "go" ? "y" : lib.END))
          .compile(),
      )
      .addEdge(lib.START, "inner"),
  { a: 0 },
);

asking(
  "twice",
  (lib) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("x", () => ({ log: "x" }))
      .addNode("y", () => ({ a: 2 }))
      .addEdge(lib.START, "x")
      .addConditionalEdges("x", () =>
        [lib.interrupt("q"), lib.interrupt("r")].every((one) => one === "go") ? "y" : lib.END,
      ),
  {},
);

same("in an update a condition is given what the update was", async (lib, t) => {
  const ask = (_, { metadata, configurable: { thread_id, of, checkpoint_map }, tags, runName }) => {
    t.note("condition", {
      metadata,
      configurable: {
        thread_id,
        of,
        checkpoint_map: checkpoint_map && Object.keys(checkpoint_map),
      },
      tags,
      runName,
    });
    return "y";
  };
  const graph = new lib.StateGraph(stateOf(lib))
    .addNode("x", () => ({ a: 1 }))
    .addNode("y", () => ({ a: 2 }))
    .addEdge(lib.START, "x")
    .addConditionalEdges("x", ask)
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, {}, thread("u"));
  await t.update(
    graph,
    thread("u", { configurable: { of: 1 }, metadata: { by: "me" }, tags: ["edit"] }),
    { a: 3 },
    "x",
  );
  await t.state(graph, thread("u"));
});

/**
 * Its keys, with what of it can be compared.
 * @param {any} t
 * @param {string} label
 * @param {any} config
 */
function noteConfig(t, label, config) {
  const { tags, recursionLimit, runId, runName, metadata, context, durability, maxConcurrency } =
    config;
  t.note(label, {
    keys: Object.keys(config).sort(),
    tags,
    recursionLimit,
    runId,
    runName,
    context,
    durability,
    maxConcurrency,
    metadata: Object.keys(metadata).sort(),
  });
}

const CALLS = {
  "as it is": {},
  "with all there is": {
    signal: new AbortController().signal,
    durability: "exit",
    maxConcurrency: 2,
    context: { c: 1 },
    timeout: 9000,
    tags: ["mine"],
    metadata: { m: 1 },
    recursionLimit: 9,
    configurable: { thread_id: "1", of: 1, assistant_id: "a" },
  },
  "with callbacks": {
    callbacks: [{ handleChainStart() {} }],
    runName: "named",
    runId: "11111111-1111-4111-8111-111111111111",
  },
};

for (const [name, call] of Object.entries(CALLS)) {
  for (const [how, options] of Object.entries({
    plain: {},
    "timed node": { timeout: 9000 },
    "idle node": { timeout: { idleTimeout: 9000 } },
  })) {
    same(`what a node and its condition are given, called ${name}, ${how}`, async (lib, t) => {
      const graph = new lib.StateGraph(stateOf(lib))
        .addNode(
          "x",
          (_, config) => {
            noteConfig(t, "node", config);
            Object.assign(config, { recursionLimit: 3, more: 1 });
            return { a: 1 };
          },
          options,
        )
        .addEdge(lib.START, "x")
        .addConditionalEdges(
          "x",
          async (_, config) => (noteConfig(t, "condition", config), lib.END),
        )
        .compile({
          store: new lib.InMemoryStore(),
          checkpointer: call.configurable && new lib.MemorySaver(),
        });
      await t.invoke(graph, { a: 0 }, call);
    });
  }
}

same("what a condition of START and of a Send is given", async (lib, t) => {
  const asked = (label) => (_, config) => (
    noteConfig(t, label, config), label === "start" ? new lib.Send("x", {}) : lib.END
  );
  const graph = new lib.StateGraph(stateOf(lib))
    .addNode("x", () => ({ a: 1 }))
    .addConditionalEdges(lib.START, asked("start"))
    .addConditionalEdges("x", asked("sent"))
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, {}, thread("s"));
});

same("what a condition calls is a step deeper, and stands below it", async (lib, t) => {
  const inner = new lib.StateGraph(stateOf(lib))
    .addNode("i", (_, config) => (t.note("limit", config.recursionLimit), { log: "i" }))
    .addEdge(lib.START, "i")
    .compile({ name: "inner" });
  for (const isGiven of [true, false]) {
    const graph = new lib.StateGraph(stateOf(lib))
      .addNode("x", () => ({ a: 1 }))
      .addEdge(lib.START, "x")
      .addConditionalEdges(
        "x",
        async (_, config) => (await inner.invoke({}, isGiven ? config : undefined), lib.END),
      )
      .compile();
    const names = new Map();
    const handleChainStart = (_, _input, id, parent, _tags, _metadata, _type, name) => {
      names.set(id, name);
      t.note("starts", [name, names.get(parent)]);
    };
    await t.invoke(
      graph,
      {},
      { callbacks: [{ name: "heard", awaitHandlers: true, handleChainStart }] },
    );
    await t.invoke(graph, {}, { recursionLimit: 2 });
  }
});

same(
  "a condition is given the state in the order of its channels, whoever wrote them",
  async (lib, t) => {
    for (const [input, update] of [
      [{ log: ["i"] }, { a: 1 }],
      [{ log: "i", a: 0 }, {}],
      [{ a: 1 }, { log: "x" }],
    ]) {
      const keys = (label) => (state) => (
        t.note(label, Object.keys(state)), label === "start" ? "x" : lib.END
      );
      const graph = new lib.StateGraph(stateOf(lib))
        .addNode("x", () => update)
        .addConditionalEdges(lib.START, keys("start"))
        .addConditionalEdges("x", keys("x"))
        .compile();
      await t.invoke(graph, input);
    }
  },
);

// A destination is the text of what names it.
const NAMED = {
  "a list in a list": [["y"]],
  deeper: [[["y"]]],
  "a list of two in a list": [["y", "z"]],
  "a String": new String("y"),
  "what has a text": { toString: () => "y" },
  "an object": {},
  "a symbol": Symbol("y"),
  "a number": 5,
  "a function": () => "y",
  "END in a list": [["__end__"]],
  nobody: "nobody",
  START: "__start__",
  "nothing beside a name": ["y", ""],
  null: null,
  "a list of null": [null],
  "undefined in a list": [undefined],
  "an empty text": "",
  zero: 0,
  true: true,
  "an empty list": [],
};

/**
 * Without a list of targets Weft refuses what is no node (tests/js/refused-early.test.mjs);
 * LangGraph.js ends the run without a word.
 */
const REFUSED = [
  "a list of two in a list",
  "an object",
  "a number",
  "a function",
  "nobody",
  "START",
  "true",
];

for (const [title, named] of Object.entries(NAMED)) {
  same(`where to go: ${title}`, async (lib, t) => {
    const build = (act) =>
      new lib.StateGraph(stateOf(lib))
        .addNode("x", act, { ends: ["y", "z"] })
        .addNode("y", () => ({ log: "y" }))
        .addNode("z", () => ({ log: "z" }))
        .addEdge(lib.START, "x");
    for (const ends of [
      ...(REFUSED.includes(title) ? [] : [undefined]),
      ["y", "z"],
      { y: "z", true: "y", 5: "z" },
    ])
      await t.invoke(
        build(() => ({ a: 1 }))
          .addConditionalEdges("x", () => named, ends)
          .compile(),
        {},
      );
    await t.invoke(build(() => new lib.Command({ goto: named })).compile(), {});
  });
}
