// SPDX-License-Identifier: MIT
// Facts 7.6, 12.1, 12.2, 12.5: graphs inside nodes: where they save, what they ask, what they tell
// their parents.
import { setTimeout } from "node:timers/promises";
import { fact, logState, thread } from "./harness.mjs";

const all = { streamMode: ["values", "updates"], subgraphs: true };

/** A chain of nodes: [name, what it is]. */
function chain(lib, nodes, options) {
  const builder = new lib.StateGraph(logState(lib));
  let last = lib.START;
  for (const [name, node] of nodes) {
    builder.addNode(name, node).addEdge(last, name);
    last = name;
  }
  return builder.compile(options);
}

const logs = (name) => [name, () => ({ log: [name] })];

/** A graph of one node that asks `count` questions. */
function asking(lib, name, count = 1) {
  const ask = () => {
    const answers = Array.from({ length: count }, (_, i) => lib.interrupt(`${name}${i}?`));
    return { log: [`${name}: ${answers}`] };
  };
  return chain(lib, [[name, ask]]);
}

fact("12.1, 12.2, 7.6", "questions three levels deep, answered in turn", async (lib, t) => {
  const child = chain(lib, [logs("c1"), ["grand", asking(lib, "g", 2)], logs("c2")]);
  const root = chain(lib, [logs("a"), ["child", child], logs("b")], {
    checkpointer: new lib.MemorySaver(),
  });
  for (const more of [
    all,
    { streamMode: ["values", "updates"] },
    { ...all, durability: "exit" },
    { ...all, durability: "sync" },
  ]) {
    const at = thread(JSON.stringify(more), more);
    await t.stream(root, { log: ["in"] }, at);
    await t.stream(root, new lib.Command({ resume: "A" }), at);
    await t.stream(root, new lib.Command({ resume: "B" }), at);
    await t.stream(root, { log: ["again"] }, at);
  }
});

fact("12.2, 7.6", "several graphs called in one node", async (lib, t) => {
  const [a, b] = [asking(lib, "a"), asking(lib, "b")];
  const both = async () => {
    const [first, second] = [await a.invoke({ log: [] }), await b.invoke({ log: [] })];
    return { log: [...first.log, ...second.log, lib.interrupt("own?")] };
  };
  const graph = chain(lib, [["n", both]], { checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: ["in"] }, thread("t", all));
  for (const resume of ["r1", "r2", "r3"])
    await t.stream(graph, new lib.Command({ resume }), thread("t", all));
});

fact("12.1, 12.2", "savers: the parent's, none, and a state of its own", async (lib, t) => {
  const [own, none, usual] = [true, false, undefined].map((checkpointer) =>
    chain(lib, [logs("p")], { checkpointer }),
  );
  const counts = async () => {
    const lengths = [];
    for (const graph of [none, usual, own, own])
      lengths.push((await graph.invoke({ log: ["i"] })).log.length);
    return { log: lengths };
  };
  const calls = chain(lib, [["n", counts]], { checkpointer: new lib.MemorySaver() });
  const nodes = chain(
    lib,
    [
      ["own", own],
      ["none", none],
      ["usual", usual],
    ],
    { checkpointer: new lib.MemorySaver() },
  );
  for (const graph of [calls, nodes]) {
    await t.stream(graph, { log: ["in"] }, thread("t", all));
    await t.stream(graph, { log: ["in"] }, thread("t", all));
  }
  await t.try("own at root", () => own.invoke({ log: [] }, thread("t")));
  const unsaved = chain(lib, [["own", own]]);
  await t.try("own without a saver", () => unsaved.invoke({ log: [] }, thread("t")));
});

fact("12.1", "breakpoints inside, and those of a call", async (lib, t) => {
  for (const options of [
    { interruptBefore: ["q"] },
    { interruptAfter: ["p"] },
    { interruptBefore: "*" },
  ]) {
    const inner = chain(lib, [logs("p"), logs("q")], options);
    const graph = chain(lib, [["c", chain(lib, [["inner", inner]])], logs("d")], {
      checkpointer: new lib.MemorySaver(),
    });
    await t.invoke(graph, { log: ["in"] }, thread("i"));
    await t.stream(graph, { log: ["in"] }, thread("t", all));
    await t.stream(graph, null, thread("t", all));
    await t.stream(graph, null, thread("t", all));
  }
  const graph = chain(lib, [["c", chain(lib, [logs("q")])], logs("d")], {
    checkpointer: new lib.MemorySaver(),
  });
  await t.stream(graph, { log: ["in"] }, thread("a", { ...all, interruptBefore: ["q"] }));
  await t.stream(graph, { log: ["in"] }, thread("b", { ...all, interruptBefore: "*" }));
});

fact("12.5", "Commands for the parent, two levels up", async (lib, t) => {
  const up = (update, goto) => () =>
    new lib.Command({ update: { log: [update] }, goto, graph: lib.Command.PARENT });
  const grand = chain(lib, [["g", up("from g", "next")]]);
  const slow = async () => {
    await setTimeout(5);
    return { log: ["slow"] };
  };
  const child = new lib.StateGraph(logState(lib))
    .addNode("grand", grand, { ends: ["next"] })
    .addNode("slow", slow)
    .addNode("next", up("from next", ["y"]))
    .addEdge(lib.START, "grand")
    .addEdge(lib.START, "slow")
    .compile();
  for (const checkpointer of [new lib.MemorySaver(), undefined]) {
    const graph = new lib.StateGraph(logState(lib))
      .addNode("c", child, { ends: ["y"] })
      .addNode(...logs("y"))
      .addEdge(lib.START, "c");
    await t.stream(graph.compile({ checkpointer }), { log: ["in"] }, thread("t", all));
  }
  await t.invoke(child, { log: ["in"] });
});

fact("12.1, 12.2", "Sends to a graph: each its own question", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("c", asking(lib, "c"))
    .addConditionalEdges(lib.START, () =>
      ["s1", "s2"].map((log) => new lib.Send("c", { log: [log] })),
    )
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: ["in"] }, thread("t", all));
  const { tasks } = await graph.getState(thread("t"));
  await t.stream(
    graph,
    new lib.Command({ resume: { [tasks[1].interrupts[0].id]: "two" } }),
    thread("t", all),
  );
  await t.stream(graph, new lib.Command({ resume: "one" }), thread("t", all));
  await t.stream(graph, { log: ["in"] }, thread("u", all));
  await t.stream(graph, new lib.Command({ resume: "both" }), thread("u", all));
});
