// SPDX-License-Identifier: MIT
// Facts 12.1, 12.2, 13.2, 18.1 to 18.4, 6.7, 9.6 inside nodes: streams, config, limits, durability,
// failures.
import { fact, logState, pause, thread } from "./harness.mjs";

const asks = (lib, name, options) =>
  new lib.StateGraph(logState(lib))
    .addNode(name, () => ({ log: [name + lib.interrupt(`${name}?`)] }))
    .addNode("z", () => ({ log: ["z"] }))
    .addEdge(lib.START, name)
    .addEdge(name, "z")
    .compile(options);

/** A graph of one node. */
const single = (lib, name, node, options) =>
  new lib.StateGraph(logState(lib)).addNode(name, node).addEdge(lib.START, name).compile(options);
const plain = (lib, name, options) => single(lib, name, () => ({ log: [name] }), options);

/** START, "a", the node as "c", "e". */
function around(lib, node, options) {
  const builder = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("c", node)
    .addNode("e", () => ({ log: ["e"] }));
  return builder
    .addEdge(lib.START, "a")
    .addEdge("a", "c")
    .addEdge("c", "e")
    .compile({ checkpointer: new lib.MemorySaver(), ...options });
}

/**
 * Maps by id as lists, so that their order is compared; without the keys of LangGraph.js's own use.
 */
function shown(value) {
  if (Array.isArray(value)) return value.map(shown);
  if (
    value === null ||
    typeof value !== "object" ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  const fields = Object.entries(value).filter(([key]) => !key.startsWith("__pregel"));
  const isMap = (key, field) => (key === "checkpoint_map" || key === "parents") && field;
  return Object.fromEntries(
    fields.map(([key, field]) => [key, isMap(key, field) ? Object.entries(field) : shown(field)]),
  );
}

async function note(t, graph, input, config) {
  const chunks = [];
  try {
    for await (const chunk of await graph.stream(input, config)) chunks.push(shown(chunk));
  } catch (error) {
    t.note("threw", error);
  }
  t.note("chunks", chunks);
}

const noteState = async (t, graph) =>
  t.note("state", shown(await graph.getState(thread("t"), { subgraphs: true })));

async function noteHistory(t, graph, config) {
  for await (const snapshot of graph.getStateHistory(config)) t.note("history", shown(snapshot));
}

for (const streamMode of ["tasks", "checkpoints", "debug"]) {
  fact("18.1, 12.2", `the mode ${streamMode} of graphs inside`, async (lib, t) => {
    for (const subgraphs of [true, false]) {
      const graph = around(lib, streamMode === "debug" ? plain(lib, "d") : asks(lib, "d"));
      await note(t, graph, { log: ["in"] }, thread("t", { streamMode: [streamMode], subgraphs }));
      if (streamMode !== "debug")
        await note(
          t,
          graph,
          new lib.Command({ resume: "R" }),
          thread("t", { streamMode: [streamMode], subgraphs }),
        );
    }
  });
}

fact("18.4", "custom chunks of graphs inside", async (lib, t) => {
  const inner = single(lib, "m", (_, config) => {
    config.writer?.("by config");
    lib.getWriter()?.("ambient");
    return {};
  });
  const streams = async (state, config) => {
    for await (const chunk of await inner.stream(state, {
      ...config,
      streamMode: ["custom", "updates"],
    }))
      t.note("inner", chunk);
    return {};
  };
  for (const node of [
    inner,
    (state) => inner.invoke(state),
    (state, config) => inner.invoke(state, config),
    streams,
  ]) {
    for (const subgraphs of [true, false]) {
      for (const streamMode of ["custom", ["custom", "updates"], "updates"]) {
        await note(t, around(lib, node), { log: [] }, thread("t", { streamMode, subgraphs }));
      }
    }
  }
});

fact("18.1, 18.2", "streams that a node reads itself", async (lib, t) => {
  const inner = single(lib, "m", plain(lib, "d"));
  const options = [
    {},
    { streamMode: "updates" },
    { streamMode: ["values"] },
    { streamMode: "values", subgraphs: true },
    { streamMode: ["updates", "values"], subgraphs: true },
  ];
  for (const option of options) {
    const node = async (state) => {
      for await (const chunk of await inner.stream(state, option)) t.note("inner", chunk);
      return { log: [await inner.invoke(state, { streamMode: "updates" })] };
    };
    for (const subgraphs of [true, false])
      await note(
        t,
        around(lib, node),
        { log: ["in"] },
        thread("t", { streamMode: ["updates", "values"], subgraphs }),
      );
  }
});

fact("18.3", "messages of graphs inside", async (lib, t) => {
  const model = new lib.FakeListChatModel({ responses: ["hi"] });
  const says = async () => ({ messages: [new lib.AIMessage({ content: "yo", id: "1" })] });
  const calls = async ({ messages }) => ({ messages: [await model.invoke(messages)] });
  for (const speaker of [says, calls]) {
    const inner = new lib.StateGraph(lib.MessagesAnnotation)
      .addNode("m", speaker)
      .addEdge(lib.START, "m")
      .compile();
    for (const node of [
      inner,
      (state) => inner.invoke(state),
      (state, config) => inner.invoke(state, config),
    ]) {
      const graph = new lib.StateGraph(lib.MessagesAnnotation)
        .addNode("c", node)
        .addEdge(lib.START, "c")
        .compile();
      const input = () => ({ messages: [new lib.HumanMessage({ content: "q", id: "h" })] });
      for (const subgraphs of [true, false])
        await note(t, graph, input(), { streamMode: ["messages"], subgraphs });
    }
  }
});

fact("6.7", "recursion limits of graphs inside", async (lib, t) => {
  const loop = new lib.StateGraph(logState(lib))
    .addNode("l", () => ({ log: ["l"] }))
    .addEdge(lib.START, "l")
    .addEdge("l", "l")
    .compile();
  for (const node of [
    loop,
    (state) => loop.invoke(state, { recursionLimit: 3 }),
    loop.withConfig({ recursionLimit: 4 }),
  ]) {
    await note(
      t,
      around(lib, node),
      { log: ["in"] },
      thread("t", { streamMode: ["updates"], subgraphs: true, recursionLimit: 6 }),
    );
  }
});

fact("6.1, 9.6", "the config inside: taken over, given, of another thread", async (lib, t) => {
  const inner = single(
    lib,
    "m",
    (_, { configurable, tags, metadata, recursionLimit, executionInfo }) => {
      const { thread_id, checkpoint_ns, checkpoint_map, checkpoint_id, foo } = configurable;
      const { checkpointId, checkpointNs, taskId, threadId, nodeAttempt } = executionInfo;
      t.note(
        "config",
        shown({
          thread_id,
          checkpoint_ns,
          checkpoint_map,
          checkpoint_id,
          foo,
          tags,
          metadata,
          recursionLimit,
        }),
      );
      t.note("info", { checkpointId, checkpointNs, taskId, threadId, nodeAttempt });
      return {};
    },
  );
  const nodes = [
    inner,
    (state) => inner.invoke(state),
    (state, config) => inner.invoke(state, config),
    (state) => inner.invoke(state, { configurable: { foo: 2 }, tags: ["own"], metadata: { k: 1 } }),
    (state) => inner.invoke(state, { configurable: { thread_id: "other" } }),
    inner.withConfig({ tags: ["bound"], configurable: { foo: 3 } }),
  ];
  for (const node of nodes)
    await around(lib, node).invoke(
      { log: [] },
      thread("t", {
        configurable: { foo: 1 },
        tags: ["tag"],
        metadata: { md: 1 },
        recursionLimit: 30,
      }),
    );
});

for (const durability of ["exit", "sync", "async"]) {
  fact("13.2, 12.3", `durability ${durability} of graphs inside`, async (lib, t) => {
    for (const checkpointer of [undefined, true]) {
      const graph = around(lib, asks(lib, "d", { checkpointer }));
      for (const input of [{ log: ["in"] }, new lib.Command({ resume: "R" }), { log: ["again"] }]) {
        await note(
          t,
          graph,
          input,
          thread("t", { streamMode: ["updates"], subgraphs: true, durability }),
        );
        await noteState(t, graph);
        await noteHistory(t, graph, thread("t", { configurable: { checkpoint_ns: "c" } }));
        await noteHistory(t, graph, thread("t"));
      }
    }
  });
}

fact("3.1, 12.3", "what the saver lists of graphs inside", async (lib, t) => {
  const saver = new lib.MemorySaver();
  const graph = around(lib, asks(lib, "d"), { checkpointer: saver });
  for (const input of [{ log: ["in"] }, new lib.Command({ resume: "R" })]) {
    await graph.invoke(input, thread("t"));
    for await (const { config, metadata, pendingWrites, parentConfig } of saver.list(thread("t")))
      t.note("tuple", shown({ config, metadata, pendingWrites, parentConfig }));
  }
});

fact(
  "11.1, 10.2, 7.5",
  "failures inside, caught and not; what takes no input; asking without a saver",
  async (lib, t) => {
    const bad = single(lib, "b", () => {
      throw new RangeError("deep");
    });
    await t.try("not caught", () => around(lib, bad).invoke({ log: [] }, thread("t")));
    const caught = (act) => async (state) => {
      try {
        return await act(state);
      } catch (error) {
        t.note("caught", [error.name, error.interrupts?.map(({ value }) => value)]);
        return { log: [error.name] };
      }
    };
    for (const inner of [bad, asks(lib, "q")]) {
      const graph = around(
        lib,
        caught((state) => inner.invoke(state)),
      );
      t.note("values", await graph.invoke({ log: [] }, thread("t")));
      await noteState(t, graph);
    }
    for (const input of [
      {},
      null,
      undefined,
      new lib.Command({ update: { log: ["u"] }, goto: "q" }),
      new lib.Command({ update: { log: ["u"] }, graph: lib.Command.PARENT }),
    ]) {
      await t.try("input", () =>
        around(lib, () => plain(lib, "q").invoke(input)).invoke({ log: [] }, thread("t")),
      );
    }
    await t.try("no saver", () =>
      around(lib, asks(lib, "q"), { checkpointer: undefined }).invoke({ log: [] }),
    );
    const graph = around(lib, asks(lib, "q", { checkpointer: false }));
    await note(t, graph, { log: [] }, thread("t", { subgraphs: true }));
    await note(t, graph, new lib.Command({ resume: "lost" }), thread("t", { subgraphs: true }));
  },
);

fact("10.4, 10.8, 12.2", "questions side by side: in one node, in two", async (lib, t) => {
  const [a, b] = [asks(lib, "A"), asks(lib, "B")];
  const both = single(
    lib,
    "n",
    async () => ({
      log: (await Promise.all([a.invoke({ log: [1] }), b.invoke({ log: [2] })])).flatMap(
        ({ log }) => log,
      ),
    }),
    { checkpointer: new lib.MemorySaver() },
  );
  for (const input of [
    { log: [] },
    ...["1", "2", "3"].map((resume) => new lib.Command({ resume })),
  ])
    await t.invoke(both, input, thread("t"));
  const two = new lib.StateGraph(logState(lib))
    .addNode("A", a)
    .addNode("B", b)
    .addEdge(lib.START, "A")
    .addEdge(lib.START, "B")
    .compile({ checkpointer: new lib.MemorySaver() });
  for (const input of [{ log: [] }, new lib.Command({ resume: "1" })])
    await t.invoke(two, input, thread("u"));
  await t.invoke(two, { log: [] }, thread("t"));
  const [first, second] = (await two.getState(thread("t"))).tasks.map(
    ({ interrupts }) => interrupts[0].id,
  );
  for (const resume of [{ [second]: "B!" }, { [first]: "A!" }]) {
    await t.invoke(two, new lib.Command({ resume }), thread("t"));
    await noteState(t, two);
  }
});

fact(
  "12.1, 12.2, 12.6",
  "a graph with a state of its own in several nodes, and time travel through it",
  async (lib, t) => {
    const own = new lib.StateGraph(logState(lib))
      .addNode("p", () => ({ log: ["p"] }))
      .addNode("q", ({ log }) => ({ log: [log.length > 3 ? `q${lib.interrupt("more?")}` : "q"] }))
      .addEdge(lib.START, "p")
      .addEdge("p", "q")
      .compile({ checkpointer: true });
    const graph = new lib.StateGraph(logState(lib))
      .addNode("t", own)
      .addNode("u", async () => ({ log: [(await own.invoke({ log: ["x"] })).log.length] }))
      .addEdge(lib.START, "t")
      .addEdge("t", "u")
      .compile({ checkpointer: new lib.MemorySaver() });
    const config = thread("t", { streamMode: ["updates", "values"], subgraphs: true });
    const resume = (answer) => new lib.Command({ resume: answer });
    for (const input of [
      { log: ["1"] },
      { log: ["2"] },
      resume("r"),
      resume("r"),
      { log: ["3"] },
      null,
      resume("r3"),
    ])
      await note(t, graph, input, config);
    const configs = [];
    for await (const snapshot of graph.getStateHistory(thread("t"))) configs.push(snapshot.config);
    for (const at of configs)
      await note(t, graph, null, { ...at, streamMode: ["updates", "values"], subgraphs: true });
  },
);

fact(
  "11.2, 12.1",
  "what was done inside is shown again when the graph is resumed",
  async (lib, t) => {
    const inner = new lib.StateGraph(logState(lib))
      .addNode("done", () => ({ log: ["done"] }))
      .addNode("asks", () => ({ log: [lib.interrupt("?")] }))
      .addEdge(lib.START, "done")
      .addEdge(lib.START, "asks")
      .compile();
    const graph = around(lib, inner);
    await t.invoke(graph, { log: [] }, thread("t"));
    await note(
      t,
      graph,
      new lib.Command({ resume: "R" }),
      thread("t", { streamMode: ["updates"], subgraphs: true }),
    );
  },
);

fact(
  "12.1, 12.2",
  "a graph that calls itself, and a graph inside entrypoints and tasks",
  async (lib, t) => {
    const config = thread("t", { streamMode: ["updates", "values"], subgraphs: true });
    const node = async ({ log }) =>
      log.length < 3
        ? { log: (await self.invoke({ log: [...log, "deep"] })).log }
        : { log: [lib.interrupt("bottom?")] };
    const self = single(lib, "n", node, { checkpointer: new lib.MemorySaver() });
    const inner = asks(lib, "g");
    const task = lib.task(
      "count",
      async (name) => (await inner.invoke({ log: [name] })).log.length,
    );
    const calls = lib.entrypoint(
      { name: "calls", checkpointer: new lib.MemorySaver() },
      async ({ log }) => [await inner.invoke({ log }), log],
    );
    const counts = lib.entrypoint(
      { name: "counts", checkpointer: new lib.MemorySaver() },
      async () => [await task("a"), await task("b")],
    );
    for (const graph of [self, calls, counts]) {
      await note(t, graph, { log: ["1"] }, config);
      for (const resume of ["R", "R2"]) await note(t, graph, new lib.Command({ resume }), config);
    }
  },
);

fact("6.8, 11.1", "an AbortSignal reaches the graphs inside", async (lib, t) => {
  let controller;
  const inner = single(lib, "m", async (_, { signal }) => {
    setImmediate(() => controller.abort());
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    t.note("aborted", signal.aborted);
  });
  for (const act of [inner, (state) => inner.invoke(state)]) {
    controller = new AbortController();
    await t.invoke(around(lib, act), { log: [] }, thread("t", { signal: controller.signal }));
  }
});

fact(
  "5.13, 18.2, 12.1",
  "a graph inside with an input, an output and secrets of its own",
  async (lib, t) => {
    const { Annotation } = lib;
    const child = new lib.StateGraph({
      stateSchema: Annotation.Root({ x: Annotation(), secret: Annotation(), out: Annotation() }),
      input: Annotation.Root({ x: Annotation() }),
      output: Annotation.Root({ out: Annotation() }),
    })
      .addNode("m", (state) => ({ secret: 1, out: t.note("state", state).x + 1 }))
      .addNode("k", ({ out }) => ({ out: out * 2 }))
      .addEdge(lib.START, "m")
      .addEdge("m", "k")
      .compile();
    const graph = new lib.StateGraph(
      Annotation.Root({ x: Annotation(), y: Annotation(), out: Annotation() }),
    )
      .addNode("c", child)
      .addNode("f", async ({ out }) => ({ y: await child.invoke({ x: out, y: 5 }) }))
      .addNode(
        "p",
        child.pipe((y) => ({ y })),
      )
      .addEdge(lib.START, "c")
      .addEdge("c", "f")
      .addEdge("f", "p")
      .compile({ checkpointer: new lib.MemorySaver() });
    for (const subgraphs of [true, false])
      await note(
        t,
        graph,
        { x: 1, y: 0 },
        thread("t", { streamMode: ["values", "updates"], subgraphs }),
      );
    t.note(
      "inside",
      [...graph.getSubgraphs()].map(([name]) => name),
    );
  },
);

fact(
  "12.5, 5.6",
  "a Command for the parent beside edges, with Sends, in a list, and to nowhere",
  async (lib, t) => {
    const up = (goto) =>
      new lib.Command({ graph: lib.Command.PARENT, update: { log: ["up"] }, goto });
    const sends = single(lib, "m", () => up([new lib.Send("s", { log: ["sent"] }), "e"]));
    const graph = new lib.StateGraph(logState(lib))
      .addNode("c", async (state) => sends.invoke(state), { ends: ["s", "e"] })
      .addNode("s", ({ log }) => ({ log: [`s: ${log}`] }))
      .addNode("e", () => ({ log: ["e"] }))
      .addNode("after", () => ({ log: ["after"] }))
      .addEdge(lib.START, "c")
      .addEdge("c", "after")
      .compile({ checkpointer: new lib.MemorySaver() });
    await note(
      t,
      graph,
      { log: [] },
      thread("t", { streamMode: ["values", "updates"], subgraphs: true }),
    );
    await t.try("nowhere", () => single(lib, "c", single(lib, "mid", sends)).invoke({ log: [] }));
    const list = single(lib, "m", () => [new lib.Command({ update: { log: ["own"] } }), up([])]);
    await t.try("list", () => around(lib, list).invoke({ log: [] }, thread("t")));
    await note(
      t,
      around(lib, list),
      { log: [] },
      thread("t", { streamMode: ["values", "updates", "tasks"], subgraphs: true }),
    );
    const throwing = single(lib, "m", () => {
      throw new lib.ParentCommand(up([]));
    });
    await note(
      t,
      around(lib, throwing),
      { log: [] },
      thread("t", { streamMode: ["values", "updates", "tasks"], subgraphs: true }),
    );
  },
);

fact("12.5, 11.1", "what runs beside a Command for the parent comes to its end", async (lib, t) => {
  const kinds = {
    turns: async () => (await pause(0), { log: ["turns"] }),
    graph: plain(lib, "i"),
    fails: async () => Promise.reject(await pause(1, new Error("no"))),
    leaves: async () =>
      pause(
        1,
        new lib.Command({ graph: lib.Command.PARENT, update: { log: ["other"] }, goto: "other" }),
      ),
    slow: async (_, { signal }) => (
      await pause(3), { log: [t.note("slow ended", signal?.aborted === true) ? "cut" : "slow"] }
    ),
  };
  for (const [name, node] of Object.entries(kinds))
    for (const isLate of [false, true]) {
      const up = new lib.Command({
        graph: lib.Command.PARENT,
        update: { log: ["up"] },
        goto: "next",
      });
      const inside = new lib.StateGraph(logState(lib))
        .addNode("up", isLate ? async () => pause(0, up) : () => up)
        .addNode("x", node)
        .addEdge(lib.START, "up")
        .addEdge(lib.START, "x")
        .compile();
      const graph = new lib.StateGraph(logState(lib))
        .addNode("inside", inside, { ends: ["next", "other"] })
        .addNode("next", () => (t.note("next", name), { log: ["next"] }))
        .addNode("other", () => ({ log: ["other"] }))
        .addEdge(lib.START, "inside")
        .compile({ checkpointer: new lib.MemorySaver() });
      await t.stream(
        graph,
        { log: [] },
        thread(name, { streamMode: ["values", "updates", "tasks"], subgraphs: true }),
        { sorted: "all" },
      );
      await t.state(graph, thread(name));
    }
});
