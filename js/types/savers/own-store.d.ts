// SPDX-License-Identifier: MIT
// Declares helpers for user-written stores. The checks throw BAD_ARGUMENT (BAD_STRING for an id
// with half a surrogate pair); each method begins with its own check.
import type { LogCommit, LogHead, LogRange } from "./testing/contract.js";

export { WeftSaver, type Keep, type KeepOptions, type Witness } from "./weft-saver.js";
export type { Answer, LogCommit, LogHead, LogRange, LogStore } from "./testing/contract.js";

/**
 * Checks the argument of `head`, `drop`, `byteLength`, `read` and `witness`: a string of 1 to 1,024
 * bytes of UTF-8.
 * @throws BAD_ARGUMENT if it is no text, empty or too long, BAD_STRING if it is no valid Unicode
 */
export function checkThreadId(threadId: unknown): asserts threadId is string;
/**
 * Checks the argument of `read`: `from` is a record's number, or omitted.
 * @throws BAD_ARGUMENT if it is no number of a record
 */
export function checkFrom(from: number | undefined): void;
/**
 * Checks the arguments of `append`: the commit follows `expected`, and there are bytes. The store
 * must check that the log ends there.
 * @throws BAD_ARGUMENT or BAD_STRING for an argument of another form
 */
export function checkAppend(
  threadId: unknown,
  commit: LogCommit,
  bytes: Uint8Array,
  expected: LogHead | undefined,
): void;
/**
 * Checks the arguments of `fold`.
 * @throws BAD_ARGUMENT or BAD_STRING for an argument of another form
 */
export function checkFold(threadId: unknown, range: LogRange, bytes: Uint8Array): void;
/**
 * Checks the arguments of `list`.
 * @throws BAD_ARGUMENT or BAD_STRING for options of another form
 */
export function checkList(options: {
  limit?: number;
  after?: string;
  onError?: (error: unknown) => void;
}): void;
/**
 * Checks the argument of `partition`: 1 to 16 letters from a to z.
 * @throws BAD_ARGUMENT unless it has 1 to 16 letters from a to z
 */
export function checkPartition(name: unknown): asserts name is string;
/**
 * Checks the head passed to `witness`.
 * @throws BAD_ARGUMENT if it is no `{ seq, crc }`
 */
export function checkHead(head: unknown): asserts head is LogHead;

/** Compares two ends of a log; undefined: no records. */
export function sameHead(a: LogHead | undefined, b: LogHead | undefined): boolean;
/**
 * Finds a range's commits among `pieces`, the thread's commits in order. Throws BAD_ARGUMENT when
 * the range does not consist of whole commits.
 * @returns indexes in `pieces`: the first commit, and the one after the last
 * @throws BAD_ARGUMENT if the range is not whole commits of the thread
 */
export function findRange(
  pieces: readonly LogRange[],
  range: LogRange,
): { start: number; end: number };

/** Makes the FENCED error of an `append` after another head than the log's. */
export function fenced(threadId: string): Error;
/**
 * Wraps a storage's failure as STORE, or as QUOTA when it is out of space.
 * @param full whether it is out of space; by default for QuotaExceededError
 */
export function storeFailed(threadId: string, cause: unknown, full?: boolean): Error;
/**
 * Marks a failure with an unknown outcome: the commit may be stored. Pass the result to
 * `storeFailed`.
 */
export function markUnknown(error: unknown): Error & { unknown: true };
