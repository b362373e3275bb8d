// SPDX-License-Identifier: MIT
// Stores data beside the threads' own databases: the index that lists threads, and the second place
// of their witnesses (localStorage, or a database where there is none, as in workers).
import { Connection, transact } from "./transaction.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {{ ready: boolean }} Listing `ready`: a commit was acknowledged. */

const STORE = "entries";

/** A small database with one store. */
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
   * @param {Parameters<typeof transact<T>>[3]} work
   */
  transact(mode, work) {
    return this.#connection.use((db) => transact(db, STORE, mode, work));
  }

  /** @param {string | number} key @returns {Promise<unknown>} */
  async get(key) {
    return (await this.transact("readonly", (store) => store.get(key))).result;
  }

  /**
   * @param {string | number} key
   * @param {unknown} value
   */
  async put(key, value) {
    await this.transact("readwrite", (store) => store.put(value, key));
  }

  close() {
    return this.#connection.close();
  }
}

/**
 * Returns the page's localStorage if it is usable.
 * @returns {Storage | undefined}
 */
export function findLocalStorage() {
  try {
    return globalThis.localStorage;
  } catch {} // blocked by the user's settings
}

/**
 * Stores witnesses in a second place. Workers have only the database: pages write there once per
 * thread, so that workers detect a loss, and a worker that deletes a thread marks its entry in
 * localStorage there as void.
 */
export class Witnesses extends Table {
  /**
   * @param {IDBFactory} factory
   * @param {string} prefix
   * @param {Storage | undefined} storage
   */
  constructor(factory, prefix, storage) {
    super(factory, `${prefix}witness`);
    this.prefix = `${prefix}witness:`;
    this.storage = storage;
  }

  /**
   * @param {string} threadId
   * @returns {Promise<LogHead | undefined>}
   */
  async get(threadId) {
    const { storage, prefix } = this;
    const { seq, crc, gone } = /** @type {Partial<LogHead> & { gone?: boolean }} */ (
      (await super.get(threadId)) ?? {}
    );
    if (gone) storage?.removeItem(prefix + threadId);
    const [own, sum] = `${storage?.getItem(prefix + threadId)}`.split(" ").map(Number);
    return own >= (seq ?? 0)
      ? { seq: own, crc: sum }
      : seq
        ? /** @type {LogHead} */ ({ seq, crc })
        : undefined;
  }

  /**
   * @param {string} threadId
   * @param {LogHead} head
   */
  async set(threadId, { seq, crc }) {
    const { storage, prefix } = this;
    try {
      const had = storage?.getItem(prefix + threadId);
      storage?.setItem(prefix + threadId, `${seq} ${crc}`);
      if (had) return;
    } catch {
      // Full or blocked: the database stores it, and the old entry in localStorage must not count.
      storage?.removeItem(prefix + threadId);
    }
    await this.transact("readwrite", (store, guard) => {
      const found = store.get(threadId);
      found.onsuccess = guard(() =>
        store.put({ seq, crc, gone: !storage && found.result?.gone }, threadId),
      );
    });
  }
}
