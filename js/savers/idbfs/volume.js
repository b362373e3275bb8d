// SPDX-License-Identifier: MIT
// Manages one thread's mount: the folder in the memory file system, its volume in C
// (wasm/idbfs/volume.h) and its database. The folder keeps names; contents only pass through it.
// Calls on one volume must not overlap.
import { Conflict, Connection, transact } from "./transaction.js";
import { trapped } from "./module.js";
import { sameContents } from "./reconcile.js";
import { START, badArgument, corruptLog } from "../../log/log-store.js";
import {
  ERR_ARGUMENT,
  ERR_FENCED,
  ERR_LOG_CORRUPT,
  ERR_NO_MEMORY,
  ERR_STORE,
} from "../../base/codes.js";
import { makeError } from "../../base/errors.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */

const WINDOW_BYTES = 65536;
const ROUNDS = 8;

const decoder = () => new TextDecoder();

export class Volume {
  /** Name of the database, and prefix of its keys. */
  #path;
  /** Folder in the memory file system. */
  #folder;
  #threadId;
  #module;
  #connection;
  #pointer;
  #mounted = false;
  #loaded = false;
  /** Head record as stored when the folder was read. @type {Uint8Array | undefined} */
  #seen;

  /**
   * @param {import("./module.js").IdbfsModule} module
   * @param {IDBFactory} factory
   * @param {string} prefix
   * @param {string} threadId
   */
  constructor(module, factory, prefix, threadId) {
    this.#module = module;
    this.#threadId = threadId;
    const start = new TextEncoder().encode(prefix);
    const id = new TextEncoder().encode(threadId);
    const window = this.#window();
    window.set(start);
    window.set(id, start.length);
    this.#pointer = module._weft_idbfs_new(start.length, id.length);
    if (!this.#pointer) throw makeError(ERR_NO_MEMORY, [0]);
    [this.#path, this.#folder] = decoder()
      .decode(this.#window().slice(0, start.length + 80))
      .split("\0");
    const { DB_STORE_NAME, DB_VERSION } = module.IDBFS;
    this.#connection = new Connection(factory, this.#path, DB_VERSION, (db) => {
      db.createObjectStore(DB_STORE_NAME).createIndex("timestamp", "timestamp", { unique: false });
    });
  }

  /** Returns the window in the current memory: must not be kept. */
  #window() {
    const at = this.#module._weft_idbfs_window();
    return this.#module.HEAPU8.subarray(at, at + WINDOW_BYTES);
  }

  /** @param {number} status */
  #check(status) {
    if (status >= 0) return;
    if (status === ERR_FENCED) throw new Conflict("the head is another one");
    if (status === ERR_ARGUMENT) throw badArgument("the range is not whole commits of the thread");
    if (status === ERR_STORE) throw new Error("the folder cannot be used");
    if (status === ERR_LOG_CORRUPT) throw corruptLog(this.#threadId, 0, "its files do not fit");
    throw makeError(status, [this.#threadId, 0, 0]);
  }

  /**
   * Collects lines that C writes in portions, each an operation character and a name.
   * @param {(skip: number) => number} next
   */
  #lines(next) {
    const lines = [];
    for (let length = next(0); length > 0; length = next(lines.length)) {
      const text = decoder().decode(this.#window().slice(0, length));
      for (const line of text.trimEnd().split("\n"))
        lines.push({ op: line[0], name: line.slice(1) });
    }
    return lines;
  }

  /**
   * @template T
   * @param {"readonly" | "readwrite"} mode
   * @param {Parameters<typeof transact<T>>[3]} work
   */
  #transact(mode, work) {
    return this.#connection.use((db) => transact(db, this.#module.IDBFS.DB_STORE_NAME, mode, work));
  }

  /** Whether the instance trapped: another volume must replace this one. */
  get isLost() {
    return this.#module.trapped === true;
  }

  /** Converts an error of a call. @param {unknown} error */
  failed(error) {
    return trapped(this.#module, error);
  }

  /** Whether the stored files must be read before a change. */
  get isStale() {
    return !this.#loaded;
  }

  /** Marks the known files as outdated: the next call reads them again. */
  forget() {
    this.#loaded = false;
  }

  /** Updates the folder to the stored files. */
  async refresh() {
    /** @type {{ head?: Uint8Array, keys?: string[] }} */
    const found = await this.#transact("readonly", (store, guard) => {
      /** @type {{ head?: Uint8Array, keys?: string[] }} */
      const out = {};
      const head = store.get(`${this.#path}/head`);
      head.onsuccess = guard(() => {
        out.head = head.result?.contents;
        if (this.#loaded && sameContents(out.head, this.#seen)) return;
        const keys = store.getAllKeys();
        keys.onsuccess = guard(() => void (out.keys = /** @type {string[]} */ (keys.result)));
      });
      return out;
    });
    if (!found.keys) return;
    this.#fill(
      found.keys.map((key) => ({
        key,
        contents: key === `${this.#path}/head` ? found.head : undefined,
      })),
    );
    this.#seen = found.head;
    const status = this.#module._weft_idbfs_load(this.#pointer);
    this.#check(status);
    if (status === 1) await this.#recover();
    this.#loaded = true;
  }

  /** @param {{ key: string, contents?: Uint8Array }[]} entries */
  #fill(entries) {
    const { FS } = this.#module;
    this.#unmount();
    FS.mkdirTree(this.#folder);
    FS.mount(this.#module.IDBFS, {}, this.#folder);
    this.#mounted = true;
    for (const { key, contents } of entries) {
      const name = key.startsWith(`${this.#path}/`) ? key.slice(this.#path.length + 1) : "";
      if (name && !name.includes("/"))
        FS.writeFile(`${this.#folder}/${name}`, contents ?? new Uint8Array(0));
    }
  }

  async #recover() {
    const { keys, values } = await this.#transact("readonly", (store) => ({
      keys: store.getAllKeys(),
      values: store.getAll(),
    }));
    const files = keys.result.map((key, i) => ({
      key: String(key),
      contents: values.result[i]?.contents,
    }));
    this.#fill(files);
    this.#seen = files.find(({ key }) => key === `${this.#path}/head`)?.contents;
    const status = this.#module._weft_idbfs_load(this.#pointer);
    this.#check(status);
    this.#check(this.#module._weft_idbfs_recover(this.#pointer));
  }

  /** Returns the head of the folder's log. @returns {LogHead | undefined} */
  head() {
    if (!this.#module._weft_idbfs_head(this.#pointer)) return undefined;
    const [seq, crc] = this.#numbers();
    return { seq, crc };
  }

  byteLength() {
    this.#module._weft_idbfs_head(this.#pointer);
    return this.#numbers()[2];
  }

  #numbers() {
    return new Float64Array(this.#window().slice(0, 24).buffer);
  }

  /**
   * Reads the records from a sequence number on.
   * @param {number} from
   * @param {boolean} damaged whether the part before a missing file is enough
   * @returns {Promise<Uint8Array[]>}
   */
  async read(from, damaged) {
    for (let round = 1; ; round++) {
      await this.refresh();
      const lines = this.#lines((skip) =>
        this.#module._weft_idbfs_names(this.#pointer, from, skip),
      );
      if (lines.length === 0) return [];
      const { head, files } = await this.#transact("readonly", (store) => ({
        head: store.get(`${this.#path}/head`),
        files: lines.map(({ name }) => store.get(`${this.#path}/${name}`)),
      }));
      const missing = files.findIndex((file) => !file.result);
      const isSame = sameContents(head.result?.contents, this.#seen);
      if (isSame && (missing < 0 || (damaged && round === ROUNDS))) {
        return files.slice(0, missing < 0 ? undefined : missing).map((file, i) => {
          const { contents } = file.result;
          return lines[i].op === "<"
            ? contents.slice(0, this.#module._weft_idbfs_cut(this.#pointer))
            : contents;
        });
      }
      this.forget();
      if (round === ROUNDS) throw corruptLog(this.#threadId, from, "files are missing");
    }
  }

  /**
   * Appends a commit. Throws Conflict when the stored files changed; the folder is outdated then.
   * @param {LogHead} last
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  async append(last, bytes, expected = START) {
    const begun = this.#module._weft_idbfs_append(
      this.#pointer,
      last.seq,
      last.crc,
      expected.seq,
      expected.crc,
    );
    await this.#commit(begun, bytes);
  }

  /**
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  async fold({ firstSeq, lastSeq }, bytes) {
    await this.#commit(this.#module._weft_idbfs_fold(this.#pointer, firstSeq, lastSeq), bytes);
  }

  /**
   * @param {number} begun
   * @param {Uint8Array} bytes
   */
  async #commit(begun, bytes) {
    const { FS, IDBFS } = this.#module;
    this.#check(begun);
    let stored = false;
    try {
      for (let at = 0; at < bytes.length; at += WINDOW_BYTES) {
        const part = bytes.subarray(at, at + WINDOW_BYTES);
        this.#window().set(part);
        this.#check(this.#module._weft_idbfs_write(this.#pointer, part.length));
      }
      this.#check(this.#module._weft_idbfs_plan(this.#pointer));
      const lines = this.#lines((skip) => this.#module._weft_idbfs_lines(this.#pointer, skip));
      /** @type {Uint8Array | undefined} */
      let record;
      const build = () => {
        this.#check(this.#module._weft_idbfs_build(this.#pointer));
        record = FS.readFile(`${this.#folder}/head`);
      };
      const change = {
        path: this.#path,
        folder: this.#folder,
        id: this.#threadId,
        seen: this.#seen,
        lines,
        build,
      };
      await this.#connection.use(
        (db) =>
          new Promise((resolve, reject) => {
            IDBFS.reconcile(change, { db }, (/** @type {unknown} */ error) =>
              error ? reject(error) : resolve(undefined),
            );
          }),
      );
      this.#seen = record;
      stored = true;
    } catch (error) {
      throw this.failed(error);
    } finally {
      if (!stored) this.forget();
      if (!this.isLost) this.#module._weft_idbfs_end(this.#pointer, stored ? 1 : 0);
    }
  }

  /**
   * Empties the database in one transaction, without deleting it: that could remove another tab's
   * new commit.
   */
  async clear() {
    this.forget();
    await this.#transact("readwrite", (store) => void store.clear());
  }

  #unmount() {
    if (this.#mounted) this.#module.FS.unmount(this.#folder);
    this.#mounted = false;
    this.#loaded = false;
  }

  /** Frees memory, mount and connection. */
  async close() {
    const { FS } = this.#module;
    const mounted = this.#mounted;
    if (!this.isLost) {
      this.#unmount();
      if (mounted) FS.rmdir(this.#folder);
      this.#module._weft_idbfs_free(this.#pointer);
    }
    this.#pointer = 0;
    await this.#connection.close();
  }
}
