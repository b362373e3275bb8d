// SPDX-License-Identifier: MIT
// Throws the engine's error about a log that is lost or unreadable. What reads logs without the
// engine is in read-log.js, which runs do not need.
import { ERR_UNSEALED } from "../base/codes.js";
import { makeError } from "../base/errors.js";

/** "WFSL", of js/savers/sealed/sealed.js. */
const SEAL = 0x4c534657;

/**
 * Refuses sealed records: they are not lost, but unreadable without a key.
 * @param {string} threadId @param {readonly Uint8Array[]} batches as they are stored
 */
export function checkUnsealed(threadId, batches) {
  const isSealed = batches.some(
    (bytes) =>
      bytes.length > 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === SEAL,
  );
  if (isSealed)
    throw makeError(ERR_UNSEALED, [
      threadId,
      "it is sealed, and this saver has no key: see sealSaver of weftgraph/savers/sealed",
    ]);
}

/**
 * Throws the engine's error about a lost or missing log, or UNSEALED if its records are sealed.
 * @param {import("../run/thread.js").Thread | undefined} thread
 * @param {number} status
 * @param {string[]} words of the engine
 * @returns {Promise<never>}
 */
export async function lossOf(thread, status, words) {
  if (thread !== undefined) checkUnsealed(thread.id, (await thread.load()).pieces);
  throw makeError(status, words);
}
