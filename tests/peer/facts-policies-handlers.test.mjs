// SPDX-License-Identifier: MIT
// docs/semantics.md 16: error handlers and defaults of nodes, the same in both packages.
import { setTimeout } from "node:timers/promises";
import { fact, inTime, logState, pause, thread } from "./harness.mjs";

const QUICK = { initialInterval: 1, jitter: false, logWarning: false };
const MODES = { streamMode: ["updates", "values"] };

function fail() {
  throw new RangeError("boom");
}

/** START -> a -> b, `a` with these options. */
function builder(lib, node, options) {
  return new lib.StateGraph(logState(lib, { x: lib.Annotation }))
    .addNode("a", node, options)
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b");
}

function saved(lib, node, options, compile) {
  return builder(lib, node, options).compile({ checkpointer: new lib.MemorySaver(), ...compile });
}

fact("16.8", "a handler stands in for the node that failed, in its step", async (lib, t) => {
  const handlers = {
    update: (state, error) => ({
      log: [error.node, error.error.message, error.constructor.name, lib.isNodeError(error)],
    }),
    goto: () => new lib.Command({ update: { log: ["h"] }, goto: "b" }),
    sends: () => new lib.Command({ goto: [new lib.Send("b", {}), "b"] }),
    nothing: () => null,
    later: async () => {
      await setTimeout(1);
      return { log: ["later"] };
    },
  };
  for (const errorHandler of Object.values(handlers)) {
    const graph = saved(lib, fail, { errorHandler });
    await t.stream(graph, { x: 1 }, thread("t", { streamMode: ["updates", "values", "tasks"] }));
    await t.state(graph, thread("t"));
    await t.history(graph, thread("t"));
  }
});

fact("16.8", "what a handler is called with", async (lib, t) => {
  const errorHandler = (state, error, config) => {
    const { checkpointId, checkpointNs, taskId, nodeAttempt } = config.executionInfo;
    t.note("state", state);
    t.note("error", [
      Object.keys(error),
      error.error instanceof RangeError,
      config.metadata,
      config.runName,
      { checkpointId, checkpointNs, taskId, nodeAttempt },
    ]);
    return {};
  };
  await t.invoke(saved(lib, fail, { errorHandler }), { x: 1 }, thread("t"));
  await t.invoke(
    saved(lib, fail, {
      errorHandler,
      input: lib.Annotation.Root({ x: lib.Annotation }),
      retryPolicy: QUICK,
    }),
    { x: 2, log: ["l"] },
    thread("t"),
  );
  const sends = new lib.StateGraph(logState(lib))
    .addNode(
      "r",
      () =>
        new lib.Command({
          goto: [
            new lib.Send("a", { k: 2 }),
            new lib.Send("a", { k: 1 }),
            new lib.Send("a", { k: 3 }),
          ],
        }),
      { ends: ["a"] },
    )
    .addNode("a", ({ k }) => (k === 1 ? { log: ["fine"] } : fail()), { errorHandler })
    .addEdge(lib.START, "r")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(sends, {}, thread("s", MODES));
});

fact(
  "16.8",
  "handled: errors of conditions, of what is returned, timeouts; not handled: questions, commands to a parent",
  async (lib, t) => {
    const errorHandler = (_, error) => ({ log: ["h", error.error.name] });
    const state = () => logState(lib);
    const branch = new lib.StateGraph(state())
      .addNode("a", () => ({ log: ["a"] }), { errorHandler })
      .addNode("b", () => ({ log: ["b"] }))
      .addNode("c", () => ({ log: ["c"] }));
    branch
      .addEdge(lib.START, "a")
      .addEdge("a", "c")
      .addConditionalEdges("a", () => {
        throw new SyntaxError("branch");
      }, ["b"]);
    await t.stream(branch.compile(), {}, MODES);
    await t.stream(builder(lib, () => 5, { errorHandler }).compile(), {}, MODES);
    await t.stream(
      builder(lib, () => setTimeout(25), { errorHandler, timeout: 5 }).compile(),
      {},
      MODES,
    );
    await t.stream(
      saved(lib, () => lib.interrupt("q"), { errorHandler }),
      {},
      thread("t", MODES),
    );
    await t.stream(
      builder(lib, () => new lib.Command({ graph: lib.Command.PARENT, goto: "x" }), {
        errorHandler,
      }).compile(),
      {},
      MODES,
    );
  },
);

fact("16.8", "after the retries; a handler's own attempts", async (lib, t) => {
  let calls = 0;
  const node = () => {
    calls++;
    fail();
  };
  await t.invoke(
    builder(lib, node, {
      retryPolicy: QUICK,
      errorHandler: (_, __, { executionInfo }) => ({ log: [executionInfo.nodeAttempt] }),
    }).compile(),
    {},
  );
  t.note("calls", calls);
  for (const defaults of [{}, { retryPolicy: QUICK }]) {
    let tries = 0;
    const errorHandler = (_, __, { executionInfo }) => {
      if (++tries < 2) throw new Error("not yet");
      return { log: [executionInfo.nodeAttempt] };
    };
    await t.invoke(builder(lib, fail, { errorHandler }).setNodeDefaults(defaults).compile(), {});
  }
});

fact("16.8", "neighbours: all in one step, applied in the order of paths", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib));
  for (const name of ["d", "a"])
    graph.addNode(name, async () => fail(), { errorHandler: () => ({ log: [`h${name}`] }) });
  graph
    .addNode("s", () => new lib.Command({ goto: new lib.Send("z", {}) }), { ends: ["z"] })
    .addNode("z", async () => {
      await setTimeout(2);
      return { log: ["z"] };
    });
  for (const name of ["d", "a", "s", "z"]) graph.addEdge(lib.START, name);
  const app = graph.compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(app, {}, thread("t", MODES), { sorted: true });
  await t.history(app, thread("t"));
});

fact(
  "16.8",
  "a neighbour that nobody handles ends the step",
  inTime(async (lib, t) => {
    let handled = 0;
    const graph = new lib.StateGraph(logState(lib))
      .addNode("a", async () => fail(), {
        errorHandler: async () => {
          handled++;
          await pause(5);
          return { log: ["h"] };
        },
      })
      .addNode("b", async () => {
        await pause(1);
        throw new Error("b");
      })
      .addEdge(lib.START, "a")
      .addEdge(lib.START, "b")
      .compile({ checkpointer: new lib.MemorySaver() });
    await t.invoke(graph, {}, thread("t"));
    await pause(8);
    await t.state(graph, thread("t"));
    t.note("handled", handled);
    await t.invoke(graph, null, thread("t"));
    t.note("handled", handled);
  }),
);

fact("16.8", "breakpoints, other ways into a handler, what is drawn", async (lib, t) => {
  const errorHandler = (_, error) => ({ log: ["h", error === undefined] });
  for (const stops of [
    { interruptBefore: ["__error_handler__a"] },
    { interruptAfter: ["__error_handler__a"] },
    { interruptAfter: "*" },
    { interruptAfter: ["a"] },
  ]) {
    const graph = saved(lib, fail, { errorHandler }, stops);
    await t.stream(graph, {}, thread("t", MODES));
    await t.stream(graph, null, thread("t", MODES));
  }
  await t.stream(
    builder(lib, () => new lib.Command({ goto: "__error_handler__a" }), { errorHandler }).compile(),
    {},
    MODES,
  );
  await t.stream(
    builder(lib, () => ({}), { errorHandler })
      .addEdge("b", "__error_handler__a")
      .compile(),
    {},
    MODES,
  );
  for (const graph of [
    builder(lib, fail, { errorHandler }),
    builder(lib, fail).setNodeDefaults({ errorHandler }),
  ]) {
    const compiled = graph.compile();
    t.note("nodes", [
      Object.keys(compiled.nodes),
      Object.keys(graph.nodes),
      compiled.getGraph().drawMermaid(),
    ]);
  }
});

fact("16.8", "threads go on after a handled failure", async (lib, t) => {
  let calls = 0;
  const graph = saved(
    lib,
    () => {
      calls++;
      fail();
    },
    { errorHandler: () => new lib.Command({ update: { log: [`h${calls}`] }, goto: "b" }) },
  );
  await t.invoke(graph, {}, thread("t"));
  await t.invoke(graph, {}, thread("t"));
  await t.update(graph, thread("t"), { log: ["u"] }, "b");
  await t.state(graph, thread("t"));
  const snapshots = [];
  for await (const snapshot of graph.getStateHistory(thread("t"))) snapshots.push(snapshot);
  await t.invoke(graph, null, snapshots.find(({ next }) => next.includes("a")).config);
  await t.history(graph, thread("t"));
});

fact("16.9", "a handler that fails: only it runs again", async (lib, t) => {
  for (const durability of ["sync", "async", "exit"]) {
    let calls = 0;
    let tries = 0;
    const errorHandler = (_, { error }) => {
      if (++tries < 2) throw new TypeError("handler");
      return { log: [error.name, error.message, error.constructor.name] };
    };
    const graph = saved(
      lib,
      () => {
        calls++;
        fail();
      },
      { errorHandler },
    );
    await t.invoke(graph, { x: 1 }, thread("t", { durability }));
    await t.state(graph, thread("t"));
    await t.stream(graph, null, thread("t", { durability, ...MODES }));
    t.note("calls", [calls, tries]);
    await t.state(graph, thread("t"));
  }
});

fact("16.9", "a handler that asks", async (lib, t) => {
  for (const durability of ["sync", "async", "exit"]) {
    let calls = 0;
    const errorHandler = (_, { error }) => ({
      log: [lib.interrupt("again?"), lib.interrupt("sure?"), error.message],
    });
    const graph = saved(
      lib,
      () => {
        calls++;
        fail();
      },
      { errorHandler },
    );
    const config = thread("t", { durability, ...MODES });
    await t.stream(graph, { x: 1 }, config);
    await t.state(graph, thread("t"));
    await t.stream(graph, new lib.Command({ resume: "one" }), config);
    await t.state(graph, thread("t"));
    await t.stream(graph, new lib.Command({ resume: "two" }), config);
    t.note("calls", calls);
    await t.history(graph, thread("t"));
  }
});

fact(
  "16.10",
  "defaults fill what a node leaves open; the last call counts for each",
  async (lib, t) => {
    const counted = async (options, ...defaults) => {
      let calls = 0;
      const graph = builder(
        lib,
        () => {
          calls++;
          fail();
        },
        options,
      );
      for (const given of defaults)
        t.note("returns the builder", graph.setNodeDefaults(given) === graph);
      await t.stream(graph.compile(), {}, MODES, { fallible: true });
      t.note("calls", calls);
    };
    const two = { ...QUICK, maxAttempts: 2 };
    const errorHandler = (_, { node }) => ({ log: [`default of ${node}`] });
    await counted({}, { retryPolicy: QUICK });
    await counted({ retryPolicy: two }, { retryPolicy: QUICK });
    await counted({}, { retryPolicy: QUICK }, { retryPolicy: two }, { timeout: 500 });
    await counted({}, { retryPolicy: two }, { retryPolicy: undefined });
    await counted({}, { errorHandler });
    await counted({ errorHandler: () => ({ log: ["own"] }) }, { errorHandler, retryPolicy: two });
    await counted({}, { errorHandler, retryPolicy: two, timeout: 500 });
  },
);

fact("16.10", "names that handlers take, and what they make reachable", (lib, t) => {
  const node = () => ({});
  const graph = () => new lib.StateGraph(logState(lib)).addNode("a", node).addEdge(lib.START, "a");
  const acts = {
    "own name": () =>
      graph().addNode("__error_handler__z", node).nodes.__error_handler__z !== undefined,
    twice: () =>
      graph().addNode("z", node, { errorHandler: node }).addNode("__error_handler__z", node),
    reserved: () =>
      graph()
        .addNode("__default_error_handler__", node)
        .addEdge("a", "__default_error_handler__")
        .setNodeDefaults({ errorHandler: node })
        .compile(),
    "not reserved": () =>
      void graph()
        .addNode("__default_error_handler__", node)
        .addEdge("a", "__default_error_handler__")
        .compile(),
    unreachable: () => graph().addNode("z", node).compile(),
    "reached by a handler": () =>
      void graph().addNode("y", node, { errorHandler: node }).addNode("z", node).compile(),
    "reached by the default": () =>
      void graph().addNode("z", node).setNodeDefaults({ errorHandler: node }).compile(),
    "stops at the default": () =>
      void graph()
        .setNodeDefaults({ errorHandler: node })
        .compile({ interruptBefore: ["__default_error_handler__"] }),
  };
  for (const [name, act] of Object.entries(acts)) {
    try {
      t.note(name, act());
    } catch (error) {
      t.note(`${name} threw`, error);
    }
  }
});

fact("16.8", "NodeError", (lib, t) => {
  const error = new lib.NodeError("n", new Error("x"));
  t.note("error", [Object.keys(error), error instanceof Error, lib.NodeError.unminifiable_name]);
  t.note(
    "is",
    [error, { node: "n", error: 1 }, { name: "NodeError" }, undefined, null, 5].map((value) =>
      lib.isNodeError(value),
    ),
  );
});

fact("16.8", "in lists and sequences of nodes", async (lib, t) => {
  let calls = 0;
  const list = [
    ["a", fail, { errorHandler: () => new lib.Command({ update: { log: ["h"] }, goto: "b" }) }],
    [
      "b",
      () => {
        if (calls++ < 1) fail();
        return { log: ["b"] };
      },
      { retryPolicy: QUICK },
    ],
  ];
  await t.invoke(
    new lib.StateGraph(logState(lib)).addNode(list).addEdge(lib.START, "a").compile(),
    {},
  );
  calls = 0;
  await t.invoke(
    new lib.StateGraph(logState(lib)).addSequence(list).addEdge(lib.START, "a").compile(),
    {},
  );
});
