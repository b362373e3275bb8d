// SPDX-License-Identifier: MIT
// Facts 4.1 to 4.14: what each kind of channel makes of a step's writes, seen through graphs.
import { z } from "zod";
import { fact, logState, thread } from "./harness.mjs";

/** START, then the named nodes side by side, each returning what `returns` says. */
function fan(lib, state, returns, options) {
  const builder = new lib.StateGraph(state);
  for (const [name, value] of Object.entries(returns))
    builder.addNode(name, () => value).addEdge(lib.START, name);
  return builder.compile(options);
}

fact("4.1", "a LastValue takes one value a step and keeps it", async (lib, t) => {
  const state = lib.Annotation.Root({ a: lib.Annotation, b: lib.Annotation });
  await t.invoke(fan(lib, state, { one: { a: 1 }, two: { b: 2 } }), { a: 0 });
});

fact("4.1, 8.5", "two writers to a LastValue", async (lib, t) => {
  const state = lib.Annotation.Root({ a: lib.Annotation });
  const graph = fan(
    lib,
    state,
    { one: { a: 1 }, two: { a: 2 } },
    { checkpointer: new lib.MemorySaver() },
  );
  await t.invoke(graph, { a: 0 }, thread("t"));
  await t.state(graph, thread("t"));
  await t.history(graph, thread("t"));
});

fact("4.1, 8.5", "two writes of one node to a LastValue", async (lib, t) => {
  const state = lib.Annotation.Root({ a: lib.Annotation });
  const update = [
    ["a", { deep: [1, "x"] }],
    ["a", null],
  ];
  await t.invoke(fan(lib, state, { one: new lib.Command({ update }) }), { a: 0 });
});

fact("4.2", "a reducer folds from the left, in task order, from its default", async (lib, t) => {
  const state = lib.Annotation.Root({
    s: lib.Annotation({ reducer: (a, b) => `(${a}+${b})`, default: () => "d" }),
  });
  await t.invoke(fan(lib, state, { c: { s: "c" }, a: { s: "a" }, b: { s: "b" } }), { s: "in" });
  await t.invoke(fan(lib, state, { c: { s: "c" } }), {});
});

fact("4.2", "without a default the first value is taken as it is", async (lib, t) => {
  const state = lib.Annotation.Root({
    s: lib.Annotation({ reducer: (a, b) => `(${a}+${b})` }),
    other: lib.Annotation,
  });
  await t.invoke(fan(lib, state, { a: { s: "a" }, b: { s: "b" } }), { other: 1 });
  await t.invoke(fan(lib, state, { a: { s: "a" } }), { s: "in" });
});

fact("4.2", "a reducer may give null, undefined or throw", async (lib, t) => {
  const make = (reducer) =>
    lib.Annotation.Root({
      s: lib.Annotation({ reducer, default: () => 1 }),
      other: lib.Annotation,
    });
  await t.invoke(
    fan(
      lib,
      make(() => null),
      { a: { s: 2 } },
    ),
    { other: 1 },
  );
  await t.invoke(
    fan(
      lib,
      make((_, b) => (b === 2 ? undefined : b)),
      { a: { s: 2 } },
    ),
    { other: 1 },
  );
  await t.invoke(
    fan(
      lib,
      make(() => {
        throw new Error("no sum");
      }),
      { a: { s: 2 } },
    ),
    { other: 1 },
  );
});

fact("4.2", "a reducer written as value, and one of a class's values", async (lib, t) => {
  const state = lib.Annotation.Root({
    total: lib.Annotation({ value: (a, b) => a + b, default: () => 0 }),
    names: lib.Annotation({
      reducer: (a, b) => new Set([...a, ...b]),
      default: () => new Set(["d"]),
    }),
  });
  await t.invoke(fan(lib, state, { a: { total: 2, names: ["x", "d"] }, b: { total: 3 } }), {
    total: 10,
  });
});

fact("4.3, 8.6", "a branch channel lives one step", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", (state) => (state.log.length < 4 ? ["a", "b"] : "b"), ["a", "b"])
    .compile();
  await t.stream(graph, { log: ["in"] }, { streamMode: ["updates", "values"] }, { sorted: true });
});

fact(
  "4.5, 9.1, 9.2",
  "pending Sends: flattened, in order, gone after their step",
  async (lib, t) => {
    const graph = new lib.StateGraph(logState(lib))
      .addNode(
        "a",
        () =>
          new lib.Command({
            goto: [new lib.Send("w", { n: 2 }), new lib.Send("w", { n: 1 })],
            update: { log: ["a"] },
          }),
        { ends: ["w"] },
      )
      .addNode("b", () => new lib.Command({ goto: new lib.Send("w", { n: 3 }) }), { ends: ["w"] })
      .addNode("w", (input) => ({ log: [`w${input.n}`] }))
      .addEdge(lib.START, "b")
      .addEdge(lib.START, "a")
      .compile({ checkpointer: new lib.MemorySaver() });
    await t.stream(graph, { log: [] }, thread("t", { streamMode: ["updates", "values"] }));
    await t.history(graph, thread("t"));
  },
);

fact("4.6, 4.11, 5.4", "a join waits for all, fires once, then waits anew", async (lib, t) => {
  t.triggers.push("join:a+b:c");
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("slow", () => ({ log: ["slow"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("c", () => ({ log: ["c"] }))
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "slow")
    .addEdge("slow", "b")
    .addEdge(["a", "b"], "c")
    .addConditionalEdges("c", (state) => (state.log.length < 8 ? ["a", "slow"] : lib.END))
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", { streamMode: ["updates", "values"] }));
  await t.history(graph, thread("t"));
});

fact("4.6", "a join whose source runs twice before the other", async (lib, t) => {
  t.triggers.push("join:a+z:c");
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("p", () => ({ log: ["p"] }))
    .addNode("z", () => ({ log: ["z"] }))
    .addNode("c", () => ({ log: ["c"] }))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", (state) => (state.log.length < 3 ? "a" : "p"), ["a", "p"])
    .addEdge("p", "z")
    .addEdge(["a", "z"], "c")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t"));
  await t.history(graph, thread("t"));
});

fact("4.8, 4.12, 8.7", "a deferred node runs when nothing else can", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b1", () => ({ log: ["b1"] }))
    .addNode("b2", () => ({ log: ["b2"] }))
    .addNode("last", () => ({ log: ["last"] }), { defer: true })
    .addEdge(lib.START, "a")
    .addEdge("a", "last")
    .addEdge("a", "b1")
    .addEdge("b1", "b2")
    .addEdge("b2", "last")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", { streamMode: ["updates", "values"] }));
  await t.history(graph, thread("t"));
});

fact("4.8, 4.12, 5.4", "a deferred join, and two deferred nodes in a row", async (lib, t) => {
  t.triggers.push("join:a+b:c");
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("x", () => ({ log: ["x"] }))
    .addNode("y", () => ({ log: ["y"] }))
    .addNode("c", () => ({ log: ["c"] }), { defer: true })
    .addNode("d", () => ({ log: ["d"] }), { defer: true })
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "b")
    .addEdge(lib.START, "x")
    .addEdge("x", "y")
    .addEdge(["a", "b"], "c")
    .addEdge("c", "d")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", { streamMode: ["updates", "values"] }));
  await t.history(graph, thread("t"));
});

fact(
  "4.13",
  "Overwrite: in its three forms, beside plain values, twice in a step",
  async (lib, t) => {
    const forms = [
      new lib.Overwrite(["o"]),
      { __overwrite__: ["o"] },
      { type: "__overwrite__", value: ["o"] },
    ];
    for (const form of forms) {
      await t.invoke(
        fan(lib, logState(lib), { a: { log: ["a"] }, b: { log: form }, c: { log: ["c"] } }),
        { log: ["in"] },
      );
    }
    const twice = fan(
      lib,
      logState(lib),
      { a: { log: forms[0] }, b: { log: forms[1] } },
      { checkpointer: new lib.MemorySaver() },
    );
    await t.invoke(twice, { log: ["in"] }, thread("t"));
    await t.history(twice, thread("t"));
  },
);

fact("4.13", "Overwrite as input, and as the first value of an empty channel", async (lib, t) => {
  await t.invoke(fan(lib, logState(lib), { a: { log: ["a"] } }), { log: new lib.Overwrite(["o"]) });
  const state = lib.Annotation.Root({
    s: lib.Annotation({ reducer: (a, b) => `${a}+${b}` }),
    other: lib.Annotation,
  });
  const o = (value) => ({ s: new lib.Overwrite(value) });
  await t.invoke(fan(lib, state, { a: o("a"), b: { s: "b" }, c: o("c") }), { other: 1 });
  await t.invoke(fan(lib, state, { a: { s: "a" }, b: o("b"), c: { s: "c" } }), { other: 1 });
});

fact(
  "4.13",
  "an Overwrite of a messages list that waited for a neighbour's answer",
  async (lib, t) => {
    for (const update of [[new lib.AIMessage({ content: "only", id: "o" })], []]) {
      const graph = fan(
        lib,
        lib.MessagesAnnotation,
        {
          other: { messages: new lib.Overwrite(update) },
          ask: () => ({ messages: new lib.AIMessage({ content: lib.interrupt("?"), id: "a" }) }),
        },
        { checkpointer: new lib.MemorySaver() },
      );
      const config = thread("t", { streamMode: ["updates", "values"] });
      await t.stream(
        graph,
        { messages: [new lib.HumanMessage({ content: "hi", id: "h" })] },
        config,
      );
      await t.state(graph, config);
      await t.stream(graph, new lib.Command({ resume: "yes" }), config);
      await t.history(graph, config);
    }
  },
);

fact("4.13", "Overwrite of a LastValue and of a messages list", async (lib, t) => {
  const state = lib.Annotation.Root({ a: lib.Annotation });
  await t.invoke(fan(lib, state, { one: { a: { __overwrite__: 1 } } }), { a: 0 });
  const messages = fan(lib, lib.MessagesAnnotation, {
    n: { messages: new lib.Overwrite([new lib.AIMessage({ content: "new", id: "n" })]) },
  });
  await t.invoke(messages, { messages: [{ role: "user", content: "old", id: "o" }] });
});

fact("4.14", "a restored channel keeps its value, an absent one its default", async (lib, t) => {
  const state = logState(lib, {
    a: lib.Annotation,
    n: lib.Annotation({ reducer: (a, b) => a + b, default: () => 7 }),
  });
  const saver = new lib.MemorySaver();
  const first = fan(lib, state, { one: { log: ["one"] } }, { checkpointer: saver });
  const second = fan(lib, state, { two: { n: 1 } }, { checkpointer: saver });
  await t.invoke(first, { log: ["in"], a: "kept" }, thread("t"));
  await t.invoke(second, { log: ["again"] }, thread("t"));
  await t.invoke(first, { a: null }, thread("t"));
  await t.history(first, thread("t"));
});

fact("4.9, 13.4", "an UntrackedValue lives as long as the run", async (lib, t) => {
  const state = new lib.StateSchema({
    kept: z.string().default("d"),
    loose: new lib.UntrackedValue(z.string()),
  });
  const graph = new lib.StateGraph(state)
    .addNode("a", () => ({ loose: "from a", kept: "a" }))
    .addNode("b", (all) => ({ kept: `${all.kept} saw ${all.loose}` }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { kept: "in" }, thread("t", { streamMode: ["values", "updates"] }));
  await t.stream(graph, { kept: "again" }, thread("t", { streamMode: ["values"] }));
  await t.history(graph, thread("t"));
});
