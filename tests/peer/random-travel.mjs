// SPDX-License-Identifier: MIT
// Random journeys through a thread's history: from any checkpoint on, runs go on and take inputs,
// edits of every kind are made, one or many at once, and history is asked for with filters.
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { thread } from "./harness.mjs";
import { Play, logOf, often } from "./random-kit.mjs";

const NAMES = ["n", "B", "k"];
const LIMIT = 12;
const LOG_END = 12;
const FAIL_MS = 5;

const nodeNumber = fc.nat(NAMES.length - 1);

const node = fc.record({
  writes: fc.subarray(["log", "sum", "last"]),
  asks: often(4, fc.constant(1), 0),
  sends: often(5, nodeNumber, undefined),
  isAsync: fc.boolean(),
  fails: often(6, fc.constant(1), 0),
});

const as = fc.oneof(
  { weight: 4, arbitrary: nodeNumber },
  {
    weight: 2,
    arbitrary: fc.constantFrom("__end__", "__copy__", "__input__", "__start__", "nobody"),
  },
  { weight: 2, arbitrary: fc.constant(undefined) },
);
const values = fc.constantFrom("log", "log", "sum", "both", "none", "null", "overwrite");
const update = fc.record({ values, as });

const operation = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ op: "go on" }) },
  { weight: 2, arbitrary: fc.constant({ op: "resume" }) },
  { weight: 2, arbitrary: fc.constant({ op: "input" }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant("update"), update, goesOn: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("bulk"),
      steps: fc.array(fc.array(update, { minLength: 1, maxLength: 2 }), {
        minLength: 1,
        maxLength: 2,
      }),
      goesOn: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("history"),
      limit: fc.option(fc.nat(4), { nil: undefined }),
      before: fc.option(fc.nat(4), { nil: undefined }),
      filter: fc.constantFrom(
        undefined,
        { source: "loop" },
        { source: "update" },
        { step: 1 },
        { source: "fork", step: 2 },
      ),
    }),
  },
);

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: NAMES.length }),
  edges: fc.array(fc.tuple(nodeNumber, nodeNumber), { maxLength: 3 }),
  branch: fc.option(
    fc.record({
      from: nodeNumber,
      options: fc.array(fc.array(nodeNumber, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
    }),
    { nil: undefined },
  ),
  before: often(4, fc.constantFrom("*", [0], [1]), undefined),
  after: often(5, fc.constantFrom("*", [0], [1]), undefined),
  durability: fc.constantFrom(undefined, "sync"),
  operations: fc.array(fc.record({ what: operation, back: often(1, fc.nat(5), undefined) }), {
    minLength: 1,
    maxLength: 5,
  }),
});

class Program extends Play {
  name(number) {
    return NAMES[number % this.spec.nodes.length];
  }

  act(name, node, state, run) {
    const { lib } = this;
    const seen = `${name}:${state.log.length}:${state.sum ?? "-"}`;
    const answers = Array.from({ length: node.asks }, () => lib.interrupt(name));
    const written = { log: [seen, ...answers], sum: 1, last: seen };
    const update = Object.fromEntries(node.writes.map((key) => [key, written[key]]));
    if (answers.length > 0) update.log = written.log;
    if (node.sends === undefined || run > 1 || state.log.length > LOG_END) return update;
    return new lib.Command({
      update,
      goto: new lib.Send(this.name(node.sends), { log: ["sent"], sum: run }),
    });
  }

  begin(name) {
    const run = this.runs.get(name) ?? 0;
    this.runs.set(name, run + 1);
    return run;
  }

  build() {
    const { lib, spec } = this;
    const { Annotation } = lib;
    const builder = new lib.StateGraph(
      Annotation.Root({
        log: logOf(lib),
        sum: Annotation({ reducer: (left, right) => left + right }),
        last: Annotation({ reducer: (_, right) => right }),
      }),
    );
    const names = spec.nodes.map((_, number) => this.name(number));
    for (const [number, node] of spec.nodes.entries()) {
      const name = names[number];
      const late = async (given) => {
        const run = this.begin(name);
        // A failure comes when its neighbours are done, or turns decide which of them LangGraph.js
        // runs again.
        await (run < node.fails ? setTimeout(FAIL_MS) : null);
        if (run < node.fails) throw new RangeError(`${name} fails`);
        return this.act(name, node, given, run);
      };
      builder.addNode(
        name,
        node.isAsync || node.fails > 0
          ? late
          : (given) => this.act(name, node, given, this.begin(name)),
        { ends: names },
      );
    }
    builder.addEdge(lib.START, names[0]);
    const edges = new Set(spec.edges.map(([from, to]) => `${this.name(from)} ${this.name(to)}`));
    for (const edge of edges) {
      const [from, to] = edge.split(" ");
      if (from < to) builder.addEdge(from, to);
    }
    if (spec.branch !== undefined) {
      const { from, options } = spec.branch;
      builder.addConditionalEdges(
        this.name(from),
        (state) =>
          state.log.length > LOG_END
            ? lib.END
            : options[state.log.length % options.length].map((to) => this.name(to)),
        [...names, lib.END],
      );
    }
    const stops = (list) =>
      Array.isArray(list) ? [...new Set(list.map((number) => this.name(number)))] : list;
    return builder.compile({
      checkpointer: new lib.MemorySaver(),
      interruptBefore: stops(spec.before),
      interruptAfter: stops(spec.after),
    });
  }

  stream(graph, input, configurable) {
    const streamMode = ["updates", "values", "tasks", "checkpoints"];
    return this.trace.stream(
      graph,
      input,
      thread("t", {
        recursionLimit: LIMIT,
        streamMode,
        durability: this.spec.durability,
        configurable,
      }),
      { sorted: "all", fallible: true },
    );
  }

  /** @param {{ values: string, as: any }} update @param {number} number */
  written({ values, as }, number) {
    const { lib } = this;
    const asNode = typeof as === "number" ? this.name(as) : as;
    const all = {
      log: { log: [`u${number}`] },
      sum: { sum: 10 },
      both: { log: [`u${number}`], sum: 5 },
      none: {},
      null: null,
      overwrite: { log: new lib.Overwrite([`o${number}`]) },
    };
    return { values: all[values], ...(asNode === undefined ? {} : { asNode }) };
  }

  async run() {
    const { trace, spec } = this;
    trace.triggers = undefined;
    const graph = this.build();
    await this.stream(graph, { log: ["in"] });
    for (const [number, { what, back }] of spec.operations.entries()) {
      const configs = [];
      // LangGraph.js cannot edit a copy of what the input made.
      for await (const { config, next, metadata } of graph.getStateHistory(thread("t")))
        if (metadata.source !== "fork" || !next.includes("__start__"))
          configs.push(config.configurable);
      const configurable = back === undefined ? undefined : configs[back % configs.length];
      trace.note("operation", [what.op, back]);
      await this.operate(graph, what, configurable, configs, number);
      await trace.state(graph, thread("t"));
    }
    await trace.history(graph, thread("t"));
  }

  async operate(graph, what, configurable, configs, number) {
    const { lib, trace } = this;
    const config = thread("t", { configurable });
    switch (what.op) {
      case "go on":
        return this.stream(graph, null, configurable);
      case "resume":
        // Who answers an old question again is answered by what was answered then in LangGraph.js.
        return this.stream(graph, new lib.Command({ resume: `r${number}` }));
      case "input":
        return this.stream(graph, { log: [`in${number}`] }, configurable);
      case "update": {
        const { values, asNode } = this.written(what.update, number);
        const made = await trace.update(graph, config, values, asNode);
        return what.goesOn && made !== undefined
          ? this.stream(graph, null, made.configurable)
          : undefined;
      }
      case "bulk": {
        const steps = what.steps.map((updates) => ({
          updates: updates.map((update) => this.written(update, number)),
        }));
        const made = await trace.try("bulk", () => graph.bulkUpdateState(config, steps));
        return what.goesOn && made !== undefined
          ? this.stream(graph, null, made.configurable)
          : undefined;
      }
      case "history": {
        const before =
          what.before === undefined
            ? {}
            : { before: { configurable: configs[what.before % configs.length] } };
        return trace.history(graph, config, {
          ...(what.limit === undefined ? {} : { limit: what.limit }),
          ...before,
          filter: what.filter,
        });
      }
    }
  }
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return (lib, trace) => new Program(spec, lib, trace).run();
}
