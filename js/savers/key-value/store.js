// SPDX-License-Identifier: MIT
// Stores logs in any key-value storage with compare-and-set. A commit is first written under its
// own key; then the thread's head, which lists the keys, is replaced if it is unchanged: that is
// the commit point. Pieces in no head are deleted when the thread folds or is dropped, never
// because a compare-and-set failed: a storage that retries internally refuses its own stored write,
// and a stale read returns an old head or none. Does not depend on a particular storage.
//
//   <prefix><id>/head            { seq, crc, pieces }; <id> is encoded by encodeURIComponent, the
//   ids "." and ".." as "=." and "=.."
//   <prefix><id>/p/<name>.<n>    a chunk of a piece
//   <prefix><id>/witness         { seq, crc }
//   <prefix>=<partition>/...     the same keys of a partition: no encoded id begins so
import {
  badArgument,
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  fenced,
  findRange,
  isCount,
  leading,
  markUnknown,
  sameHead,
  storeFailed,
} from "../../log/log-store.js";
import { checkFold, checkList, checkPartition } from "../core/saver-arguments.js";
import { Telling } from "../core/witness-queue.js";
import { concat } from "../../log/concat.js";
import { Heads } from "./heads.js";
import { Keys } from "./keys.js";
import { FOLDED, Pieces } from "./pieces.js";
import { MOST_KEYS, Storage, patient, pause } from "./storage.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/** @typedef {import("./storage.js").KeyValue} KeyValue */

const VALUE_BYTES = 1024 * 1024;
/** Minimum number of keys per page when listing threads. */
const PAGE = 64;
/** Sorts after all keys of a thread. */
const LAST = "~";
const SURROGATE = /\p{Surrogate}/u;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @implements {LogStore} */
export class KvStore {
  /** Lets the writer fold: long logs are read faster in few pieces. */
  foldable = true;
  #kv;
  #options;
  #part;
  #keys;
  #heads;
  #pieces;
  #telling = new Telling();
  /**
   * @param {KeyValue & { prefix?: string, maxValueBytes?: number }} options
   * @param {string} [part] key part of a partition, after the prefix
   */
  constructor(options, part = "") {
    this.#kv = new Storage(options);
    const { prefix = "weft/", maxValueBytes = VALUE_BYTES } = options;
    if (typeof prefix !== "string" || SURROGATE.test(prefix))
      throw badArgument("`prefix` is a string, what all keys begin with");
    if (!isCount(maxValueBytes) || maxValueBytes < 1024)
      throw badArgument("`maxValueBytes` is an integer of at least 1,024");
    this.#options = options;
    this.#part = part;
    this.#keys = new Keys(prefix + part);
    this.#heads = new Heads(this.#kv, this.#keys);
    this.#pieces = new Pieces(this.#kv, this.#keys, maxValueBytes);
  }

  /** @param {string} name @returns {KvStore} */
  partition(name) {
    checkPartition(name);
    return new KvStore(this.#options, `${this.#part}=${name}/`);
  }

  /** @param {string} threadId @param {LogHead} head that a witness reported as stored */
  expect(threadId, { seq }) {
    this.#heads.expect(this.#keys.place(threadId), seq);
  }

  /**
   * Runs work on a thread: errors and wrong results of the storage become errors that name the
   * thread.
   * @template T @param {string} threadId @param {() => Promise<T>} work @returns {Promise<T>}
   */
  async #run(threadId, work) {
    try {
      return await work();
    } catch (error) {
      throw storeFailed(threadId, error);
    }
  }

  /** @param {string} threadId @returns {Promise<LogHead | undefined>} */
  async head(threadId) {
    const place = this.#keys.place(threadId);
    const { head } = await this.#run(threadId, () => this.#heads.newest(place));
    return head && { seq: head.seq, crc: head.crc };
  }

  /**
   * @param {string} threadId
   * @param {{ from?: number, damaged?: boolean }} [options]
   * @returns {Promise<Uint8Array[]>}
   */
  async read(threadId, { from = 0, damaged = false } = {}) {
    const place = this.#keys.place(threadId);
    checkFrom(from);
    const pieces = async () => {
      const { head } = await this.#heads.newest(place);
      return (head?.pieces ?? [])
        .filter(({ lastSeq }) => lastSeq >= from)
        .map((piece) => this.#pieces.read(place, piece));
    };
    // If another process folded these pieces meanwhile, the head has changed too.
    const read = () =>
      patient(async () => Promise.all(await pieces())).catch(async (error) => {
        if (!damaged || !error.gone) throw error;
        return leading(
          (await Promise.allSettled(await pieces())).map((one) =>
            one.status === "fulfilled" ? one.value : undefined,
          ),
        );
      });
    return this.#run(threadId, read);
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  async append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    return this.#run(threadId, () => this.#append(threadId, commit, bytes, expected));
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  async #append(threadId, commit, bytes, expected) {
    this.#telling.begin(threadId);
    const place = this.#keys.place(threadId);
    const own = this.#heads.last(place);
    // After its own commit the store need not read the head.
    let { raw, head } =
      own !== undefined && sameHead(own.head, expected) ? own : await this.#heads.newest(place);
    if (!sameHead(head, expected)) throw fenced(threadId);
    const piece = await this.#pieces.write(place, commit.firstSeq, commit.seq, bytes);
    for (let tries = 0; ; tries++) {
      const next = { seq: commit.seq, crc: commit.crc, pieces: [...(head?.pieces ?? []), piece] };
      if (await this.#heads.commit(place, raw, next, piece)) return;
      ({ raw, head } = await this.#heads.behind(place, expected, tries));
      if (head?.pieces.some(({ name }) => name === piece.name)) return;
      // The piece stays: a head that is not visible yet may list it. A fold changes the head
      // without fencing writers.
      if (!sameHead(head, expected)) throw fenced(threadId);
      // The read is older than the refusal, which may be due to this store's own commit, retried
      // internally.
      if (!(await pause(tries)))
        throw markUnknown(
          storeFailed(
            threadId,
            new Error("it refuses a commit behind the newest one that it shows"),
          ),
        );
    }
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  async fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    return this.#run(threadId, () => this.#fold(this.#keys.place(threadId), range, bytes));
  }

  /**
   * @param {string} place
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  async #fold(place, range, bytes) {
    const { raw, head } = await this.#heads.newest(place);
    const pieces = head?.pieces.slice() ?? [];
    const { start, end } = findRange(pieces, range);
    if (head === undefined) return;
    // Older pieces no longer than all after them are folded too, so that a log of any length has
    // few pieces.
    let first = start;
    let size = bytes.length;
    while (first > 0 && pieces[first - 1].size <= size) size += pieces[--first].size;
    const older = await patient(() =>
      Promise.all(pieces.slice(first, start).map((one) => this.#pieces.read(place, one))),
    );
    const piece = await this.#pieces.write(
      place,
      pieces[first].firstSeq,
      range.lastSeq,
      concat([...older, bytes]),
      FOLDED,
    );
    const removed = pieces.splice(first, end - first, piece);
    // If the head changed meanwhile it keeps its pieces: they contain the same records.
    if (!(await this.#heads.commit(place, raw, { ...head, pieces }, piece))) return;
    await this.#pieces.discard(place, removed);
    await this.#pieces.sweep(place, head.seq, pieces);
  }

  /** @param {{ limit?: number, after?: string }} [options] @returns {Promise<string[]>} */
  async list(options = {}) {
    checkList(options);
    return this.#run(options.after ?? "list", () => this.#ids(options));
  }

  /** @param {{ limit?: number, after?: string }} options @returns {Promise<string[]>} */
  async #ids({ limit = Infinity, after }) {
    /** @type {string[]} */
    const ids = [];
    for (
      let from = after === undefined ? this.#keys.prefix : `${this.#keys.place(after)}${LAST}`;
      ids.length < limit;
    ) {
      const wanted = Math.max(PAGE, Math.min(limit, MOST_KEYS));
      const keys = await this.#page(from, wanted);
      for (const key of keys) {
        const id =
          key.endsWith("/head") && ids.length < limit
            ? this.#keys.threadOf(key.slice(0, -"head".length))
            : undefined;
        if (id !== undefined) ids.push(id);
      }
      // Fewer keys are the last page, more are all keys.
      if (keys.length !== wanted) break;
      const last = keys[wanted - 1];
      // Skips the thread's other keys, which sort after its head.
      from = `${last.slice(0, last.indexOf("/", this.#keys.prefix.length) + 1)}${LAST}`;
    }
    return ids;
  }

  /**
   * Lists keys after `after` in order: a page, or all keys of a storage without pages.
   * @param {string} after
   * @param {number} limit
   * @returns {Promise<string[]>}
   */
  async #page(after, limit) {
    const keys = await this.#kv.list(this.#keys.prefix, { after, limit });
    return keys.filter((key) => key.startsWith(this.#keys.prefix) && key > after).sort();
  }

  /** @param {string} threadId */
  async drop(threadId) {
    const place = this.#keys.place(threadId);
    return this.#run(threadId, async () => {
      await this.#telling.end(threadId);
      this.#heads.forget(place);
      const keys = await this.#kv.keys(place);
      // The witness goes first, since a remaining one would report a loss. Then the head: without
      // it there is no thread, and later pieces belong to a new one.
      await this.#kv.delete(`${place}witness`);
      await this.#kv.delete(`${place}head`);
      await Promise.all(
        keys.filter((key) => key !== `${place}head`).map((key) => this.#kv.delete(key)),
      );
    });
  }

  /** @param {string} threadId @param {LogHead} [head] @returns {Promise<LogHead | undefined>} */
  async witness(threadId, head) {
    const place = this.#keys.place(threadId);
    if (head !== undefined) checkHead(head);
    return this.#run(threadId, async () => {
      if (head !== undefined) {
        const value = encoder.encode(JSON.stringify({ seq: head.seq, crc: head.crc }));
        return void (await this.#telling.tell(
          threadId,
          head,
          async () => (await this.#heads.newest(place)).head,
          () => this.#kv.put(`${place}witness`, value),
        ));
      }
      const told = await this.#witness(place);
      if (told === undefined) return undefined;
      this.#heads.expect(place, told.seq);
      const shown = (await this.#heads.newest(place)).head?.seq ?? 0;
      // A head that stays lower has lost records, or the thread was dropped and the witness was
      // stale too.
      return shown >= told.seq ? told : this.#witness(place);
    });
  }

  /** @param {string} place @returns {Promise<LogHead | undefined>} */
  async #witness(place) {
    const raw = await this.#kv.get(`${place}witness`);
    const match = raw && /^\{"seq":(\d+),"crc":(\d+)\}$/.exec(decoder.decode(raw));
    return match ? { seq: Number(match[1]), crc: Number(match[2]) } : undefined;
  }

  /** @param {string} [threadId] @returns {Promise<number>} */
  async byteLength(threadId) {
    if (threadId !== undefined) checkThreadId(threadId);
    const ids = threadId === undefined ? await this.list() : [threadId];
    const heads = await Promise.all(
      ids.map((id) => this.#run(id, () => this.#heads.newest(this.#keys.place(id)))),
    );
    return heads.reduce(
      (sum, { head }) => sum + (head?.pieces ?? []).reduce((all, { size }) => all + size, 0),
      0,
    );
  }
}
