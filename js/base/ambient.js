// SPDX-License-Identifier: MIT
// Knows: which task the running code belongs to. With AsyncLocalStorage that is always known;
// without it only until the first `await` of a node, and after that nothing is guessed. Shares
// LangChain's own storage, so that its models find the config of the node that calls them. Probes
// the runtime at the first use, never at import.

const STORAGE = Symbol.for("ls:tracing_async_local_storage");
const CHILD_CONFIG = Symbol.for("lc:child_config");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
/** Under this key a node's config, and its `configurable`, know their task. */
export const SCOPE = Symbol.for("weft.scope");

/**
 * @typedef {{ getStore: () => any, run: (store: unknown, call: (...args: any[]) => any, ...args:
 *   any[]) => any }} Storage
 */

/** @type {Storage | null | undefined} undefined: not looked for yet */
let storage;
/** @type {Scope | undefined} the task whose node is on the stack */
let current;
/** @type {unknown} the config of what is on the stack, where it is not the task's: a tool's */
let below;

/**
 * One attempt at a task: what ambient code finds, and what its node is called with. `extra` is
 * where LangChain looks.
 */
export class Scope {
  /**
   * @param {import("../plan/definition.js").Plan} plan
   * @param {import("../plan/definition.js").Node} node of the plan
   * @param {any} task of js/run: a call of task() has more
   * @param {any} input
   */
  constructor(plan, node, task, input) {
    this.plan = plan;
    this.node = node;
    this.task = task;
    this.input = input;
    /**
     * What the node gets as its second argument; then what its condition gets.
     * @type {import("./callable.js").Value}
     */
    this.config = undefined;
    /** The same, as far as it was read. @type {unknown} */
    this.fields = undefined;
    /**
     * Itself, or what it was made of: for a condition's config there is another one.
     * @type {Scope}
     */
    this.of = this;
    /** Is its config that of a condition? */
    this.isAsked = false;
    /**
     * Its run and its output, when callbacks are told of them.
     * @type {{ run: any, output: any, error?: unknown } | undefined}
     */
    this.trace = undefined;
  }

  get extra() {
    return { [CHILD_CONFIG]: this.config };
  }

  /**
   * Called on the config, whose proxy Node looks through: what is printed is what a copy of it has.
   */
  [INSPECT]() {
    return { ...this };
  }
}

/** @returns {Storage | null} */
function findStorage() {
  const shared = /** @type {Record<PropertyKey, import("./callable.js").Value>} */ (globalThis)[
    STORAGE
  ];
  if (shared !== undefined) return shared;
  const AsyncLocalStorage = findClass();
  if (AsyncLocalStorage === undefined) return null;
  const made = new AsyncLocalStorage();
  /** @type {Record<PropertyKey, import("./callable.js").Value>} */ (globalThis)[STORAGE] = made;
  return made;
}

/** @returns {(new () => Storage) | undefined} */
function findClass() {
  const realm = /** @type {Record<PropertyKey, import("./callable.js").Value>} */ (globalThis);
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
 * Calls what belongs to a task; what it awaits belongs to the task too, where there is a storage.
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
 * Goes on with a task after an await.
 * @template Value, Result
 * @param {Scope} scope
 * @param {(scope: Scope, value: Value) => Result} call
 * @param {Value} value
 * @returns {Result}
 */
export function resumeInScope(scope, call, value) {
  return storage === null ? callAs(scope, call, value) : call(scope, value);
}

/**
 * Calls what has a config of its own below a task, as a tool with the callbacks of its call.
 * @template Result
 * @param {any} config
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
 * @param {Scope | undefined} scope
 * @param {(scope: any, value: any) => any} call
 * @param {import("./callable.js").Value} value
 * @param {unknown} [config] where it is not the task's
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
 * @returns {any} the config of the running code: a task's, or what LangChain called a tool or a
 *   lambda with
 */
export function currentConfig() {
  const scope = currentScope();
  return scope === undefined ? childConfig() : scope.config;
}

function childConfig() {
  return storage === null ? below : storage?.getStore()?.extra?.[CHILD_CONFIG];
}

/**
 * The config of the running code: what LangChain made of a task's, or the task's own.
 * @param {Scope} scope
 * @returns {import("./callable.js").Value}
 */
export function configIn(scope) {
  const found = childConfig();
  return scopeOf(found) === scope ? found : scope.config;
}

/** The config of the running code, a tool's too. @returns {import("./callable.js").Value} */
export function innermostConfig() {
  const scope = currentScope();
  return scope === undefined ? childConfig() : configIn(scope);
}

/**
 * The task that a config came from, also when LangChain has copied it.
 * @param {any} config
 * @returns {Scope | undefined}
 */
export function scopeOf(config) {
  return config?.[SCOPE] ?? config?.configurable?.[SCOPE];
}
