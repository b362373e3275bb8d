// SPDX-License-Identifier: MIT
// What a store lost of a thread, as far as its witness knows. Knows of stores only what one is.
import { ERR_DATA_LOSS, ERR_UNSEALED } from "../engine/rare-codes.js";
import { crcOf, framesOf } from "../log/frames.js";
import { makeRareError } from "../rare-errors.js";
import { START } from "./log-port.js";

/** @typedef {import("./log-port.js").LogHead} LogHead */

/** "WFSL", of js/savers/sealed.js. */
const SEAL = 0x4c534657;

/**
 * Records that somebody sealed are not lost, though nothing can be read of them.
 * @param {string} threadId @param {readonly Uint8Array[]} batches as they are stored
 */
export function checkUnsealed(threadId, batches) {
  const isSealed = batches.some((bytes) => bytes.length > 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === SEAL);
  if (isSealed) throw makeRareError(ERR_UNSEALED, [threadId, "it is sealed, and this saver has no key: see sealSaver of weftgraph/savers/sealed"]);
}

/**
 * Why a run found less than was acknowledged, or what is none.
 * @param {import("../run/thread.js").Thread | undefined} thread @param {number} status @param {string[]} words of the engine
 * @returns {Promise<never>}
 */
export async function lossOf(thread, status, words) {
  if (thread !== undefined) checkUnsealed(thread.id, (await thread.load()).pieces);
  throw makeRareError(status, words);
}

/**
 * What is read of, or written behind, a log that lost its end would hide the loss.
 * @param {string} threadId @param {LogHead | undefined} head @param {LogHead | undefined} witness
 */
export function checkLoss(threadId, head = START, witness = START) {
  const lost = witness.seq > head.seq ? witness.seq - head.seq : witness.seq === head.seq && witness.crc !== head.crc ? 1 : 0;
  if (lost > 0) throw makeRareError(ERR_DATA_LOSS, [threadId, lost]);
}

/**
 * A thread's whole log. What was acknowledged is asked for before: a commit that comes in between is no lost one.
 * @param {import("./log-port.js").LogStore} store @param {string} threadId
 */
export async function readLog(store, threadId) {
  const witness = await store.witness(threadId);
  const batches = await store.read(threadId);
  checkUnsealed(threadId, batches);
  if (witness !== undefined) checkLoss(threadId, endOf(batches), witness);
  return batches;
}

/** @param {readonly Uint8Array[]} batches @returns {LogHead} */
function endOf(batches) {
  let end = START;
  for (const frame of batches.length === 0 ? [] : framesOf(batches[batches.length - 1])) end = { seq: frame.seq, crc: crcOf(frame) };
  return end;
}
