// SPDX-License-Identifier: MIT
// The config of a call: how those of the graph, of the call and of the node around it merge, what a
// node sees of it, and what is refused.
import { same } from "./surface.mjs";

const graphOf = (lib, node, options) =>
  new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode("n", node)
    .addEdge(lib.START, "n")
    .compile(options);

const HIDDEN = /^__|^checkpoint_(ns|map)$|_checkpoint_ns$/;
const open = (object) =>
  Object.fromEntries(
    Object.entries(object ?? {}).filter(([key, value]) => !HIDDEN.test(key) && value !== undefined),
  );

/**
 * What a node may see of its config; where its graph stands among others is facts-subgraphs'
 * matter.
 */
const shown = (config) => ({
  keys: Object.keys(config)
    .filter((key) => key !== "control")
    .sort(),
  tags: config.tags,
  metadata: open(config.metadata),
  configurable: open(config.configurable),
  recursionLimit: config.recursionLimit,
  maxConcurrency: config.maxConcurrency,
  runName: config.runName,
  context: config.context,
  serverInfo: config.serverInfo,
  signal: typeof config.signal,
});

const FULL = {
  tags: ["x", "y", "x"],
  metadata: { m: 1 },
  recursionLimit: 7,
  runName: "run",
  maxConcurrency: 3,
  context: { c: 1 },
  timeout: 10_000,
  custom: 5,
  configurable: {
    thread_id: "t",
    foo: "f",
    num: 1,
    bool: true,
    obj: {},
    __own: 1,
    user_id: "u",
    assistant_id: "a",
  },
};
const UNDER = {
  tags: ["under", "x"],
  metadata: { m: 0, n: 2 },
  configurable: { foo: "u", bar: "b" },
  recursionLimit: 9,
  runName: "u",
  maxConcurrency: 1,
};

same("what a node sees of a call's config", async (lib, t) => {
  const graph = graphOf(lib, (_, config) => t.note("seen", shown(config)) && {});
  await t.invoke(graph, { a: 1 });
  await t.invoke(graph, { a: 1 }, FULL);
  await t.invoke(graph.withConfig(UNDER), { a: 1 }, FULL);
  await t.invoke(graph.withConfig(FULL), { a: 1 }, UNDER);
  const twice = graph
    .withConfig({ tags: ["1"], metadata: { a: 1 }, recursionLimit: 9 })
    .withConfig({ tags: ["2"], metadata: { b: 1 } });
  await t.invoke(twice, { a: 1 });
  const user = { identity: "me" };
  for (const configurable of [
    { graph_id: "g" },
    { assistant_id: 5 },
    { langgraph_auth_user: user },
    { langgraph_auth_user: "me" },
  ])
    await t.invoke(graph, { a: 1 }, { configurable });
  await t.invoke(
    graph,
    { a: 1 },
    { metadata: { assistant_id: "a", graph_id: "g" }, configurable: { langgraph_auth_user: user } },
  );
  t.note("configs", [graph.config, twice.config.tags, twice.config.recursionLimit]);
});

same("the config of the node around is beneath", async (lib, t) => {
  const inner = graphOf(
    lib,
    (_, config) =>
      t.note("inner", [
        config.tags,
        open(config.configurable).foo,
        open(config.metadata).m,
        config.recursionLimit,
      ]) && {},
  );
  const outer = graphOf(lib, async (state, config) => {
    await inner.invoke(state);
    await inner.invoke(state, config);
    await inner.invoke(state, {
      tags: ["own"],
      metadata: { m: 2 },
      configurable: { foo: "own" },
      recursionLimit: 3,
    });
    return {};
  });
  await t.invoke(outer, { a: 1 }, FULL);
});

const wrong = {
  "limit 0": { recursionLimit: 0 },
  "limit -1": { recursionLimit: -1 },
  "timeout 0": { timeout: 0 },
  "timeout -1": { timeout: -1 },
  both: { durability: "sync", checkpointDuring: true },
  "no mode": { streamMode: [] },
  tags: { tags: "x" },
  metadata: { metadata: 5 },
  configurable: { configurable: 5 },
  "a string": "x",
  "a number": 5,
  null: null,
};

same("what is refused", async (lib, t) => {
  const graph = graphOf(lib, () => ({}));
  for (const [label, config] of Object.entries(wrong))
    await t.try(label, () => graph.invoke({ a: 1 }, config));
  for (const config of [undefined, {}, { configurable: {} }]) {
    await t.try("no thread", () =>
      graphOf(lib, () => ({}), { checkpointer: new lib.MemorySaver() }).invoke({ a: 1 }, config),
    );
  }
  await t.try("update of no thread", () =>
    graphOf(lib, () => ({}), { checkpointer: new lib.MemorySaver() }).updateState(
      { configurable: {} },
      { a: 1 },
    ),
  );
});

same("checkpointDuring is the older word for durability", async (lib, t) => {
  for (const checkpointDuring of [true, false]) {
    const graph = graphOf(lib, () => ({ a: 2 }), { checkpointer: new lib.MemorySaver() });
    const config = { configurable: { thread_id: "t" } };
    await t.invoke(graph, { a: 1 }, { ...config, checkpointDuring });
    await t.try("checkpoints", async () => {
      let count = 0;
      for await (const _ of graph.getStateHistory(config)) count++;
      return count;
    });
  }
});

same("a timeout ends the run", async (lib, t) => {
  const graph = graphOf(
    lib,
    (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve({}))),
  );
  // The timer of a timeout keeps no process alive.
  const alive = setTimeout(() => {}, 1000);
  await t.try("times out", () =>
    graph.invoke({ a: 1 }, { timeout: 10 }).then(
      () => "no error",
      (error) => error instanceof Error,
    ),
  );
  clearTimeout(alive);
});

const ofConfig = (config) => [
  config.tags,
  open(config.metadata),
  config.recursionLimit,
  config.runName,
  open(config.configurable),
  config.context,
  config.maxConcurrency,
  config.durability,
];
const GIVEN = {
  nothing: undefined,
  "an empty one": {},
  tags: { tags: ["i"] },
  metadata: { metadata: { mi: 1 } },
  configurable: { configurable: { y: 2 } },
  thread: { configurable: { thread_id: "9" } },
  limit: { recursionLimit: 3 },
  name: { runName: "rn" },
  context: { context: { v: 2 } },
  concurrency: { maxConcurrency: 1 },
  durability: { durability: "exit" },
};

same("what a call inside a node takes over of its config", async (lib, t) => {
  const around = {
    tags: ["o"],
    metadata: { mo: 1 },
    recursionLimit: 11,
    configurable: { thread_id: "1", x: 1 },
    context: { u: 1 },
    maxConcurrency: 3,
    runName: "run",
    durability: "sync",
  };
  const inner = graphOf(lib, (_, config) => t.note("inner", ofConfig(config)) && {});
  const bound = inner.withConfig({
    tags: ["b"],
    metadata: { mb: 1 },
    recursionLimit: 4,
    configurable: { z: 3 },
  });
  for (const [label, given] of Object.entries(GIVEN)) {
    for (const whole of [false, true]) {
      for (const graph of [inner, bound]) {
        const outer = graphOf(
          lib,
          async (state, config) => {
            t.note(label, ofConfig(config));
            const own = whole ? { ...config, ...given } : given;
            await t.try("invoke", () => graph.invoke(state, own));
            for await (const chunk of await graph.stream(state, own)) t.note("chunk", chunk);
            return {};
          },
          { checkpointer: new lib.MemorySaver() },
        );
        await t.try("run", () => outer.invoke({ a: 1 }, around));
      }
    }
  }
});
