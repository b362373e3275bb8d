// SPDX-License-Identifier: MIT
// The store in Deno KV. A commit of up to 60 KiB travels inside one atomic write that checks the
// head; a larger one is put aside first, in chunks under a random attempt, and the atomic write
// makes them the log's. What is put aside, or dropped, has a mark until it is done with; marks of
// an hour ago are swept. Keys hold the SHA-256 of a thread's id, so any id fits.
//
//   [prefix, "head", hash]                 { threadId, log, seq, crc, size, attempt }: `log` is
//   random, another one after a drop
//   [prefix, "log", hash, log, firstSeq]   { lastSeq, size, attempt } and bytes, or chunks: how
//   many
//   [prefix, "chunk", hash, attempt, n]    bytes
//   [prefix, "mark", hash, name]           { attempt, chunks } or { log }
//   [prefix, "witness", hash]              { seq, crc }
//   [prefix, "partition", name, ...]       the same of a partition
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
  markUnknown,
  sameHead,
  storeFailed,
} from "../../log/store-port.js";
import { ERR_LOG_CORRUPT } from "../../base/codes.js";
import { hexOf } from "../../base/uuid.js";
import { makeError } from "../../base/errors.js";
import { checkFold, checkList, checkPartition } from "../core/port-checks.js";
import { patiently } from "./retry-locked.js";
import { Telling } from "../core/witness-queue.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../../log/store-port.js").LogHead} LogHead */
/** @typedef {import("../../log/store-port.js").LogStore} LogStore */
/**
 * @typedef {{ lastSeq: number, size: number, bytes?: Uint8Array, attempt?: string, chunks?: number
 *   }} Piece `attempt`: who wrote it
 */
/**
 * @typedef {Value} Kv A Deno.Kv, of which get, getMany, set, delete, list and atomic are called.
 */

const CHUNK_BYTES = 60 * 1024;
const CHUNKS_AT_ONCE = 10; // an atomic write takes 800 KiB
const FOLD_COMMITS = 400; // and 1,000 changes with 80 KiB of keys
const STALE_MS = 60 * 60 * 1000;
const ROUNDS = 20;

/** A name that sorts by time and that nobody else draws. */
function drawName() {
  const random = crypto.getRandomValues(new Uint32Array(4));
  return `${Date.now().toString(36).padStart(10, "0")}-${Array.from(random, (word) => word.toString(36)).join("")}`;
}

/** @param {string} threadId */
async function hashOf(threadId) {
  return hexOf(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(threadId))),
  );
}

/** @implements {LogStore} */
export class DenoKvStore {
  /** Many small entries take longer to list than a few large ones: the writer folds. */
  foldable = true;
  #kv;
  #prefix;
  /** What its keys have behind the prefix. @type {string[]} */
  #part;
  /** Threads whose marks were looked through. @type {Set<string>} */
  #swept = new Set();
  #telling = new Telling();

  /** @param {{ kv: Kv, prefix?: string }} options @param {string[]} [part] of a partition */
  constructor(options, part = []) {
    const { kv, prefix = "weft" } = options ?? {};
    if (typeof kv?.atomic !== "function")
      throw badArgument("a Deno KV store needs `kv`: await Deno.openKv()");
    if (typeof prefix !== "string" || prefix.length > 256)
      throw badArgument("`prefix` is a string of at most 256 characters");
    this.#kv = kv;
    this.#prefix = prefix;
    this.#part = part;
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
    const { value } = await this.#kv.get(this.#key("head", hash));
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
        const { value: head } = await this.#kv.get(this.#key("head", hash));
        if (!head) return [];
        const pieces = (await this.#pieces(hash, head.log)).filter(
          (piece) => piece.firstSeq <= head.seq,
        );
        const gap = pieces.findIndex(
          (piece, i) => piece.firstSeq !== (i ? pieces[i - 1].lastSeq : START.seq) + 1,
        );
        if (gap >= 0) pieces.length = gap;
        const isWhole = pieces.at(-1)?.lastSeq === head.seq;
        if (!isWhole && round < ROUNDS) continue;
        const wanted = pieces.filter((piece) => piece.lastSeq >= from);
        const batches = await Promise.all(wanted.map((piece) => this.#payload(hash, piece)));
        // Chunks that vanished were folded or dropped meanwhile.
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
   * @param {import("../../log/store-port.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   * @returns {Promise<void>}
   */
  async append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    return this.#run(threadId, async (hash) => {
      this.#telling.begin(hash);
      await this.#sweep(hash);
      const key = this.#key("head", hash);
      let entry = await this.#kv.get(key);
      if (!sameHead(entry.value ?? START, expected ?? START)) throw fenced(threadId);
      const { piece, mark } = await this.#putAside(hash, commit.seq, bytes);
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
          .set(this.#key("log", hash, log, commit.firstSeq), piece);
        if (mark) write.check(mark).delete(mark.key);
        if (await this.#commit(write)) return;
        // A fold touches the head too, and fences nobody. A try before the last one may have been
        // stored all the same.
        entry = await this.#kv.get(key);
        if (
          entry.value?.attempt === piece.attempt ||
          (await this.#isStored(hash, entry.value?.log, commit.firstSeq, piece))
        )
          return;
        if (mark && (await this.#kv.get(mark.key)).versionstamp !== mark.versionstamp) break;
      } while (sameHead(entry.value ?? START, expected ?? START));
      await this.#forget(hash, piece);
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
   * @param {import("../../log/store-port.js").LogRange} range
   * @param {Uint8Array} bytes
   * @returns {Promise<void>}
   */
  async fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    return this.#run(threadId, async (hash) => {
      const key = this.#key("head", hash);
      for (let round = 0; round < ROUNDS; round++) {
        const entry = await this.#kv.get(key);
        const pieces = entry.value ? await this.#pieces(hash, entry.value.log, range) : [];
        const { start, end } = findRange(pieces, range);
        const old = pieces.slice(start, end);
        if (old.length > FOLD_COMMITS)
          throw badArgument(`at most ${FOLD_COMMITS} commits are folded at once`);
        const { piece, mark } = await this.#putAside(hash, range.lastSeq, bytes);
        const size = old.reduce((sum, one) => sum - one.size, entry.value.size + bytes.length);
        const write = this.#kv
          .atomic()
          .check(entry)
          .set(key, { ...entry.value, size });
        for (const one of old) write.delete(this.#key("log", hash, entry.value.log, one.firstSeq));
        write.set(this.#key("log", hash, entry.value.log, range.firstSeq), piece);
        if (mark) write.check(mark).delete(mark.key);
        const done =
          (await this.#commit(write)) ||
          (await this.#isStored(hash, entry.value.log, range.firstSeq, piece));
        for (const one of done ? old : [piece]) await this.#forget(hash, one);
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
      const prefix = this.#key("head");
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
      const key = this.#key("head", hash);
      for (;;) {
        const entry = await this.#kv.get(key);
        if (!entry.value) return this.#delete(this.#key("witness", hash));
        const { log } = entry.value;
        const mark = this.#key("mark", hash, drawName());
        const write = this.#kv
          .atomic()
          .check(entry)
          .delete(this.#key("witness", hash))
          .delete(key)
          .set(mark, { log });
        if (await this.#commit(write)) return this.#finish(hash, { key: mark, value: { log } });
      }
    });
  }

  /** @param {string} threadId @param {LogHead} [head] @returns {Promise<LogHead | undefined>} */
  async witness(threadId, head) {
    if (head !== undefined) checkHead(head);
    return this.#run(threadId, async (hash) => {
      const key = this.#key("witness", hash);
      if (!head) return (await this.#kv.get(key)).value ?? undefined;
      await this.#telling.tell(
        hash,
        head,
        () => this.#headOf(hash),
        () => this.#set(key, { seq: head.seq, crc: head.crc }),
      );
      return { seq: head.seq, crc: head.crc };
    });
  }

  /** @param {string} [threadId] @returns {Promise<number>} */
  async byteLength(threadId) {
    return this.#run(threadId === undefined ? "all" : threadId, async (hash) => {
      if (threadId !== undefined)
        return (await this.#kv.get(this.#key("head", hash))).value?.size ?? 0;
      let sum = 0;
      for await (const { value } of this.#kv.list({ prefix: this.#key("head") }))
        sum += value?.size ?? 0;
      return sum;
    });
  }

  /** @param {...(string | number)} parts */
  #key(...parts) {
    return [this.#prefix, ...this.#part, ...parts];
  }

  /** @param {Value} write @returns {Promise<boolean>} */
  async #commit(write) {
    try {
      return (await patiently(() => write.commit())).ok;
    } catch (error) {
      throw markUnknown(error);
    }
  }

  /** @param {Value[]} key @param {Value} value */
  #set(key, value) {
    return patiently(() => this.#kv.set(key, value));
  }

  /** @param {Value[]} key */
  async #delete(key) {
    await patiently(() => this.#kv.delete(key));
  }

  /**
   * The pieces of a log, or those that begin in a range.
   * @param {string} hash
   * @param {string} log
   * @param {import("../../log/store-port.js").LogRange} [range]
   * @returns {Promise<(Piece & { firstSeq: number })[]>}
   */
  async #pieces(hash, log, range) {
    const prefix = this.#key("log", hash, log);
    const selector = range
      ? { start: [...prefix, range.firstSeq], end: [...prefix, range.lastSeq + 1] }
      : { prefix };
    const pieces = [];
    for await (const { key, value } of this.#kv.list(selector))
      pieces.push({ ...value, firstSeq: key.at(-1) });
    return pieces;
  }

  /** @param {string} hash @param {string} attempt @param {number} chunks */
  #chunkKeys(hash, attempt, chunks) {
    return Array.from({ length: chunks }, (_, number) => this.#key("chunk", hash, attempt, number));
  }

  /** @param {string} hash @param {Piece} piece @returns {Promise<Uint8Array | undefined>} */
  async #payload(hash, { bytes, attempt = "", chunks = 0, size }) {
    if (bytes) return bytes;
    const whole = new Uint8Array(size);
    const keys = this.#chunkKeys(hash, attempt, chunks);
    for (let at = 0; at < keys.length; at += CHUNKS_AT_ONCE) {
      const entries = await this.#kv.getMany(keys.slice(at, at + CHUNKS_AT_ONCE));
      for (const [i, { value }] of entries.entries()) {
        if (!value) return undefined;
        whole.set(value, (at + i) * CHUNK_BYTES);
      }
    }
    return whole;
  }

  /**
   * The piece to store; its chunks, if it needs any, are written.
   * @param {string} hash
   * @param {number} lastSeq
   * @param {Uint8Array} bytes
   * @returns {Promise<{ piece: Piece, mark?: { key: (string | number)[], versionstamp: string } }>}
   *   `mark`: who sweeps it changes it first
   */
  async #putAside(hash, lastSeq, bytes) {
    const size = bytes.length;
    const attempt = drawName();
    if (size <= CHUNK_BYTES) return { piece: { lastSeq, size, attempt, bytes: bytes.slice() } };
    const chunks = Math.ceil(size / CHUNK_BYTES);
    const keys = this.#chunkKeys(hash, attempt, chunks);
    const key = this.#key("mark", hash, attempt);
    const { versionstamp } = await this.#set(key, { attempt, chunks });
    for (let at = 0; at < chunks; at += CHUNKS_AT_ONCE) {
      const write = this.#kv.atomic();
      for (const [i, key] of keys.slice(at, at + CHUNKS_AT_ONCE).entries()) {
        const start = (at + i) * CHUNK_BYTES;
        write.set(key, bytes.slice(start, start + CHUNK_BYTES));
      }
      await this.#commit(write);
    }
    return { piece: { lastSeq, size, attempt, chunks }, mark: { key, versionstamp } };
  }

  /**
   * Did the log take this piece? A storage that tries again by itself says no to what it did;
   * another writer may have written the same bytes.
   * @param {string} hash
   * @param {string} log
   * @param {number} firstSeq
   * @param {Piece} piece
   */
  async #isStored(hash, log, firstSeq, { attempt }) {
    return (
      log !== undefined &&
      (await this.#kv.get(this.#key("log", hash, log, firstSeq))).value?.attempt === attempt
    );
  }

  /**
   * Deletes the chunks of a piece that is not the log's (any more), and its mark.
   * @param {string} hash
   * @param {Piece} piece
   */
  async #forget(hash, { attempt = "", chunks = 0 }) {
    if (!chunks) return;
    const keys = this.#chunkKeys(hash, attempt, chunks);
    for (let at = 0; at < keys.length; at += FOLD_COMMITS) {
      const write = this.#kv.atomic();
      for (const key of keys.slice(at, at + FOLD_COMMITS)) write.delete(key);
      await this.#commit(write);
    }
    await this.#delete(this.#key("mark", hash, attempt));
  }

  /** @param {string} hash @param {{ key: (string | number)[], value: Value }} mark */
  async #finish(hash, { key, value }) {
    if (value.attempt) return this.#forget(hash, value);
    for (const piece of await this.#pieces(hash, value.log)) {
      await this.#forget(hash, piece);
      await this.#delete(this.#key("log", hash, value.log, piece.firstSeq));
    }
    await this.#delete(key);
  }

  /** @param {string} hash */
  async #sweep(hash) {
    if (this.#swept.has(hash)) return;
    if (this.#swept.size >= 4096) this.#swept.clear();
    this.#swept.add(hash);
    const limit = (Date.now() - STALE_MS).toString(36).padStart(10, "0");
    const prefix = this.#key("mark", hash);
    for await (const mark of this.#kv.list({ prefix, end: [...prefix, limit] })) {
      // It may be a slower clock's, and be used this moment: then one of the two writes fails.
      const isMine = await this.#commit(this.#kv.atomic().check(mark).set(mark.key, mark.value));
      if (isMine) await this.#finish(hash, mark);
    }
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
