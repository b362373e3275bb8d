// SPDX-License-Identifier: MIT
// Knows: the config of a call (LangChain's RunnableConfig with LangGraph's keys), how two of them merge, and the config
// that a node is given. Nothing of the latter is made before somebody reads it. Must not know: stores, records.
import { SCOPE, Scope } from "./ambient.js";
import { interruptTask } from "./interrupt.js";
import { taskCallbacks } from "./messages-mode.js";

const PENDING = Symbol("made when it is read");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
/** Keys of `configurable` that LangGraph copies into the metadata of a call. */
const METADATA_KEYS = ["thread_id", "checkpoint_id", "checkpoint_ns", "task_id", "run_id", "assistant_id", "graph_id"];

/** @typedef {Record<string, any>} Config */

/**
 * Lays one config over another: tags and callbacks add up, metadata and configurable merge, the rest is replaced.
 * @param {Config | undefined} under
 * @param {Config | undefined} over
 * @returns {Config}
 */
export function mergeConfigs(under, over) {
  if (under === undefined) return over ?? {};
  if (over === undefined) return under;
  /** @type {Config} */
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    if (key === "metadata" || key === "configurable") merged[key] = { ...under[key], ...value };
    else if (key === "tags") merged[key] = [...new Set([...(under[key] ?? []), ...value])];
    else if (key === "callbacks") merged[key] = mergeCallbacks(under[key], value);
    else merged[key] = value;
  }
  return merged;
}

/** @param {any} under @param {any} over */
function mergeCallbacks(under, over) {
  if (under === undefined) return over;
  if (Array.isArray(under) && Array.isArray(over)) return [...under, ...over];
  const [manager, handlers] = Array.isArray(over) ? [under, over] : [over, Array.isArray(under) ? under : (under.handlers ?? [])];
  const copy = manager.copy();
  for (const handler of handlers) copy.addHandler(handler, true);
  return copy;
}

/** @param {Config} config @returns {Record<string, any>} the metadata of a call, with the ids that LangGraph adds */
export function callMetadata(config) {
  /** @type {Record<string, any>} */
  const metadata = { ls_integration: "langgraph", ...config.metadata };
  for (const key of METADATA_KEYS) {
    const value = config.configurable?.[key];
    if (value !== undefined && metadata[key] === undefined) metadata[key] = value;
  }
  return metadata;
}

/** What a node gets as its second argument. It is read through a proxy that makes what is pending. */
class NodeConfig {
  #task;
  #context;

  /** @param {any} task @param {any} context the call's (call.js) @param {any} node of the plan @param {any} input */
  constructor(task, context, node, input) {
    this.#task = task;
    this.#context = context;
    this.tags = node.tags === undefined ? context.tags : [...context.tags, ...node.tags];
    /** @type {any} */
    this.metadata = PENDING;
    this.recursionLimit = context.recursionLimit;
    /** @type {any} */
    this.configurable = PENDING;
    this.runName = node.name;
    this.context = context.config.context;
    this.store = context.userStore;
    /** @type {any} */
    this.signal = PENDING;
    this.writer = context.writer;
    /** @type {any} */
    this.interrupt = PENDING;
    /** @type {any} */
    this.executionInfo = PENDING;
    /** @type {any} */
    this.callbacks = context.hasCallbacks ? PENDING : undefined;
    this[SCOPE] = new Scope(task, input);
  }

  /** @param {any} bag @param {string} key */
  static make(bag, key) {
    bag[key] = bag.#make(key);
    return bag[key];
  }

  /** @param {string} key */
  #make(key) {
    const task = this.#task;
    switch (key) {
      case "metadata":
        return this.#metadata();
      case "configurable":
        return { ...this.#context.config.configurable, checkpoint_id: undefined, checkpoint_ns: this.#namespace(), [SCOPE]: this[SCOPE] };
      case "signal":
        return task.signal;
      case "interrupt":
        return (/** @type {any} */ value) => interruptTask(task, value);
      case "callbacks":
        return taskCallbacks(this.#context, () => this[SCOPE].config.metadata);
      default:
        return this.#executionInfo();
    }
  }

  #namespace() {
    return `${this.runName}:${this.#task.id}`;
  }

  #metadata() {
    const task = this.#task;
    const { pushIndex } = task;
    const namespace = this.#namespace();
    return {
      ...this.#context.metadata,
      langgraph_step: task.step,
      langgraph_node: this.runName,
      langgraph_triggers: [task.trigger],
      langgraph_path: pushIndex === undefined ? ["__pregel_pull", this.runName] : ["__pregel_push", pushIndex],
      langgraph_checkpoint_ns: namespace,
      checkpoint_ns: namespace,
      ...this.#context.plan.nodes[task.node].metadata,
    };
  }

  #executionInfo() {
    const taskId = this.#task.id;
    const { configurable, runId } = this.#context.config;
    return {
      checkpointNs: `${this.runName}:${taskId}`,
      taskId,
      threadId: configurable?.thread_id,
      runId,
      nodeAttempt: this.#task.attempt,
    };
  }

  [INSPECT]() {
    return { ...this };
  }
}

/** @type {ProxyHandler<any>} */
const READER = {
  get(bag, key) {
    const value = bag[key];
    return value === PENDING ? NodeConfig.make(bag, /** @type {string} */ (key)) : value;
  },
  getOwnPropertyDescriptor(bag, key) {
    if (bag[key] === PENDING) NodeConfig.make(bag, /** @type {string} */ (key));
    return Reflect.getOwnPropertyDescriptor(bag, key);
  },
};

/**
 * The config of one attempt at a node, with the scope that ambient code finds it by.
 * @param {any} task
 * @param {any} context
 * @param {any} node
 * @param {any} input what the node is called with
 * @returns {Scope}
 */
export function makeScope(task, context, node, input) {
  const bag = new NodeConfig(task, context, node, input);
  const scope = bag[SCOPE];
  scope.config = new Proxy(bag, READER);
  return scope;
}
