// SPDX-License-Identifier: MIT
// Keeps recordings in IndexedDB, a bounded number of them. Owns the database. Must not know: what a
// recording holds.
import { RecordingError } from "./recording-file.js";

/** @typedef {{ id: number, graph: string, title: string, at: string, size: number }} Kept */

const DATABASE = "weft-studio-recordings";
const MOST = 50;
const MAX_BYTES = 64 * 1024 * 1024;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<IDBDatabase>} */
async function openDatabase() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("heads", { keyPath: "id", autoIncrement: true });
    request.result.createObjectStore("texts");
  };
  return answer(request);
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(heads: IDBObjectStore, texts: IDBObjectStore) => Promise<T>} work
 * @returns {Promise<T>} when it is stored
 */
async function transact(mode, work) {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(["heads", "texts"], mode);
    const stored = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(undefined);
      transaction.onabort = () => reject(transaction.error);
    });
    stored.catch(() => {});
    const result = await work(transaction.objectStore("heads"), transaction.objectStore("texts"));
    await stored;
    return result;
  } finally {
    database.close();
  }
}

/** @returns {Promise<Kept[]>} the newest first */
export async function listKept() {
  const heads = await transact("readonly", (store) => answer(store.getAll()));
  return heads.reverse();
}

/**
 * @param {Omit<Kept, "id" | "size">} head
 * @param {string} text of the file
 * @throws RecordingError when there is no room for it
 */
export async function keep({ graph, title, at }, text) {
  try {
    await transact("readwrite", async (heads, texts) => {
      /** @type {Kept[]} */
      const there = await answer(heads.getAll());
      const size = text.length;
      const taken = there.reduce((sum, one) => sum + one.size, size);
      if (there.length >= MOST || taken > MAX_BYTES)
        throw new RecordingError(
          `There is room for ${MOST} recordings of ${MAX_BYTES / 1024 / 1024} MB together: delete one, or save this one as a file.`,
        );
      const id = await answer(heads.add({ graph, title, at, size }));
      await answer(texts.put(text, id));
    });
  } catch (error) {
    if (/** @type {Error} */ (error)?.name !== "QuotaExceededError") throw error;
    throw new RecordingError("The browser has no more room: save the recording as a file.");
  }
}

/** @param {number} id @returns {Promise<string>} the file's text */
export async function readKept(id) {
  const text = await transact("readonly", (_heads, texts) => answer(texts.get(id)));
  if (typeof text !== "string") throw new RecordingError("This recording is not there any more.");
  return text;
}

/** @param {number} id */
export function removeKept(id) {
  return transact("readwrite", async (heads, texts) => {
    await answer(heads.delete(id));
    await answer(texts.delete(id));
  });
}
