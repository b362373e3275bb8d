// SPDX-License-Identifier: MIT
// docs/semantics.md 16: caches of nodes and tasks, the same in both packages; each runs on a cache
// made for LangGraph.js.
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { AIMessage } from "@langchain/core/messages";
import { setTimeout } from "node:timers/promises";
import { LIBRARIES, fact, logState, thread } from "./harness.mjs";
import * as langgraphPregel from "@langchain/langgraph/pregel";
import * as langgraphChannels from "@langchain/langgraph/channels";
import * as weftPregel from "weftgraph/pregel";
import * as weftChannels from "weftgraph/channels";

/** A cache that says what it is asked and given. */
class Spy extends InMemoryCache {
  asked = [];
  given = [];

  get(keys) {
    this.asked.push(keys);
    return super.get(keys);
  }

  set(pairs) {
    this.given.push(
      structuredClone(
        pairs.map(({ key, value, ttl }) => ({ key, value: JSON.stringify(value), ttl })),
      ),
    );
    return super.set(pairs);
  }
}

const ALL = ["values", "updates", "custom", "tasks", "checkpoints", "debug"];
const stateOf = (lib) => logState(lib, { x: lib.Annotation });

/** A graph of one node that counts its calls. */
function one(lib, node, policy, options, more) {
  return new lib.StateGraph(stateOf(lib))
    .addNode("a", node, { cachePolicy: policy, ...more })
    .addEdge(lib.START, "a")
    .addEdge("a", lib.END)
    .compile(options);
}

/** Runs it several times and notes all that its reader and its cache see. */
async function see(t, graph, cache, inputs, config = { streamMode: ALL }) {
  for (const input of inputs) await t.stream(graph, input, config);
  t.note("asked", cache.asked);
  t.note("given", cache.given);
}

fact("16.12", "a hit replaces the node, and is shown as such", async (lib, t) => {
  let calls = 0;
  for (const policy of [{}, { ttl: 60 }, true, false, undefined]) {
    const cache = new Spy();
    const node = (state, config) => {
      config.writer("runs");
      return { x: ++calls, log: [`x was ${state.x}`] };
    };
    await see(t, one(lib, node, policy, { cache }), cache, [
      { x: 1 },
      { x: 1 },
      { x: 2 },
      { x: 1 },
    ]);
  }
  t.note("calls", calls);
});

fact(
  "16.12",
  "what is kept: state, edges, joins, Commands, Sends, Overwrites, nothing",
  async (lib, t) => {
    const { Command, END, Send, START } = lib;
    const outputs = [
      () => ({ x: [1, null, { a: undefined }] }),
      () => null,
      () => new Command({ update: { x: 5 }, goto: "b" }),
      () => new Command({ goto: [new Send("b", { x: 7 }), "c"] }),
      () => ({ log: { __overwrite__: ["over"] } }),
      () => [new Command({ update: { x: 1 } }), new Command({ update: { log: ["l"] } })],
    ];
    for (const output of outputs) {
      const cache = new Spy();
      const graph = new lib.StateGraph(stateOf(lib))
        .addNode("a", output, { cachePolicy: {}, ends: ["b", "c"] })
        .addNode("b", (state) => ({ log: [`b ${state.x}`] }), { cachePolicy: { ttl: 9 } })
        .addNode("c", () => ({ log: ["c"] }), { defer: true })
        .addNode("d", () => ({ log: ["d"] }))
        .addEdge(START, "a")
        .addEdge("a", "b")
        .addEdge(["a", "b"], "d")
        .addConditionalEdges("b", () => ["c", END])
        .compile({ cache });
      await see(t, graph, cache, [{ x: 1 }, { x: 1 }], {
        streamMode: ["values", "updates", "tasks"],
      });
    }
  },
);

fact("16.12", "keys: of the node's input, by the policy's function", async (lib, t) => {
  const asked = [];
  const functions = [
    undefined,
    (input) => {
      asked.push(input);
      return "k";
    },
    () => "",
    () => new Uint8Array([107]),
  ];
  for (const keyFunc of functions) {
    const cache = new Spy();
    const graph = one(lib, () => ({ x: 1 }), { keyFunc }, { cache });
    for (const x of ["é", "\ud800", new Date(0), { b: 1, a: [undefined] }])
      await t.invoke(graph, { x });
    t.note("asked", cache.asked);
  }
  t.note("inputs", asked);
  const cache = new Spy();
  const Input = lib.Annotation.Root({ x: lib.Annotation });
  const graph = new lib.StateGraph(stateOf(lib))
    .addNode("a", () => ({ log: ["a"] }), { cachePolicy: true, input: Input })
    .addEdge(lib.START, "a")
    .compile({ cache });
  await see(
    t,
    graph,
    cache,
    [
      { x: 1, log: ["1"] },
      { x: 1, log: ["2"] },
    ],
    { streamMode: "updates" },
  );
});

fact("16.12", "a key that cannot be made, a cache that cannot be read", async (lib, t) => {
  const keyFunc = () => {
    throw new Error("no key");
  };
  await t.stream(
    one(lib, () => ({}), { keyFunc }, { cache: new Spy() }),
    { x: 1 },
    { streamMode: ALL },
  );
  await t.stream(
    one(lib, () => ({}), {}, { cache: new Spy() }),
    { x: 1n },
    { streamMode: "values" },
  );
  const cache = Object.assign(new Spy(), {
    get: async () => {
      throw new Error("no cache");
    },
  });
  await t.stream(
    one(lib, () => ({}), {}, { cache }),
    { x: 1 },
    { streamMode: ["values", "tasks"] },
  );
  const task = lib.task({ name: "t", cachePolicy: { keyFunc } }, async (x) => x);
  const flow = lib.entrypoint({ name: "flow", cache: new Spy() }, (x) =>
    task(x).catch((error) => error.message),
  );
  await t.stream(flow, 1, { streamMode: ["values", "updates", "tasks"] });
});

fact("16.12", "defaults of a graph's nodes; what has no policy, or no cache", async (lib, t) => {
  const cache = new Spy();
  const build = () =>
    new lib.StateGraph(stateOf(lib))
      .setNodeDefaults({ cachePolicy: { ttl: 3 } })
      .addNode("a", () => ({ x: "a" }))
      .addNode("b", () => ({ x: "b" }), { cachePolicy: false })
      .addNode("c", () => ({ x: "c" }), { cachePolicy: true })
      .addEdge(lib.START, "a")
      .addEdge("a", "b")
      .addEdge("b", "c");
  await see(t, build().compile({ cache }), cache, [{ x: 1 }, { x: 1 }], { streamMode: "updates" });
  const other = new Spy();
  await t.stream(build().compile(), { x: 1 }, { streamMode: "updates", cache: other });
  t.note("a cache given to a call", other.asked);
});

fact("16.12", "breakpoints, questions and failures", async (lib, t) => {
  for (const options of [{ interruptBefore: ["a"] }, { interruptAfter: ["a"] }]) {
    const cache = new Spy();
    const graph = one(
      lib,
      () => ({ x: 2 }),
      {},
      { ...options, cache, checkpointer: new lib.MemorySaver() },
    );
    for (const id of ["1", "2"])
      await see(t, graph, cache, [{ x: 1 }, null], thread(id, { streamMode: ALL }));
  }
  const cache = new Spy();
  const asks = one(
    lib,
    () => ({ x: [lib.interrupt("q1"), lib.interrupt("q2")] }),
    {},
    { cache, checkpointer: new lib.MemorySaver() },
  );
  for (const id of ["1", "2"]) {
    await see(
      t,
      asks,
      cache,
      [
        { x: 1 },
        ...(id === "1" ? [new lib.Command({ resume: 7 }), new lib.Command({ resume: 8 })] : []),
      ],
      thread(id, { streamMode: ["values", "updates"] }),
    );
    await t.history(asks, thread(id));
  }
  let calls = 0;
  const fails = () => {
    if (++calls < 4) throw new Error(`e${calls}`);
    return { x: calls };
  };
  const other = new Spy();
  const graph = one(
    lib,
    fails,
    {},
    { cache: other },
    { retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false } },
  );
  await see(t, graph, other, [{ x: 1 }, { x: 1 }, { x: 1 }], { streamMode: ["values", "updates"] });
  const handled = one(
    lib,
    () => {
      throw new Error("no");
    },
    {},
    { cache: other },
    { errorHandler: () => ({ x: "handled" }) },
  );
  await see(t, handled, other, [{ x: 5 }, { x: 5 }], { streamMode: ["values", "updates"] });
});

fact(
  "16.12",
  "threads: what came from a cache is saved like a result; a neighbour that failed goes on alone",
  async (lib, t) => {
    for (const durability of ["sync", "async", "exit"]) {
      const cache = new Spy();
      let fails = true;
      const graph = new lib.StateGraph(stateOf(lib))
        .addNode("a", () => ({ log: ["a"] }), { cachePolicy: {} })
        .addNode(
          "b",
          async () => {
            await setTimeout(2);
            if (fails) throw new Error("b");
            return { log: ["b"] };
          },
          { cachePolicy: {} },
        )
        .addEdge(lib.START, "a")
        .addEdge(lib.START, "b")
        .compile({ cache, checkpointer: new lib.MemorySaver() });
      await t.try("run", () => graph.invoke({ x: 1 }, thread("1", { durability })));
      await t.state(graph, thread("1"));
      fails = false;
      await see(
        t,
        graph,
        cache,
        [null],
        thread("1", { streamMode: ["values", "updates"], durability }),
      );
      await see(
        t,
        graph,
        cache,
        [{ x: 1 }],
        thread("2", { streamMode: ["values", "updates", "tasks"], durability }),
      );
      for (const id of ["1", "2"]) await t.history(graph, thread(id));
      await t.invoke(graph, { x: 3 }, thread("2", { durability }));
    }
  },
);

fact("16.12", "messages that were kept get new ids", async (lib, t) => {
  const cache = new Spy();
  const graph = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode(
      "m",
      () => ({
        messages: [
          { role: "ai", content: "plain" },
          new AIMessage("made"),
          new AIMessage({ id: "own", content: "named" }),
        ],
      }),
      { cachePolicy: { keyFunc: () => "k" } },
    )
    .addEdge(lib.START, "m")
    .compile({ cache, checkpointer: new lib.MemorySaver() });
  for (let i = 0; i < 3; i++) {
    const { messages } = await graph.invoke({ messages: "hi" }, thread("1"));
    t.note(
      "messages",
      messages.map((message) => [message.getType(), message.content, message.id === "own"]),
    );
    t.note("all have ids", new Set(messages.map(({ id }) => id)).size);
  }
  t.note("given", cache.given);
  await t.stream(graph, { messages: "hi" }, thread("2", { streamMode: ["messages"] }));
});

fact("16.12", "graphs inside: each has its own cache", async (lib, t) => {
  const [outer, inner] = [new Spy(), new Spy()];
  const inside = (options) =>
    one(lib, (state) => ({ x: state.x + 1, log: ["in"] }), { ttl: 7 }, options);
  for (const [own, policy] of [
    [undefined, undefined],
    [inner, undefined],
    [undefined, {}],
    [inner, {}],
  ]) {
    const graph = new lib.StateGraph(stateOf(lib))
      .addNode("sub", inside({ cache: own }), { cachePolicy: policy })
      .addEdge(lib.START, "sub")
      .compile({ cache: outer });
    await see(t, graph, inner, [{ x: 1 }, { x: 1 }], {
      streamMode: ["values", "updates", "tasks"],
      subgraphs: true,
    });
    t.note("outer", [outer.asked, outer.given]);
  }
  const parent = one(
    lib,
    () => new lib.Command({ graph: lib.Command.PARENT, goto: "z", update: { x: 9 } }),
    {},
  );
  const graph = new lib.StateGraph(stateOf(lib))
    .addNode("sub", parent, { ends: ["z"], cachePolicy: {} })
    .addNode("z", () => ({ log: ["z"] }))
    .addEdge(lib.START, "sub")
    .compile({ cache: outer });
  await see(t, graph, outer, [{ x: 1 }, { x: 1 }], { streamMode: ["updates", "tasks"] });
});

fact("16.12", "tasks: hits, questions behind them, retries", async (lib, t) => {
  const cache = new Spy();
  let calls = 0;
  const add = lib.task({ name: "add", cachePolicy: { ttl: 5 } }, async (...parts) => {
    calls++;
    return parts.reduce((sum, part) => sum + part, 0);
  });
  const flow = lib.entrypoint(
    { name: "flow", cache, checkpointer: new lib.MemorySaver() },
    async (x) => [await add(x, 2), await add(3), lib.interrupt("q")],
  );
  for (const id of ["1", "2"]) {
    await see(
      t,
      flow,
      cache,
      [1, new lib.Command({ resume: "yes" })],
      thread(id, { streamMode: ["values", "updates", "tasks", "debug"] }),
    );
  }
  const nothing = lib.task({ name: "nothing", cachePolicy: {} }, async () => {
    calls++;
  });
  const keyed = lib.task(
    { name: "keyed", cachePolicy: { keyFunc: ([args]) => String(args[0]) } },
    async (name, value) => {
      calls++;
      return value;
    },
  );
  const other = lib.entrypoint({ name: "other", cache }, async () => [
    await nothing(),
    await keyed("k", 1),
    await keyed("k", 2),
  ]);
  await see(t, other, cache, [1, 1], { streamMode: ["values", "updates"] });
  let left = 1;
  const flaky = lib.task(
    {
      name: "flaky",
      cachePolicy: {},
      retry: { initialInterval: 1, jitter: false, logWarning: false },
    },
    async () => {
      if (left-- > 0) throw new Error("once");
      return "done";
    },
  );
  await see(
    t,
    lib.entrypoint({ name: "retries", cache }, () => flaky()),
    cache,
    [1, 1],
    { streamMode: ["values", "updates"] },
  );
  t.note("calls", calls);
});

fact("16.12", "tasks inside nodes; a node that calls them and is cached itself", async (lib, t) => {
  for (const policy of [undefined, {}]) {
    const cache = new Spy();
    const add = lib.task({ name: "add", cachePolicy: {} }, async (x) => x + 1);
    const graph = one(lib, async (state) => ({ log: [await add(state.x)] }), policy, { cache });
    for (const x of [1, 1, 2])
      await t.stream(graph, { x }, { streamMode: ["values", "updates", "tasks"] });
    t.note("given", cache.given);
  }
});

fact("16.12", "low-level graphs, and what a foreign cache may hold", async (lib, t) => {
  const cache = new Spy();
  const [{ Channel, Pregel }, { LastValue }] =
    lib === LIBRARIES.weft ? [weftPregel, weftChannels] : [langgraphPregel, langgraphChannels];
  const node = Channel.subscribeTo("in")
    .pipe((x) => x + 1)
    .pipe(Channel.writeTo(["out"]));
  node.cachePolicy = { ttl: 3 };
  const app = new Pregel({
    nodes: { node },
    channels: { in: new LastValue(), out: new LastValue() },
    inputChannels: "in",
    outputChannels: "out",
    cache,
  });
  await see(t, app, cache, [1, 1], { streamMode: ["values", "updates", "tasks"] });
  const held = [
    [
      ["x", 5],
      ["nope", 1],
      ["branch:to:zz", null],
    ],
    [],
    [
      ["log", [1]],
      ["branch:to:b", null],
      ["branch:to:b", "a"],
    ],
    [["__pregel_tasks", { node: "b", args: { x: 3 } }]],
    [["__no_writes__", null]],
  ];
  for (const value of held) {
    const foreign = {
      get: async (keys) => [{ key: keys[0], value }],
      set: async () => {},
      clear: async () => {},
    };
    const graph = new lib.StateGraph(stateOf(lib))
      .addNode("a", () => ({ x: "ran" }), { cachePolicy: {}, ends: ["b"] })
      .addNode("b", (state) => ({ log: [state] }))
      .addEdge(lib.START, "a")
      .compile({ cache: foreign });
    await t.stream(graph, { x: 1 }, { streamMode: ["values", "updates"] });
  }
});

fact("16.12", "ttl in seconds; clearCache", async (lib, t) => {
  const cache = new Spy();
  let calls = 0;
  const node = () => ({ x: ++calls });
  const graph = one(lib, node, { ttl: 60 }, { cache });
  await t.invoke(graph, { x: 1 });
  await t.invoke(graph, { x: 1 });
  const brief = one(lib, node, { ttl: 0.01 }, { cache });
  await t.invoke(brief, { x: 2 });
  await setTimeout(20);
  await t.invoke(brief, { x: 2 });
  await t.try("clear", () => graph.clearCache());
  await t.invoke(graph, { x: 1 });
  await t.try("clear without one", () => one(lib, () => ({}), {}).clearCache());
  t.note("of a copy", await t.try("clear", () => graph.withConfig({ tags: ["t"] }).clearCache()));
});

fact("16.12", "what a step has given to the cache, the next one finds", async (lib, t) => {
  const state = logState(lib, { x: lib.Annotation });
  const builder = new lib.StateGraph(state)
    .addNode(
      "a",
      () => new lib.Command({ update: { log: ["a"] }, goto: new lib.Send("b", { x: 7, log: [] }) }),
      { ends: ["b"] },
    )
    .addNode("b", ({ x }) => ({ log: [`b${x}`] }), { cachePolicy: { keyFunc: () => "one" } });
  const graph = builder
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "b")
    .compile({ cache: new InMemoryCache() });
  await t.stream(graph, { x: 0 }, { streamMode: ["updates", "values"] });
});
