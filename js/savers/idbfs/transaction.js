// SPDX-License-Identifier: MIT
// Wraps IndexedDB in promises that always settle: every error and abort is reported, and a watchdog
// rejects for a database that does not respond. Does not depend on files or logs.

/** Reports that a comparison before a change failed: another tab changed the files. */
export class Conflict extends Error {}

/**
 * Runs work that calls resolve or reject and returns a function to cancel it. Rejects after 5 s
 * without a response; the outcome is then unknown. Only seconds in which the page ran count: a
 * frozen page first receives pending events.
 * @template T
 * @param {(resolve: (answer: T) => void, reject: (error: unknown) => void) => (error: Error) =>
 *   void} work
 * @returns {Promise<T>}
 */
function watched(work) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
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
    // A connection without an owner would block other tabs.
    request.onsuccess = () => (late ? request.result.close() : resolve(request.result));
    request.onerror = () => reject(request.error);
    return () => (late = true);
  });
}

/** @type {Promise<unknown> | undefined} */
let renewed;
/**
 * Makes LevelDB begin a new log once in this realm, before anything is opened, by creating and
 * deleting a database. Chromium continues the old log, and if a kill cut its last record, records
 * after it make the next start discard all data of the origin (google/leveldb#1287).
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
 * A database connection, opened at first use and again after it was lost or closed for another
 * tab's sake.
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
   * Runs `work` with the open database. Work on a closed connection has begun nothing, so it is
   * repeated once with a new one.
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
 * Runs one transaction. `work` makes its requests from the store at once or in their handlers; a
 * handler passed to `guard` runs only while the transaction can still be stored, and aborts it by
 * throwing. Resolves once it is stored.
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
        // It has ended or aborts already: its own event settles the promise.
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
