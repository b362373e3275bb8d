// SPDX-License-Identifier: MIT
// The LOG port over any key-value storage that can compare and set. A commit is put under a key of
// its own first; then the thread's head, which lists the keys, is replaced if it is still the one
// that was read: that is the commit point. Pieces that never got into a head are deleted when the
// thread folds or is dropped, and never because a compare-and-set said no: a storage that tries
// again by itself says so of what it did, and one that lags shows an old head, or none. Owns
// nothing; knows no storage.
//
//   <prefix><id>/head            { seq, crc, pieces }; <id> is encodeURIComponent's, and "=." and
//   "=.." of the ids "." and ".."
//   <prefix><id>/p/<name>.<n>    a part of a piece
//   <prefix><id>/witness         { seq, crc }
//   <prefix>=<partition>/...     the same of a partition: no id is encoded so
import {
  badArgument,
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  corruptLog,
  fenced,
  findRange,
  isCount,
  leading,
  markUnknown,
  sameHead,
  storeFailed,
} from "../../log/store-port.js";
import { checkFold, checkList, checkPartition } from "../core/port-checks.js";
import { Telling } from "../core/witness-queue.js";
import { concat } from "../../log/concat.js";
import { Storage, patient, pause } from "./storage.js";

/** @typedef {import("../../log/store-port.js").LogHead} LogHead */
/** @typedef {import("../../log/store-port.js").LogStore} LogStore */
/** @typedef {import("./storage.js").KeyValue} KeyValue */
/**
 * @typedef {{ firstSeq: number, lastSeq: number, name: string, size: number }} Piece `name`: of its
 *   keys, chunk numbers follow
 */
/** @typedef {{ seq: number, crc: number, pieces: Piece[] }} Head */
/** @typedef {{ raw: Uint8Array | undefined, head: Head | undefined }} Found */

const VALUE_BYTES = 1024 * 1024;
/** Keys that a list of threads asks for at once, at least and at most. */
const PAGE = 64;
const MOST_KEYS = 1000;
/** Between a piece's first seq and what is drawn for it, if it is no commit. */
const FOLDED = "_";
/** Behind all keys of a thread. */
const LAST = "~";
const SURROGATE = /\p{Surrogate}/u;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @implements {LogStore} */
export class KvStore {
  /** Long logs are read faster in few pieces. */
  foldable = true;
  #kv;
  #options;
  #part;
  #prefix;
  #limit;
  #telling = new Telling();
  /**
   * The heads that this store wrote last, by their threads' places; `names`: of the pieces in them
   * and before.
   * @type {Map<string, { raw: Uint8Array, head: Head, names: Set<string> }>}
   */
  #own = new Map();
  /**
   * Folded pieces that were in no head when their thread was last swept, by its place.
   * @type {Map<string, Set<string>>}
   */
  #doubtful = new Map();
  /**
   * What a witness said is stored, by its thread's place: a head that shows less is an old one,
   * unless it `isLost`.
   * @type {Map<string, { seq: number, isLost: boolean }>}
   */
  #least = new Map();

  /**
   * @param {KeyValue & { prefix?: string, maxValueBytes?: number }} options
   * @param {string} [part] of a partition: what its keys have behind the prefix
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
    this.#prefix = prefix + part;
    this.#limit = maxValueBytes;
  }

  /** @param {string} name @returns {KvStore} */
  partition(name) {
    checkPartition(name);
    return new KvStore(this.#options, `${this.#part}=${name}/`);
  }

  /** @param {string} threadId */
  #place(threadId) {
    checkThreadId(threadId);
    return `${this.#prefix}${partOf(threadId)}/`;
  }

  /**
   * Work on a thread: what the storage throws or answers amiss becomes an error that names it.
   * @template T @param {string} threadId @param {() => Promise<T>} work @returns {Promise<T>}
   */
  async #run(threadId, work) {
    try {
      return await work();
    } catch (error) {
      throw storeFailed(threadId, error);
    }
  }

  /**
   * The head, and never one from before this store's own last commit, nor from before what a
   * witness says is stored, however far reads lag behind writes. Where none is read, or that of
   * another log, the thread may have been dropped as well, or have lost its end: then what is still
   * read after a while counts.
   * @param {string} place @returns {Promise<Found>}
   */
  async #head(place) {
    const own = this.#own.get(place);
    const told = this.#least.get(place);
    const least = Math.max(own?.head.seq ?? 0, told === undefined || told.isLost ? 0 : told.seq);
    for (let tries = 0; ; tries++) {
      const found = await this.#find(place);
      if ((found.head?.seq ?? 0) >= least) return found;
      if (own?.head.seq === least && own.names.has(found.head?.pieces.at(-1)?.name ?? ""))
        return own;
      if (!(await pause(tries))) {
        this.#own.delete(place);
        if (told !== undefined) told.isLost = true;
        return found;
      }
    }
  }

  /** @param {string} threadId @param {LogHead} head */
  expect(threadId, { seq }) {
    const place = this.#place(threadId);
    // It was waited for once.
    if (this.#least.get(place)?.seq === seq) return;
    if (this.#least.size >= MOST_KEYS) this.#least.clear();
    this.#least.set(place, { seq, isLost: false });
  }

  /**
   * The head, and none from before the one that was there when a commit was begun.
   * @param {string} place
   * @param {LogHead | undefined} expected
   * @param {number} tries
   * @returns {Promise<Found>}
   */
  async #behind(place, expected, tries) {
    for (;;) {
      const found = await this.#head(place);
      if (
        found.head === undefined ||
        found.head.seq >= (expected?.seq ?? 0) ||
        !(await pause(tries++))
      )
        return found;
    }
  }

  /** @param {string} place @returns {Promise<Found>} */
  async #find(place) {
    const raw = await this.#kv.get(`${place}head`);
    if (raw === undefined) return { raw, head: undefined };
    try {
      const { seq, crc, pieces } = JSON.parse(decoder.decode(raw));
      checkHead({ seq, crc });
      return {
        raw,
        head: {
          seq,
          crc,
          pieces: pieces.map((/** @type {any[]} */ [firstSeq, lastSeq, name, size]) => ({
            firstSeq,
            lastSeq,
            name,
            size,
          })),
        },
      };
    } catch {
      throw corruptLog(this.#threadOf(place) ?? "", 0, "its head cannot be read");
    }
  }

  /**
   * Whether the head with this new piece took the place of `raw`.
   * @param {string} place
   * @param {Uint8Array | undefined} raw
   * @param {Head} head
   * @param {Piece} piece
   * @returns {Promise<boolean>}
   */
  async #commit(place, raw, head, piece) {
    const { seq, crc, pieces } = head;
    const value = encoder.encode(
      JSON.stringify({
        seq,
        crc,
        pieces: pieces.map(({ firstSeq, lastSeq, name, size }) => [firstSeq, lastSeq, name, size]),
      }),
    );
    try {
      if (await this.#kv.cas(`${place}head`, raw, value)) this.#remember(place, value, head);
      else {
        const found = await this.#find(place);
        if (found.head?.pieces.every(({ name }) => name !== piece.name) ?? true) return false;
        this.#remember(
          place,
          /** @type {Uint8Array} */ (found.raw),
          /** @type {Head} */ (found.head),
        );
      }
      return true;
    } catch (error) {
      throw markUnknown(error);
    }
  }

  /** @param {string} place @param {Uint8Array} raw @param {Head} head */
  #remember(place, raw, head) {
    const before = this.#own.get(place)?.head.pieces ?? [];
    if (this.#own.size >= MOST_KEYS) this.#own.clear();
    this.#own.set(place, {
      raw,
      head,
      names: new Set([...before, ...head.pieces].map(({ name }) => name)),
    });
  }

  /** @param {number} size */
  #chunks(size) {
    return Array.from({ length: Math.ceil(size / this.#limit) }, (_, i) => i);
  }

  /**
   * @param {string} place
   * @param {number} firstSeq
   * @param {number} lastSeq
   * @param {Uint8Array} bytes
   * @param {string} [kind]
   * @returns {Promise<Piece>}
   */
  async #write(place, firstSeq, lastSeq, bytes, kind = "-") {
    const name = `${String(firstSeq).padStart(16, "0")}${kind}${crypto.randomUUID()}`;
    const put = async (/** @type {number} */ i) =>
      this.#kv.put(`${place}p/${name}.${i}`, bytes.slice(i * this.#limit, (i + 1) * this.#limit));
    await Promise.all(this.#chunks(bytes.length).map(put));
    return { firstSeq, lastSeq, name, size: bytes.length };
  }

  /** The id whose place it is; undefined: nobody's. @param {string} place */
  #threadOf(place) {
    const part = place.slice(this.#prefix.length, -1);
    try {
      const id = /^=\.\.?$/.test(part) ? part.slice(1) : decodeURIComponent(part);
      return id !== "" && partOf(id) === part ? id : undefined;
    } catch {} // another program's key
  }

  /** @param {string} place @param {Piece} piece */
  async #read(place, { firstSeq, name, size }) {
    const get = (/** @type {number} */ i) => this.#kv.get(`${place}p/${name}.${i}`);
    const first = await get(0);
    // Who wrote it may have had another limit.
    const count = Math.ceil(size / (first?.length || size));
    const values = [
      first,
      ...(await Promise.all(Array.from({ length: count - 1 }, (_, i) => get(i + 1)))),
    ];
    const bytes = concat(values.filter((value) => value !== undefined));
    if (bytes.length !== size)
      throw Object.assign(
        corruptLog(
          this.#threadOf(place) ?? "",
          firstSeq - 1,
          `a value of ${place}p/${name} is gone`,
        ),
        { gone: true },
      );
    return bytes;
  }

  /** @param {string} threadId @returns {Promise<LogHead | undefined>} */
  async head(threadId) {
    const place = this.#place(threadId);
    const { head } = await this.#run(threadId, () => this.#head(place));
    return head && { seq: head.seq, crc: head.crc };
  }

  /**
   * @param {string} threadId
   * @param {{ from?: number, damaged?: boolean }} [options]
   * @returns {Promise<Uint8Array[]>}
   */
  async read(threadId, { from = 0, damaged = false } = {}) {
    const place = this.#place(threadId);
    checkFrom(from);
    const pieces = async () => {
      const { head } = await this.#head(place);
      return (head?.pieces ?? [])
        .filter(({ lastSeq }) => lastSeq >= from)
        .map((piece) => this.#read(place, piece));
    };
    // Another holder may have folded these pieces meanwhile, then there is another head.
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
   * @param {import("../../log/store-port.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  async append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    return this.#run(threadId, () => this.#append(threadId, commit, bytes, expected));
  }

  /**
   * @param {string} threadId
   * @param {import("../../log/store-port.js").LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  async #append(threadId, commit, bytes, expected) {
    this.#telling.begin(threadId);
    const place = this.#place(threadId);
    const own = this.#own.get(place);
    // Behind a commit of its own nothing needs to be read.
    let { raw, head } =
      own !== undefined && sameHead(own.head, expected) ? own : await this.#head(place);
    if (!sameHead(head, expected)) throw fenced(threadId);
    const piece = await this.#write(place, commit.firstSeq, commit.seq, bytes);
    for (let tries = 0; ; tries++) {
      const next = { seq: commit.seq, crc: commit.crc, pieces: [...(head?.pieces ?? []), piece] };
      if (await this.#commit(place, raw, next, piece)) return;
      ({ raw, head } = await this.#behind(place, expected, tries));
      if (head?.pieces.some(({ name }) => name === piece.name)) return;
      // The piece stays: a head that is not shown yet may name it. A fold touches the head too, and
      // fences nobody.
      if (!sameHead(head, expected)) throw fenced(threadId);
      // What is read is older than what said no, and that may have been this store's own commit,
      // tried twice.
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
   * @param {import("../../log/store-port.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  async fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    return this.#run(threadId, () => this.#fold(this.#place(threadId), range, bytes));
  }

  /**
   * @param {string} place
   * @param {import("../../log/store-port.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  async #fold(place, range, bytes) {
    const { raw, head } = await this.#head(place);
    const pieces = head?.pieces.slice() ?? [];
    const { start, end } = findRange(pieces, range);
    if (head === undefined) return;
    // Older pieces that are not longer than all behind them go with these: a log of any length is
    // few pieces.
    let first = start;
    let size = bytes.length;
    while (first > 0 && pieces[first - 1].size <= size) size += pieces[--first].size;
    const older = await patient(() =>
      Promise.all(pieces.slice(first, start).map((one) => this.#read(place, one))),
    );
    const piece = await this.#write(
      place,
      pieces[first].firstSeq,
      range.lastSeq,
      concat([...older, bytes]),
      FOLDED,
    );
    const removed = pieces.splice(first, end - first, piece);
    // A head that changed meanwhile keeps its pieces: they say the same.
    if (!(await this.#commit(place, raw, { ...head, pieces }, piece))) return;
    await this.#discard(place, removed);
    await this.#sweep(place, head.seq, pieces);
  }

  /** @param {string} place @param {Piece[]} pieces */
  async #discard(place, pieces) {
    await Promise.all(
      pieces.flatMap(({ name, size }) =>
        this.#chunks(size).map((i) => this.#kv.delete(`${place}p/${name}.${i}`)),
      ),
    );
  }

  /**
   * Deletes what was put for commits that lost: what begins behind the head may still win. So may a
   * folded piece, whose head may have been read a moment ago: it lost when it was in no head
   * before, and another head has come since.
   * @param {string} place @param {number} seq @param {Piece[]} pieces
   */
  async #sweep(place, seq, pieces) {
    const held = new Set(pieces.map(({ name }) => name));
    const keys = await this.#kv.keys(`${place}p/`);
    const before = this.#doubtful.get(place);
    /** @type {Set<string>} */
    const doubtful = new Set();
    const isLost = (/** @type {string} */ key) => {
      const name = key.slice(place.length + 2, key.lastIndexOf("."));
      if (held.has(name) || Number(name.slice(0, 16)) > seq) return false;
      if (name[16] !== FOLDED || before?.has(name)) return true;
      doubtful.add(name);
      return false;
    };
    if (this.#doubtful.size >= MOST_KEYS) this.#doubtful.clear();
    this.#doubtful.delete(place);
    await Promise.all(keys.filter(isLost).map((key) => this.#kv.delete(key)));
    if (doubtful.size > 0) this.#doubtful.set(place, doubtful);
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
      let from = after === undefined ? this.#prefix : `${this.#place(after)}${LAST}`;
      ids.length < limit;
    ) {
      const wanted = Math.max(PAGE, Math.min(limit, MOST_KEYS));
      const keys = await this.#page(from, wanted);
      for (const key of keys) {
        const id =
          key.endsWith("/head") && ids.length < limit
            ? this.#threadOf(key.slice(0, -"head".length))
            : undefined;
        if (id !== undefined) ids.push(id);
      }
      // Fewer are the last ones, more are all.
      if (keys.length !== wanted) break;
      const last = keys[wanted - 1];
      // The rest of a thread's keys comes behind its head.
      from = `${last.slice(0, last.indexOf("/", this.#prefix.length) + 1)}${LAST}`;
    }
    return ids;
  }

  /**
   * Keys behind `after`, in their order: a page, or all of a storage that knows no pages.
   * @param {string} after
   * @param {number} limit
   * @returns {Promise<string[]>}
   */
  async #page(after, limit) {
    const keys = await this.#kv.list(this.#prefix, { after, limit });
    return keys.filter((key) => key.startsWith(this.#prefix) && key > after).sort();
  }

  /** @param {string} threadId */
  async drop(threadId) {
    const place = this.#place(threadId);
    return this.#run(threadId, async () => {
      await this.#telling.end(threadId);
      this.#own.delete(place);
      this.#least.delete(place);
      const keys = await this.#kv.keys(place);
      // A witness that stayed would speak of a loss. Then the head: without it there is no thread,
      // and what is put behind it is a new one's.
      await this.#kv.delete(`${place}witness`);
      await this.#kv.delete(`${place}head`);
      await Promise.all(
        keys.filter((key) => key !== `${place}head`).map((key) => this.#kv.delete(key)),
      );
    });
  }

  /** @param {string} threadId @param {LogHead} [head] @returns {Promise<LogHead | undefined>} */
  async witness(threadId, head) {
    const place = this.#place(threadId);
    if (head !== undefined) checkHead(head);
    return this.#run(threadId, async () => {
      if (head !== undefined) {
        const value = encoder.encode(JSON.stringify({ seq: head.seq, crc: head.crc }));
        return void (await this.#telling.tell(
          threadId,
          head,
          async () => (await this.#head(place)).head,
          () => this.#kv.put(`${place}witness`, value),
        ));
      }
      const told = await this.#witness(place);
      if (told === undefined) return undefined;
      this.expect(threadId, told);
      const shown = (await this.#head(place)).head?.seq ?? 0;
      // What still shows less after a while has lost records, or the thread was dropped, and this
      // is read late too.
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
      ids.map((id) => this.#run(id, () => this.#head(this.#place(id)))),
    );
    return heads.reduce(
      (sum, { head }) => sum + (head?.pieces ?? []).reduce((all, { size }) => all + size, 0),
      0,
    );
  }
}

/**
 * A thread id as a part of a key; "." and ".." would lead out of the prefix where keys are paths or
 * addresses.
 * @param {string} threadId
 */
function partOf(threadId) {
  return threadId === "." || threadId === ".." ? `=${threadId}` : encodeURIComponent(threadId);
}
