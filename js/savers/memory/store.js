// SPDX-License-Identifier: MIT
// Stores logs in this process's memory: a Map of threads, each a list of commits. All methods are
// synchronous. Owns copies of the bytes; does not depend on a runtime. There is no second place, so
// no witness.
import {
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  fenced,
  findRange,
  sameHead,
} from "../../log/log-store.js";
import { checkFold, checkList, checkPartition } from "../core/saver-arguments.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/**
 * A buffer with commits one after the other; free from `used` on.
 * @typedef {{ room: Uint8Array, used: number }} Shelf
 */
/**
 * @typedef {{ firstSeq: number, lastSeq: number, room: Uint8Array, start: number, length: number }}
 *   Piece
 */
/** @typedef {Shelf & { head: LogHead, pieces: Piece[], size: number }} Thread */

/**
 * Threads up to this many bytes share buffers: a buffer for each would cost more than its content.
 */
const SHARED = 4096;
const SHARED_ROOM = 16384;
const LARGEST_ROOM = 65536;
const NO_ROOM = /* @__PURE__ */ new Uint8Array(0);

/** @implements {LogStore} */
export class MemoryStore {
  /** @type {Map<string, Thread>} */
  #threads = new Map();
  /** @type {Map<string, MemoryStore>} */
  #partitions = new Map();
  /** @type {Shelf} */
  #shared = { room: NO_ROOM, used: 0 };
  copies = MemoryStore.prototype.append;
  blind = MemoryStore.prototype.witness;

  /** @param {string} name @returns {MemoryStore} */
  partition(name) {
    checkPartition(name);
    let part = this.#partitions.get(name);
    if (part === undefined) this.#partitions.set(name, (part = new MemoryStore()));
    return part;
  }

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
    return joined(pieces, start);
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogCommit} commit
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
    thread.pieces.push(this.#copy(thread, commit.firstSeq, commit.seq, bytes));
    thread.head.seq = commit.seq;
    thread.head.crc = commit.crc;
    thread.size += bytes.length;
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    const thread = this.#threads.get(threadId);
    const { start, end } = findRange(thread?.pieces ?? [], range);
    if (!thread) return;
    const removed = thread.pieces.splice(
      start,
      end - start,
      pieceOf(range.firstSeq, range.lastSeq, bytes.slice(), 0, bytes.length),
    );
    thread.size += bytes.length - removed.reduce((sum, piece) => sum + piece.length, 0);
  }

  /**
   * Copies a commit into a shared or larger buffer: many small buffers cost more memory.
   * @param {Thread} thread
   * @param {number} firstSeq
   * @param {number} lastSeq
   * @param {Uint8Array} bytes
   */
  #copy(thread, firstSeq, lastSeq, bytes) {
    const { length } = bytes;
    const shelf = thread.size < SHARED ? this.#shared : thread;
    if (shelf.used + length > shelf.room.length) {
      if (length > SHARED) return pieceOf(firstSeq, lastSeq, bytes.slice(), 0, length);
      shelf.room = new Uint8Array(
        shelf === thread
          ? Math.min(LARGEST_ROOM, Math.max(SHARED, thread.room.length * 2))
          : SHARED_ROOM,
      );
      shelf.used = 0;
    }
    const start = shelf.used;
    shelf.used += length;
    shelf.room.set(bytes, start);
    return pieceOf(firstSeq, lastSeq, shelf.room, start, length);
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

/**
 * @param {number} firstSeq
 * @param {number} lastSeq
 * @param {Uint8Array} room
 * @param {number} start
 * @param {number} length
 * @returns {Piece}
 */
function pieceOf(firstSeq, lastSeq, room, start, length) {
  return { firstSeq, lastSeq, room, start, length };
}

/**
 * Joins adjacent commits into one batch: thousands of batches cost as much as their bytes.
 * @param {Piece[]} pieces
 * @param {number} at
 */
function joined(pieces, at) {
  /** @type {Uint8Array[]} */
  const batches = [];
  while (at < pieces.length) {
    const { room, start } = pieces[at];
    let end = start;
    for (; at < pieces.length && pieces[at].room === room && pieces[at].start === end; at++)
      end += pieces[at].length;
    batches.push(room.subarray(start, end));
  }
  return batches;
}
