// SPDX-License-Identifier: MIT
// Declares helpers for user-written stores. The checks throw BAD_ARGUMENT (BAD_STRING for an id
// with half a surrogate pair); each method begins with its own check.
import type { LogCommit, LogHead, LogRange } from "./testing/contract.js";

export { WeftSaver, type Keep, type KeepOptions, type Witness } from "./weft-saver.js";
export type { Answer, LogCommit, LogHead, LogRange, LogStore } from "./testing/contract.js";

/**
 * Checks the argument of `head`, `drop`, `byteLength`, `read` and `witness`: a string of 1 to 1,024
 * bytes of UTF-8.
 * @param threadId what the caller of the store gave, of any type
 * @throws BAD_ARGUMENT if it is no text, empty or too long, BAD_STRING if it is no valid Unicode
 */
export function checkThreadId(threadId: unknown): asserts threadId is string;
/**
 * Checks the argument of `read`: `from` is a record's number, or omitted.
 * @param from number of a record, from 0; undefined: the whole log
 * @throws BAD_ARGUMENT if it is no number of a record
 */
export function checkFrom(from: number | undefined): void;
/**
 * Checks the arguments of `append`: the commit follows `expected`, and there are bytes. The store
 * must check that the log ends there.
 * @param threadId 1 to 1,024 bytes of UTF-8
 * @param commit numbers of its first and last record; the first must follow `expected`
 * @param bytes the records; at least one byte
 * @param expected end of the log before; undefined: there are no records
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
 * @param threadId 1 to 1,024 bytes of UTF-8
 * @param range numbers of the first and the last record, from 1
 * @param bytes what replaces them; at least one byte
 * @throws BAD_ARGUMENT or BAD_STRING for an argument of another form
 */
export function checkFold(threadId: unknown, range: LogRange, bytes: Uint8Array): void;
/**
 * Checks the arguments of `list`.
 * @param options must be an object, also an empty one
 * @param options.limit most ids to list, from 1; default: all
 * @param options.after id of the thread behind which the list begins
 * @param options.onError receives an error for each unreadable id
 * @throws BAD_ARGUMENT or BAD_STRING for options of another form
 */
export function checkList(options: {
  limit?: number;
  after?: string;
  onError?: (error: unknown) => void;
}): void;
/**
 * Checks the argument of `partition`: 1 to 16 letters from a to z.
 * @param name what the caller of `partition` gave, of any type
 * @throws BAD_ARGUMENT unless it has 1 to 16 letters from a to z
 */
export function checkPartition(name: unknown): asserts name is string;
/**
 * Checks the head passed to `witness`.
 * @param head number of the last record, from 1, and its CRC, 32 bits
 * @throws BAD_ARGUMENT if it is no `{ seq, crc }`
 */
export function checkHead(head: unknown): asserts head is LogHead;

/**
 * Compares two ends of a log; undefined: no records.
 * @param a end of a log; undefined: no records
 * @param b the other end
 * @throws TypeError if one is null
 */
export function sameHead(a: LogHead | undefined, b: LogHead | undefined): boolean;
/**
 * Finds a range's commits among `pieces`, the thread's commits in order. Throws BAD_ARGUMENT when
 * the range does not consist of whole commits.
 * @param pieces all commits of the thread in order, without gaps
 * @param range numbers of the first and the last record, inclusive
 * @returns indexes in `pieces`: the first commit, and the one after the last
 * @throws BAD_ARGUMENT if the range is not whole commits of the thread
 */
export function findRange(
  pieces: readonly LogRange[],
  range: LogRange,
): { start: number; end: number };

/**
 * Makes the FENCED error of an `append` after another head than the log's.
 * @param threadId thread that another writer has continued; shown in the text
 * @returns an error with the code FENCED, to be thrown
 * @throws TypeError if threadId is an object that cannot become a text
 */
export function fenced(threadId: string): Error;
/**
 * Wraps a storage's failure as STORE, or as QUOTA when it is out of space.
 * @param threadId thread that was read or written; shown in the text
 * @param cause what the storage threw; an error of Weft is returned as it is
 * @param full whether it is out of space; by default for QuotaExceededError
 * @returns an error with the code STORE or QUOTA, to be thrown
 * @throws TypeError if cause is an object that cannot become a text
 */
export function storeFailed(threadId: string, cause: unknown, full?: boolean): Error;
/**
 * Marks a failure with an unknown outcome: the commit may be stored. Pass the result to
 * `storeFailed`.
 * @param error what the storage threw; is changed, or made an Error if it is none
 * @returns the same error with `unknown: true`
 * @throws TypeError if error is frozen, or an object that cannot become a text
 */
export function markUnknown(error: unknown): Error & { unknown: true };
