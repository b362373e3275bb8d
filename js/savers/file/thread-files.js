// SPDX-License-Identifier: MIT
// Reads and writes one thread's folder. A commit is written and synced at a temporary path, then
// linked under the name of the head that it continues: the file system gives the name to only one
// of several writers, in any number of processes; a listing afterwards detects a writer that came
// too late even for that. 64 small commits (or 256 KiB of them) are folded into a segment.
//
//   threads/<sha-256>/id              the thread's id
//   threads/<sha-256>/log-<random>/   its files (pieces.js); renamed after a drop, so that a late
//   link fails
//   tmp/                              files being made, threads being removed
import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import {
  HEADER_BYTES,
  commitName,
  findChain,
  readHeader,
  segmentName,
  writeHeader,
} from "./pieces.js";
import { framesOf } from "../../log/frames.js";
import { START, corruptLog, fenced, markUnknown, sameHead } from "../../log/log-store.js";
import {
  codeOf,
  present,
  opened,
  namesIn,
  bytesOf,
  writeSynced,
  makeAside,
  placeFile,
  syncFolder,
} from "./file-system.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("./pieces.js").Piece} Piece */
/** @typedef {import("./pieces.js").Chain} Chain */

const FOLD_COMMITS = 64;
const FOLD_BYTES = 256 * 1024;
const RELISTS = 20;
/** The files of one thread in one store; calls must not overlap. */
export class ThreadFiles {
  key;
  #root;
  #threadId;
  #path;
  /** Folder of the log; "" until it is known. */
  #folder = "";
  /**
   * Headers of commit files, which never change.
   * @type {Map<string, { last: LogHead, length: number }>}
   */
  #headers = new Map();

  /**
   * @param {string} root
   * @param {string} key
   * @param {string} threadId
   */
  constructor(root, key, threadId) {
    this.#root = root;
    this.key = key;
    this.#threadId = threadId;
    this.#path = join(root, "threads", key);
  }

  /**
   * Finds the current log; undefined when it has no folder.
   * @returns {Promise<Chain | undefined>}
   */
  async find() {
    const chain = await this.#reach();
    if (chain?.whole === false)
      throw corruptLog(this.#threadId, chain.head.seq, "its file is missing or damaged");
    return chain;
  }

  /**
   * Finds the log as far as its files reach; not `whole` if one is missing or damaged.
   * @returns {Promise<Chain | undefined>}
   */
  async #reach() {
    for (let round = 1; ; round++) {
      const names = await this.#names();
      const chain =
        names && (await findChain(names, START, async (name) => (await this.#header(name))?.last));
      if (chain === undefined || chain.whole || round === RELISTS) return chain;
    }
  }

  /** @returns {Promise<string[] | undefined>} */
  async #names() {
    const known = this.#folder && (await namesIn(this.#folder));
    if (known) return known;
    this.#headers.clear();
    const log = (await namesIn(this.#path))?.find((name) => name.startsWith("log-"));
    this.#folder = log ? join(this.#path, log) : "";
    return log ? namesIn(this.#folder) : undefined;
  }

  /** @param {string} name */
  async #header(name) {
    const known = this.#headers.get(name);
    if (known) return known;
    const read = async (/** @type {fs.FileHandle} */ file) => {
      const bytes = new Uint8Array(HEADER_BYTES);
      const { bytesRead } = await file.read(bytes, 0, HEADER_BYTES, 0);
      return readHeader(bytes.subarray(0, bytesRead));
    };
    const header = await present(opened(join(this.#folder, name), "r", read));
    if (header) this.#headers.set(name, header);
    return header;
  }

  /**
   * @param {Piece} piece
   * @returns {Promise<Uint8Array | undefined>}
   */
  async #payload(piece) {
    const bytes = await bytesOf(join(this.#folder, piece.name));
    return (
      bytes &&
      new Uint8Array(
        bytes.buffer,
        bytes.byteOffset + HEADER_BYTES,
        Math.max(0, bytes.length - HEADER_BYTES),
      )
    );
  }

  /**
   * Reads the records from a sequence number on.
   * @param {number} from
   * @param {boolean} damaged whether the part before a missing or damaged file is enough
   * @returns {Promise<Uint8Array[]>}
   */
  async read(from, damaged) {
    for (let round = 0; round < RELISTS; round++) {
      const pieces = (await (damaged ? this.#reach() : this.find()))?.pieces ?? [];
      const batches = await Promise.all(
        pieces.filter((piece) => piece.lastSeq >= from).map((piece) => this.#payload(piece)),
      );
      // A file that vanished was folded by another process meanwhile.
      if (!batches.includes(undefined)) return /** @type {Uint8Array[]} */ (batches);
    }
    throw corruptLog(this.#threadId, from, "files are missing");
  }

  /** @returns {Promise<number>} */
  async byteLength() {
    const names = await this.find().then(
      (chain) => chain?.pieces.map(({ name }) => name) ?? [],
      // A damaged log's files use space too.
      async (error) =>
        (codeOf(error) === "CORRUPT_LOG" && (await this.#names())) || Promise.reject(error),
    );
    const stats = await Promise.all(
      names.map((name) => present(fs.stat(join(this.#folder, name)))),
    );
    return stats.reduce((sum, stat) => sum + (stat ? stat.size - HEADER_BYTES : 0), 0);
  }

  /**
   * Appends a commit.
   * @param {LogHead} last
   * @param {Uint8Array} bytes
   * @param {LogHead} before
   */
  async append(last, bytes, before) {
    let chain = await this.find();
    if (!sameHead(chain?.head ?? START, before)) throw fenced(this.#threadId);
    if (!chain) {
      await this.#create();
      chain = await this.find();
      if (chain?.head.seq !== 0) throw fenced(this.#threadId);
    }
    const folder = this.#folder;
    const target = join(folder, commitName(before));
    await placeFile(this.#root, [writeHeader(before, last, bytes.length), bytes], async (made) => {
      try {
        await fs.link(made, target);
      } catch (error) {
        if (codeOf(error) !== "EEXIST" && codeOf(error) !== "ENOENT") throw markUnknown(error);
        const { nlink = 0 } = (await present(fs.stat(made))) ?? {};
        // A network file system that lost its answer links again and finds its own link.
        if (nlink > 1) return;
        // The file was swept: makeAside makes it again.
        if (nlink === 0 && codeOf(error) === "ENOENT") throw error;
        throw fenced(this.#threadId);
      }
    });
    const stored = await this.#settle(folder, target, before, last, bytes).catch((error) => {
      throw markUnknown(error);
    });
    if (!stored) throw fenced(this.#threadId);
    // The commit is durable; the next commit repeats a failed fold.
    await this.#tidy(stored).catch(() => {});
  }

  /**
   * Returns the log with the commit just linked; undefined when it came too late and was unlinked.
   * @param {string} folder
   * @param {string} target
   * @param {LogHead} before
   * @param {LogHead} last
   * @param {Uint8Array} bytes
   */
  async #settle(folder, target, before, last, bytes) {
    await syncFolder(folder);
    const chain = await this.find();
    if (!chain || this.#folder !== folder) return undefined;
    if (await this.#holds(chain, before, last, bytes)) return chain;
    await present(fs.unlink(target));
    return undefined;
  }

  /**
   * Checks that the log contains the commit that continues `before`, as a file or folded. A name
   * becomes free when its file is folded, so a late writer may find its commit outside the chain.
   * If the log was pruned meanwhile, the head before its first record may prove it; otherwise the
   * outcome is unknown.
   * @param {Chain} chain
   * @param {LogHead} before
   * @param {LogHead} last
   * @param {Uint8Array} bytes
   */
  async #holds(chain, before, last, bytes) {
    const piece = chain.pieces.find(
      (one) => one.firstSeq <= before.seq + 1 && one.lastSeq > before.seq,
    );
    if (piece?.commit) return piece.name === commitName(before);
    const segment = piece && (await this.#payload(piece));
    if (segment === undefined) return false;
    const batch = Buffer.from(segment.buffer, segment.byteOffset, segment.length);
    if (batch.includes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) return true;
    const first = firstOf(batch);
    if (first !== undefined && first.seq <= before.seq) return false;
    if (sameHead(first, last)) return true;
    throw new Error(
      "others dropped old records while this one was stored, which may be among them",
    );
  }

  /**
   * Folds the small commits at the end when they are many or large together.
   * @param {Chain} chain
   */
  async #tidy({ pieces, spare }) {
    let bytes = 0;
    let start = pieces.length;
    for (; start > 0 && pieces[start - 1].commit; start--) {
      const length = (await this.#header(pieces[start - 1].name))?.length ?? 0;
      if (length >= FOLD_BYTES) break;
      bytes += length;
    }
    const tail = pieces.slice(start);
    if (tail.length < 2 || (tail.length < FOLD_COMMITS && bytes < FOLD_BYTES)) return;
    const payloads = await Promise.all(tail.map((piece) => this.#payload(piece)));
    if (payloads.includes(undefined)) return;
    await this.replace(tail, /** @type {Uint8Array[]} */ (payloads), spare);
  }

  /**
   * Replaces pieces by one segment.
   * @param {Piece[]} pieces
   * @param {Uint8Array[]} parts
   * @param {string[]} [spare]
   */
  async replace(pieces, parts, spare = []) {
    const [{ before }, { last }] = [pieces[0], pieces[pieces.length - 1]];
    const name = segmentName(before, last);
    const folder = this.#folder;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    await placeFile(this.#root, [writeHeader(before, last, length), ...parts], (made) =>
      fs.rename(made, join(folder, name)),
    );
    await syncFolder(folder);
    for (const old of [...pieces.map((piece) => piece.name), ...spare]) {
      if (old !== name) await present(fs.unlink(join(folder, old)));
      this.#headers.delete(old);
    }
  }

  #create() {
    return makeAside(this.#root, "new-", async (made) => {
      try {
        await fs.mkdir(join(made, `log-${randomBytes(12).toString("hex")}`), { recursive: true });
        await writeSynced(join(made, "id"), [new TextEncoder().encode(this.#threadId)]);
        await syncFolder(made);
        await fs.rename(made, this.#path);
        await syncFolder(join(this.#root, "threads"));
      } catch (error) {
        // Another writer made it first; the commit decides.
        if (!(await present(fs.stat(this.#path)))) throw error;
      }
    });
  }

  async remove() {
    this.#folder = "";
    this.#headers.clear();
    const away = join(this.#root, "tmp", `drop-${randomBytes(12).toString("hex")}`);
    const moved = await present(fs.rename(this.#path, away).then(() => true));
    if (!moved) return;
    await syncFolder(join(this.#root, "threads"));
    await fs.rm(away, { recursive: true, force: true });
  }
}

/**
 * Returns the head before the first record of a segment; undefined when it is unreadable, for
 * example sealed.
 * @param {Buffer} batch
 */
function firstOf(batch) {
  const [frame] = framesOf(batch);
  return frame && { seq: frame.seq - 1, crc: batch.readUInt32LE(frame.at - 8) };
}
