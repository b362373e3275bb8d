// SPDX-License-Identifier: MIT
// Stores logs in Deno KV. One atomic write that checks the head appends a commit of up to 60 KiB; a
// larger commit is first written in chunks under a random attempt, and the atomic write adds them
// to the log. Unfinished and dropped entries have a mark until they are deleted; marks older than
// an hour are swept. Keys contain the SHA-256 of the thread id, so any id fits.
//
//   [prefix, "head", hash]                 { threadId, log, seq, crc, size, attempt }: `log` is
//   random and changes after a drop
//   [prefix, "log", hash, log, firstSeq]   { lastSeq, size, attempt } and bytes, or the number of
//   chunks
//   [prefix, "chunk", hash, attempt, n]    bytes
//   [prefix, "mark", hash, name]           { attempt, chunks } or { log }
//   [prefix, "witness", hash]              { seq, crc }
//   [prefix, "lock", hash]                 who runs the thread (thread-lock.js)
//   [prefix, "partition", name, ...]       the same keys of a partition
import {
  START,
  badArgument,
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  corruptLog,
  fenced,
  findRange,
  leading,
  sameHead,
  storeFailed,
} from "../../log/log-store.js";
import { ERR_LOG_CORRUPT } from "../../base/codes.js";
import { hexOf } from "../../base/uuid.js";
import { makeError } from "../../base/errors.js";
import { checkFold, checkList, checkPartition } from "../core/saver-arguments.js";
import { holdAt } from "../core/lock.js";
import { Telling } from "../core/witness-queue.js";
import { FOLD_COMMITS, Pieces, drawName } from "./pieces.js";
import { lockThread } from "./thread-lock.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/**
 * @typedef {{ lastSeq: number, size: number, bytes?: Uint8Array, attempt?: string, chunks?: number
 *   }} Piece `attempt`: identifies the write
 */
/**
 * @typedef {Value} Kv A Deno.Kv; the store calls get, getMany, set, delete, list and atomic.
 */

const ROUNDS = 20;

/** @param {string} threadId */
async function hashOf(threadId) {
  return hexOf(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(threadId))),
  );
}

/** @implements {LogStore} */
export class DenoKvStore {
  /** Lets the writer fold: many small entries take longer to list than a few large ones. */
  foldable = true;
  #kv;
  #prefix;
  /** Key parts of the partition, after the prefix. @type {string[]} */
  #part;
  #pieces;
  #telling = new Telling();
  #hold;

  /**
   * @param {{ kv: Kv, prefix?: string }} options
   * @param {string[]} [part] key parts of a partition
   */
  constructor(options, part = []) {
    const { kv, prefix = "weft" } = options ?? {};
    if (typeof kv?.atomic !== "function")
      throw badArgument("a Deno KV store needs `kv`: await Deno.openKv()");
    if (typeof prefix !== "string" || prefix.length > 256)
      throw badArgument("`prefix` is a string of at most 256 characters");
    this.#kv = kv;
    this.#prefix = prefix;
    this.#part = part;
    this.#pieces = new Pieces(kv, [prefix, ...part]);
    this.#hold = holdAt(kv, async (threadId, options) => {
      try {
        return await lockThread(kv, this.#pieces.key("lock", await hashOf(threadId)), options);
      } catch (error) {
        throw options.signal?.aborted ? error : storeFailed(threadId, error);
      }
    });
  }

  /** @param {string} name @returns {DenoKvStore} */
  partition(name) {
    checkPartition(name);
    return new DenoKvStore({ kv: this.#kv, prefix: this.#prefix }, [
      ...this.#part,
      "partition",
      name,
    ]);
  }

  /** @param {string} threadId @returns {Promise<LogHead | undefined>} */
  async head(threadId) {
    return this.#run(threadId, (hash) => this.#headOf(hash));
  }

  /** @param {string} hash @returns {Promise<LogHead | undefined>} */
  async #headOf(hash) {
    const { value } = await this.#kv.get(this.#pieces.key("head", hash));
    return value ? { seq: value.seq, crc: value.crc } : undefined;
  }

  /**
   * @param {string} threadId
   * @param {{ from?: number, damaged?: boolean }} [options]
   * @returns {Promise<Uint8Array[]>}
   */
  async read(threadId, { from = 0, damaged = false } = {}) {
    checkFrom(from);
    return this.#run(threadId, async (hash) => {
      for (let round = 1; ; round++) {
        const { value: head } = await this.#kv.get(this.#pieces.key("head", hash));
        if (!head) return [];
        const pieces = (await this.#pieces.list(hash, head.log)).filter(
          (piece) => piece.firstSeq <= head.seq,
        );
        const gap = pieces.findIndex(
          (piece, i) => piece.firstSeq !== (i ? pieces[i - 1].lastSeq : START.seq) + 1,
        );
        if (gap >= 0) pieces.length = gap;
        const isWhole = pieces.at(-1)?.lastSeq === head.seq;
        if (!isWhole && round < ROUNDS) continue;
        const wanted = pieces.filter((piece) => piece.lastSeq >= from);
        const batches = await Promise.all(wanted.map((piece) => this.#pieces.payload(hash, piece)));
        // Missing chunks were folded or dropped meanwhile.
        if (isWhole && !batches.includes(undefined)) return /** @type {Uint8Array[]} */ (batches);
        if (round < ROUNDS) continue;
        if (damaged) return leading(batches);
        throw corruptLog(
          threadId,
          (wanted[leading(batches).length]?.firstSeq ?? (pieces.at(-1)?.lastSeq ?? 0) + 1) - 1,
          "records are missing",
        );
      }
    });
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   * @returns {Promise<void>}
   */
  async append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    return this.#run(threadId, async (hash) => {
      this.#telling.begin(hash);
      await this.#pieces.sweep(hash);
      const key = this.#pieces.key("head", hash);
      let entry = await this.#kv.get(key);
      if (!sameHead(entry.value ?? START, expected ?? START)) throw fenced(threadId);
      const { piece, mark } = await this.#pieces.putAside(hash, commit.seq, bytes);
      do {
        const log = entry.value?.log ?? drawName();
        const head = {
          threadId,
          log,
          seq: commit.seq,
          crc: commit.crc,
          size: (entry.value?.size ?? 0) + bytes.length,
          attempt: piece.attempt,
        };
        const write = this.#kv
          .atomic()
          .check(entry)
          .set(key, head)
          .set(this.#pieces.key("log", hash, log, commit.firstSeq), piece);
        if (mark) write.check(mark).delete(mark.key);
        if (await this.#pieces.commit(write)) return;
        // A fold changes the head without fencing writers. An earlier try may have been stored
        // although it failed.
        entry = await this.#kv.get(key);
        if (
          entry.value?.attempt === piece.attempt ||
          (await this.#pieces.isStored(hash, entry.value?.log, commit.firstSeq, piece))
        )
          return;
        if (mark && (await this.#kv.get(mark.key)).versionstamp !== mark.versionstamp) break;
      } while (sameHead(entry.value ?? START, expected ?? START));
      await this.#pieces.forget(hash, piece);
      if (sameHead(entry.value ?? START, expected ?? START))
        throw storeFailed(
          threadId,
          "another process swept away what was being written: its clock is an hour ahead",
        );
      throw fenced(threadId);
    });
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   * @returns {Promise<void>}
   */
  async fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    return this.#run(threadId, async (hash) => {
      const key = this.#pieces.key("head", hash);
      for (let round = 0; round < ROUNDS; round++) {
        const entry = await this.#kv.get(key);
        const pieces = entry.value ? await this.#pieces.list(hash, entry.value.log, range) : [];
        const { start, end } = findRange(pieces, range);
        const old = pieces.slice(start, end);
        if (old.length > FOLD_COMMITS)
          throw badArgument(`at most ${FOLD_COMMITS} commits are folded at once`);
        const { piece, mark } = await this.#pieces.putAside(hash, range.lastSeq, bytes);
        const size = old.reduce((sum, one) => sum - one.size, entry.value.size + bytes.length);
        const write = this.#kv
          .atomic()
          .check(entry)
          .set(key, { ...entry.value, size });
        for (const one of old)
          write.delete(this.#pieces.key("log", hash, entry.value.log, one.firstSeq));
        write.set(this.#pieces.key("log", hash, entry.value.log, range.firstSeq), piece);
        if (mark) write.check(mark).delete(mark.key);
        const done =
          (await this.#pieces.commit(write)) ||
          (await this.#pieces.isStored(hash, entry.value.log, range.firstSeq, piece));
        for (const one of done ? old : [piece]) await this.#pieces.forget(hash, one);
        if (done) return;
      }
      throw storeFailed(threadId, "the fold met other writers each time");
    });
  }

  /**
   * @param {{ limit?: number, after?: string, onError?: (error: unknown) => void }} [options]
   * @returns {Promise<string[]>}
   */
  async list(options = {}) {
    checkList(options);
    const { limit = Infinity, after, onError } = options;
    return this.#run(after ?? "list", async (hash) => {
      const prefix = this.#pieces.key("head");
      const selector =
        after === undefined ? { prefix } : { prefix, start: [...prefix, `${hash}0`] };
      const ids = [];
      for await (const { key, value } of this.#kv.list(selector)) {
        const id = value?.threadId;
        if (typeof id === "string" && (await hashOf(id)) === key.at(-1)) ids.push(id);
        else
          onError?.(
            makeError(ERR_LOG_CORRUPT, [
              String(key.at(-1)),
              0,
              `its id cannot be read in the entry ${JSON.stringify(key)}; the thread is as it was, for who knows the id`,
            ]),
          );
        if (ids.length >= limit) break;
      }
      return ids;
    });
  }

  /** @param {string} threadId @returns {Promise<void>} */
  async drop(threadId) {
    return this.#run(threadId, async (hash) => {
      await this.#telling.end(hash);
      const key = this.#pieces.key("head", hash);
      for (;;) {
        const entry = await this.#kv.get(key);
        if (!entry.value) return this.#pieces.delete(this.#pieces.key("witness", hash));
        const { log } = entry.value;
        const mark = this.#pieces.key("mark", hash, drawName());
        const write = this.#kv
          .atomic()
          .check(entry)
          .delete(this.#pieces.key("witness", hash))
          .delete(key)
          .set(mark, { log });
        if (await this.#pieces.commit(write))
          return this.#pieces.finish(hash, { key: mark, value: { log } });
      }
    });
  }

  /** @param {string} threadId @param {LogHead} [head] @returns {Promise<LogHead | undefined>} */
  async witness(threadId, head) {
    if (head !== undefined) checkHead(head);
    return this.#run(threadId, async (hash) => {
      const key = this.#pieces.key("witness", hash);
      if (!head) return (await this.#kv.get(key)).value ?? undefined;
      await this.#telling.tell(
        hash,
        head,
        () => this.#headOf(hash),
        () => this.#pieces.set(key, { seq: head.seq, crc: head.crc }),
      );
      return { seq: head.seq, crc: head.crc };
    });
  }

  /**
   * Locks a thread cooperatively against others that share the database.
   * @param {string} threadId
   * @param {{ wait?: boolean, signal?: AbortSignal }} [options]
   * @returns {Promise<(() => void) | undefined>}
   */
  async hold(threadId, options) {
    return this.#hold(threadId, options);
  }

  /** @param {string} [threadId] @returns {Promise<number>} */
  async byteLength(threadId) {
    return this.#run(threadId === undefined ? "all" : threadId, async (hash) => {
      if (threadId !== undefined)
        return (await this.#kv.get(this.#pieces.key("head", hash))).value?.size ?? 0;
      let sum = 0;
      for await (const { value } of this.#kv.list({ prefix: this.#pieces.key("head") }))
        sum += value?.size ?? 0;
      return sum;
    });
  }

  /**
   * @template T
   * @param {string} threadId
   * @param {(hash: string) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #run(threadId, work) {
    checkThreadId(threadId);
    try {
      return await work(await hashOf(threadId));
    } catch (error) {
      throw storeFailed(
        threadId,
        error,
        /quota|limit exceeded|disk is full|database or disk/i.test(String(error)),
      );
    }
  }
}
