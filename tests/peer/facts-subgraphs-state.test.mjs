// SPDX-License-Identifier: MIT
// Facts 12.2 to 12.8: the state of graphs inside nodes: where it is found, what it shows, edits,
// time travel.
import { fact, logState, thread } from "./harness.mjs";

const all = { streamMode: ["values", "updates"], subgraphs: true };

/** A graph that asks in its node `name`, and ends in "z". */
function asking(lib, name, options) {
  return new lib.StateGraph(logState(lib))
    .addNode(name, () => ({ log: [name + lib.interrupt(`${name}?`)] }))
    .addNode("z", () => ({ log: ["z"] }))
    .addEdge(lib.START, name)
    .addEdge(name, "z")
    .compile(options);
}

/** START, "a", the graph as "c", "e". */
function around(lib, child) {
  return new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("c", child)
    .addNode("e", () => ({ log: ["e"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "c")
    .addEdge("c", "e")
    .compile({ checkpointer: new lib.MemorySaver() });
}

const listed = (map) => (map === undefined ? undefined : Object.entries(map));

/**
 * Maps by id as lists, so that their order is compared; without a key that LangGraph.js leaves in a
 * config.
 */
function shown(snapshot) {
  const { __pregel_checkpointer, checkpoint_map, ...configurable } = snapshot.config.configurable;
  return {
    ...snapshot,
    config: { configurable: { ...configurable, map: listed(checkpoint_map) } },
    metadata: snapshot.metadata && {
      ...snapshot.metadata,
      parents: listed(snapshot.metadata.parents),
    },
    tasks: snapshot.tasks.map((task) => ({
      ...task,
      state: task.state?.values ? shown(task.state) : task.state,
    })),
  };
}

const noteState = (t, graph, config, query) =>
  t.try("state", async () => shown(await graph.getState(config, query)));
const deep = { subgraphs: true };

async function history(graph, config, query) {
  const snapshots = [];
  for await (const snapshot of graph.getStateHistory(config, query)) snapshots.push(snapshot);
  return snapshots;
}

const noteHistory = (t, graph, config, query) =>
  t.try("history", async () => (await history(graph, config, query)).map(shown));

/** Several kinds of nodes that hold graphs, all of them asking. */
function many(lib) {
  const own = asking(lib, "t", { checkpointer: true, name: "own" });
  const inner = asking(lib, "d", { name: "inner" });
  const middle = new lib.StateGraph(logState(lib))
    .addNode("deep", inner)
    .addEdge(lib.START, "deep")
    .compile({ name: "middle" });
  const call = (state) => middle.invoke(state);
  const builder = new lib.StateGraph(logState(lib))
    .addNode("m", middle)
    .addNode("t", own)
    .addNode("told", call, { subgraphs: [middle] })
    .addNode("untold", call)
    .addNode("plain", () => ({ log: ["plain"] }))
    .addNode("two", call, { subgraphs: [middle, inner] });
  for (const name of ["m", "t", "told", "untold", "plain", "two"]) builder.addEdge(lib.START, name);
  return builder.compile({ checkpointer: new lib.MemorySaver() });
}

fact("12.4", "getSubgraphs: by name, by namespace, to the bottom", async (lib, t) => {
  const graph = many(lib);
  const asked = [
    [],
    [undefined, true],
    ["m"],
    ["m", true],
    ["m|deep", true],
    ["m|deep"],
    ["told"],
    ["nope"],
    ["plain"],
    ["two", true],
  ];
  for (const [namespace, recurse] of asked) {
    t.note(
      `${namespace} ${recurse}`,
      [...graph.getSubgraphs(namespace, recurse)].map(([name, found]) => [name, found.getName()]),
    );
  }
  for await (const [name] of graph.getSubgraphsAsync(undefined, true)) t.note("async", name);
});

fact(
  "12.2, 12.3, 12.4",
  "states of graphs inside: by task, by namespace, by checkpoint",
  async (lib, t) => {
    const graph = many(lib);
    await graph.invoke({ log: ["in"] }, thread("t"));
    await noteState(t, graph, thread("t"));
    await noteState(t, graph, thread("t"), deep);
    const { tasks } = await graph.getState(thread("t"), deep);
    for (const { state } of (await graph.getState(thread("t"))).tasks) {
      if (state === undefined) continue;
      await noteState(t, graph, state);
      await noteState(t, graph, state, deep);
    }
    const untold = `untold:${tasks.find(({ name }) => name === "untold").id}`;
    for (const checkpoint_ns of ["t", "t:", "nope:1", untold])
      await noteState(t, graph, thread("t", { configurable: { checkpoint_ns } }));
    const middle = tasks.find(({ name }) => name === "m").state;
    const inner = middle.tasks[0].state;
    const { checkpoint_ns } = inner.config.configurable;
    for (const config of [
      middle.config,
      inner.config,
      thread("t", { configurable: { checkpoint_ns } }),
    ]) {
      await noteState(t, graph, config, deep);
      await noteHistory(t, graph, config);
      await noteHistory(t, graph, config, { limit: 1 });
    }
    await noteHistory(t, graph, thread("t"));
  },
);

fact(
  "12.7, 12.4",
  "updateState of graphs inside, and what a resume makes of it",
  async (lib, t) => {
    for (const asNode of ["d", undefined]) {
      for (const resume of ["R", undefined]) {
        const graph = around(lib, asking(lib, "d"));
        await t.stream(graph, { log: ["in"] }, thread("t", all));
        const { state } = (await graph.getState(thread("t"))).tasks[0];
        t.note("updated", await graph.updateState(state, { log: ["edit"] }, asNode));
        await noteState(t, graph, thread("t"), deep);
        await t.stream(
          graph,
          resume === undefined ? null : new lib.Command({ resume }),
          thread("t", all),
        );
        await noteState(t, graph, thread("t"), deep);
      }
    }
    const graph = many(lib);
    await graph.invoke({ log: ["in"] }, thread("t"));
    const { tasks } = await graph.getState(thread("t"), deep);
    await t.update(graph, tasks[0].state.config, { log: ["by checkpoint"] }, "deep");
    await t.update(graph, thread("t", { configurable: { checkpoint_ns: `t:${tasks[1].id}` } }), {
      log: ["nowhere"],
    });
    await t.update(graph, thread("t", { configurable: { checkpoint_ns: "nope:1" } }), {
      log: ["x"],
    });
    await noteState(t, graph, thread("t"), deep);
  },
);

for (const checkpointer of [undefined, true]) {
  const kind = checkpointer ? "with a state of its own" : "without a state of its own";
  fact("12.6", `time travel of the outer graph; the inner one is ${kind}`, async (lib, t) => {
    const graph = around(lib, asking(lib, "d", { checkpointer }));
    await t.stream(graph, { log: ["in"] }, thread("t", all));
    await t.stream(graph, new lib.Command({ resume: "R" }), thread("t", all));
    for (const { config } of await history(graph, thread("t"))) {
      await t.stream(graph, null, { ...config, ...all });
      await noteState(t, graph, thread("t"), deep);
      await t.stream(graph, new lib.Command({ resume: "R2" }), thread("t", all));
      await noteState(t, graph, thread("t"), deep);
    }
  });

  fact(
    "12.6, 12.3",
    `time travel to a checkpoint of the inner graph; it is ${kind}`,
    async (lib, t) => {
      const graph = around(lib, asking(lib, "d", { checkpointer }));
      await t.stream(graph, { log: ["in"] }, thread("t", all));
      const { id } = (await graph.getState(thread("t"))).tasks[0];
      await t.stream(graph, new lib.Command({ resume: "R" }), thread("t", all));
      for (const checkpoint_ns of [`c:${id}`, "c"]) {
        for (const { config } of await history(
          graph,
          thread("t", { configurable: { checkpoint_ns } }),
        )) {
          await t.stream(graph, null, { ...config, ...all });
          await noteState(t, graph, thread("t"), deep);
          await t.stream(graph, new lib.Command({ resume: "R2" }), thread("t", all));
          await noteState(t, graph, thread("t"), deep);
        }
      }
    },
  );
}
