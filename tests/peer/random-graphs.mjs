// SPDX-License-Identifier: MIT
// Random graphs as plain data (so that a counterexample can be read), and how each package runs
// one. Nodes are deterministic: what a node does follows from its description, how often it ran and
// the state it is given.
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { thread } from "./harness.mjs";
import {
  fail,
  fault,
  faultOptions,
  inner,
  innerNodeOf,
  isFatal,
  isStopped,
} from "./random-inner.mjs";
import { Play } from "./random-kit.mjs";

// Neither in alphabetical order nor only letters, so that order by name is not order of definition.
const NAMES = ["m", "b", "Z", "a", "é", "c"];
const LOG_END = 14;
const LIMIT = 12;
// When nothing has begun for so many turns of so long, the retries of its neighbours are over. One
// could be a stall of the machine.
const QUIET_TURNS = 8;
const QUIET_MS = 2;
// From then on a node goes nowhere of its own, or Sends would multiply.
const GOING_RUNS = 3;
const BRANCH_TURNS = 3;

const nodeNumber = fc.nat(NAMES.length - 1);
const often = (weight, arbitrary, otherwise) =>
  fc.oneof({ weight, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });

const destination = fc.oneof(
  { weight: 3, arbitrary: nodeNumber.map((to) => ({ to })) },
  { weight: 1, arbitrary: fc.record({ send: nodeNumber, k: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ end: true }) },
);

const node = fc.record({
  writes: fc.subarray(["log", "sum", "messages", "last"], { minLength: 0 }),
  form: often(4, fc.constantFrom("command", "null", "list"), "object"),
  goto: often(3, fc.array(destination, { maxLength: 3 }), []),
  asks: often(3, fc.integer({ min: 1, max: 2 }), 0),
  isAsync: fc.boolean(),
  defer: often(9, fc.constant(true), false),
  inside: often(4, inner, undefined),
  fault: often(4, fault, undefined),
});

const stop = often(
  3,
  fc.oneof(fc.constant("*"), fc.array(nodeNumber, { minLength: 1, maxLength: 2 })),
  undefined,
);

const operation = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ op: "resume" }) },
  { weight: 3, arbitrary: fc.constant({ op: "go on" }) },
  { weight: 1, arbitrary: fc.constant({ op: "input" }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("resume by id"), of: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("update"),
      as: fc.option(nodeNumber, { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("command"),
      to: fc.option(nodeNumber, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("replay"), back: fc.nat(4) }) },
);

export const graphs = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: NAMES.length }),
  entries: fc.uniqueArray(nodeNumber, { minLength: 1, maxLength: 3 }),
  edges: fc.array(fc.tuple(nodeNumber, nodeNumber), { maxLength: 6 }),
  joins: often(
    2,
    fc.array(
      fc.record({
        from: fc.uniqueArray(nodeNumber, { minLength: 2, maxLength: 3 }),
        to: nodeNumber,
      }),
      { maxLength: 2 },
    ),
    [],
  ),
  branches: fc.uniqueArray(
    fc.record({
      from: nodeNumber,
      options: fc.array(fc.array(destination, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      salt: fc.nat(5),
    }),
    {
      maxLength: 3,
      selector: ({ from }) => from,
    },
  ),
  failing: fc.option(nodeNumber, { nil: undefined }),
  before: stop,
  after: stop,
  saved: often(3, fc.constant(false), true),
  subgraphs: fc.boolean(),
  durability: fc.constantFrom(undefined, "async", "sync", "exit"),
  operations: fc.array(operation, { maxLength: 5 }),
});

/** What a description says, with numbers beyond its nodes wrapped around. */
class Program extends Play {
  constructor(spec, lib, trace) {
    super(spec, lib, trace);
    this.begun = 0;
    this.quieted = Promise.resolve();
    for (const [number, node] of spec.nodes.entries())
      if (node.inside !== undefined) trace.around.add(this.name(number));
    for (const join of this.joins()) trace.triggers.push(`join:${join.from.join("+")}:${join.to}`);
  }

  name(number) {
    return NAMES[number % this.spec.nodes.length];
  }

  names(list) {
    return Array.isArray(list) ? [...new Set(list.map((number) => this.name(number)))] : list;
  }

  joins() {
    return this.spec.joins
      .map((join) => ({ from: this.names(join.from), to: this.name(join.to) }))
      .filter((join) => join.from.length > 1);
  }

  go({ to, send, k, end }) {
    if (end) return this.lib.END;
    return send === undefined
      ? this.name(to)
      : new this.lib.Send(this.name(send), { k, log: ["sent"] });
  }

  /** May a node run twice in a step? */
  get sends() {
    const { nodes, branches } = this.spec;
    return [...nodes.map(({ goto }) => goto), ...branches.flatMap(({ options }) => options)]
      .flat()
      .some(({ send }) => send !== undefined);
  }

  /** How a node fails. */
  fault(node, name) {
    const { fault } = node;
    if (fault === undefined || (fault.handler !== undefined && isStopped(this.spec)))
      return undefined;
    return fault;
  }

  /** Are errors of the graph in this node met by another attempt? */
  heals(name) {
    const node = this.spec.nodes.find((_, number) => this.name(number) === name);
    return this.fault(node, name)?.attempts === 3;
  }

  /** Counts this run of a node. */
  begin(name) {
    const run = this.runs.get(name) ?? 0;
    this.runs.set(name, run + 1);
    this.begun++;
    return run;
  }

  /** Waits until no other node has begun for a while; of two, the second waits for the first. */
  quiet() {
    return (this.quieted = this.quieted.then(() => this.calm()));
  }

  async calm() {
    for (let before = this.begun, calm = 0; calm < QUIET_TURNS; calm++) {
      await setTimeout(QUIET_MS);
      if (before !== this.begun) [before, calm] = [this.begun, -1];
    }
  }

  async actLate(name, node, state) {
    const run = this.begin(name);
    const fault = this.fault(node, name);
    if (name === this.failing && (run === 0 || run < fault?.fails)) {
      await this.quiet();
      throw new RangeError(`${name} fails once`);
    }
    if (run < fault?.fails) {
      // A neighbour that returns in the turn of a failure has finished in Weft; LangGraph.js may
      // run it again.
      if (isFatal(fault)) await this.quiet();
      await fail(name, fault);
    }
    await null;
    return this.act(name, node, state, run);
  }

  /** What a node of this name returns. */
  act(name, node, state, run) {
    const seen = `${name}:${state.log?.length ?? "-"}:${state.sum ?? "-"}:${state.messages?.length ?? "-"}:${state.k ?? ""}`;
    const answers = Array.from({ length: node.asks }, (_, n) =>
      this.lib.interrupt({ from: name, n }),
    );
    const update = {};
    // LangGraph.js does not see that a task is done which was answered and then wrote nothing (D2).
    if (node.writes.includes("log") || answers.length > 0) update.log = [seen, ...answers];
    if (node.writes.includes("sum")) update.sum = name.charCodeAt(0);
    // Under durability exit LangGraph.js saves a step half applied when two write it (D7).
    if (node.writes.includes("last") && this.spec.durability !== "exit") update.last = { by: seen };
    if (node.writes.includes("messages")) update.messages = this.message(name, run, state);
    if (node.form === "null" && answers.length === 0) return null;
    const goto = run < GOING_RUNS ? node.goto.map((one) => this.go(one)) : [];
    if (node.form === "object" && goto.length === 0) return update;
    const command = new this.lib.Command({ update, goto });
    return node.form === "list" ? [{ log: ["first"] }, command] : command;
  }

  message(name, run, state) {
    const { AIMessage, RemoveMessage } = this.lib;
    if (run % 4 === 3)
      return [
        new RemoveMessage({ id: "__remove_all__" }),
        new AIMessage({ content: "fresh", id: `${name} fresh ${run}` }),
      ];
    if (run % 4 === 2 && state.messages?.length > 0)
      return new AIMessage({ content: `${name} again`, id: state.messages[0].id });
    // A message without an id gets one at once, in LangGraph.js each time that a stored write is
    // applied (D8).
    return new AIMessage({
      content: `${name} ${run}`,
      ...(run % 2 === 0 || this.spec.saved ? { id: `${name}${run}` } : {}),
    });
  }

  get edited() {
    return this.spec.operations.some(({ op }) => op === "command");
  }

  get failing() {
    return this.spec.failing === undefined ? undefined : this.name(this.spec.failing);
  }

  build() {
    const { lib, spec } = this;
    const { Annotation } = lib;
    const state = Annotation.Root({
      log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
      sum: Annotation({ reducer: (left, right) => left + right }),
      messages: lib.MessagesAnnotation.spec.messages,
      last: Annotation,
    });
    const builder = new lib.StateGraph(state);
    const names = spec.nodes.map((_, number) => this.name(number));
    for (const [number, node] of spec.nodes.entries()) {
      const name = names[number];
      const fault = this.fault(node, name);
      const isLate = node.isAsync || name === this.failing || fault !== undefined;
      const act = isLate
        ? (given) => this.actLate(name, node, given)
        : (given) => this.act(name, node, given, this.begin(name));
      const options = {
        ends: [...names, lib.END],
        ...(node.defer ? { defer: true } : {}),
        ...(fault === undefined ? {} : faultOptions(this, name, fault, node.inside !== undefined)),
      };
      builder.addNode(
        name,
        node.inside === undefined ? act : innerNodeOf(this, name, node.inside),
        options,
      );
    }
    for (const name of this.names(spec.entries)) builder.addEdge(lib.START, name);
    const edges = new Set(spec.edges.map(([from, to]) => `${this.name(from)} ${this.name(to)}`));
    for (const edge of edges) builder.addEdge(...edge.split(" "));
    const joins = new Map(this.joins().map((join) => [`${join.from} ${join.to}`, join]));
    for (const { from, to } of joins.values()) builder.addEdge(from, to);
    const branched = new Set();
    for (const { from, options, salt } of spec.branches) {
      const name = this.name(from);
      if (branched.has(name)) continue;
      branched.add(name);
      // Turns decide which of a step's conditions is asked first: each counts those of the steps
      // before.
      const turns = [];
      builder.addConditionalEdges(name, (given, { metadata: { langgraph_step } }) => {
        const length = given.log?.length ?? 0;
        const step = langgraph_step ?? 0;
        turns[step] = (turns[step] ?? 0) + 1;
        if (
          length > LOG_END ||
          turns.slice(0, step).reduce((sum, count) => sum + count, 0) >= BRANCH_TURNS
        )
          return lib.END;
        return options[(length + salt) % options.length].map((one) => this.go(one));
      });
    }
    return builder.compile({
      interruptBefore: this.names(spec.before),
      interruptAfter: this.names(spec.after),
      ...(spec.saved ? { checkpointer: new lib.MemorySaver() } : {}),
    });
  }

  /**
   * With a condition, LangGraph.js names a message without an id before it shows it. Without a
   * saver some have none.
   */
  get modes() {
    const modes = ["updates", "values", "tasks", "checkpoints"];
    // Of many tasks in the last step before a breakpoint LangGraph.js loses the messages of the
    // last (D1).
    return this.spec.saved && !(this.sends && this.spec.after?.length > 0)
      ? [...modes, "messages"]
      : modes;
  }

  config(more) {
    return thread("t", {
      recursionLimit: LIMIT,
      streamMode: this.modes,
      ...(this.spec.subgraphs ? { subgraphs: true } : {}),
      durability: this.spec.saved ? this.spec.durability : undefined,
      ...more,
    });
  }

  input() {
    const number = this.inputs++;
    return {
      log: [`in${number}`],
      sum: 1,
      messages: [new this.lib.HumanMessage({ content: "hi", id: `in${number}` })],
    };
  }

  async run() {
    const { trace, spec } = this;
    const graph = this.build();
    trace.parents = spec.durability !== "exit";
    await this.stream(graph, this.input());
    for (const [number, operation] of spec.operations.entries()) {
      if (!spec.saved && operation.op !== "input") continue;
      trace.note("operation", operation.op);
      await this.operate(graph, operation, number);
      if (spec.saved) await trace.state(graph, thread("t"), { subgraphs: spec.subgraphs });
    }
    if (spec.saved) await trace.history(graph, thread("t"), undefined, { edited: this.edited });
  }

  /**
   * How long graphs inside take, next to their neighbours, is not told to a turn of the microtask
   * queue (D1).
   */
  stream(graph, input, config) {
    const isExact = this.spec.nodes.every(({ inside }) => inside === undefined);
    return this.trace.stream(graph, input, this.config(config), {
      sorted: isExact || "all",
      fallible: true,
    });
  }

  async operate(graph, operation, number) {
    const { trace, lib } = this;
    const stream = (input, config) => this.stream(graph, input, config);
    switch (operation.op) {
      case "resume":
        return stream(new lib.Command({ resume: `r${number}` }));
      case "go on":
        return stream(null);
      case "input":
        return stream(this.input());
      case "resume by id": {
        // A state whose writes cannot be applied cannot be shown; the state noted after each
        // operation compares that.
        const { tasks } = await graph.getState(thread("t")).catch(() => ({ tasks: [] }));
        const asked = tasks
          .filter((task) => task.interrupts.length > 0)
          .map((task) => task.interrupts[0].id);
        const chosen = asked.slice(0, operation.of + 1).map((id) => [id, `r${number}`]);
        return chosen.length > 0
          ? stream(new lib.Command({ resume: Object.fromEntries(chosen) }))
          : undefined;
      }
      case "update":
        // LangGraph.js lets deferred nodes go when an update finds finished neighbours (D9), and
        // takes a node with one of two answers for finished (D2).
        if (
          this.spec.nodes.some(
            ({ defer, asks, inside }) =>
              defer || asks > 1 || inside?.nodes.some((one) => one.asks > 1),
          )
        )
          return undefined;
        // It forgets a join that finished neighbours have filled.
        if (this.spec.joins.length > 0) {
          const { next, tasks } = await graph
            .getState(thread("t"))
            .catch(() => ({ next: [], tasks: [] }));
          if (tasks.length > next.length) return undefined;
        }
        return trace.update(
          graph,
          thread("t"),
          { log: [`u${number}`] },
          operation.as === undefined ? undefined : this.name(operation.as),
        );
      case "command": {
        // Under durability exit LangGraph.js applies such an update twice (D3).
        if (this.spec.durability === "exit") return undefined;
        const goto = operation.to === undefined ? {} : { goto: this.name(operation.to) };
        return stream(new lib.Command({ update: { log: [`c${number}`] }, ...goto }));
      }
      case "replay": {
        // From an edited checkpoint LangGraph.js goes on with the edit (D3); under durability exit
        // a graph with a namespace of its own does not go back there (D12).
        if (
          this.edited ||
          (this.spec.durability === "exit" &&
            this.spec.nodes.some(({ inside }) => inside?.saver === true))
        )
          return undefined;
        // The second time, neither does the second graph that a node calls.
        if (
          this.hasReplayed &&
          this.spec.nodes.some(({ inside }) => inside?.how === "call" && inside.beside)
        )
          return undefined;
        this.hasReplayed = true;
        const configs = [];
        for await (const snapshot of graph.getStateHistory(thread("t")))
          configs.push(snapshot.config.configurable);
        const configurable = configs[operation.back];
        return configurable === undefined ? undefined : stream(null, { configurable });
      }
    }
  }
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return (lib, trace) => new Program(spec, lib, trace).run();
}
