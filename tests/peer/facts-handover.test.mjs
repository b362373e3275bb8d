// SPDX-License-Identifier: MIT
// A thread on LangGraph.js's checkpointer that goes from one package to the other at every move:
// questions, edits, failures, graphs inside, Sends and a drain, with what is shown and kept after
// each.
import { setTimeout } from "node:timers/promises";
import * as langgraph from "@langchain/langgraph";
import * as theirs from "@langchain/langgraph/channels";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import * as ours from "weftgraph/channels";
import { LIBRARIES, chain, fact, logState, thread } from "./harness.mjs";

const resume = (value) => ({ command: { resume: value } });
const edit = (...given) => ({ edit: given });

/**
 * Each makes a graph of one package; `moves` are what is done with it, `inside` names nodes that
 * hold graphs.
 */
const programs = {
  "graphs in graphs": (lib, checkpointer) => {
    const state = logState(lib);
    const grand = chain(
      lib,
      { g1: () => ({ log: ["g1"] }), g2: () => ({ log: [`g2 ${lib.interrupt("g?")}`] }) },
      { state },
    );
    const mid = chain(
      lib,
      { m1: () => ({ log: [`m1 ${lib.interrupt("m?")}`] }), m2: [grand] },
      { state },
    );
    return {
      graph: chain(lib, { a: () => ({ log: ["a"] }), s: [mid] }, { state, checkpointer }),
      inside: ["s", "m2"],
      moves: ["in", resume("one"), resume("two"), "in"],
    };
  },
  "a graph with a state of its own": (lib, checkpointer) => {
    const state = logState(lib);
    const own = chain(
      lib,
      {
        m1: ({ log }) => ({ log: [`m${log.length}`] }),
        m2: () => ({ log: [lib.interrupt("m?")] }),
      },
      { state, checkpointer: true },
    );
    return {
      graph: chain(lib, { s: [own], z: () => ({ log: ["z"] }) }, { state, checkpointer }),
      inside: ["s"],
      moves: ["in", resume(1), "in", resume(2)],
    };
  },
  "edits inside": (lib, checkpointer) => {
    const state = logState(lib, { x: lib.Annotation });
    const inner = chain(
      lib,
      {
        i: () => ({ log: ["i"] }),
        q: () => ({ log: [lib.interrupt("q?")] }),
        r: ({ x }) => ({ log: [`r${x}`] }),
      },
      { state },
    );
    return {
      graph: chain(lib, { s: [inner] }, { state, checkpointer }),
      inside: ["s"],
      moves: [
        "in",
        { within: [{ x: 9 }] },
        resume("R"),
        "in",
        { within: [{ log: ["as q"] }, "q"] },
        null,
      ],
    };
  },
  "edits of every kind": (lib, checkpointer) => {
    const graph = new lib.StateGraph(logState(lib, { x: lib.Annotation }))
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("b", ({ x }) => ({ log: [`b${x}`] }))
      .addNode("c", () => ({ log: ["c"] }))
      .addEdge(lib.START, "a")
      .addConditionalEdges("a", ({ x }) => (x ? ["b", "c"] : "c"), ["b", "c"])
      .compile({ checkpointer, interruptAfter: ["a"] });
    return {
      graph,
      moves: [
        "in",
        edit({ x: 5 }, "a"),
        null,
        edit(null, "__end__"),
        edit(null, "__copy__"),
        edit({ log: ["i"] }, "__input__"),
        null,
      ],
    };
  },
  "Sends to a graph, answered by id": (lib, checkpointer) => {
    const inner = chain(lib, {
      i: ({ x }) => ({ log: [`i${x} ${lib.interrupt(`q${x}`)}`] }),
      j: ({ x }) => ({ log: [`j${x}`] }),
    });
    const graph = new lib.StateGraph(logState(lib))
      .addNode("p", () => ({ log: ["p"] }))
      .addNode("s", inner)
      .addNode("e", () => ({ log: ["e"] }), { defer: true })
      .addEdge(lib.START, "p")
      .addConditionalEdges("p", () => [1, 2].map((x) => new lib.Send("s", { x, log: [] })), ["s"])
      .addEdge("s", "e")
      .compile({ checkpointer });
    return { graph, inside: ["s"], moves: ["in", { byId: "one" }, resume("two")] };
  },
  "a workflow and what it saved": (lib, checkpointer) => {
    const one = lib.task("one", async (x) => x + 1);
    const ask = lib.task("ask", async (question) => `${question} ${lib.interrupt(question)}`);
    const graph = lib.entrypoint({ name: "w", checkpointer }, async (x) => {
      const before = lib.getPreviousState() ?? null;
      const value = await Promise.all([one(x), ask("a"), ask("b")]);
      return lib.entrypoint.final({
        value: { before, value, last: lib.interrupt("own?") },
        save: { x },
      });
    });
    return {
      graph,
      input: 3,
      inside: ["w"],
      moves: ["in", resume("both"), resume("own"), edit({ x: 100 }), "in"],
    };
  },
  Topics: (lib, checkpointer) => {
    const { Topic } = lib === LIBRARIES.langgraph ? theirs : ours;
    const state = logState(lib, {
      all: () => new Topic({ accumulate: true }),
      once: () => new Topic({ accumulate: true, unique: true }),
      last: () => new Topic(),
    });
    const write = ({ log }) => ({ all: `a${log.length}`, once: ["o", "o", log.length] });
    const ask = () => ({ log: [lib.interrupt("q?")], last: "of q" });
    const read = ({ all, once, last = [] }) => ({
      log: [[...all, "|", ...once, "|", ...last].join(" ")],
    });
    const graph = new lib.StateGraph(state)
      .addNode("a", write)
      .addNode("q", ask)
      .addNode("r", read)
      .addNode("s", read)
      .addEdge(lib.START, "a")
      .addEdge(lib.START, "q")
      .addEdge("q", "r")
      .addEdge("r", "s")
      .compile({ checkpointer });
    return {
      graph,
      moves: ["in", resume("one"), edit({ all: ["e"], once: ["e", "o"], last: "e" }, "q"), null],
    };
  },
  "a drain in a fan-out": (lib, checkpointer, seen) => {
    const work = async ({ x }, { control }) => {
      if (x === 1 && !seen.drained) control.requestDrain((seen.drained = "enough"));
      return { log: [`w${x}`] };
    };
    const graph = new lib.StateGraph(logState(lib))
      .addNode("p", () => ({ log: ["p"] }))
      .addNode("w", work)
      .addNode("e", ({ log }) => ({ log: [`e${log.length}`] }), { defer: true })
      .addEdge(lib.START, "p")
      .addConditionalEdges("p", () => [0, 1, 2].map((x) => new lib.Send("w", { x })), ["w"])
      .addEdge("w", "e")
      .compile({ checkpointer });
    return { graph, moves: ["in", null, "in"] };
  },
};

/** @param {any} t @param {any} made @param {any} move @param {any} config */
async function go(t, { graph, input = { log: ["in"] } }, move, config) {
  if (move?.edit) return t.update(graph, thread("t"), ...move.edit);
  const state =
    move?.within || move?.byId ? await graph.getState(thread("t"), { subgraphs: true }) : undefined;
  if (move?.within) return t.update(graph, state.tasks[0].state.config, ...move.within);
  const answers = move?.byId && { resume: { [state.tasks[0].interrupts[0].id]: move.byId } };
  const given =
    move === null ? null : move === "in" ? input : new langgraph.Command(answers ?? move.command);
  return t.stream(graph, given, config, { sorted: "all", fallible: true });
}

for (const [name, make] of Object.entries(programs)) {
  fact("3.1, 12.6", `${name}, from hand to hand`, async (lib, t) => {
    for (const [durability, turn] of [
      ["async", 0],
      ["async", 1],
      ["exit", 1],
    ]) {
      const [saver, seen] = [new MemorySaver(), {}];
      const build = (at) => make(t.isPeer || at % 2 === 0 ? LIBRARIES.langgraph : lib, saver, seen);
      const { moves } = build(turn);
      for (const [at, move] of moves.entries()) {
        const made = build(turn + at);
        for (const node of made.inside ?? []) t.around.add(node);
        await go(
          t,
          made,
          move,
          thread("t", { durability, streamMode: ["values", "updates", "tasks"] }),
        );
        // Within a millisecond each package counts for itself: the other's next id may be older.
        await setTimeout(2);
        await t.state(build(turn + at + 1).graph, thread("t"));
      }
      await t.history(build(turn).graph, thread("t"));
    }
  });
}

fact(
  "6.2",
  "what a checkpointer noted beside a checkpoint is told by the run that goes on from it",
  async (lib, t) => {
    for (const input of [null, new langgraph.Command({ resume: 1 }), { log: [] }]) {
      const checkpointer = new MemorySaver();
      const graph = chain(
        lib,
        { a: () => ({ log: [lib.interrupt("q")] }), b: () => ({ log: ["b"] }) },
        { checkpointer },
      );
      await graph.invoke({ log: [] }, thread("t"));
      const { checkpoint, metadata, parentConfig } = await checkpointer.getTuple(thread("t"));
      await checkpointer.put(parentConfig, checkpoint, {
        ...metadata,
        writes: { a: null },
        by: "me",
      });
      await t.stream(graph, input, thread("t", { streamMode: ["checkpoints", "debug"] }));
      await t.history(graph, thread("t"));
    }
  },
);
