// SPDX-License-Identifier: MIT
// Stores items durably in a log of their own in the storage of one of Weft's savers, in a partition
// that no thread id reaches: new SaverStore(saver, { index }). Several processes may share it; of
// two writers of a key the later one wins. A log with much outdated data is rewritten. Owns the
// items read so far, and its position in the log.
import { refuseUnknown } from "../base/check-arguments.js";
import { decodeValue } from "../engine/codec.js";
import { ABSENT } from "../engine/slots.js";
import { HEADER, framesOf } from "../log/frames.js";
import { LogReader } from "../log/reader.js";
import { examine } from "../log/recover.js";
import {
  MAX_THREAD_BYTES,
  START,
  badArgument,
  checkThreadId,
  corruptLog,
  sameHead,
} from "../log/log-store.js";
import { concat } from "../log/concat.js";
import { checkUnsealed } from "../log/data-loss.js";
import { ITEMS } from "../savers/core/saver-arguments.js";
import { itemsFile, readItemsFile } from "./items-file.js";
import { LOG, changeOf, holdsAll, recordOf, writeOf, writeTo } from "./items-log.js";
import { InMemoryStore } from "./memory.js";
import { readOlder } from "./legacy-log.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../log/log-store.js").LogStore} LogStore */
/** @typedef {import("./memory.js").IndexConfig} IndexConfig */
/** @typedef {import("./memory.js").Change} Change */

/** Name in error texts. */
const NAME = "of a SaverStore";
/** Thread in which older versions stored the items. */
const OLDER = "weft:store";
/** Channel that names the imported older log. */
const FROM = "";
/** Maximum number of tries of an overtaken writer, and its longest pause in ms. */
const TRIES = 200;
const LONGEST_PAUSE = 50;
/** Waits in ms before a stale read is retried. */
const PAUSES = [10, 20, 40, 80, 160];
/**
 * The log is rewritten when it exceeds twice its current data plus this many bytes, or, in a store
 * that reads few pieces faster, this many pieces.
 */
const SPARE_BYTES = 16 * 1024;
const MOST_PIECES = 256;
/** Bytes of a frame beside its body. */
const FRAME_BYTES = HEADER + 4;
/** Approximate bytes of a write beside its texts. */
const WRITE_BYTES = 8;
/**
 * Number of commits, or their bytes, that are folded for a store that reads few long pieces faster.
 */
const FOLD_COMMITS = 64;
const FOLD_BYTES = 256 * 1024;

export class SaverStore extends InMemoryStore {
  /** @type {LogStore} */
  #log;
  #id;
  /** Place of an older version's items. @type {{ store: LogStore, id: string }} */
  #older;
  /** Head of the older log that was imported and may still exist. @type {LogHead | undefined} */
  #taken;
  #isLookedFor = false;
  /** Head of the records read so far. @type {LogHead | undefined} */
  #head;
  /** Bytes and pieces of the log, as far as they were read. */
  #bytes = 0;
  #pieces = 0;
  /** Bytes of each current item, by its channel, and their sum. @type {Map<string, number>} */
  #sizes = new Map();
  #live = 0;
  /**
   * Unfolded commits at the log's end.
   * @type {{ firstSeq: number, lastSeq: number, bytes: Uint8Array }[]}
   */
  #tail = [];
  /** The last operation, after which the next one runs. @type {Promise<unknown>} */
  #turn = Promise.resolve();

  /**
   * @param {{ store: LogStore }} saver one of Weft's
   * @param {{ index?: IndexConfig, name?: string }} [options] `name`: distinguishes several stores
   *   of a saver
   */
  constructor(saver, options) {
    super(options);
    refuseUnknown(options ?? {}, "new SaverStore(saver, options)", ["index", "name"]);
    const { store } = saver ?? {};
    if (typeof store?.append !== "function")
      throw badArgument("a SaverStore needs one of Weft's savers");
    if (typeof store.partition !== "function")
      throw badArgument(
        "a SaverStore needs a saver whose store has `partition`, where no thread's id leads",
      );
    const name = options?.name === undefined ? "" : `:${checkedName(options.name)}`;
    this.#log = store.partition(ITEMS);
    this.#id = LOG + name;
    this.#older = { store, id: OLDER + name };
  }

  /** @param {readonly unknown[]} operations @returns {Promise<unknown[]>} */
  batch(operations) {
    return this.#inTurn(() => super.batch(operations));
  }

  /**
   * Runs work on the currently stored items, one piece of work after the other.
   * @template T @param {() => T | Promise<T>} work @returns {Promise<T>}
   */
  #inTurn(work) {
    const turn = this.#turn.then(async () => {
      await this.#refresh();
      const { seq } = this.#head ?? START;
      const answer = await work();
      // The puts are stored: tidying that fails now is repeated later.
      if (this.#head !== undefined && this.#head.seq > seq) await this.#tidy().catch(() => {});
      return answer;
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Exports all items as a file. @returns {Promise<Uint8Array>} */
  exportItems() {
    return this.#inTurn(async () => itemsFile((await this.#stored()).writes));
  }

  /**
   * Imports the items of a file.
   * @param {Uint8Array} file
   * @param {{ maxBytes?: number }} [options]
   * @returns {Promise<number>} number of items in the file
   */
  async importItems(file, options) {
    const { writes, changes } = readItemsFile(file, options);
    await this.#inTurn(async () => {
      if (writes.length > 0) await this.#append(writes);
      this.takeChanges(changes);
    });
    return changes.length;
  }

  /** @param {Change[]} changes */
  async keep(changes) {
    await this.#append(changes.map(writeOf));
  }

  /** Reads the records that others have written. */
  async #refresh() {
    await this.#catchUp();
    if (this.#isLookedFor) return;
    if (this.#head === undefined) await this.#takeOver();
    await this.#forgetOlder();
    this.#isLookedFor = true;
  }

  async #catchUp() {
    for (let tries = 0; ; tries++) {
      const head = await this.#log.head(this.#id);
      if (sameHead(head, this.#head)) return;
      if (head !== undefined) await this.#read();
      // Others may have continued meanwhile; a read may be staler than the one before.
      if (head !== undefined && this.#head !== undefined && this.#head.seq >= head.seq) return;
      if (tries === PAUSES.length)
        throw corruptLog(
          NAME,
          head === undefined ? 0 : (this.#head?.seq ?? 0),
          "records behind it are missing or damaged",
        );
      await new Promise((resolve) => setTimeout(resolve, PAUSES[tries]));
    }
  }

  async #read() {
    let known = this.#head?.seq ?? 0;
    for (const from of [known + 1, 1]) {
      // Values read earlier are not kept; a rewritten log may refer to them and is read from its
      // start.
      const reader = new LogReader();
      if (from === 1) this.#bytes = this.#pieces = 0;
      try {
        const batches = await this.#log.read(this.#id, from === 1 ? {} : { from });
        checkUnsealed(NAME, batches);
        const { sound, head } = examine(this.#id, batches);
        for (const piece of sound) {
          for (const record of reader.read(piece)) {
            if (record.seq <= known) continue;
            this.#take(record);
            known = record.seq;
            // The writer has dropped all earlier records.
            if (holdsAll(record) && from > 1) this.#bytes = this.#pieces = 0;
          }
          this.#follow(piece, from);
        }
        if (head.seq >= from) this.#head = head;
        return;
      } catch (/** @type {Value} */ error) {
        if (from !== 1 && error instanceof RangeError) continue;
        throw error.code === undefined ? corruptLog(NAME, known, error.message) : error;
      }
    }
  }

  /** @param {import("../log/record.js").LogRecord} record */
  #take(record) {
    const writes = writesOf(record);
    const isAll = holdsAll(record);
    this.takeChanges(writes.filter(isItem).map(changeOf), isAll);
    const from = writes.find((write) => !isItem(write));
    if (from !== undefined) this.#taken = decodeValue(String(from.value));
    this.#count(writes, isAll);
  }

  /** @param {import("../log/record.js").WriteRecord[]} writes @param {boolean} isAll */
  #count(writes, isAll) {
    if (isAll) {
      this.#sizes.clear();
      this.#live = 0;
    }
    for (const { channel, value } of writes) {
      this.#live -= this.#sizes.get(channel) ?? 0;
      if (value === ABSENT) this.#sizes.delete(channel);
      else {
        const size = channel.length + String(value).length + WRITE_BYTES;
        this.#sizes.set(channel, size);
        this.#live += size;
      }
    }
  }

  /**
   * Counts a piece of the log: a commit, or several folded ones; parts before `from` were counted.
   * @param {Uint8Array} bytes
   * @param {number} [from]
   */
  #follow(bytes, from = 1) {
    const frames = [...framesOf(bytes)];
    const { seq: last = 0 } = frames.at(-1) ?? {};
    if (last < from) return;
    this.#bytes += frames.reduce(
      (sum, { seq, length }) => sum + (seq < from ? 0 : length + FRAME_BYTES),
      0,
    );
    this.#pieces++;
    if (frames.length === 1) this.#tail.push({ firstSeq: last, lastSeq: last, bytes });
    else this.#tail = [];
  }

  /** Imports the items of an older version, once, by whichever process is first. */
  async #takeOver() {
    const { store, id } = this.#older;
    try {
      const found = await readOlder(store, id);
      if (found === undefined) return;
      const items = new InMemoryStore();
      items.takeChanges(found.changes);
      const writes = items.wholeAsChanges().map(writeOf);
      if (found.isAlone) writes.push(writeTo(FROM, found.head));
      await this.#append(writes, true);
      this.takeChanges(items.wholeAsChanges());
      if (found.isAlone) this.#taken = found.head;
    } catch (error) {
      // Another process may have imported and dropped it meanwhile.
      await this.#catchUp();
      if (this.#head === undefined) throw error;
    }
  }

  /** Drops the older log if all of it was imported. */
  async #forgetOlder() {
    if (this.#taken === undefined) return;
    const { store, id } = this.#older;
    if (sameHead(await store.head(id), this.#taken)) await store.drop(id);
    this.#taken = undefined;
  }

  /**
   * Stores a commit after the records read so far; retries after others' commits, unless `isAll`.
   * @param {import("../log/record.js").WriteRecord[]} writes
   * @param {boolean} [isAll] whether the writes are all items
   */
  async #append(writes, isAll = false) {
    for (let tries = 1; ; tries++) {
      const { commit, bytes } = recordOf(this.#head ?? START, writes, isAll, this.#id);
      try {
        await this.#log.append(this.#id, commit, bytes, this.#head);
        this.#head = { seq: commit.seq, crc: commit.crc };
        this.#count(writes, isAll);
        this.#follow(bytes);
        return bytes;
      } catch (error) {
        if (
          isAll ||
          tries === TRIES ||
          /** @type {Record<PropertyKey, unknown>} */ (error).code !== "FENCED"
        )
          throw error;
        await new Promise((resolve) =>
          setTimeout(resolve, Math.random() * Math.min(LONGEST_PAUSE, 2 ** tries)),
        );
        await this.#catchUp();
      }
    }
  }

  /**
   * Rewrites the log when it is much longer than its current data, and folds commits for a store
   * that reads few pieces faster.
   */
  async #tidy() {
    if (
      this.#bytes > 2 * this.#live + SPARE_BYTES ||
      (this.#log.foldable && this.#pieces > MOST_PIECES)
    )
      return this.#compact();
    const commits = this.#tail;
    const size = commits.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (commits.length < FOLD_COMMITS && size < FOLD_BYTES) return;
    this.#tail = [];
    if (commits.length < 2 || !this.#log.foldable) return;
    await this.#log.fold(
      this.#id,
      { firstSeq: commits[0].firstSeq, lastSeq: commits[commits.length - 1].lastSeq },
      concat(commits.map(({ bytes }) => bytes)),
    );
    this.#pieces -= commits.length - 1;
  }

  /** Reads all items from the log: a caller may have changed the objects in memory. */
  async #stored() {
    const items = new InMemoryStore();
    const reader = new LogReader();
    const { sound, head } = examine(this.#id, await this.#log.read(this.#id));
    for (const piece of sound) {
      for (const record of reader.read(piece))
        items.takeChanges(writesOf(record).filter(isItem).map(changeOf), holdsAll(record));
    }
    return { writes: items.wholeAsChanges().map(writeOf), head };
  }

  /**
   * Appends one commit with all items, which compares the head as any other, then drops the records
   * before it.
   */
  async #compact() {
    // The dropped record names the older log.
    await this.#forgetOlder();
    const { writes, head } = await this.#stored();
    if (!sameHead(head, this.#head)) return;
    const bytes = await this.#append(writes, true);
    // A fold that fails now is repeated the next time.
    this.#bytes = bytes.length;
    this.#pieces = 1;
    for (const [name, items] of this.data) if (items.size === 0) this.data.delete(name);
    await this.#log.fold(
      this.#id,
      { firstSeq: 1, lastSeq: /** @type {LogHead} */ (this.#head).seq },
      bytes,
    );
  }
}

/** @param {import("../log/record.js").LogRecord} record */
function writesOf({ tasks }) {
  return tasks.flatMap(({ writes }) => writes);
}

/** @param {import("../log/record.js").WriteRecord} write */
function isItem({ channel }) {
  return channel !== FROM;
}

/** @param {string} name */
function checkedName(name) {
  if (typeof name !== "string" || name.length > MAX_THREAD_BYTES / 4)
    throw badArgument(
      `the \`name\` of a SaverStore is a text of at most ${MAX_THREAD_BYTES / 4} characters`,
    );
  checkThreadId(`:${name}`);
  return name;
}
