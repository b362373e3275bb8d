// SPDX-License-Identifier: MIT
// Implements the option `keep` in the background. Loaded when the first run of a saver with this
// option has ended.
import { pruneNow } from "./prune.js";
import { storeOf } from "./rewrite.js";

/**
 * Returns the function that prunes a thread after a run if it has grown by `every` records.
 * @param {import("../weft-saver.js").WeftSaver} saver
 * @param {import("../core/keep.js").KeepOptions} options
 * @returns {(threadId: string) => Promise<void>}
 */
export function tidierOf(saver, { every = 256, onError, ...keep }) {
  const store = storeOf(saver);
  /** Number of records at the last check, by thread. @type {Map<string, number>} */
  const seen = new Map();
  const look = async (/** @type {string} */ threadId) => {
    const seq = (await store.head(threadId))?.seq ?? 0;
    const last = seen.get(threadId) ?? 0;
    // A shorter thread was deleted and started anew.
    if (seq - (seq < last ? 0 : last) < every) return;
    await pruneNow(saver, threadId, keep);
    if (seen.size >= 4096) seen.clear();
    seen.set(threadId, (await store.head(threadId))?.seq ?? 0);
  };
  return (threadId) =>
    look(threadId)
      .catch((error) => onError?.(error, threadId))
      .catch((error) => console.warn(`onError of keep failed for thread "${threadId}":`, error));
}
