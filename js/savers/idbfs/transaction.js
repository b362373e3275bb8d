// SPDX-License-Identifier: MIT
// IndexedDB as promises that always settle: every error and abort is reported, and a watchdog
// answers for a database that does not. Knows no files and no logs.

/** @typedef {import("../../base/callable.js").Value} Value */

/** What was compared before a change was not as expected: somebody else was here. */
export class Conflict extends Error {}

/**
 * Work that answers by one of two calls, and returns what gives it up. Nobody can tell whether a
 * transaction that the database does not answer was stored. The seconds are those in which the page
 * ran: one that was frozen first hears what was said meanwhile.
 * @template T
 * @param {(resolve: (answer: T) => void, reject: (error: unknown) => void) => (error: Error) =>
 *   void} work
 * @returns {Promise<T>}
 */
function watched(work) {
  /** @type {Value} */
  let timer;
  return new Promise((resolve, reject) => {
    const giveUp = work(resolve, reject);
    let left = 5;
    timer = setInterval(() => {
      if (--left > 0) return;
      const error = Object.assign(new Error("the database did not answer within 5 s"), {
        unknown: true,
      });
      reject(error);
      giveUp(error);
    }, 1000);
  }).finally(() => clearInterval(timer));
}

/**
 * @param {IDBFactory} factory
 * @param {string} name
 * @param {number} version
 * @param {(db: IDBDatabase) => void} upgrade
 * @returns {Promise<IDBDatabase>}
 */
function openDatabase(factory, name, version, upgrade) {
  return watched((resolve, reject) => {
    let late = false;
    const request = factory.open(name, version);
    request.onupgradeneeded = () => upgrade(request.result);
    // A connection that nobody waits for any more would stand in everybody's way.
    request.onsuccess = () => (late ? request.result.close() : resolve(request.result));
    request.onerror = () => reject(request.error);
    return () => (late = true);
  });
}

/** @type {Promise<unknown> | undefined} */
let renewed;
/**
 * Once in this realm, before anything is opened: a database that comes and goes makes LevelDB begin
 * a new log. Chromium goes on in the old one, and where a kill cut its last record, what stands
 * behind that makes the next start throw away all that the origin stored (google/leveldb#1287).
 * @param {IDBFactory} factory
 */
function renewLog(factory) {
  const name = "weft-renewal";
  return (renewed ??= /Chrome/.test(globalThis.navigator?.userAgent)
    ? openDatabase(factory, name, 1, () => {}).then(
        (db) => {
          db.close();
          factory.deleteDatabase(name);
        },
        () => {},
      )
    : Promise.resolve());
}

/**
 * A database, opened at first use and again when its connection was lost or closed for somebody
 * else's sake.
 */
export class Connection {
  #open;
  /** @type {Promise<IDBDatabase> | undefined} */
  #opening;

  /**
   * @param {IDBFactory} factory
   * @param {string} name
   * @param {number} version
   * @param {(db: IDBDatabase) => void} upgrade
   */
  constructor(factory, name, version, upgrade) {
    this.#open = () => renewLog(factory).then(() => openDatabase(factory, name, version, upgrade));
  }

  #database() {
    if (!this.#opening) {
      const opening = this.#open();
      const forget = () => {
        if (this.#opening === opening) this.#opening = undefined;
      };
      opening.then((db) => {
        db.onclose = forget;
        db.onversionchange = () => {
          forget();
          db.close();
        };
      }, forget);
      this.#opening = opening;
    }
    return this.#opening;
  }

  /**
   * What `work` answers for the open database. A connection found closed has begun nothing: then
   * once more with a new one.
   * @template T
   * @param {(db: IDBDatabase) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async use(work) {
    try {
      return await work(await this.#database());
    } catch (error) {
      const { name } = /** @type {Error} */ (error);
      if (name === "InvalidStateError" || name === "UnknownError") await this.close();
      if (name !== "InvalidStateError") throw error;
      return work(await this.#database());
    }
  }

  async close() {
    const opening = this.#opening;
    this.#opening = undefined;
    (await opening?.catch(() => undefined))?.close();
  }
}

/**
 * One transaction. `work` makes its requests from the store at once or in their handlers; what it
 * hands to `guard` runs only while the transaction can still be stored, and aborts it by throwing.
 * Resolves once it is stored.
 * @template T
 * @param {IDBDatabase} db
 * @param {string} storeName
 * @param {"readonly" | "readwrite"} mode
 * @param {(store: IDBObjectStore, guard: <E>(handler: (event: E) => void) => (event: E) => void) =>
 *   T} work
 * @returns {Promise<T>}
 */
export function transact(db, storeName, mode, work) {
  return watched((resolve, reject) => {
    const transaction = db.transaction(
      [storeName],
      mode,
      mode === "readwrite" ? { durability: "strict" } : undefined,
    );
    /** @type {unknown} */
    let failure;
    /** @type {T} */
    let result;
    /** @param {unknown} error */
    const fail = (error) => {
      failure ??= error;
      try {
        transaction.abort();
      } catch {
        // It has ended, or aborts already: its own event tells.
      }
    };
    transaction.oncomplete = () => resolve(result);
    transaction.onabort = () =>
      reject(transaction.error ?? failure ?? new Error("the transaction was aborted"));
    try {
      result = work(transaction.objectStore(storeName), (handler) => (event) => {
        if (failure !== undefined) return;
        try {
          handler(event);
        } catch (error) {
          fail(error);
        }
      });
    } catch (error) {
      fail(error);
    }
    return fail;
  });
}
