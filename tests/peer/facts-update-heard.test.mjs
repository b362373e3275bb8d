// SPDX-License-Identifier: MIT
// Facts 12.7, 12.8 and 17.1: who hears of updates; a graph inside a graph is asked to give way.
import { RunnableLambda } from "@langchain/core/runnables";
import { fact, logState, thread } from "./harness.mjs";

function build(lib) {
  const node = (name) => () => ({ log: [name] });
  return new lib.StateGraph(logState(lib))
    .addNode("a", node("a"))
    .addNode("b", node("b"))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new lib.MemorySaver() });
}

/** Callbacks that note what they hear. */
const listener = (t) => [
  {
    handleChainStart: (...told) => t.note("start", [told[1], told[5], told[6], told[7]]),
    handleChainEnd: (output) => t.note("end", output),
    handleChainError: (error) => t.note("error", error),
  },
];

fact("12.7, 12.8", "callbacks hear of updates that run a node's writers", async (lib, t) => {
  const graph = build(lib);
  const heard = (more) => thread("t", { callbacks: listener(t), ...more });
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.update(
    graph,
    heard({ metadata: { m: 1 }, tags: ["q"], runName: "mine" }),
    { log: ["u"] },
    "a",
  );
  for (const [values, asNode] of [
    [{ log: ["u"] }],
    [null],
    [{ log: 5 }, "zz"],
    [{ log: ["in"] }, "__input__"],
    [null, "__end__"],
    [null, "__copy__"],
  ])
    await t.update(graph, heard(), values, asNode);
  const update = (text, asNode) => ({ values: { log: [text] }, asNode });
  await t.try("bulk", () =>
    graph.bulkUpdateState(heard(), [
      { updates: [update("1", "a"), update("2", "b")] },
      { updates: [update("3", "a")] },
    ]),
  );
  await t.state(graph, thread("t"));
});

/** The same, with who stands above whom; what they are told is waited for. */
function tree(t) {
  const names = new Map();
  return [
    {
      awaitHandlers: true,
      handleChainStart: (_, input, id, parent, tags, metadata, _type, name) => (
        names.set(id, name), t.note("start", [name, names.get(parent), tags, metadata, input])
      ),
      handleChainEnd: (output, id) => t.note("end", [names.get(id), output]),
      handleChainError: (error, id) => t.note("error", [names.get(id), error]),
    },
  ];
}

fact(
  "12.7",
  "callbacks hear of the conditions of an update, and of what they call",
  async (lib, t) => {
    const called = RunnableLambda.from((x) => x).withConfig({ runName: "called" });
    const conditions = {
      plain: () => "b",
      calls: async (_, config) => (await called.invoke(1, config), "b"),
      callsBare: async () => (await called.invoke(1), "b"),
      runnable: RunnableLambda.from(() => "b").withConfig({ runName: "asked" }),
      fails: () => {
        throw new Error("no");
      },
    };
    const given = { tags: ["q"], metadata: { m: 1 } };
    for (const condition of Object.values(conditions)) {
      const node = (name) => () => ({ log: [name] });
      const graph = new lib.StateGraph(logState(lib))
        .addNode("a", node("a"))
        .addNode("b", node("b"))
        .addEdge(lib.START, "a")
        .addConditionalEdges("a", condition)
        .compile({ checkpointer: new lib.MemorySaver() });
      await t.update(graph, thread("t", { ...given, callbacks: tree(t) }), { log: ["u"] }, "a");
      await t.update(graph, thread("t", given), { log: ["u"] }, "a");
      await t.state(graph, thread("t"));
    }
  },
);

for (const how of ["node", "call"]) {
  for (const where of ["i1", "i2", "o1", "before"]) {
    fact(
      "17.1",
      `${where} asks to drain, around and inside a graph that is a ${how}`,
      async (lib, t) => {
        t.triggers = undefined;
        for (const saver of [undefined, true, false]) {
          const control = new lib.RunControl();
          const act = (name) => (_, config) => {
            if (name === where) config.control.requestDrain(`why ${name}`);
            t.note("runs", name);
            return { log: [name] };
          };
          const line = (nodes, checkpointer) => {
            const builder = new lib.StateGraph(logState(lib));
            nodes.forEach(([name, node], at) =>
              builder.addNode(name, node).addEdge(at === 0 ? lib.START : nodes[at - 1][0], name),
            );
            return builder.compile({ checkpointer });
          };
          const inner = line(
            [
              ["i1", act("i1")],
              ["i2", act("i2")],
            ],
            saver,
          );
          const called = async () => ({ log: (await inner.invoke({ log: [] })).log });
          const graph = line(
            [
              ["o1", act("o1")],
              ["sub", how === "node" ? inner : called],
              ["o2", act("o2")],
            ],
            new lib.MemorySaver(),
          );
          if (where === "before") control.requestDrain("early");
          for (const input of [{ log: ["in"] }, null, null]) {
            await t.stream(
              graph,
              input,
              thread("t", {
                streamMode: ["values", "updates", "tasks"],
                subgraphs: true,
                control: input === null ? undefined : control,
              }),
              { sorted: true, fallible: true },
            );
            await t.state(graph, thread("t"), { subgraphs: true });
          }
        }
      },
    );
  }
}
