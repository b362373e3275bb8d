// SPDX-License-Identifier: MIT
// Random graphs against the clock, in a time of their own: nodes that take their time, node
// timeouts with retries and handlers, heartbeats, stepTimeout, and signals and drains that end a
// run in the midst of it.
import fc from "fast-check";
import { LIBRARIES, Trace, inTime, pause, thread } from "./harness.mjs";
import { Play, logOf, often } from "./random-kit.mjs";

const NAMES = ["n", "B", "k", "d"];
const STEP_MS = 20;
// Longer than a run with limits takes.
const RETRY_MS = 300;

// Of two that end in one moment turns decide. Nodes end at odd moments, their limits are multiples
// of four, those of a run are not.
const node = fc.record({
  takes: fc.nat(4),
  rests: fc.constantFrom(0, 2),
  timeout: often(1, fc.integer({ min: 1, max: 4 }), undefined),
  isIdle: fc.boolean(),
  beats: fc.boolean(),
  attempts: often(2, fc.integer({ min: 1, max: 3 }), undefined),
  isHandled: often(2, fc.constant(true), false),
  fails: often(4, fc.constant(1), 0),
});

const operation = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ op: "go on" }) },
  { weight: 1, arbitrary: fc.constant({ op: "input" }) },
);

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: NAMES.length }),
  isBeside: fc.boolean(),
  stepTimeout: often(2, fc.integer({ min: 1, max: 6 }), undefined),
  abortAfter: often(2, fc.integer({ min: 1, max: 8 }), undefined),
  drainAfter: often(3, fc.integer({ min: 1, max: 8 }), undefined),
  operations: fc.array(operation, { maxLength: 2 }),
});

const late = {
  takes: 2,
  rests: 1,
  timeout: 1,
  isIdle: true,
  beats: true,
  attempts: 2,
  isHandled: true,
  fails: 1,
};
const FIRST = {
  nodes: [late],
  isBeside: false,
  stepTimeout: 6,
  abortAfter: 8,
  drainAfter: 8,
  operations: [{ op: "go on" }],
};
/** @type {Promise<void> | undefined} */
let isLoaded;

class Program extends Play {
  async act(name, number, node, state, config) {
    const run = this.runs.get(name) ?? 0;
    this.runs.set(name, run + 1);
    // Later runs are quicker, so that some attempts are in time.
    const takes = Math.max(0, node.takes - run) * STEP_MS + number * 4 + 1;
    for (let i = 0; i <= node.rests; i++) {
      await pause(takes);
      if (node.beats) config.heartbeat?.();
    }
    if (run < node.fails) throw new RangeError(`${name} fails`);
    return { log: [`${name} ${run} ${state.log.length}`] };
  }

  /** Is a run of it given up when it takes too long? */
  get isLimited() {
    return this.spec.abortAfter !== undefined || this.spec.stepTimeout !== undefined;
  }

  build() {
    const { lib, spec } = this;
    // LangGraph.js runs a handler again that had finished when its step was given up.
    const isAlone = !spec.isBeside || spec.nodes.length === 1;
    // There a failure is held back until its neighbours have waited for their next attempts.
    const isTried = isAlone || !this.isLimited;
    const builder = new lib.StateGraph(lib.Annotation.Root({ log: logOf(lib) }));
    for (const [number, node] of spec.nodes.entries()) {
      const name = NAMES[number];
      const limit =
        node.timeout === undefined ? undefined : node.timeout * STEP_MS + 4 * number + 8;
      builder.addNode(name, (state, config) => this.act(name, number, node, state, config), {
        ...(limit === undefined ? {} : { timeout: node.isIdle ? { idleTimeout: limit } : limit }),
        ...(node.attempts === undefined || !isTried
          ? {}
          : {
              retryPolicy: {
                maxAttempts: node.attempts,
                initialInterval: RETRY_MS,
                jitter: false,
                logWarning: false,
              },
            }),
        ...(node.isHandled && isAlone
          ? {
              errorHandler: (_, { node: from, error }) => ({
                log: [`handled ${from} ${error.name}`],
              }),
            }
          : {}),
      });
      builder.addEdge(number === 0 || spec.isBeside ? lib.START : NAMES[number - 1], name);
    }
    const graph = builder.compile({ checkpointer: new lib.MemorySaver() });
    if (spec.stepTimeout !== undefined) graph.stepTimeout = spec.stepTimeout * STEP_MS + 14;
    return graph;
  }

  stream(graph, input) {
    const { abortAfter, drainAfter } = this.spec;
    const controller = new AbortController();
    const control = new this.lib.RunControl();
    if (drainAfter !== undefined)
      pause(drainAfter * STEP_MS + 16).then(() => control.requestDrain());
    if (abortAfter !== undefined) pause(abortAfter * STEP_MS + 18).then(() => controller.abort());
    return this.trace.stream(
      graph,
      input,
      thread("t", {
        streamMode: ["updates", "values"],
        control,
        ...(abortAfter === undefined ? {} : { signal: controller.signal }),
      }),
      { sorted: "all", fallible: true },
    );
  }

  async run() {
    const graph = this.build();
    // What waits for its next attempt when its run is given up is noted by LangGraph.js as failed,
    // once it has waited.
    this.trace.outcomes =
      !this.isLimited || this.spec.nodes.every(({ attempts }) => attempts === undefined);
    await this.stream(graph, { log: ["in"] });
    for (const { op } of this.spec.operations) {
      // What a run left behind when it was given up goes on for a while.
      await pause(10 * RETRY_MS);
      this.trace.note("operation", op);
      await this.stream(graph, op === "input" ? { log: ["again"] } : null);
      await this.trace.state(graph, thread("t"));
    }
    await this.trace.history(graph, thread("t"));
  }
}

/**
 * A step that took too long is given up with `Abort`; LangGraph.js has another error when one of
 * its tasks had ended.
 * @param {import("./harness.mjs").Trace} trace
 */
function tellLateOnes(trace) {
  for (const [, value] of trace.seen)
    if (value["<error>"] === "TimeoutError")
      Object.assign(value, { "<error>": "Error", message: "Abort" });
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return async (lib, trace) => {
    // What is loaded when it is first used takes no time of the program's.
    await (isLoaded ??= (async () => {
      for (const library of Object.values(LIBRARIES))
        await inTime((_, seen) => new Program(FIRST, library, seen).run())(
          library,
          new Trace(false),
        );
    })());
    await inTime((_, seen) => new Program(spec, lib, seen).run())(lib, trace);
    if (trace.isPeer) tellLateOnes(trace);
  };
}
