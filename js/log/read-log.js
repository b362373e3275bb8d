// SPDX-License-Identifier: MIT
// Reads a thread's log and finds what its store lost of it, compared with its witness. Depends only
// on LogStore.
import { ERR_DATA_LOSS, ERR_LOG_FORMAT, ERR_WRONG_THREAD } from "../base/codes.js";
import { makeError } from "../base/errors.js";
import { checkUnsealed } from "./data-loss.js";
import { START, corruptLog } from "./log-store.js";
import { examine } from "./recover.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./log-store.js").LogHead} LogHead */

/** Codes of errors about logs whose beginning may still be readable. */
const DAMAGE = ["CORRUPT_LOG", "DATA_LOSS", "UNSEALED", "WRONG_THREAD"];

/**
 * Finds why a log is not all that was acknowledged, with the verdicts of src/log/recover.c. To read
 * or extend a log that lost its end would hide the loss.
 * @param {string} threadId
 * @param {import("./recover.js").Examined} found
 * @param {LogHead | undefined} known the newest record known to have been acknowledged
 */
function faultOf(threadId, { anchor, head, stop, survives, isHeadless }, known = START) {
  const lost =
    known.seq > head.seq
      ? known.seq - head.seq
      : known.seq === head.seq && known.crc !== head.crc
        ? 1
        : 0;
  if (stop === "thread") return makeError(ERR_WRONG_THREAD, [threadId, head.seq + 1]);
  if (stop === "format") return makeError(ERR_LOG_FORMAT, [threadId, "above 5", "1 to 5"]);
  // The TRIM record, which says why the log does not start at 1, may be the changed one.
  const isMaybeTrim = stop === "changed" && head === anchor;
  if (isHeadless && !isMaybeTrim)
    return makeError(ERR_DATA_LOSS, [threadId, Math.max(anchor.seq, known.seq)]);
  if ((stop !== undefined && survives) || (stop === "changed" && (lost > 0 || isHeadless)))
    return corruptLog(threadId, head.seq, "its bytes are not those that were stored");
  return lost > 0 ? makeError(ERR_DATA_LOSS, [threadId, lost]) : undefined;
}

/**
 * Reads a thread's whole log. Head and witness are read first, so that no later commit counts as
 * lost. A thread deleted in between looks lost once, hence the second try.
 * @param {import("./log-store.js").LogStore} store @param {string} threadId
 * @returns {Promise<{ batches: Uint8Array[], head: LogHead }>} and its end; seq 0: there is no such
 *   thread
 */
export async function readLog(store, threadId) {
  for (let tries = 1; ; tries++) {
    const [head, witness] = await Promise.all([store.head(threadId), store.witness(threadId)]);
    const batches = await store.read(threadId);
    checkUnsealed(threadId, batches);
    const found = examine(threadId, batches);
    const fault = faultOf(threadId, found, (head?.seq ?? 0) > (witness?.seq ?? 0) ? head : witness);
    if (fault === undefined) return { batches: found.sound, head: found.head };
    if (tries === 2) throw fault;
  }
}

/**
 * Reads the sound part of a log, from its first record, and the reason why the rest is unsound.
 * @param {import("./log-store.js").LogStore} store @param {string} threadId
 * @returns {Promise<{ batches: Uint8Array[], fault?: unknown }>}
 */
export async function readBefore(store, threadId) {
  try {
    return { batches: (await readLog(store, threadId)).batches };
  } catch (/** @type {Value} */ fault) {
    if (!DAMAGE.includes(fault?.code)) throw fault;
    const { sound, isHeadless } = examine(threadId, await store.read(threadId, { damaged: true }));
    if (isHeadless || sound.length === 0) throw fault;
    return { batches: sound, fault };
  }
}
