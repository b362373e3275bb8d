// SPDX-License-Identifier: MIT
// Stores logs in a folder, for Node, Deno and Bun. Several processes may share the folder;
// file/thread-files.js decides which of several writers wins. Calls on one thread run one after the
// other. The witness is a file in another folder.
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { lockThread } from "./thread-lock.js";
import { ThreadFiles } from "./thread-files.js";
import { bytesOf, namesIn, placeFile, present, syncFolder } from "./file-system.js";
import { ERR_LOG_CORRUPT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { holdAt } from "../core/lock.js";
import {
  START,
  badArgument,
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  findRange,
  storeFailed,
} from "../../log/log-store.js";
import { checkFold, checkList, checkPartition } from "../core/saver-arguments.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */

const STALE_MS = 60 * 60 * 1000;
/** Matches the name of a thread's folder. */
const KEY = /^[\da-f]{64}$/;
/** Error codes of a read-only file system. */
const UNWRITABLE = ["EROFS", "EACCES", "EPERM"];
/** Maximum number of idle threads whose files are cached. */
const MOST_OPEN = 1024;

/** @param {string} threadId */
function keyOf(threadId) {
  return createHash("sha256").update(threadId, "utf8").digest("hex");
}

/**
 * Makes the witness file's text with a checksum (older versions wrote none): a changed digit would
 * report records that never existed.
 * @param {number} seq
 * @param {number} crc
 */
function witnessText(seq, crc) {
  return `${seq} ${crc} ${keyOf(`${seq} ${crc}`).slice(0, 16)}\n`;
}

/** @param {string} threadId @param {unknown} error */
function failed(threadId, error) {
  const code = /** @type {{ code?: string }} */ (error)?.code;
  return storeFailed(threadId, error, code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG");
}

/** @implements {LogStore} */
export class FileStore {
  #root;
  /** @type {Promise<void> | undefined} */
  #ready;
  /**
   * Cached threads, the most recently used last; `waiting`: number of unfinished calls.
   * @type {Map<string, { files: ThreadFiles, last: Promise<unknown>, waiting: number }>}
   */
  #open = new Map();
  #hold;

  /** @param {{ path: string }} options */
  constructor(options) {
    const { path } = options ?? {};
    if (typeof path !== "string" || path === "")
      throw badArgument("a file store needs the path of its folder: { path }");
    // The process may change its folder later.
    this.#root = resolve(path);
    this.#hold = holdAt(this.#root, async (threadId, options) => {
      try {
        await this.#prepare(true);
        return await lockThread(join(this.#root, "tmp", `lock-${keyOf(threadId)}`), options);
      } catch (error) {
        throw options.signal?.aborted ? error : failed(threadId, error);
      }
    });
  }

  /**
   * Returns a store in a folder of its own beside the threads.
   * @param {string} name
   * @returns {FileStore}
   */
  partition(name) {
    checkPartition(name);
    return new FileStore({ path: join(this.#root, "partitions", name) });
  }

  /**
   * @param {string} threadId
   * @returns {Promise<LogHead | undefined>}
   */
  async head(threadId) {
    checkThreadId(threadId);
    return this.#run(threadId, async (files) => {
      const chain = await files.find();
      return chain?.head.seq ? chain.head : undefined;
    });
  }

  /**
   * @param {string} threadId
   * @param {{ from?: number, damaged?: boolean }} [options]
   * @returns {Promise<Uint8Array[]>}
   */
  async read(threadId, { from = 0, damaged = false } = {}) {
    checkThreadId(threadId);
    checkFrom(from);
    return this.#run(threadId, (files) => files.read(from, damaged));
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
    return this.#run(
      threadId,
      (files) => files.append({ seq: commit.seq, crc: commit.crc }, bytes, expected ?? START),
      { writes: true },
    );
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   * @returns {Promise<void>}
   */
  async fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    return this.#run(
      threadId,
      async (files) => {
        const pieces = (await files.find())?.pieces ?? [];
        const { start, end } = findRange(pieces, range);
        await files.replace(pieces.slice(start, end), [bytes]);
      },
      { writes: true },
    );
  }

  /**
   * @param {{ limit?: number, after?: string, onError?: (error: unknown) => void }} [options]
   * @returns {Promise<string[]>}
   */
  async list(options = {}) {
    checkList(options);
    const { limit = Infinity, after, onError } = options;
    const first = after === undefined ? "" : keyOf(after);
    const names = await namesIn(join(this.#root, "threads")).catch((error) => {
      throw storeFailed("*", error);
    });
    const keys = (names ?? []).filter((key) => KEY.test(key) && key > first).sort();
    const ids = [];
    for (const key of keys) {
      if (ids.length >= limit) break;
      try {
        const id = await this.#idOf(key);
        if (id !== undefined && (await this.#isThere(id))) ids.push(id);
      } catch (error) {
        onError?.(storeFailed(key, error));
      }
    }
    return ids;
  }

  /** Reads the id of a thread's folder; undefined when it was removed. @param {string} key */
  async #idOf(key) {
    const folder = join(this.#root, "threads", key);
    const id = (await bytesOf(join(folder, "id")))?.toString();
    if (id !== undefined && keyOf(id) === key) return id;
    if (id === undefined && (await present(fs.stat(folder))) === undefined) return undefined;
    throw makeError(ERR_LOG_CORRUPT, [
      key,
      0,
      `its id cannot be read in ${join(folder, "id")}; the thread is as it was, for who knows the id`,
    ]);
  }

  /**
   * Checks whether a thread exists. A thread whose head is unreadable exists too and must not hide
   * others.
   * @param {string} threadId
   */
  #isThere(threadId) {
    return this.head(threadId).then(
      (head) => head !== undefined,
      () => true,
    );
  }

  /**
   * @param {string} threadId
   * @returns {Promise<void>}
   */
  async drop(threadId) {
    checkThreadId(threadId);
    return this.#run(
      threadId,
      async (files) => {
        await present(fs.unlink(join(this.#root, "witness", files.key)));
        await files.remove();
      },
      { writes: true },
    );
  }

  /**
   * @param {string} threadId
   * @param {LogHead} [head]
   * @returns {Promise<LogHead | undefined>}
   */
  async witness(threadId, head) {
    checkThreadId(threadId);
    if (head !== undefined) checkHead(head);
    return this.#run(
      threadId,
      async ({ key }) => {
        const path = join(this.#root, "witness", key);
        if (head) {
          await placeFile(
            this.#root,
            [new TextEncoder().encode(witnessText(head.seq, head.crc))],
            (made) => fs.rename(made, path),
          );
          return { seq: head.seq, crc: head.crc };
        }
        const text = (await bytesOf(path))?.toString() ?? "";
        const match = /^(\d+) (\d+)(?: [\da-f]+)?\n$/.exec(text);
        const [seq, crc] = [Number(match?.[1]), Number(match?.[2])];
        return text === `${seq} ${crc}\n` || text === witnessText(seq, crc)
          ? { seq, crc }
          : undefined;
      },
      { writes: head !== undefined },
    );
  }

  /**
   * Locks a thread cooperatively against others that share the folder.
   * @param {string} threadId
   * @param {{ wait?: boolean, signal?: AbortSignal }} [options]
   * @returns {Promise<(() => void) | undefined>}
   */
  async hold(threadId, options) {
    return this.#hold(threadId, options);
  }

  /**
   * @param {string} [threadId]
   * @returns {Promise<number>}
   */
  async byteLength(threadId) {
    if (threadId === undefined) {
      let sum = 0;
      for (const id of await this.list()) sum += await this.byteLength(id);
      return sum;
    }
    checkThreadId(threadId);
    return this.#run(threadId, (files) => files.byteLength());
  }

  /**
   * Runs work on a thread after all earlier work on it.
   * @template T
   * @param {string} threadId
   * @param {(files: ThreadFiles) => Promise<T>} work
   * @param {{ writes?: boolean }} [how] `writes`: fails if the folders cannot be made
   * @returns {Promise<T>}
   */
  #run(threadId, work, { writes = false } = {}) {
    const key = keyOf(threadId);
    const entry = this.#open.get(key) ?? {
      files: new ThreadFiles(this.#root, key, threadId),
      last: Promise.resolve(),
      waiting: 0,
    };
    this.#open.delete(key);
    this.#open.set(key, entry);
    entry.waiting++;
    const { files } = entry;
    const turn = async () => {
      try {
        await this.#prepare(writes);
        return await work(files);
      } catch (error) {
        throw failed(threadId, error);
      }
    };
    const result = entry.last.then(turn);
    entry.last = result
      .catch(() => {})
      .then(() => {
        entry.waiting--;
        this.#closeIdle();
      });
    return result;
  }

  /** Drops the oldest idle threads from the cache; later calls may wait for a busy one. */
  #closeIdle() {
    for (const [key, { waiting }] of this.#open) {
      if (this.#open.size <= MOST_OPEN) return;
      if (waiting === 0) this.#open.delete(key);
    }
  }

  /**
   * Makes the folders and sweeps, once before all other work. Reading continues on a read-only file
   * system.
   * @param {boolean} writes
   */
  async #prepare(writes) {
    try {
      await (this.#ready ??= this.#makeFolders().then(() => this.#sweep()));
    } catch (error) {
      this.#ready = undefined;
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (writes || !UNWRITABLE.includes(code ?? "")) throw error;
    }
  }

  async #makeFolders() {
    for (const name of ["threads", "witness", "tmp"]) {
      const made = await fs.mkdir(join(this.#root, name), { recursive: true });
      // A new folder is durable once its parents are synced.
      const above = made && dirname(resolve(made));
      for (
        let path = resolve(this.#root);
        above && path.length >= above.length;
        path = dirname(path)
      ) {
        await syncFolder(path);
        if (path === dirname(path)) break;
      }
    }
  }

  /** Removes files that dead processes left. They only use space, so errors are ignored. */
  async #sweep() {
    const tmp = join(this.#root, "tmp");
    for (const name of (await namesIn(tmp).catch(() => undefined)) ?? []) {
      try {
        const stat = await present(fs.stat(join(tmp, name)));
        if (!stat || Date.now() - stat.mtimeMs <= STALE_MS) continue;
        // Renames first, so that a process still using it finds all of it or nothing.
        const away = join(tmp, `drop-${randomBytes(12).toString("hex")}`);
        if (await present(fs.rename(join(tmp, name), away).then(() => true)))
          await fs.rm(away, { recursive: true, force: true });
      } catch {}
    }
  }
}
