// SPDX-License-Identifier: MIT
// Reports the runs of a graph to the callbacks of its call: its own, one per node, one per
// conditional edge, and its pauses. Used only if there are listeners. Does not depend on how runs
// proceed.
import { TASK_CALL } from "../base/codes.js";
import { runInScope } from "../base/ambient.js";
import { isGraphCallbackHandler } from "./graph-handler.js";
import { CallbackManager, CallbackRun, managerFrom, managerOf } from "./manager.js";
import { fieldsOf, tell, tellEnd, within } from "./notify-handlers.js";
import { begin, listenersIn, tellRun } from "./trace-operator.js";
import { progressHandler } from "./progress.js";

/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../calls/call.js").CallContext} CallContext */
/** @typedef {import("../calls/modes/messages-mode.js").MessagesFeed} MessagesFeed */
/** @typedef {import("../run/start.js").RunRequest} RunRequest */
/** @typedef {import("../run/start.js").RunResult} RunResult */
/** @typedef {import("../runnable/runnable.js").Runnable} Runnable */
/** @typedef {import("./manager.js").Handler} Handler */
/** @typedef {import("./manager.js").ReportedRun} ReportedRun */

/** @param {string[]} id of a class */
const kindOf = (...id) => ({ lc: 1, type: "not_implemented", id });
const SEQUENCE = /* @__PURE__ */ kindOf("langchain_core", "runnables", "RunnableSequence");
const LAMBDA = /* @__PURE__ */ kindOf("langchain_core", "runnables", "RunnableLambda");
const CALLABLE = /* @__PURE__ */ kindOf("langgraph", "RunnableCallable");
const HIDDEN = ["langsmith:hidden"];
/** Key of what LangChainTracer sends instead of a run's input and output. */
const TRACE_POLICY = Symbol.for("langchain.trace_policy");
/**
 * Maximum microtasks to wait at the end of a stream that is a step of another one, until its output
 * has come out.
 */
const TURNS = 100;

/**
 * Joins the listeners of one call: the caller's, and those of stream modes.
 * @param {unknown} callbacks
 * @param {object[]} own handlers of stream modes
 * @returns {CallbackManager | undefined}
 */
export function listenersOf(callbacks, own) {
  const given = managerOf(callbacks);
  if (own.length === 0) return given;
  const manager = given === undefined ? managerFrom([]) : given.copy();
  for (const handler of own) manager.addHandler(handler, true);
  return manager;
}

/**
 * Does a listener want events of chains? LangChain's own managers may.
 * @param {CallContext} context
 * @param {CallbackManager} manager its own
 */
export function wantsChains(context, manager) {
  // A feed that the callbacks of a call leave out receives nothing, not even from the outer stream.
  /** @param {MessagesFeed | undefined} feed @returns {MessagesFeed | undefined} */
  const heard = (feed) =>
    feed === undefined || manager.handlers.includes(feed.handler) ? feed : heard(feed.outer);
  context.messages = heard(context.messages);
  if (context.messages !== undefined) context.messages.outer = heard(context.messages.outer);
  return (
    !(manager instanceof CallbackManager) ||
    manager.handlers.some((/** @type {Handler} */ handler) => !handler.ignoreChain)
  );
}

/**
 * Traces a run of a graph from its start to its end.
 * @param {Runnable} graph
 * @param {CallContext} context of the call, which has callbacks
 * @param {unknown} input
 * @param {RunRequest} request for the run; receives the listeners of pauses
 * @param {() => Promise<RunResult>} run
 * @param {(result: RunResult) => unknown} output
 * @returns {Promise<RunResult>} the result of `run`
 */
export async function traceGraph(graph, context, input, request, run, output) {
  const { config } = context;
  const manager = /** @type {CallbackManager} */ (context.manager).copy();
  manager.addTags([...context.tags]);
  manager.addMetadata(context.metadata);
  const name = config.runName ?? graph.getName();
  const chain = await begin(manager, graph.toJSON(), input, name, config.runId);
  context.run = chain;
  const pauses = context.nested ? undefined : watchPauses(chain, request);
  try {
    const result = await within(chain.handlers, chain.runId, run, request);
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
 * @param {Runnable} graph
 * @param {Config} config with callbacks
 * @param {unknown} values
 * @param {(run: ReportedRun) => Promise<Result>} update conditional edges are traced below its run
 * @returns {Promise<Result>} the result of `update`
 */
export async function traceUpdate(graph, config, values, update) {
  const manager = /** @type {CallbackManager} */ (listenersIn(config));
  const name = config.runName ?? `${graph.getName()}UpdateState`;
  const run = await begin(manager, graph.toJSON(), values, name, config.runId);
  return tellRun(
    run,
    () => update(run),
    () => fieldsOf(values, "output"),
  );
}

/**
 * Notifies graph callback handlers of a resume, and returns the function that reports a pause.
 * @param {ReportedRun} chain
 * @param {RunRequest} request
 */
function watchPauses(chain, request) {
  const handlers = chain.handlers.filter(isGraphCallbackHandler);
  if (handlers.length === 0) return undefined;
  const { runId } = chain;
  const resumes = request.isNull || request.resume !== undefined || request.resumeMap !== undefined;
  /** @type {import("../run/start.js").Sink} */
  const sink = request.sink ?? {};
  let told = Promise.resolve();
  request.wantValues = true;
  request.wantHeads = true;
  request.sink = {
    ...sink,
    head: (head) => {
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
  return async (/** @type {RunResult} */ { checkpointId, interrupts, breakpoint }) => {
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
      ? /** @type {CallbackManager} */ (context.manager).copy()
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
 * @param {(scope: Scope) => void | Promise<void>} attempt
 * @returns {Promise<void>}
 */
export async function traceNode(scope, attempt) {
  // The writers of an update have no run of their own.
  if ((scope.trace = scope.task.run.request.context.heard)) return runInScope(scope, attempt);
  const { name, tracePolicy } = scope.node;
  const extra = tracePolicy && { [TRACE_POLICY]: tracePolicy };
  const run = await begin(nodeManager(scope), SEQUENCE, scope.input, name, undefined, extra);
  /** @type {NonNullable<Scope["trace"]>} */
  const trace = { run, output: scope.input };
  scope.trace = trace;
  const end = () =>
    trace.error === undefined
      ? run.handleChainEnd(fieldsOf(trace.output, "output"))
      : run.handleChainError(trace.error);
  await tellEnd(
    scope.task.signal,
    () => within(run.handlers, run.runId, () => runInScope(scope, attempt)),
    end,
    (error) => run.handleChainError(error),
  );
}

/**
 * Traces a conditional edge that is a function.
 * @param {Scope} scope
 * @param {(state: unknown, config: unknown) => unknown} path
 * @param {unknown} state
 */
export async function traceCondition(scope, path, state) {
  const run = await begin(managerFrom(scope.config.callbacks), LAMBDA, state, "RunnableLambda");
  scope.config.callbacks = run.getChild();
  return tellEnd(
    scope.task.signal,
    () => path(state, scope.config),
    (output) => run.handleChainEnd(fieldsOf(output, "output")),
    (error) => run.handleChainError(error),
  );
}

/**
 * Traces a part of a node's output as a run with the tag for hidden ones.
 * @param {Scope} scope
 * @param {string} name
 * @param {unknown} input
 * @param {unknown} output
 */
export async function tracePart(scope, name, input, output) {
  const manager = /** @type {NonNullable<Scope["trace"]>} */ (scope.trace).run.getChild();
  manager.addTags(HIDDEN, false);
  const run = await begin(manager, CALLABLE, input, name);
  await run.handleChainEnd(fieldsOf(output, "output"));
}

/**
 * Runs steps in sequence, traced as LangChain traces a sequence: steps with a name as functions,
 * while others trace themselves.
 * @param {unknown} input
 * @template Input
 * @param {Config} config
 * @param {readonly (readonly [name: string | undefined, step: (input: any, config: Config) =>
 *   unknown])[]} steps
 * @returns {Promise<unknown>} the result of the last one
 */
export async function traceSequence(input, config, steps) {
  const manager = managerFor(config);
  const run = await begin(manager, SEQUENCE, input);
  return tellRun(run, async () => {
    /** @type {unknown} */
    let value = input;
    for (const [index, [name, step]] of steps.entries()) {
      const callbacks = run.getChild(`seq:step:${index + 1}`);
      value = await (name === undefined
        ? step(value, { ...config, callbacks })
        : traceStep(value, { ...config, callbacks }, name, step));
    }
    return value;
  });
}

/**
 * Makes a step's manager as LangChain's Runnables do: the call's tags follow the step's.
 * @param {Config} config with callbacks
 */
function managerFor({ callbacks, tags }) {
  const manager = managerFrom(callbacks).copy();
  manager.addTags([...(tags ?? [])]);
  return manager;
}

/**
 * @param {unknown} input
 * @param {Config} config
 * @param {string} name
 * @param {(input: unknown, config: Config) => unknown} step
 */
async function traceStep(input, config, name, step) {
  const told = await begin(managerFor(config), LAMBDA, input, name);
  return tellRun(told, async () => step(input, { ...config, callbacks: told.getChild() }));
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
      run: /** @type {ReportedRun} */ (
        new CallbackRun(scope.task.run.ids.next(), undefined).take(nodeManager(scope))
      ),
      output: undefined,
    };
  const { kind, own } = scope.task;
  // For LangChain a task is the first step of a sequence.
  return /** @type {NonNullable<Scope["trace"]>} */ (scope.trace).run.getChild(
    kind === TASK_CALL && own?.isAside !== true ? "seq:step:1" : undefined,
  );
}

/** @param {Scope} scope @returns {string} */
export function nodeRunId(scope) {
  return scope.trace?.run.runId ?? scope.task.run.ids.next();
}
