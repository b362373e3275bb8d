// SPDX-License-Identifier: MIT
// What getStateHistory lists: of one thread, of all, how many, which. And who speaks in updates of
// a thread.
import { drain, same } from "./surface.mjs";

const step = ({ a = 0 }) => ({ a: a + 1 });
const of = (id) => ({ configurable: { thread_id: id } });
const shown = ({ metadata, values, next, config, parentConfig }) => [
  metadata.step,
  metadata.source,
  metadata.thread_id,
  values,
  next,
  config,
  parentConfig,
];
const build = (lib) =>
  new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode("n", step)
    .addNode("m", step)
    .addEdge("__start__", "n")
    .addEdge("n", "m");

async function twoThreads(lib) {
  const graph = build(lib).compile({ checkpointer: new lib.MemorySaver() });
  await graph.invoke({ a: 1 }, of("1"));
  await graph.invoke({ a: 5 }, of("2"));
  return graph;
}

same("all threads are listed when none is named", async (lib, t) => {
  const graph = await twoThreads(lib);
  const list = (label, config, query) =>
    t.try(label, async () => (await drain(graph.getStateHistory(config, query))).map(shown));
  for (const config of [{}, { configurable: {} }, { configurable: { checkpoint_ns: "" } }])
    await list("all", config);
  for (const limit of [-1, 0, 1, 5]) await list(`at most ${limit}`, {}, { limit });
  await list("some", {}, { filter: { source: "input" } });
  await list("before", {}, { before: (await graph.getState(of("1"))).config });
  await t.try("state of none", () => graph.getState({}));
});

same("all threads are listed, without the graphs inside", async (lib, t) => {
  const inner = build(lib).compile();
  const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode("s", inner)
    .addEdge("__start__", "s")
    .compile({ checkpointer: new lib.MemorySaver() });
  for (const id of ["1", "2"]) await graph.invoke({ a: 1 }, of(id));
  await t.try("all", async () => (await drain(graph.getStateHistory({}))).map(shown));
});

same("limits and filters of any kind", async (lib, t) => {
  const graph = await twoThreads(lib);
  const list = (label, query) =>
    t.try(label, async () => (await drain(graph.getStateHistory(of("1"), query))).map(shown));
  for (const limit of [-1, 0, 1, 2, undefined, null, 1.5, "2", Number.NaN])
    await list(`limit ${limit}`, { limit });
  for (const filter of [{ source: "loop" }, { step: 1 }, { none: 1 }, {}, null, { thread_id: "1" }])
    await list(`filter ${JSON.stringify(filter)}`, { filter });
  await list("both", { filter: { source: "loop" }, limit: 1 });
});

same("who speaks in an update", async (lib, t) => {
  for (const asNode of [null, undefined, "", "zz", "__start__", "__end__", "n"]) {
    const graph = await twoThreads(lib);
    await t.update(graph, of("1"), { a: 5 }, asNode);
    await t.update(graph, of("1"), null, asNode);
    await t.try("several", () =>
      graph.bulkUpdateState(of("1"), [
        {
          updates: [
            { values: { a: 1 }, asNode },
            { values: { a: 1 }, asNode },
          ],
        },
      ]),
    );
    await t.try("state", async () => shown(await graph.getState(of("1"))));
  }
});

same("a task of a snapshot has its keys, whatever became of it", async (lib, t) => {
  const acts = {
    asks: () => lib.interrupt("q"),
    fails: () => Promise.reject(new Error("no")),
    writes: () => ({ a: 1 }),
    idle: () => ({}),
  };
  for (const [name, act] of Object.entries(acts)) {
    const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
      .addNode("n", act)
      .addNode("q", () => lib.interrupt("beside"))
      .addEdge("__start__", "n")
      .addEdge("__start__", "q")
      .compile({ checkpointer: new lib.MemorySaver() });
    await t.try("run", () => graph.invoke({ a: 0 }, of(name)));
    for (const snapshot of await drain(graph.getStateHistory(of(name))))
      t.note(
        name,
        snapshot.tasks.map((task) => [task.name, Object.keys(task)]),
      );
    const stream = await graph.stream(
      { a: 0 },
      { ...of(`${name} again`), streamMode: ["checkpoints"] },
    );
    await t.try("chunks", async () =>
      (await drain(stream)).map(([, { tasks }]) => tasks.map((task) => Object.keys(task))),
    );
  }
});

const commands = {
  goto: { goto: "b" },
  both: { goto: "b", update: { log: ["u"] } },
  Send: { goto: ["S"] },
  answered: { resume: 1, goto: ["b", "S"] },
};

/** Which of its nodes stops the thread before a Command comes, and how. */
function waiting(lib, how) {
  const log = lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
  const first = () => {
    if (how === "asks") lib.interrupt("q");
    if (how === "fails") throw new Error("no");
    return { log: ["a"] };
  };
  const builder = new lib.StateGraph(lib.Annotation.Root({ log }))
    .addNode("a", first)
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge("__start__", "a")
    .addEdge("a", "b");
  return builder.compile({
    checkpointer: new lib.MemorySaver(),
    interruptBefore: how === "stops" ? ["a"] : [],
  });
}

for (const how of ["asks", "fails", "stops", "ends"]) {
  same(
    `what a Command's goto leads to comes next only where its branch ran before, or by a Send: the thread ${how}`,
    async (lib, t) => {
      for (const [name, { goto, ...command }] of Object.entries(commands)) {
        const graph = waiting(lib, how);
        await t.try("input", () => graph.invoke({ log: [] }, of("1")));
        const to = [goto]
          .flat()
          .map((node) => (node === "S" ? new lib.Send("b", { log: [] }) : node));
        await t.try(name, () => graph.invoke(new lib.Command({ ...command, goto: to }), of("1")));
        const list = (await drain(graph.getStateHistory(of("1")))).map(
          ({ values, next, tasks }) => [values, next, tasks.map(({ path }) => path)],
        );
        t.note("history", list);
      }
    },
  );
}

same("a fork is made with the goto of the Command that made it", async (lib, t) => {
  const graph = waiting(lib, "ends");
  await graph.invoke({ log: [] }, of("1"));
  const { config } = (await drain(graph.getStateHistory(of("1")))).find(
    ({ next }) => next[0] === "a",
  );
  await graph.invoke(new lib.Command({ goto: "b" }), config);
  t.note(
    "history",
    (await drain(graph.getStateHistory(of("1")))).map(({ metadata, next }) => [
      metadata.source,
      next,
    ]),
  );
});
