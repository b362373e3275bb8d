// SPDX-License-Identifier: MIT
// Configs that cannot be used: what invoke, stream, getState, getStateHistory and updateState say
// of them. Unknown stream modes and durabilities and a limit that is no number LangGraph.js takes
// without a word; Weft refuses them (tests/js/refused-early.test.mjs).
import { same } from "./surface.mjs";
import { logState, thread } from "./harness.mjs";

const CONFIGS = {
  none: undefined,
  null: null,
  empty: {},
  "without names": { configurable: {} },
  ...Object.fromEntries(
    [5, 0, true, null, "", {}, [], Symbol("s"), () => 1].map((id) => [
      `the thread ${typeof id === "symbol" ? "s" : Array.isArray(id) ? "[]" : id === "" ? '""' : id}`,
      { configurable: { thread_id: id } },
    ]),
  ),
  "a checkpoint that is a number": { configurable: { thread_id: "t", checkpoint_id: 5 } },
  "a checkpoint that is empty": { configurable: { thread_id: "t", checkpoint_id: "" } },
  "a checkpoint that is null": { configurable: { thread_id: "t", checkpoint_id: null } },
  "an unknown checkpoint": { configurable: { thread_id: "t", checkpoint_id: "nope" } },
  "an unknown namespace": { configurable: { thread_id: "t", checkpoint_ns: "nope" } },
  ...Object.fromEntries(
    [0, -1, 0.5, 1, 1.5, true, Infinity, null].map((limit) => [
      `the recursion limit ${limit}`,
      thread("t", { recursionLimit: limit }),
    ]),
  ),
  "no timeout": thread("t", { timeout: 0 }),
  "a timeout below zero": thread("t", { timeout: -1 }),
  "unknown output keys": thread("t", { outputKeys: ["a", "nope"] }),
  "unknown breakpoints": thread("t", { interruptBefore: ["nope"] }),
};

for (const [title, config] of Object.entries(CONFIGS)) {
  for (const saves of [true, false]) {
    same(`${title}, ${saves ? "with" : "without"} a saver`, async (lib, t) => {
      const graph = new lib.StateGraph(logState(lib, { a: lib.Annotation }))
        .addNode("x", () => ({ a: 1 }))
        .addEdge(lib.START, "x")
        .compile(saves ? { checkpointer: new lib.MemorySaver() } : {});
      await t.invoke(graph, { a: 0 }, config);
      await t.try("stream", async () => {
        const chunks = [];
        for await (const chunk of await graph.stream({ a: 0 }, config)) chunks.push(chunk);
        return chunks;
      });
      await t.try("state", async () => {
        const { values, next } = await graph.getState(config);
        return [values, next];
      });
      await t.try("history", async () => {
        const steps = [];
        for await (const { metadata } of graph.getStateHistory(config)) steps.push(metadata.step);
        return steps;
      });
      await t.try("update", async () =>
        Object.keys((await graph.updateState(config, { a: 5 }, "x")).configurable),
      );
    });
  }
}

for (const list of [5, {}]) {
  same(`breakpoints that are ${JSON.stringify(list)}`, async (lib, t) => {
    const graph = new lib.StateGraph(logState(lib))
      .addNode("x", () => ({}))
      .addEdge(lib.START, "x")
      .compile();
    await t.invoke(graph, {}, { interruptBefore: list });
  });
}

same("a graph bound to a thread: history and edits take it, getState does not", async (lib, t) => {
  const bound = new lib.StateGraph(logState(lib, { a: lib.Annotation }))
    .addNode("x", () => ({ a: 1 }))
    .addEdge(lib.START, "x")
    .compile({ checkpointer: new lib.MemorySaver() })
    .withConfig(thread("t", { tags: ["q"], metadata: { m: 1 } }));
  await t.invoke(bound, {});
  for (const config of [
    {},
    { configurable: {} },
    { tags: ["z"] },
    { configurable: { x: 1 } },
    thread("t"),
    thread("u"),
    undefined,
    null,
  ]) {
    await t.state(bound, config);
    await t.history(bound, config);
    await t.update(bound, config, { a: 2 }, "x");
  }
});

same("identifiers that a saver is given", async (lib, t) => {
  const checkpoint = {
    v: 4,
    id: "1ef4f797-8335-6428-8001-8a1503f9b875",
    ts: "2020",
    channel_values: {},
    channel_versions: {},
    versions_seen: {},
  };
  const places = [
    {},
    { thread_id: 5 },
    { thread_id: "" },
    { thread_id: null },
    { thread_id: "__proto__" },
    ...[5, "", null, "x"].flatMap((one) =>
      [{ checkpoint_id: one }, { checkpoint_ns: one }].map((more) => ({ thread_id: "t", ...more })),
    ),
  ];
  for (const configurable of places) {
    const saver = new lib.MemorySaver();
    await t.try("getTuple", () => saver.getTuple({ configurable }));
    await t.try("list", () => saver.list({ configurable }).next());
    await t.try("put", async () =>
      Object.keys(
        (
          await saver.put(
            { configurable },
            checkpoint,
            { source: "loop", step: 0, parents: {} },
            {},
          )
        ).configurable,
      ).sort(),
    );
    await t.try("putWrites", () => saver.putWrites({ configurable }, [["a", 1]], "task"));
  }
});

same("where a Command as input cannot lead", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib, { a: lib.Annotation }))
    .addNode("x", () => ({ a: 1 }))
    .addEdge(lib.START, "x")
    .compile({ checkpointer: new lib.MemorySaver() });
  const targets = [
    5,
    true,
    null,
    undefined,
    "",
    "nope",
    [],
    {},
    ["x", 5],
    [null],
    [[]],
    () => 1,
    { node: "x", args: 1 },
  ];
  for (const [at, goto] of targets.entries())
    await t.try(`goto ${at}`, () => graph.invoke(new lib.Command({ goto }), thread(`t${at}`)));
  await t.try("goto and update", () =>
    graph.invoke(new lib.Command({ goto: 5, update: 5 }), thread("u")),
  );
});

same("a node sees at once that its caller aborts", async (lib, t) => {
  for (const reason of [undefined, "why", new TypeError("w"), { a: 1 }, null]) {
    for (const early of [true, false]) {
      const caller = new AbortController();
      const node = async (_, config) => {
        const before = early ? config.signal : undefined;
        before?.addEventListener("abort", () => t.note("heard", before.reason));
        caller.abort(reason);
        t.note("aborted", [config.signal.aborted, config.signal.reason]);
        await null;
        return {};
      };
      const inner = new lib.StateGraph(logState(lib))
        .addNode("i", node)
        .addEdge(lib.START, "i")
        .compile();
      for (const [label, action] of Object.entries({ node, inner })) {
        const graph = new lib.StateGraph(logState(lib))
          .addNode("n", action)
          .addEdge(lib.START, "n")
          .compile();
        await t.try(label, () => graph.invoke({ log: [] }, { signal: caller.signal }));
      }
    }
  }
});
