// SPDX-License-Identifier: MIT
// Entrypoints and tasks with odd names, functions, options and results, and Annotations that are
// none: what both packages make of them.
import { AsyncResource } from "node:async_hooks";
import * as theirs from "@langchain/langgraph-checkpoint";
import * as ours from "weftgraph/checkpoint";
import { chain, inTime, pause, thread } from "./harness.mjs";
import { same } from "./surface.mjs";

const titleOf = (value) =>
  typeof value === "string" || value === undefined || Number.isNaN(value)
    ? String(value)
    : (JSON.stringify(value) ?? String(value));
const NO_FUNCTIONS = [undefined, null, 5, "x", {}, class A {}, { invoke: (x) => x }];

for (const name of ["undefined", "a|b", "a:b", "", "__start__", "__end__", "__interrupt__"]) {
  same(`an entrypoint and a task named ${name}`, async (lib, t) => {
    const inner = lib.task({ name }, async (x) => x + 1);
    for (const make of [
      () => lib.entrypoint({ name, checkpointer: new lib.MemorySaver() }, async (x) => x + 1),
      () => lib.entrypoint("flow", async (x) => inner(x)),
    ]) {
      await t.try("runs", async () => {
        const flow = make();
        await t.invoke(flow, 1, thread("1"));
        await t.stream(flow, 1, thread("2", { streamMode: ["updates", "values"] }), {
          fallible: true,
        });
      });
    }
  });
}
same("a task whose name is none", async (lib, t) => {
  for (const options of [
    {},
    [],
    { name: 5 },
    { name: null },
    5,
    true,
    null,
    undefined,
    Symbol("s"),
  ]) {
    await t.try("runs", () => {
      const inner = lib.task(options, async (x) => x + 1);
      return lib.entrypoint("flow", async (x) => inner(x)).invoke(1);
    });
  }
});
for (const [index, func] of NO_FUNCTIONS.entries()) {
  same(`what is called is no function, ${index}`, async (lib, t) => {
    await t.try("entrypoint", () => lib.entrypoint("flow", func).invoke(1));
    await t.try("task", () => {
      const inner = lib.task("inner", func);
      return lib.entrypoint("flow", async (x) => inner(x)).invoke(1);
    });
  });
}

const RETRIES = [
  { maxAttempts: 1.5 },
  { maxAttempts: null },
  { maxAttempts: "2" },
  { maxAttempts: 0 },
  { maxAttempts: -1 },
  { maxAttempts: 2, initialInterval: NaN },
  { maxAttempts: 2, initialInterval: -5 },
  { maxAttempts: 2, retryOn: null },
];
for (const retry of RETRIES) {
  same(`a retry policy of ${titleOf(retry)}`, async (lib, t) => {
    let runs = 0;
    const inner = lib.task(
      { name: "inner", retry: { initialInterval: 1, jitter: false, logWarning: false, ...retry } },
      async () => {
        runs++;
        throw new Error("e");
      },
    );
    await t.invoke(
      lib.entrypoint("flow", async (x) => inner(x)),
      1,
    );
    t.note("runs", runs);
  });
}

for (const policy of [true, {}, false, null, undefined, { keyFunc: () => "k" }, { ttl: 5 }]) {
  same(`a task's cache, also by its other name, ${titleOf(policy)}`, async (lib, t) => {
    for (const options of [
      { cache: policy },
      { cachePolicy: policy },
      { cache: policy, cachePolicy: true },
    ]) {
      let runs = 0;
      const inner = lib.task({ name: "inner", ...options }, async (x) => (runs++, x));
      const flow = lib.entrypoint(
        { name: "flow", cache: new (t.isPeer ? theirs : ours).InMemoryCache() },
        async (x) => [await inner(x), await inner(x), await inner(2)],
      );
      for (const input of [1, 1, 2]) await t.stream(flow, input, { streamMode: "updates" });
      t.note("runs", runs);
    }
  });
}

for (const reducer of [undefined, null, 0, "", false]) {
  same(`an Annotation whose reducer is ${titleOf(reducer)}`, async (lib, t) => {
    for (const definition of [{ reducer }, { value: reducer }]) {
      const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation(definition) }))
        .addNode("n", () => ({ a: 1 }))
        .addEdge(lib.START, "n")
        .compile();
      t.note("channel", graph.channels.a.constructor.name);
      await t.invoke(graph, { a: 0 });
    }
  });
}
same(
  "a task that is called when its caller has ended",
  inTime(async (lib, t) => {
    for (const ms of [5, 30]) {
      const log = [];
      const inner = lib.task("inner", async (x) => (log.push("runs"), x));
      const call = async () => void log.push(await inner("value"));
      const graph = chain(
        lib,
        { a: () => void setTimeout(AsyncResource.bind(call), ms), b: () => pause(15, { x: 1 }) },
        { checkpointer: new lib.MemorySaver() },
      );
      await t.invoke(graph, { x: 0 }, thread("1"));
      await pause(25);
      t.note("log", log);
      await t.state(graph, thread("1"));
    }
  }),
);

const LATE = {
  "a graph": (lib, graph) => graph.invoke({ x: 1 }).then(({ x }) => x),
  "a graph, by its config": (lib, graph, config) =>
    graph.invoke({ x: 1 }, config).then(({ x }) => x),
  "a graph on a thread that it names": async (lib) => {
    const graph = chain(
      lib,
      { i: ({ x }, { configurable }) => ({ x: [x, configurable.thread_id] }) },
      { checkpointer: new lib.MemorySaver() },
    );
    return (await graph.invoke({ x: 1 }, thread("own"))).x;
  },
  "an entrypoint": (lib) => lib.entrypoint("flow", async (x) => x + 1).invoke(1),
  "a model": async (lib) =>
    (await new lib.FakeListChatModel({ responses: ["said"] }).invoke("hi")).content,
  "a model, by its config": async (lib, _, config) =>
    (await new lib.FakeListChatModel({ responses: ["said"] }).invoke("hi", config)).content,
  "the config": (lib, _, config) => [
    Object.keys(lib.getConfig().configurable)
      .filter((key) => !key.startsWith("__"))
      .sort(),
    typeof config.configurable.checkpoint_ns,
    typeof config.executionInfo.taskId,
    config.metadata.langgraph_node,
  ],
};
for (const [title, act] of Object.entries(LATE)) {
  same(`what outlives its node: ${title}`, async (lib, t) => {
    const inner = chain(lib, { i: ({ x }) => ({ x: [x] }) });
    for (const options of [{}, { checkpointer: new lib.MemorySaver() }]) {
      let late;
      const later = (config) =>
        new Promise((resolve) =>
          setTimeout(() => resolve(t.try("late", () => act(lib, inner, config))), 5),
        );
      const graph = chain(lib, { n: (_, config) => ((late = later(config)), { x: 2 }) }, options);
      await t.invoke(graph, { x: 1 }, thread("1"));
      await late;
      await t.stream(graph, { x: 1 }, thread("2", { streamMode: ["updates", "messages"] }));
      await late;
      if (options.checkpointer !== undefined) await t.state(graph, thread("1"));
    }
  });
}

const DEFAULTS = {
  retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false },
  timeout: 5,
  cachePolicy: { ttl: 50, keyFunc: null },
};
for (const [kind, policy] of Object.entries(DEFAULTS)) {
  same(`a node's ${kind} that is null is the graph's`, async (lib, t) => {
    for (const own of [null, undefined]) {
      let runs = 0;
      const node = async () => {
        runs++;
        if (kind === "timeout") await pause(15);
        if (kind === "retryPolicy") throw new Error("x");
        return { x: runs };
      };
      const graph = new lib.StateGraph(lib.Annotation.Root({ x: lib.Annotation }))
        .setNodeDefaults({ [kind]: policy })
        .addNode("n", node, { [kind]: own })
        .addEdge(lib.START, "n")
        .compile({ cache: new (t.isPeer ? theirs : ours).InMemoryCache() });
      await t.invoke(graph, { x: 0 });
      await t.invoke(graph, { x: 0 });
      t.note("runs", runs);
    }
  });
}

same("values that are no messages", async (lib, t) => {
  for (const given of [{ nope: 1 }, 5, { role: "nobody", content: "x" }, [5], ["nobody", "x"]]) {
    const graph = new lib.StateGraph(lib.MessagesAnnotation)
      .addNode("a", ({ messages }) => ({ messages: messages.length > 0 ? given : [] }))
      .addEdge(lib.START, "a")
      .compile();
    for (const messages of [given, ["hi"]]) {
      const error = await graph.invoke({ messages }).catch((one) => one);
      t.note("error", [error.name, error.message, String(error), error.lc_error_code]);
    }
  }
});
