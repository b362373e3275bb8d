// SPDX-License-Identifier: MIT
// What getStateHistory lists: of one thread, of all, how many, which. And who speaks in updates of a thread.
import { drain, same } from "./surface.mjs";

const step = ({ a = 0 }) => ({ a: a + 1 });
const of = (id) => ({ configurable: { thread_id: id } });
const shown = ({ metadata, values, next, config, parentConfig }) => [metadata.step, metadata.source, metadata.thread_id, values, next, config, parentConfig];
const build = (lib) => new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation })).addNode("n", step).addNode("m", step).addEdge("__start__", "n").addEdge("n", "m");

async function twoThreads(lib) {
  const graph = build(lib).compile({ checkpointer: new lib.MemorySaver() });
  await graph.invoke({ a: 1 }, of("1"));
  await graph.invoke({ a: 5 }, of("2"));
  return graph;
}

same("all threads are listed when none is named", async (lib, t) => {
  const graph = await twoThreads(lib);
  const list = (label, config, query) => t.try(label, async () => (await drain(graph.getStateHistory(config, query))).map(shown));
  for (const config of [{}, { configurable: {} }, { configurable: { checkpoint_ns: "" } }]) await list("all", config);
  for (const limit of [-1, 0, 1, 5]) await list(`at most ${limit}`, {}, { limit });
  await list("some", {}, { filter: { source: "input" } });
  await list("before", {}, { before: (await graph.getState(of("1"))).config });
  await t.try("state of none", () => graph.getState({}));
});

same("all threads are listed, without the graphs inside", async (lib, t) => {
  const inner = build(lib).compile();
  const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation })).addNode("s", inner).addEdge("__start__", "s").compile({ checkpointer: new lib.MemorySaver() });
  for (const id of ["1", "2"]) await graph.invoke({ a: 1 }, of(id));
  await t.try("all", async () => (await drain(graph.getStateHistory({}))).map(shown));
});

same("limits and filters of any kind", async (lib, t) => {
  const graph = await twoThreads(lib);
  const list = (label, query) => t.try(label, async () => (await drain(graph.getStateHistory(of("1"), query))).map(shown));
  for (const limit of [-1, 0, 1, 2, undefined, null, 1.5, "2", Number.NaN]) await list(`limit ${limit}`, { limit });
  for (const filter of [{ source: "loop" }, { step: 1 }, { none: 1 }, {}, null, { thread_id: "1" }]) await list(`filter ${JSON.stringify(filter)}`, { filter });
  await list("both", { filter: { source: "loop" }, limit: 1 });
});

same("who speaks in an update", async (lib, t) => {
  for (const asNode of [null, undefined, "", "zz", "__start__", "__end__", "n"]) {
    const graph = await twoThreads(lib);
    await t.update(graph, of("1"), { a: 5 }, asNode);
    await t.update(graph, of("1"), null, asNode);
    await t.try("several", () => graph.bulkUpdateState(of("1"), [{ updates: [{ values: { a: 1 }, asNode }, { values: { a: 1 }, asNode }] }]));
    await t.try("state", async () => shown(await graph.getState(of("1"))));
  }
});

same("a task of a snapshot has its keys, whatever became of it", async (lib, t) => {
  const acts = { asks: () => lib.interrupt("q"), fails: () => Promise.reject(new Error("no")), writes: () => ({ a: 1 }), idle: () => ({}) };
  for (const [name, act] of Object.entries(acts)) {
    const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
      .addNode("n", act).addNode("q", () => lib.interrupt("beside")).addEdge("__start__", "n").addEdge("__start__", "q").compile({ checkpointer: new lib.MemorySaver() });
    await t.try("run", () => graph.invoke({ a: 0 }, of(name)));
    for (const snapshot of await drain(graph.getStateHistory(of(name)))) t.note(name, snapshot.tasks.map((task) => [task.name, Object.keys(task)]));
    const stream = await graph.stream({ a: 0 }, { ...of(`${name} again`), streamMode: ["checkpoints"] });
    await t.try("chunks", async () => (await drain(stream)).map(([, { tasks }]) => tasks.map((task) => Object.keys(task))));
  }
});
