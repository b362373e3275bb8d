// SPDX-License-Identifier: MIT
// Reads, writes and sweeps the entries of threads' logs in Deno KV: pieces with commits, chunks of
// large pieces, marks of unfinished writes. Does not depend on the log's head.
import { markUnknown } from "../../log/log-store.js";
import { patiently } from "./retry-locked.js";

/**
 * What a mark stands for: a piece that is being written, or a log that is being deleted.
 * @typedef {{ attempt: string, chunks: number } | { log: string, attempt?: undefined }} Mark
 */
/** @typedef {import("./store.js").Piece} Piece */
/** @typedef {import("./store.js").Kv} Kv */

const CHUNK_BYTES = 60 * 1024;
const CHUNKS_AT_ONCE = 10; // an atomic write may have 800 KiB
/**
 * Maximum number of commits per fold: an atomic write may have 1,000 changes with 80 KiB of keys.
 */
export const FOLD_COMMITS = 400;
const STALE_MS = 60 * 60 * 1000;

/** Makes a unique name that sorts by time. */
export function drawName() {
  const random = crypto.getRandomValues(new Uint32Array(4));
  return `${Date.now().toString(36).padStart(10, "0")}-${Array.from(random, (word) => word.toString(36)).join("")}`;
}

export class Pieces {
  #kv;
  #prefix;
  /** Threads whose marks were checked. @type {Set<string>} */
  #swept = new Set();

  /** @param {Kv} kv @param {string[]} prefix prefix of all keys */
  constructor(kv, prefix) {
    this.#kv = kv;
    this.#prefix = prefix;
  }

  /** @param {...(string | number)} parts */
  key(...parts) {
    return [...this.#prefix, ...parts];
  }

  /** @param {{ commit(): Promise<{ ok: boolean }> }} write @returns {Promise<boolean>} */
  async commit(write) {
    try {
      return (await patiently(() => write.commit())).ok;
    } catch (error) {
      throw markUnknown(error);
    }
  }

  /** @param {(string | number)[]} key @param {unknown} value */
  set(key, value) {
    return patiently(() => this.#kv.set(key, value));
  }

  /** @param {(string | number)[]} key */
  async delete(key) {
    await patiently(() => this.#kv.delete(key));
  }

  /**
   * Lists the pieces of a log, or those that begin in a range.
   * @param {string} hash
   * @param {string} log
   * @param {import("../../log/log-store.js").LogRange} [range]
   * @returns {Promise<(Piece & { firstSeq: number })[]>}
   */
  async list(hash, log, range) {
    const prefix = this.key("log", hash, log);
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
    return Array.from({ length: chunks }, (_, number) => this.key("chunk", hash, attempt, number));
  }

  /** @param {string} hash @param {Piece} piece @returns {Promise<Uint8Array | undefined>} */
  async payload(hash, { bytes, attempt = "", chunks = 0, size }) {
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
   * Prepares a piece for storing; writes its chunks if it needs any.
   * @param {string} hash
   * @param {number} lastSeq
   * @param {Uint8Array} bytes
   * @returns {Promise<{ piece: Piece, mark?: { key: (string | number)[], versionstamp: string } }>}
   *   `mark`: a sweeper changes it first
   */
  async putAside(hash, lastSeq, bytes) {
    const size = bytes.length;
    const attempt = drawName();
    if (size <= CHUNK_BYTES) return { piece: { lastSeq, size, attempt, bytes: bytes.slice() } };
    const chunks = Math.ceil(size / CHUNK_BYTES);
    const keys = this.#chunkKeys(hash, attempt, chunks);
    const key = this.key("mark", hash, attempt);
    const { versionstamp } = await this.set(key, { attempt, chunks });
    for (let at = 0; at < chunks; at += CHUNKS_AT_ONCE) {
      const write = this.#kv.atomic();
      for (const [i, key] of keys.slice(at, at + CHUNKS_AT_ONCE).entries()) {
        const start = (at + i) * CHUNK_BYTES;
        write.set(key, bytes.slice(start, start + CHUNK_BYTES));
      }
      await this.commit(write);
    }
    return { piece: { lastSeq, size, attempt, chunks }, mark: { key, versionstamp } };
  }

  /**
   * Checks that the log contains this piece: a storage that retries internally may refuse a write
   * that it stored, and another writer may have written the same bytes.
   * @param {string} hash
   * @param {string} log
   * @param {number} firstSeq
   * @param {Piece} piece
   */
  async isStored(hash, log, firstSeq, { attempt }) {
    return (
      log !== undefined &&
      (await this.#kv.get(this.key("log", hash, log, firstSeq))).value?.attempt === attempt
    );
  }

  /**
   * Deletes the chunks of a piece outside of the log, and its mark.
   * @param {string} hash
   * @param {Pick<Piece, "attempt" | "chunks">} piece
   */
  async forget(hash, { attempt = "", chunks = 0 }) {
    if (!chunks) return;
    const keys = this.#chunkKeys(hash, attempt, chunks);
    for (let at = 0; at < keys.length; at += FOLD_COMMITS) {
      const write = this.#kv.atomic();
      for (const key of keys.slice(at, at + FOLD_COMMITS)) write.delete(key);
      await this.commit(write);
    }
    await this.delete(this.key("mark", hash, attempt));
  }

  /** @param {string} hash @param {{ key: (string | number)[], value: Mark }} mark */
  async finish(hash, { key, value }) {
    if (value.attempt !== undefined) return this.forget(hash, value);
    for (const piece of await this.list(hash, value.log)) {
      await this.forget(hash, piece);
      await this.delete(this.key("log", hash, value.log, piece.firstSeq));
    }
    await this.delete(key);
  }

  /** @param {string} hash */
  async sweep(hash) {
    if (this.#swept.has(hash)) return;
    if (this.#swept.size >= 4096) this.#swept.clear();
    this.#swept.add(hash);
    const limit = (Date.now() - STALE_MS).toString(36).padStart(10, "0");
    const prefix = this.key("mark", hash);
    for await (const mark of this.#kv.list({ prefix, end: [...prefix, limit] })) {
      // The mark may belong to a process with a slower clock that uses it now: then one of the two
      // writes fails.
      const isMine = await this.commit(this.#kv.atomic().check(mark).set(mark.key, mark.value));
      if (isMine) await this.finish(hash, mark);
    }
  }
}
