// SPDX-License-Identifier: MIT
// Facts 6.1 to 6.8, 7.1 to 7.5, 8.1 to 8.8, 9.1 to 9.6: one run, its inputs, its order, its limits.
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fact, logState, thread } from "./harness.mjs";

const both = { streamMode: ["updates", "values"] };

/** START -> a -> b -> ... one after the other. */
function chain(lib, names, options) {
  const builder = new lib.StateGraph(logState(lib, { a1: lib.Annotation }));
  let last = lib.START;
  for (const name of names) {
    builder.addNode(name, () => ({ log: [name] })).addEdge(last, name);
    last = name;
  }
  return builder.compile(options);
}

function loop(lib, options, rounds = Infinity) {
  return new lib.StateGraph(logState(lib))
    .addNode("a", (state) => ({ log: [state.log.length] }))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", (state) => (state.log.length < rounds ? "a" : lib.END), [
      "a",
      lib.END,
    ])
    .compile(options);
}

fact(
  "6.3, 6.7",
  "the recursion limit: at most L-1 steps of nodes, the last one counted in",
  async (lib, t) => {
    for (const recursionLimit of [1, 2, 3, 4, 5]) {
      await t.invoke(chain(lib, ["a", "b", "c"]), { log: [] }, { recursionLimit });
      await t.stream(loop(lib), { log: [] }, { recursionLimit, ...both });
    }
  },
);

fact("6.7", "the default limit, and limits that are none", async (lib, t) => {
  await t.invoke(loop(lib), { log: [] });
  await t.invoke(loop(lib, undefined, 24), { log: [] });
  await t.invoke(loop(lib, undefined, 25), { log: [] });
  for (const recursionLimit of [0, -1])
    await t.invoke(chain(lib, ["a"]), { log: [] }, { recursionLimit });
});

fact("6.7, 11.2", "a run that goes on after the limit", async (lib, t) => {
  const graph = loop(lib, { checkpointer: new lib.MemorySaver() }, 9);
  await t.invoke(graph, { log: [] }, thread("t", { recursionLimit: 3 }));
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", { recursionLimit: 3, ...both }));
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", { recursionLimit: 4, ...both }));
  await t.history(graph, thread("t"));
});

fact(
  "6.1",
  "recursionLimit and tags from withConfig, beneath those of the call",
  async (lib, t) => {
    const graph = loop(lib).withConfig({ recursionLimit: 3 });
    await t.invoke(graph, { log: [] });
    await t.invoke(graph, { log: [] }, { recursionLimit: 4 });
  },
);

fact("6.2, 6.6", "numbers of steps go on over several inputs", async (lib, t) => {
  const graph = chain(lib, ["a", "b"], { checkpointer: new lib.MemorySaver() });
  for (const input of [{ log: ["1"] }, { log: ["2"] }, { a1: 3 }])
    await t.stream(graph, input, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("6.5", "values only when an output channel was written", async (lib, t) => {
  const state = lib.Annotation.Root({ hidden: lib.Annotation, shown: lib.Annotation });
  const graph = new lib.StateGraph({
    stateSchema: state,
    output: lib.Annotation.Root({ shown: lib.Annotation }),
  })
    .addNode("a", () => ({ hidden: 1 }))
    .addNode("b", () => ({ shown: 2, hidden: 2 }))
    .addNode("c", () => null)
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge("b", "c")
    .compile();
  for (const streamMode of ["values", "updates", ["values", "updates"]])
    await t.stream(graph, { hidden: 0 }, { streamMode });
  await t.invoke(graph, { hidden: 0 });
});

fact("6.8, 8.1", "tasks run side by side; what ends first is not applied first", async (lib, t) => {
  const after = { a: "c", b: undefined, c: "b" };
  const ended = Object.fromEntries(Object.keys(after).map((name) => [name, new EventTarget()]));
  const builder = new lib.StateGraph(logState(lib));
  for (const [name, other] of Object.entries(after)) {
    builder
      .addNode(name, async () => {
        t.note("starts", name);
        await (other === undefined ? setTimeout(2) : once(ended[other], "end"));
        await setTimeout(2);
        t.note("ends", name);
        ended[name].dispatchEvent(new Event("end"));
        return { log: [name] };
      })
      .addEdge(lib.START, name);
  }
  await t.stream(builder.compile(), { log: [] }, both);
});

fact("6.8", "no more than maxConcurrency at once", async (lib, t) => {
  let now = 0;
  let most = 0;
  const builder = new lib.StateGraph(logState(lib));
  for (const name of ["a", "b", "c", "d", "e"]) {
    builder
      .addNode(name, async () => {
        most = Math.max(most, ++now);
        await setTimeout(3);
        now--;
        return { log: [name] };
      })
      .addEdge(lib.START, name);
  }
  await t.invoke(builder.compile(), { log: [] }, { maxConcurrency: 2 });
  t.note("most", most);
});

fact(
  "7.1, 7.5",
  "null and nothing as input: of a fresh thread, of one at its end, of one that stopped",
  async (lib, t) => {
    const graph = chain(lib, ["a", "b"], {
      checkpointer: new lib.MemorySaver(),
      interruptBefore: ["b"],
    });
    for (const nothing of [null, undefined]) {
      const at = thread(`t ${nothing}`);
      await t.invoke(graph, nothing, at);
      await t.invoke(graph, { log: ["in"] }, at);
      await t.stream(graph, nothing, { ...at, ...both });
      await t.stream(graph, nothing, { ...at, ...both });
      await t.history(graph, at);
    }
  },
);

fact("7.2", "Command as input: goto, update, both, on fresh and used threads", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", (state) => ({ log: [`b ${JSON.stringify(state)}`] }))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", () => lib.END, ["b", lib.END])
    .compile({ checkpointer: new lib.MemorySaver() });
  const commands = {
    goto: { goto: "b" },
    list: { goto: ["b", "a"] },
    send: { goto: new lib.Send("b", { sent: 1 }) },
    goUnknown: { goto: "x" },
    goEnd: { goto: lib.END },
  };
  for (const [label, command] of Object.entries(commands)) {
    for (const used of [false, true]) {
      const at = thread(`${label} ${used}`);
      if (used) await t.invoke(graph, { log: ["in"] }, at);
      t.note("command", label);
      await t.stream(graph, new lib.Command(command), { ...at, ...both }, { sorted: true });
    }
  }
});

fact("7.2, 7.4", "Command update as input puts a checkpoint of its own", async (lib, t) => {
  const graph = chain(lib, ["a", "b"], { checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.stream(graph, new lib.Command({ update: { log: ["u"] }, goto: "b" }), thread("t", both));
  await t.state(graph, thread("t"));
  await t.stream(graph, new lib.Command({ update: { log: ["v"] } }), thread("t", both));
  await t.state(graph, thread("t"));
});

fact("7.2", "Commands that cannot be", async (lib, t) => {
  const saved = chain(lib, ["a"], { checkpointer: new lib.MemorySaver() });
  const unsaved = chain(lib, ["a"]);
  const commands = {
    empty: {},
    parent: { graph: lib.Command.PARENT, goto: "a" },
    resume: { resume: 1 },
    none: { resume: null },
  };
  for (const [label, command] of Object.entries(commands)) {
    t.note("command", label);
    await t.invoke(saved, new lib.Command(command), thread(label));
    await t.invoke(unsaved, new lib.Command(command));
  }
});

fact("7.5", "fresh input discards what was still to run", async (lib, t) => {
  t.triggers.push("join:a+b:c");
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode(
      "b",
      () => new lib.Command({ update: { log: ["b"] }, goto: new lib.Send("s", { k: 1 }) }),
      { ends: ["s"] },
    )
    .addNode("c", () => ({ log: ["c"] }))
    .addNode("s", () => ({ log: ["s"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge(["a", "b"], "c")
    .compile({ checkpointer: new lib.MemorySaver(), interruptBefore: ["b", "c", "s"] });
  await t.invoke(graph, { log: ["1"] }, thread("t"));
  await t.invoke(graph, { log: ["2"] }, thread("t"));
  await t.invoke(graph, null, thread("t"));
  await t.state(graph, thread("t"));
  await t.stream(graph, { log: ["3"] }, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("8.1, 9.1, 9.3", "apply order: nodes by name, then Sends by number", async (lib, t) => {
  const builder = new lib.StateGraph(logState(lib));
  for (const name of ["b", "a", "é", "Z", "a2", "10", "9"])
    builder.addNode(name, () => ({ log: [name] })).addEdge("first", name);
  builder.addNode("w", ({ k }) => ({ log: [`w${k}`] }));
  builder.addNode(
    "first",
    () =>
      new lib.Command({ goto: [...Array(12).keys()].map((k) => new lib.Send("w", { k: 11 - k })) }),
    { ends: ["w"] },
  );
  const graph = builder
    .addEdge(lib.START, "first")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("9.2", "what a Send carries is handed over as it is", async (lib, t) => {
  const builder = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({}))
    .addNode("w", (input) => t.note("input", input) && { log: [typeof input] })
    .addEdge(lib.START, "a")
    .addConditionalEdges(
      "a",
      () =>
        [{ k: 1 }, "text", 7, [1, 2], { nested: { deep: [null] } }].map(
          (input) => new lib.Send("w", input),
        ),
      ["w"],
    );
  await t.invoke(builder.compile(), { log: [] });
  await t.invoke(
    builder.compile({ checkpointer: new lib.MemorySaver() }),
    { log: [] },
    thread("t"),
  );
});

fact("9.3, 9.4, 9.5", "which trigger a task is made by: an edge before a join", async (lib, t) => {
  t.triggers.push("join:a+b:c");
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("c", (_, config) => ({ log: [config.metadata.langgraph_triggers.join()] }))
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "b")
    .addEdge(["a", "b"], "c")
    .addEdge("a", "c")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("9.4, 9.6", "names that JSON escapes, in ids and in what a node is told", async (lib, t) => {
  const builder = new lib.StateGraph(logState(lib));
  for (const name of ['q"uote', "back\\slash", "tab\there", "日本", "🙂", "__proto", "hasOwn"]) {
    builder
      .addNode(name, (_, { executionInfo, metadata }) => {
        t.note("told", [
          executionInfo.taskId,
          executionInfo.threadId,
          executionInfo.nodeAttempt,
          executionInfo.checkpointNs,
          metadata.langgraph_node,
        ]);
        return { log: [name] };
      })
      .addEdge(lib.START, name);
  }
  const graph = builder.compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", both));
  await t.history(graph, thread("t"));
});

fact(
  "6.8, 12.9",
  "AbortSignal: before the start, in a node, and what the node sees",
  async (lib, t) => {
    const graph = new lib.StateGraph(logState(lib))
      .addNode("a", () => ({ log: ["a"] }))
      .addNode(
        "slow",
        (_, config) =>
          new Promise((_resolve, reject) => {
            t.note("aborted at first", config.signal.aborted);
            config.signal.addEventListener("abort", () => {
              t.note("node is told", config.signal.aborted);
              reject(new Error("the node gave up"));
            });
          }),
      )
      .addEdge(lib.START, "a")
      .addEdge("a", "slow")
      .compile({ checkpointer: new lib.MemorySaver() });
    const abort = new AbortController();
    const running = t.invoke(graph, { log: [] }, thread("t", { signal: abort.signal }));
    await setTimeout(20);
    abort.abort();
    await running;
    await t.invoke(graph, { log: [] }, thread("u", { signal: AbortSignal.abort() }));
    await t.state(graph, thread("u"));
  },
);
