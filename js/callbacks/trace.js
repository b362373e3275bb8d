// SPDX-License-Identifier: MIT
// Reports the runs of a graph to the callbacks of its call: its own, one per node, one per
// conditional edge, and its pauses. Used only if there are listeners. Does not depend on how runs
// proceed.
import { TASK_CALL } from "../base/codes.js";
import { runInScope } from "../base/ambient.js";
import { isGraphCallbackHandler } from "./graph-handler.js";
import { CallbackManager, CallbackRun, managerOf } from "./manager.js";
import { tell, tellEnd } from "./notify-handlers.js";
import { withTracedKeys } from "./tracing.js";
import { progressHandler } from "./progress.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/ambient.js").Scope} Scope */

const SEQUENCE = {
  lc: 1,
  type: "not_implemented",
  id: ["langchain_core", "runnables", "RunnableSequence"],
};
const LAMBDA = {
  lc: 1,
  type: "not_implemented",
  id: ["langchain_core", "runnables", "RunnableLambda"],
};
const CALLABLE = { lc: 1, type: "not_implemented", id: ["langgraph", "RunnableCallable"] };
const HIDDEN = ["langsmith:hidden"];
/** Key of what LangChainTracer sends instead of a run's input and output. */
const TRACE_POLICY = Symbol.for("langchain.trace_policy");
/**
 * Maximum microtasks to wait at the end of a stream that is a step of another one, until its output
 * has come out.
 */
const TURNS = 100;
/** @param {Value} value @param {string} key @returns {Value} an object, as tracers require */
function toFields(value, key) {
  const isObject =
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date);
  return isObject ? value : { [key]: value };
}

/**
 * Joins the listeners of one call: the caller's, and those of stream modes.
 * @param {Value} callbacks
 * @param {Value[]} own handlers of stream modes
 * @returns {Value} a manager, or undefined
 */
export function listenersOf(callbacks, own) {
  const given = managerOf(callbacks);
  if (own.length === 0) return given;
  const manager = given === undefined ? managerOf([]) : given.copy();
  for (const handler of own) manager.addHandler(handler, true);
  return manager;
}

/**
 * Does a listener want events of chains? LangChain's own managers may.
 * @param {any} context of a call
 */
export function wantsChains(context) {
  const { manager } = context;
  // A feed that the callbacks of a call leave out receives nothing, not even from the outer stream.
  /** @param {Value} feed @returns {Value} */
  const heard = (feed) =>
    feed === undefined || manager.handlers.includes(feed.handler) ? feed : heard(feed.outer);
  context.messages = heard(context.messages);
  if (context.messages !== undefined) context.messages.outer = heard(context.messages.outer);
  return (
    !(manager instanceof CallbackManager) ||
    manager.handlers.some((/** @type {Value} */ handler) => !handler.ignoreChain)
  );
}

/**
 * Traces a run of a graph from its start to its end.
 * @param {any} graph
 * @param {any} context of the call
 * @param {Value} input
 * @param {any} request for the run; receives the listeners of pauses
 * @param {() => Promise<any>} run
 * @param {(result: Value) => Value} output
 * @returns {Promise<Value>} the result of `run`
 */
export async function traceGraph(graph, context, input, request, run, output) {
  const { config } = context;
  const manager = context.manager.copy();
  manager.addTags([...context.tags]);
  manager.addMetadata(context.metadata);
  const name = config.runName ?? graph.getName();
  const chain = await manager.handleChainStart(
    graph.toJSON(),
    toFields(input, "input"),
    config.runId,
    undefined,
    undefined,
    undefined,
    name,
  );
  context.run = chain;
  const pauses = context.nested ? undefined : watchPauses(chain, request);
  try {
    const result = await run();
    if (result.interrupted) await pauses?.(result);
    if (manager.getParentRunId() !== undefined && !context.nested)
      await context.stream?.taken(TURNS);
    await chain.handleChainEnd(output(result) ?? {});
    return result;
  } catch (error) {
    const told = chain.handleChainError(error);
    await (request.signal?.aborted ? told.catch(() => {}) : told);
    throw error;
  }
}

/**
 * Traces a change of a thread's state as a run.
 * @template Result
 * @param {any} graph
 * @param {Value} config
 * @param {Value} values
 * @param {(run: CallbackRun) => Promise<Result>} update conditional edges are traced below its run
 * @returns {Promise<Result>} the result of `update`
 */
export async function traceUpdate(graph, config, values, update) {
  const manager = managerOf(withTracedKeys(config.callbacks, config)).copy();
  manager.addTags([...(config.tags ?? [])]);
  manager.addMetadata(config.metadata ?? {});
  const name = config.runName ?? `${graph.getName()}UpdateState`;
  const run = await manager.handleChainStart(
    graph.toJSON(),
    toFields(values, "input"),
    config.runId,
    undefined,
    undefined,
    undefined,
    name,
  );
  try {
    const result = await update(run);
    await run.handleChainEnd(toFields(values, "output"));
    return result;
  } catch (error) {
    await run.handleChainError(error);
    throw error;
  }
}

/**
 * Notifies graph callback handlers of a resume, and returns the function that reports a pause.
 * @param {any} chain
 * @param {any} request
 */
function watchPauses(chain, request) {
  const handlers = chain.handlers.filter(isGraphCallbackHandler);
  if (handlers.length === 0) return undefined;
  const { runId } = chain;
  const resumes = request.isNull || request.resume !== undefined || request.resumeMap !== undefined;
  const { sink = {} } = request;
  let told = Promise.resolve();
  request.wantValues = true;
  request.wantHeads = true;
  request.sink = {
    ...sink,
    head: (/** @type {Value} */ head) => {
      sink.head?.(head);
      if (!resumes || !head.isLoaded) return;
      told = tell(handlers, "Resume", "", [
        { runId, status: "pending", checkpointId: head.id, checkpointNs: [] },
      ]);
    },
    turn: async () => {
      await told;
      await sink.turn?.();
    },
  };
  return async (/** @type {Value} */ { checkpointId, interrupts, breakpoint }) => {
    await told;
    await tell(handlers, "Interrupt", "", [
      { runId, status: breakpoint ?? "pending", checkpointId, checkpointNs: [], interrupts },
    ]);
  };
}

/** Returns the manager below which a node runs. @param {Scope} scope */
function nodeManager({ node, task, config }) {
  const { context } = task.run.request;
  const manager =
    context.run === undefined
      ? context.manager.copy()
      : context.run.getChild(`graph:step:${task.step}`);
  if (context.run === undefined) manager.addTags([`graph:step:${task.step}`], false);
  manager.addTags(node.tags === undefined ? [...context.tags] : [...context.tags, ...node.tags]);
  if (task.node === 0) manager.addTags(HIDDEN);
  manager.addMetadata(config.metadata);
  return manager;
}

/**
 * Traces one attempt at a node from its start to its end.
 * @param {Scope} scope
 * @param {(scope: Scope) => Value} attempt
 * @returns {Promise<void>}
 */
export async function traceNode(scope, attempt) {
  // The writers of an update have no run of their own.
  if ((scope.trace = scope.task.run.request.context.heard)) return runInScope(scope, attempt);
  const { name, tracePolicy } = scope.node;
  const extra = tracePolicy && { [TRACE_POLICY]: tracePolicy };
  const run = await nodeManager(scope).handleChainStart(
    SEQUENCE,
    toFields(scope.input, "input"),
    undefined,
    undefined,
    undefined,
    undefined,
    name,
    undefined,
    extra,
  );
  /** @type {{ run: CallbackRun, output: Value, error?: unknown }} */
  const trace = { run, output: scope.input };
  scope.trace = trace;
  const end = () =>
    trace.error === undefined
      ? run.handleChainEnd(toFields(trace.output, "output"))
      : run.handleChainError(trace.error);
  await tellEnd(
    scope.task.signal,
    () => runInScope(scope, attempt),
    end,
    (error) => run.handleChainError(error),
  );
}

/**
 * Traces a conditional edge that is a function.
 * @param {Scope} scope
 * @param {(state: Value, config: unknown) => Value} path
 * @param {Value} state
 */
export async function traceCondition(scope, path, state) {
  const run = await scope.config.callbacks.handleChainStart(
    LAMBDA,
    toFields(state, "input"),
    undefined,
    undefined,
    undefined,
    undefined,
    "RunnableLambda",
  );
  scope.config.callbacks = run.getChild();
  return tellEnd(
    scope.task.signal,
    () => path(state, scope.config),
    (output) => run.handleChainEnd(toFields(output, "output")),
    (error) => run.handleChainError(error),
  );
}

/**
 * Traces a part of a node's output as a run with the tag for hidden ones.
 * @param {Scope} scope
 * @param {string} name
 * @param {Value} input
 * @param {Value} output
 */
export async function tracePart(scope, name, input, output) {
  const manager = /** @type {Value} */ (scope.trace).run.getChild();
  manager.addTags(HIDDEN, false);
  const run = await manager.handleChainStart(
    CALLABLE,
    toFields(input, "input"),
    undefined,
    undefined,
    undefined,
    undefined,
    name,
  );
  await run.handleChainEnd(toFields(output, "output"));
}

/**
 * Runs steps in sequence, traced as LangChain traces a sequence: steps with a name as functions,
 * while others trace themselves.
 * @param {Value} input
 * @param {Value} config
 * @param {readonly (readonly [name: string | undefined, step: (input: Value, config: unknown) =>
 *   Value])[]} steps
 * @returns {Promise<Value>} the result of the last one
 */
export async function traceSequence(input, config, steps) {
  const manager = managerFor(config);
  const run = await manager.handleChainStart(SEQUENCE, toFields(input, "input"), undefined);
  try {
    let value = input;
    for (const [index, [name, step]] of steps.entries()) {
      const callbacks = run.getChild(`seq:step:${index + 1}`);
      value = await (name === undefined
        ? step(value, { ...config, callbacks })
        : traceStep(value, { ...config, callbacks }, name, step));
    }
    await run.handleChainEnd(toFields(value, "output"));
    return value;
  } catch (error) {
    await run.handleChainError(error);
    throw error;
  }
}

/**
 * Makes a step's manager as LangChain's Runnables do: the call's tags follow the step's.
 * @param {Value} config
 */
function managerFor({ callbacks, tags }) {
  const manager = managerOf(callbacks).copy();
  manager.addTags([...(tags ?? [])]);
  return manager;
}

/**
 * @param {Value} input
 * @param {Value} config
 * @param {string} name
 * @param {(input: Value, config: unknown) => Value} step
 */
async function traceStep(input, config, name, step) {
  const told = await managerFor(config).handleChainStart(
    LAMBDA,
    toFields(input, "input"),
    undefined,
    undefined,
    undefined,
    undefined,
    name,
  );
  try {
    const output = await step(input, { ...config, callbacks: told.getChild() });
    await told.handleChainEnd(toFields(output, "output"));
    return output;
  } catch (error) {
    await told.handleChainError(error);
    throw error;
  }
}

/**
 * Returns the callbacks for the config of a node or its conditional edge; if the node has a
 * timeout, every event there counts as progress.
 * @param {Scope} scope
 */
export function nodeCallbacks({ of, task: { run, watch } }) {
  const below = run.request.context.manager && childOf(of);
  return watch === undefined ? below : listenersOf(below, [progressHandler(() => watch.touch())]);
}

/** @param {Scope} scope */
function childOf(scope) {
  if (scope.trace === undefined)
    scope.trace = {
      run: new CallbackRun(scope.task.run.ids.next(), undefined).take(nodeManager(scope)),
      output: undefined,
    };
  const { kind, own } = scope.task;
  // For LangChain a task is the first step of a sequence.
  return scope.trace.run.getChild(
    kind === TASK_CALL && own?.isAside !== true ? "seq:step:1" : undefined,
  );
}

/** @param {Scope} scope @returns {string} */
export function nodeRunId(scope) {
  return scope.trace?.run.runId ?? scope.task.run.ids.next();
}
