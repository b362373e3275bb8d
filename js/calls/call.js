// SPDX-License-Identifier: MIT
// Turns a call of a compiled graph (input and config) into a request for a run, and keeps the
// call's config, metadata and listeners. Does not depend on what nodes do.
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
import { LONGEST_MS } from "../base/waits.js";
import { Gate } from "../base/semaphore.js";
import { commandRequest, writeInput } from "./input.js";
import { isUnnamed } from "../base/merge-configs.js";
import { stepTime } from "../run/tasks/attempt-timers.js";
import { refuseUnnamed } from "./require-thread-id.js";
import { givenOf } from "./clock-and-ids.js";
import { Limits } from "./limits.js";
import { ignore, takeOver } from "./resolve-config.js";

/** @typedef {import("../run/tasks/entries.js").Entries} Entries */
/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../callbacks/manager.js").CallbackManager} CallbackManager */
/** @typedef {import("../callbacks/manager.js").ReportedRun} ReportedRun */
/** @typedef {import("../graph/compiled.js").Compiled} Compiled */
/** @typedef {import("../run/start.js").RunRequest} RunRequest */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../savers/base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../stores/base-store.js").BaseStore} BaseStore */
/**
 * A store of the user's: Weft's, or one made for LangGraph.js.
 * @typedef {Partial<BaseStore> & { batch?: (operations: any[]) => Promise<unknown[]> }} Store
 */

const DEFAULT_RECURSION_LIMIT = 25;
export const ROOT_SAVES = "checkpointer: true cannot be used for root graphs.";
const NO_TAGS = /** @type {readonly string[]} */ (Object.freeze([]));

/** @typedef {import("./config.js").Config} Config */
/** @typedef {import("../plan/definition.js").Plan} Plan */

/** The data shared by all tasks of one call. */
export class CallContext {
  /**
   * Its entry among the running calls of its thread.
   * @type {ReturnType<typeof import("./calls-under-way.js").enterThread> | undefined}
   */
  atWork = undefined;
  /** @type {Record<string, unknown> | undefined} */
  #metadata;
  /**
   * Feed of the `messages` stream, if it has a reader.
   * @type {import("./modes/messages-mode.js").MessagesFeed | undefined}
   */
  messages = undefined;
  /**
   * Receives the chunks of the `custom` stream, if it has a reader.
   * @type {((namespace: string[], chunk: unknown) => void) | undefined}
   */
  custom = undefined;
  wantsUpdates = false;
  /** Limits of the call, if it has any. @type {Limits | undefined} */
  limits = undefined;
  /** Request that starts the run. @type {RunRequest | undefined} */
  request = undefined;
  /** Callback manager, if there are callbacks. @type {CallbackManager | undefined} */
  manager = undefined;
  /** Whether the callbacks receive events of the graph and its nodes. */
  traces = false;
  /** The graph's run as the callbacks see it. @type {ReportedRun | undefined} */
  run = undefined;
  /** The started run. @type {Run | undefined} */
  started = undefined;
  /** The saver that subgraphs inherit. @type {SaverLike | undefined} */
  saver = undefined;
  /**
   * The modes that a parent stream shows of subgraphs.
   * @type {import("./modes/modes.js").Tap | undefined}
   */
  tap = undefined;
  /**
   * The call's stream or a parent stream: its reader takes the events.
   * @type {import("../streams/chunk-stream.js").RunStream | undefined}
   */
  stream = undefined;
  /** @type {string[] | undefined} */
  #namespace;
  /**
   * The graph's default policy for nodes without one.
   * @type {import("../run/tasks/attempt-timers.js").RetryRule | undefined}
   */
  retry = undefined;
  /** When checkpoints are saved. @type {string} */
  durability = "async";
  /**
   * Names of the tools, by call id, whose approval requests this call answers.
   * @type {Map<string, string> | undefined}
   */
  askedCalls = undefined;
  /**
   * The thread's state when this call's answer came, if it was read.
   * @type {import("./state-snapshot.js").StateSnapshot | undefined}
   */
  resumed = undefined;
  /**
   * Input that START writes to the state, unless the run resumes from a checkpoint.
   * @type {unknown}
   */
  input = undefined;
  /**
   * Changes the config of tasks of updateState.
   * @type {((fields: object, scope: Scope) => void) | undefined}
   */
  amend;
  /**
   * The run below which tasks of updateState are reported.
   * @type {Scope["trace"]}
   */
  heard;

  /**
   * @param {Plan} plan
   * @param {Config} config
   * @param {Store | undefined} userStore
   * @param {Scope} [scope] of the calling task
   */
  constructor(plan, config, userStore, scope) {
    this.plan = plan;
    this.nested = scope !== undefined;
    this.caller = scope?.task;
    if (scope !== undefined) takeOver(this, scope.task.run.request.context);
    const most = config.maxConcurrency ?? 0;
    this.gate = most > 0 ? new Gate(most) : undefined;
    this.config = config;
    /** @type {Store | undefined} */
    this.userStore = userStore?.batched?.() ?? userStore;
    /** Whether the store was made for LangGraph.js, which batches the operations of nodes. */
    this.gathers = userStore?.batch && !userStore.batched;
    /**
     * Control by which the caller can drain the run; made when a node reads it.
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

  /** Namespace of this graph among its parents. */
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
   * Collects the listeners: the caller's callbacks and the handlers of stream modes.
   * @param {object[]} own
   */
  listenTo(own) {
    const callbacks = withTracedKeys(withTracers(this.config.callbacks), this.config);
    if (this.limits !== undefined) own = [...own, /** @type {object} */ (this.limits.handler)];
    if (own.length === 0 && (callbacks === undefined || callbacks === null)) return;
    let manager = /** @type {CallbackManager} */ (listenersOf(callbacks, own));
    if (this.request?.nextId !== undefined)
      manager = Object.assign(manager.copy(), { newId: this.request.nextId });
    this.manager = manager;
    this.traces = wantsChains(this, manager);
  }
}

/**
 * Selects the saver of a call: a subgraph inherits its parent's, unless it disables saving.
 * @param {Compiled} graph
 * @param {CallContext} context
 * @returns {SaverLike | undefined}
 */
function saverOf(graph, { config, saver }) {
  const own = config.checkpointer ?? graph.checkpointer;
  if (own === false) return undefined;
  if (saver !== undefined) return saver;
  if (own === true) throw new Error(ROOT_SAVES);
  return own;
}

/**
 * Returns the store and thread of a call; undefined when it saves nothing.
 * @param {SaverLike | undefined} checkpointer
 * @param {Config} config
 * @param {Plan} [plan] of a call
 * @param {unknown} [input] of the call
 * @returns {Pick<RunRequest, "store" | "threadId" | "isolate" | "strict" | "otherwise"> |
 *   undefined}
 */
export function threadOf(checkpointer, config, plan, input) {
  if (!checkpointer) return undefined;
  const threadId = config.configurable?.thread_id;
  const isForeign = typeof checkpointer.getTuple === "function";
  const store = isForeign ? checkpointer.logStore : checkpointer.store;
  if (store === undefined && isForeign) {
    // The saver gets the call's ids in the metadata, like the callbacks: servers find a run's
    // checkpoints by them.
    const own = plan === undefined ? config : { ...config, metadata: callMetadata(config) };
    return {
      store: new SaverPort(checkpointer, own),
      threadId: String(threadId ?? ""),
      isolate: false,
      strict: false,
    };
  }
  // The compiled graph's checkpointer was replaced by another object.
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
 * Builds the request of a call.
 * @param {Plan} plan
 * @param {Compiled} graph the compiled graph, with its checkpointer and interrupt lists
 * @param {unknown} input
 * @param {CallContext} context
 * @returns {RunRequest} the request without its sink
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
  // Requests have the same fields in the same order and are never copied, so that reading them is
  // fast.
  /** @type {RunRequest} */
  const request = {
    kind: RUN_INVOKE,
    parent: caller,
    childFlags: caller && childFlags(graph, context, thread),
    recursionLimit: stepLimit(context.recursionLimit),
    turn:
      thread?.threadId && caller === undefined
        ? turnOf(
            /** @type {SaverLike} */ (saver),
            config.multitaskStrategy ?? graph.multitaskStrategy,
          )
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
    input: undefined,
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
 * Returns when the run begins if another run of its thread is in progress.
 * @param {SaverLike} saver
 * @param {"enqueue" | "reject" | "concurrent" | undefined} strategy without one as "enqueue",
 *   but a call that waits for its own node ends
 */
export function turnOf(saver, strategy) {
  if (strategy === "concurrent") return undefined;
  const rejects = strategy === "reject";
  if (strategy !== undefined && strategy !== "enqueue" && !rejects)
    throw makeError(ERR_ARGUMENT, ["multitaskStrategy: enqueue, reject or concurrent"]);
  return {
    saver,
    rejects,
    isUnsure: strategy === undefined && !hasStorage(),
  };
}

/**
 * Returns the clock and ids of the call, or of its parent run.
 * @param {Config} config
 * @param {RunRequest | undefined} outer
 */
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

/**
 * Merges the call's limits over the graph's.
 * @param {Compiled} graph
 * @param {CallContext} context
 */
function limitsOf({ limits }, context) {
  const { config } = context;
  if (limits === undefined && config.limits === undefined) return undefined;
  return (context.limits = new Limits(context, limits, config.limits));
}

/** @param {Compiled} graph @param {CallContext} context @param {unknown} thread */
function childFlags(graph, { saver, config }, thread) {
  const mayAsk = thread === undefined && saver !== undefined;
  return (
    (graph.checkpointer === true ? CHILD_STABLE : 0) |
    (mayAsk ? CHILD_MAY_ASK : 0) |
    (config.configurable?.checkpoint_ns === "" ? CHILD_ROOT : 0)
  );
}

/**
 * Returns the checkpoints that a root run starts from: its own and, in a map, those of subgraphs.
 * @param {Config} config
 * @param {unknown} thread
 * @param {unknown} caller the calling task; its parent has the map then
 */
function startOf({ configurable }, thread, caller) {
  if (thread === undefined || configurable === undefined) return undefined;
  const map = caller === undefined ? (configurable.checkpoint_map ?? undefined) : undefined;
  const id = configurable.checkpoint_ns ? undefined : configurable.checkpoint_id;
  return { checkpointId: map?.[""] ?? (id || undefined), checkpointMap: map };
}

/** @param {number} limit @returns {number} clamped to the engine's maximum */
function stepLimit(limit) {
  return limit < 0xfffffff ? Math.floor(limit) : 0xfffffff;
}

/**
 * Reads a list of breakpoints. A call's list replaces the graph's, even if empty; unknown names are
 * ignored. A string selects the nodes whose names it contains.
 * @param {Plan} plan
 * @param {import("../plan/definition.js").NodeNames} interruptNodes
 * @returns {"*" | string[] | undefined}
 */
function breakpoints(plan, interruptNodes) {
  if (interruptNodes === null || interruptNodes === undefined || interruptNodes === "*")
    return /** @type {"*" | undefined} */ (interruptNodes ?? undefined);
  const names = typeof interruptNodes === "string" ? interruptNodes : [...interruptNodes];
  return [...plan.nodeNumbers.keys()].filter((name) => names.includes(name));
}

/** @param {Config} config @returns {AbortSignal | undefined} */
export function signalOf(config) {
  if (config.timeout === undefined) return config.signal ?? undefined;
  const timeout = AbortSignal.timeout(Math.min(config.timeout, LONGEST_MS));
  return config.signal === undefined ? timeout : AbortSignal.any([config.signal, timeout]);
}
