// SPDX-License-Identifier: MIT
// docs/semantics.md 16: retries and timeouts of nodes, the same in both packages.
import { setTimeout } from "node:timers/promises";
import { fact, inTime, logState, pause, thread } from "./harness.mjs";

/** Quick and silent. */
const QUICK = { initialInterval: 1, jitter: false, logWarning: false };

/** One node between START and END. */
function one(lib, node, options, compile) {
  return new lib.StateGraph(logState(lib, { x: lib.Annotation }))
    .addNode("a", node, options)
    .addEdge(lib.START, "a")
    .addEdge("a", lib.END)
    .compile(compile);
}

/** Fails `times` times, then says how often it was called. */
function flaky(times, error = (n) => new Error(`e${n}`)) {
  let calls = 0;
  return () => {
    if (++calls <= times) throw error(calls);
    return { log: [`call ${calls}`] };
  };
}

/** What the console is told while `act` runs. */
async function listening(act) {
  const { log } = console;
  const lines = [];
  console.log = (...words) => lines.push(words);
  try {
    await act();
  } finally {
    console.log = log;
  }
  return lines;
}

/** A NodeTimeoutError without the time that it took, which no two runs share. */
function timeless(error) {
  return {
    ...error,
    name: error.name,
    message: error.message.replace(/elapsed: [\d.]+ms/, "elapsed"),
    elapsed: typeof error.elapsed,
    pregelTaskId: undefined,
  };
}

async function timedOut(t, label, run) {
  try {
    t.note(label, await run());
  } catch (error) {
    t.note(`${label} threw`, error.name === "NodeTimeoutError" ? timeless(error) : error);
  }
}

fact("16.1", "attempts: three, or as many as the policy says", async (lib, t) => {
  for (const maxAttempts of [undefined, 1, 0, 2, 5]) {
    for (const fails of [0, 1, 2, 4]) {
      await t.try(`${maxAttempts} attempts, ${fails} failures`, () =>
        one(lib, flaky(fails), { retryPolicy: { ...QUICK, maxAttempts } }).invoke({}),
      );
    }
  }
});

fact("16.1", "which errors are tried again", async (lib, t) => {
  const errors = [
    new Error("Cancel it"),
    new Error("AbortError: x"),
    Object.assign(new Error("n"), { name: "AbortError" }),
    Object.assign(new Error("n"), { name: "GraphValueError" }),
    Object.assign(new Error("n"), { code: "ECONNABORTED" }),
    ...[400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 429, 500].map((status) =>
      Object.assign(new Error("n"), { status }),
    ),
    Object.assign(new Error("n"), { response: { status: 409 } }),
    Object.assign(new Error("n"), { response: { status: 503 } }),
    Object.assign(new Error("n"), { error: { code: "insufficient_quota" } }),
    new lib.InvalidUpdateError("u"),
  ];
  for (const error of errors) {
    let calls = 0;
    const node = () => {
      calls++;
      throw error;
    };
    await t.try("run", () => one(lib, node, { retryPolicy: QUICK }).invoke({}));
    t.note(`${error.name} ${error.status} ${error.code}`, calls);
  }
});

fact("16.1", "retryOn decides, and is asked while attempts are left", async (lib, t) => {
  const verdicts = {
    yes: () => true,
    first: (error) => error.message === "e1",
    truthy: () => 1,
    promise: async () => false,
    throws: () => {
      throw new TypeError("bad");
    },
  };
  for (const [name, verdict] of Object.entries(verdicts)) {
    const asked = [];
    const retryOn = (error) => {
      asked.push(error.message);
      return verdict(error);
    };
    await t.try(name, () => one(lib, flaky(2), { retryPolicy: { ...QUICK, retryOn } }).invoke({}));
    await t.try(`${name}, always failing`, () =>
      one(lib, flaky(9), { retryPolicy: { ...QUICK, retryOn } }).invoke({}),
    );
    t.note("asked", asked);
  }
});

fact("16.1", "executionInfo counts attempts", async (lib, t) => {
  const seen = [];
  const node = (_, config) => {
    const { nodeAttempt, nodeFirstAttemptTime, ...rest } = config.executionInfo;
    seen.push({
      nodeAttempt,
      first: nodeFirstAttemptTime === seen[0]?.time || seen.length === 0,
      rest,
    });
    Object.defineProperty(seen.at(-1), "time", { value: nodeFirstAttemptTime });
    if (seen.length < 3) throw new Error("again");
    return {};
  };
  await one(lib, node, { retryPolicy: QUICK }, { checkpointer: new lib.MemorySaver() }).invoke(
    {},
    thread("t", { runId: "123e4567-e89b-12d3-a456-426614174000" }),
  );
  t.note("seen", seen);
});

fact(
  "16.1",
  "a failure after all attempts is stored once, and the next run begins to count anew",
  async (lib, t) => {
    const graph = one(
      lib,
      flaky(4),
      { retryPolicy: { ...QUICK, maxAttempts: 2 } },
      { checkpointer: new lib.MemorySaver() },
    );
    await t.invoke(graph, {}, thread("t"));
    await t.state(graph, thread("t"));
    await t.invoke(graph, null, thread("t"));
    await t.invoke(graph, null, thread("t"));
    await t.history(graph, thread("t"));
  },
);

fact(
  "16.1",
  "an interrupt is no failure, and a question after a retry is asked",
  async (lib, t) => {
    let calls = 0;
    const node = () => {
      if (++calls === 1) throw new Error("first");
      return { log: [lib.interrupt("ok?")] };
    };
    const graph = one(lib, node, { retryPolicy: QUICK }, { checkpointer: new lib.MemorySaver() });
    await t.stream(graph, {}, thread("t", { streamMode: ["updates", "values"] }));
    await t.invoke(graph, new lib.Command({ resume: "yes" }), thread("t"));
    t.note("calls", calls);
  },
);

fact(
  "16.1",
  "neighbours: retried beside one that works; not any more once one has failed",
  async (lib, t) => {
    for (const fails of [1, 9]) {
      let calls = 0;
      const late = async () => {
        calls++;
        throw new RangeError("late");
      };
      const graph = new lib.StateGraph(logState(lib))
        .addNode("a", flaky(fails), { retryPolicy: { ...QUICK, maxAttempts: 2 } })
        .addNode("b", fails === 9 ? late : () => ({ log: ["b"] }), {
          retryPolicy: { ...QUICK, initialInterval: 25 },
        })
        .addEdge(lib.START, "a")
        .addEdge(lib.START, "b")
        .compile();
      await t.stream(graph, {}, { streamMode: ["updates", "values"] }, { fallible: true });
      await setTimeout(40);
      t.note("calls of b", calls);
    }
  },
);

fact("16.1", "several failures in one turn", async (lib, t) => {
  for (const policy of [undefined, { ...QUICK, maxAttempts: 1 }]) {
    const fail = (name) => async () => {
      throw new RangeError(name);
    };
    const graph = new lib.StateGraph(logState(lib));
    for (const name of ["c", "a", "b"])
      graph.addNode(name, fail(name), { retryPolicy: policy }).addEdge(lib.START, name);
    await t.invoke(graph.compile(), {});
  }
});

fact("16.2", "each retry is said on the console, with its delay", async (lib, t) => {
  const policies = [
    { initialInterval: 2, jitter: false },
    { initialInterval: 1, backoffFactor: 3, maxInterval: 5, maxAttempts: 5, jitter: false },
    { initialInterval: 0, jitter: false, maxAttempts: 4 },
    { initialInterval: 4, backoffFactor: 0.5, jitter: false, maxAttempts: 4 },
  ];
  class Own extends Error {}
  const errors = [
    (n) => new RangeError(`r${n}`),
    () => Object.assign(new Error("m"), { name: "Named" }),
    () => new Own("own"),
    () => ({ message: "plain" }),
  ];
  for (const retryPolicy of policies)
    t.note(
      "lines",
      await listening(() =>
        one(lib, flaky((retryPolicy.maxAttempts ?? 3) - 1), { retryPolicy }).invoke({}),
      ),
    );
  for (const error of errors)
    t.note(
      "lines",
      await listening(() => one(lib, flaky(1, error), { retryPolicy: policies[0] }).invoke({})),
    );
});

fact("16.3", "writes and destinations of a failed attempt are forgotten", async (lib, t) => {
  let calls = 0;
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: [`call ${++calls}`] }), { retryPolicy: QUICK })
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addConditionalEdges(
      "a",
      (state) => {
        if (calls < 2) throw new Error(`no way from ${state.log}`);
        return "b";
      },
      ["b"],
    )
    .compile();
  await t.stream(graph, {}, { streamMode: ["updates", "values", "tasks"] });
});

fact("16.4", "the graph's policy is for nodes without one", async (lib, t) => {
  const graph = one(lib, flaky(1), {});
  graph.retryPolicy = QUICK;
  await t.invoke(graph, {});
  const own = one(lib, flaky(1), { retryPolicy: { ...QUICK, maxAttempts: 1 } });
  own.retryPolicy = QUICK;
  await t.invoke(own, {});
  await t.invoke(one(lib, flaky(1), {}, { retryPolicy: QUICK }), {});
});

fact(
  "16.5",
  "run timeout: nodes that wait, that block, that fail or ask too late",
  async (lib, t) => {
    const block = (ms) => {
      const end = Date.now() + ms;
      while (Date.now() < end);
    };
    const nodes = {
      waits: async () => {
        await setTimeout(30);
        return { log: ["late"] };
      },
      "in time": async () => {
        await setTimeout(1);
        return { log: ["in time"] };
      },
      blocks: () => {
        block(15);
        return { log: ["late"] };
      },
      fails: () => {
        block(15);
        throw new RangeError("own");
      },
      "fails later": async () => {
        await setTimeout(25);
        throw new RangeError("own");
      },
      asks: () => {
        block(15);
        return lib.interrupt("q");
      },
    };
    for (const [name, node] of Object.entries(nodes)) {
      const graph = one(
        lib,
        node,
        { timeout: name === "in time" ? 60_000 : 8 },
        { checkpointer: new lib.MemorySaver() },
      );
      await timedOut(t, name, () => graph.invoke({}, thread("t")));
      const { next, tasks } = await graph.getState(thread("t"));
      t.note("state", { next, tasks: tasks.map((task) => ({ ...task, error: task.error?.name })) });
    }
    await setTimeout(30);
  },
);

fact(
  "16.5",
  "idle timeout: what counts as progress",
  inTime(async (lib, t) => {
    const nodes = {
      silent: async () => {
        await pause(50);
      },
      writer: async (_, config) => {
        for (let i = 0; i < 4; i++) {
          await pause(10);
          config.writer(i);
        }
      },
      heartbeat: async (_, config) => {
        for (let i = 0; i < 4; i++) {
          await pause(10);
          config.heartbeat();
        }
      },
      model: async (_, config) => {
        for (let i = 0; i < 4; i++) {
          await pause(10);
          await new lib.FakeListChatModel({ responses: ["x"] }).invoke("hi", config);
        }
      },
    };
    for (const refreshOn of [undefined, "auto", "heartbeat"]) {
      for (const [name, node] of Object.entries(nodes)) {
        const graph = one(
          lib,
          async (state, config) => {
            await node(state, config);
            return { log: [name] };
          },
          { timeout: { idleTimeout: 30, refreshOn } },
        );
        await timedOut(t, `${name} ${refreshOn}`, () => graph.invoke({}));
      }
    }
  }),
);

fact(
  "16.5",
  "the signal of an attempt, its retry, late writes",
  inTime(async (lib, t) => {
    const signals = [];
    const seen = [];
    const node = async (_, config) => {
      const attempt = signals.push(config.signal);
      config.writer(`attempt ${attempt}`);
      if (attempt < 3) {
        await pause(25);
        config.writer("late");
        seen.push([attempt, config.signal.aborted, String(config.signal.reason)]);
      }
      return { log: [`attempt ${attempt}`] };
    };
    const graph = one(lib, node, { timeout: 8, retryPolicy: QUICK });
    await t.stream(graph, {}, { streamMode: ["custom", "updates", "values"] });
    await pause(30);
    t.note("seen", seen.sort());
    t.note("last", signals[2].aborted);
  }),
);

fact("16.5", "heartbeat is there where a timeout is", async (lib, t) => {
  for (const timeout of [undefined, 1000, { idleTimeout: 1000 }, {}]) {
    await one(
      lib,
      (_, config) => void t.note("heartbeat", [typeof config.heartbeat, "heartbeat" in config]),
      { timeout },
    ).invoke({});
  }
});

fact(
  "16.6",
  "a Send's timeout stands instead of the node's, also after a restart",
  inTime(async (lib, t) => {
    const graph = (timeout, own) =>
      new lib.StateGraph(logState(lib))
        .addNode(
          "a",
          () =>
            new lib.Command({
              goto: [new lib.Send("b", { n: 1 }, { timeout }), new lib.Send("b", { n: 2 })],
            }),
          { ends: ["b"] },
        )
        .addNode("b", ({ n }) => (n === 1 ? pause(50, { log: [n] }) : { log: [n] }), {
          timeout: own,
        })
        .addEdge(lib.START, "a")
        .compile({ checkpointer: new lib.MemorySaver(), interruptBefore: ["b"] });
    for (const [timeout, own] of [
      [30, undefined],
      [500, 30],
      [{ idleTimeout: 500 }, 30],
      [undefined, 30],
      [undefined, 500],
      [{ runTimeout: 500, idleTimeout: 30 }, 500],
    ]) {
      const app = graph(timeout, own);
      await app.invoke({}, thread("t"));
      await timedOut(t, "run", () => app.invoke(null, thread("t")));
    }
  }),
);

fact("16.7", "what is taken for a timeout policy, what is refused", (lib, t) => {
  const given = [
    0,
    -1,
    NaN,
    0.5,
    "5",
    null,
    {},
    { runTimeout: 0 },
    { runTimeout: -5 },
    { idleTimeout: 0 },
    { runTimeout: 3, idleTimeout: 4, refreshOn: "heartbeat" },
    { idleTimeout: 5, refreshOn: "x" },
    { runTimeout: "5" },
    { other: 1 },
    true,
    [],
  ];
  for (const timeout of given) {
    const act = (label, call) => {
      try {
        t.note(label, call());
      } catch (error) {
        t.note(`${label} threw`, error);
      }
    };
    act(
      "addNode",
      () => new lib.StateGraph(logState(lib)).addNode("a", () => ({}), { timeout }).nodes.a.timeout,
    );
    act(
      "setNodeDefaults",
      () => void new lib.StateGraph(logState(lib)).setNodeDefaults({ timeout }),
    );
    act("Send", () => JSON.stringify(new lib.Send("b", {}, { timeout })));
  }
});

fact("16.7", "NodeTimeoutError", (lib, t) => {
  for (const fields of [
    { kind: "run", runTimeout: 5 },
    { kind: "idle", idleTimeout: 3, runTimeout: 5 },
    { kind: "run" },
    { kind: "idle", runTimeout: 1 },
  ]) {
    try {
      const error = new lib.NodeTimeoutError({ node: "n", elapsed: 12.7, ...fields });
      t.note("error", [
        error,
        { ...error },
        error.stack.split(":")[0],
        lib.isNodeTimeoutError(error),
        lib.isNodeTimeoutError({ name: "NodeTimeoutError" }),
        lib.NodeTimeoutError.unminifiable_name,
        lib.isGraphBubbleUp(error),
      ]);
    } catch (error) {
      t.note("threw", error);
    }
  }
  t.note(
    "others",
    ["NodeTimeoutError", new Error("x"), 5].map((value) => lib.isNodeTimeoutError(value)),
  );
});

fact("16.11", "stepTimeout ends a step that takes too long", async (lib, t) => {
  for (const options of [
    {},
    { retryPolicy: QUICK },
    { errorHandler: () => ({ log: ["handled"] }) },
  ]) {
    let signal;
    const graph = one(
      lib,
      async (_, config) => {
        ({ signal } = config);
        await setTimeout(25);
        return { log: ["late"] };
      },
      options,
      { checkpointer: new lib.MemorySaver() },
    );
    t.note("unset", graph.stepTimeout);
    graph.stepTimeout = 8;
    await t.try("run", () => graph.invoke({}, thread("t")));
    t.note("signal", [signal.aborted]);
    await setTimeout(25);
    t.outcomes = false;
    await t.state(graph, thread("t"));
  }
  const quick = one(lib, () => ({ log: ["in time"] }), {});
  for (const ms of [60_000, 0, null, NaN, -1, 1.5, "20", {}, 2 ** 33, Infinity]) {
    quick.stepTimeout = ms;
    await t.invoke(quick, {});
    await t.try("stream", async () => {
      for await (const chunk of await quick.stream({})) t.note("chunk", chunk);
    });
  }
});
