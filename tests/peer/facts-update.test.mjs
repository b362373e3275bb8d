// SPDX-License-Identifier: MIT
// updateState and bulkUpdateState in all their forms: as END, as input, as a copy, of old
// checkpoints, several at once.
import { fact, logState, thread } from "./harness.mjs";

/** start -> a -> b -> c. */
function chain(lib, options) {
  return new lib.StateGraph(logState(lib, { v: lib.Annotation() }))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("c", () => ({ log: ["c"] }))
    .addEdge("__start__", "a")
    .addEdge("a", "b")
    .addEdge("b", "c")
    .compile({ checkpointer: new lib.MemorySaver(), ...options });
}

/** Two nodes side by side, one of which asks. */
function asking(lib) {
  return new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("q", () => ({ log: [lib.interrupt("q")] }))
    .addEdge("__start__", "a")
    .addEdge("__start__", "q")
    .compile({ checkpointer: new lib.MemorySaver() });
}

/** A node that sends twice, before breakpoints. */
function sending(lib) {
  return new lib.StateGraph(logState(lib))
    .addNode("a", () => new lib.Command({ goto: [new lib.Send("w", 1), new lib.Send("w", 2)] }), {
      ends: ["w"],
    })
    .addNode("w", (input) => ({ log: [`w${input}`] }))
    .addNode("z", () => ({ log: ["z"] }))
    .addEdge("__start__", "a")
    .addEdge("w", "z")
    .compile({ checkpointer: new lib.MemorySaver(), interruptBefore: ["w"] });
}

async function oldest(graph, config, back) {
  const list = [];
  for await (const snapshot of graph.getStateHistory(config)) list.push(snapshot.config);
  return list[back];
}

async function look(t, graph, config) {
  await t.state(graph, config);
  await t.history(graph, config);
}

/** After the update the thread goes on. */
function goesOn(title, make, update, input = null) {
  fact("12.8", title, async (lib, t) => {
    const graph = make(lib);
    const config = thread("t");
    await t.invoke(graph, { log: ["i"] }, config);
    await update(lib, t, graph, config);
    await look(t, graph, config);
    await t.invoke(graph, typeof input === "function" ? input(lib) : input, config);
    await t.history(graph, config);
  });
}

const stopped = (lib) => chain(lib, { interruptBefore: ["b"] });
const resume = (lib) => new lib.Command({ resume: "r" });

for (const [name, values, asNode] of [
  ["END", null, "__end__"],
  ["input", { log: ["x"] }, "__input__"],
  ["a copy", null, "__copy__"],
]) {
  fact("12.8", `as ${name}: a thread of nobody`, async (lib, t) => {
    const graph = chain(lib);
    await t.update(graph, thread("t"), values, asNode);
    await t.history(graph, thread("t"));
    await t.invoke(graph, null, thread("t"));
    await t.history(graph, thread("t"));
  });
  goesOn(`as ${name}: a run at its end`, chain, (lib, t, graph, config) =>
    t.update(graph, config, values, asNode),
  );
  goesOn(`as ${name}: a run at a breakpoint`, stopped, (lib, t, graph, config) =>
    t.update(graph, config, values, asNode),
  );
  goesOn(
    `as ${name}: a run at a question`,
    asking,
    (lib, t, graph, config) => t.update(graph, config, values, asNode),
    resume,
  );
  goesOn(`as ${name}: an old checkpoint`, chain, async (lib, t, graph, config) =>
    t.update(graph, await oldest(graph, config, 2), values, asNode),
  );
}

for (const values of [null, undefined]) {
  for (const isNamed of [false, true]) {
    goesOn(
      `${values} beside a node that is done leaves the step as it was${isNamed ? ", at a named checkpoint" : ""}`,
      asking,
      async (lib, t, graph, config) => {
        await t.update(graph, isNamed ? (await graph.getState(config)).config : config, values);
      },
    );
  }
}
goesOn("as END with values; null as a node, as none", stopped, async (lib, t, graph, config) => {
  for (const values of [{ log: ["x"] }, undefined])
    await t.update(graph, config, values, "__end__");
  for (const [values, asNode] of [[null, "a"], [undefined, "b"], [undefined], [null]])
    await t.update(graph, config, values, asNode);
});

fact("12.8", "as input: nothing, an empty object, a text", async (lib, t) => {
  const graph = chain(lib);
  for (const values of [null, undefined, {}, "x"])
    await t.update(graph, thread("t"), values, "__input__");
  await t.history(graph, thread("t"));
});

goesOn("a copy with updates of its tasks", chain, async (lib, t, graph, config) => {
  const old = await oldest(graph, config, 2);
  await t.update(graph, old, [[{ log: ["x"] }, "a"]], "__copy__");
  await t.update(
    graph,
    old,
    [
      [{ log: ["y"] }, "a"],
      [{ v: 1 }, "b"],
    ],
    "__copy__",
  );
});

goesOn("a copy with what is no list of updates", chain, async (lib, t, graph, config) => {
  for (const values of [
    { log: ["x"] },
    [],
    [[{ log: ["x"] }]],
    "x",
    [[null, "a"]],
    [[{ log: ["z"] }, "nobody"]],
    5,
    undefined,
  ])
    await t.update(graph, config, values, "__copy__");
});

fact("12.7", "as nobody, as START; values of every kind", async (lib, t) => {
  const graph = chain(lib);
  for (const asNode of ["nobody", "__start__", "", 5])
    await t.update(graph, thread("t"), { log: ["x"] }, asNode);
  const command = new lib.Command({ update: { log: ["cmd"] }, goto: "c" });
  for (const values of [
    "x",
    5,
    [],
    [1],
    command,
    new lib.Send("c", { log: [] }),
    [new lib.Command({ update: { v: 1 } }), { v: 2 }],
    [["log", ["pair"]]],
  ]) {
    await t.update(graph, thread("t"), values, "a");
  }
  await t.history(graph, thread("t"));
});

const update = (values, asNode) => ({ values, asNode });
const bulk = (t, graph, config, supersteps) =>
  t.try("bulk", () => graph.bulkUpdateState(config, supersteps));

fact("12.8", "bulkUpdateState: what it refuses", async (lib, t) => {
  const graph = chain(lib);
  const lists = [
    [update({ log: ["x"] })],
    [update({ log: ["x"] }), update({ log: ["y"] })],
    [update({}, "a"), update({})],
    [update(null, "__end__"), update({}, "a")],
    [update({}, "a"), update(null, "__copy__")],
    [update(null, "__copy__"), update({}, "a")],
    [update({}, "__input__"), update({}, "a")],
    [update({}, "a"), update({}, "__input__")],
    [update({}, "a"), update({}, "nobody")],
    [update({}, "nobody"), update({})],
    [update({}, "a"), update("bad", "b")],
    [update({ v: 1 }, "a"), update({ v: 2 }, "b")],
    [update(null), update(null)],
    [update(null), update({}, "a")],
    [update(null, "a"), update(null, "b")],
    [update(null, "__end__"), update(null, "__end__")],
  ];
  for (const supersteps of [[], [{ updates: [] }], ...lists.map((updates) => [{ updates }])])
    await bulk(t, graph, thread("t"), supersteps);
  await t.history(graph, thread("t"));
});

fact("12.8", "bulkUpdateState: a thread made by hand", async (lib, t) => {
  const graph = chain(lib);
  const steps = [
    [update({ log: ["in"] }, "__input__")],
    [update({ log: ["1"] }, "__start__")],
    [update({ log: ["2"] }, "a"), update({ log: ["3"] }, "b")],
    [update({ log: ["4"] }, "c")],
  ];
  await bulk(
    t,
    graph,
    thread("t"),
    steps.map((updates) => ({ updates })),
  );
  await look(t, graph, thread("t"));
});

goesOn(
  "bulkUpdateState: nodes in any order, one of them waiting",
  stopped,
  (lib, t, graph, config) =>
    bulk(t, graph, config, [
      { updates: [update({ log: ["B"] }, "b"), update({ log: ["A"] }, "a")] },
    ]),
);
goesOn("bulkUpdateState: one node several times", stopped, (lib, t, graph, config) =>
  bulk(t, graph, config, [
    { updates: ["1", "2", "3"].map((text) => update({ log: [text] }, "b")) },
  ]),
);
goesOn("bulkUpdateState: for tasks of Sends", sending, (lib, t, graph, config) =>
  bulk(t, graph, config, [
    { updates: [update({ log: ["W1"] }, "w"), update({ log: ["W2"] }, "w")] },
  ]),
);
goesOn("updateState: for one of several tasks of Sends", sending, (lib, t, graph, config) =>
  t.update(graph, config, { log: ["W1"] }, "w"),
);
goesOn("bulkUpdateState: beside a question", asking, (lib, t, graph, config) =>
  bulk(t, graph, config, [
    { updates: [update({ log: ["Q"] }, "q")] },
    { updates: [update({ log: ["A"] }, "a")] },
  ]),
);
goesOn(
  "bulkUpdateState: of an old checkpoint, by the default node, with nothing, END",
  chain,
  async (lib, t, graph, config) => {
    const steps = [
      [update({ log: ["x"] }, "a")],
      [update({ log: ["y"] })],
      [update(null)],
      [update(null, "__end__")],
    ];
    await bulk(
      t,
      graph,
      await oldest(graph, config, 2),
      steps.map((updates) => ({ updates })),
    );
  },
);
goesOn("bulkUpdateState: copies and an input among the steps", chain, (lib, t, graph, config) => {
  const steps = [
    [update(null, "__copy__")],
    [update({ log: ["y"] }, "a")],
    [update([[{ log: ["q"] }, "b"]], "__copy__")],
    [update({ log: ["in"] }, "__input__")],
  ];
  return bulk(
    t,
    graph,
    config,
    steps.map((updates) => ({ updates })),
  );
});

fact("12.8", "messages, joins and untracked values in a copy", async (lib, t) => {
  const state = lib.Annotation.Root({
    messages: lib.MessagesAnnotation.spec.messages,
    log: logState(lib).spec.log,
  });
  const graph = new lib.StateGraph(state)
    .addNode("a", () => ({ messages: [{ role: "ai", content: "a", id: "1" }] }))
    .addNode("b", () => ({ messages: [{ role: "ai", content: "b", id: "2" }], log: ["b"] }))
    .addNode("slow", () => ({}))
    .addNode("z", () => ({ messages: [{ role: "ai", content: "z", id: "1" }] }))
    .addEdge("__start__", "a")
    .addEdge("a", "b")
    .addEdge("__start__", "slow")
    .addEdge(["slow", "b"], "z")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, { messages: "i" }, thread("t"));
  for (const back of [1, 3, 6]) {
    const copy = await t.update(graph, await oldest(graph, thread("t"), back), null, "__copy__");
    await t.try("copied", async () =>
      (await graph.getState(copy)).values.messages.map(({ content }) => content),
    );
    await t.invoke(graph, null, thread("t"));
    await t.state(graph, thread("t"));
  }
});

fact("12.9", "updates without a saver, without a thread", async (lib, t) => {
  for (const options of [{ checkpointer: undefined }, { checkpointer: false }]) {
    await t.update(chain(lib, options), thread("t"), { log: ["x"] }, "a");
    await bulk(t, chain(lib, options), thread("t"), [{ updates: [update({}, "a")] }]);
  }
  for (const config of [{}, { configurable: {} }])
    await t.update(chain(lib), config, { log: ["x"] }, "a");
});

for (const asNode of ["a", "s", "__end__", undefined]) {
  for (const update of [{ v: "c" }, { log: ["c"] }, { log: ["c"], v: "c" }]) {
    fact(
      "12.8, 10.8",
      `as ${asNode}: what a Command wrote beside an answer stays, ${Object.keys(update)}`,
      async (lib, t) => {
        const graph = new lib.StateGraph(logState(lib, { v: lib.Annotation() }))
          .addNode("s", () => ({ log: ["s"] }))
          .addNode("a", () => ({ log: [lib.interrupt("q1"), lib.interrupt("q2")] }))
          .addNode("n", () => ({ log: ["n"] }))
          .addEdge("__start__", "s")
          .addEdge("s", "a")
          .addEdge("s", "n")
          .compile({ checkpointer: new lib.MemorySaver() });
        await t.invoke(graph, { log: ["i"], v: "i" }, thread("t"));
        await t.invoke(graph, new lib.Command({ resume: "r", update }), thread("t"));
        await t.update(
          graph,
          thread("t"),
          asNode === "__end__" || asNode === undefined ? null : { log: ["u"] },
          asNode,
        );
        await look(t, graph, thread("t"));
        await t.invoke(graph, null, thread("t"));
        await look(t, graph, thread("t"));
      },
    );
  }
}

for (const asNode of ["b", "c"]) {
  fact(
    "12.7, 4.12",
    `as ${asNode}: a deferred node that a finished neighbour leads to runs once, behind all others`,
    async (lib, t) => {
      let broken = true;
      const graph = new lib.StateGraph(logState(lib))
        .addNode("d", () => ({ log: ["d"] }), { defer: true })
        .addNode("a", () => ({ log: ["a"] }))
        .addNode("b", () => {
          if (broken) throw new Error("broken");
          return { log: ["b"] };
        })
        .addNode("c", () => ({ log: ["c"] }))
        .addEdge("__start__", "a")
        .addEdge("__start__", "b")
        .addEdge("b", "c")
        .addEdge("a", "d")
        .addEdge("c", "d")
        .compile({ checkpointer: new lib.MemorySaver() });
      await t.invoke(graph, { log: [] }, thread("t"));
      broken = false;
      await t.update(graph, thread("t"), { log: ["u"] }, asNode);
      await t.state(graph, thread("t"));
      await t.invoke(graph, null, thread("t"));
      await t.state(graph, thread("t"));
    },
  );
}
