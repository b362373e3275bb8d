// SPDX-License-Identifier: MIT
// In which order tasks of one step are shown: LangGraph.js's own, turn by turn of the microtask queue.
import { fact, logState, thread } from "./harness.mjs";

const wait = async (turns) => {
  for (let i = 0; i < turns; i++) await null;
};

// What a node of each name does beside its neighbours.
const KINDS = {
  plain: () => ({ log: ["plain"] }),
  nothing: () => null,
  async: async () => ({ log: ["async"] }),
  update: (lib) => new lib.Command({ update: { log: ["update"] } }),
  goes: (lib) => new lib.Command({ goto: "z" }),
  asyncGoes: async (lib) => new lib.Command({ goto: "z" }),
  ends: (lib) => new lib.Command({ goto: lib.END }),
  sends: (lib) => new lib.Command({ goto: new lib.Send("z", {}) }),
  list: (lib) => [{ log: ["list"] }, new lib.Command({ goto: "z" })],
  asks: (lib) => lib.interrupt("asks"),
  asyncAsks: async (lib) => lib.interrupt("asyncAsks"),
};

/** A graph whose second step runs these nodes, by name: what they do, and their edges ("e" "f": edges, "j": a join, "b": a condition, "n": one that goes nowhere, "x": an edge to END). */
function sideBySide(lib, nodes) {
  const builder = new lib.StateGraph(logState(lib)).addNode("s", () => ({}), { ends: ["z", "y"] }).addEdge(lib.START, "s");
  for (const name of ["z", "y"]) builder.addNode(name, () => ({}));
  for (const [name, [act, edges = ""]] of Object.entries(nodes)) {
    builder.addNode(name, () => act(lib), { ends: ["z", lib.END] }).addEdge("s", name);
    for (const edge of edges) {
      if (edge === "b" || edge === "n") builder.addConditionalEdges(name, () => (edge === "b" ? "z" : []), ["z"]);
      else builder.addEdge(edge === "j" ? [name, "y"] : name, edge === "f" ? "y" : edge === "x" ? lib.END : "z");
    }
  }
  return builder.compile({ checkpointer: new lib.MemorySaver() });
}

async function show(lib, t, nodes) {
  const graph = sideBySide(lib, nodes);
  await t.stream(graph, { log: [] }, thread("t", { streamMode: "updates" }));
}

fact("18.2", "every two kinds of nodes, side by side", async (lib, t) => {
  for (const first of Object.values(KINDS)) {
    for (const second of Object.values(KINDS)) await show(lib, t, { a: [first], b: [second] });
  }
});

const late = (turns) => async () => (await wait(turns), { log: ["late"] });

// Ways to give a result: promises, and objects and functions that are none and have a `then`.
const thenable = (settle) => (value) => ({ then: (done) => settle(done, value) });
const GIVEN = {
  plain: (value) => value,
  promise: async (value) => value,
  late: async (value) => (await null, value),
  subclass: (value) => new (class extends Promise {})((done) => done(value)),
  at_once: thenable((done, value) => done(value)),
  soon: thenable((done, value) => queueMicrotask(() => done(value))),
  of_promise: thenable((done, value) => done(Promise.resolve(value))),
  of_thenable: async (value) => GIVEN.at_once(value),
  callable: (value) => Object.assign(() => {}, GIVEN.at_once(value)),
};

fact("18.2", "every two ways to give a result, side by side", async (lib, t) => {
  for (const first of Object.values(GIVEN)) {
    for (const second of Object.values(GIVEN)) await show(lib, t, { a: [() => first({ log: ["a"] })], b: [() => second({ log: ["b"] }), "e"] });
  }
});

fact("18.2", "edges, joins and conditions take their turns", async (lib, t) => {
  for (const [edges, turns] of Object.entries({ "": 0, x: 0, e: 9, ef: 9, j: 9, ej: 9, b: 24, n: 23, xb: 24, eb: 35, efb: 46, jb: 35, ejb: 46, en: 34 })) {
    for (const more of [-2, 2]) {
      const other = [late(Math.max(0, turns + more))];
      await show(lib, t, { a: [KINDS.plain, edges], b: other });
      await show(lib, t, { a: other, b: [KINDS.plain, edges] });
    }
  }
});

fact("18.2", "many that end together, and one that comes between", async (lib, t) => {
  const several = (count, act) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`b${i}`, [act]]));
  for (const turns of [0, 1, 3, 4, 5, 8]) await show(lib, t, { a: [late(turns)], ...several(6, KINDS.plain) });
  for (const count of [2, 6, 9]) await show(lib, t, { a: [KINDS.plain], ...several(count, KINDS.asks) });
  await show(lib, t, { a: [KINDS.goes, "b"], c: [KINDS.plain, "n"], ...several(4, KINDS.goes) });
});

fact("18.2", "an attempt with a timeout takes three turns more", async (lib, t) => {
  const returns = (name, turns) => (turns === 0 ? () => ({ log: [name] }) : async () => (await wait(turns - 1), { log: [name] }));
  for (const isFirst of [true, false]) for (const isSecond of [true, false]) for (const turns of [0, 1, 7, 8, 10, 11, 13, 14]) {
    const options = (isTimed) => (isTimed ? { timeout: 10_000 } : {});
    const graph = new lib.StateGraph(logState(lib))
      .addNode("a", returns("a", turns), options(isFirst)).addNode("b", returns("b", 0), options(isSecond)).addNode("z", () => ({}))
      .addEdge(lib.START, "a").addEdge(lib.START, "b").addEdge("b", "z").compile();
    await t.stream(graph, { log: [] }, { streamMode: "updates" });
  }
});

fact("18.2", "a node that failed and is tried again holds nobody up", async (lib, t) => {
  let runs = 0;
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => {
      if (runs++ === 0) throw new Error("once");
    }, { retryPolicy: { initialInterval: 1, jitter: false, logWarning: false } })
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("c", async () => (await null, lib.interrupt("c")))
    .addEdge(lib.START, "a").addEdge(lib.START, "b").addEdge(lib.START, "c")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", { streamMode: ["updates", "tasks"] }));
});

fact("18.2, 11.1", "failures beside one that has a handler are thrown together", async (lib, t) => {
  const act = { A: async () => Promise.reject(new Error("A")), a: () => lib.interrupt("a"), b: () => lib.interrupt("b") };
  for (const order of ["Aab", "aAb", "abA"]) {
    const builder = new lib.StateGraph(logState(lib));
    for (const [at, name] of ["a", "b", "c"].entries()) builder.addNode(name, act[order[at]], order[at] === "A" ? { errorHandler: () => ({ log: ["handled"] }) } : {}).addEdge(lib.START, name);
    await t.stream(builder.compile(), { log: [] }, { streamMode: ["updates", "tasks"] }, { fallible: true });
  }
});

fact("18.2", "a condition that answers a promise takes no longer than one that answers at once", async (lib, t) => {
  const ways = { none: undefined, plain: () => lib.END, late: async () => lib.END };
  for (const [first, second] of [["late", "plain"], ["plain", "late"], ["late", "none"], ["none", "late"], ["late", "late"]]) {
    for (const isLate of [false, true]) {
      const builder = new lib.StateGraph(logState(lib));
      for (const [name, way, act] of [["a", first, () => ({ log: ["a"] })], ["b", second, isLate ? async () => ({ log: ["b"] }) : () => ({ log: ["b"] })]]) {
        builder.addNode(name, act).addEdge(lib.START, name);
        if (ways[way] !== undefined) builder.addConditionalEdges(name, ways[way], [lib.END]);
      }
      await t.stream(builder.compile(), { log: [] }, { streamMode: ["updates", "values"] });
    }
  }
});
