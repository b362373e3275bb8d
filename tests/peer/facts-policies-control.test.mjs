// SPDX-License-Identifier: MIT
// docs/semantics.md 17: a run that is asked to give way, the same in both packages.
import { setTimeout } from "node:timers/promises";
import { fact, inTime, logState, pause, thread } from "./harness.mjs";

const MODES = { streamMode: ["updates", "values"] };

function chain(lib, node, compile) {
  return new lib.StateGraph(logState(lib, { x: lib.Annotation }))
    .addNode("a", node ?? (() => ({ log: ["a"] })))
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new lib.MemorySaver(), ...compile });
}

/** A node that asks its run to give way. */
function drains(reason) {
  return (_, config) => {
    config.control.requestDrain(reason);
    return { log: ["a"] };
  };
}

fact(
  "17.1",
  "asked before the start, in a node, in the last node; and what goes on later",
  async (lib, t) => {
    for (const durability of ["sync", "async", "exit"]) {
      const config = (more) => thread("t", { durability, ...MODES, ...more });
      const before = new lib.RunControl();
      before.requestDrain();
      for (const [node, control] of [
        [undefined, before],
        [drains("node"), undefined],
        [drains("given"), new lib.RunControl()],
      ]) {
        const graph = chain(lib, node);
        await t.stream(graph, { x: 1 }, config({ control }), { fallible: true });
        t.note("control", [control?.drainRequested, control?.drainReason]);
        await t.state(graph, thread("t"));
        await t.stream(graph, null, config());
        await t.history(graph, thread("t"));
      }
    }
    const alone = new lib.StateGraph(logState(lib))
      .addNode("a", drains("last"))
      .addEdge(lib.START, "a")
      .compile();
    const control = new lib.RunControl();
    await t.invoke(alone, {}, { control });
    t.note("control", [control.drainRequested, control.drainReason]);
  },
);

fact(
  "17.1",
  "without a saver, under breakpoints, at the recursion limit, beside a question",
  async (lib, t) => {
    const asks = (state, config) => {
      config.control.requestDrain("asks");
      return { log: [lib.interrupt("q")] };
    };
    await t.stream(chain(lib, drains("x"), { checkpointer: undefined }), {}, MODES, {
      fallible: true,
    });
    await t.stream(chain(lib, drains("x"), { interruptBefore: ["b"] }), {}, thread("t", MODES), {
      fallible: true,
    });
    await t.stream(chain(lib, drains("x"), { interruptAfter: ["a"] }), {}, thread("t", MODES), {
      fallible: true,
    });
    await t.stream(chain(lib, drains("x")), {}, thread("t", { ...MODES, recursionLimit: 1 }), {
      fallible: true,
    });
    await t.stream(chain(lib, asks), {}, thread("t", MODES), { fallible: true });
  },
);

fact("17.1", "with finished tasks of a failed run", async (lib, t) => {
  let calls = 0;
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("q", async () => {
      if (calls++ === 0) {
        await setTimeout(2);
        throw new Error("once");
      }
      return { log: ["q"] };
    })
    .addNode("z", () => ({ log: ["z"] }))
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "q")
    .addEdge("a", "z")
    .compile({ checkpointer: new lib.MemorySaver() });
  const control = new lib.RunControl();
  await t.stream(graph, {}, thread("t", MODES), { fallible: true });
  control.requestDrain("stop");
  await t.stream(graph, null, thread("t", { ...MODES, control }), { fallible: true });
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", MODES));
});

fact("17.1", "GraphDrained that a node throws; what has a control's shape", async (lib, t) => {
  const graph = chain(lib, () => {
    throw new lib.GraphDrained("own");
  });
  await t.invoke(graph, {}, thread("t"));
  await t.state(graph, thread("t"));
  await t.invoke(
    chain(lib),
    {},
    thread("t", { control: { drainRequested: true, drainReason: "shape" } }),
  );
});

fact("17.2", "RunControl", async (lib, t) => {
  const control = new lib.RunControl();
  const look = () =>
    t.note("control", [
      control.drainRequested,
      control.drainReason,
      Object.keys(control),
      JSON.stringify(control),
    ]);
  look();
  for (const reason of ["one", "two", undefined, ""]) {
    control.requestDrain(reason);
    look();
  }
  await chain(
    lib,
    (_, config) =>
      void t.note("in a node", [
        config.control instanceof lib.RunControl,
        config.control.drainRequested,
        "control" in config,
      ]),
  ).invoke({}, thread("t"));
});

fact("17.2", "GraphDrained", (lib, t) => {
  for (const reason of [undefined, "why", ""]) {
    const error = new lib.GraphDrained(reason);
    t.note("error", [
      error,
      { ...error },
      error.is_bubble_up,
      lib.isGraphDrained(error),
      lib.isGraphBubbleUp(error),
      lib.isGraphInterrupt(error),
      error instanceof lib.GraphBubbleUp,
    ]);
  }
  t.note(
    "is",
    [{ name: "GraphDrained" }, new Error("x"), "GraphDrained", undefined].map((value) =>
      lib.isGraphDrained(value),
    ),
  );
  t.note("name", lib.GraphDrained.unminifiable_name);
});

fact(
  "17.1",
  "an abort: before, in a node, from a node; with errors, words and nothing as reasons",
  async (lib, t) => {
    for (const reason of [undefined, new RangeError("why"), "text", 5]) {
      const aborted = new AbortController();
      aborted.abort(reason);
      await t.invoke(chain(lib), {}, thread("t", { signal: aborted.signal }));
      const controller = new AbortController();
      let seen;
      const node = async (_, { signal }) => {
        queueMicrotask(() => controller.abort(reason));
        await setTimeout(5);
        seen = [signal.aborted, String(signal.reason)];
        return { log: ["late"] };
      };
      const graph = chain(lib, node);
      await t.invoke(graph, {}, thread("t", { signal: controller.signal }));
      await setTimeout(8);
      t.note("node saw", seen);
      await t.state(graph, thread("t"));
    }
  },
);

fact(
  "13.1, 17.1",
  "under durability exit a run that is given up in the middle has saved what it did",
  inTime(async (lib, t) => {
    for (const ends of ["abort", "stepTimeout"]) {
      let runs = 0;
      let controller;
      const slow = async () => {
        if (runs++ > 0) return { log: ["slow"] };
        await pause(10);
        if (ends === "abort") controller.abort();
        return pause(90, { log: ["late"] });
      };
      const inner = new lib.StateGraph(logState(lib))
        .addNode("i", () => ({ log: ["i"] }))
        .addNode("slow", slow)
        .addEdge(lib.START, "i")
        .addEdge("i", "slow")
        .compile();
      for (const [label, node] of [
        ["a node", slow],
        ["a graph", inner],
      ]) {
        runs = 0;
        controller = new AbortController();
        const builder = new lib.StateGraph(logState(lib))
          .addNode("a", () => ({ log: ["a"] }))
          .addNode("b", node)
          .addEdge(lib.START, "a")
          .addEdge("a", "b");
        // Of a step whose time is over, LangGraph.js tells another error when a task had ended.
        if (ends === "abort")
          builder.addNode("beside", () => ({ log: ["beside"] })).addEdge("a", "beside");
        const graph = builder.compile({ checkpointer: new lib.MemorySaver() });
        if (ends === "stepTimeout") graph.stepTimeout = 30;
        t.note("given up", [ends, label]);
        await t.invoke(
          graph,
          { log: ["in"] },
          thread("t", { durability: "exit", signal: controller.signal }),
        );
        await pause(150);
        await t.history(graph, thread("t"));
        await t.invoke(graph, null, thread("t", { durability: "exit" }));
      }
    }
  }),
);

fact(
  "16.1",
  "tasks have policies too",
  inTime(async (lib, t) => {
    const quick = { initialInterval: 1, jitter: false, logWarning: false };
    let calls = 0;
    const flaky = lib.task({ name: "flaky", retry: quick }, async (x) => {
      if (++calls < 3) throw new Error(`e${calls}`);
      return x + calls;
    });
    const slow = lib.task({ name: "slow", timeout: 5 }, () => pause(25));
    const once = lib.task({ name: "once", timeout: 40, retry: quick }, () =>
      calls++ === 4 ? pause(200) : calls,
    );
    const main = lib.entrypoint(
      { name: "main", checkpointer: new lib.MemorySaver() },
      async (x) => [await flaky(x), await flaky(10), await once()],
    );
    await t.stream(main, 1, thread("t", { streamMode: ["updates", "values"] }));
    t.note("calls", calls);
    const late = lib.entrypoint({ name: "late", checkpointer: new lib.MemorySaver() }, async () =>
      slow(),
    );
    await late
      .invoke(1, thread("t"))
      .catch((error) => t.note("threw", [error.name, error.node, error.kind, error.timeout]));
  }),
);
