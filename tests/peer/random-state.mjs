// SPDX-License-Identifier: MIT
// Random graphs about what their state is made of: channels that are stored as changes or never,
// nodes that see schemas of their own, Overwrites, caches of nodes, deferred nodes, failures with
// and without handlers, in every durability.
import { setTimeout } from "node:timers/promises";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import * as theirs from "@langchain/langgraph/channels";
import fc from "fast-check";
import * as ours from "weftgraph/channels";
import { thread } from "./harness.mjs";
import { Play, logOf, often } from "./random-kit.mjs";

const NAMES = ["n", "B", "k", "d"];
const FAIL_MS = 5;

const nodeNumber = fc.nat(NAMES.length - 1);

const node = fc.record({
  writes: fc.subarray(["log", "delta", "untracked", "any", "own"]),
  overwrites: often(5, fc.constantFrom("log", "delta"), undefined),
  sees: fc.option(fc.constantFrom("own", "other"), { nil: undefined }),
  isCached: often(3, fc.constant(true), false),
  isAsync: fc.boolean(),
  defer: often(5, fc.constant(true), false),
  asks: often(6, fc.constant(1), 0),
  sends: often(5, nodeNumber, undefined),
});

const operation = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ op: "go on" }) },
  { weight: 2, arbitrary: fc.constant({ op: "resume" }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant("input"), thread: fc.nat(1), same: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("update"), as: nodeNumber }) },
);

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: NAMES.length }),
  edges: fc.array(fc.tuple(nodeNumber, nodeNumber), { maxLength: 5 }),
  failing: fc.option(nodeNumber, { nil: undefined }),
  isHandled: fc.boolean(),
  frequency: fc.integer({ min: 1, max: 4 }),
  saved: often(4, fc.constant(false), true),
  durability: fc.constantFrom(undefined, "async", "sync", "exit"),
  operations: fc.array(operation, { maxLength: 4 }),
});

class Program extends Play {
  name(number) {
    return NAMES[number % this.spec.nodes.length];
  }

  begin(name) {
    const run = this.runs.get(name) ?? 0;
    this.runs.set(name, run + 1);
    return run;
  }

  act(name, node, state, config) {
    const { lib, spec } = this;
    const run = this.begin(name);
    const seen = `${name} ${Object.keys(state)
      .sort()
      .map((key) => `${key}=${JSON.stringify(state[key])?.length}`)
      .join(" ")}`;
    config.writer(seen);
    // LangGraph.js runs a handler again that had finished when a neighbour asked.
    const answers = Array.from({ length: spec.saved && !spec.isHandled ? node.asks : 0 }, () =>
      lib.interrupt(name),
    );
    const update = {};
    const values = {
      log: [name, ...answers],
      delta: [name],
      untracked: seen.length,
      any: name,
      own: name,
    };
    for (const key of node.writes) update[key] = values[key];
    // What wrote nothing but that LangGraph.js runs again, if a neighbour asked or failed.
    if (
      update.untracked !== undefined &&
      node.writes.length === 1 &&
      (spec.failing !== undefined || spec.nodes.some(({ asks }) => asks > 0))
    )
      update.log = values.log;
    // The message about two of a DeltaChannel names them in the order of ids; under durability exit
    // such a step is saved half applied (D7).
    const isSafe =
      (node.overwrites === "log" && spec.durability !== "exit") ||
      (!this.sends && name === this.name(0));
    if (node.overwrites !== undefined && isSafe)
      update[node.overwrites] = new lib.Overwrite([`only ${name}`]);
    if (answers.length > 0 && update.log === undefined) update.log = answers;
    if (node.sends === undefined || run > 1) return update;
    return new lib.Command({
      update,
      goto: new lib.Send(this.name(node.sends), { k: `${name}${run}`, log: ["sent"] }),
    });
  }

  /**
   * A failure comes when its neighbours are done, or turns decide which of them LangGraph.js runs
   * again.
   */
  async actLate(name, node, state, config) {
    const fails = name === this.failing && !this.hasFailed;
    this.hasFailed ||= fails;
    await (fails ? setTimeout(FAIL_MS) : null);
    if (fails) throw new RangeError(`${name} fails`);
    return this.act(name, node, state, config);
  }

  /** With caches, what is Sent again and again would not be counted. */
  get sends() {
    return this.spec.nodes.some(({ sends }) => sends !== undefined);
  }

  get failing() {
    return this.spec.failing === undefined ? undefined : this.name(this.spec.failing);
  }

  build() {
    const { lib, spec } = this;
    const { Annotation } = lib;
    const log = logOf(lib);
    const last = (_, right) => right;
    // Under durability exit LangGraph.js keeps one more checkpoint, of step -2, for the writes of
    // DeltaChannels.
    const joined = (left, writes) => [...left, ...writes.flat()];
    const own = Annotation({ reducer: last });
    const state = Annotation.Root({
      log,
      any: Annotation({ reducer: last }),
      own,
      delta:
        spec.durability === "exit"
          ? log
          : () => new lib.DeltaChannel(joined, { snapshotFrequency: spec.frequency }),
      untracked: () =>
        new (this.trace.isPeer ? theirs : ours).UntrackedValueChannel({ guard: false }),
    });
    const schemas = {
      own: Annotation.Root({ own }),
      other: Annotation.Root({ log, extra: Annotation({ reducer: last }) }),
    };
    const builder = new lib.StateGraph(state);
    const names = spec.nodes.map((_, number) => this.name(number));
    for (const [number, node] of spec.nodes.entries()) {
      const name = names[number];
      const isLate = node.isAsync || name === this.failing;
      const act = isLate
        ? (given, config) => this.actLate(name, node, given, config)
        : (given, config) => this.act(name, node, given, config);
      const handler =
        spec.isHandled && name === this.failing
          ? { errorHandler: (_, { error }) => ({ log: [`handled ${error.message}`] }) }
          : {};
      builder.addNode(name, act, {
        ends: names,
        ...(node.sees === undefined ? {} : { input: schemas[node.sees] }),
        // What a cache gives to a DeltaChannel LangGraph.js loses, since it is no write of the
        // task.
        ...(node.isCached && !this.sends && !node.writes.includes("delta")
          ? { cachePolicy: true }
          : {}),
        ...(node.defer ? { defer: true } : {}),
        ...handler,
      });
    }
    builder.addEdge(lib.START, names[0]);
    // Downwards only: no rounds.
    const edges = new Set(
      spec.edges.map(([from, to]) => [from % names.length, to % names.length].sort().join(" ")),
    );
    for (const edge of edges) {
      const [from, to] = edge.split(" ");
      if (from !== to) builder.addEdge(names[from], names[to]);
    }
    return builder.compile({
      cache: new InMemoryCache(),
      ...(spec.saved ? { checkpointer: new lib.MemorySaver() } : {}),
    });
  }

  input() {
    return { log: [`in${this.inputs}`], delta: [`in${this.inputs}`], untracked: this.inputs };
  }

  stream(graph, input, id = 0) {
    const { spec } = this;
    const streamMode = ["updates", "values", "tasks", "checkpoints", "custom"];
    const config = thread(`t${id}`, {
      recursionLimit: 12,
      streamMode,
      durability: spec.saved ? spec.durability : undefined,
    });
    return this.trace.stream(graph, input, config, { sorted: "all", fallible: true });
  }

  async run() {
    const { trace, spec } = this;
    trace.parents = spec.durability !== "exit";
    trace.triggers = undefined;
    // Our savers store changes of every channel, and count none.
    trace.hide("counters_since_delta_snapshot");
    const graph = this.build();
    await this.stream(graph, this.input());
    for (const operation of spec.operations) {
      if (!spec.saved && operation.op !== "input") continue;
      trace.note("operation", operation.op);
      await this.operate(graph, operation);
      if (spec.saved) await trace.state(graph, thread("t0"));
    }
    if (spec.saved) await trace.history(graph, thread("t0"));
  }

  async operate(graph, operation) {
    switch (operation.op) {
      case "go on":
        return this.stream(graph, null);
      case "resume":
        return this.stream(graph, new this.lib.Command({ resume: "yes" }));
      case "input":
        if (!operation.same) this.inputs++;
        return this.stream(graph, this.input(), operation.thread);
      case "update":
        return this.trace.update(
          graph,
          thread("t0"),
          { log: ["edited"], delta: ["edited"] },
          this.name(operation.as),
        );
    }
  }
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return (lib, trace) => new Program(spec, lib, trace).run();
}
