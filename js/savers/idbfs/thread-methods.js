// SPDX-License-Identifier: MIT
// Implements the rarely used methods of the store in IndexedDB: listing threads, their sizes,
// dropping, folding, locks between tabs, persistence. Works on the store's parts.
import { checkHold } from "../core/lock.js";
import { ERR_LOG_CORRUPT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { checkThreadId } from "../../log/log-store.js";
import { checkFold, checkList } from "../core/saver-arguments.js";

const HASH = /^[\da-f]{64}$/;
/**
 * Key of an index entry that is not a thread and sorts first: the index has every thread that
 * existed when the entry was written.
 */
const COMPLETE = 0;

/**
 * @typedef {object} Parts
 * @property {import("./thread-index.js").Table} index
 * @property {IDBFactory} factory
 * @property {string} prefix prefix of the databases' names
 * @property {import("./thread-index.js").Witnesses} witnesses
 * @property {<T>(threadId: string, work: (volume: import("./volume.js").Volume) => Promise<T>) =>
 *   Promise<T>} run
 * @property {<T>(threadId: string, work: () => Promise<T>) => Promise<T>} guard
 * @property {(threadId: string) => void} tell
 * @property {(volume: import("./volume.js").Volume, change: () => Promise<void>) => Promise<void>}
 *   persist
 */

/**
 * @param {Parts} parts
 * @param {{ limit?: number, after?: string, onError?: (error: unknown) => void }} options
 * @returns {Promise<string[]>}
 */
export async function listIdbfs(parts, options) {
  const { index, run, guard } = parts;
  checkList(options);
  const { limit = Infinity, onError } = options;
  await guard("*", () => complete(parts, onError));
  /** @type {string[]} */
  const ids = [];
  let { after } = options;
  for (;;) {
    const wanted = limit === Infinity ? undefined : limit - ids.length;
    const page = await guard("*", () => pageOf(index, after, wanted));
    // A thread whose head is unreadable exists too and must not hide others.
    for (const [id, entry] of page)
      if (entry?.ready || (await run(id, headOf).then(Boolean, () => true))) ids.push(id);
    after = page.at(-1)?.[0];
    if (wanted === undefined || page.length < wanted || ids.length >= limit) return ids;
  }
}

/**
 * Completes an index that the browser lost while it kept the threads: their databases contain their
 * ids. Databases without an id are read again by each list.
 * @param {Parts} parts
 * @param {((error: unknown) => void) | undefined} onError
 */
async function complete({ index, factory, prefix, guard }, onError) {
  const known = /** @type {true | { silent: string[] } | undefined} */ (await index.get(COMPLETE));
  if (known === true || factory.databases === undefined) return;
  const names = (await factory.databases()).map(({ name = "" }) => name);
  /** @type {string[]} */
  const silent = [];
  for (const name of names) {
    if (
      !name.startsWith(prefix) ||
      !HASH.test(name.slice(prefix.length)) ||
      known?.silent.includes(name) === false
    )
      continue;
    try {
      const id = await guard(name, () => ownerOf(factory, name));
      if (id !== undefined && !(await index.get(id))) await index.put(id, { ready: false });
    } catch (error) {
      silent.push(name);
      onError?.(error);
    }
  }
  if (known === undefined || known.silent.length > silent.length)
    // Without room for it, the next list looks again.
    await index.put(COMPLETE, silent.length === 0 ? true : { silent }).catch(onlyFull);
}

/**
 * Reads the thread id in a database, stored by its first commit.
 * @param {IDBFactory} factory
 * @param {string} name
 * @returns {Promise<string | undefined>} undefined when the database is empty
 */
function ownerOf(factory, name) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  /** @type {Promise<string | undefined>} */
  const found = new Promise((resolve, reject) => {
    const request = factory.open(name);
    let giveUp = () => {};
    let left = 5;
    timer = setInterval(() => {
      if (--left > 0) return;
      reject(new Error("the database did not answer within 5 s"));
      giveUp();
    }, 1000);
    // The database was deleted meanwhile and must not be created.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = () =>
      request.error?.name === "AbortError" ? resolve(undefined) : reject(request.error);
    request.onsuccess = () => {
      const db = request.result;
      try {
        const transaction = db.transaction([...db.objectStoreNames]);
        giveUp = () => transaction.abort();
        const store = transaction.objectStore(db.objectStoreNames[0]);
        const [owner, count] = [store.get(name), store.count()];
        transaction.oncomplete = () => {
          const isDamaged = count.result > 0 && typeof owner.result !== "string";
          if (isDamaged)
            reject(
              makeError(ERR_LOG_CORRUPT, [
                name,
                0,
                "its database does not say whose it is; the thread is as it was, for who knows the id",
              ]),
            );
          else resolve(count.result > 0 ? owner.result : undefined);
        };
        transaction.onabort = () =>
          reject(transaction.error ?? new Error("the transaction was aborted"));
      } catch (error) {
        reject(error);
      }
      db.close();
    };
  });
  return found.finally(() => clearInterval(timer));
}

/** Passes over a write that found no room, and nothing else. @param {Error | null} error */
function onlyFull(error) {
  if (error?.name !== "QuotaExceededError") throw error;
}

/** @param {import("./volume.js").Volume} volume */
async function headOf(volume) {
  await volume.refresh();
  return volume.head();
}

/**
 * Reads the entries after `after`, by key.
 * @param {import("./thread-index.js").Table} index
 * @param {string | undefined} after
 * @param {number | undefined} limit
 * @returns {Promise<[string, import("./thread-index.js").Listing][]>}
 */
async function pageOf(index, after, limit) {
  const range = IDBKeyRange.lowerBound(after ?? "", after !== undefined);
  // IndexedDB's own limit is a 32-bit number.
  if (limit !== undefined) limit = Math.min(limit, 2 ** 32 - 1);
  const { keys, values } = await index.transact("readonly", (store) => ({
    keys: store.getAllKeys(range, limit),
    values: store.getAll(range, limit),
  }));
  return keys.result.map((key, i) => [String(key), values.result[i]]);
}

/** @param {import("./thread-index.js").Table} table @param {string} key */
async function remove(table, key) {
  await table.transact("readwrite", (store) => void store.delete(key));
}

/** @param {Parts} parts @param {string} threadId @returns {Promise<void>} */
export async function dropIdbfs({ index, witnesses, run, tell }, threadId) {
  checkThreadId(threadId);
  return run(threadId, async (volume) => {
    const { prefix, storage } = witnesses;
    storage?.removeItem(prefix + threadId);
    // A worker cannot delete the witness in a page's localStorage, only mark it as void.
    // Without room for marks a thread is deleted all the same: that is how room is made.
    if (storage) await remove(witnesses, threadId);
    else
      await witnesses.put(threadId, { gone: true }).catch((error) => {
        onlyFull(error);
        return remove(witnesses, threadId);
      });
    // The index may be lost; and a crash in between must not leave the name of a deleted thread.
    if (await index.get(threadId)) await index.put(threadId, { ready: false }).catch(onlyFull);
    await volume.clear();
    await remove(index, threadId);
    tell(threadId);
    await volume.refresh();
    // Another tab started the thread anew in between.
    if (volume.head()) await index.put(threadId, { ready: true });
  });
}

/**
 * @param {Parts} parts
 * @param {string} threadId
 * @param {import("../../log/log-store.js").LogRange} range
 * @param {Uint8Array} bytes
 * @returns {Promise<void>}
 */
export async function foldIdbfs({ run, persist }, threadId, range, bytes) {
  checkFold(threadId, range, bytes);
  return run(threadId, (volume) => persist(volume, () => volume.fold(range, bytes)));
}

/**
 * @param {{ ask?: boolean }} options
 * @returns {Promise<"persistent" | "best-effort" | "unknown">}
 */
export async function persistence({ ask = false }) {
  const storage = globalThis.navigator?.storage;
  try {
    if (typeof storage?.persisted !== "function") return "unknown";
    return (await storage.persisted()) || (ask && (await storage.persist()))
      ? "persistent"
      : "best-effort";
  } catch {
    return "unknown"; // the page may not ask, as in a sandboxed frame
  }
}

/**
 * @returns {Promise<{ usage: number | undefined, quota: number | undefined, persistence:
 *   "persistent" | "best-effort" | "unknown" }>}
 */
export async function quota() {
  const told = persistence({});
  const { usage, quota } =
    (await Promise.resolve(globalThis.navigator?.storage?.estimate?.()).catch(() => undefined)) ??
    {};
  return { usage, quota, persistence: await told };
}

/** @param {Parts} parts @param {string | undefined} threadId @returns {Promise<number>} */
export async function idbfsBytes(parts, threadId) {
  if (threadId === undefined) {
    let sum = 0;
    for (const id of await listIdbfs(parts, {})) sum += await idbfsBytes(parts, id);
    return sum;
  }
  checkThreadId(threadId);
  return parts.run(threadId, async (volume) => {
    await volume.refresh();
    return volume.byteLength();
  });
}

/**
 * Requests a Web Lock for a thread.
 * @param {string} name of the lock
 * @param {string} threadId
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>}
 */
export async function holdLock(name, threadId, options) {
  checkHold(threadId, options);
  const { wait = false, signal } = options;
  const locks = globalThis.navigator?.locks;
  if (!locks) return () => {};
  return new Promise((resolve, reject) => {
    const request = wait ? { signal } : { ifAvailable: true };
    locks
      .request(
        name,
        request,
        (lock) =>
          new Promise((release) => {
            if (!lock) release(undefined);
            resolve(lock ? () => release(undefined) : undefined);
          }),
      )
      .catch(reject);
  });
}
