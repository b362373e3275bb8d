// SPDX-License-Identifier: MIT
// The store in this process's memory: a Map of threads, each a list of commits. Everything is answered directly.
// Owns copies of what it is given; knows no runtime. It has no second place, so no witness.
import { checkAppend, checkFold, checkFrom, checkHead, checkList, checkThreadId, fenced, findRange, sameHead } from "./log-port.js";

/** @typedef {import("./log-port.js").LogHead} LogHead */
/** @typedef {import("./log-port.js").LogStore} LogStore */
/** @typedef {{ firstSeq: number, lastSeq: number, bytes: Uint8Array }} Piece */
/** Commits lie one behind the other in `room`, from `used` on it is free. @typedef {{ head: LogHead, pieces: Piece[], size: number, room: Uint8Array, used: number }} Thread */

const FIRST_ROOM = 1024;
const LARGEST_ROOM = 65536;
const NO_ROOM = /* @__PURE__ */ new Uint8Array(0);

/** @implements {LogStore} */
export class MemoryStore {
  /** @type {Map<string, Thread>} */
  #threads = new Map();
  copies = MemoryStore.prototype.append;

  /**
   * @param {string} threadId
   * @returns {LogHead | undefined}
   */
  head(threadId) {
    checkThreadId(threadId);
    const thread = this.#threads.get(threadId);
    return thread && { seq: thread.head.seq, crc: thread.head.crc };
  }

  /**
   * @param {string} threadId
   * @param {{ from?: number }} [options]
   * @returns {Uint8Array[]}
   */
  read(threadId, { from } = {}) {
    checkThreadId(threadId);
    checkFrom(from);
    const pieces = this.#threads.get(threadId)?.pieces ?? [];
    let start = 0;
    if (from !== undefined) {
      let end = pieces.length;
      while (start < end) {
        const middle = (start + end) >> 1;
        if (pieces[middle].lastSeq < from) start = middle + 1;
        else end = middle;
      }
    }
    return pieces.slice(start).map((piece) => piece.bytes);
  }

  /**
   * @param {string} threadId
   * @param {import("./log-port.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    let thread = this.#threads.get(threadId);
    if (!sameHead(thread?.head, expected)) throw fenced(threadId);
    if (!thread) {
      thread = { head: { seq: 0, crc: 0 }, pieces: [], size: 0, room: NO_ROOM, used: 0 };
      this.#threads.set(threadId, thread);
    }
    thread.pieces.push({ firstSeq: commit.firstSeq, lastSeq: commit.seq, bytes: copyInto(thread, bytes) });
    thread.head.seq = commit.seq;
    thread.head.crc = commit.crc;
    thread.size += bytes.length;
  }

  /**
   * @param {string} threadId
   * @param {import("./log-port.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    const thread = this.#threads.get(threadId);
    const { start, end } = findRange(thread?.pieces ?? [], range);
    if (!thread) return;
    const removed = thread.pieces.splice(start, end - start, { firstSeq: range.firstSeq, lastSeq: range.lastSeq, bytes: bytes.slice() });
    thread.size += bytes.length - removed.reduce((sum, piece) => sum + piece.bytes.length, 0);
  }

  /**
   * @param {{ limit?: number, after?: string }} [options]
   * @returns {string[]}
   */
  list(options = {}) {
    checkList(options);
    const { limit, after } = options;
    const ids = [...this.#threads.keys()].sort();
    const start = after === undefined ? 0 : ids.findIndex((id) => id > after);
    return start < 0 ? [] : ids.slice(start, limit === undefined ? undefined : start + limit);
  }

  /** @param {string} threadId */
  drop(threadId) {
    checkThreadId(threadId);
    this.#threads.delete(threadId);
  }

  /**
   * @param {string} threadId
   * @param {LogHead} [head]
   * @returns {undefined}
   */
  witness(threadId, head) {
    checkThreadId(threadId);
    if (head !== undefined) checkHead(head);
    return undefined;
  }

  /** @param {string} [threadId] */
  byteLength(threadId) {
    if (threadId !== undefined) {
      checkThreadId(threadId);
      return this.#threads.get(threadId)?.size ?? 0;
    }
    let sum = 0;
    for (const thread of this.#threads.values()) sum += thread.size;
    return sum;
  }
}

/** Many small copies cost more than one larger room. @param {Thread} thread @param {Uint8Array} bytes */
function copyInto(thread, bytes) {
  if (thread.used + bytes.length > thread.room.length) {
    if (bytes.length > LARGEST_ROOM / 4) return bytes.slice();
    thread.room = new Uint8Array(Math.min(LARGEST_ROOM, Math.max(FIRST_ROOM, thread.room.length * 2, bytes.length)));
    thread.used = 0;
  }
  const start = thread.used;
  thread.used += bytes.length;
  const copy = thread.room.subarray(start, thread.used);
  copy.set(bytes);
  return copy;
}
