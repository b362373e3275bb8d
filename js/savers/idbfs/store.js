// SPDX-License-Identifier: MIT
// Stores logs in the browser's IndexedDB, for pages and workers. Each thread has its own database,
// an IDBFS mount whose files are laid out in C; one more database lists the threads. A commit is
// one strict transaction that compares the stored head first, so of two tabs one wins and the other
// gets FENCED, whether or not it holds the thread's lock.
import {
  START,
  badArgument,
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  fenced,
  sameHead,
  storeFailed,
} from "../../log/log-store.js";
import { checkPartition } from "../core/saver-arguments.js";
import { Table, Witnesses, findLocalStorage } from "./thread-index.js";
import { Conflict } from "./transaction.js";
import { Volume } from "./volume.js";
import { sharedInstance, trapped } from "./module.js";
import {
  dropIdbfs,
  foldIdbfs,
  holdLock,
  idbfsBytes,
  listIdbfs,
  persistence,
  quota,
} from "./thread-methods.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */

/**
 * @typedef {object} IdbfsOptions
 * @property {string} [prefix] Distinguishes sets of threads in this origin: letters, digits, "-"
 *   and "_"; "weft" by default.
 * @property {number} [maxOpen] Maximum number of threads mounted at once; 32 by default.
 * @property {IDBFactory} [indexedDB] Replaces the global IndexedDB.
 * @property {Storage} [localStorage] Replaces the global localStorage.
 * @property {() => import("./module.js").IdbfsModule} [instance] Returns another instance of
 *   idbfs.wasm than this realm's.
 */

/** @typedef {{ volume: Volume, last: Promise<unknown>, waiting: number }} Open */

/** What another tab deletes, it may show in this tab's localStorage so much later. */
const LATE_MS = 100;
const ROUNDS = 8;

/** @implements {LogStore} */
export class IdbfsStore {
  #prefix;
  #maxOpen;
  #factory;
  #instance;
  /** @type {import("./thread-methods.js").Parts} */
  #parts;
  /** Mounted threads, the most recently used last. @type {Map<string, Open>} */
  #open = new Map();
  /** @type {BroadcastChannel | undefined} */
  #teller;
  #options;
  #part;
  /** @type {Map<string, IdbfsStore>} */
  #partitions = new Map();

  /**
   * @param {IdbfsOptions} [options]
   * @param {string} [part] suffix of a partition, with a dot: prefixes contain none
   */
  constructor(options = {}, part = "") {
    const {
      prefix = "weft",
      maxOpen = 32,
      indexedDB = globalThis.indexedDB,
      localStorage = findLocalStorage(),
      instance = sharedInstance,
    } = options;
    if (typeof prefix !== "string" || !/^[\w-]{1,64}$/.test(prefix))
      throw badArgument("`prefix` has 1 to 64 letters, digits, - and _");
    if (!Number.isSafeInteger(maxOpen) || maxOpen < 1)
      throw badArgument("`maxOpen` is a positive integer");
    if (typeof indexedDB?.open !== "function")
      throw badArgument("IndexedDB is needed: there is none here");
    this.#options = { prefix, maxOpen, indexedDB, localStorage, instance };
    this.#part = part;
    this.#prefix = `/${prefix}${part}/`;
    this.channel = `weft/${prefix}${part}`;
    this.#maxOpen = maxOpen;
    this.#factory = indexedDB;
    this.#instance = instance;
    this.#parts = {
      index: new Table(indexedDB, `${this.#prefix}index`),
      witnesses: new Witnesses(indexedDB, this.#prefix, localStorage),
      factory: indexedDB,
      prefix: this.#prefix,
      run: (threadId, work) => this.#run(threadId, work),
      guard: (threadId, work) => this.#guard(threadId, work),
      tell: (threadId) => this.#tell(threadId),
      persist: (volume, change) => this.#persist(volume, change),
    };
  }

  /** Returns a store with databases of its own. @param {string} name @returns {IdbfsStore} */
  partition(name) {
    checkPartition(name);
    let part = this.#partitions.get(name);
    if (part === undefined)
      this.#partitions.set(name, (part = new IdbfsStore(this.#options, `${this.#part}.${name}`)));
    return part;
  }

  /**
   * @param {string} threadId
   * @returns {Promise<LogHead | undefined>}
   */
  async head(threadId) {
    checkThreadId(threadId);
    return this.#run(threadId, async (volume) => {
      await volume.refresh();
      return volume.head();
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
    return this.#run(threadId, (volume) => volume.read(from, damaged));
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
    return this.#run(threadId, async (volume) => {
      if (!expected) {
        await volume.refresh();
        if (volume.head()) throw fenced(threadId);
        if (!(await this.#parts.index.get(threadId)))
          await this.#parts.index.put(threadId, { ready: false });
      }
      await this.#persist(volume, () => {
        if (!sameHead(volume.head() ?? START, expected ?? START)) throw fenced(threadId);
        return volume.append(commit, bytes, expected);
      });
      this.#tell(threadId, commit.seq);
      // The commit is durable and the thread is in the index; without this mark, list reads the
      // thread each time.
      if (!expected) await this.#parts.index.put(threadId, { ready: true }).catch(() => {});
    });
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   * @returns {Promise<void>}
   */
  async fold(threadId, range, bytes) {
    return foldIdbfs(this.#parts, threadId, range, bytes);
  }

  /**
   * @param {{ limit?: number, after?: string, onError?: (error: unknown) => void }} [options]
   * @returns {Promise<string[]>}
   */
  async list(options = {}) {
    return listIdbfs(this.#parts, options);
  }

  /**
   * @param {string} threadId
   * @returns {Promise<void>}
   */
  async drop(threadId) {
    return dropIdbfs(this.#parts, threadId);
  }

  /**
   * @param {string} threadId
   * @param {LogHead} [head]
   * @returns {Promise<LogHead | undefined>}
   */
  async witness(threadId, head) {
    checkThreadId(threadId);
    if (head !== undefined) checkHead(head);
    const { witnesses } = this.#parts;
    return this.#guard(threadId, async () => {
      if (head) return witnesses.set(threadId, head).then(() => head);
      const told = await witnesses.get(threadId);
      if (!told || !witnesses.storage || !(await this.#isBehind(threadId, told))) return told;
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      return witnesses.get(threadId);
    });
  }

  /** Is the thread shorter than that? @param {string} threadId @param {LogHead} head */
  async #isBehind(threadId, { seq }) {
    const isShort = (/** @type {Volume} */ volume) => (volume.head()?.seq ?? 0) < seq;
    return this.#run(threadId, async (volume) => {
      if (isShort(volume)) await volume.refresh();
      return isShort(volume);
    });
  }

  /**
   * @param {string} [threadId]
   * @returns {Promise<number>}
   */
  async byteLength(threadId) {
    return idbfsBytes(this.#parts, threadId);
  }

  /**
   * Locks a thread cooperatively against other tabs by a Web Lock. Resolves with a function that
   * releases it; undefined when another tab holds it and `wait` is not set. Without Web Locks it
   * resolves at once: the comparison of heads protects the thread.
   * @param {string} threadId
   * @param {{ wait?: boolean, signal?: AbortSignal }} [options]
   * @returns {Promise<(() => void) | undefined>}
   */
  async hold(threadId, options = {}) {
    return holdLock(`${this.#prefix}${threadId}`, threadId, options);
  }

  /**
   * Returns whether the browser may evict this origin's storage; `ask` requests persistence first.
   * @param {{ ask?: boolean }} [options]
   * @returns {Promise<"persistent" | "best-effort" | "unknown">}
   */
  async persistence(options = {}) {
    return persistence(options);
  }

  /** Returns the bytes that this origin uses and may use, if the browser reports them. */
  async quota() {
    return quota();
  }

  /** Notifies other tabs of a change. @param {string} threadId @param {number} [seq] */
  #tell(threadId, seq) {
    if (globalThis.BroadcastChannel === undefined) return;
    this.#teller ??= new BroadcastChannel(this.channel);
    /** @type {{ unref?(): void }} */ (/** @type {unknown} */ (this.#teller)).unref?.();
    this.#teller.postMessage([threadId, seq]);
  }

  /** Unmounts all threads and closes their databases. @returns {Promise<void>} */
  async close() {
    for (const [threadId, entry] of this.#open) {
      await entry.last;
      if (this.#open.get(threadId) === entry) this.#open.delete(threadId);
      await entry.volume.close();
    }
    this.#teller?.close();
    this.#teller = undefined;
    await Promise.all([
      this.#parts.index.close(),
      this.#parts.witnesses.close(),
      ...[...this.#partitions.values()].map((part) => part.close()),
    ]);
  }

  /**
   * Carries out a change. If the files changed meanwhile, reads them again and retries.
   * @param {Volume} volume
   * @param {() => Promise<void>} change
   */
  async #persist(volume, change) {
    let stale = volume.isStale;
    for (let round = 0; ; round++) {
      if (stale) await volume.refresh();
      try {
        return await change();
      } catch (error) {
        const late =
          error instanceof Conflict ||
          (!stale && /** @type {{ code?: string }} */ (error)?.code === "FENCED");
        if (!late || round === ROUNDS) throw error;
        stale = true;
        volume.forget();
      }
    }
  }

  /**
   * Runs work on a thread after all earlier work on it.
   * @template T
   * @param {string} threadId
   * @param {(volume: Volume) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #run(threadId, work) {
    return this.#guard(threadId, () => {
      const entry = this.#open.get(threadId) ?? {
        volume: this.#volume(threadId),
        last: Promise.resolve(),
        waiting: 0,
      };
      this.#open.delete(threadId);
      this.#open.set(threadId, entry);
      entry.waiting++;
      const result = entry.last.then(async () => {
        if (entry.volume.isLost) {
          entry.volume.close().catch(() => {});
          entry.volume = this.#volume(threadId);
        }
        const { volume } = entry;
        return work(volume).catch((error) => Promise.reject(volume.failed(error)));
      });
      entry.last = result
        .then(
          () => {},
          () => {},
        )
        .then(() => {
          entry.waiting--;
          this.#unmountIdle();
        });
      return result;
    });
  }

  /** @param {string} threadId */
  #volume(threadId) {
    const instance = this.#instance();
    try {
      return new Volume(instance, this.#factory, this.#prefix, threadId);
    } catch (error) {
      throw trapped(instance, error);
    }
  }

  #unmountIdle() {
    for (const [threadId, { volume, waiting }] of this.#open) {
      if (this.#open.size <= this.#maxOpen) return;
      if (waiting > 0) continue;
      this.#open.delete(threadId);
      volume.close().catch(() => {});
    }
  }

  /**
   * @template T
   * @param {string} threadId
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #guard(threadId, work) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Conflict) throw fenced(threadId);
      throw storeFailed(threadId, error);
    }
  }
}
