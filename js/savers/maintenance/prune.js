// SPDX-License-Identifier: MIT
// Drops old checkpoints of a thread. The rest is rewritten at the end of the log (one commit, which
// compares the head as any other), then the old records are dropped. Calls the store's methods; the
// engine chooses and writes.
import { HEADER, TRIM as TRIM_FRAME, framesOf } from "../../log/frames.js";
import { concat } from "../../log/concat.js";
import { checkKeep } from "../core/keep.js";
import { readLog } from "../../log/read-log.js";
import { TRIM, rewriteLog, storeOf } from "./rewrite.js";

/** @typedef {import("../weft-saver.js").WeftSaver} WeftSaver */
/** @typedef {import("../core/keep.js").Keep} Keep */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/** @typedef {{ kept: number, dropped: number, bytesBefore: number, bytesAfter: number }} Pruned */

const DAY_MS = 24 * 60 * 60 * 1000;
/** Ticks of 100 ns from the epoch of UUIDs (1582) to JavaScript's. */
const EPOCH = 0x01b21dd213814000n;
const TRIES = 3;

/** @param {unknown} error of a store */
function codeOf(error) {
  return /** @type {{ code?: unknown }} */ (error).code;
}

/** @param {Keep} keep @param {number} now @returns {import("./rewrite.js").Keep} */
function readKeep(keep, now) {
  checkKeep(keep);
  const { last, days, pinned = [] } = keep;
  const since =
    days === undefined
      ? undefined
      : BigInt(Math.max(0, Math.round(now - days * DAY_MS))) * 10000n + EPOCH;
  return { last: last ?? 1, since, pinned };
}

/**
 * Prunes a thread. Retries when fenced: a compaction started by the saver may have continued the
 * thread.
 * @param {WeftSaver} saver
 * @param {string} threadId
 * @param {Keep} keep
 * @returns {Promise<Pruned>}
 */
export async function pruneNow(saver, threadId, keep) {
  const store = storeOf(saver);
  const wanted = readKeep(keep, Date.now());
  for (let tries = 1; ; tries++) {
    try {
      return await rewrite(store, threadId, wanted);
    } catch (error) {
      if (codeOf(error) !== "FENCED" || tries === TRIES) throw error;
    }
  }
}

/**
 * @param {LogStore} store
 * @param {string} threadId
 * @param {import("./rewrite.js").Keep} wanted
 * @returns {Promise<Pruned>}
 */
async function rewrite(store, threadId, wanted) {
  const bytesBefore = await store.byteLength(threadId);
  const { batches, head } = await readLog(store, threadId);
  if (head.seq === 0) return { kept: 0, dropped: 0, bytesBefore, bytesAfter: bytesBefore };
  const { before, seq, crc, kept, dropped, frames } = rewriteLog(threadId, TRIM, batches, wanted);
  if (dropped === 0 || frames.length >= bytesBefore) {
    const rest = behindTrim(batches);
    if (rest !== undefined) await foldAll(store, threadId, before, rest);
    return {
      kept: kept + dropped,
      dropped: 0,
      bytesBefore,
      bytesAfter: rest === undefined ? bytesBefore : await store.byteLength(threadId),
    };
  }
  await store.append(threadId, { firstSeq: before + 1, seq, crc }, frames, head);
  await store.witness(threadId, { seq, crc });
  await foldAll(store, threadId, seq, frames);
  return { kept, dropped, bytesBefore, bytesAfter: await store.byteLength(threadId) };
}

/**
 * Replaces a log by its relevant records. If a concurrent writer folded these commits together with
 * others, the next pruning drops the rest.
 * @param {LogStore} store
 * @param {string} threadId
 * @param {number} lastSeq
 * @param {Uint8Array} bytes
 */
async function foldAll(store, threadId, lastSeq, bytes) {
  try {
    await store.fold(threadId, { firstSeq: 1, lastSeq }, bytes);
  } catch (error) {
    if (codeOf(error) !== "BAD_ARGUMENT") throw error;
  }
}

/**
 * Returns the relevant records of a log whose compaction ended before it dropped the rest;
 * undefined when all are.
 * @param {readonly Uint8Array[]} batches
 */
function behindTrim(batches) {
  for (let at = batches.length - 1; at >= 0; at--) {
    const trims = [...framesOf(batches[at])].filter(({ kind }) => kind === TRIM_FRAME);
    if (trims.length === 0) continue;
    const start = trims[trims.length - 1].at - HEADER;
    return at === 0 && start <= HEADER
      ? undefined
      : concat([batches[at].subarray(start), ...batches.slice(at + 1)]);
  }
  return undefined;
}
