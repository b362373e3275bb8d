// SPDX-License-Identifier: MIT
// Defines LangGraph's stores: memory that threads share. A store executes batches of operations;
// BaseStore builds its methods on them, and AsyncBatchedStore collects the operations of one
// event-loop turn into one batch. Owns only a queue.
import { badArgument } from "../log/log-store.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** Reports a namespace that must not contain items. */
export class InvalidNamespaceError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "InvalidNamespaceError";
  }
}

/** @param {unknown} options @param {string} verb */
function checkOptions(options, verb) {
  if (options === null || typeof options !== "object")
    throw badArgument(`the options of ${verb}() are an object`);
}

/**
 * Throws unless the namespace is valid.
 * @param {unknown[]} namespace
 * @param {{ allowEmpty?: boolean, allowReservedRoot?: boolean }} [options] `allowEmpty`: accept an
 *   empty namespace (all items); `allowReservedRoot`: accept LangGraph's own
 */
export function validateNamespace(namespace, options) {
  if (!Array.isArray(namespace)) throw badArgument("`namespace` is a list of strings");
  if (namespace.length === 0 && !options?.allowEmpty)
    throw new InvalidNamespaceError("Namespace cannot be empty.");
  const all = namespace.map((label) => (typeof label === "symbol" ? String(label) : label));
  for (const label of namespace) {
    const found = `Invalid namespace label '${String(label)}' found in ${all}. Namespace labels`;
    if (typeof label !== "string")
      throw new InvalidNamespaceError(`${found} must be strings, but got ${typeof label}.`);
    if (label.includes("."))
      throw new InvalidNamespaceError(`${found} cannot contain periods ('.').`);
    if (label === "")
      throw new InvalidNamespaceError(
        `Namespace labels cannot be empty strings. Got ${label} in ${all}`,
      );
  }
  if (namespace[0] === "langgraph" && !options?.allowReservedRoot)
    throw new InvalidNamespaceError(`Root label for namespace cannot be "langgraph". Got: ${all}`);
}

/**
 * Checks the namespace of a read; the store's `batch` refuses other invalid ones.
 * @param {unknown} namespace
 */
function checkAsked(namespace) {
  if (Array.isArray(namespace))
    validateNamespace(namespace, { allowEmpty: true, allowReservedRoot: true });
}

export class BaseStore {
  /**
   * Runs one operation by the subclass's `batch`.
   * @param {unknown} operation
   * @returns {Promise<Value>}
   */
  async #ask(operation) {
    return /** @type {{ batch(operations: unknown[]): Promise<Value[]> }} */ (
      /** @type {unknown} */ (this)
    ).batch([operation]);
  }

  /**
   * Runs one operation; a store that batches puts it into the next batch.
   * @param {unknown} operation
   * @returns {Promise<Value>} its answer
   */
  async _one(operation) {
    return (await this.#ask(operation))[0];
  }

  /**
   * @param {string[]} namespace
   * @param {string} key
   * @returns {Promise<unknown>} the item, or null
   */
  async get(namespace, key) {
    checkAsked(namespace);
    return this._one({ namespace, key });
  }

  /** @param {string[]} namespacePrefix @param {Value} [options] @returns {Promise<unknown[]>} */
  async search(namespacePrefix, options = {}) {
    checkAsked(namespacePrefix);
    checkOptions(options, "search");
    const { filter, limit = 10, offset = 0, query } = options;
    return this._one({ namespacePrefix, filter, limit, offset, query });
  }

  /**
   * @param {string[]} namespace
   * @param {string} key
   * @param {Record<string, unknown>} value
   * @param {false | string[]} [index]
   * @returns {Promise<void>}
   */
  async put(namespace, key, value, index) {
    validateNamespace(namespace);
    await this.#ask({ namespace, key, value, index });
  }

  /** @param {string[]} namespace @param {string} key @returns {Promise<void>} */
  async delete(namespace, key) {
    checkAsked(namespace);
    await this.#ask({ namespace, key, value: null });
  }

  /** @param {Value} [options] @returns {Promise<string[][]>} */
  async listNamespaces(options = {}) {
    checkOptions(options, "listNamespaces");
    const { prefix, suffix, maxDepth, limit = 100, offset = 0 } = options;
    checkAsked(prefix);
    checkAsked(suffix);
    const matchConditions = [];
    if (prefix) matchConditions.push({ matchType: "prefix", path: prefix });
    if (suffix) matchConditions.push({ matchType: "suffix", path: suffix });
    const [namespaces] = await this.#ask({
      matchConditions: matchConditions.length > 0 ? matchConditions : undefined,
      maxDepth,
      limit,
      offset,
    });
    return namespaces;
  }

  start() {}

  stop() {}

  /** Returns the store that a run passes to its nodes. @returns {BaseStore} */
  batched() {
    return gathering(this);
  }
}

const NOT_HERE =
  "The `batch` method is not implemented on `AsyncBatchedStore`." +
  "\n Instead, it calls the `batch` method on the wrapped store.\n If you are seeing this error, something is wrong.";

export class AsyncBatchedStore extends BaseStore {
  lg_name = "AsyncBatchedStore";
  /**
   * @type {Map<number, { operation: unknown, resolve: (value: unknown) => void, reject: (reason:
   *   unknown)
   *   => void }>}
   */
  queue = new Map();
  nextKey = 0;
  running = false;
  /** The pending batch. @type {Promise<void> | null} */
  processingTask = null;

  /** @param {Value} store an AsyncBatchedStore is replaced by the store it wraps */
  constructor(store) {
    super();
    if (typeof store?.batch !== "function")
      throw badArgument("an AsyncBatchedStore needs a store, which has the method batch");
    this.store = "lg_name" in store && store.lg_name === this.lg_name ? store.store : store;
  }

  get isRunning() {
    return this.running;
  }

  /** @returns {Promise<unknown[]>} */
  async batch() {
    throw new Error(NOT_HERE);
  }

  /** @param {unknown} operation @returns {Promise<Value>} */
  _one(operation) {
    return new Promise((resolve, reject) => {
      this.queue.set(this.nextKey++, { operation, resolve, reject });
      this.#plan();
    });
  }

  #plan() {
    if (!this.running || this.queue.size === 0) return;
    this.processingTask ??= Promise.resolve().then(() => this.#process());
  }

  async #process() {
    const asked = [...this.queue.values()];
    this.queue.clear();
    this.processingTask = null;
    try {
      const answers = await this.store.batch(asked.map(({ operation }) => operation));
      asked.forEach(({ resolve }, index) => resolve(answers[index]));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  /**
   * @param {string[]} namespace
   * @param {string} key
   * @param {Record<string, unknown>} value
   * @param {false | string[]} [index]
   */
  async put(namespace, key, value, index) {
    if (typeof namespace !== "string") validateNamespace(namespace);
    return this._one(
      index === undefined ? { namespace, key, value } : { namespace, key, value, index },
    );
  }

  /** @param {string[]} namespace @param {string} key */
  async delete(namespace, key) {
    checkAsked(namespace);
    return this._one({ namespace, key, value: null });
  }

  start() {
    this.running = true;
    this.#plan();
  }

  async stop() {
    this.running = false;
    await this.processingTask;
  }

  toJSON() {
    return {
      queue: this.queue,
      nextKey: this.nextKey,
      running: this.running,
      store: "[LangGraphStore]",
    };
  }

  batched() {
    this.start();
    return this;
  }
}

/**
 * Wraps a store so that it batches the operations of a run's nodes.
 * @param {unknown} store
 * @returns {BaseStore}
 */
export function gathering(store) {
  return new AsyncBatchedStore(store).batched();
}
