// SPDX-License-Identifier: MIT
// Knows: which task the running code belongs to. With AsyncLocalStorage that is always known; without it only until the
// first `await` of a node, and after that nothing is guessed. Shares LangChain's own storage, so that its models find
// the config of the node that calls them. Probes the runtime at the first use, never at import.

const STORAGE = Symbol.for("ls:tracing_async_local_storage");
const CHILD_CONFIG = Symbol.for("lc:child_config");
/** Under this key a node's config, and its `configurable`, know their task. */
export const SCOPE = Symbol.for("weft.scope");

/** @typedef {{ getStore: () => any, run: (store: any, call: (...args: any[]) => any, ...args: any[]) => any }} Storage */

/** @type {Storage | null | undefined} undefined: not looked for yet */
let storage;
/** @type {Scope | undefined} the task whose node is on the stack */
let current;

/** A task as ambient code sees it; `extra` is where LangChain looks. */
export class Scope {
  /** @param {any} task @param {any} input */
  constructor(task, input) {
    this.task = task;
    this.input = input;
    /** What the node gets as its second argument. @type {any} */
    this.config = undefined;
  }

  get extra() {
    return { [CHILD_CONFIG]: this.config };
  }
}

/** @returns {Storage | null} */
function findStorage() {
  const shared = /** @type {any} */ (globalThis)[STORAGE];
  if (shared !== undefined) return shared;
  const AsyncLocalStorage = findClass();
  if (AsyncLocalStorage === undefined) return null;
  const made = new AsyncLocalStorage();
  /** @type {any} */ (globalThis)[STORAGE] = made;
  return made;
}

/** @returns {(new () => Storage) | undefined} */
function findClass() {
  const realm = /** @type {any} */ (globalThis);
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
 * Calls a node within its task.
 * @param {Scope} scope
 * @param {(input: any, config: any) => any} call
 * @param {any} input
 * @param {any} config
 */
export function runInScope(scope, call, input, config) {
  if (storage === undefined) storage = findStorage();
  if (storage !== null) return storage.run(scope, call, input, config);
  const outer = current;
  current = scope;
  try {
    return call(input, config);
  } finally {
    current = outer;
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
 * The task that a config came from, also when LangChain has copied it.
 * @param {any} config
 * @returns {Scope | undefined}
 */
export function scopeOf(config) {
  return config?.[SCOPE] ?? config?.configurable?.[SCOPE];
}
