// SPDX-License-Identifier: MIT
// IndexedDB as promises that always settle: every error and abort is reported, and a watchdog answers for a database that
// does not. Knows no files and no logs.

export const WATCHDOG_MS = 5000;

/** What was compared before a change was not as expected: somebody else was here. */
export class Conflict extends Error {}

/** Nobody can tell whether the transaction was stored. */
export class Unanswered extends Error {
  constructor() {
    super(`the database did not answer within ${WATCHDOG_MS / 1000} s`);
  }
}

/**
 * @param {IDBFactory} factory
 * @param {string} name
 * @param {number} version
 * @param {(db: IDBDatabase, transaction: IDBTransaction) => void} upgrade
 * @returns {Promise<IDBDatabase>}
 */
export function openDatabase(factory, name, version, upgrade) {
  return new Promise((resolve, reject) => {
    let late = false;
    const request = factory.open(name, version);
    const timer = setTimeout(() => {
      late = true;
      reject(new Unanswered());
    }, WATCHDOG_MS);
    request.onupgradeneeded = () => upgrade(request.result, /** @type {IDBTransaction} */ (request.transaction));
    request.onsuccess = () => {
      clearTimeout(timer);
      const db = request.result;
      // A connection that nobody waits for any more would stand in everybody's way.
      if (late) return db.close();
      db.onversionchange = () => db.close();
      resolve(db);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });
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
