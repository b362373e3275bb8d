// SPDX-License-Identifier: MIT
// Random graphs inside graphs, up to three deep, as nodes and called by nodes, with the saver
// above, one namespace, or none; beside other nodes, sent to, leaving for the graph around;
// answered by maps, edited and forked inside.
import fc from "fast-check";
import { thread } from "./harness.mjs";
import { Play, logOf, often } from "./random-kit.mjs";

const NAMES = [
  ["p", "B", "z"],
  ["x", "W", "é"],
  ["i", "J", "a"],
];
const DEEPEST = NAMES.length - 1;

const leaf = fc.record({
  writes: fc.boolean(),
  asks: often(2, fc.integer({ min: 1, max: 2 }), 0),
  isAsync: fc.boolean(),
  up: often(4, fc.record({ to: fc.nat(2), isSend: often(3, fc.constant(true), false) }), undefined),
});

const graphOf = (level) =>
  fc.record({
    nodes: fc.array(nodeOf(level), { minLength: 1, maxLength: level === 0 ? 3 : 2 }),
    isBeside: fc.boolean(),
    saver: often(2, fc.constantFrom(true, false), undefined),
  });

function nodeOf(level) {
  if (level === DEEPEST) return leaf;
  const inside = fc.record({
    inside: fc.constant(0).chain(() => graphOf(level + 1)),
    how: fc.constantFrom("node", "node", "call", "twice"),
  });
  return fc.oneof(
    { weight: level === 0 ? 2 : 3, arbitrary: leaf },
    { weight: 2, arbitrary: inside },
  );
}

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ op: "resume" }) },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant("answer"), which: fc.integer({ min: 1, max: 7 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ op: "go on" }) },
  { weight: 2, arbitrary: fc.constant({ op: "input" }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("update"),
      of: fc.nat(3),
      as: fc.option(fc.nat(2), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("fork"), of: fc.nat(3), back: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("replay"), back: fc.nat(3) }) },
);

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  root: graphOf(0),
  sends: often(2, fc.record({ to: fc.nat(2), count: fc.integer({ min: 1, max: 2 }) }), undefined),
  subgraphs: fc.boolean(),
  durability: fc.constantFrom(undefined, "sync"),
  before: often(5, fc.constant("*"), undefined),
  operations: fc.array(operation, { maxLength: 4 }),
});

/** @param {any} spec of a graph or a node: does anything in there ask? */
function mayAsk({ nodes, inside, asks }) {
  return asks > 0 || (nodes ?? inside?.nodes ?? []).some(mayAsk);
}

/**
 * @param {any} spec of a graph or a node: does anything in there send to a node of the graph around
 *   it?
 */
const sendsUp = ({ nodes, inside, up }) =>
  up?.isSend === true || (nodes ?? inside?.nodes ?? []).some(sendsUp);

class Program extends Play {
  constructor(spec, lib, trace) {
    super(spec, lib, trace);
    this.isSent = spec.sends !== undefined || sendsUp(spec.root);
  }

  /** What a function node does. `names` are those of the graph around its own. */
  act(own, node, names, given) {
    const { lib } = this;
    const answers = Array.from({ length: node.asks }, (_, n) => lib.interrupt({ from: own, n }));
    const update =
      node.writes || answers.length > 0
        ? {
            log: [
              `${own}:${given.log?.length ?? "-"}:${given.n ?? "-"}:${given.k ?? ""}`,
              ...answers,
            ],
          }
        : {};
    const to = node.up === undefined ? undefined : names?.later[node.up.to];
    if (to === undefined) return update;
    return new lib.Command({
      graph: lib.Command.PARENT,
      update,
      goto: node.up.isSend && !names.asks ? new lib.Send(to, { k: 7, n: 2, log: [] }) : to,
    });
  }

  /**
   * The graph of a description.
   * @param {number} level
   * @param {any} names of the graph around it, and those behind its node there
   */
  graph(spec, level, path, names) {
    const { lib } = this;
    const { Annotation } = lib;
    const last = Annotation({ reducer: (_, right) => right });
    const log = logOf(lib);
    const state = Annotation.Root({ log, n: last, k: last });
    const builder = new lib.StateGraph(
      level === 0
        ? state
        : { state, input: Annotation.Root({ n: last, k: last }), output: Annotation.Root({ log }) },
    );
    const own = spec.nodes.map((_, number) => NAMES[level][number]);
    // LangGraph.js runs all nodes of a step inside again when one of them was answered.
    const isBeside = spec.isBeside && (level === 0 || !mayAsk(spec));
    for (const [number, node] of spec.nodes.entries()) {
      const name = own[number];
      // Only downwards: no rounds.
      const later = own.slice(number + 1);
      // LangGraph.js loses what a graph with a namespace of its own tells the graph around it.
      builder.addNode(
        name,
        this.node(
          node,
          level,
          `${path}${name}`,
          { later, asks: level > 0 && mayAsk(spec) },
          spec.saver === true ? undefined : names,
        ),
        { ends: [...own, lib.END] },
      );
      builder.addEdge(number === 0 || isBeside ? lib.START : own[number - 1], name);
    }
    if (level === 0 && this.spec.sends !== undefined) {
      const { to, count } = this.spec.sends;
      const sends = Array.from(
        { length: count },
        (_, k) => new lib.Send(own[to % own.length], { k, n: k, log: [] }),
      );
      builder
        .addNode("s", () => new lib.Command({ goto: sends }), { ends: own })
        .addEdge(lib.START, "s");
    }
    if (level === 0)
      return builder.compile({
        checkpointer: new lib.MemorySaver(),
        interruptBefore: this.spec.before,
      });
    // Two tasks that share a namespace at once write over each other.
    return builder.compile({
      checkpointer: spec.saver === true && this.isSent ? undefined : spec.saver,
    });
  }

  node(node, level, path, here, names) {
    if (node.inside === undefined) {
      const act = (given) => this.act(path, node, names, given);
      return node.isAsync ? async (given) => (await null, act(given)) : act;
    }
    const graph = this.graph(node.inside, level + 1, `${path}/`, here);
    if (node.how === "node") return graph;
    return async ({ n, k }) => {
      const first = await graph.invoke({ n, k });
      const second = node.how === "twice" ? await graph.invoke({ n: 5 }) : undefined;
      return { log: [...(first?.log ?? []), ...(second?.log ?? [])] };
    };
  }

  stream(graph, input, more) {
    const { spec } = this;
    const streamMode = ["updates", "values", "tasks", "checkpoints"];
    const config = thread("t", {
      recursionLimit: 12,
      streamMode,
      durability: spec.durability,
      ...(spec.subgraphs ? { subgraphs: true } : {}),
      ...more,
    });
    return this.trace.stream(graph, input, config, { sorted: "all", fallible: true });
  }

  async run() {
    const { trace } = this;
    trace.triggers = undefined;
    const graph = this.graph(this.spec.root, 0, "", undefined);
    await this.stream(graph, this.input());
    for (const [number, operation] of this.spec.operations.entries()) {
      trace.note("operation", operation.op);
      await this.operate(graph, operation, number);
      await trace.state(graph, thread("t"), { subgraphs: true });
      // A checkpoint that was made so shows where it came from in LangGraph.js when it is loaded
      // again.
      if (operation.op === "fork") break;
    }
    await trace.history(graph, thread("t"));
  }

  input() {
    return { log: [`in${this.inputs++}`], n: 1 };
  }

  /** The states inside, from the outermost to the innermost. */
  async inside(graph) {
    const found = [];
    const collect = ({ tasks }) => {
      for (const { state } of tasks)
        if (state?.config !== undefined) found.push(state), collect(state);
    };
    collect(await graph.getState(thread("t"), { subgraphs: true }));
    return found;
  }

  async operate(graph, operation, number) {
    const { lib, trace } = this;
    switch (operation.op) {
      case "resume":
      case "go on":
      case "input":
        return this.goOn(graph, operation.op, number);
      case "answer": {
        const { tasks } = await graph.getState(thread("t"));
        const asked = [...new Set(tasks.flatMap((task) => task.interrupts.map(({ id }) => id)))];
        const chosen = asked
          .filter((_, at) => (operation.which >> at) & 1)
          .map((id, at) => [id, `r${number}.${at}`]);
        return chosen.length > 0
          ? this.stream(graph, new lib.Command({ resume: Object.fromEntries(chosen) }))
          : undefined;
      }
      case "update": {
        // LangGraph.js edits a graph that has saved nothing there as if it were the outermost one.
        const states = (await this.inside(graph)).filter(
          ({ config }) => config.configurable.checkpoint_id !== undefined,
        );
        if (states.length === 0) return undefined;
        const { config } = states[operation.of % states.length];
        const level = config.configurable.checkpoint_ns.split("|").length;
        return trace.update(
          graph,
          config,
          { log: [`u${number}`] },
          operation.as === undefined ? undefined : NAMES[level]?.[operation.as],
        );
      }
      case "fork": {
        const states = await this.inside(graph);
        return states.length === 0
          ? undefined
          : this.replay(graph, states[operation.of % states.length].config, operation.back);
      }
      case "replay":
        return this.replay(graph, thread("t"), operation.back);
    }
  }
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return (lib, trace) => new Program(spec, lib, trace).run();
}
