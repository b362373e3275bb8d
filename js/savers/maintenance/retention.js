// SPDX-License-Identifier: MIT
// Prunes threads on request of the host, queued among the threads' runs.
import { currentConfig } from "../../base/ambient.js";
import { allThreads, failuresOf } from "../core/all-threads.js";
import { checkKeep } from "../core/keep.js";
import { checkThreadId } from "../../log/log-store.js";
import { pruneNow } from "./prune.js";
import { storeOf } from "./rewrite.js";
import { inTurn } from "./turns.js";

/** @typedef {import("../weft-saver.js").WeftSaver} WeftSaver */
/** @typedef {import("../core/keep.js").Keep} Keep */
/** @typedef {import("../core/keep.js").KeepOptions} KeepOptions */

/**
 * Prunes a thread after its earlier runs, and those of other processes that take turns. Rejects
 * with BUSY when called within a run of the thread, which would wait for itself.
 * @param {WeftSaver} saver
 * @param {string} threadId
 * @param {Keep} keep
 * @returns {Promise<import("./prune.js").Pruned>}
 */
export async function pruneThread(saver, threadId, keep) {
  const store = storeOf(saver);
  checkThreadId(threadId);
  checkKeep(keep);
  const rejects = currentConfig()?.configurable?.thread_id === threadId;
  return inTurn({ threadId, store, turn: { saver, rejects } }, () =>
    pruneNow(saver, threadId, keep),
  );
}

/**
 * Prunes all threads.
 * @param {WeftSaver} saver
 * @param {Keep} keep
 * @param {{ onError?: import("../core/all-threads.js").OnError }} [options]
 * @returns {Promise<{ threads: number, kept: number, dropped: number, bytesBefore: number,
 *   bytesAfter: number }>}
 */
export async function pruneThreads(saver, keep, options) {
  checkKeep(keep);
  const sum = { threads: 0, kept: 0, dropped: 0, bytesBefore: 0, bytesAfter: 0 };
  const { tell, end } = failuresOf(options?.onError);
  for await (const id of allThreads(storeOf(saver), tell)) {
    const one = await pruneThread(saver, id, keep).catch((error) => void tell(error, id));
    if (one === undefined) continue;
    sum.threads++;
    sum.kept += one.kept;
    sum.dropped += one.dropped;
    sum.bytesBefore += one.bytesBefore;
    sum.bytesAfter += one.bytesAfter;
  }
  end();
  return sum;
}

/**
 * Sets the option `keep` of an existing saver.
 * @template {WeftSaver} Saver
 * @param {Saver} saver
 * @param {KeepOptions} options
 * @returns {Saver}
 */
export function keepPruned(saver, options) {
  storeOf(saver);
  saver.keep = options;
  return saver;
}
