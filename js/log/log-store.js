// SPDX-License-Identifier: MIT
// Defines a store of logs (LogStore). It keeps opaque, framed records of threads, append-only, with
// a compare-and-set on each append; it never parses them. It has seven methods and `byteLength`;
// `close` and `hold` are optional. A store may answer directly or with a promise. This file has the
// types and checks that all stores share. Does not depend on a runtime.
import {
  ERR_BAD_STRING,
  ERR_FENCED,
  ERR_LOG_CORRUPT,
  ERR_QUOTA,
  ERR_STORE,
} from "../base/codes.js";
import { WeftError, makeError } from "../base/errors.js";
import { badArgument } from "../base/check-arguments.js";

/**
 * The end of a log: number and CRC of its last frame. A thread without records has none.
 * @typedef {{ seq: number, crc: number }} LogHead
 */

/**
 * What an append stores: one commit of one or more frames; `firstSeq` is the number of the first,
 * `seq` and `crc` are those of the last.
 * @typedef {{ seq: number, crc: number, firstSeq: number }} LogCommit
 */

/** @typedef {{ firstSeq: number, lastSeq: number }} LogRange */

/**
 * @template T
 * @typedef {T | Promise<T>} Answer
 */

/**
 * @typedef {object} LogStore
 * @property {(threadId: string) => Answer<LogHead | undefined>} head The stored end of the log.
 * @property {(threadId: string, options?: { from?: number, damaged?: boolean }) =>
 *   Answer<Uint8Array[]>} read Batches of frames, in order: the whole log, or the part from `from`
 *   on (its first batch may begin earlier). Borrowed: the caller must not write to them. `damaged`:
 *   for a log that the store itself finds damaged, return the batches before the damage instead of
 *   throwing CORRUPT_LOG.
 * @property {(threadId: string, commit: LogCommit, bytes: Uint8Array, expected: LogHead |
 *   undefined) => Answer<void>} append Stores one commit after `expected`; durable once answered.
 *   If the head differs: FENCED, and nothing is stored. An error whose `unknown` is true may have
 *   stored it: read the head again.
 * @property {(threadId: string, range: LogRange, bytes: Uint8Array) => Answer<void>} fold Replaces
 *   whole commits, which together are exactly the range, by `bytes`.
 * @property {(options?: { limit?: number, after?: string, onError?: (error: unknown) => void }) =>
 *   Answer<string[]>} list Thread ids in the store's own, fixed order. A thread whose id cannot be
 *   read is reported to `onError`; the others are listed all the same.
 * @property {(threadId: string) => Answer<void>} drop Deletes a thread and its witness.
 * @property {(threadId: string, head?: LogHead) => Answer<LogHead | undefined>} witness Sets (or,
 *   without `head`, gets) the head kept in a second place. Set after the append was answered, so it
 *   may lag but is never ahead.
 * @property {(threadId?: string) => Answer<number>} byteLength Stored bytes of a thread, or of all.
 * @property {Function} [copies] The `append` function, if it has copied the bytes when it returns:
 *   only then may the caller pass borrowed memory.
 * @property {Function} [blind] The `witness` function, if it keeps nothing: it need not be called,
 *   and `head` answers directly.
 * @property {(threadId: string, head: LogHead) => void} [expect] Announces that a witness outside
 *   the store knows this head: where reads may lag behind writes, a read that shows less is
 *   repeated for a while.
 * @property {boolean} [foldable] Should the writer fold its commits now and then, so that long logs
 *   are read faster? Other stores fold by themselves or need not.
 * @property {(threadId: string) => Promise<void> | undefined} [tidy] Called when the last run of
 *   this process on a thread has ended: work to be done before the next one. Never rejects.
 * @property {string} [channel] The BroadcastChannel on which the store announces changes:
 *   [threadId, seq], without seq after a thread was dropped.
 * @property {(name: string) => LogStore} [partition] A store in the same storage with separate
 *   threads: ids of this store do not reach them, and its `list` and `byteLength` omit them.
 *   Returns the same store for the same name.
 * @property {() => Answer<void>} [close] Releases the store's resources.
 * @property {(threadId: string, options?: { wait?: boolean, signal?: AbortSignal }) => Promise<(()
 *   => void) | undefined>} [hold] Takes the thread's advisory lock; answers its release function,
 *   or undefined if another holder has it.
 */

export const MAX_THREAD_BYTES = 1024;
const SURROGATE = /\p{Surrogate}/u;

/** End of an empty log, to which the first commit's frames refer. @type {Readonly<LogHead>} */
export const START = Object.freeze({ seq: 0, crc: 0 });

export { badArgument };

/** @param {unknown} value @param {string} what "…" of "… is an object" */
export function checkObject(value, what) {
  if (value === null || typeof value !== "object") throw badArgument(`${what} is an object`);
}

/** @param {unknown} value */
export function isCount(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
}

/**
 * @param {unknown} threadId
 * @returns {asserts threadId is string}
 */
export function checkThreadId(threadId) {
  if (typeof threadId !== "string") throw badArgument("a thread id is a string");
  if (threadId === "") throw badArgument("a thread id is not empty");
  const { length } = threadId;
  const isShort = length <= MAX_THREAD_BYTES;
  if (isShort && SURROGATE.test(threadId))
    throw makeError(ERR_BAD_STRING, [JSON.stringify(threadId)]);
  // A character has at most three bytes, so the bytes of a short id are not counted.
  const isLong =
    length * 3 > MAX_THREAD_BYTES &&
    (!isShort || new TextEncoder().encode(threadId).length > MAX_THREAD_BYTES);
  if (isLong) throw badArgument(`a thread id has at most ${MAX_THREAD_BYTES} bytes`);
}

/**
 * @param {unknown} head
 * @returns {asserts head is LogHead}
 */
export function checkHead(head) {
  const { seq, crc } = /** @type {LogHead} */ (head ?? {});
  if (!isCount(seq) || seq === 0 || !isCount(crc) || crc > 0xffffffff)
    throw badArgument("a head is { seq, crc }");
}

/** @param {unknown} bytes */
export function checkBytes(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0)
    throw badArgument("records are a Uint8Array");
}

/**
 * @param {unknown} threadId
 * @param {LogCommit} commit
 * @param {Uint8Array} bytes
 * @param {LogHead | undefined} expected
 */
export function checkAppend(threadId, commit, bytes, expected) {
  checkThreadId(threadId);
  checkHead(commit);
  if (expected !== undefined) checkHead(expected);
  if (commit.firstSeq !== (expected ?? START).seq + 1 || commit.seq < commit.firstSeq)
    throw badArgument("a commit follows the expected head");
  checkBytes(bytes);
}

/** @param {number | undefined} from */
export function checkFrom(from) {
  if (from !== undefined && !isCount(from)) throw badArgument("`from` is a seq");
}

/**
 * @param {LogHead | undefined} a
 * @param {LogHead | undefined} b
 */
export function sameHead(a, b) {
  return a === undefined || b === undefined ? a === b : a.seq === b.seq && a.crc === b.crc;
}

/**
 * Finds the indexes of a range's commits among `pieces` (in order, without gaps). Refuses a range
 * that is not made of whole pieces.
 * @param {ReadonlyArray<LogRange>} pieces
 * @param {LogRange} range
 * @returns {{ start: number, end: number }}
 */
export function findRange(pieces, { firstSeq, lastSeq }) {
  const start = pieces.findIndex((piece) => piece.firstSeq === firstSeq);
  const last = pieces.findIndex((piece) => piece.lastSeq === lastSeq);
  if (start < 0 || last < start) throw badArgument("the range is not whole commits of the thread");
  return { start, end: last + 1 };
}

/** @param {string} threadId */
export function fenced(threadId) {
  return makeError(ERR_FENCED, [threadId]);
}

/**
 * @param {string} threadId
 * @param {number} seq number of the last sound record
 * @param {string} what
 */
export function corruptLog(threadId, seq, what) {
  return makeError(ERR_LOG_CORRUPT, [
    threadId,
    seq + 1,
    `${what}; exportThread with onDamage gives what is before it`,
  ]);
}

/**
 * Returns the batches before the first missing one.
 * @param {(Uint8Array | undefined)[]} batches
 * @returns {Uint8Array[]}
 */
export function leading(batches) {
  const end = batches.indexOf(undefined);
  return /** @type {Uint8Array[]} */ (end < 0 ? batches : batches.slice(0, end));
}

/**
 * Marks a failure after which it is unknown whether the commit was stored.
 * @param {unknown} error
 * @returns {Error & { unknown: true }}
 */
export function markUnknown(error) {
  return Object.assign(error instanceof Error ? error : new Error(String(error)), {
    unknown: /** @type {true} */ (true),
  });
}

/**
 * Wraps a store's own failure in a typed error, marked like its cause. `full` marks one of space:
 * by default the error of browsers for an exceeded quota.
 * @param {string} threadId
 * @param {unknown} cause
 * @param {boolean} [full]
 * @returns {Error}
 */
export function storeFailed(
  threadId,
  cause,
  full = /** @type {Record<PropertyKey, unknown>} */ (cause)?.name === "QuotaExceededError",
) {
  if (cause instanceof WeftError) return cause;
  const words = [threadId, /** @type {Error | undefined} */ (cause)?.message || String(cause)];
  const failure = makeError(full ? ERR_QUOTA : ERR_STORE, words, { cause });
  return /** @type {{ unknown?: boolean }} */ (cause)?.unknown ? markUnknown(failure) : failure;
}
