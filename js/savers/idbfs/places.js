// SPDX-License-Identifier: MIT
// What lies beside the threads' own databases: the index that lists threads, and the second place of their witnesses
// (localStorage, or a database of its own where there is none, as in workers).
import { Connection, transact } from "./transaction.js";

/** @typedef {import("../log-port.js").LogHead} LogHead */
/** @typedef {{ ready: boolean }} Listing `ready`: a commit was acknowledged. */

const STORE = "entries";

/** A small database of one store. */
export class Table {
  #connection;

  /**
   * @param {IDBFactory} factory
   * @param {string} name
   */
  constructor(factory, name) {
    this.#connection = new Connection(factory, name, 1, (db) => void db.createObjectStore(STORE));
  }

  /**
   * @template T
   * @param {"readonly" | "readwrite"} mode
   * @param {(store: IDBObjectStore) => T} work
   */
  transact(mode, work) {
    return this.#connection.use((db) => transact(db, STORE, mode, work));
  }

  /** @param {string | number} key */
  async get(key) {
    return (await this.transact("readonly", (store) => store.get(key))).result;
  }

  /**
   * @param {string | number} key
   * @param {unknown} value
   */
  async put(key, value) {
    await this.transact("readwrite", (store) => void store.put(value, key));
  }

  /** @param {string} key */
  async remove(key) {
    await this.transact("readwrite", (store) => void store.delete(key));
  }

  close() {
    return this.#connection.close();
  }
}

/**
 * The page's localStorage, if it can be used.
 * @returns {Storage | undefined}
 */
export function findLocalStorage() {
  try {
    return globalThis.localStorage ?? undefined;
  } catch {
    return undefined; // blocked by the user's settings
  }
}

/** The second place of witnesses. */
export class Witnesses {
  #prefix;
  #storage;
  #table;

  /**
   * @param {IDBFactory} factory
   * @param {string} prefix
   * @param {Storage | undefined} storage
   */
  constructor(factory, prefix, storage) {
    this.#prefix = `${prefix}witness:`;
    this.#storage = storage;
    this.#table = new Table(factory, `${prefix}witness`);
  }

  /**
   * @param {string} threadId
   * @returns {Promise<LogHead | undefined>}
   */
  async get(threadId) {
    const match = /^(\d+) (\d+)$/.exec(this.#storage?.getItem(this.#prefix + threadId) ?? "");
    if (match) return { seq: Number(match[1]), crc: Number(match[2]) };
    return this.#table.get(threadId);
  }

  /**
   * @param {string} threadId
   * @param {LogHead} head
   */
  async set(threadId, { seq, crc }) {
    try {
      if (this.#storage) return this.#storage.setItem(this.#prefix + threadId, `${seq} ${crc}`);
    } catch {
      // Full or blocked: the database takes it, and what localStorage had must not speak for it.
      this.#storage?.removeItem(this.#prefix + threadId);
    }
    await this.#table.put(threadId, { seq, crc });
  }

  /** @param {string} threadId */
  async remove(threadId) {
    this.#storage?.removeItem(this.#prefix + threadId);
    await this.#table.remove(threadId);
  }

  close() {
    return this.#table.close();
  }
}
