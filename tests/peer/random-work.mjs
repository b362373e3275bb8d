// SPDX-License-Identifier: MIT
// Random workflows of the functional API: entrypoints whose steps call tasks one by one, side by
// side and out of tasks, ask, look at what was saved, run graphs; tasks that fail, are tried again,
// ask and are cached.
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { thread } from "./harness.mjs";
import { Play, logOf, often } from "./random-kit.mjs";

const TASKS = 3;
const taskNumber = fc.nat(TASKS - 1);
const call = fc.record({ task: taskNumber, k: fc.nat(2) });

const statement = fc.oneof(
  { weight: 4, arbitrary: call.map((one) => ({ do: "call", ...one })) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("all", "settled"),
      of: fc.array(call, { minLength: 2, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "ask" }) },
  { weight: 1, arbitrary: call.map((one) => ({ do: "try", ...one })) },
  { weight: 1, arbitrary: fc.constantFrom({ do: "previous" }, { do: "write" }, { do: "turn" }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("graph"), asks: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("work"), of: call }) },
);

const task = fc.record({
  isAsync: fc.boolean(),
  asks: often(3, fc.integer({ min: 1, max: 2 }), 0),
  fails: often(3, fc.integer({ min: 1, max: 2 }), 0),
  attempts: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  calls: fc.option(fc.nat(TASKS - 2), { nil: undefined, freq: 4 }),
  isCached: often(4, fc.constant(true), false),
  returns: fc.constantFrom("text", "text", "nothing", "null", "list"),
});

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ op: "resume" }) },
  { weight: 2, arbitrary: fc.constant({ op: "go on" }) },
  { weight: 2, arbitrary: fc.constant({ op: "input" }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("resume by id"), of: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("update"), as: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("replay"), back: fc.nat(3) }) },
);

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  tasks: fc.array(task, { minLength: TASKS, maxLength: TASKS }),
  statements: fc.array(statement, { maxLength: 4 }),
  final: fc.option(fc.constantFrom("both", "value", "save"), { nil: undefined, freq: 2 }),
  fails: often(6, fc.constant(1), 0),
  saved: often(4, fc.constant(false), true),
  durability: fc.constantFrom(undefined, "async", "sync", "exit"),
  subgraphs: fc.boolean(),
  operations: fc.array(operation, { maxLength: 4 }),
});

class Workflow extends Play {
  constructor(spec, lib, trace) {
    super(spec, lib, trace);
    this.stops = new Map();
    this.tasks = spec.tasks.map((one, number) => this.task(one, number));
  }

  begin(name) {
    const run = this.runs.get(name) ?? 0;
    this.runs.set(name, run + 1);
    return run;
  }

  asked(from, asks) {
    return Array.from({ length: this.spec.saved ? asks : 0 }, (_, n) =>
      this.lib.interrupt({ from, n }),
    );
  }

  task(spec, number) {
    const name = `t${number}`;
    const act = (k) => {
      // A count for each call: of two that run at once the order decides which is the second.
      const run = this.begin(`${name} ${k}`);
      if (run < spec.fails) throw new RangeError(`${name} fails`);
      const answers = this.asked(name, spec.asks);
      if (spec.returns === "nothing") return undefined;
      if (spec.returns === "null") return null;
      return spec.returns === "list" ? [name, k, ...answers] : [name, k, ...answers].join(":");
    };
    // How much later than a failure a call may return and still be kept is a matter of turns.
    const isAsync = this.spec.tasks.some(({ fails }) => fails > 0)
      ? this.spec.tasks[0].isAsync
      : spec.isAsync || spec.calls !== undefined;
    const deep = async (k) => {
      const below =
        this.callsOf(number) !== undefined ? await this.tasks[spec.calls](`${k}.`) : await null;
      const own = act(k);
      return below === null ? own : [own, below];
    };
    const options = {
      name,
      ...(spec.attempts === undefined
        ? {}
        : {
            retry: {
              maxAttempts: spec.attempts,
              initialInterval: 1,
              jitter: false,
              logWarning: false,
            },
          }),
      // How long a cache is looked into decides whether what comes out of the call is asked, or cut
      // short by a failure, in this run or the next.
      ...(spec.isCached &&
      spec.asks === 0 &&
      spec.calls === undefined &&
      !this.spec.tasks.some(({ fails }) => fails > 0)
        ? { cachePolicy: { keyFunc: ([k]) => `${name} ${k}` } }
        : {}),
    };
    return this.lib.task(options, isAsync ? deep : act);
  }

  call({ task, k }, at) {
    return this.tasks[task](`${at}.${k}`);
  }

  /** Does a task, or one that it calls, fail? @param {number} number */
  mayFail(number) {
    const { fails, calls } = this.spec.tasks[number];
    return calls === undefined
      ? fails > 0
      : this.callsOf(number) !== undefined && this.mayFail(calls);
  }

  /**
   * Which task a task calls: calls of three floors, or beside one that fails, take so long that
   * turns decide what becomes of them.
   * @param {number} number
   */
  callsOf(number) {
    const { calls } = this.spec.tasks[number];
    return calls < number &&
      this.spec.tasks[calls].calls === undefined &&
      !this.spec.tasks.some(({ fails }) => fails > 0)
      ? calls
      : undefined;
  }

  /**
   * Does a call fail? LangGraph.js then keeps an AbortError of the caller, whatever becomes of it
   * later.
   */
  get mayAbort() {
    const called = this.spec.statements.flatMap((one) =>
      one.task === undefined ? (one.of ?? []) : one,
    );
    return called.flat().some(({ task }) => this.mayFail(task));
  }

  graph(at, asks) {
    const { lib } = this;
    const node = () => ({ log: [`graph ${at}`, ...this.asked(`graph ${at}`, asks ? 1 : 0)] });
    return new lib.StateGraph(lib.Annotation.Root({ log: logOf(lib) }))
      .addNode("g", node)
      .addEdge(lib.START, "g")
      .compile();
  }

  async perform(statement, at, config) {
    const { lib } = this;
    switch (statement.do) {
      case "call":
        return this.call(statement, at);
      case "all":
        return Promise.all(statement.of.map((one, number) => this.call(one, `${at}.${number}`)));
      case "settled": {
        const ends = await Promise.allSettled(
          statement.of.map((one, number) => this.call(one, `${at}.${number}`)),
        );
        const asked = ends.find(({ reason }) => lib.isGraphBubbleUp(reason));
        if (asked !== undefined) throw asked.reason;
        return ends.map(({ value, reason }) => reason?.message ?? value);
      }
      case "ask":
        return this.asked(`ask ${at}`, 1);
      case "try":
        return this.call(statement, at).catch((error) => {
          if (lib.isGraphBubbleUp(error)) throw error;
          return `caught ${error.message}`;
        });
      case "previous":
        return lib.getPreviousState() ?? "none";
      case "write":
        config.writer(`at ${at}`);
        return undefined;
      case "turn":
        return null;
      case "graph":
        return (await this.graph(at, statement.asks).invoke({ log: [] })).log;
      case "work": {
        const inner = lib.entrypoint(
          `inner ${at}`.replace(" ", "_"),
          async (given) => (await this.call(statement.of, given)) ?? null,
        );
        return inner.invoke(at);
      }
    }
  }

  build() {
    const { lib, spec } = this;
    const work = async (input, config) => {
      const results = [input];
      for (const [at, statement] of spec.statements.entries()) {
        results.push((await this.perform(statement, `${input}/${at}`, config)) ?? null);
        // A call that failed ends the run, caught or not: how far its caller still gets is a matter
        // of turns.
        if (/fails|aborted/.test(JSON.stringify(results.at(-1)))) return results;
      }
      if (this.begin("work") < spec.fails) throw new RangeError("work fails");
      if (spec.final === undefined) return results;
      // Once it is loaded, LangGraph.js shows a value that was undefined as null, in streams too.
      const value = spec.final === "save" && spec.operations.length === 0 ? undefined : results;
      return lib.entrypoint.final({
        ...(value === undefined ? {} : { value }),
        ...(spec.final === "value" ? {} : { save: results.length }),
      });
    };
    return lib.entrypoint(
      {
        name: "work",
        cache: new InMemoryCache(),
        ...(spec.saved ? { checkpointer: new lib.MemorySaver() } : {}),
      },
      work,
    );
  }

  stream(graph, input, more) {
    const { spec } = this;
    const streamMode = ["updates", "values", "custom", "tasks", "checkpoints"];
    const config = thread("t", {
      streamMode,
      durability: spec.saved ? spec.durability : undefined,
      ...(spec.subgraphs ? { subgraphs: true } : {}),
      ...more,
    });
    return this.trace.stream(graph, input, config, { sorted: "all", fallible: true });
  }

  async run() {
    const { trace, spec } = this;
    trace.triggers = undefined;
    trace.parents = spec.durability !== "exit";
    trace.outcomes = !this.mayAbort;
    const graph = this.build();
    await this.stream(graph, `in${this.inputs++}`);
    for (const [number, operation] of spec.operations.entries()) {
      if (!spec.saved && operation.op !== "input") continue;
      if (spec.saved && spec.durability === "exit" && (await this.stopsAgain(graph))) continue;
      trace.note("operation", operation.op);
      await this.operate(graph, operation, number);
      if (spec.saved) await trace.state(graph, thread("t"), { subgraphs: spec.subgraphs });
    }
    if (spec.saved) await trace.history(graph, thread("t"));
  }

  /**
   * Under durability exit LangGraph.js may give an answer to other questions too, where a run stops
   * at the same step once more.
   */
  async stopsAgain(graph) {
    const { config } = await graph.getState(thread("t"));
    const id = config.configurable.checkpoint_id;
    this.stops.set(id, (this.stops.get(id) ?? 0) + 1);
    return id !== undefined && this.stops.get(id) > 1;
  }

  /** LangGraph.js gives an answer that reached no question to the first one of the next input. */
  async isOpen(graph) {
    return (await graph.getState(thread("t"))).tasks.length > 0;
  }

  /**
   * An answer that no question waits for, there for each task that asks later: how many turns it
   * takes decides which get it.
   */
  async isForMany(graph) {
    return (
      this.spec.tasks.some(({ asks }) => asks > 0) &&
      !(await graph.getState(thread("t"))).tasks.some(({ interrupts }) => interrupts.length > 0)
    );
  }

  async operate(graph, operation, number) {
    const { lib, trace } = this;
    switch (operation.op) {
      case "resume":
        if (!(await this.isOpen(graph)) || (await this.isForMany(graph))) return undefined;
        this.hasAnswered = true;
        return this.stream(graph, new lib.Command({ resume: `r${number}` }));
      case "go on":
        return this.stream(graph, null);
      case "input":
        if (this.hasAnswered && (await this.isOpen(graph))) return undefined;
        return this.stream(graph, `in${this.inputs++}`);
      case "resume by id": {
        // LangGraph.js offers a plain answer that was taken again to what a call asks in there,
        // when the next ones come by id.
        if (this.hasAnswered && this.spec.tasks.some(({ calls }) => calls !== undefined))
          return undefined;
        // Beside a call that failed, turns decide whether the caller's question is kept.
        if (this.mayAbort) return undefined;
        const { tasks } = await graph.getState(thread("t"));
        const asked = [...new Set(tasks.flatMap((task) => task.interrupts.map(({ id }) => id)))];
        const chosen = asked.slice(0, operation.of + 1).map((id) => [id, `r${number}`]);
        return chosen.length > 0
          ? this.stream(graph, new lib.Command({ resume: Object.fromEntries(chosen) }))
          : undefined;
      }
      case "update":
        return trace.update(graph, thread("t"), `u${number}`, operation.as ? "work" : undefined);
      case "replay": {
        // A cached call has its writes twice in LangGraph.js when it is replayed.
        if (this.spec.tasks.some(({ isCached }) => isCached)) return undefined;
        // It also offers an answer again that was given there, to each task that asks.
        if (this.hasAnswered && this.spec.tasks.some(({ asks }) => asks > 0)) return undefined;
        const configs = [];
        for await (const snapshot of graph.getStateHistory(thread("t")))
          configs.push(snapshot.config.configurable);
        const configurable = configs[operation.back];
        return configurable === undefined ? undefined : this.stream(graph, null, { configurable });
      }
    }
  }
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return (lib, trace) => new Workflow(spec, lib, trace).run();
}
