// SPDX-License-Identifier: MIT
// Makes call configs (LangChain's RunnableConfig with LangGraph's keys), merges them, and makes the
// config of a node, whose parts are computed when they are read. Does not depend on stores or
// records.
import { innerNamespace, splitNamespace } from "../base/namespace.js";
import { TASK_CALL } from "../base/codes.js";
import { SCOPE, Scope } from "../base/ambient.js";
import { withKeys } from "./config-keys.js";
import { interruptTask } from "./interrupt.js";
import { nodeCallbacks } from "../callbacks/trace.js";
import { METADATA_KEYS } from "../base/merge-configs.js";
import { callTask } from "./task-call.js";

/** @typedef {import("./call.js").CallContext} CallContext */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../callbacks/manager.js").CallbackManager} CallbackManager */
/** @typedef {import("../types/base/common-types.js").InterruptOptions} InterruptOptions */
/** @typedef {import("../plan/definition.js").Plan} Plan */
/** @typedef {import("../plan/definition.js").Node} Node */
/** @typedef {import("../run/tasks/task.js").NodeTask} NodeTask */
/**
 * The config that a node receives, with the data and functions of its run.
 * @typedef {Config & { metadata: Record<string, unknown>, configurable: Record<PropertyKey, any>,
 *   tags: readonly string[], writer: (chunk: unknown) => void, heartbeat?: () => void, [SCOPE]:
 *   Scope }} NodeConfig
 */

/** Of the type of each field that it stands for. */
const PENDING = /** @type {never} */ (Symbol("made when it is read"));

/**
 * Returns the metadata of a call, with the ids that LangGraph adds.
 * @param {Config} config
 * @returns {Record<string, unknown>}
 */
export function callMetadata(config) {
  /** @type {Record<string, unknown>} */
  const metadata = { ls_integration: "langgraph", ...config.metadata };
  const { model } = config.configurable ?? {};
  if (typeof model === "string") metadata.model ??= model;
  for (const key of METADATA_KEYS) {
    const value = config.configurable?.[key];
    if (value !== undefined && metadata[key] === undefined) metadata[key] = value;
  }
  if (config.timeout !== undefined) metadata.timeoutMs = config.timeout;
  return metadata;
}

/**
 * Reads a server's description of itself from the config of a call.
 * @param {Config} config
 * @returns {{ assistantId: string, graphId: string, user: object | undefined } | undefined}
 */
export function serverInfoOf({ configurable, metadata }) {
  const assistant = configurable?.assistant_id ?? metadata?.assistant_id;
  const graph = configurable?.graph_id ?? metadata?.graph_id;
  const given = configurable?.langgraph_auth_user ?? undefined;
  const user = typeof given === "object" ? given : undefined;
  if (assistant === undefined && graph === undefined && user === undefined) return undefined;
  return { assistantId: String(assistant ?? ""), graphId: String(graph ?? ""), user };
}

/**
 * Fields of the config of a node or of its conditions; expensive ones are computed when they are
 * read.
 */
class Fields {
  /** @type {Scope} */
  [SCOPE];

  /**
   * @param {Scope} scope
   * @param {CallContext} context of the call (call.js)
   */
  constructor(scope, context) {
    const { node, task } = scope;
    const { config } = context;
    this.tags = node.tags === undefined ? context.tags : [...context.tags, ...node.tags];
    /** @type {Record<string, unknown>} */
    this.metadata = PENDING;
    const isHeard = context.manager !== undefined || task.watch?.rule.idleTimeout !== undefined;
    if (isHeard)
      /** @type {CallbackManager | undefined} */
      this.callbacks = PENDING;
    this.recursionLimit = context.recursionLimit;
    if (scope.isAsked) {
      // LangChain derives a condition's config from the node's, one step deeper.
      if (task.node === 0) this.tags = [...this.tags, "langsmith:hidden"];
      this.recursionLimit--;
      /** @type {string | undefined} */
      this.runId = undefined;
    }
    /** @type {Record<PropertyKey, unknown>} */
    this.configurable = PENDING;
    for (const key of ["maxConcurrency", "context", "durability"])
      if (config[key] != null) Object.assign(this, { [key]: config[key] });
    /** @type {AbortSignal} */
    this.signal = PENDING;
    const isBelow = task.kind === TASK_CALL || task.failure !== undefined;
    this.writer =
      isBelow && context.custom !== undefined ? writerBelow(scope, context) : context.writer;
    /** @type {(value: unknown, options?: InterruptOptions) => unknown} */
    this.interrupt = PENDING;
    if (context.serverInfo !== undefined) this.serverInfo = context.serverInfo;
    /** @type {import("./control.js").RunControl} */
    this.control = PENDING;
    if (context.userStore) this.store = context.userStore;
    if (!isHeard) this.runName = node.name;
    /** @type {ReturnType<typeof makeExecutionInfo>} */
    this.executionInfo = PENDING;
    task.watch?.fill(this);
    this[SCOPE] = scope.of;
    // Tasks of updateState get other fields.
    context.amend?.(this, scope);
  }

  /**
   * Runs a step made by task(), also after an `await` without AsyncLocalStorage. A getter of the
   * prototype, so that the config has no such key, as in LangGraph.js.
   */
  get task() {
    const { [SCOPE]: scope } = this;
    return (/** @type {unknown} */ step, /** @type {unknown[]} */ ...args) =>
      callTask(scope, step, args);
  }
}

/** @type {Record<PropertyKey, (scope: Scope, context: CallContext) => unknown>} */
const MAKERS = {
  metadata: makeMetadata,
  configurable: makeConfigurable,
  signal: (scope) => scope.task.signal,
  // Adds the graph's typed interrupts by name.
  interrupt: ({ task, plan }) =>
    Object.defineProperties(
      (/** @type {unknown} */ value, /** @type {InterruptOptions} */ options) =>
        interruptTask(task, value, options),
      Object.getOwnPropertyDescriptors(plan.asks ?? {}),
    ),
  callbacks: (scope) => nodeCallbacks(scope),
  control: (_, context) => context.makeControl(),
  executionInfo: makeExecutionInfo,
};

/** @param {Scope} scope @param {CallContext} context */
function makeConfigurable(scope, { config }) {
  const { task } = scope;
  const given = config.configurable;
  const own = {
    ...given,
    checkpoint_map: undefined, // keeps its place among the keys
    checkpoint_id: undefined,
    checkpoint_ns: namespaceOf(scope),
    // For tools of LangChain's agents, which copy it; toJSON keeps it out of JSON.
    __pregel_scratchpad: { currentTaskInput: scope.input, toJSON() {} },
    [SCOPE]: scope.of,
  };
  // The checkpoint's id is computed when the map is read.
  return withKeys(own, () => ({
    ...given?.checkpoint_map,
    [task.run.namespace]: task.checkpointId,
  }));
}

/** @param {Scope} scope of a task; the namespace of an error handler is below the failed task's */
function namespaceOf({ plan, node, task }) {
  if (task.kind === TASK_CALL) return String(task.namespace);
  const { failure } = task;
  const { namespace } = task.run;
  const outer =
    failure === undefined
      ? namespace
      : innerNamespace(namespace, `${plan.nodes[failure.node].name}:${failure.id}`);
  return innerNamespace(outer, `${node.name}:${task.id}`);
}

/**
 * Makes the writer of a call or handler: its chunks have the namespace of the task above it.
 * @param {Scope} scope
 * @param {CallContext} context
 * @returns {(chunk: unknown) => void}
 */
function writerBelow(scope, { custom }) {
  return (chunk) => custom?.(splitNamespace(namespaceOf(scope)).slice(0, -1), chunk);
}

/** @param {Scope} scope @param {CallContext} context */
function makeMetadata(scope, context) {
  const { node, task } = scope;
  const namespace = namespaceOf(scope);
  return {
    ...context.metadata,
    langgraph_step: task.step,
    langgraph_node: node.name,
    langgraph_triggers: [task.trigger],
    langgraph_path: scope.task.path,
    langgraph_checkpoint_ns: namespace,
    checkpoint_ns: namespace,
    ...node.metadata,
  };
}

/** @param {Scope} scope @param {CallContext} context */
function makeExecutionInfo(scope, { config }) {
  const { task } = scope;
  return {
    checkpointId: task.checkpointId,
    checkpointNs: namespaceOf(scope),
    taskId: task.id,
    threadId: config.configurable?.thread_id,
    runId: undefined, // LangGraph.js does not set it either
    nodeAttempt: task.attempt,
    nodeFirstAttemptTime: (task.first ??= task.run.clock.now()),
  };
}

/** @param {Scope} scope @returns {Record<PropertyKey, unknown>} */
function fieldsOf(scope) {
  return (scope.fields ??= /** @type {Record<PropertyKey, unknown>} */ (
    /** @type {unknown} */ (new Fields(scope, scope.task.run.request.context))
  ));
}

/** @param {Scope} scope @param {PropertyKey} key @returns {unknown} */
function readField(scope, key) {
  const fields = fieldsOf(scope);
  if (fields[key] === PENDING) fields[key] = MAKERS[key](scope, scope.task.run.request.context);
  return fields[key];
}

/**
 * Forwards access to a node's config to its fields, which are made on first access.
 * @type {ProxyHandler<Scope>}
 */
const READER = {
  get: readField,
  has: (scope, key) => key in fieldsOf(scope),
  ownKeys: (scope) => Reflect.ownKeys(fieldsOf(scope)),
  getOwnPropertyDescriptor(scope, key) {
    readField(scope, key);
    return Reflect.getOwnPropertyDescriptor(fieldsOf(scope), key);
  },
  set(scope, key, value) {
    fieldsOf(scope)[key] = value;
    return true;
  },
  defineProperty: (scope, key, descriptor) =>
    Reflect.defineProperty(fieldsOf(scope), key, { ...descriptor, configurable: true }),
  deleteProperty: (scope, key) => Reflect.deleteProperty(fieldsOf(scope), key),
  getPrototypeOf: () => Object.prototype,
};

/** @param {Scope} scope @returns {NodeConfig} */
function readerOf(scope) {
  return /** @type {NodeConfig} */ (/** @type {unknown} */ (new Proxy(scope, READER)));
}

/**
 * Makes the scope of one attempt at a node, with the config that the node receives.
 * @param {Plan} plan
 * @param {Node} node of the plan
 * @param {NodeTask} task
 * @param {unknown} input of the node
 * @returns {Scope}
 */
export function makeScope(plan, node, task, input) {
  const scope = new Scope(plan, node, task, input);
  scope.config = readerOf(scope);
  return scope;
}

/** Turns the config of a scope into the config of a condition. @param {Scope} scope */
export function askWith(scope) {
  let asked = scope;
  // A config that the node has read stays the node's.
  if (scope.fields !== undefined) {
    asked = new Scope(scope.plan, scope.node, scope.task, scope.input);
    asked.of = scope;
    scope.config = readerOf(asked);
  }
  asked.isAsked = true;
}
