// SPDX-License-Identifier: MIT
// Facts 11.1 to 11.3, 12.6 to 12.9, 13.1, 13.3: failures and what goes on after them, updateState,
// history, time travel, durability.
import { setTimeout } from "node:timers/promises";
import { fact, logState, thread } from "./harness.mjs";

const both = { streamMode: ["updates", "values"] };

function chain(lib, names, options) {
  const builder = new lib.StateGraph(logState(lib, { extra: lib.Annotation }));
  let last = lib.START;
  for (const name of names) {
    builder.addNode(name, () => ({ log: [name] })).addEdge(last, name);
    last = name;
  }
  return builder.compile({ checkpointer: new lib.MemorySaver(), ...options });
}

/** Nodes side by side, then "end"; those in `bad` throw as long as they are in it. */
function fragile(lib, t, bad, names = ["a", "b", "c"]) {
  const builder = new lib.StateGraph(logState(lib)).addNode("end", () => ({ log: ["end"] }));
  for (const name of names) {
    builder
      .addNode(name, async () => {
        t.note("runs", name);
        if (bad.has(name)) {
          await setTimeout(5);
          throw new TypeError(`${name} failed`);
        }
        return { log: [name] };
      })
      .addEdge(lib.START, name)
      .addEdge(name, "end");
  }
  return builder.compile({ checkpointer: new lib.MemorySaver() });
}

/** The configs of a thread's checkpoints, the newest first. */
async function configs(graph, at) {
  const found = [];
  for await (const snapshot of graph.getStateHistory(at)) found.push(snapshot.config);
  return found;
}

fact("11.1, 11.2", "one task fails, the others are kept and are not run again", async (lib, t) => {
  const bad = new Set(["b"]);
  const graph = fragile(lib, t, bad);
  await t.stream(graph, { log: [] }, thread("t", both));
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", both));
  bad.clear();
  await t.stream(graph, null, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("11.1", "a failure in a chain, and in the first step", async (lib, t) => {
  for (const failing of ["a", "b"]) {
    let left = 1;
    const builder = new lib.StateGraph(logState(lib));
    let last = lib.START;
    for (const name of ["a", "b", "c"]) {
      builder
        .addNode(name, () => {
          if (name === failing && left-- > 0) throw new RangeError("once");
          return { log: [name] };
        })
        .addEdge(last, name);
      last = name;
    }
    const graph = builder.compile({ checkpointer: new lib.MemorySaver() });
    await t.stream(graph, { log: ["in"] }, thread("t", both));
    await t.state(graph, thread("t"));
    await t.stream(graph, null, thread("t", both));
    await t.history(graph, thread("t"));
  }
});

fact("11.1", "what is thrown comes out: with its fields, its cause", async (lib, t) => {
  class Custom extends Error {
    constructor() {
      super("mine", { cause: "deep" });
      this.code = 7;
    }
  }
  for (const thrown of [new Custom(), new TypeError("typed"), { plain: true }]) {
    const builder = new lib.StateGraph(logState(lib))
      .addNode("a", () => {
        throw thrown;
      })
      .addEdge(lib.START, "a");
    const graph = builder.compile({ checkpointer: new lib.MemorySaver() });
    const caught = await graph.invoke({ log: [] }, thread("t")).then(
      () => "nothing",
      (error) => error,
    );
    delete caught.pregelTaskId;
    t.note("caught", [typeof caught, caught, caught === thrown, caught.code, caught.cause]);
  }
});

fact("11.2", "an explicit checkpoint_id runs done tasks again", async (lib, t) => {
  const bad = new Set(["b"]);
  const graph = fragile(lib, t, bad);
  await t.invoke(graph, { log: [] }, thread("t"));
  const failed = (await graph.getState(thread("t"))).config;
  bad.clear();
  await t.stream(graph, null, { ...failed, ...both });
  await t.history(graph, thread("t"));
});

fact("11.2, 7.5", "new input after a failure", async (lib, t) => {
  const bad = new Set(["b"]);
  const graph = fragile(lib, t, bad);
  await t.invoke(graph, { log: ["1"] }, thread("t"));
  bad.clear();
  await t.stream(graph, { log: ["2"] }, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("11.3", "getState shows what finished tasks wrote, history does not", async (lib, t) => {
  const graph = fragile(lib, t, new Set(["b"]));
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.state(graph, thread("t"));
  await t.state(graph, (await graph.getState(thread("t"))).config);
  await t.history(graph, thread("t"));
});

fact("12.6", "time travel with nothing: a fork of each checkpoint", async (lib, t) => {
  const graph = chain(lib, ["a", "b", "c"]);
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  for (const config of await configs(graph, thread("t"))) {
    await t.stream(graph, null, { ...config, ...both });
    await t.state(graph, thread("t"));
  }
  await t.history(graph, thread("t"));
});

fact("12.6", "time travel with input, with a Command, and to nowhere", async (lib, t) => {
  const graph = chain(lib, ["a", "b", "c"]);
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  const [, , second] = await configs(graph, thread("t"));
  await t.stream(graph, { log: ["again"] }, { ...second, ...both });
  await t.stream(
    graph,
    new lib.Command({ update: { log: ["u"] }, goto: "c" }),
    { ...second, ...both },
    { sorted: true },
  );
  await t.history(graph, thread("t"), undefined, { edited: true });
  const nowhere = thread("t", {
    configurable: { checkpoint_id: "1ef00000-0000-6000-8000-000000000000" },
  });
  await t.state(graph, nowhere);
});

fact("12.6, 10.1", "time travel through a breakpoint", async (lib, t) => {
  const graph = chain(lib, ["a", "b", "c"], { interruptBefore: ["b"] });
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.invoke(graph, null, thread("t"));
  for (const config of (await configs(graph, thread("t"))).slice(1)) {
    await t.stream(graph, null, { ...config, ...both });
    await t.stream(graph, null, thread("t", both));
  }
  await t.history(graph, thread("t"));
});

fact(
  "12.7",
  "updateState: as the last node, as a named one, on a thread of nobody",
  async (lib, t) => {
    const graph = chain(lib, ["a", "b"], { interruptBefore: ["b"] });
    await t.update(graph, thread("fresh"), { log: ["u"] });
    await t.state(graph, thread("fresh"));
    await t.update(graph, thread("named"), { log: ["u"] }, "a");
    await t.stream(graph, null, thread("named", both));
    await t.invoke(graph, { log: ["in"] }, thread("t"));
    await t.update(graph, thread("t"), { log: ["u1"] });
    await t.state(graph, thread("t"));
    await t.update(graph, thread("t"), { log: ["u2"] }, "b");
    await t.state(graph, thread("t"));
    await t.update(graph, thread("t"), { log: ["u3"] }, "a");
    await t.stream(graph, null, thread("t", both));
    await t.history(graph, thread("t"));
  },
);

fact("12.7", "updateState of a graph with one node: as START until it ran", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: [lib.interrupt("q")] }))
    .addEdge(lib.START, "a")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.update(graph, thread("fresh"), { log: ["u"] });
  await t.state(graph, thread("fresh"));
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.update(graph, thread("t"), { log: ["u"] });
  await t.state(graph, thread("t"));
  await t.invoke(graph, null, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: "r" }), thread("t"));
  await t.update(graph, thread("t"), { log: ["v"] });
  await t.state(graph, thread("t"));
});

fact("12.7", "updateState runs the node's edges, branches, gotos", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("c", () => ({ log: ["c"] }))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", (state) => t.note("branch sees", state.log) && state.log.at(-1), [
      "b",
      "c",
      "a",
    ])
    .compile({ checkpointer: new lib.MemorySaver(), interruptBefore: ["b", "c"] });
  await t.invoke(graph, { log: [] }, thread("t", { recursionLimit: 3 }));
  for (const to of ["b", "c"]) {
    await t.update(graph, thread("t"), { log: [to] }, "a");
    await t.state(graph, thread("t"));
  }
  await t.stream(graph, null, thread("t", both));
  await t.update(
    graph,
    thread("t"),
    new lib.Command({ update: { log: ["command"] }, goto: "b" }),
    "c",
  );
  await t.state(graph, thread("t"));
  await t.history(graph, thread("t"));
});

fact("12.7", "updateState: ambiguous, unknown node, bad values", async (lib, t) => {
  const graph = fragile(lib, t, new Set());
  await t.invoke(graph, { log: [] }, thread("t"));
  const step = (await configs(graph, thread("t")))[1];
  await t.update(graph, step, { log: ["u"] });
  await t.update(graph, thread("t"), { log: ["u"] }, "nobody");
  await t.update(graph, thread("t"), "text", "a");
  await t.update(graph, thread("t"), {}, "a");
  await t.update(graph, thread("t"), { nobody: 1 }, "a");
  await t.history(graph, thread("t"));
});

fact("12.7", "updateState of an older checkpoint forks", async (lib, t) => {
  const graph = chain(lib, ["a", "b", "c"]);
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  const all = await configs(graph, thread("t"));
  await t.update(graph, all[2], { log: ["u"] }, "a");
  await t.stream(graph, null, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("12.7, 11.2", "updateState keeps what finished tasks wrote", async (lib, t) => {
  const bad = new Set(["b"]);
  const graph = fragile(lib, t, bad);
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.update(graph, thread("t"), { log: ["by hand"] }, "b");
  bad.clear();
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", both));
  await t.history(graph, thread("t"));
});

fact("12.7, 10.4", "updateState at a question", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: [lib.interrupt("q")] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.update(graph, thread("t"), { log: ["instead"] }, "a");
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", both));
  await t.invoke(graph, { log: [] }, thread("u"));
  await t.update(graph, thread("u"), { log: ["beside"] }, "__start__");
  await t.stream(graph, new lib.Command({ resume: "r" }), thread("u", both));
  await t.history(graph, thread("u"));
});

fact("12.9", "state without a saver", async (lib, t) => {
  const graph = chain(lib, ["a"], { checkpointer: undefined });
  await t.state(graph, thread("t"));
  await t.update(graph, thread("t"), { log: ["u"] });
  await t.history(graph, thread("t"));
});

fact("12.6", "history: limit, before, a filter", async (lib, t) => {
  const graph = chain(lib, ["a", "b", "c"]);
  await t.invoke(graph, { log: ["1"] }, thread("t"));
  await t.invoke(graph, { log: ["2"] }, thread("t"));
  const all = await configs(graph, thread("t"));
  await t.history(graph, thread("t"), { limit: 2 });
  await t.history(graph, thread("t"), { before: all[4] });
  await t.history(graph, thread("t"), { before: all[4], limit: 1 });
  await t.history(graph, thread("t"), { filter: { source: "input" } });
  await t.history(graph, all[3]);
});

for (const durability of ["async", "sync", "exit"]) {
  fact(
    "13.1",
    `durability ${durability}: what is saved of a run, an interrupt, a failure`,
    async (lib, t) => {
      const bad = new Set(["b"]);
      const at = (id) => thread(id, { durability, ...both });
      const plain = chain(lib, ["a", "b"]);
      await t.stream(plain, { log: ["in"] }, at("t"));
      await t.stream(plain, { log: ["in"] }, at("t"));
      await t.history(plain, thread("t"));
      const stops = chain(lib, ["a", "b"], { interruptBefore: ["b"] });
      await t.stream(stops, { log: ["in"] }, at("t"));
      await t.history(stops, thread("t"));
      await t.stream(stops, null, at("t"));
      await t.history(stops, thread("t"));
      const fails = fragile(lib, t, bad);
      await t.stream(fails, { log: ["in"] }, at("t"));
      await t.state(fails, thread("t"));
      bad.clear();
      await t.stream(fails, null, at("t"));
      await t.history(fails, thread("t"));
    },
  );
}

fact("13.1", "durability: a question under exit", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: [lib.interrupt("q")] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", { durability: "exit", ...both }));
  await t.state(graph, thread("t"));
  await t.stream(
    graph,
    new lib.Command({ resume: "r" }),
    thread("t", { durability: "exit", ...both }),
  );
  await t.history(graph, thread("t"));
});

fact("13.3", "what cannot be saved makes the run fail", async (lib, t) => {
  for (const durability of ["async", "sync", "exit"]) {
    const checkpointer = new lib.MemorySaver();
    const graph = chain(lib, ["a", "b"], { checkpointer });
    await t.invoke(graph, { log: ["in"] }, thread("t"));
    const fails = async () => {
      throw new RangeError("disk full");
    };
    if (checkpointer.store === undefined) checkpointer.put = fails;
    else checkpointer.store.append = fails;
    const caught = await graph.invoke({ log: ["again"] }, thread("t", { durability })).then(
      () => "saved",
      (error) => error,
    );
    t.note("caught", /disk full/.test(caught.message));
  }
});

fact("13.3", "a thread_id that is missing or is none", async (lib, t) => {
  const graph = chain(lib, ["a"]);
  await t.invoke(graph, { log: [] });
  await t.invoke(graph, { log: [] }, { configurable: {} });
  t.note("sources", (await configs(graph, thread("t"))).length);
});
