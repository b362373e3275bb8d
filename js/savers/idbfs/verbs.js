// SPDX-License-Identifier: MIT
// What few programs ask of the store in IndexedDB: which threads there are, how many bytes they take, that one is gone or
// becomes shorter, that other tabs keep off it, that the browser keeps it. Works on the store's parts; owns nothing.
import { checkThreadId } from "../log-port.js";
import { checkFold, checkList } from "../port-checks.js";

/**
 * @typedef {object} Parts
 * @property {import("./places.js").Table} index
 * @property {import("./places.js").Witnesses} witnesses
 * @property {<T>(threadId: string, work: (volume: import("./volume.js").Volume) => Promise<T>) => Promise<T>} run
 * @property {<T>(threadId: string, work: () => Promise<T>) => Promise<T>} guard
 * @property {(threadId: string) => void} tell
 * @property {(volume: import("./volume.js").Volume, change: () => Promise<void>) => Promise<void>} persist
 */

/** @param {Parts} parts @param {{ limit?: number, after?: string }} options @returns {Promise<string[]>} */
export async function listIdbfs({ index, run, guard }, options) {
  checkList(options);
  const { limit = Infinity } = options;
  /** @type {string[]} */
  const ids = [];
  let { after } = options;
  for (;;) {
    const wanted = limit === Infinity ? undefined : limit - ids.length;
    const page = await guard("*", () => pageOf(index, after, wanted));
    for (const [id, { ready }] of page) if (ready || (await run(id, headOf))) ids.push(id);
    after = page.at(-1)?.[0];
    if (wanted === undefined || page.length < wanted || ids.length >= limit) return ids;
  }
}

/** @param {import("./volume.js").Volume} volume */
async function headOf(volume) {
  await volume.refresh();
  return volume.head();
}

/**
 * The entries behind `after`, by key.
 * @param {import("./places.js").Table} index
 * @param {string | undefined} after
 * @param {number | undefined} limit
 * @returns {Promise<[string, import("./places.js").Listing][]>}
 */
async function pageOf(index, after, limit) {
  const range = after === undefined ? undefined : IDBKeyRange.lowerBound(after, true);
  const { keys, values } = await index.transact("readonly", (store) => ({
    keys: store.getAllKeys(range, limit),
    values: store.getAll(range, limit),
  }));
  return keys.result.map((key, i) => [String(key), values.result[i]]);
}

/** @param {Parts} parts @param {string} threadId @returns {Promise<void>} */
export async function dropIdbfs({ index, witnesses, run, tell }, threadId) {
  checkThreadId(threadId);
  return run(threadId, async (volume) => {
    await witnesses.remove(threadId);
    if (!(await index.get(threadId))) return;
    await volume.clear();
    await index.remove(threadId);
    tell(threadId);
    await volume.refresh();
    // Another tab began the thread anew in between.
    if (volume.head()) await index.put(threadId, { ready: true });
  });
}

/** @param {Parts} parts @param {string} threadId @param {import("../log-port.js").LogRange} range @param {Uint8Array} bytes @returns {Promise<void>} */
export async function foldIdbfs({ run, persist }, threadId, range, bytes) {
  checkFold(threadId, range, bytes);
  return run(threadId, (volume) => persist(volume, () => volume.fold(range, bytes)));
}

/** @param {{ ask?: boolean }} options @returns {Promise<"persistent" | "best-effort" | "unknown">} */
export async function persistence({ ask = false }) {
  const storage = globalThis.navigator?.storage;
  if (typeof storage?.persisted !== "function") return "unknown";
  const kept = (await storage.persisted()) || (ask && (await storage.persist()));
  return kept ? "persistent" : "best-effort";
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
 * @param {string} name of the lock
 * @param {string} threadId
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>}
 */
export async function holdLock(name, threadId, { wait = false, signal }) {
  checkThreadId(threadId);
  const locks = globalThis.navigator?.locks;
  if (!locks) return () => {};
  return new Promise((resolve, reject) => {
    const request = wait ? { signal } : { ifAvailable: true };
    locks.request(name, request, (lock) => new Promise((release) => {
      if (!lock) release(undefined);
      resolve(lock ? () => release(undefined) : undefined);
    })).catch(reject);
  });
}
