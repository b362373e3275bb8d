// SPDX-License-Identifier: MIT
// Knows: how a call (input + config) of a compiled graph becomes a request to the engine's side,
// and which config, metadata and listeners hold for its whole length. Must not know: what nodes do.
import { splitNamespace } from "../base/namespace.js";
import { isCommand } from "../base/constants.js";
import { makeError } from "../base/errors.js";
import { badArgument } from "../base/check-arguments.js";
import {
  ERR_ARGUMENT,
  CHILD_MAY_ASK,
  CHILD_ROOT,
  CHILD_STABLE,
  RUN_INVOKE,
} from "../base/codes.js";
import { retryRule } from "../plan/policies.js";
import { withTracers } from "../callbacks/environment.js";
import { listenersOf, wantsChains } from "../callbacks/trace.js";
import { withTracedKeys } from "../callbacks/tracing.js";
import { hasStorage } from "../base/ambient.js";
import { callMetadata, serverInfoOf } from "./config.js";
import { RunControl } from "./control.js";
import { SaverPort } from "../savers/foreign-saver.js";
import { Gate } from "../base/semaphore.js";
import { commandRequest, writeInput } from "./input.js";
import { isUnnamed } from "../base/merge-configs.js";
import { stepTime } from "../run/tasks/attempt-timers.js";
import { refuseUnnamed } from "./require-thread-id.js";
import { givenOf } from "./clock-and-ids.js";
import { Limits } from "./limits.js";
import { ignore, takeOver } from "./resolve-config.js";

/** @typedef {import("../run/tasks/entries.js").Entries} Entries */
/** @typedef {import("../base/callable.js").Value} Value */

const DEFAULT_RECURSION_LIMIT = 25;
export const ROOT_SAVES = "checkpointer: true cannot be used for root graphs.";
const NO_TAGS = /** @type {readonly string[]} */ (Object.freeze([]));

/** @typedef {import("./config.js").Config} Config */
/** @typedef {import("../plan/definition.js").Plan} Plan */

/** What holds for one call, for all of its tasks. */
export class CallContext {
  /**
   * Its place among the calls of its thread.
   * @type {ReturnType<typeof import("./calls-under-way.js").enterThread> | undefined}
   */
  atWork = undefined;
  /** @type {Record<string, unknown> | undefined} */
  #metadata;
  /** @type {Value} the feed of the `messages` stream, when somebody reads it */
  messages = undefined;
  /**
   * Takes what is written to the `custom` stream, when somebody reads it.
   * @type {((namespace: string[], chunk: unknown) => void) | undefined}
   */
  custom = undefined;
  wantsUpdates = false;
  /** What the call may take, when that is limited. @type {any} */
  limits = undefined;
  /** @type {any} the engine's side is asked for it */
  request = undefined;
  /** Callbacks, when there are any. @type {any} */
  manager = undefined;
  /** Are they told of the graph and its nodes? */
  traces = false;
  /** The graph's own run, as they know it. @type {unknown} */
  run = undefined;
  /** The engine's side of it. @type {Value} */
  started = undefined;
  /** The saver that the graphs inside take over. @type {Value} */
  saver = undefined;
  /**
   * What a stream above takes of the graphs inside.
   * @type {import("./modes/modes.js").Tap | undefined}
   */
  tap = undefined;
  /**
   * Its stream, or one above, whose reader takes what was told.
   * @type {import("../streams/chunk-stream.js").RunStream | undefined}
   */
  stream = undefined;
  /** @type {string[] | undefined} */
  #namespace;
  /**
   * The graph's policy for nodes without one.
   * @type {import("../run/tasks/attempt-timers.js").RetryRule | undefined}
   */
  retry = undefined;
  /** When what a run makes is saved. @type {string} */
  durability = "async";
  /**
   * The tool calls that a person was asked about when the call resumed the thread: the names of
   * their tools, by id.
   * @type {Map<string, string> | undefined}
   */
  askedCalls = undefined;
  /** What START spreads over the state, unless the run goes on from a checkpoint. @type {Value} */
  input = undefined;

  /**
   * @param {Plan} plan
   * @param {Config} config
   * @param {Value} userStore
   * @param {import("../base/ambient.js").Scope} [scope] the task that calls
   */
  constructor(plan, config, userStore, scope) {
    this.plan = plan;
    this.nested = scope !== undefined;
    this.caller = scope?.task;
    if (scope !== undefined) takeOver(this, scope.task.run.request.context);
    const most = config.maxConcurrency ?? 0;
    this.gate = most > 0 ? new Gate(most) : undefined;
    this.config = config;
    this.userStore = userStore?.batched?.() ?? userStore;
    /** Is it made for LangGraph.js, which gathers what nodes ask of it? */
    this.gathers = this.userStore?.batch && !userStore.batched;
    /**
     * By which a run is asked to give way; made when a node reads it.
     * @type {import("./control.js").RunControl | undefined}
     */
    this.control = config.control;
    /** @type {string | string[] | undefined} */
    this.outputKeys = config.outputKeys;
    this.tags = config.tags ?? NO_TAGS;
    this.recursionLimit = config.recursionLimit ?? DEFAULT_RECURSION_LIMIT;
    this.serverInfo = serverInfoOf(config);
  }

  get metadata() {
    return (this.#metadata ??= callMetadata(this.config));
  }

  /** Where this graph stands among those around it. */
  get namespace() {
    if (this.started === undefined) return [];
    return (this.#namespace ??= splitNamespace(this.started.namespace));
  }

  /** @returns {(chunk: unknown) => void} */
  get writer() {
    const { custom } = this;
    return custom === undefined ? ignore : (chunk) => custom(this.namespace, chunk);
  }

  makeControl() {
    return (this.control ??= new RunControl());
  }

  /**
   * Who listens, from now on: the caller's callbacks and the handlers of stream modes.
   * @param {unknown[]} own
   */
  listenTo(own) {
    const callbacks = withTracedKeys(withTracers(this.config.callbacks), this.config);
    if (this.limits !== undefined) own = [...own, this.limits.handler];
    if (own.length === 0 && (callbacks === undefined || callbacks === null)) return;
    this.manager = listenersOf(callbacks, own);
    if (this.request?.nextId !== undefined)
      this.manager = Object.assign(this.manager.copy(), { newId: this.request.nextId });
    this.traces = wantsChains(this);
  }
}

/**
 * The saver of a call: a graph inside a task takes that of the graph around it, unless it wants
 * none.
 * @param {any} graph
 * @param {CallContext} context
 */
function saverOf(graph, { config, saver }) {
  const own = config.checkpointer ?? graph.checkpointer;
  if (own === false) return undefined;
  if (saver !== undefined) return saver;
  if (own === true) throw new Error(ROOT_SAVES);
  return own;
}

/**
 * The store and thread of a call, or nothing when it saves nothing.
 * @param {Value} checkpointer
 * @param {Config} config
 * @param {Plan} [plan] of a call
 * @param {Value} [input] what it begins with
 * @returns {{ store: Value, threadId: string, isolate: boolean, strict: boolean, otherwise?: Value
 *   } | undefined}
 */
export function threadOf(checkpointer, config, plan, input) {
  if (!checkpointer) return undefined;
  const threadId = config.configurable?.thread_id;
  const isForeign = typeof checkpointer.getTuple === "function";
  const store = isForeign ? checkpointer.logStore : checkpointer.store;
  if (store === undefined && isForeign) {
    // A run's saver gets the ids of the call in the metadata, as its handlers do: servers find a
    // run's checkpoints by them.
    const own = plan === undefined ? config : { ...config, metadata: callMetadata(config) };
    return {
      store: new SaverPort(checkpointer, own),
      threadId: String(threadId ?? ""),
      isolate: false,
      strict: false,
    };
  }
  // Somebody has put it in the place of the one that the graph was compiled with.
  if (!store) throw badArgument("checkpointer must be a checkpointer");
  if (isUnnamed(config)) refuseUnnamed(config, plan, input, checkpointer);
  return {
    store,
    threadId,
    isolate: checkpointer.isolate === true,
    strict: checkpointer.strict === true,
    otherwise: { saver: checkpointer, open: () => new SaverPort(checkpointer, config) },
  };
}

/**
 * @param {Plan} plan
 * @param {any} graph the compiled graph: its checkpointer and interrupt lists
 * @param {Value} input
 * @param {CallContext} context
 * @returns {Value} the request, without its sink
 */
export function makeRequest(plan, graph, input, context) {
  const { config, caller } = context;
  if (/** @type {number} */ (config.recursionLimit) < 1)
    throw new Error('Passed "recursionLimit" must be at least 1.');
  const saver = saverOf(graph, context);
  const thread = threadOf(saver, config, plan, input);
  if (thread !== undefined) context.saver = saver;
  const outer = caller?.run.request;
  const isNull = input === null || input === undefined;
  // Requests have the same fields in the same order, and are copied nowhere: that is what makes
  // reading them cheap.
  const request = {
    kind: RUN_INVOKE,
    parent: caller,
    childFlags: caller && childFlags(graph, context, thread),
    recursionLimit: stepLimit(context.recursionLimit),
    turn:
      thread?.threadId && caller === undefined
        ? turnOf(saver, config.multitaskStrategy ?? graph.multitaskStrategy)
        : undefined,
    durability: (context.durability = config.durability ?? outer?.durability ?? "async"),
    interruptBefore: breakpoints(plan, config.interruptBefore ?? graph.interruptBefore),
    interruptAfter: breakpoints(plan, config.interruptAfter ?? graph.interruptAfter),
    isNull,
    signal: signalOf(config),
    stepTimeout: graph.stepTimeout && stepTime(graph.stepTimeout),
    recording: config.record,
    limits: limitsOf(graph, context),
    context,
    input: /** @type {any} */ (undefined),
  };
  Object.assign(request, thread, startOf(config, thread, caller), givenFor(config, outer));
  context.request = request;
  context.retry = retryRule(graph.retryPolicy);
  if (isCommand(input))
    return Object.assign(request, commandRequest(plan, input, thread !== undefined));
  if (isNull) return request;
  context.input = input;
  request.input = (/** @type {Entries} */ entries) => writeInput(plan, entries, input);
  return request;
}

/**
 * When the run begins, if another one of its thread is under way.
 * @param {unknown} saver
 * @param {"enqueue" | "reject" | "concurrent" | undefined} strategy without one runs of a saver
 *   queue, other savers are not asked
 */
function turnOf(saver, strategy) {
  if (strategy === "concurrent") return undefined;
  const rejects = strategy === "reject";
  if (strategy !== undefined && strategy !== "enqueue" && !rejects)
    throw makeError(ERR_ARGUMENT, ["multitaskStrategy: enqueue, reject or concurrent"]);
  return {
    saver,
    rejects,
    holds: strategy !== undefined,
    isUnsure: strategy === undefined && !hasStorage(),
  };
}

/** Time and ids of the call, or of the run around it. @param {Config} config @param {any} outer */
export function givenFor(config, outer) {
  if (
    config.clock === undefined &&
    config.ids === undefined &&
    outer?.clock === undefined &&
    outer?.nextId === undefined
  )
    return undefined;
  return givenOf(config, outer);
}

/** The call's limits over the graph's. @param {any} graph @param {CallContext} context */
function limitsOf({ limits }, context) {
  const { config } = context;
  if (limits === undefined && config.limits === undefined) return undefined;
  return (context.limits = new Limits(context, limits, config.limits));
}

/** @param {any} graph @param {CallContext} context @param {unknown} thread */
function childFlags(graph, { saver, config }, thread) {
  const mayAsk = thread === undefined && saver !== undefined;
  return (
    (graph.checkpointer === true ? CHILD_STABLE : 0) |
    (mayAsk ? CHILD_MAY_ASK : 0) |
    (config.configurable?.checkpoint_ns === "" ? CHILD_ROOT : 0)
  );
}

/**
 * The checkpoints that a root run starts from: its own and, in a map, those of graphs inside.
 * @param {Config} config
 * @param {unknown} thread
 * @param {unknown} caller the task around it, where the map is its own
 */
function startOf({ configurable }, thread, caller) {
  if (thread === undefined || configurable === undefined) return undefined;
  const map = caller === undefined ? (configurable.checkpoint_map ?? undefined) : undefined;
  const id = configurable.checkpoint_ns ? undefined : configurable.checkpoint_id;
  return { checkpointId: map?.[""] ?? (id || undefined), checkpointMap: map };
}

/** @param {Value} limit @returns {number} what the engine can count to */
function stepLimit(limit) {
  return limit < 0xfffffff ? Math.floor(limit) : 0xfffffff;
}

/**
 * A call's list, an empty one too, replaces the graph's; names that are no nodes are passed over. A
 * text names those that are in it.
 * @param {Plan} plan
 * @param {Value} interruptNodes
 */
function breakpoints(plan, interruptNodes) {
  if (interruptNodes === null || interruptNodes === undefined || interruptNodes === "*")
    return interruptNodes ?? undefined;
  const names = typeof interruptNodes === "string" ? interruptNodes : [...interruptNodes];
  return [...plan.nodeNumbers.keys()].filter((name) => names.includes(name));
}

/** @param {Config} config @returns {AbortSignal | undefined} */
function signalOf(config) {
  if (config.timeout === undefined) return config.signal ?? undefined;
  const timeout = AbortSignal.timeout(config.timeout);
  return config.signal === undefined ? timeout : AbortSignal.any([config.signal, timeout]);
}
