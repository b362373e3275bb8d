// SPDX-License-Identifier: MIT
// Stores logs in a Durable Object's SQLite. All methods are synchronous: an append is acknowledged
// when its statement returns, since the output gate holds every message until the data is on disk.
// A commit is one or more rows of less than 2 MB, written in one transaction. The witness is a row
// of another table.
import {
  START,
  badArgument,
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  fenced,
  findRange,
  sameHead,
  storeFailed,
} from "../../log/log-store.js";
import { checkFold, checkList, checkPartition } from "../core/saver-arguments.js";
import { concat } from "../../log/concat.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */

/**
 * A row of any of the store's queries; `bytes` of a head is their number.
 * @typedef {{ thread: string, seq: number, crc: number, firstSeq: number, first_seq: number,
 *   lastSeq: number, size: number, bytes: unknown, [column: string]: unknown }} Row
 */
/**
 * The used part of a Durable Object's storage.
 * @typedef {object} SqlStorage
 * @property {{ exec: (query: string, ...bindings: unknown[]) => Iterable<Row> & {
 *   toArray: () => Row[], rowsWritten: number } }} sql
 * @property {<T>(work: () => T) => T} transactionSync
 */

const ROW_BYTES = 1_900_000;

const TABLE = "weft_";
const TABLES = `
CREATE TABLE IF NOT EXISTS weft_head (thread TEXT PRIMARY KEY, seq INTEGER NOT NULL, crc INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS weft_log (thread TEXT NOT NULL, first_seq INTEGER NOT NULL, part INTEGER NOT NULL, last_seq INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (thread, first_seq, part));
CREATE TABLE IF NOT EXISTS weft_witness (thread TEXT PRIMARY KEY, seq INTEGER NOT NULL, crc INTEGER NOT NULL);`;

const FOLLOW =
  "INSERT OR REPLACE INTO weft_log (thread, first_seq, part, last_seq, bytes) SELECT ?, ?, 0, ?, ? FROM weft_head WHERE thread = ? AND seq = ? AND crc = ?";

/** @implements {LogStore} */
export class DurableObjectStore {
  /** Lets the writer fold: many small rows cost more to read than a large one. */
  foldable = true;
  #storage;
  #ready = false;
  /** Prefix of its table names. */
  #tables;

  /** @param {{ storage: SqlStorage }} options @param {string} [tables] */
  constructor(options, tables = TABLE) {
    const { storage } = options ?? {};
    if (typeof storage?.sql?.exec !== "function" || typeof storage.transactionSync !== "function") {
      throw badArgument(
        "a Durable Object with SQLite storage is needed: new_sqlite_classes in its migration",
      );
    }
    this.#storage = storage;
    this.#tables = tables;
  }

  /** Returns a store with tables of its own. @param {string} name @returns {DurableObjectStore} */
  partition(name) {
    checkPartition(name);
    return new DurableObjectStore({ storage: this.#storage }, `${this.#tables}${name}_`);
  }

  /**
   * @param {string} threadId
   * @returns {LogHead | undefined}
   */
  head(threadId) {
    checkThreadId(threadId);
    return this.#run(threadId, () => this.#head(threadId));
  }

  /**
   * @param {string} threadId
   * @param {{ from?: number }} [options]
   * @returns {Uint8Array[]}
   */
  read(threadId, { from = 0 } = {}) {
    checkThreadId(threadId);
    checkFrom(from);
    return this.#run(threadId, () => {
      /** @type {Uint8Array[]} */
      const batches = [];
      /** @type {Uint8Array[]} */
      let parts = [];
      let firstSeq = -1;
      const close = () => {
        if (parts.length) batches.push(parts.length === 1 ? parts[0] : concat(parts));
        parts = [];
      };
      for (const row of this.#exec(
        "SELECT first_seq, bytes FROM weft_log WHERE thread = ? AND last_seq >= ? AND first_seq <= (SELECT seq FROM weft_head WHERE thread = ?) ORDER BY first_seq, part",
        threadId,
        from,
        threadId,
      )) {
        if (row.first_seq !== firstSeq) close();
        firstSeq = row.first_seq;
        parts.push(new Uint8Array(/** @type {ArrayBuffer} */ (row.bytes)));
      }
      close();
      return batches;
    });
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    const stored = this.#run(threadId, () =>
      expected?.seq && bytes.length <= ROW_BYTES
        ? this.#follow(threadId, commit, bytes, expected)
        : this.#begin(threadId, commit, bytes, expected),
    );
    if (!stored) throw fenced(threadId);
  }

  /**
   * Appends one row without a transaction, which would double the time. Writes of one event-loop
   * turn commit together, so the row goes first, if the head is as expected: if then neither the
   * head moves nor the row is deleted, the row lies after the head, where it is never read and the
   * next commit replaces it.
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead} expected
   */
  #follow(threadId, { firstSeq, seq, crc }, bytes, expected) {
    const place = [threadId, expected.seq, expected.crc];
    if (!this.#exec(FOLLOW, threadId, firstSeq, seq, bytes, ...place).rowsWritten) return false;
    try {
      this.#exec(
        "UPDATE weft_head SET seq = ?, crc = ?, bytes = bytes + ? WHERE thread = ? AND seq = ? AND crc = ?",
        seq,
        crc,
        bytes.length,
        ...place,
      );
    } catch (error) {
      this.#exec("DELETE FROM weft_log WHERE thread = ? AND first_seq = ?", threadId, firstSeq);
      throw error;
    }
    return true;
  }

  /**
   * Appends a thread's first commit, or one of several rows.
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  #begin(threadId, commit, bytes, expected) {
    return this.#storage.transactionSync(() => {
      const row = this.#exec(
        "SELECT seq, crc, bytes FROM weft_head WHERE thread = ?",
        threadId,
      ).toArray()[0];
      if (!sameHead(row ? { seq: row.seq, crc: row.crc } : START, expected ?? START)) return false;
      this.#insert(threadId, commit.firstSeq, commit.seq, bytes);
      this.#exec(
        "INSERT OR REPLACE INTO weft_head (thread, seq, crc, bytes) VALUES (?, ?, ?, ?)",
        threadId,
        commit.seq,
        commit.crc,
        /** @type {number} */ (row?.bytes ?? 0) + bytes.length,
      );
      return true;
    });
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    this.#run(threadId, () =>
      this.#storage.transactionSync(() => {
        const pieces = this.#exec(
          "SELECT first_seq AS firstSeq, last_seq AS lastSeq, SUM(LENGTH(bytes)) AS size FROM weft_log WHERE thread = ? AND first_seq BETWEEN ? AND ? GROUP BY first_seq ORDER BY first_seq",
          threadId,
          range.firstSeq,
          range.lastSeq,
        ).toArray();
        const { start, end } = findRange(pieces, range);
        const removed = pieces.slice(start, end).reduce((sum, piece) => sum + piece.size, 0);
        this.#exec(
          "DELETE FROM weft_log WHERE thread = ? AND first_seq BETWEEN ? AND ?",
          threadId,
          range.firstSeq,
          range.lastSeq,
        );
        this.#insert(threadId, range.firstSeq, range.lastSeq, bytes);
        this.#exec(
          "UPDATE weft_head SET bytes = bytes + ? WHERE thread = ?",
          bytes.length - removed,
          threadId,
        );
      }),
    );
  }

  /**
   * @param {{ limit?: number, after?: string }} [options]
   * @returns {string[]}
   */
  list(options = {}) {
    checkList(options);
    const { limit = -1, after = "" } = options;
    return this.#run(after, () =>
      this.#exec(
        "SELECT thread FROM weft_head WHERE thread > ? ORDER BY thread LIMIT ?",
        after,
        limit,
      )
        .toArray()
        .map((row) => row.thread),
    );
  }

  /** @param {string} threadId */
  drop(threadId) {
    checkThreadId(threadId);
    this.#run(threadId, () =>
      this.#storage.transactionSync(() => {
        for (const table of ["weft_witness", "weft_log", "weft_head"])
          this.#exec(`DELETE FROM ${table} WHERE thread = ?`, threadId);
      }),
    );
  }

  /**
   * @param {string} threadId
   * @param {LogHead} [head]
   * @returns {LogHead | undefined}
   */
  witness(threadId, head) {
    checkThreadId(threadId);
    if (head !== undefined) checkHead(head);
    return this.#run(threadId, () => {
      if (head) {
        this.#exec(
          "INSERT OR REPLACE INTO weft_witness (thread, seq, crc) VALUES (?, ?, ?)",
          threadId,
          head.seq,
          head.crc,
        );
        return { seq: head.seq, crc: head.crc };
      }
      const row = this.#exec(
        "SELECT seq, crc FROM weft_witness WHERE thread = ?",
        threadId,
      ).toArray()[0];
      return row && { seq: row.seq, crc: row.crc };
    });
  }

  /** @param {string} [threadId] */
  byteLength(threadId) {
    if (threadId !== undefined) checkThreadId(threadId);
    return this.#run(threadId ?? "", () => {
      const rows =
        threadId === undefined
          ? this.#exec("SELECT SUM(bytes) AS size FROM weft_head")
          : this.#exec("SELECT bytes AS size FROM weft_head WHERE thread = ?", threadId);
      return /** @type {number} */ (rows.toArray()[0]?.size ?? 0);
    });
  }

  /**
   * @param {string} threadId
   * @returns {LogHead | undefined}
   */
  #head(threadId) {
    const row = this.#exec(
      "SELECT seq, crc FROM weft_head WHERE thread = ?",
      threadId,
    ).toArray()[0];
    return row && { seq: row.seq, crc: row.crc };
  }

  /**
   * @param {string} threadId
   * @param {number} firstSeq
   * @param {number} lastSeq
   * @param {Uint8Array} bytes
   */
  #insert(threadId, firstSeq, lastSeq, bytes) {
    for (let part = 0, at = 0; at < bytes.length; part++, at += ROW_BYTES) {
      this.#exec(
        "INSERT OR REPLACE INTO weft_log (thread, first_seq, part, last_seq, bytes) VALUES (?, ?, ?, ?, ?)",
        threadId,
        firstSeq,
        part,
        lastSeq,
        bytes.subarray(at, at + ROW_BYTES),
      );
    }
  }

  /**
   * @param {string} query
   * @param {...unknown} bindings
   */
  #exec(query, ...bindings) {
    return this.#storage.sql.exec(
      this.#tables === TABLE ? query : query.replaceAll(TABLE, this.#tables),
      ...bindings,
    );
  }

  /**
   * @template T
   * @param {string} threadId
   * @param {() => T} work
   * @param {boolean} [isAgain]
   * @returns {T}
   */
  #run(threadId, work, isAgain = false) {
    try {
      if (!this.#ready) {
        this.#exec(TABLES);
        this.#ready = true;
      }
      return work();
    } catch (error) {
      if (this.#ready && !isAgain && /no such table/.test(String(error))) {
        // The object's deleteAll() has dropped the tables, too.
        this.#ready = false;
        return this.#run(threadId, work, true);
      }
      throw storeFailed(
        threadId,
        error,
        /SQLITE_FULL|disk is full|exceeded.*storage|storage.*limit/i.test(String(error)),
      );
    }
  }
}
