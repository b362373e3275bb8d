// SPDX-License-Identifier: MIT
// Facts 12.7, 12.8 and 17.1: who hears of updates; a graph inside a graph is asked to give way.
import { fact, logState, thread } from "./harness.mjs";

function build(lib) {
  const node = (name) => () => ({ log: [name] });
  return new lib.StateGraph(logState(lib)).addNode("a", node("a")).addNode("b", node("b")).addEdge(lib.START, "a").addEdge("a", "b").compile({ checkpointer: new lib.MemorySaver() });
}

/** Callbacks that note what they hear. */
const listener = (t) => [{
  handleChainStart: (...told) => t.note("start", [told[1], told[5], told[6], told[7]]),
  handleChainEnd: (output) => t.note("end", output),
  handleChainError: (error) => t.note("error", error),
}];

fact("12.7, 12.8", "callbacks hear of updates that run a node's writers", async (lib, t) => {
  const graph = build(lib);
  const heard = (more) => thread("t", { callbacks: listener(t), ...more });
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.update(graph, heard({ metadata: { m: 1 }, tags: ["q"], runName: "mine" }), { log: ["u"] }, "a");
  for (const [values, asNode] of [[{ log: ["u"] }], [null], [{ log: 5 }, "zz"], [{ log: ["in"] }, "__input__"], [null, "__end__"], [null, "__copy__"]]) await t.update(graph, heard(), values, asNode);
  const update = (text, asNode) => ({ values: { log: [text] }, asNode });
  await t.try("bulk", () => graph.bulkUpdateState(heard(), [{ updates: [update("1", "a"), update("2", "b")] }, { updates: [update("3", "a")] }]));
  await t.state(graph, thread("t"));
});

for (const how of ["node", "call"]) {
  for (const where of ["i1", "i2", "o1", "before"]) {
    fact("17.1", `${where} asks to drain, around and inside a graph that is a ${how}`, async (lib, t) => {
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
          nodes.forEach(([name, node], at) => builder.addNode(name, node).addEdge(at === 0 ? lib.START : nodes[at - 1][0], name));
          return builder.compile({ checkpointer });
        };
        const inner = line([["i1", act("i1")], ["i2", act("i2")]], saver);
        const called = async () => ({ log: (await inner.invoke({ log: [] })).log });
        const graph = line([["o1", act("o1")], ["sub", how === "node" ? inner : called], ["o2", act("o2")]], new lib.MemorySaver());
        if (where === "before") control.requestDrain("early");
        for (const input of [{ log: ["in"] }, null, null]) {
          await t.stream(graph, input, thread("t", { streamMode: ["values", "updates", "tasks"], subgraphs: true, control: input === null ? undefined : control }), { sorted: true, fallible: true });
          await t.state(graph, thread("t"), { subgraphs: true });
        }
      }
    });
  }
}
