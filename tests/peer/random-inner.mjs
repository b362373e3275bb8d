// SPDX-License-Identifier: MIT
// What a random graph's node may be besides a function: a graph, or a function that calls one; and
// how it fails: retries that heal or do not, an error handler, a time that runs out.
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";

const NAMES = ["x", "w"];
// Long, so that only a node that waits takes longer, however busy the machine is.
const SLOW_MS = 200;
const TOO_LONG_MS = 240;

const often = (weight, arbitrary, otherwise) =>
  fc.oneof({ weight, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });

const innerNode = fc.record({
  writes: fc.boolean(),
  asks: often(2, fc.integer({ min: 1, max: 2 }), 0),
  isAsync: fc.boolean(),
  parent: often(4, fc.nat(5), undefined),
  fails: often(5, fc.integer({ min: 1, max: 2 }), 0),
});

/** @type {fc.Arbitrary<any>} a graph inside a node: `how` it gets there, whose saver it has */
export const inner = fc.record({
  nodes: fc.array(innerNode, { minLength: 1, maxLength: 2 }),
  how: fc.constantFrom("node", "call"),
  saver: often(2, fc.constantFrom(true, false, "own"), undefined),
  beside: fc.boolean(),
});

/** @type {fc.Arbitrary<any>} how often a node fails, how often it is tried, who takes over */
export const fault = fc.record({
  fails: fc.integer({ min: 1, max: 3 }),
  attempts: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  isSlow: often(19, fc.constant(true), false),
  handler: fc.option(
    fc.record({
      asks: often(2, fc.constant(1), 0),
      to: fc.option(fc.nat(5), { nil: undefined }),
      isAsync: fc.boolean(),
    }),
    { nil: undefined },
  ),
});

/**
 * What an addNode of this fault says.
 * @param {any} program
 * @param {string} name
 * @param {any} fault
 * @param {boolean} isGraph
 */
export function faultOptions(program, name, { attempts, isSlow, handler }, isGraph) {
  const { lib } = program;
  const handle = (state, { node, error }) => {
    const answers = Array.from({ length: program.spec.saved ? handler.asks : 0 }, (_, n) =>
      lib.interrupt({ handler: name, n }),
    );
    const update = { log: [`handled ${node} ${error.name} ${state.sum ?? "-"}`, ...answers] };
    return handler.to === undefined
      ? update
      : new lib.Command({ update, goto: program.name(handler.to) });
  };
  return {
    ...(attempts === undefined
      ? {}
      : {
          retryPolicy: {
            maxAttempts: attempts,
            initialInterval: 1,
            jitter: false,
            logWarning: false,
          },
        }),
    ...(isSlow && !isGraph ? { timeout: SLOW_MS } : {}),
    ...(handler === undefined
      ? {}
      : {
          errorHandler: handler.isAsync
            ? async (state, error) => (await null, handle(state, error))
            : handle,
        }),
  };
}

/** Would this fault make the run fail, if it came alone? @param {any} fault */
export function isFatal({ fails, attempts, handler }) {
  return handler === undefined && fails >= (attempts ?? 1);
}

/**
 * Does anything in this program stop a run before its end? LangGraph.js runs a handler again that
 * had finished then.
 * @param {any} spec
 */
export function isStopped(spec) {
  const asks = spec.nodes.some(
    ({ asks, inside, fault }) =>
      asks > 0 || inside?.nodes.some((one) => one.asks > 0) || fault?.handler?.asks > 0,
  );
  return (
    spec.saved &&
    (asks ||
      spec.failing !== undefined ||
      spec.nodes.some(({ inside, fault }) => inside !== undefined && fault !== undefined))
  );
}

/** A failing attempt. @param {string} name @param {any} fault */
export async function fail(name, { isSlow }) {
  if (isSlow) await setTimeout(TOO_LONG_MS);
  throw new RangeError(`${name} fails`);
}

/**
 * @param {any} program
 * @param {string} name of the node around it
 * @param {any} spec
 * @returns {any} the compiled graph
 */
function build(program, name, { nodes, saver: wanted }) {
  const { lib } = program;
  // Two tasks that share a namespace at once write over each other; without a saver to share the
  // call fails, before its neighbours in Weft.
  const saver = wanted === true && (program.sends || !program.spec.saved) ? undefined : wanted;
  const { Annotation } = lib;
  const log = Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
  const state = Annotation.Root({
    log,
    sum: Annotation({ reducer: (left, right) => left + right }),
    k: Annotation,
  });
  // Where there is nobody to ask, a question fails. Of two in one step turns decide whether both
  // are told.
  const mayAsk =
    program.spec.saved ||
    name ===
      program.name(
        program.spec.nodes.findIndex(({ inside }) => inside?.nodes.some(({ asks }) => asks > 0)),
      );
  const builder = new lib.StateGraph({
    state,
    input: Annotation.Root({ sum: Annotation, k: Annotation }),
    output: Annotation.Root({ log }),
  });
  for (const [number, node] of nodes.entries()) {
    const own = `${name}/${NAMES[number]}`;
    const act = (given) => {
      const run = program.begin(own);
      if (run < node.fails && program.heals(name)) throw new RangeError(`${own} fails`);
      const answers = Array.from({ length: mayAsk ? node.asks : 0 }, (_, n) =>
        lib.interrupt({ from: own, n }),
      );
      const update =
        node.writes || answers.length > 0
          ? {
              log: [`${own}:${given.log.length}:${given.sum ?? "-"}:${given.k ?? ""}`, ...answers],
              sum: 1,
            }
          : {};
      // LangGraph.js loses what a graph with a namespace of its own tells the graph around it, and
      // what a second attempt does. Of two runs in one step the order decides which one is the
      // third.
      if (
        node.parent === undefined ||
        run > 2 ||
        program.sends ||
        saver === true ||
        program.heals(name)
      )
        return update;
      return new lib.Command({
        graph: lib.Command.PARENT,
        goto: program.name(node.parent),
        update,
      });
    };
    builder.addNode(NAMES[number], node.isAsync ? async (given) => (await null, act(given)) : act);
    builder.addEdge(number === 0 ? lib.START : NAMES[number - 1], NAMES[number]);
  }
  return builder.compile({ checkpointer: saver === "own" ? new lib.MemorySaver() : saver });
}

/**
 * What is added as a node, or called by one.
 * @param {any} program
 * @param {string} name
 * @param {any} spec
 * @returns {any}
 */
export function innerNodeOf(program, name, spec) {
  const graph = build(program, name, spec);
  if (spec.how === "node") return graph;
  return async ({ sum, k }) => {
    const first = await graph.invoke({ sum, k });
    const second = spec.beside ? await graph.invoke({ sum }) : undefined;
    return { log: [...(first?.log ?? []), ...(second?.log ?? [])] };
  };
}
