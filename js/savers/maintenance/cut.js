// SPDX-License-Identifier: MIT
// Removes the records after a head of a thread's log. Stores cannot shorten a log: it is dropped
// and written anew. Meanwhile a partition of the store keeps it, from which it is restored after a
// crash. Concurrent writers of the thread are fenced.
import { concat } from "../../log/concat.js";
import { HEADER, crcOf, framesOf } from "../../log/frames.js";
import { makeError } from "../../base/errors.js";
import { ERR_ARGUMENT } from "../../base/codes.js";
import { allThreads, failuresOf } from "../core/all-threads.js";
import { ROLLBACK } from "../core/constants.js";
import { storeOf } from "./rewrite.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */

/** Bytes of the CRC after each frame. */
const CRC_BYTES = 4;

/** @param {LogStore} store @returns {LogStore | undefined} */
function asideOf(store) {
  return store.partition?.(ROLLBACK);
}

/**
 * Cuts a thread's log.
 * @param {unknown} saver one of Weft's
 * @param {string} threadId
 * @param {LogHead | undefined} head an earlier head: records after it are removed; undefined: all
 *   are
 * @throws BAD_ARGUMENT when no record ends at this head
 */
export async function cutThread(saver, threadId, head) {
  const store = storeOf(saver);
  const now = await store.head(threadId);
  if (now === undefined || (head !== undefined && now.seq <= head.seq)) return;
  if (head === undefined) return void (await store.drop(threadId));
  const kept = logUpTo(await store.read(threadId), head);
  const aside = asideOf(store);
  if (kept === undefined || aside === undefined)
    throw makeError(ERR_ARGUMENT, [
      `thread ${JSON.stringify(threadId)} cannot go back to what it was before the run`,
    ]);
  await aside.drop(threadId);
  await aside.append(threadId, { firstSeq: 1, ...head }, kept, undefined);
  await store.drop(threadId);
  await store.append(threadId, { firstSeq: 1, ...head }, kept, undefined);
  await aside.drop(threadId);
}

/**
 * Restores threads whose cut did not finish.
 * @param {unknown} saver one of Weft's
 */
export async function finishCuts(saver) {
  const store = storeOf(saver);
  const aside = asideOf(store);
  if (aside === undefined) return;
  const { tell, end } = failuresOf(undefined);
  for await (const threadId of allThreads(aside, tell)) {
    const head = await aside.head(threadId);
    if (head !== undefined && (await store.head(threadId)) === undefined)
      await store.append(
        threadId,
        { firstSeq: 1, ...head },
        concat(await aside.read(threadId)),
        undefined,
      );
    await aside.drop(threadId);
  }
  end();
}

/**
 * Takes the records of a log up to a head.
 * @param {Uint8Array[]} batches of a whole log
 * @param {LogHead} head
 * @returns {Uint8Array | undefined} undefined when no record ends there
 */
function logUpTo(batches, head) {
  /** @type {Uint8Array[]} */
  const kept = [];
  let last = { seq: 0, crc: 0 };
  for (const bytes of batches)
    for (const frame of framesOf(bytes)) {
      if (frame.seq > head.seq) break;
      if (frame.seq !== last.seq + 1) return undefined;
      last = { seq: frame.seq, crc: crcOf(frame) };
      kept.push(bytes.subarray(frame.at - HEADER, frame.at + frame.length + CRC_BYTES));
    }
  return last.seq === head.seq && last.crc === head.crc ? concat(kept) : undefined;
}
