// SPDX-License-Identifier: MIT
// IndexedDB as promises that always settle: every error and abort is reported, and a watchdog answers for a database that
// does not. Knows no files and no logs.

export const WATCHDOG_MS = 5000;

/** What was compared before a change was not as expected: somebody else was here. */
export class Conflict extends Error {}

/** The database did not answer: nobody can tell whether a transaction was stored. */
class Unanswered extends Error {
  unknown = true;

  constructor() {
    super(`the database did not answer within ${WATCHDOG_MS / 1000} s`);
  }
}

/**
 * @param {IDBFactory} factory
 * @param {string} name
 * @param {number} version
 * @param {(db: IDBDatabase) => void} upgrade
 * @returns {Promise<IDBDatabase>}
 */
function openDatabase(factory, name, version, upgrade) {
  return new Promise((resolve, reject) => {
    let late = false;
    const request = factory.open(name, version);
    const timer = setTimeout(() => {
      late = true;
      reject(new Unanswered());
    }, WATCHDOG_MS);
    request.onupgradeneeded = () => upgrade(request.result);
    request.onsuccess = () => {
      clearTimeout(timer);
      // A connection that nobody waits for any more would stand in everybody's way.
      if (late) request.result.close();
      else resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });
}

/** A database, opened at first use and again when its connection was lost or closed for somebody else's sake. */
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
    this.#open = () => openDatabase(factory, name, version, upgrade);
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
   * What `work` answers for the open database. A connection found closed has begun nothing: then once more with a new one.
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
 * One transaction. `work` makes its requests from the store at once or in their handlers; what it hands to `guard` runs only
 * while the transaction can still be stored, and aborts it by throwing. Resolves once it is stored.
 * @template T
 * @param {IDBDatabase} db
 * @param {string} storeName
 * @param {"readonly" | "readwrite"} mode
 * @param {(store: IDBObjectStore, guard: <E>(handler: (event: E) => void) => (event: E) => void) => T} work
 * @returns {Promise<T>}
 */
export function transact(db, storeName, mode, work) {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction([storeName], mode, mode === "readwrite" ? { durability: "strict" } : undefined);
    let settled = false;
    /** @type {unknown} */
    let failure;
    /** @type {T} */
    let result;
    /** @param {() => void} settle */
    const end = (settle) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      settle();
    };
    /** @param {unknown} error */
    const fail = (error) => {
      failure ??= error;
      try {
        transaction.abort();
      } catch {
        // It has ended, or aborts already: its own event tells.
      }
    };
    const timer = setTimeout(() => {
      fail(new Unanswered());
      end(() => reject(new Unanswered()));
    }, WATCHDOG_MS);
    transaction.oncomplete = () => end(() => resolve(result));
    transaction.onabort = () => end(() => reject(failure ?? transaction.error ?? new Error("the transaction was aborted")));
    try {
      result = work(transaction.objectStore(storeName), (handler) => (event) => {
        if (settled || failure !== undefined) return;
        try {
          handler(event);
        } catch (error) {
          fail(error);
        }
      });
    } catch (error) {
      fail(error);
    }
  });
}
