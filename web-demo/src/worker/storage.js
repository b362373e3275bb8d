// SPDX-License-Identifier: MIT
// Knows whether the browser gives this origin a storage, and says when it is full, emptied or
// changed by others. Must not know: what is stored.

const PROBE = "weft-studio-probe";
/** A storage that does not answer is there: what is in it must not be passed over. */
const LONGEST_WAIT_MS = 2000;

const WATCHED = "weft-studio-watched";
const MOST_LOOKS = 100;
const LOOK_AGAIN_MS = 200;
/** What an engine meets whose storage was emptied. */
const MISSING = ["FENCED", "DATA_LOSS", "CORRUPT_LOG", "STORE"];

const LOST = {
  status: 500,
  detail:
    "A part of what was stored is missing or damaged, so nothing was written. Load the page again " +
    "to see what is stored.",
};
/**
 * Why nothing was stored, by the error's code.
 * @type {Record<string, { status: number, detail: string }>}
 */
const REASONS = {
  QUOTA: {
    status: 507,
    detail:
      "The browser's storage is full, so this was not stored; nothing that was kept is lost. " +
      "Save all threads as a file (Recordings), delete some in the list of threads, then try again.",
  },
  EMPTIED: {
    status: 500,
    detail:
      "This site's storage was emptied, so this was not done: the threads that were kept in this " +
      "browser are gone. Load the page again to go on with new ones.",
  },
  FENCED: {
    status: 500,
    detail:
      "This was not stored: another tab changed the same, or this site's storage was emptied. " +
      "Load the page again to see what is stored.",
  },
  DATA_LOSS: LOST,
  CORRUPT_LOG: LOST,
  STORE: {
    status: 500,
    detail:
      "The browser's storage failed, so it is not known whether this was stored. Load the page " +
      "again to see what is.",
  },
};

/** The site's storage was emptied after this worker had read it. */
let isEmptied = false;
/** Why the last request failed, if it was the storage. @type {string | undefined} */
let reason;

/** Notes why the server failed at a request. @param {unknown} error */
export function noteFailedRequest(error) {
  const code = String(/** @type {{ code?: unknown }} */ (nameFailure(error))?.code);
  reason = Object.hasOwn(REASONS, code) ? code : undefined;
}

/** The answer, by name where storage failed: a server tells no reasons of its own failures. */
export function namedAnswer(/** @type {Response} */ response) {
  if (response.status !== 500 || reason === undefined) return response;
  const code = reason;
  reason = undefined;
  const { status, detail } = REASONS[code];
  return Response.json({ detail, code }, { status });
}

/**
 * What is stored is not what the engine knows, where the storage was emptied: that is the reason.
 * @param {unknown} error of a run or a request
 * @returns {unknown}
 */
export function nameFailure(error) {
  const { code } = /** @type {{ code?: unknown }} */ (Object(error));
  if (!isEmptied || !MISSING.includes(String(code))) return error;
  return Object.assign(new Error(REASONS.EMPTIED.detail), { code: "EMPTIED" });
}

/**
 * Tells, once, that the site's storage is emptied: by a person in the browser's settings, or by
 * another page of the site. A database of its own is gone then, or another one is there, which a
 * second tab made anew: each has a name of its own inside.
 * @param {() => void} tell
 * @param {string} [known] the name inside, once it was read
 * @param {number} [failed] how often it could not be opened since
 */
export function watchStorage(tell, known, failed = 0) {
  const request = indexedDB.open(WATCHED);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(`${Date.now()} ${Math.random()}`);
  };
  request.onsuccess = () => {
    const database = request.result;
    const [name = ""] = database.objectStoreNames;
    isEmptied = known !== undefined && name !== known;
    const look = () => {
      database.close();
      if (isEmptied) tell();
      else watchStorage(tell, name);
    };
    if (isEmptied) return look();
    database.onversionchange = look;
    database.onclose = look;
  };
  request.onerror = () => {
    // The browser is at it. Where nothing can be opened, what is asked for next says so.
    if (known !== undefined && failed < MOST_LOOKS)
      setTimeout(() => watchStorage(tell, known, failed + 1), LOOK_AGAIN_MS);
  };
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
