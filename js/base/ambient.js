// SPDX-License-Identifier: MIT
// Finds the task that the running code belongs to. With AsyncLocalStorage it is always known;
// without it only until a node's first `await`, and later calls find no task. Shares LangChain's
// storage, so that its models find the config of the node that calls them. Probes the runtime at
// first use, never at import.

const STORAGE = Symbol.for("ls:tracing_async_local_storage");
const CHILD_CONFIG = Symbol.for("lc:child_config");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
/** Key under which a config and its `configurable` store their task's scope. */
export const SCOPE = Symbol.for("weft.scope");

/** @typedef {import("./merge-configs.js").Config} Config */
/** @typedef {import("../calls/config.js").NodeConfig} NodeConfig */
/**
 * LangChain's storage: a scope, or an object with a config of its own.
 * @typedef {{ getStore: () => { extra?: { [CHILD_CONFIG]?: Config } } | undefined, run: <Args
 *   extends unknown[], Result>(store: object | undefined, call: (...args: Args) => Result, ...args:
 *   Args) => Result }} Storage
 * @typedef {{ AsyncLocalStorage?: new () => Storage }} Hooks
 */
/**
 * What this module reads of the realm, which depends on the runtime.
 * @typedef {Hooks & { [STORAGE]?: Storage, process?: { getBuiltinModule?: (name: string) => Hooks |
 *   undefined } }} Realm
 */

/** @type {Storage | null | undefined} undefined: not looked up yet */
let storage;
/** @type {Scope | undefined} the task whose node is on the call stack */
let current;
/**
 * @type {Config | undefined} the config of a tool (or other callee) on the stack, if not the task's
 */
let below;

/**
 * One attempt at a task: ambient code finds it, and its config is the node's second argument.
 * `extra` is the field in which LangChain looks for a config.
 */
export class Scope {
  /**
   * @param {import("../plan/definition.js").Plan} plan
   * @param {import("../plan/definition.js").Node} node of the plan
   * @param {import("../run/tasks/task.js").NodeTask} task
   * @param {unknown} input
   */
  constructor(plan, node, task, input) {
    this.plan = plan;
    this.node = node;
    this.task = task;
    this.input = input;
    /**
     * The node's second argument; later the one of its conditional edge.
     * @type {NodeConfig}
     */
    this.config = /** @type {never} */ (undefined);
    /**
     * Fields of `config`, made at the first read.
     * @type {Record<PropertyKey, unknown> | undefined}
     */
    this.fields = undefined;
    /**
     * The node's scope: this one, or another if this is a conditional edge's.
     * @type {Scope}
     */
    this.of = this;
    /** Does its config belong to a conditional edge? */
    this.isAsked = false;
    /**
     * Its callback run and output, if callbacks are notified.
     * @type {{ run: import("../callbacks/manager.js").ReportedRun, output: unknown, error?: unknown
     *   } | undefined}
     */
    this.trace = undefined;
  }

  get extra() {
    return { [CHILD_CONFIG]: this.config };
  }

  /** Makes Node print the fields of the config (a proxy of this scope). */
  [INSPECT]() {
    return { ...this };
  }
}

/** @returns {Storage | null} */
function findStorage() {
  const shared = /** @type {Realm} */ (globalThis)[STORAGE];
  if (shared !== undefined) return shared;
  const AsyncLocalStorage = findClass();
  if (AsyncLocalStorage === undefined) return null;
  const made = new AsyncLocalStorage();
  /** @type {Realm} */ (globalThis)[STORAGE] = made;
  return made;
}

/** @returns {(new () => Storage) | undefined} */
function findClass() {
  const realm = /** @type {Realm} */ (globalThis);
  if (typeof realm.AsyncLocalStorage === "function") return realm.AsyncLocalStorage;
  if (typeof realm.process?.getBuiltinModule !== "function") return undefined;
  return realm.process.getBuiltinModule("node:async_hooks")?.AsyncLocalStorage;
}

/** @returns {boolean} does ambient context survive an `await` here? */
export function hasStorage() {
  if (storage === undefined) storage = findStorage();
  return storage !== null;
}

/**
 * Runs a function in a task's scope; with a storage, what it awaits stays in that scope.
 * @template Result
 * @param {Scope} scope
 * @param {(scope: Scope) => Result} call
 * @returns {Result}
 */
export function runInScope(scope, call) {
  if (storage === undefined) storage = findStorage();
  return storage === null ? callAs(scope, call, undefined) : storage.run(scope, call, scope);
}

/**
 * Continues in a task's scope after an await.
 * @template Given, Result
 * @param {Scope} scope
 * @param {(scope: Scope, value: Given) => Result} call
 * @param {Given} value
 * @returns {Result}
 */
export function resumeInScope(scope, call, value) {
  return storage === null ? callAs(scope, call, value) : call(scope, value);
}

/**
 * Runs a function with a config of its own below a task, such as a tool with its callbacks.
 * @template Result
 * @param {Config} config
 * @param {() => Result} call
 * @returns {Result}
 */
export function runWithConfig(config, call) {
  if (storage === undefined) storage = findStorage();
  return storage === null
    ? callAs(scopeOf(config), call, undefined, config)
    : storage.run({ extra: { [CHILD_CONFIG]: config } }, call);
}

/**
 * Runs a function as if no task had called it: what it starts is a run of its own.
 * @template Result
 * @param {() => Result} call
 * @returns {Result}
 */
export function runOutside(call) {
  if (storage === undefined) storage = findStorage();
  return storage === null ? callAs(undefined, call, undefined) : storage.run(undefined, call);
}

/**
 * @template {Scope | undefined} From
 * @template Given, Result
 * @param {From} scope
 * @param {(scope: From, value: Given) => Result} call
 * @param {Given} value
 * @param {Config} [config] if it is not the task's
 * @returns {Result}
 */
function callAs(scope, call, value, config) {
  const outer = current;
  const outerBelow = below;
  current = scope;
  below = config;
  try {
    return call(scope, value);
  } finally {
    current = outer;
    below = outerBelow;
  }
}

/** @returns {Scope | undefined} the task of the running code */
export function currentScope() {
  if (storage === undefined) storage = findStorage();
  const store = storage?.getStore();
  if (store instanceof Scope) return store;
  return store === undefined ? current : scopeOf(store.extra?.[CHILD_CONFIG]);
}

/**
 * @returns {Config | undefined} the config of the running code: a task's, or the one that LangChain
 *   passed to a tool or a lambda
 */
export function currentConfig() {
  const scope = currentScope();
  return scope === undefined ? childConfig() : scope.config;
}

function childConfig() {
  return storage === null ? below : storage?.getStore()?.extra?.[CHILD_CONFIG];
}

/**
 * Returns the config of the running code: LangChain's copy of the task's, or the task's own.
 * @param {Scope} scope
 * @returns {Config}
 */
export function configIn(scope) {
  const found = childConfig();
  return found !== undefined && scopeOf(found) === scope ? found : scope.config;
}

/**
 * Returns the innermost config of the running code, also a tool's.
 * @returns {Config | undefined}
 */
export function innermostConfig() {
  const scope = currentScope();
  return scope === undefined ? childConfig() : configIn(scope);
}

/**
 * Finds the task that a config came from, also when LangChain has copied the config.
 * @param {unknown} given a config
 * @returns {Scope | undefined}
 */
export function scopeOf(given) {
  const config = /** @type {Config | undefined} */ (given);
  return config?.[SCOPE] ?? config?.configurable?.[SCOPE];
}
