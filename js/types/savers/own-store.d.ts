// SPDX-License-Identifier: MIT
// What a store of one's own is made with. The checks throw BAD_ARGUMENT (BAD_STRING for an id with
// half a surrogate pair); a verb begins with its own.
import type { LogCommit, LogHead, LogRange } from "./testing/contract.js";

export { WeftSaver, type Keep, type KeepOptions, type Witness } from "./weft-saver.js";
export type { Answer, LogCommit, LogHead, LogRange, LogStore } from "./testing/contract.js";

/**
 * For `head`, `drop`, `byteLength`, `read` and `witness`: a string of 1 to 1,024 bytes of UTF-8.
 */
export function checkThreadId(threadId: unknown): asserts threadId is string;
/** For `read`: `from` is a record's number, or left out. */
export function checkFrom(from: number | undefined): void;
/**
 * For `append`: the commit follows `expected`, and there are bytes. Whether the log ends there is
 * the store's to say.
 */
export function checkAppend(
  threadId: unknown,
  commit: LogCommit,
  bytes: Uint8Array,
  expected: LogHead | undefined,
): void;
/** For `fold`. */
export function checkFold(threadId: unknown, range: LogRange, bytes: Uint8Array): void;
/** For `list`. */
export function checkList(options: {
  limit?: number;
  after?: string;
  onError?: (error: unknown) => void;
}): void;
/** For `partition`: 1 to 16 letters from a to z. */
export function checkPartition(name: unknown): asserts name is string;
/** For `witness`, where a head is given. */
export function checkHead(head: unknown): asserts head is LogHead;

/** Whether a log ends where it is said to; undefined: it has no records. */
export function sameHead(a: LogHead | undefined, b: LogHead | undefined): boolean;
/**
 * Where a range's commits stand among `pieces`, the thread's commits in order. BAD_ARGUMENT when
 * they are not whole ones.
 */
export function findRange(
  pieces: readonly LogRange[],
  range: LogRange,
): { start: number; end: number };

/** The error of an `append` behind another head than the log's. */
export function fenced(threadId: string): Error;
/**
 * A storage's own failure as STORE, or as QUOTA when it is one of space (by default what browsers
 * call QuotaExceededError).
 */
export function storeFailed(threadId: string, cause: unknown, full?: boolean): Error;
/**
 * Marks a failure after which nobody can tell whether the commit was stored; put it into
 * `storeFailed`.
 */
export function markUnknown(error: unknown): Error & { unknown: true };
