// SPDX-License-Identifier: MIT
// Knows whether the browser gives this origin a storage, and says when it is full. Must not know:
// what is stored.

const PROBE = "weft-studio-probe";
/** A storage that does not answer is there: what is in it must not be passed over. */
const LONGEST_WAIT_MS = 2000;

const FULL =
  "The browser's storage is full, so this was not stored; nothing that was kept is lost. " +
  "Save all threads as a file (Recordings), delete some in the list of threads, then try again.";

/** The last request that failed found no room. */
let isFull = false;

/** Notes why the server failed at a request. @param {unknown} error */
export function noteFailedRequest(error) {
  isFull = /** @type {{ code?: unknown }} */ (error)?.code === "QUOTA";
}

/** The answer, by name where there was no room: a server tells no reasons of its own failures. */
export function namedAnswer(/** @type {Response} */ response) {
  if (response.status !== 500 || !isFull) return response;
  isFull = false;
  return Response.json({ detail: FULL, code: "QUOTA" }, { status: 507 });
}

/** @returns {Promise<boolean>} the browser refuses IndexedDB, as it may when a person forbids it */
export async function isStorageRefused() {
  const late = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  try {
    await Promise.race([openProbe(), late]);
    return false;
  } catch (error) {
    // A full one is there, too.
    return /** @type {Error} */ (error)?.name !== "QuotaExceededError";
  }
}

/** @returns {Promise<void>} */
function openProbe() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(PROBE);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      request.result.close();
      indexedDB.deleteDatabase(PROBE);
      resolve();
    };
  });
}
