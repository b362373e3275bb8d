// SPDX-License-Identifier: MIT
// A graph that a node calls with `checkpoint_ns: ""`, as a saved state's config has it: it is the
// root of the thread that is named. Parents are not compared: LangGraph.js notes the checkpoint of
// the graph around it, which is another thread's.
import { thread } from "./harness.mjs";
import { same } from "./surface.mjs";

function stateOf(lib) {
  return lib.Annotation.Root({
    a: lib.Annotation,
    log: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
  });
}

/** Writes, calls a graph of its own, asks. */
function innerOf(lib, checkpointer) {
  const leaf = new lib.StateGraph(stateOf(lib))
    .addNode("l", () => ({ log: "leaf" }))
    .addEdge(lib.START, "l")
    .compile();
  return new lib.StateGraph(stateOf(lib))
    .addNode("p", ({ a }, { configurable }) => ({
      log: `${a} in ${configurable.thread_id} at ${configurable.checkpoint_ns.split(":")[0]}`,
    }))
    .addNode("leaf", leaf)
    .addNode("q", () => ({ log: lib.interrupt("go?") }))
    .addEdge(lib.START, "p")
    .addEdge("p", "leaf")
    .addEdge("leaf", "q")
    .compile({ checkpointer });
}

const PLACES = {
  node: (lib, checkpointer, act) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("n", act)
      .addNode("m", () => ({ log: "m" }))
      .addEdge(lib.START, "n")
      .addEdge("n", "m")
      .compile({ checkpointer }),
  condition: (lib, checkpointer, act) =>
    new lib.StateGraph(stateOf(lib))
      .addNode("n", () => ({ log: "n" }))
      .addEdge(lib.START, "n")
      .addConditionalEdges("n", async (...args) =>
        (await act(...args)) === undefined ? "n" : lib.END,
      )
      .compile({ checkpointer }),
  entrypoint: (lib, checkpointer, act) => lib.entrypoint({ name: "e", checkpointer }, act),
  task: (lib, checkpointer, act) =>
    lib.entrypoint({ name: "e", checkpointer }, (input) => lib.task("k", act)(input)),
};

/** @param {Record<string, any>} snapshot what is compared of it */
function bare({ values, next, tasks, metadata }) {
  return {
    values,
    next,
    tasks: tasks.map(({ name, interrupts }) => ({ name, interrupts })),
    step: metadata?.step,
    source: metadata?.source,
  };
}

async function look(t, graph, ...names) {
  for (const name of names) {
    await t.try(name, async () => bare(await graph.getState(thread(name))));
    await t.try(`history of ${name}`, async () => {
      const found = [];
      for await (const one of graph.getStateHistory(thread(name))) found.push(bare(one));
      return found;
    });
  }
}

for (const place of Object.keys(PLACES)) {
  for (const own of [true, false]) {
    const inner = (lib, checkpointer) => innerOf(lib, own ? checkpointer : undefined);

    same(
      `a saved state goes on inside a ${place}, and takes its answer there, saver ${own}`,
      async (lib, t) => {
        const checkpointer = new lib.MemorySaver();
        const direct = innerOf(lib, checkpointer);
        await t.invoke(direct, { a: 1 }, thread("in"));
        const { config } = await direct.getState(thread("in"));
        const outer = PLACES[place](lib, checkpointer, async () => {
          t.note("inner", await inner(lib, checkpointer).invoke(null, config));
          return { log: "n" };
        });
        await t.invoke(outer, { a: 0 }, thread("out"));
        await look(t, direct, "in");
        await t.invoke(outer, new lib.Command({ resume: "yes" }), thread("out"));
        await look(t, direct, "in", "out");
        await t.invoke(direct, { a: 3 }, thread("in"));
        await look(t, direct, "in");
      },
    );

    same(`a new thread begins inside a ${place}, saver ${own}`, async (lib, t) => {
      const checkpointer = new lib.MemorySaver();
      const outer = PLACES[place](lib, checkpointer, async () => {
        await t.invoke(
          inner(lib, checkpointer),
          { a: 2 },
          { configurable: { thread_id: "new", checkpoint_ns: "" } },
        );
        return { log: "n" };
      });
      await t.invoke(outer, { a: 0 }, thread("out"));
      const direct = innerOf(lib, checkpointer);
      await look(t, direct, "new");
      await t.invoke(direct, new lib.Command({ resume: "yes" }), thread("new"));
      await look(t, direct, "new");
    });
  }

  // One call each: the second one of a task has a namespace of its own in LangGraph.js.
  for (const streams of [false, true])
    same(
      `a saved state is answered, read and edited inside a ${place}, streams ${streams}`,
      async (lib, t) => {
        const checkpointer = new lib.MemorySaver();
        const inner = innerOf(lib, checkpointer);
        const outer = PLACES[place](lib, checkpointer, async () => {
          const { config } = await inner.getState(thread("in"));
          t.note("state", bare(await inner.getState(config)));
          const edited = await inner.updateState(config, { log: "edit" });
          const answer = new lib.Command({ resume: "yes" });
          await (streams
            ? t.stream(inner, answer, { ...config, streamMode: ["updates", "values"] })
            : t.invoke(inner, answer, edited));
          return { log: "n" };
        });
        await t.invoke(inner, { a: 1 }, thread("in"));
        await t.invoke(outer, { a: 0 }, thread("out"));
        await look(t, inner, "in", "out");
      },
    );
}

for (const config of [{ durability: "exit" }, { durability: "sync" }, { recursionLimit: 3 }]) {
  same(`threads of two nodes side by side, ${JSON.stringify(config)}`, async (lib, t) => {
    const checkpointer = new lib.MemorySaver();
    const inner = new lib.StateGraph(stateOf(lib))
      .addNode("p", ({ a }) => ({ log: `p${a}` }))
      .addEdge(lib.START, "p")
      .compile({ checkpointer });
    const calling =
      (thread_id) =>
      async ({ a }) => ({
        log: (await inner.invoke({ a }, { configurable: { thread_id, checkpoint_ns: "" } })).log,
      });
    const outer = new lib.StateGraph(stateOf(lib))
      .addNode("n", calling("one"))
      .addNode("m", calling("two"))
      .addEdge(lib.START, "n")
      .addEdge(lib.START, "m")
      .compile({ checkpointer });
    await t.invoke(outer, { a: 0 }, thread("out", config));
    await look(t, inner, "one", "two", "out");
  });
}
