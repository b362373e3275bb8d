// SPDX-License-Identifier: MIT
// Gives one user's part of a store: its namespaces stand below the user's name, which neither
// clients nor graphs see. Requests and graphs reach a user's items by it alone.
import { BaseStore } from "../stores/base-store.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./store-routes.js").ItemStore} ItemStore */
/** @typedef {import("./store-routes.js").Item} Item */
/**
 * One of a get, a put, a search and a list of namespaces.
 * @typedef {Json & { namespace?: string[], key?: string, value?: Json | null, index?: false |
 *   string[], namespacePrefix?: string[], maxDepth?: number, matchConditions?: { matchType: string,
 *   path: string[] }[] }} Operation
 */
/** @typedef {ItemStore & { batch?: (operations: Json[]) => Promise<unknown[]> }} AnyStore */

const USERS = "users";

/**
 * @param {unknown} store
 * @param {string | undefined} user
 * @returns {unknown} the user's part of it; all of it for somebody without a name
 */
export function storeFor(store, user) {
  return store === undefined || user === undefined
    ? store
    : new UserStore(/** @type {AnyStore} */ (store), user);
}

export class UserStore extends BaseStore {
  #store;
  /** @type {string[]} */
  #root;

  /** @param {AnyStore} store @param {string} user */
  constructor(store, user) {
    super();
    this.#store = store;
    // A label has no dots, and "*" would stand for every user.
    const label = user.replace(/[%.*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    this.#root = [USERS, label];
  }

  /** @param {readonly Operation[]} operations @returns {Promise<unknown[]>} */
  async batch(operations) {
    const inner = operations.map((one) => this.#inner(one));
    const answers = this.#store.batch
      ? await this.#store.batch(inner)
      : await Promise.all(inner.map((one) => execute(this.#store, one)));
    return operations.map((one, at) => this.#outer(one, answers[at]));
  }

  /** @param {Operation} operation @returns {Operation} as the whole store is asked */
  #inner(operation) {
    if (operation.namespacePrefix)
      return { ...operation, namespacePrefix: this.#below(operation.namespacePrefix) };
    if (operation.namespace) return { ...operation, namespace: this.#below(operation.namespace) };
    const { matchConditions = [], maxDepth } = operation;
    const root = { matchType: "prefix", path: this.#root };
    const others = matchConditions.map((one) =>
      one.matchType === "prefix" ? { ...one, path: this.#below(one.path) } : one,
    );
    return {
      ...operation,
      matchConditions: [root, ...others],
      ...(maxDepth === undefined ? {} : { maxDepth: maxDepth + this.#root.length }),
    };
  }

  /** @param {string[]} namespace */
  #below(namespace) {
    return [...this.#root, ...namespace];
  }

  /** @param {Operation} operation @param {unknown} answer of the whole store */
  #outer(operation, answer) {
    if (operation.namespacePrefix)
      return /** @type {Item[]} */ (answer).map((item) => this.#shown(item));
    if (!operation.namespace)
      return /** @type {string[][]} */ (answer).map((one) => one.slice(this.#root.length));
    const isItem = operation.value === undefined && answer;
    return isItem ? this.#shown(/** @type {Item} */ (answer)) : answer;
  }

  /** @param {Item} item */
  #shown(item) {
    return { ...item, namespace: item.namespace.slice(this.#root.length) };
  }
}

/**
 * Runs one operation on a store that has only the methods.
 * @param {ItemStore} store
 * @param {Operation} operation
 * @returns {Promise<unknown>}
 */
async function execute(store, operation) {
  const {
    namespace,
    key = "",
    value,
    index,
    namespacePrefix,
    matchConditions,
    ...options
  } = operation;
  if (namespacePrefix) return store.search(namespacePrefix, options);
  if (!namespace) {
    const pathOf = (/** @type {string} */ type) =>
      matchConditions?.findLast(({ matchType }) => matchType === type)?.path;
    return store.listNamespaces({ ...options, prefix: pathOf("prefix"), suffix: pathOf("suffix") });
  }
  if (value === undefined) return store.get(namespace, key);
  return value === null ? store.delete(namespace, key) : store.put(namespace, key, value, index);
}
